"""Splitting: a choice from a list that a function makes, with each alternative in a run that looks at that one alone.

`choose([(a, b) for a in range(n) for b in range(n) if s.free[a] and s.free[b]])` looks at everything that the list is
made of, in every run. It has the outcomes of a choice of `a` and `b` after which the condition is required; so it is
written as one, beside the list: `(@chosen(choose, candidates, condition, element) or (choose([...]),))[0]`. A function
that makes such a list and returns it can be asked for these instead, by `choose(moves(s))`.

Exact, since every alternative is a candidate of its own: an element consists of the names that are gone through, each
of them is in it, and they go in the same order. Conditions only read (see `effects`), and nobody goes on after what one
of them raises, so that it does not matter which of them are asked. Whatever else comes up makes the list be offered as
it is.
"""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Callable, Collection, Iterator
from itertools import chain
from operator import is_
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from sweepcheck.core.running import Disabled
from sweepcheck.core.values import sort_key, unfit
from sweepcheck.engines.native.effects import is_caught, only_reads

CHOSEN, CHOSEN_BY, ASKED, SPLIT = "@chosen", "@chosen_by", "@asked", "@split"
CHOICES = frozenset({"choose", "take", "peek", "get"})  # methods and functions that are no conditions
Listed = ast.ListComp | ast.GeneratorExp | ast.SetComp
Function = Callable[[list[str], ast.expr], ast.Lambda]


# -- in the text of functions -----------------------------------------------------------------------------------------


def split(listed: Listed, local: Collection[str], function: Function) -> list[ast.expr] | None:
    """What a list is made of (see `Split`), each as a function; None where it is to stay as it is.

    `local` are the names that the function around gives a value to: what has none of them is the same in all states.
    """
    names = [one.id for turn in listed.generators for one in ast.walk(turn.target) if isinstance(one, ast.Name)]
    once = len(set(names)) == len(names) and set(names) == set(_parts(listed.elt))
    if not once or any(one.is_async for one in listed.generators) or any(map(does_more, ast.walk(listed))):
        return None
    element = function(names, copy.deepcopy(listed.elt))
    held = _held(listed.generators, local, function)
    turns = copy.deepcopy(listed.generators)
    told: list[ast.expr] = []
    for turn in turns[_first_free(turns) :]:
        conditions = [part for one in turn.ifs for part in _operands(one)]
        told += [one for one in conditions if (_read(one) - set(names)) & set(local)]
        turn.ifs = [one for one in conditions if one not in told]
    if not told:
        return [element, *held] if held else None
    candidate = ast.Tuple([ast.Name(one, ast.Load()) for one in names], ast.Load())
    return [
        element,
        *(held or [ast.Constant(None)] * 2),
        function([], ast.ListComp(candidate, turns)),
        function(names, _all(told)),
        ast.Constant(isinstance(listed, ast.SetComp)),
    ]


def _held(turns: list[ast.comprehension], local: Collection[str], function: Function) -> list[ast.expr]:
    """What of the state may be gone through, and which of its elements are wanted."""
    match copy.deepcopy(turns):
        case [ast.comprehension(target=ast.Name(id=name), iter=ast.Attribute() | ast.Subscript() as held, ifs=wanted)]:
            if _read(held) & set(local) and not any(isinstance(one, ast.Call) for one in ast.walk(held)):
                return [function([], held), function([name], _all(wanted or [ast.Constant(True)]))]
    return []


def _all(conditions: list[ast.expr]) -> ast.expr:
    return ast.BoolOp(ast.And(), conditions) if len(conditions) > 1 else conditions[0]


def does_more(node: ast.AST) -> bool:
    """Whether it is something else than computing."""
    match node:
        case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in CHOICES
    return False


def _parts(element: ast.expr) -> list[str]:
    """The names that an element consists of; those of anything else are no names."""
    match element:
        case ast.Name(id=name):
            return [name]
        case ast.Tuple(elts=elements):
            return [name for one in elements for name in _parts(one)]
        case ast.Constant():
            return []
    return [""]


def _first_free(turns: list[ast.comprehension]) -> int:
    """The first turn whose condition may be asked later: what comes after it can be gone through in any case."""
    first = len(turns) - 1
    bound: set[str] = {one.id for turn in turns for one in ast.walk(turn.target) if isinstance(one, ast.Name)}
    while first > 0 and _is_settled(turns[first].iter, bound):
        first -= 1
    return first


def _is_settled(iterated: ast.expr, bound: set[str]) -> bool:
    """Whether going through it cannot fail, and depends on no other turn."""
    match iterated:
        case ast.Name(id=name):
            return name not in bound
        case ast.Call(func=ast.Name(id="range"), args=arguments, keywords=[]):
            return all(isinstance(one, ast.Name | ast.Constant) for one in arguments) and not _read(iterated) & bound
        case ast.Tuple() | ast.List():
            return not _read(iterated) and all(isinstance(one, ast.Constant | ast.Tuple) for one in iterated.elts)
    return False


