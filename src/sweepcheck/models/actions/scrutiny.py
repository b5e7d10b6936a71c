"""Mistakes in an action that can be seen in its code, before anything runs."""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

from sweepcheck.core.captured import note
from sweepcheck.core.catching import check_catching
from sweepcheck.core.instructions import instructions
from sweepcheck.core.parsing import read
from sweepcheck.core.purity import check_purity
from sweepcheck.errors import ModelError, caller, place, shown
from sweepcheck.models.actions.callables import is_lambda, name_of, written

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
COMPARISONS = frozenset({"COMPARE_OP", "CONTAINS_OP", "IS_OP", "UNARY_NOT"})


def scrutinise(function: Any, parameters: Collection[str], named: object = None) -> str:
    """Refuse a function that cannot be an action with these family parameters; what the action is called."""
    _scrutinise_signature(function, parameters, named is not None)
    name, own = name_of(function, named), written(function)
    note(own)
    check_purity(function, f"action {name!r}")
    check_conditions(own, f"action {name!r}")
    check_catching(own, f"action {name!r}")
    return name


def check_conditions(function: Any, what: str) -> None:
    """Refuse a function in which a comparison stands alone: nothing comes of it, and a `require` was meant."""
    for one, then in pairwise(instructions(function.__code__)):
        if one.opname in COMPARISONS and then.opname == "POP_TOP":
            line = None if one.positions is None else one.positions.lineno
            raise ModelError(
                "SC151",
                f"{what} compares something, and nothing comes of it",
                where=f"{(place(function) or '').rpartition(':')[0]}:{line}",
                suggestion="write require(...) around a condition for going on, = for an assignment",
            )


def _scrutinise_signature(given: Any, parameters: Collection[str], is_named: bool) -> None:
    what, function = None, written(given)
    suggestion = "write @m.action above def name(s): ... or @m.action(i=range(n)) above def name(s, i): ..."
    own = inspect.isfunction(function)
    if own and "self" in inspect.signature(function).parameters:
        what = f"{function.__name__!r} is a method of a class; an action is a function, or a method of an object"
        suggestion = f"make the object first, and give its method: m.action(thing.{function.__name__})"
    elif not own and not inspect.ismethod(function):
        what = f"{shown(given)} is not a function"
    elif is_lambda(function) and not is_named:
        what, suggestion = "an action needs a name, and a lambda has none", 'give it one: m.action(f, name="step")'
    elif inspect.isgeneratorfunction(function):
        what = f"action {function.__name__!r} yields; a generator function is a process: write @m.process"
    elif inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        what = f"action {function.__name__!r} is asynchronous"
    else:
        what = _misfit(given, function.__name__, parameters)
    if what is not None:
        raise ModelError("SC113", what, where=place(function) or caller(), suggestion=suggestion)


def _misfit(given: Any, name: str, parameters: Collection[str]) -> str | None:
    """Why a function cannot be called with a draft and these parameters; one with a default may be left out."""
    try:
        accepted = list(inspect.signature(given).parameters.values())
    except ValueError as error:  # a partial that gives too much
        return f"action {name!r} cannot be called: {error}"
    if not accepted or accepted[0].kind not in POSITIONAL:
        return f"action {name!r} has no first parameter for its draft"
    needed = {one.name for one in accepted[1:] if one.default is inspect.Parameter.empty}
    if needed <= set(parameters) <= {one.name for one in accepted[1:]}:
        return None
    offered, wanted = ", ".join(parameters) or "none", ", ".join(one.name for one in accepted[1:]) or "none"
    return f"action {name!r} takes parameters ({wanted}) but its family gives ({offered})"


class Beside(NamedTuple):
    """A function that is used nowhere, so that it may have been meant as an action, and what it uses of a draft."""

    name: str
    line: int
    attributes: tuple[str, ...]


class Scope(NamedTuple):
    """A module or function, by its lines, and what stands in it that may have been meant as actions."""

    first: int
    last: float
    functions: tuple[Beside, ...]


def forgotten_decorators(filename: str, line: int, variables: Collection[str]) -> None:
    """Refuse a model beside which stands a function that looks like an action but is not one.

    Such a function is written in the same scope as the model, is used nowhere in it, has no decorator, returns nothing
    (a predicate does), and reads or writes a variable of the model through its first parameter.
    """
    linecache.checkcache(filename)  # the file may have been edited since another model of it was loaded
    around = [scope for scope in _scopes("".join(linecache.getlines(filename))) if scope.first <= line <= scope.last]
    for function in around[-1].functions if around else ():  # from the outside in, so the last one is the innermost
        for attribute in function.attributes:
            if attribute in variables:
                raise ModelError(
                    "SC114",
                    f"function {function.name!r} uses variable {attribute!r} but is not an action",
                    where=f"{filename.rpartition('/')[2]}:{function.line}",
                    suggestion="write @m.action above it, or use or remove the function",
                )


@lru_cache(maxsize=8)  # to read a file takes longer than many a run, and some make a model for each of many runs
def _scopes(source: str) -> tuple[Scope, ...]:
    try:
        tree = read(source)
    except SyntaxError:
        return ()
    functions = [node for node in _statements(tree) if isinstance(node, ast.FunctionDef)]
    inner = (Scope(node.lineno, node.end_lineno or node.lineno, _functions_in(node)) for node in functions)
    return (Scope(0, inf, _functions_in(tree)), *inner)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements in one: most of a tree are expressions, and no function is defined there."""
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        for one in getattr(node, name, ()):
            yield one
            yield from _statements(one)


def _functions_in(scope: ast.Module | ast.FunctionDef) -> tuple[Beside, ...]:
    plain = [node for node in scope.body if isinstance(node, ast.FunctionDef) and not node.decorator_list]
    plain = [node for node in plain if not _returns(node) and node.args.args]
    used = {node.id for node in ast.walk(scope) if isinstance(node, ast.Name)} if plain else set()
    return tuple(Beside(node.name, node.lineno, _attributes(node)) for node in plain if node.name not in used)


def _attributes(function: ast.FunctionDef) -> tuple[str, ...]:
    """What is read or written through its first parameter."""
    first = function.args.args[0].arg
    attributes = [node for node in ast.walk(function) if isinstance(node, ast.Attribute)]
    return tuple(node.attr for node in attributes if isinstance(node.value, ast.Name) and node.value.id == first)


def _returns(function: ast.FunctionDef) -> bool:
    """Whether a function gives a value back."""
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(function))
