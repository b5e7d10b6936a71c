"""When a sweep deletes, and what: the layers that are done."""

from __future__ import annotations

from typing import Any

from sweepcheck.core.model import State
from sweepcheck.core.plan import CollectionPolicy
from sweepcheck.engines.reference.exploration import Exploration
from sweepcheck.strategies.collection import next_interval

Nodes = dict[Any, dict[State, int]]  # NODES of the papers, one table per progress value: states and their numbers


class Collector:
    """Deletes layers, at the moments that the collection policy asks for.

    The papers delete every processed state that is not at or above an unprocessed one. These are the layers that are
    done: each was a minimal one when it was processed, and what is found later lies at or above what was
    unprocessed then. So nothing has to be compared.
    """

    def __init__(self, exploration: Exploration, gc: CollectionPolicy) -> None:
        self.done: list[Any] = []  # progress values of layers that are done and still stored
        self._exploration = exploration
        self._policy = gc.policy
        self._interval = gc.interval
        self._found = 0  # states found before the last collection; the initial ones are as new as any

    def is_due(self) -> bool:
        """Whether it is time to collect."""
        if self._policy == "layer":
            return bool(self.done)
        return self._exploration.finds - self._found >= self._interval

    def collect(self, nodes: Nodes) -> None:
        """Delete the layers that are done."""
        reclaimed, before = 0, self._exploration.stored
        for value in self.done:
            states = nodes.pop(value, {})
            self._exploration.forgotten(states)
            reclaimed += len(states)
        self.done.clear()
        self._found = self._exploration.finds
        self._exploration.collected(before)
        if self._policy == "auto":
            stored, scarce = self._exploration.stored, self._exploration.memory_is_scarce()
            self._interval = next_interval(self._interval, stored, reclaimed, scarce)
