"""What a property looked at in a state: the variables that explain its answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sweepcheck.core.model import State, System
from sweepcheck.core.property import Property
from sweepcheck.core.tabulated import Variable, is_tabulated
from sweepcheck.core.values import Array
from sweepcheck.core.watching import WatchedArray


def looked_at(system: System, asked: Property, state: State) -> frozenset[str]:
    """The names, as `System.describe` has them, of what a property's predicate reads in a state.

    Empty where nobody can tell: of a property without a predicate, of a model whose states are objects of its own.
    """
    read = read_in(system, asked, state)
    return frozenset(name for name in system.describe(state) if any(_is_part(one, name) for one in read))


def read_in(system: System, asked: Property, state: State) -> frozenset[str]:
    """The same down to the elements of arrays."""
    if asked.predicate is None or not is_tabulated(system) or not isinstance(state, tuple):
        return frozenset()
    watched = _Watched(system.tabulate().variables, state)
    with suppress(Exception):  # what was read until then was read
        system.reading(asked.predicate)(watched)
    read: set[str] = object.__getattribute__(watched, "read")
    return frozenset(read)


def _is_part(read: str, name: str) -> bool:
    return read == name or read.startswith(f"{name}[")


class _Watched:
    """A state as an engine shows it to predicates, which notes what they read."""

    def __init__(self, variables: Sequence[Variable], state: tuple[Any, ...]) -> None:
        self.read: set[str] = set()
        self._variables = {variable.name: (variable, value) for variable, value in zip(variables, state, strict=True)}

    def __getattribute__(self, name: str) -> Any:
        variables = object.__getattribute__(self, "_variables")
        if name not in variables:
            raise AttributeError(name)
        variable, value = variables[name]
        read: set[str] = object.__getattribute__(self, "read")
        if isinstance(value, Array):
            return WatchedArray(value, lambda position: read.add(variable.names[position]))
        read.add(variable.names[0])
        return value
