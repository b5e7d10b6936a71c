"""Always eventually (AG AF): no cycle avoids the states that satisfy the predicate (paper 4, proposition 2).

A run that ends stays in its last state for ever: in a state without successors, and where the model stutters in any in
which nothing is enabled that runs are fair to. With weak fairness only those cycles count that
ignore no fair action which is enabled all along them, with strong fairness those that ignore none enabled anywhere on
them: what is left of a component without such states is looked at again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from sweepcheck.core.fairness import Fairness
from sweepcheck.core.model import Edge, State
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.trace import Step
from sweepcheck.core.verdict import Status
from sweepcheck.errors import ModelError
from sweepcheck.properties.evaluation import show
from sweepcheck.properties.monitor import Monitor, Sighting
from sweepcheck.properties.product import may_end
from sweepcheck.properties.scc import sccs


def always_eventually(name: str, predicate: Callable[[Any], object]) -> Property:
    """From every reachable state every run meets a state that satisfies the predicate."""
    return Property(Kind.ALWAYS_EVENTUALLY, name, predicate)


Test = Callable[[State], bool]


class Sought(NamedTuple):
    """A kind of cycle that is looked for: all its states are `within`, and for each of `meets` one of them is met."""

    within: Test
    meets: Sequence[Test] = ()


class AlwaysEventuallyMonitor(Monitor):
    """Violated by a fair cycle of states that do not satisfy the predicate."""

    def on_complete(self, states: Sequence[State]) -> Sighting | None:
        """See `Monitor`."""
        bad: dict[State, tuple[set[State], Sequence[Test]]] = {}
        for within, meets in self.sought():
            for inside in self.fair_components([state for state in states if within(state)], meets):
                for state in inside:
                    bad.setdefault(state, (inside, meets))
        # Of all states of bad components, the one found first has the shortest way to it.
        return next((Sighting(Status.VIOLATED, s, self._cycle(s, *bad[s])) for s in states if s in bad), None)

    def sought(self) -> Sequence[Sought]:
        """Which cycles violate the property."""
        return [Sought(lambda state: not self.satisfied(state))]

    def fair_components(self, states: list[State], meets: Sequence[Test] = ()) -> Iterator[set[State]]:
        """The components of these states in which a fair run can stay for ever and meet all that it has to meet."""
        waiting = [states]
        while waiting:
            for scc in sccs(waiting.pop(), lambda state: [edge.target for edge in self.edges(state)]):
                inside = set(scc)
                if not self._has_cycle(inside) or not all(any(map(met, scc)) for met in meets):
                    continue
                ignored = [one for one in self.runs.fair if self._ignored(inside, one)]
                if not ignored:
                    yield inside
                elif all(one.strong for one in ignored):  # a fair run has to keep away from where they are enabled
                    waiting.append([s for s in scc if not any(self._enabled(one, s) for one in ignored)])

    def edges(self, state: State) -> Sequence[Edge]:
        """The edges of what cycles are made of."""
        return self.system.edges(state)

    def own(self, state: State) -> State:
        """The state of the system that it stands for."""
        return state

    def may_end(self, state: State) -> bool:
        """Whether a run can stay in a state for ever though no edge leads from it to itself."""
        return may_end(self.system, state, self.runs)

    def _has_cycle(self, scc: set[State]) -> bool:
        """Whether a run can stay in a component for ever."""
        return len(scc) > 1 or any(self._inside(state, scc) or self.may_end(state) for state in scc)

    def _inside(self, state: State, scc: set[State]) -> list[Edge]:
        return [edge for edge in self.edges(state) if edge.target in scc]

    def _enabled(self, fair: Fairness, state: State) -> bool:
        return any(self._takes(fair, state, edge) for edge in self.edges(state))

    def _takes(self, fair: Fairness, state: State, edge: Edge) -> bool:
        return fair.takes(self.system, self.own(state), Edge(edge.label, self.own(edge.target)))

    def _ignored(self, scc: set[State], fair: Fairness) -> bool:
        """Whether every run that goes all through the component for ever is unfair: all edges of the actions leave it.

        In the weak sense that takes that they are enabled in all states. Both can only become false in a larger
        component, so the maximal ones that Tarjan's algorithm finds are enough.
        """
        enabled = [self._enabled(fair, state) for state in scc]
        return (any(enabled) if fair.strong else all(enabled)) and not any(
            self._takes(fair, state, edge) for state in scc for edge in self._inside(state, scc)
        )

    def _cycle(self, start: State, scc: set[State], meets: Sequence[Test] = ()) -> tuple[Step, ...]:
        """A way from a state of the component back to it, which is fair to all actions, and meets all, on its way.

        It has no steps where a run may end in the state.
        """
        steps: tuple[Step, ...] = ()
        if self.may_end(start) and all(met(start) for met in meets):
            return steps
        for fair in self.runs.fair:

            def heeds(state: State, step: Step, fair: Fairness = fair) -> bool:
                taken = self._takes(fair, state, Edge(step.label, step.state))
                return taken or (not fair.strong and not self._enabled(fair, step.state))

            concerned = any(self._enabled(fair, state) for state in (scc if fair.strong else (start,)))
            if concerned and not any(map(heeds, (start, *(step.state for step in steps)), steps)):
                steps += self._way(steps[-1].state if steps else start, scc, heeds)
        for met in meets:
            if not any(map(met, (start, *(step.state for step in steps)))):
                steps += self._way(steps[-1].state if steps else start, scc, lambda _, step, met=met: met(step.state))  # type: ignore[misc]
        if not steps or steps[-1].state != start:
            steps += self._way(steps[-1].state if steps else start, scc, lambda _, step: step.state == start)
        return steps

    def _way(self, start: State, scc: set[State], goal: Callable[[State, Step], bool]) -> tuple[Step, ...]:
        """A shortest way inside the component, one step at least, that ends with a step which is the goal.

        The goal lies in the component, and all of it can be reached: only states that are not as equivalent as a key
        says can miss it.
        """
        queue: deque[tuple[State, tuple[Step, ...]]] = deque([(start, ())])
        seen = set()
        while queue:
            state, steps = queue.popleft()
            for label, target in self._inside(state, scc):
                way = (*steps, Step(label, target))
                if goal(state, way[-1]):
                    return way
                if target not in seen:
                    seen.add(target)
                    queue.append((target, way))
        raise ModelError(
            "SC233",
            "a state cannot go on where an equivalent one can",
            values=[("state", show(self.system, self.own(start)))],
            suggestion="let the key tell these states apart; --verify-equivalence compares every state met",
        )
