"""What names mean: values, constructors and types, in scopes within scopes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sweepcheck.errors import ModelError
from sweepcheck.models.cpn.ml.types import Applied, Data, Scheme, Type


@dataclass(slots=True, eq=False)
class Binding:
    """What a name of the value language means.

    `python` is its name in the Python text. A function takes its arguments flat: `shape` has a number for each curried
    argument, 1 or the size of a tuple. `clocked` ones need the time as their first argument.
    """

    name: str
    scheme: Scheme
    python: str = ""
    kind: str = "value"  # value, function, constructor, exception, variable
    shape: tuple[int, ...] = ()
    has_argument: bool = False  # of a constructor
    value: Any = None  # of a function of the library, or of a constructor that is a value of its own
    clocked: bool = False
    recursive: bool = False
    draws: frozenset[str] = frozenset()  # the random functions that a call may draw from
    is_global: bool = True
    refused: ModelError | None = None  # why it cannot be used
    colour: Any = None  # of a variable of the net, or the colour set whose function this is


@dataclass(slots=True, eq=False)
class TypeBinding:
    """What the name of a type means, given its arguments."""

    arity: int
    make: Callable[..., Type]
    refused: ModelError | None = None


@dataclass(slots=True)
class Scope:
    """Names, and the scope around them."""

    outer: Scope | None = None
    values: dict[str, Binding] = field(default_factory=dict)
    types: dict[str, TypeBinding] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)

    def value(self, name: str) -> Binding | None:
        """The meaning of a name, the innermost one."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.values:
                return scope.values[name]
            scope = scope.outer
        return None

    def type(self, name: str) -> TypeBinding | None:
        """The meaning of the name of a type."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.types:
                return scope.types[name]
            scope = scope.outer
        return None

    def structures(self) -> list[str]:
        """The structures that are open here, the last one first."""
        scope: Scope | None = self
        found: list[str] = []
        while scope is not None:
            found += reversed(scope.opened)
            scope = scope.outer
        return found


def mono(given: Type) -> Scheme:
    """A type that is not generic."""
    return Scheme((), given)


def plain_type(data: Data) -> TypeBinding:
    """A type without arguments."""
    return TypeBinding(0, lambda: Applied(data))
