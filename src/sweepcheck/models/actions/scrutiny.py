"""Mistakes in an action that can be seen in its code, before anything runs."""

from __future__ import annotations

import ast
import dis
import inspect
import linecache
from collections.abc import Callable, Collection
from itertools import pairwise
from typing import Any

from sweepcheck.core.captured import note
from sweepcheck.core.parsing import parsed
from sweepcheck.core.purity import check_purity
from sweepcheck.errors import ModelError, caller, place, shown

COMPARISONS = frozenset({"COMPARE_OP", "CONTAINS_OP", "IS_OP", "UNARY_NOT"})


def scrutinise(function: Callable[..., Any], parameters: Collection[str]) -> None:
    """Refuse a function that cannot be an action with these family parameters."""
    _scrutinise_signature(function, parameters)
    note(function)
    check_purity(function, f"action {function.__name__!r}")
    check_conditions(function, f"action {function.__name__!r}")


def check_conditions(function: Any, what: str) -> None:
    """Refuse a function in which a comparison stands alone: nothing comes of it, and a `require` was meant."""
    for one, then in pairwise(dis.get_instructions(function.__code__)):
        if one.opname in COMPARISONS and then.opname == "POP_TOP":
            line = None if one.positions is None else one.positions.lineno
            raise ModelError(
                "SC151",
                f"{what} compares something, and nothing comes of it",
                where=f"{(place(function) or '').rpartition(':')[0]}:{line}",
                suggestion="write require(...) around a condition for going on, = for an assignment",
            )


def _scrutinise_signature(function: Callable[..., Any], parameters: Collection[str]) -> None:
    what = None
    if inspect.ismethod(function) or (
        inspect.isfunction(function) and "self" in inspect.signature(function).parameters
    ):
        what = f"{function.__name__!r} is a method; an action is a function"
    elif not inspect.isfunction(function):
        what = f"{shown(function)} is not a function"
    elif function.__name__ == "<lambda>":
        what = "an action needs a name, and a lambda has none"
    elif inspect.isgeneratorfunction(function):
        what = f"action {function.__name__!r} yields; a generator function is a process: write @m.process"
    elif inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        what = f"action {function.__name__!r} is asynchronous"
    else:
        positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        accepted = list(inspect.signature(function).parameters.values())
        expected = [one.name for one in accepted[1:]]
        if not accepted or accepted[0].kind not in positional:
            what = f"action {function.__name__!r} has no first parameter for its draft"
        elif set(expected) != set(parameters):
            offered = ", ".join(parameters) or "none"
            wanted = ", ".join(expected) or "none"
            what = f"action {function.__name__!r} takes parameters ({wanted}) but its family gives ({offered})"
    if what is not None:
        raise ModelError(
            "SC113",
            what,
            where=place(function) or caller(),
            suggestion="write @m.action above def name(s): ... or @m.action(i=range(n)) above def name(s, i): ...",
        )


def forgotten_decorators(filename: str, line: int, variables: Collection[str]) -> None:
    """Refuse a model beside which stands a function that looks like an action but is not one.

    Such a function is written in the same scope as the model, is used nowhere in it, has no decorator, returns nothing
    (a predicate does), and reads or writes a variable of the model through its first parameter.
    """
    linecache.checkcache(filename)  # the file may have been edited since another model of it was loaded
    source = "".join(linecache.getlines(filename))
    try:
        tree = parsed(source)
    except SyntaxError:
        return
    scope = _innermost_scope(tree, line)
    used = {node.id for node in ast.walk(scope) if isinstance(node, ast.Name)}
    for node in scope.body:
        plain = isinstance(node, ast.FunctionDef) and not node.decorator_list and not _returns(node)
        if isinstance(node, ast.FunctionDef) and plain and node.name not in used:
            first = node.args.args[0].arg if node.args.args else None
            for inner in ast.walk(node):
                if (
                    isinstance(inner, ast.Attribute)
                    and isinstance(inner.value, ast.Name)
                    and inner.value.id == first
                    and inner.attr in variables
                ):
                    raise ModelError(
                        "SC114",
                        f"function {node.name!r} uses variable {inner.attr!r} but is not an action",
                        where=f"{filename.rpartition('/')[2]}:{node.lineno}",
                        suggestion="write @m.action above it, or use or remove the function",
                    )


def _returns(function: ast.FunctionDef) -> bool:
    """Whether a function gives a value back."""
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function))


def _innermost_scope(tree: ast.Module, line: int) -> ast.Module | ast.FunctionDef:
    scope: ast.Module | ast.FunctionDef = tree
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or node.lineno):
            scope = node  # ast.walk goes from the outside in, so the last one is the innermost
    return scope
