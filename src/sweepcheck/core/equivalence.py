"""Equivalences of states and cut-offs (paper 3): what makes two states one class, as data.

A class is a value: two states are equivalent when their class keys are equal. That equivalent states can do the same,
action by action, and answer every question alike is a claim of whoever declares it; engines compare what they meet.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sweepcheck.core.model import State


class Naming(Protocol):
    """What the values of a variable, or the elements and tokens that it holds, say of members of symmetric sets."""

    def named(self, value: Any) -> Sequence[tuple[int, int]]:
        """The members that a value names, each once: the numbers of their sets and their positions there."""

    def renamed(self, value: Any, to: Sequence[int]) -> Hashable:
        """The value when these are at other positions."""

    def masked(self, value: Any, marks: Sequence[int]) -> int:
        """A number for the value in which these are known by marks: the same for all that differ in names alone."""


Cell = tuple[str, int]  # a variable, and the position of an element where it is an array


@dataclass(frozen=True, slots=True)
class SymmetricPart:
    """Variables or elements that members of symmetric sets have to do with in one way.

    There is a cell for each tuple of members of `sets`, by number, those of the last set side by side; one where there
    are none. `naming` says how their values, elements or tokens name members. `home` is one of a larger array perhaps,
    of which all parts have values of one kind.
    """

    cells: tuple[Cell, ...]
    sets: tuple[int, ...]
    naming: Naming | None
    home: Cell


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Which members of which sets may change their names, and where they are in a state, as plain data.

    `sets` are their sizes, and whether members are moved on by rotation alone. Where time is `relative`, states are
    taken as if the clock were at 0, and tokens as if none were ready before.
    """

    sets: tuple[tuple[int, bool], ...] = ()
    parts: tuple[SymmetricPart, ...] = ()
    relative: bool = False

    @property
    def names(self) -> bool:
        """Whether values name members."""
        return any(part.naming is not None for part in self.parts)


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Which states are one class.

    `parts` are functions of a state's view: the key of a class is the tuple of their values. `canonical` gives the
    state that stands for a class, which then is the key; with both, the parts are those of this state. `form` says
    how it is computed ("key", "sorted", "refined and tried"), `origin` what declared it, both for reports. Where it
    `renames`, equivalent states may differ in which member of a family of actions they can do. `symmetry` says what
    `canonical` does, where that can be said as data: an engine may let another state stand for each class then.
    `hint` is what may have been meant instead, for errors.
    """

    parts: tuple[Callable[[Any], Hashable], ...] = ()
    canonical: Callable[[State], State] | None = None
    form: str = "key"
    origin: str = "the declared key"
    renames: bool = False
    symmetry: Symmetry | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class CutOff:
    """An equivalence that need not keep progress: it ends runs instead of reducing them (paper 3, figure 3).

    The classes of states that satisfy `when` are remembered for ever; `when` has no influence on what is found,
    only on whether a run ends. None is every state.
    """

    equivalence: Equivalence
    when: Callable[[Any], object] | None = None
