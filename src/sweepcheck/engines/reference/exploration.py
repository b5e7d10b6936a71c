"""The bookkeeping around the loops: numbers, monitors, limits, snapshots, parents, traces."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from operator import attrgetter

from sweepcheck.core.model import Edge, Label, State
from sweepcheck.core.observer import Collected, CollectionObserver, Observer, Snapshot
from sweepcheck.core.plan import Counted, Layer, Outcome, Plan, Statistics
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.survey import Survey
from sweepcheck.core.trace import Step, Trace
from sweepcheck.core.verdict import Decision, Status, Stop
from sweepcheck.engines.assertions import NOT_OF_A_PATH, failed_assertion
from sweepcheck.engines.bound import follows, is_inside
from sweepcheck.engines.memory import MemoryMark, resident_bytes
from sweepcheck.engines.parents import ParentFile
from sweepcheck.engines.reference.classes import Classes
from sweepcheck.engines.reference.graph import KeptGraph
from sweepcheck.engines.reference.quotient import ByAction, Quotient, reduced, unwrapped
from sweepcheck.engines.reference.survey import Surveyor
from sweepcheck.engines.replay import follow
from sweepcheck.engines.tallies import Counting
from sweepcheck.engines.verification import Sampling, verify
from sweepcheck.errors import SweepcheckError
from sweepcheck.properties import MONITORS
from sweepcheck.properties.monitor import Monitor, Sighting
from sweepcheck.properties.product import ends_in

CLOCK_EVERY = 64  # states between two looks at the clock
SNAPSHOT_EVERY = 0.1  # seconds between two snapshots
PROFILE_LENGTH = 4096  # layers kept for the picture; more are merged two by two


class Stopped(Exception):  # noqa: N818 - not an error: the way a loop is left early
    """Leaves the loop."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop)
        self.stop = stop


