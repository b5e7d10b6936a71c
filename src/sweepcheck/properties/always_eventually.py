"""Always eventually (AG AF): no cycle avoids the states that satisfy the predicate (paper 4, proposition 2).

A state without successors stutters: it counts as having a self loop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from sweepcheck.core.model import State
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.trace import Step
from sweepcheck.core.verdict import Status
from sweepcheck.properties.components import components
from sweepcheck.properties.monitor import Monitor, Sighting


def always_eventually(name: str, predicate: Callable[[Any], object]) -> Property:
    """From every reachable state every run meets a state that satisfies the predicate."""
    return Property(Kind.ALWAYS_EVENTUALLY, name, predicate)


class AlwaysEventuallyMonitor(Monitor):
    """Violated by a cycle of states that do not satisfy the predicate."""

    def on_complete(self, states: Sequence[State]) -> Sighting | None:
        """See `Monitor`."""
        avoiding = [state for state in states if not self.satisfied(state)]
        for component in components(avoiding, lambda state: [edge.target for edge in self.system.edges(state)]):
            cycle = self._cycle(component)
            if cycle is not None:
                return Sighting(Status.VIOLATED, component[0], cycle)
        return None

    def _cycle(self, component: Sequence[State]) -> tuple[Step, ...] | None:
        """A shortest way from the component's first state back to it; None if there is none."""
        inside = set(component)
        start = component[0]
        if not self.system.edges(start):
            return ()
        queue: deque[tuple[State, tuple[Step, ...]]] = deque([(start, ())])
        seen = set()
        while queue:
            state, steps = queue.popleft()
            for label, target in self.system.edges(state):
                if target in inside and target not in seen:
                    seen.add(target)
                    way = (*steps, Step(label, target))
                    if target == start:
                        return way
                    queue.append((target, way))
        return None
