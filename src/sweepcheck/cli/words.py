"""The words of a model file that shells complete: parameters and properties.

The file is read and never run: pressing a key must not do what a model does.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from sweepcheck.core.files import read_text
from sweepcheck.core.limits import FileLimits

PROPERTIES = ("invariant", "reachable", "deadlock", "always_possible", "always_eventually", "never")
TRUTHS = ("true", "false")


def parameter_words(_context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """`name=` of every parameter that begins so; after the sign, what a truth value can be."""
    found = {name: default for reference in _references() for name, default in _parameters(reference)}
    name, sign, typed = incomplete.partition("=")
    if sign:
        values = TRUTHS if found.get(name) in ("True", "False") else ([found[name]] if found.get(name) else [])
        return [CompletionItem(f"{name}={value}") for value in values if value.startswith(typed)]
    return [
        CompletionItem(f"{one}=", help=f"default {default}" if default else None)
        for one, default in found.items()
        if one.startswith(name)
    ]


def property_words(_context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Every name of a property that begins so."""
    names = dict.fromkeys(name for reference in _references() for name in _properties(reference))
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _references() -> Sequence[str]:
    """The model files that are typed so far. An option whose value is being typed ends what click makes of the line, so
    its words are looked at as the shell gives them.
    """
    words = re.split(r"\s+", os.environ.get("COMP_WORDS", ""))
    return [word.strip("'\"") for word in words if re.search(r"\.(py(:\w*)?|psl)['\"]?$", word)]


def _text(reference: str) -> str:
    """The text of a model file; nothing where it cannot be read: there is nobody to tell."""
    name = re.sub(r"(?<=\.py):\w*$", "", reference)
    try:
        return read_text(Path(name), FileLimits())
    except Exception:  # noqa: BLE001 - whatever is wrong, `check` will say it
        return ""


def _tree(reference: str) -> ast.Module:
    try:
        return ast.parse(_text(reference))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _parameters(reference: str) -> Iterator[tuple[str, str]]:
    """The parameters of the functions in a file, each with the text of its default."""
    if reference.endswith(".psl"):
        yield from re.findall(r"^\s*param\s+(\w+)\s*=\s*(\S+)", _text(reference), re.MULTILINE)
        return
    wanted = reference.rpartition(":")[2] if ".py:" in reference else ""
    for one in _tree(reference).body:
        if isinstance(one, ast.FunctionDef) and not one.name.startswith("_") and wanted in ("", one.name):
            names, defaults = [*one.args.posonlyargs, *one.args.args], one.args.defaults
            texts = [""] * (len(names) - len(defaults)) + [ast.unparse(default) for default in defaults]
            yield from ((name.arg, text) for name, text in zip(names, texts, strict=True))


def _properties(reference: str) -> Iterator[str]:
    """The names that a file gives to properties."""
    if reference.endswith(".psl"):
        named = re.findall(r'^\s*check\s+(?:\w+\s+(?:"([^"]*)"|(\w+))\s*:|deadlock)', _text(reference), re.MULTILINE)
        yield from (quoted or plain or "deadlock" for quoted, plain in named)
        return
    for one in ast.walk(_tree(reference)):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in PROPERTIES:
            first = one.args[0] if one.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value
            elif one.func.attr == "deadlock":
                yield "deadlock"
