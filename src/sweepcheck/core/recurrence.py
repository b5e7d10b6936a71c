"""What only the long run decides: which loops a run may end in, by what is true of their states.

A letter is what is true of a state, as the bits of a number: one for each proposition, as automata read it.
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
    """A kind of loop: all its states satisfy all of `within`, and for each of `meets` one of them satisfies that."""

    within: tuple[Condition, ...]
    meets: tuple[Condition, ...]

    def admits(self, letter: int) -> bool:
        """Whether a state of which this is true can be part of such a loop."""
        return all(satisfied(one, letter) for one in self.within)


@dataclass(frozen=True, slots=True)
class Recurrence:
    """The loops that violate a property, whatever came before them."""

    propositions: tuple[Proposition, ...]
    loops: tuple[Loop, ...]
