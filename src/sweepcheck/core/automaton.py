"""Automata that read runs: generalised Buechi automata with marks on their edges.

A letter is what is true at a position, as the bits of a number: one for each proposition. A run of the automaton is
accepting if it meets every mark again and again; with no marks at all, every run that goes on for ever is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sweepcheck.core.temporal import Proposition


class AutomatonEdge(NamedTuple):
    """A step that reads a letter with all bits of `needs` and none of `forbids`. `marks` are bits, too."""

    needs: int
    forbids: int
    target: int
    marks: int = 0

    def reads(self, letter: int) -> bool:
        """Whether a letter can be read."""
        return letter & self.needs == self.needs and not letter & self.forbids


@dataclass(frozen=True)
class Automaton:
    """The states are numbers; `edges` has those of each."""

    propositions: tuple[Proposition, ...]
    initial: tuple[int, ...]
    edges: tuple[tuple[AutomatonEdge, ...], ...]
    marks: int  # how many

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.edges)

    @property
    def all_marks(self) -> int:
        """The bits of all marks."""
        return (1 << self.marks) - 1


@dataclass(frozen=True)
class Reader:
    """An automaton as a model carries it along: marks are on states, which are called stages.

    Stage 0 is before the first letter. `otherwise` is the stage for letters that none of a stage's edges reads: there
    the automaton has lost interest, and the model goes on. Where it is None, such a step is not followed, since
    another stage of the same run goes on with it.
    """

    propositions: tuple[Proposition, ...]
    edges: tuple[tuple[AutomatonEdge, ...], ...]
    marked: tuple[int, ...]  # the marks of each stage
    all_marks: int
    otherwise: int | None

    def next(self, stage: int, letter: int) -> tuple[int, ...]:
        """The stages that a letter leads to."""
        found = tuple(dict.fromkeys(edge.target for edge in self.edges[stage] if edge.reads(letter)))
        return found if found or self.otherwise is None else (self.otherwise,)

    def accepts_for_ever(self, stage: int, letter: int) -> bool:
        """Whether a run goes on from a stage that reads the same letter for ever and is accepted."""
        if letter not in self._accepting:
            self._accepting[letter] = self._stages_accepting(letter)
        return stage in self._accepting[letter]

    @cached_property
    def _accepting(self) -> dict[int, frozenset[int]]:
        return {}

    def _stages_accepting(self, letter: int) -> frozenset[int]:
        """The stages from which a loop with all marks can be reached, reading this letter alone."""
        targets = [self.next(stage, letter) for stage in range(len(self.edges))]

        def reached(start: int) -> set[int]:
            found: set[int] = set()
            waiting = list(targets[start])
            while waiting:
                stage = waiting.pop()
                if stage not in found:
                    found.add(stage)
                    waiting += targets[stage]
            return found

        reach = [reached(stage) for stage in range(len(self.edges))]
        good = set()
        for stage, there in enumerate(reach):
            together = [other for other in there if stage in reach[other]] if stage in there else []
            marks = 0
            for other in together:
                marks |= self.marked[other]
            if together and marks == self.all_marks:
                good.add(stage)
        return frozenset(stage for stage, there in enumerate(reach) if stage in good or there & good)
