"""Always eventually (AG AF): no cycle avoids the states that satisfy the predicate (paper 4, proposition 2).

A state without successors stutters: it counts as having a self loop. With weak fairness only those cycles count that
ignore no fair action which is enabled all along them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from sweepcheck.core.model import Edge, Label, State
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.trace import Step
from sweepcheck.core.verdict import Status
from sweepcheck.properties.monitor import Monitor, Sighting
from sweepcheck.properties.scc import sccs


def always_eventually(name: str, predicate: Callable[[Any], object]) -> Property:
    """From every reachable state every run meets a state that satisfies the predicate."""
    return Property(Kind.ALWAYS_EVENTUALLY, name, predicate)


class AlwaysEventuallyMonitor(Monitor):
    """Violated by a fair cycle of states that do not satisfy the predicate."""

    def on_complete(self, states: Sequence[State]) -> Sighting | None:
        """See `Monitor`."""
        avoiding = [state for state in states if not self.satisfied(state)]
        bad: dict[State, set[State]] = {}
        for scc in sccs(avoiding, lambda state: [edge.target for edge in self.system.edges(state)]):
            inside = set(scc)
            if self._has_cycle(inside) and not any(self._ignored(inside, action) for action in self.fair):
                bad |= dict.fromkeys(scc, inside)
        # Of all states of bad components, the one found first has the shortest way to it.
        return next(
            (Sighting(Status.VIOLATED, s, self._cycle(s, bad[s])) for s in avoiding if s in bad),
            None,
        )

    def _has_cycle(self, scc: set[State]) -> bool:
        """Whether a run can stay in a component for ever; a state without successors stutters."""
        return len(scc) > 1 or any(self._inside(state, scc) or not self.system.edges(state) for state in scc)

    def _inside(self, state: State, scc: set[State]) -> list[Edge]:
        return [edge for edge in self.system.edges(state) if edge.target in scc]

    def _enabled(self, action: Label, state: State) -> bool:
        return any(edge.label.belongs_to(action) for edge in self.system.edges(state))

    def _ignored(self, scc: set[State], action: Label) -> bool:
        """Whether every run that stays in the component ignores the action.

        It does when the action is enabled in all states and every edge of it leaves. Both can only become false in a
        larger component, so the maximal ones that Tarjan's algorithm finds are enough.
        """
        return all(self._enabled(action, state) for state in scc) and not any(
            edge.label.belongs_to(action) for state in scc for edge in self._inside(state, scc)
        )

    def _cycle(self, start: State, scc: set[State]) -> tuple[Step, ...]:
        """A way from a state of the component back to it, which ignores no fair action on its way.

        It has no steps where the state stutters: no action is enabled there, and none ignored.
        """
        steps: tuple[Step, ...] = ()
        if not self.system.edges(start):
            return steps
        for action in self.fair:

            def heeds(step: Step, action: Label = action) -> bool:
                return step.label.belongs_to(action) or not self._enabled(action, step.state)

            if self._enabled(action, start) and not any(map(heeds, steps)):
                steps += self._way(steps[-1].state if steps else start, scc, heeds)
        if not steps or steps[-1].state != start:
            steps += self._way(steps[-1].state if steps else start, scc, lambda step: step.state == start)
        return steps

    def _way(self, start: State, scc: set[State], goal: Callable[[Step], bool]) -> tuple[Step, ...]:
        """A shortest way inside the component, one step at least, that ends with a step to the goal."""
        queue: deque[tuple[State, tuple[Step, ...]]] = deque([(start, ())])
        seen = set()
        while queue:
            state, steps = queue.popleft()
            for label, target in self._inside(state, scc):
                way = (*steps, Step(label, target))
                if goal(way[-1]):
                    return way
                if target not in seen:
                    seen.add(target)
                    queue.append((target, way))
        raise AssertionError("the goal lies in the component, and all of it can be reached")
