"""Functions that are made in a loop, and all have the variable of the loop: its last value, when they are called.

    for i in range(3):
        m.invariant(f"{i} is open", lambda s: s.open[i])

Python looks `i` up when a function runs, so that all three ask for the last door. What a function had around it when it
was declared is noted; two declared functions with the same code and the same variables, of which one has changed in
between, are refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from sweepcheck.core.instructions import global_names
from sweepcheck.errors import ModelError, place, shown

_PLAIN = (bool, bytes, float, int, str, type(None), Enum)
# By function and name: the variable (its identity) and its value; of what is no plain value its identity alone, since
# a model that its own function keeps here would never be forgotten.
_noted: WeakKeyDictionary[FunctionType, dict[str, tuple[int, Any]]] = WeakKeyDictionary()


def note(function: object) -> None:
    """Note what a function has around it, now that it is declared."""
    if type(function) is FunctionType and function not in _noted:
        _noted[function] = {name: (variable, _kept(value)) for name, variable, value in _captured(function)}


def _captured(function: FunctionType) -> Iterable[tuple[str, int, Any]]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, id(cell), cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    around = function.__globals__
    for name in global_names(function.__code__):
        if name in around:
            yield name, id(around), around[name]


def _kept(value: Any) -> Any:
    plain = all(isinstance(one, _PLAIN) for one in (value if type(value) is tuple else (value,)))
    return value if plain else (id, id(value))


def refuse_rebound(declared: Iterable[tuple[str, object]]) -> None:
    """Refuse functions that were to differ in a variable, and do not; each is given with what it is called."""
    first: dict[Any, tuple[str, FunctionType]] = {}
    for what, function in declared:
        if type(function) is not FunctionType or function not in _noted:
            continue
        before, other = first.setdefault(function.__code__, (what, function))
        if other is function:
            continue
        for name, (variable, value) in _noted[function].items():
            known, earlier = _noted[other].get(name, (None, None))
            if known != variable or (type(earlier) is type(value) and earlier == value):
                continue
            raise ModelError(
                "SC152",
                f"{before} and {what} are the same: both have the last value of {name!r}",
                where=place(function),
                values=[(one, _shown(was)) for one, was in (("then", earlier), ("later", value))],
                suggestion=f"let each have its own, as a default: {_with_default(function, name)}",
            )


def _with_default(function: FunctionType, name: str) -> str:
    """How a function is written that has a variable of its own."""
    code = function.__code__
    parameters = f"{', '.join(code.co_varnames[: code.co_argcount])}, {name}={name}"
    if function.__name__ == "<lambda>":
        return f"lambda {parameters}: ..."
    return f"def {code.co_name}({parameters}): ..."


def _shown(value: Any) -> str:
    return "another object" if type(value) is tuple and value and value[0] is id else shown(value)
