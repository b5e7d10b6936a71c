"""Folds over edges: the core shows every edge, with both its states, and the fold's functions are called for it."""

from __future__ import annotations

from collections.abc import Sequence

from sweepcheck.core.model import Edge, State
from sweepcheck.core.plan import Counted, Tally
from sweepcheck.core.tabulated import Tabulated
from sweepcheck.engines.native.labels import EdgeLabels
from sweepcheck.engines.tallies import Counting


class EdgeFolds:
    """Those tallies of a run that are about edges; there may be none."""

    def __init__(self, tallies: Sequence[Tally], system: Tabulated) -> None:
        self._counting = [Counting(tally, system) if tally.edges else None for tally in tallies]
        self._labels = EdgeLabels(system) if self.any else None

    @property
    def any(self) -> bool:
        """Whether edges have to be seen."""
        return any(self._counting)

    def see(self, source: State, action: int, target: State) -> bool:
        """Count an edge; whether its target is kept."""
        assert self._labels is not None
        edge, kept = Edge(self._labels.next(source, action, target), target), False
        for counting in self._counting:
            kept |= counting is not None and counting.see_edge(source, edge)
        return kept

    def merged(self, states: Sequence[Counted]) -> tuple[Counted, ...]:
        """The answers to all tallies; `states` are those to the ones about states."""
        others = iter(states)
        return tuple(next(others) if one is None else one.counted() for one in self._counting)
