"""Folds of every kind against plain loops: over states, edges and dead states, with accumulators that change in place.

    check_folds(lambda: model, known, engine="native", workers=2)

A fold may give whatever can be read in a state, alone or inside other values, and may change what it is given. The loop
here hands out copies, and calls `comb` once for each state or edge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from sweepcheck.core.plan import EdgeView
from sweepcheck.models.adoption import adopt
from sweepcheck.queries import Sweep, explore_dead, explore_edges, explore_states
from sweepcheck.testing.conformance import Nonconformity
from sweepcheck.testing.truth import Truth

Comb = Callable[[Any, Any], Any]


def _appended(known: list[Any], one: Any) -> list[Any]:
    known.append(one)
    return known


def _appended_and_copied(known: list[Any], one: Any) -> list[Any]:
    known.append(one)
    return list(known)


def _spoilt(known: list[Any], one: Any) -> list[Any]:
    known.append(repr(one))
    if isinstance(one, list):
        one.append("changed")
    return known


def _nested(known: dict[str, list[Any]], one: Any) -> dict[str, list[Any]]:
    known.setdefault(repr(one), []).append(one)
    return known


def _counted(known: Counter[str], one: Any) -> Counter[str]:
    known[repr(one)] += 1
    return known


def _added(known: set[str], one: Any) -> set[str]:
    known.add(repr(one))
    return known


def _told(known: str, one: Any) -> str:
    return max(known, repr(one))


# What a fold begins with, and its comb.
COMBS: dict[str, tuple[Any, Comb]] = {
    "append": ([], _appended),
    "append and copy": ([], _appended_and_copied),
    "change the value": ([], _spoilt),
    "change a part": ({}, _nested),
    "count": (Counter(), _counted),
    "add": (set(), _added),
    "a new list": ([], lambda known, one: [*known, one]),
    "a new set": (set(), lambda known, one: known | {repr(one)}),
    "a new tuple": ((), lambda known, one: (*known, repr(one))),
    "the largest": ("", _told),
}


def evals(variables: tuple[str, ...]) -> dict[str, Callable[[Any], Any]]:
    """What a fold may give of a state with these variables."""
    some = variables[:2]
    return {
        "the state": lambda s: s,
        "a tuple with the state": lambda s: (1, s),
        "a tuple": lambda s: tuple(getattr(s, name) for name in variables),
        "a list": lambda s: [getattr(s, name) for name in some],
        "a dict of lists": lambda s: {name: [getattr(s, name)] for name in some},
        "a variable": lambda s: getattr(s, variables[0]),
        "a constant": lambda s: ["of", "all"],  # noqa: ARG005 - of every state
    }


def check_folds(model: Callable[[], Any], known: Truth, **options: Any) -> None:
    """Raise `Nonconformity` unless every fold has the value that a plain loop has. `options` are those of `Sweep`."""
    system = known.system
    given = evals(tuple(system.variables))
    states = [system.view(state) for state in known.distance]
    dead = [system.view(state) for state in known.dead]
    views = {state: system.view(state) for state in known.distance}
    edges = [
        EdgeView(views[state], lambda label=edge.label: label, views[edge.target])  # type: ignore[misc]
        for state, of in known.edges.items()
        for edge in of
    ]
    of_edges: dict[str, Callable[[Any], Any]] = {
        "the edge": lambda edge: edge,
        "its parts": lambda edge: [edge.label, (edge.source, edge.target)],
    }
    for fold, seen, functions in (
        (explore_states, states, given),
        (explore_dead, dead, given),
        (explore_edges, edges, of_edges),
    ):
        for what, function in functions.items():
            _check(fold, what, function, seen, Sweep(adopt(model()), **options))


def _check(fold: Any, what: str, function: Callable[[Any], Any], seen: list[Any], sweep: Sweep) -> None:
    for how, (init, comb) in COMBS.items():
        begun = deepcopy(init)
        true = deepcopy(init)
        for one in seen:
            true = comb(true, deepcopy(function(one)))
        value = fold(sweep, init=begun, eval=function, comb=comb).value
        if _words(value) != _words(true):
            raise Nonconformity(f"{fold.__name__} of {what}, {how}: {value!r}, where a loop says {true!r}")
        if begun != init:
            raise Nonconformity(f"{fold.__name__} of {what}, {how}: init was changed to {begun!r}")


def _words(value: Any) -> list[str]:
    """A result as it is compared: the order of combination means nothing."""
    return sorted(_parts(value)) if isinstance(value, list | tuple | set | dict) else [repr(value)]


def _parts(value: Any) -> Iterator[str]:
    return map(repr, value.items() if isinstance(value, dict) else value)
