"""Algorithm C: the generalised sweep, for any measure (paper 2, figure 2).

Several sweeps. The destination of a regress edge, if it is not stored, is kept for ever (it is persistent) and is a
root of the next sweep. There is a next sweep as long as new persistent states turn up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sweepcheck.core.measure import Measure, Order
from sweepcheck.core.model import Edge, State
from sweepcheck.core.plan import CollectionPolicy
from sweepcheck.engines.progress import guarded, progress_of
from sweepcheck.engines.reference.collector import Collector, Nodes
from sweepcheck.engines.reference.exploration import Exploration
from sweepcheck.engines.reference.layers import Unprocessed


def generalised_sweep(exploration: Exploration, measure: Measure, gc: CollectionPolicy) -> None:
    """Process every reachable state at least once, least progress first, sweep after sweep."""
    roots: Nodes = {}
    for position, initial in enumerate(exploration.system.initial_states()):
        value = progress_of(exploration.system, measure, initial)
        roots.setdefault(value, {})[initial] = exploration.found(initial, edge=position)
    Sweeps(exploration, measure, guarded(measure), gc).run(roots)


def here(s: State, value: Any, edge: Edge, next_value: Any) -> None:
    """No successor lies elsewhere."""


class Sweeps:
    """The sets of figure 2 and the loops over them.

    `elsewhere` is the exception that figure 5 makes for successors in another column (its lines 11 to 13): asked about
    every edge, it gives the table that such a successor is stored in, to be explored some other time.
    """

    def __init__(
        self,
        exploration: Exploration,
        measure: Measure,
        order: Order,
        gc: CollectionPolicy,
        elsewhere: Callable[[State, Any, Edge, Any], Nodes | None] = here,
    ) -> None:
        self._exploration = exploration
        self._measure = measure
        self._order = order
        self._elsewhere = elsewhere
        self._collector = Collector(exploration, gc)
        self.nodes: Nodes = {}  # those that are not persistent
        self.persistent: Nodes = {}

    def run(self, roots: Nodes) -> None:
        """Sweep from these states, which are stored, until no new persistent state turns up."""
        self.nodes, self.persistent = roots, {}
        while roots:
            roots = self._sweep(roots)

    def _sweep(self, roots: Nodes) -> Nodes:
        """One sweep; the roots of the next one."""
        exploration, unprocessed = self._exploration, Unprocessed(self._measure, self._order)
        exploration.sweeps += 1
        next_roots: Nodes = {}
        for value, states in roots.items():
            for root in states:
                unprocessed.add(value, root)
        processed = 0
        while unprocessed:
            exploration.progress = value = unprocessed.minimal()
            s = unprocessed.take(value)
            number = self.nodes.get(value, {}).get(s)
            if number is None:
                number = self.persistent[value][s]
            for position, edge in enumerate(exploration.expand(s, number)):
                self._follow(edge, position, (s, value, number), unprocessed, next_roots)
            processed += 1
            if not unprocessed.holds(value):
                exploration.layer_left(value, processed)
                self._collector.done.append(value)
                unprocessed.leave(value)
                processed = 0
            if self._collector.is_due():
                self._collector.collect(self.nodes)
        self._collector.collect(self.nodes)
        return next_roots

    def _follow(
        self, edge: Edge, position: int, origin: tuple[State, Any, int], unprocessed: Unprocessed, next_roots: Nodes
    ) -> None:
        """One edge: lines 10 to 18."""
        s, value, number = origin
        successor = edge.target
        next_value = progress_of(self._exploration.system, self._measure, successor)
        away = self._elsewhere(s, value, edge, next_value)
        if away is not None:
            if successor not in away.setdefault(next_value, {}):
                away[next_value][successor] = self._exploration.found(successor, number, position)
            return
        regresses = not self._order.leq(value, next_value)
        if regresses:
            self._exploration.regressed(edge)
        else:
            unprocessed.check(value, next_value)
        if successor in self.nodes.get(next_value, ()) or successor in self.persistent.get(next_value, ()):
            return
        found = self._exploration.found(successor, number, position)
        if regresses:
            self._exploration.persistent += 1
            self.persistent.setdefault(next_value, {})[successor] = found
            next_roots.setdefault(next_value, {})[successor] = found
        else:
            self.nodes.setdefault(next_value, {})[successor] = found
            unprocessed.add(next_value, successor)
