"""Mistakes in an action that can be seen in its code, before anything runs."""

from __future__ import annotations

import ast
import dis
import inspect
import linecache
import textwrap
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator
from types import CodeType, ModuleType
from typing import Any

from sweepcheck.errors import ModelError, caller, place, shown

# Modules whose functions answer differently from call to call: no action may depend on them.
IMPURE_MODULES = frozenset({"random", "secrets", "time", "uuid"})

# What changes a list, a dictionary or a set.
CHANGES = {"add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert", "pop", "popitem"}
CHANGES |= {"popleft", "remove", "reverse", "setdefault", "sort", "update"}


PARSING = threading.Lock()  # Python 3.11 can fail where two threads make syntax trees at the same time

OUTSIDE = "make it a variable of the model; what an action does may depend on the state alone"
CHOICE = "use choose(...) for what may happen one way or the other"


def scrutinise(function: Callable[..., Any], parameters: Collection[str]) -> None:
    """Refuse a function that cannot be an action with these family parameters."""
    _scrutinise_signature(function, parameters)
    found = impurity(function)
    if found is not None:
        what, suggestion = found
        raise ModelError("SC115", f"action {function.__name__!r} {what}", where=place(function), suggestion=suggestion)


def impurity(function: Callable[..., Any]) -> tuple[str, str] | None:
    """What a function visibly does beside computing from its arguments, and what to do instead; None when nothing."""
    for code in _codes(function.__code__):
        for instruction in dis.get_instructions(code):
            outward = instruction.opname == "STORE_DEREF" and instruction.argval in function.__code__.co_freevars
            if instruction.opname in ("STORE_GLOBAL", "DELETE_GLOBAL") or outward:
                return f"assigns {instruction.argval!r}, which lives outside the state", OUTSIDE
    for changed in _changed_outside(function):
        return f"changes {changed!r}, which lives outside the state", OUTSIDE
    for used, value in _outer_values(function):
        module = value if isinstance(value, ModuleType) else inspect.getmodule(value) if callable(value) else None
        if module is not None and module.__name__ in IMPURE_MODULES:
            return f"uses {used!r} of module {module.__name__!r}, which answers differently each time", CHOICE
    return None


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
        what = f"action {function.__name__!r} yields; an action changes its draft instead"
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


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _outer_values(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """The global and closure variables a function uses, with their values now."""
    names = {name for code in _codes(function.__code__) for name in code.co_names}
    yield from ((name, function.__globals__[name]) for name in sorted(names) if name in function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # not bound yet
            continue


def _changed_outside(function: Callable[..., Any]) -> Iterator[str]:
    """The lists, dictionaries and sets outside an action that its source visibly changes; none without a source."""
    try:
        tree = _parsed(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return
    kinds = (list, dict, set, bytearray, deque)
    mutable = {name for name, value in _outer_values(function) if isinstance(value, kinds)}
    mutable -= set(function.__code__.co_varnames)
    for node in ast.walk(tree):
        changed: ast.expr | None = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            changed = node.func.value
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            changed = node.value
        while isinstance(changed, ast.Subscript | ast.Attribute):
            changed = changed.value
        if isinstance(changed, ast.Name) and changed.id in mutable:
            yield changed.id


def _parsed(source: str) -> ast.Module:
    with PARSING:
        return ast.parse(source)


def forgotten_decorators(filename: str, line: int, variables: Collection[str]) -> None:
    """Refuse a model beside which stands a function that looks like an action but is not one.

    Such a function is written in the same scope as the model, is used nowhere in it, has no decorator, returns nothing
    (a predicate does), and reads or writes a variable of the model through its first parameter.
    """
    linecache.checkcache(filename)  # the file may have been edited since another model of it was loaded
    source = "".join(linecache.getlines(filename))
    try:
        tree = _parsed(source)
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
