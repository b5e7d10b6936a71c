"""What only the long run decides: which loops a run may end in, by what is true of their states and steps.

A letter is what is true at a position of a run, as the bits of a number: one for each proposition, as automata read it,
and then one for each that matters one position earlier too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sweepcheck.core.temporal import Proposition


class Letters(NamedTuple):
    """All letters with every bit of `needs` and none of `forbids`."""

    needs: int
    forbids: int

    def have(self, letter: int) -> bool:
        """Whether a letter is one of them."""
        return letter & self.needs == self.needs and not letter & self.forbids


Condition = tuple[Letters, ...]  # a letter is among one of them


def satisfied(condition: Condition, letter: int) -> bool:
    """Whether a condition is true of a letter."""
    return any(one.have(letter) for one in condition)


class Loop(NamedTuple):
    """A kind of loop: all its positions satisfy all of `within`, and for each of `meets` one of them satisfies that."""

    within: tuple[Condition, ...]
    meets: tuple[Condition, ...]

    def admits(self, letter: int) -> bool:
        """Whether a position of which this is true can be part of such a loop."""
        return all(satisfied(one, letter) for one in self.within)


@dataclass(frozen=True, slots=True)
class Recurrence:
    """The loops that violate a property, whatever came before them.

    `earlier` are numbers of propositions: what was true one position earlier has bits of its own.
    """

    propositions: tuple[Proposition, ...]
    loops: tuple[Loop, ...]
    earlier: tuple[int, ...] = ()

    @property
    def about_steps(self) -> bool:
        """Whether it matters how a state was entered: by which action, or from which state."""
        return bool(self.earlier) or any(one.function is None for one in self.propositions)

    def entering(self, before: int) -> int:
        """The bits that a letter has because of the one before it."""
        first = len(self.propositions)
        return sum(1 << first + bit for bit, number in enumerate(self.earlier) if before >> number & 1)
