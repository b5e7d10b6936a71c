"""One run of the core: what it is told, what it asks meanwhile, and what comes of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sweepcheck._core import ActionResult, DecisionResult, Explorer, Failure, Settings, TermKind, resident_bytes
from sweepcheck._core import Stop as CoreStop
from sweepcheck.core.deadline import TimeUp, within
from sweepcheck.core.limits import Limits
from sweepcheck.core.measure import LEXICOGRAPHIC
from sweepcheck.core.model import Edge, State
from sweepcheck.core.observer import Collected, CollectionObserver, Observer, Silence, Snapshot
from sweepcheck.core.plan import Layer, Outcome, Plan, Statistics
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.running import current
from sweepcheck.core.tabulated import Tabulated, is_tabulated
from sweepcheck.core.trace import Trace
from sweepcheck.core.values import unfit
from sweepcheck.core.verdict import Decision, Status, Stop
from sweepcheck.engines.assertions import NOT_OF_A_PATH, failed_assertion
from sweepcheck.engines.checkpoints import damaged
from sweepcheck.engines.classes import class_of, realised
from sweepcheck.engines.native.description import by_parts, describe, settings
from sweepcheck.engines.native.edge_folds import EdgeFolds
from sweepcheck.engines.native.edges import edge_file, without_room
from sweepcheck.engines.native.explaining import explained
from sweepcheck.engines.native.failures import explain
from sweepcheck.engines.native.folds import FEWEST, Few, FewElementsError
from sweepcheck.engines.native.graph import NativeGraph
from sweepcheck.engines.native.labels import EdgeLabels
from sweepcheck.engines.native.linear import Term, obstacle
from sweepcheck.engines.native.ordering import ProgressValues, plain
from sweepcheck.engines.native.outcome import (
    ActionCosts,
    contents_statistics,
    idle,
    measure_statistics,
    regressing,
    statistics,
    tallied,
)
from sweepcheck.engines.native.records import Description, TablePart
from sweepcheck.engines.native.saving import LASTING, Saving, saving_of
from sweepcheck.engines.native.survey import findings
from sweepcheck.engines.native.traces import Written, lost, parent_file, steps, trace_to
from sweepcheck.engines.native.trees import NonlinearError
from sweepcheck.engines.parents import damaged_parents
from sweepcheck.engines.tallies import Values
from sweepcheck.engines.verification import impure
from sweepcheck.errors import RequestError, SweepcheckError
from sweepcheck.properties.ctl import everywhere
from sweepcheck.properties.evaluation import allows
from sweepcheck.properties.explanation import Explanation

Result = TypeVar("Result")

SNAPSHOT_EVERY = 0.1  # seconds


def _violates(system: Tabulated, asked: Property, state: State, edge: Edge) -> bool:
    return not allows(system, asked, state, edge)


def explore(
    plan: Plan, observer: Observer, result: Callable[[Exploration], Result], target: State | None = None
) -> Result:
    """What an exploration comes to.

    When a variable gets a value that a sum cannot count with, it starts once more and asks the measure itself; and when
    few elements have so many values that it is better to fold them.
    """
    started = time.perf_counter()
    few = Few()
    with saving_of(plan) as saving:
        natively = saving is None or saving.counts_natively
        again = saving is None or saving.before is None
        while True:
            try:
                return _explore_once(plan, observer, result, (target, saving), natively, (few, again))
            except NonlinearError:
                natively = False
            except FewElementsError:
                few, again = Few(FEWEST), False
            if plan.limits.seconds is not None:
                left = plan.limits.seconds - (time.perf_counter() - started)
                plan = replace(plan, limits=replace(plan.limits, seconds=max(0.0, left)))
                started = time.perf_counter()
            if saving is not None:
                saving.begin_anew()


def _explore_once(
    plan: Plan,
    observer: Observer,
    result: Callable[[Exploration], Result],
    given: tuple[State | None, Saving | None],
    count_natively: bool,
    folding: tuple[Few, bool],
) -> Result:
    system = plan.system
    assert is_tabulated(system)
    (target, saving), (few, again) = given, folding
    goes_on = saving is not None and saving.before is not None
    with parent_file(plan, goes_on) as parents, edge_file(plan) as edges:

        def begin() -> Exploration:
            described = describe(plan, system, count_natively, target, few)
            begun = Exploration(plan, system, observer, (parents, edges), described, saving)
            begun.few = few
            few.explored = (lambda: begun.core.counters.explored) if again else None
            return begun

        exploration = within(plan.limits.seconds, begin)
        try:
            return result(exploration)
        finally:
            exploration.close()


class Exploration:
    """One run. The methods that are named without an underscore are what the core asks while it goes on."""

    def __init__(
        self,
        plan: Plan,
        system: Tabulated,
        observer: Observer,
        files: tuple[Written | None, str | None],
        description: Description,
        saving: Saving | None = None,
    ) -> None:
        self._plan = plan
        self._system = system
        self._observer = observer
        self._parents, self._edge_file = files
        self._linear = description.linear  # the rest of it, tables of a whole network perhaps, is not kept
        self._plain = () if self._linear is None else self._linear.plain
        self._variables = description.declared
        self._stopped_in: str | None = None
        self._looking = False  # for a state that is known, and nothing else
        self._assertion: tuple[Decision, ...] = ()  # the one that failed
        self._unwritten: dict[str, str] = {}  # what there was no room for on the disk, and why
        self.few = Few()
        self._looked = time.perf_counter()
        self._tallied = [Values() for tally in plan.tallies if not tally.edges]
        self._folds = EdgeFolds(plan.tallies, system)
        self.see_edge = self._folds.see if self._folds.any else None
        self._keys: list[dict[Any, int]] = [{} for _ in description.keys]
        self._saving = saving
        self.core = Explorer(description, self)
        self._proofs = description.vocabulary.proofs
        self._values: ProgressValues | None = None
        if plan.measure is not None:
            self._values = ProgressValues(plan.measure, by_parts(plan, plan.measure), self.core.add_value)
            for index, part in enumerate(description.parts):
                if isinstance(part, TablePart):
                    self._values.count(index, max(part.table) + 1)
        self._learnt = {} if saving is None or saving.before is None else self._restored(saving)

    # -- what the core asks ------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Let go of the functions of the model, which refer back to the run: the core keeps them."""
        self.core.close()
        self._proofs.forget()

    def _order(self) -> ProgressValues:
        assert self._values is not None  # asked only when there is a measure
        return self._values

    def place(self, part: int, value: Any) -> int:
        """The number of a progress value of a part of the measure."""
        return self._order().place(part, value)

    def leq(self, part: int, one: int, other: int) -> bool:
        """Whether one value of a part is at most another."""
        return self._order().leq(part, one, other)

    def minimal(self, layers: Sequence[int]) -> int:
        """One of the layers with no other of them strictly below it."""
        return self._order().minimal(layers)

    def disorder(self, layer: int) -> None:
        """A step led up to a layer that was minimal before."""
        self._order().disorder(layer)

    def number(self, tally: int, value: Any) -> int:
        """The number of a value of a tally's function."""
        return self._tallied[tally].number(value)

    def key(self, part: int, value: Any) -> int:
        """The number of a value of a part of the key."""
        value = plain(value)
        if unfit(value) is not None:
            raise TypeError  # the key is asked again in Python, which says more
        numbers = self._keys[part]
        return numbers.setdefault(value, len(numbers))

    def tick(self) -> None:
        """Called a few times a second."""
        if self.few.wanted:
            raise FewElementsError
        now = time.perf_counter()
        if now - self._looked >= SNAPSHOT_EVERY:
            self._looked = now
            counted = self.core.counters
            self._observer.snapshot(
                Snapshot(
                    progress=self.progress_value(self.core.progress),
                    explored=counted.explored,
                    edges=counted.edges,
                    stored=counted.stored,
                    peak=counted.peak,
                    unprocessed=counted.states - counted.explored,
                    layers=counted.layers,
                    seconds=counted.seconds,
                    memory_bytes=counted.memory_bytes,
                    sweeps=counted.sweeps,
                )
            )

    def collected(self, before: int) -> None:
        """States were deleted; so many were stored before."""
        assert isinstance(self._observer, CollectionObserver)
        counted, progress = self.core.counters, self.progress_value(self.core.progress)
        memory = resident_bytes()
        self._observer.collected(Collected(progress, before, counted.stored, counted.explored, counted.seconds, memory))

    def save(self) -> None:
        """The run can be written down now."""
        self._write(None, over=False)

    def resumed(self) -> None:
        """A run is gone on with: progress values get the numbers that they had."""
        for values in self._learnt.get("progress", ()):
            if [self._order().place(0, value) for value in values] != list(range(len(values))):
                raise TypeError("progress values have another order now")

    def verify(self, state: State, successors: list[State]) -> None:
        """Compare the successors from tables with those the functions give now."""
        token = current.set(None)
        try:
            edges = self._system.edges(state)
        finally:
            current.reset(token)
        targets = [self._met(edge.target) for edge in edges]
        expected, found = Counter(targets), Counter(map(self._met, successors))
        if expected != found:
            wrong = [one.label.action for one, to in zip(edges, targets, strict=True) if expected[to] != found[to]]
            raise impure(self._system, state, next((a for a in self._system.actions if a.name in wrong[:1]), None))

    def _met(self, state: State) -> Hashable:
        """A state as it is compared with one that the core has: by its class, where another may stand for that."""
        classes = self._plan.classes
        return state if classes is None or classes.canonical is None else class_of(self._system, classes, state)

    def progress_value(self, numbers: Sequence[int]) -> object:
        """The progress value that these numbers stand for; None before there is any."""
        linear = self._linear
        if self._values is None or not numbers:
            return None
        if linear is None:
            return self._values.value(numbers)
        value = tuple(map(self._as_given, self._plain, self.core.linear_value(numbers[0])))
        return value[0] if linear.single else value

    def _as_given(self, term: Term | None, number: int) -> object:
        """A number as the measure gives it: a variable or function may have True where 1 is computed with."""
        if term is None or term.kind is TermKind.SIZE:
            return number
        if term.kind is TermKind.VALUE:
            return self.core.stored(term.index, number)
        return self.core.counted(term.index, number)

    # -- the run and its results -------------------------------------------------------------------------------------

    def _run(self) -> Stop | None:
        """Run to the end, or to whatever stops it."""
        stop = self._ended()
        if self._saving is not None and not self._saving.is_over:
            if stop in LASTING:
                self._write(stop, over=True)
            elif self.core.whole and stop is not Stop.DISK:
                self._write(stop, over=False)
        return stop

    def _ended(self) -> Stop | None:
        ended = self.ended(self.core.run)
        if isinstance(ended, Failure):
            if ended.kind is Failure.Kind.DAMAGED and self._saving is not None and self._saving.before is not None:
                raise damaged(self._saving.before.path, ended.why)
            if ended.kind is Failure.Kind.UNWRITTEN:
                self._unwritten["states"] = f"states could not be written to {self._plan.spill}: {ended.why}"
                return Stop.DISK
            try:
                stop, self._stopped_in = explain(self._plan, self._system, ended)
            except SweepcheckError as error:
                return Stop.VIOLATION if self.core.violated else self._failed(error, ended.state)
            return stop
        return self._plan.cut_short(self.core.counters.beyond) if ended is None else ended

    def _write(self, stop: Stop | None, over: bool) -> None:
        """Write a checkpoint."""
        assert self._saving is not None
        asked = self._values is not None and self._linear is None
        learnt = {
            "progress": [self._order().values_of(0)] if asked else [],
            "keys": [list(numbers) for numbers in self._keys],
            "tallies": [tallied.values for tallied in self._tallied],
        }
        try:
            self._saving.write(self.core, self._linear is not None, learnt, stop, over)
            self._unwritten.pop("checkpoint", None)
        except RequestError as error:
            if error.code != "SC616" or not self._saving.has_written:
                raise
            # What was found so far is worth more than a way to find it again.
            self._unwritten["checkpoint"] = (
                f"{error.what}; the run can be gone on with from the last one, if that is still there"
            )

    def _restored(self, saving: Saving) -> dict[str, list[list[Any]]]:
        """What a run that is gone on with had learnt, with the numbers that all of it had."""
        learnt = saving.restore(self.core)
        for numbers, values in zip(self._keys, learnt.get("keys", ()), strict=True):
            numbers.update({value: number for number, value in enumerate(values)})
        for tallied_values, values in zip(self._tallied, learnt.get("tallies", ()), strict=True):
            for value in values:
                tallied_values.number(value)
        return learnt

    def ended(self, run: Callable[[Settings], CoreStop | Failure]) -> Stop | Failure | None:
        """Why a run of the core ended, or how it broke off."""
        name = None if self._parents is None else self._parents.name
        before = None if self._saving is None else self._saving.before
        chosen = settings(self._plan, self._system, self._observer, name, self._edge_file, before)
        token = current.set(self.core.chooser)
        try:
            ended = within(self._plan.limits.seconds, lambda: run(chosen))
        except KeyboardInterrupt:
            return Stop.INTERRUPTED
        except TimeUp:
            return Stop.SECONDS
        except MemoryError:
            return Stop.MEMORY
        finally:
            current.reset(token)
        if self.few.wanted:  # whenever it came to that, for the same numbers on every machine
            raise FewElementsError
        return ended if isinstance(ended, Failure) else Stop.__members__.get(ended.name)  # None for NONE

    def _failed(self, error: SweepcheckError, state: State | None) -> Stop:
        """A function of the model failed in a state. An assertion of it ends the run, and any other error is raised,
        with the way to that state.
        """
        if self._looking:
            raise error
        asked = failed_assertion(self._plan, error)
        trace = None if state is None or error.code in NOT_OF_A_PATH else self._way_to(state)
        if asked is None:
            error.trace = trace
            raise error
        self._assertion = (Decision(asked, Status.VIOLATED, state, trace),)
        return Stop.ASSERTION

    def _way_to(self, state: State) -> Trace | None:
        """The way to a state, found by the same exploration once more."""
        if self._parents is None or lost(self.core) is not None:
            return None
        plan = replace(
            self._plan, properties=self._bits, tallies=(), survey=False, trace_dir=None, verify_actions=False
        )
        plan = replace(plan, checkpoint=None)
        try:
            return explore(plan, Silence(), Exploration.trace_to_target, target=state)
        except SweepcheckError:  # what went wrong once may do so again before the state is met
            return None

    def outcome(self) -> Outcome:
        """The result of the run."""
        stop = self._run()
        results = self.core.actions()
        trace_lost = lost(self.core)
        named = self._plan.trace_dir is not None or self._plan.checkpoint is not None
        kept = self._parents if named and trace_lost is None else None
        return Outcome(
            decisions=(
                *(
                    self._of_tree(asked, found, stop) if asked.kind is Kind.CTL else self._decision(asked, found)
                    for asked, found in zip(self._plan.properties, self.core.decisions(), strict=True)
                ),
                *self._assertion,
            ),
            statistics=self._statistics(results),
            stop=stop,
            profile=tuple(
                Layer(self.progress_value(row.progress), row.states, row.stored) for row in self.core.profile()
            ),
            trace_file=None if kept is None else Path(kept.name),
            actions=ActionCosts(self._system, results),
            contents=contents_statistics(self.core),
            measure=measure_statistics(self.core, self._linear, self._obstacle),
            tallies=self._folds.merged(tallied(self.core, self._tallied)),
            survey=findings(self._system, self._variables, self.core, stop is None) if self._plan.survey else None,
            graph=self._graph() if self._plan.graph else None,
            regressing=regressing(self._system, results),
            idle=idle(self._plan, self._system, results),
            stopped_in=self._stopped_in,
            trace_lost=trace_lost,
            unwritten=tuple(self._unwritten.values()),
            start_seconds=self.core.counters.start_seconds,
            vain_walks=self.core.counters.vain_walks,
            closed_edges=self.core.counters.closed_edges,
        )

    def _statistics(self, results: Sequence[ActionResult]) -> Statistics:
        numbers = statistics(self._plan, self.core, results)
        return numbers if self._saving is None else self._saving.with_what_came_before(numbers)

    def _graph(self) -> NativeGraph:
        """The graph that the core has kept."""
        return NativeGraph(self.core, self._system, EdgeLabels(self._system, self._plan.classes))

    def _obstacle(self) -> str | None:
        """Why the measure is no sum that the core adds up; None where it is not compared as numbers are."""
        measure = self._plan.measure
        if measure is None or measure.order is not LEXICOGRAPHIC or by_parts(self._plan, measure):
            return None
        initial: Any = self._system.initial_states()[0]
        return obstacle(measure, tuple(self._system.variables), initial, self._system.reading)

    def _decision(self, asked: Property, found: DecisionResult | None) -> Decision:
        if found is None:
            return Decision(asked)
        trace, state, classes = self._trace(found), found.state, self._plan.classes
        canonical = classes is not None and classes.canonical is not None
        if asked.kind is Kind.STEP:
            state = found.cycle[0]
            if trace is not None:
                last = steps(self._system, [found.state, state], found.actions, classes if canonical else None)
                trace = Trace(trace.initial, (*trace.steps, *last))
        if trace is not None:
            length = len(trace)
            if asked.kind.shown_by_loops:
                loop = steps(self._system, [state, *found.cycle], found.actions, classes)
                trace = Trace(trace.initial, (*trace.steps, *loop), loop=length)
            if classes is not None and (canonical or trace.loop is not None):
                wrong = partial(_violates, self._system, asked) if asked.kind is Kind.STEP else None
                trace = realised(self._system, classes, trace, wrong)
                state = trace.states[length]
        status = Status.HOLDS if asked.kind.holds_by_witness else Status.VIOLATED
        return Decision(asked, status, state, trace)

    def _of_tree(self, asked: Property, found: DecisionResult | None, stop: Stop | None) -> Decision:
        """What was found out about a formula of CTL, with the run that explains it. What holds is explained of a
        single initial state, if that is what is asked.
        """
        assert asked.formula is not None
        kept = self._parents is not None and lost(self.core) is None
        if found is None and self.core.edge_error:
            why = without_room(self.core.edge_error, self.core.edge_bytes)
            return Decision(asked, Status.INCONCLUSIVE, remark=why)
        if found is None:
            shows = kept and stop is None and self._plan.classes is None and everywhere(asked.formula) is None
            if not shows or len(self._system.initial_states()) != 1:
                return Decision(asked)
        status, number = (Status.HOLDS, 0) if found is None or found.number is None else (Status.VIOLATED, found.number)
        tree = [one for one in self._plan.properties if one.kind is Kind.CTL].index(asked)
        explanation = explained(self.core, tree, asked.formula, number)
        if found is None and not explanation.path and explanation.cycle is None:
            return Decision(asked)
        if not kept:
            return Decision(asked, status, remark=explanation.remark(None))
        trace = self._trace_to(number)
        position = len(trace)
        trace = self._further(trace, explanation)
        remark, parts = explanation.remark(position), explanation.parts(position)
        return Decision(asked, status, trace.states[position], trace, remark, parts)

    def _further(self, trace: Trace, explanation: Explanation[int]) -> Trace:
        """A trace, and the run that explains what is true in its last state."""
        classes = self._plan.classes

        def state_of(number: int) -> State:
            return self._trace_to(number).states[-1]

        path = [trace.states[-1], *map(state_of, explanation.path)]
        way = (*trace.steps, *steps(self._system, path, classes=classes))
        loop = None if explanation.cycle is None else len(way)
        if explanation.cycle:
            cycle = [path[-1], *map(state_of, explanation.cycle)]
            way += steps(self._system, cycle, explanation.actions, classes)
        whole = Trace(trace.initial, way, loop)
        further = bool(explanation.path) or loop is not None
        if classes is None or (classes.canonical is None and not further):
            return whole
        return realised(self._system, classes, whole)

    def _trace_to(self, number: int) -> Trace:
        assert self._parents is not None
        return trace_to(number, self._system, self.core, self._parents, self._plan.classes)

    def _trace(self, found: DecisionResult) -> Trace | None:
        """The way to the state that decided a property."""
        if self._parents is None or lost(self.core) is not None:
            return None
        if found.number is not None:
            trace = self._trace_to(found.number)
            kept = self._plan.checkpoint is not None  # the file outlives its run, and others may have changed it
            if kept and self._plan.classes is None and trace.states[-1] != (found.state or ()):
                raise damaged_parents("it leads to another state")
            return trace
        # Components keep no numbers: the same exploration once more, until it meets the state.
        plan = replace(
            self._plan, properties=self._bits, tallies=(), limits=Limits(), trace_dir=None, verify_actions=False
        )
        plan = replace(plan, checkpoint=None)  # that of the run itself is in use
        return explore(plan, Silence(), Exploration.trace_to_target, target=found.state)

    @property
    def _bits(self) -> tuple[Property, ...]:
        """Those of the properties without which states would not be what they are."""
        return tuple(one for one in self._plan.properties if one.remembers)

    def trace_to_target(self) -> Trace | None:
        """The way to the state that was looked for."""
        self._looking = True
        self._run()
        found = self.core.decisions()[-1]
        return None if found is None else self._trace(found)
