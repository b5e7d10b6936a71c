"""Folds over edges: the core shows every edge, with both its states, and the fold's functions are called for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sweepcheck.core.model import State
from sweepcheck.core.plan import Counted, Tally
from sweepcheck.core.tabulated import Tabulated
from sweepcheck.engines.native.labels import EdgeLabels
from sweepcheck.engines.tallies import Counting


class EdgeFolds:
    """Those tallies of a run that are about edges; there may be none."""

    def __init__(self, tallies: Sequence[Tally], system: Tabulated) -> None:
        self._counting = [Counting(tally, system) if tally.edges else None for tally in tallies]
        self._labels = EdgeLabels(system) if self.any else None
        self._source: State = None
        self._before: list[tuple[int, State]] = []  # the edges of this state that were seen

    @property
    def any(self) -> bool:
        """Whether edges have to be seen."""
        return any(self._counting)

    def see(self, source: State, action: int, target: State) -> bool:
        """Count an edge; whether its target is kept. Its label is looked for when a function asks for it."""
        if source is not self._source:
            self._source = source
            self._before = []
        before = self._before.count((action, target))
        self._before.append((action, target))
        assert self._labels is not None
        label = partial(self._labels.nth, source, action, target, before)
        kept = False
        for counting in self._counting:
            kept |= counting is not None and counting.see_edge(source, label, target)
        return kept

    def merged(self, states: Sequence[Counted]) -> tuple[Counted, ...]:
        """The answers to all tallies; `states` are those to the ones about states."""
        others = iter(states)
        return tuple(next(others) if one is None else one.counted() for one in self._counting)
