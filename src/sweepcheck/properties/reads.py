"""What a property looked at in a state: the variables that explain its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Self

from sweepcheck.core.model import State, System
from sweepcheck.core.property import Property
from sweepcheck.core.tabulated import Variable, is_tabulated
from sweepcheck.core.values import Array


def looked_at(system: System, asked: Property, state: State) -> frozenset[str]:
    """The names, as `System.describe` has them, of what a property's predicate reads in a state.

    Empty where nobody can tell: of a property without a predicate, of a model whose states are objects of its own.
    """
    if asked.predicate is None or not is_tabulated(system) or not isinstance(state, tuple):
        return frozenset()
    watched = _Watched(system.tabulate().variables, state)
    with suppress(Exception):  # what was read until then was read
        system.reading(asked.predicate)(watched)
    read: set[str] = object.__getattribute__(watched, "read")
    return frozenset(name for name in system.describe(state) if any(_is_part(one, name) for one in read))


def _is_part(read: str, name: str) -> bool:
    return read == name or read.startswith(f"{name}[")


class _Watched:
    """A state as an engine shows it to predicates, which notes what they read."""

    def __init__(self, variables: tuple[Variable, ...], state: tuple[Any, ...]) -> None:
        self.read: set[str] = set()
        self._variables = {variable.name: (variable, value) for variable, value in zip(variables, state, strict=True)}

    def __getattribute__(self, name: str) -> Any:
        variables = object.__getattribute__(self, "_variables")
        if name not in variables:
            raise AttributeError(name)
        variable, value = variables[name]
        read: set[str] = object.__getattribute__(self, "read")
        if isinstance(value, Array):
            return _WatchedArray(value, lambda position: read.add(variable.names[position]))
        read.add(variable.names[0])
        return value


class _WatchedArray(Array):
    """An array that notes which of its elements are read."""

    _note: Callable[[int], None]

    def __new__(cls, values: Array, note: Callable[[int], None]) -> Self:
        made = super().__new__(cls, values)
        made._note = note
        return made

    def __getitem__(self, position: Any) -> Any:
        found = super().__getitem__(position)
        for one in range(*position.indices(len(self))) if isinstance(position, slice) else [position]:
            self._note(one)
        return found

    def __iter__(self) -> Iterator[Any]:
        return (self[position] for position in range(len(self)))


def _of_all(name: str) -> Callable[..., Any]:
    """A method of tuples that reads every element."""
    method = getattr(tuple, name)

    def call(array: _WatchedArray, *arguments: Any) -> Any:
        return method(tuple(array), *arguments)

    return call


_COMPARING = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
for _name in (*_COMPARING, "__contains__", "__hash__", "__add__", "__mul__", "__rmul__", "__repr__", "count", "index"):
    setattr(_WatchedArray, _name, _of_all(_name))