def _operands(condition: ast.expr) -> Iterator[ast.expr]:
    if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.And):
        for one in condition.values:
            yield from _operands(one)
    else:
        yield condition


def _read(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def returned(function: ast.FunctionDef) -> Listed | None:
    """The list that a function makes and returns, or goes through by `yield`, if it does nothing else."""
    body = function.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    match body:
        case [ast.Return(value=ast.ListComp() | ast.SetComp() as listed)]:
            return listed
        case [
            ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])),
            ast.For() as loop,
            ast.Return(value=ast.Name(id=result)),
        ] if name == result:
            return _from_loop(loop, name)
    return None


def _from_loop(loop: ast.For, name: str) -> ast.ListComp | None:
    """Loops around one `name.append(...)` as a comprehension."""
    turns: list[ast.comprehension] = []
    node: ast.stmt = loop
    while True:
        match node:
            case ast.For(target=target, iter=iterated, body=[inner], orelse=[]):
                turns.append(ast.comprehension(target, iterated, [], 0))
            case ast.If(test=test, body=[inner], orelse=[]):
                turns[-1].ifs.append(test)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="append"), args=[element], keywords=[])
            ) if owner == name:
                return ast.ListComp(element, turns) if name not in _read(ast.ListComp(element, turns)) else None
            case _:
                return None
        node = inner


# -- while functions run ----------------------------------------------------------------------------------------------


# By the code that made them: what the candidates of the last run consist of, and the code, which keeps its identity so.
_LAST: dict[int, tuple[CodeType, list[Any]]] = {}
MOST_KEPT = 64  # lists: each may be large


class Split(NamedTuple):
    """A list that was not made: what it would be made of.

    `held` is what is gone through, if that may be a bag or set of the state: any of what it holds that is `wanted`.
    Otherwise there are `candidates` that are the same in all states, and a `condition` on each; of a set, the elements
    are offered in the order of values.
    """

    element: Callable[..., Any]
    held: Callable[[], Any] | None
    wanted: Any
    candidates: Callable[[], list[Any]] | None = None
    condition: Any = None
    of_set: bool = False


def chosen(choose: Any, *parts: Any) -> tuple[Any, ...]:
    """One of the elements of a list; nothing where the list itself has to be offered."""
    split = Split(*parts)
    asked = [one for one in (split.held, split.wanted, split.candidates, split.condition) if one is not None]
    if not _is_own(choose) or not only_reads(*asked) or is_caught(sys._getframe(1)):
        return ()
    if split.held is not None and _is_bag(held := split.held()):
        one = choose(held)
        if not split.wanted(one):
            raise Disabled
        return (split.element(one),)
    candidates = None if split.candidates is None else _distinct(split.candidates)
    if candidates is None:
        return ()
    if split.of_set:
        candidates.sort(key=lambda one: sort_key(split.element(*one)))
    one = candidates[choose(range(len(candidates)))]
    if not split.condition(*one):
        raise Disabled
    return (split.element(*one),)


def chosen_by(choose: Any, function: Any, *arguments: Any) -> Any:
    """One of the elements that another function gives."""
    found = function(*arguments)
    if type(found) is not Split:
        return choose(found)
    return (chosen(choose, *found) or (choose(_made(function, arguments)),))[0]


def _made(function: Any, arguments: tuple[Any, ...]) -> Any:
    """What a function gives to somebody else than `chosen_by`."""
    return function(*arguments)


def asked() -> bool:
    """Whether a function is to say what its list would be made of: `chosen_by` alone wants to know."""
    return sys._getframe(2).f_code is chosen_by.__code__


def _is_own(choose: Any) -> bool:
    """Whether it is the `choose` of models: another part of the package, which engines do not know."""
    known = type(choose) is FunctionType and choose.__module__ == "sweepcheck.models.actions.choice"
    return known and choose.__name__ == "choose"


def _is_bag(value: Any) -> bool:
    """Whether it is a bag or set of the state, in a run of the core."""
    return (type(value).__module__, type(value).__name__) == ("sweepcheck._core", "BagEditor")


def _distinct(candidates: Any) -> list[Any] | None:
    """The candidates, if each is there once and can be chosen. Most often they are those of the run before."""
    try:
        found = list(candidates())
        parts = list(chain.from_iterable(found))
        _, before = _LAST.get(id(candidates.__code__), (None, []))
        if len(parts) == len(before) and all(map(is_, parts, before)):
            return found
        if len(set(found)) != len(found) or any(map(unfit, found)):
            return None
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - the list itself will raise it, or not come so far
        return None
    if len(_LAST) >= MOST_KEPT:
        _LAST.clear()
    _LAST[id(candidates.__code__)] = candidates.__code__, parts
    return found


RUNTIME = {CHOSEN: chosen, CHOSEN_BY: chosen_by, ASKED: asked, SPLIT: Split}
