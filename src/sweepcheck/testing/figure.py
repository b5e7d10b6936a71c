"""Figure 5 of paper 2 to the letter, sets and all: what a sweep by any measure explores, stores and keeps.

Shares nothing with the engines. Without monotone components it is figure 2, with a monotone measure the plain sweep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sweepcheck.core.measure import Measure
from sweepcheck.core.model import State
from sweepcheck.core.values import sort_key
from sweepcheck.testing.truth import Truth


@dataclass
class Figure:
    """The sets of the figure, and what is counted on the way."""

    known: Truth
    measure: Measure
    by_column: bool
    nodes: set[State] = field(default_factory=set)
    persistent: set[State] = field(default_factory=set)
    global_unprocessed: set[State] = field(default_factory=set)
    explored: int = 0
    peak: int = 0
    sweeps: int = 0
    persisted: int = 0

    def __post_init__(self) -> None:
        values = self.known.progress(self.measure)
        single = not self.measure.parts
        self.value: dict[State, tuple[Any, ...]] = {s: (v,) if single else v for s, v in values.items()}
        self.parts = self.measure.parts or (self.measure,)
        claimed = [self.by_column and part.monotone for part in self.parts]
        self.m = [i for i, monotone in enumerate(claimed) if monotone]
        self.others = [i for i, monotone in enumerate(claimed) if not monotone]
        self._sweep()

    def _leq(self, indices: Sequence[int], a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
        return all(self.parts[i].order.leq(x, y) for i, x, y in zip(indices, a, b, strict=True))

    def _by_value(self, indices: Sequence[int], states: set[State]) -> dict[tuple[Any, ...], set[State]]:
        groups: dict[tuple[Any, ...], set[State]] = {}
        for s in states:
            groups.setdefault(tuple(self.value[s][i] for i in indices), set()).add(s)
        return groups

    def _minimal(self, indices: Sequence[int], states: set[State]) -> set[State]:
        """All states of one minimal value: of several such values the one that sorts first."""
        groups = self._by_value(indices, states)
        minimal = [v for v in groups if not any(self._leq(indices, u, v) for u in groups if u != v)]
        return groups[min(minimal, key=sort_key)]

    def _at_or_above(self, unprocessed: set[State]) -> set[State]:
        """The stored states that lie at or above an unprocessed one, by the components that are not monotone."""
        ahead = self._by_value(self.others, unprocessed)
        groups = self._by_value(self.others, self.nodes).items()
        return {s for v, group in groups if any(self._leq(self.others, u, v) for u in ahead) for s in group}

    def _sweep(self) -> None:
        """Procedure Sweep."""
        self.nodes = set(self.known.system.initial_states())
        self.peak = len(self.nodes)
        self.global_unprocessed = set(self.nodes)
        while self.global_unprocessed:
            roots = self._minimal(self.m, self.global_unprocessed)
            self.global_unprocessed = self.global_unprocessed - roots
            self._column_sweep(roots)
            self.nodes = self.nodes - self.persistent
            self.persistent = set()

    def _column_sweep(self, roots: set[State]) -> None:
        """Procedure ColumnSweep."""
        while roots:
            self.sweeps += 1
            unprocessed, roots = set(roots), set()
            while unprocessed:
                s = next(iter(self._minimal(self.others, unprocessed)))
                unprocessed = unprocessed - {s}
                self.explored += 1
                for target in {edge.target for edge in self.known.edges[s]} - self.nodes:
                    self.nodes = self.nodes | {target}
                    if any(self.value[s][i] != self.value[target][i] for i in self.m):
                        self.global_unprocessed = self.global_unprocessed | {target}
                    elif not self._leq(
                        self.others, *(tuple(self.value[x][i] for i in self.others) for x in (s, target))
                    ):
                        self.persistent = self.persistent | {target}
                        self.persisted += 1
                        roots = roots | {target}
                    else:
                        unprocessed = unprocessed | {target}
                self.peak = max(self.peak, len(self.nodes))
                self.nodes = self._at_or_above(unprocessed) | self.persistent | self.global_unprocessed
