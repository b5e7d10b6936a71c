"""Tabulated: a model whose parts are known one by one, so that an engine can put what they do into tables.

A model that gives its successors as one function has no such parts: it is a `System` and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, TypeGuard, overload

from sweepcheck.core.model import Label, System
from sweepcheck.errors import SweepcheckError


class VariableKind(Enum):
    """What a variable holds: one value, or several as a bag, set, queue or array.

    SINGLE is the one token of a bag that never has another number of them, TIMED a bag of tokens that wait, CLOCK the
    time at which they wait.
    """

    SCALAR = "scalar"
    SINGLE = "single"
    BAG = "bag"
    TIMED = "timed"
    SET = "set"
    QUEUE = "queue"
    ARRAY = "array"
    CLOCK = "clock"

    @property
    def is_bag(self) -> bool:
        """Whether tokens are added to it and taken from it."""
        return self in (VariableKind.BAG, VariableKind.TIMED, VariableKind.SET)

    @property
    def is_overwritten(self) -> bool:
        """Whether what is written to it leaves nothing of what it was before."""
        return self in (VariableKind.SCALAR, VariableKind.SINGLE, VariableKind.CLOCK)


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable. `length` is an array's; a queue or bag never holds more than its `capacity`.

    `values` are all that a scalar can have, in a fixed order, where they are known in advance. `stamped` makes a token
    of a timed bag from what it is and how long it waits. `spoken` is what people call it, or each of an array's
    elements, where that is another name.
    """

    name: str
    kind: VariableKind = VariableKind.SCALAR
    length: int = 0
    capacity: int | None = None
    values: Sequence[Hashable] = ()
    stamped: Callable[[Hashable, int], Hashable] | None = None
    spoken: Sequence[str] = ()

    @property
    def names(self) -> Sequence[str]:
        """What people call it, or each of an array's elements."""
        if self.spoken:
            return self.spoken
        return [f"{self.name}[{i}]" for i in range(self.length)] if self.kind is VariableKind.ARRAY else [self.name]


class NamedVariables(Sequence[Variable]):
    """Variables with a name and a kind and nothing else, made when somebody asks: nets have thousands."""

    __slots__ = ("kinds", "names")

    def __init__(self, names: Sequence[str], kinds: Sequence[VariableKind]) -> None:
        self.names, self.kinds = names, kinds

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, at: int) -> Variable: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Variable]: ...
    def __getitem__(self, at: int | slice) -> Variable | Sequence[Variable]:
        if isinstance(at, slice):
            return NamedVariables(self.names[at], self.kinds[at])
        return Variable(self.names[at], self.kinds[at])


@dataclass(frozen=True, slots=True)
class ActionFunction:
    """An action that is run to see what it does. `blame` gives the error to show for an exception inside it."""

    function: Callable[..., object]
    arguments: Mapping[str, Hashable]
    blame: Callable[[BaseException, Sequence[str]], SweepcheckError]


@dataclass(frozen=True, slots=True)
class Synchronisation:
    """An action that several variables take part in, each with a table of moves of its own.

    A participant is the position of a scalar whose values are known; a move is the positions of two of these.
    """

    participants: Sequence[tuple[int, Sequence[tuple[int, int]]]]


@dataclass(frozen=True, slots=True)
class Tape:
    """Variables that say what stands where a tape is read; the variable `position` counts from 0.

    Variables are positions among all variables. A column has, for each position of the tape, which of the variable's
    `values` stands there. Actions move the position and leave the columns alone: who makes a successor fills them in.
    """

    position: int
    columns: Sequence[tuple[int, Sequence[int]]]


@dataclass(frozen=True, slots=True)
class Tables:
    """All that an engine has to know about a model. The actions are in the order of `Tabulated.actions`."""

    variables: Sequence[Variable]
    actions: Sequence[ActionFunction | Synchronisation]
    tapes: Sequence[Tape] = ()

    def names(self) -> Sequence[str]:
        """What the variables are called."""
        known = self.variables
        return known.names if isinstance(known, NamedVariables) else [one.name for one in known]


class ActionLike(Protocol):
    """An action, by the names that people know it by."""

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> Label: ...
    @property
    def function(self) -> Callable[..., object] | None:
        """The function that is run; None where tables alone say what the action does."""


class Tabulated(System, Protocol):
    """A model that can be put into tables. Its states are tuples of the variables' values."""

    @property
    def actions(self) -> Sequence[ActionLike]: ...

    def tabulate(self) -> Tables:
        """The variables and what each action does."""

    def reading(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """A predicate or measure as a function of an engine's own view, which has the variables as they are."""


def is_tabulated(system: object) -> TypeGuard[Tabulated]:
    """Whether a model can be put into tables. Not by `isinstance`: since Python 3.12 that does not see what a wrapper
    has of the model it wraps.
    """
    return hasattr(system, "tabulate")


class TableMeasure:
    """A measure that depends on one scalar alone. It is called like any other; an engine may use the table instead.

    The values are numbers from 0 on. `above` says for each, as the bits of a number, which ones it is at most; None is
    the natural order.
    """

    __slots__ = ()

    def __call__(self, s: Any) -> int:
        """The value in a state."""
        return self.table[getattr(s, self.variable)]

    @property
    def variable(self) -> str:
        """The scalar."""
        raise NotImplementedError

    @property
    def table(self) -> Mapping[Hashable, int]:
        """The measure for each value of the scalar."""
        raise NotImplementedError

    @property
    def above(self) -> Sequence[int] | None:
        """The order."""
        raise NotImplementedError