class Exploration:
    """One run: the loops tell it what they find and forget, and it counts, judges and stops them."""

    def __init__(self, plan: Plan, observer: Observer, parents: ParentFile | None) -> None:
        self.plan = plan
        self.system = reduced(plan.system, plan.classes)
        self.classes = None if plan.classes is None else Classes(plan, plan.classes)
        self.finds = self.stored = self.peak = self.edges = self.explored = self.layers = self.dead_states = 0
        self.sweeps = self.columns = self.persistent = self.evicted = self.beyond = self.outside_edges = 0
        self.regressing: Counter[str] = Counter()  # regress edges by action
        self._observer = observer
        self._parents = parents
        self._open: list[Monitor] = [MONITORS[asked.kind](asked, self.system, plan.runs) for asked in plan.properties]
        self._watches_steps = any(asked.kind is Kind.STEP for asked in plan.properties)
        self._sightings: dict[str, tuple[Sighting, int]] = {}
        self.violated = False  # so that the run ends before another state is found
        self._tallies = [Counting(tally, self.system) for tally in plan.tallies]
        self._within = follows(plan)
        self._beyond: set[State] = set()  # in layers that are not complete
        self._depths: list[int] | None = [] if plan.bound is not None and plan.bound.depth is not None else None
        self._kept = 0  # states that folds keep and that are stored no more
        self._started = time.perf_counter()
        self._looked = -math.inf
        self._mark = MemoryMark()
        self._memory = resident_bytes()
        self._profile: list[Layer] = []
        self._merged = 1  # layers behind each row of the profile
        self.progress: object = None
        self.stopped_in: str | None = None
        self._at: tuple[State, int] | None = None  # the state that is looked at, and its number
        self._assertion: tuple[Decision, ...] = ()  # the one that failed
        self._verifiable: tuple[State, Sequence[Edge]] | None = None
        self._sampling = Sampling(self.system)
        self._surveyor = Surveyor(reduced(plan.system, plan.classes, ByAction)) if plan.survey else None
        self._graph = KeptGraph(self.system) if plan.graph else None
        declared: list[Label] = [action.label for action in self.system.declared_actions() or ()]
        self._arity = {label.action: len(label.arguments) for label in declared}
        self._idle = dict.fromkeys(declared)  # the actions without an edge so far

    def begin(self) -> None:
        """Compare the initial states that are equivalent: the loops get one of them."""
        if isinstance(self.system, Quotient) and self.classes is not None:
            self.classes.see(map(self.system.member, self.plan.system.initial_states()))

    def found(self, state: State, parent: int | None = None, edge: int = 0) -> int:
        """A state is met that is not stored: number it, store it, show it to the monitors.

        It may have been met before and forgotten since. Then it gets another number, and another way leads to it.
        """
        if self.violated:
            raise Stopped(Stop.VIOLATION)
        if self.finds == self.plan.limits.states:
            raise Stopped(Stop.STATES)
        if parent is None and self.finds and self.finds % CLOCK_EVERY == 0:
            self._look_at_the_clock()
        number = self.finds
        self.finds += 1
        self.stored += 1
        self.peak = max(self.peak, self.stored + self._kept)
        if self._graph is not None:
            self._graph.found(state)
        if self._depths is not None:
            self._depths.append(0 if parent is None else self._depths[parent] + 1)
        if self._parents is not None:
            self._parents.append(number if parent is None else parent, edge)
        for counting in self._tallies:
            if not counting.tally.dead and not counting.tally.edges:
                counting.see(state)
        before, self._at = self._at, (state, number)
        for monitor in tuple(self._open):
            self._judge(monitor, monitor.on_found(state), number)
        self._at = before
        return number

    def expand(self, state: State, number: int) -> Sequence[Edge]:
        """Process a state: its edges, in the model's order; none where it lies beyond the bound that was asked for."""
        self._at = state, number
        if self.explored % CLOCK_EVERY == 0:
            self._look_at_the_clock()
        if self.plan.bound is not None and not self._follows(state, number):
            self.beyond += 1
            if self.plan.about_cycles:
                self._beyond.add(state)
            return ()
        edges = self.system.edges(state)
        if self.plan.verify_actions:
            # The state before: so much has happened since that what should not matter may have changed.
            verify(self.system, *(self._verifiable or (state, edges)))
            self._verifiable = state, edges
        else:
            self._sampling.see(self.explored, state, edges)
        self.explored += 1
        of_graph = edges if self.classes is None else self.classes.processed(edges)
        self.edges += len(of_graph)
        for label, _ in edges if self._idle else ():
            self._idle.pop(Label(label.action, label.arguments[: self._arity.get(label.action, 0)]), None)
        if self._surveyor is not None:
            self._surveyor.processed(state, of_graph)
        if self._graph is not None:
            self._graph.processed(state, edges)
        if edges:
            self._see_edges(state, edges, number)
        elif ends_in(self.system, state):
            self._see_dead(state, number)
        return edges

    def _see_edges(self, state: State, edges: Sequence[Edge], number: int) -> None:
        """Show the edges of a state to whoever asks about edges."""
        if (bound := self.plan.bound) is not None and bound.conditions:
            self.outside_edges += sum(not is_inside(self.system, bound, target) for _, target in edges)
        for counting in self._tallies:
            for edge in edges if counting.tally.edges else ():
                counting.see_edge(state, partial(attrgetter("label"), edge), edge.target)
        if self._watches_steps:
            steps = self.system.all_edges(state) if isinstance(self.system, Quotient) else edges
            for edge in steps:
                for monitor in tuple(self._open):
                    self._judge(monitor, monitor.on_edge(state, edge), number)

    def _see_dead(self, state: State, number: int) -> None:
        """Show a state without successors to whoever asks about those."""
        self.dead_states += 1
        for counting in self._tallies:
            if counting.tally.dead:
                counting.see(state)
        for monitor in tuple(self._open):
            self._judge(monitor, monitor.on_dead(state), number)

    def _follows(self, state: State, number: int) -> bool:
        """Whether the edges of a state are followed, under the bound that was asked for."""
        return self._within(unwrapped(state), 0 if self._depths is None else self._depths[number])

    def complete(self, states: dict[State, int]) -> None:
        """These states are all processed and no cycle leads out of and back into them.

        Nobody knows what those beyond a bound lead to: whoever asks about cycles does not see them.
        """
        if self._beyond:
            inside = {state: number for state, number in states.items() if state not in self._beyond}
            self._beyond.difference_update(states)
            states = inside
        for monitor in tuple(self._open):
            sighting = monitor.on_complete(tuple(states))
            self._judge(monitor, sighting, states[sighting.state] if sighting is not None else 0)
        if self._surveyor is not None:
            self._surveyor.complete(tuple(states))

    def layer_left(self, progress: object, states: int) -> None:
        """The loop is done with a layer."""
        if self.layers % self._merged:
            last = self._profile.pop()
            self._profile.append(Layer(progress, last.states + states, max(last.stored, self.stored)))
        else:
            self._profile.append(Layer(progress, states, self.stored))
        self.layers += 1
        if len(self._profile) == 2 * PROFILE_LENGTH:
            pairs = zip(self._profile[::2], self._profile[1::2], strict=True)
            self._profile = [Layer(b.progress, a.states + b.states, max(a.stored, b.stored)) for a, b in pairs]
            self._merged *= 2

    def regressed(self, edge: Edge) -> None:
        """An edge goes back."""
        self.regressing[edge.label.action] += 1

    def forgotten(self, states: Collection[State]) -> None:
        """These states were deleted. A fold may keep some of them: from now on these count on their own."""
        self.stored -= len(states)
        if self.classes is not None:
            self._kept += self.classes.forgotten(states)
        if any(counting.stored for counting in self._tallies):
            for state in states:
                kept = [counting.let_go(state) for counting in self._tallies]
                self._kept += any(kept)

    def explored_all(self) -> None:
        """The loop is through: what waits to be verified is."""
        self._sampling.compare()
        if not self.beyond:
            for monitor in tuple(self._open):
                sighting = monitor.on_end()
                if sighting is None or sighting.number is None:
                    continue
                if sighting.status is Status.VIOLATED:
                    self._judge(monitor, sighting, sighting.number)
                elif self._parents is not None and self.classes is None:  # what holds, the run shows; there is no more
                    self._sightings[monitor.property.name] = sighting, sighting.number

    def collected(self, before: int) -> None:
        """A collection is over that began with so many states."""
        if before and isinstance(self._observer, CollectionObserver):
            seconds = time.perf_counter() - self._started
            memory = resident_bytes()
            self._observer.collected(Collected(self.progress, before, self.stored, self.explored, seconds, memory))

    def memory_is_scarce(self) -> bool:
        """Whether three quarters of the memory limit, if there is one, are in use."""
        limit = self.plan.limits.memory
        return limit is not None and 4 * self._memory > 3 * limit

    def _judge(self, monitor: Monitor, sighting: Sighting | None, number: int) -> None:
        if sighting is None:
            return
        self._open.remove(monitor)
        self._sightings[monitor.property.name] = (sighting, number)
        self.violated |= sighting.status is Status.VIOLATED and not self.plan.keep_going
        waiting = self.finds - self.explored - self.beyond
        if self.violated and (waiting or not self._open):
            raise Stopped(Stop.VIOLATION)
        if not self._open and not self._tallies:
            raise Stopped(Stop.DECIDED)

    def _look_at_the_clock(self) -> None:
        now = time.perf_counter()
        limits = self.plan.limits
        if limits.seconds is not None and now - self._started >= limits.seconds:
            raise Stopped(Stop.SECONDS)
        if now - self._looked >= SNAPSHOT_EVERY:
            self._looked = now
            self._memory = resident_bytes()
            self._mark.most()
            self._observer.snapshot(self._snapshot(now))
            if limits.memory is not None and self._memory > limits.memory:
                raise Stopped(Stop.MEMORY)

    def _snapshot(self, now: float) -> Snapshot:
        return Snapshot(
            progress=self.progress,
            explored=self.explored,
            edges=self.edges,
            stored=self.stored,
            peak=self.peak,
            unprocessed=self.finds - self.explored,
            layers=self.layers,
            sweeps=self.sweeps,
            seconds=now - self._started,
            memory_bytes=self._memory,
        )

    def failed(self, error: SweepcheckError) -> Stop:
        """A function of the model failed. An assertion of it ends the run, and any other error is raised, with the way
        to the state in which it happened; after a violation, which would have ended the run, none is.
        """
        if self.violated:
            return Stop.VIOLATION
        asked = failed_assertion(self.plan, error)
        trace = None
        if self._at is not None and self._parents is not None and self._parents.lost is None:
            with suppress(SweepcheckError):
                trace = None if error.code in NOT_OF_A_PATH else self._trace(self._parents.path_to(self._at[1]), None)
        if asked is None or self._at is None:
            error.trace = trace
            raise error
        self._assertion = (Decision(asked, Status.VIOLATED, unwrapped(self._at[0]), trace),)
        return Stop.ASSERTION

    def outcome(self, stop: Stop | None) -> Outcome:
        """The result of the run."""
        seconds = time.perf_counter() - self._started
        parents = self._parents
        if parents is not None:
            parents.flush()  # so that the last block counts
        decisions = (*map(self._decision, self.plan.properties), *self._assertion)
        statistics = Statistics(
            states=self._distinct(),
            edges=self.edges,
            explored=self.explored,
            peak=self.peak,
            layers=self.layers,
            sweeps=self.sweeps,
            dead_states=self.dead_states,
            seconds=seconds,
            memory_bytes=self._mark.most(),
            trace_bytes=0 if parents is None or parents.lost is not None else parents.bytes,
            unprocessed=self.finds - self.explored,
            regress_edges=self.regressing.total(),
            persistent=self.persistent,
            columns=self.columns,
            evicted=self.evicted,
            beyond=self.beyond,
            outside_edges=self.outside_edges,
            **({} if self.classes is None else self.classes.statistics(self._distinct())),
        )
        kept = None if parents is None or parents.lost is not None else parents.path
        return Outcome(
            decisions=decisions,
            statistics=statistics,
            stop=stop,
            profile=tuple(self._profile),
            trace_file=kept,
            tallies=tuple(map(self._counted, self._tallies)),
            regressing=tuple(self.regressing.most_common()),
            survey=self._findings(whole=stop is None),
            graph=None if self._graph is None else self._graph.finish(),
            idle=tuple(self._idle),
            stopped_in=self.stopped_in,
            trace_lost=None if parents is None else parents.lost,
        )

    @staticmethod
    def _counted(counting: Counting) -> Counted:
        counted = counting.counted()
        return replace(counted, stored=tuple(map(unwrapped, counted.stored)))

    def _findings(self, whole: bool) -> Survey | None:
        if self._surveyor is None:
            return None
        found = self._surveyor.findings(whole)
        return found if self.classes is None else self.classes.findings(found)

    def _distinct(self) -> int | None:
        """How many distinct states, or classes, were found; None where some may have been found twice."""
        again = self.persistent or self.evicted or self.plan.awaits
        if self.plan.cutoff is not None and self.classes is not None:
            again = len(self.classes.remembered) < self.finds
        return None if again else self.finds

    def _decision(self, asked: Property) -> Decision:
        if asked.name not in self._sightings:
            return Decision(asked)
        sighting, number = self._sightings[asked.name]
        trace, position = None, None
        if self._parents is not None and self._parents.lost is None:
            path = self._parents.path_to(number)
            further = sighting.path if sighting.step is None else (sighting.step,)
            trace, position = self._trace(path, sighting.cycle, further), len(path) - 1
        decision = Decision(asked, sighting.status, unwrapped(sighting.state), trace)
        if (why := sighting.explanation) is None:
            return decision
        return replace(decision, remark=why.remark(position), parts=why.parts(position))

    def _trace(self, path: Sequence[int], cycle: Sequence[Step] | None, further: Sequence[Step] = ()) -> Trace:
        """Replay a path of edge positions from its initial state, and go further; a cycle makes it a lasso."""
        trace = follow(self.system, path)
        steps = (*trace.steps, *further)
        whole = Trace(trace.initial, (*steps, *(cycle or ())), loop=None if cycle is None else len(steps))
        return whole if self.classes is None else self.system.original(whole)[1]
