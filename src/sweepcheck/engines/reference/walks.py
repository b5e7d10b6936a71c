"""Random walks of the reference engine: the same numbers take the same edges as in the native one, as long as both
number the edges of an action alike.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

from sweepcheck.core.deadline import TimeUp, within
from sweepcheck.core.model import Edge, State
from sweepcheck.core.plan import Plan
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.verdict import Decision, Status, Stop
from sweepcheck.core.walking import MOST_DISTINCT, Walked, Walking, WalkRandom
from sweepcheck.engines.assertions import failed_assertion
from sweepcheck.engines.bound import is_inside
from sweepcheck.engines.shortening import shortened
from sweepcheck.errors import SweepcheckError
from sweepcheck.properties import MONITORS
from sweepcheck.properties.monitor import Monitor, Sighting

MOST_KEPT = 100_000  # states whose edges are kept
_LAST = Property(Kind.DEADLOCK, "the last state of a walk")


class _Ended(Exception):  # noqa: N818 - not an error: the way the walks are left early
    def __init__(self, stop: Stop) -> None:
        self.stop = stop


class _Walk:
    """One walk: where it was, and where it is."""

    def __init__(self, random: WalkRandom, roots: Sequence[State]) -> None:
        self.random = random
        self.states = [roots[random.below(len(roots))]]


class Walks:
    """All walks of a run."""

    def __init__(self, plan: Plan, asked: Walking) -> None:
        self._plan, self._asked, self._system = plan, asked, plan.system
        self._open: list[Monitor] = [MONITORS[one.kind](one, self._system) for one in plan.properties]
        self._found: dict[str, tuple[Sighting, list[State]]] = {}
        self._assertion: tuple[Decision, ...] = ()
        self._edges: dict[State, Sequence[Edge]] = {}
        self._distinct: set[State] = set()
        self._steps = self._longest = self._dead_ends = self._left = self._begun = 0
        self._deadline = None if plan.limits.seconds is None else time.perf_counter() + plan.limits.seconds

    def run(self) -> Walked:
        """Make them, until all are made or something ends them."""
        started, stop = time.perf_counter(), None
        try:
            within(self._plan.limits.seconds, self._make)
        except _Ended as ended:
            stop = ended.stop
        except (KeyboardInterrupt, TimeUp) as broken_off:
            stop = Stop.SECONDS if isinstance(broken_off, TimeUp) else Stop.INTERRUPTED
        except MemoryError:
            stop = Stop.MEMORY
        decisions = (*map(self._decision, self._plan.properties), *self._assertion)
        return Walked(
            decisions,
            self._begun,
            self._steps,
            self._longest,
            self._dead_ends,
            self._left,
            len(self._distinct),
            len(self._distinct) < MOST_DISTINCT,
            time.perf_counter() - started,
            stop,
        )

    def _make(self) -> None:
        roots = self._system.initial_states()
        for first in range(0, self._asked.walks, self._asked.together):
            active = []
            for number in range(first, min(first + self._asked.together, self._asked.walks)):
                walk = _Walk(WalkRandom(self._asked.seed, number), roots)
                self._begun += 1
                self._meet(walk)
                active.append(walk)
            for _ in range(self._asked.depth):
                active = [walk for walk in active if self._continue(walk)]
                if not active:
                    break

    def _continue(self, walk: _Walk) -> bool:
        """One more step; whether there was one."""
        if self._deadline is not None and time.perf_counter() > self._deadline:
            raise _Ended(Stop.SECONDS)
        state = walk.states[-1]
        bound = self._plan.bound
        if bound is not None and bound.conditions and not is_inside(self._system, bound, state):
            self._left += 1
            return False
        edges = self._edges_of(walk)
        if not edges:
            self._dead_ends += 1
            for monitor in tuple(self._open):
                self._judge(monitor, monitor.on_dead(state), walk)
            return False
        edge = edges[walk.random.below(len(edges))]
        walk.states.append(edge.target)
        self._steps += 1
        self._longest = max(self._longest, len(walk.states) - 1)
        for monitor in tuple(self._open):
            self._judge(monitor, monitor.on_edge(state, edge), walk)
        self._meet(walk)
        return True

    def _meet(self, walk: _Walk) -> None:
        state = walk.states[-1]
        if len(self._distinct) < MOST_DISTINCT:
            self._distinct.add(state)
        for monitor in tuple(self._open):
            self._judge(monitor, monitor.on_found(state), walk)

    def _edges_of(self, walk: _Walk) -> Sequence[Edge]:
        state = walk.states[-1]
        if state not in self._edges:
            if len(self._edges) >= MOST_KEPT:
                self._edges.clear()
            try:
                self._edges[state] = self._system.edges(state)
            except SweepcheckError as error:
                self._failed(error, walk)
        return self._edges[state]

    def _failed(self, error: SweepcheckError, walk: _Walk) -> None:
        """An action failed: an assertion of it is what was looked for."""
        asked = failed_assertion(self._plan, error)
        if asked is None:
            with suppress(SweepcheckError):
                error.trace = shortened(self._system, _LAST, walk.states)
            raise error
        trace = shortened(self._system, asked, walk.states)
        self._assertion = (Decision(asked, Status.VIOLATED, walk.states[-1], trace),)
        raise _Ended(Stop.ASSERTION)

    def _judge(self, monitor: Monitor, sighting: Sighting | None, walk: _Walk) -> None:
        if sighting is None:
            return
        self._open.remove(monitor)
        self._found[monitor.property.name] = sighting, list(walk.states)
        if sighting.status is Status.VIOLATED and not self._plan.keep_going:
            raise _Ended(Stop.VIOLATION)
        if not self._open:
            raise _Ended(Stop.DECIDED)

    def _decision(self, asked: Property) -> Decision:
        if asked.name not in self._found:
            return Decision(asked)
        sighting, states = self._found[asked.name]
        return Decision(asked, sighting.status, states[-1], shortened(self._system, asked, states))


def walk(plan: Plan, asked: Walking) -> Walked:
    """Make random walks."""
    return Walks(plan, asked).run()
