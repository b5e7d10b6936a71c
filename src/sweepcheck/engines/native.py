"""The native engine: the loops of the reference engine in C++, on packed states and tabulated actions.

What an action does depends only on what it observed, so the core records that once and afterwards walks a table.
Whatever goes wrong inside a model is run once more in Python: its errors carry code, place and state.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import mkstemp
from typing import Any, BinaryIO, NamedTuple, TypeVar

from sweepcheck._core import Explorer, resident_bytes
from sweepcheck.core.deadline import TimeUp, within
from sweepcheck.core.formula import Formula
from sweepcheck.core.limits import Limits
from sweepcheck.core.measure import LEXICOGRAPHIC
from sweepcheck.core.model import State, System
from sweepcheck.core.observer import Collected, CollectionObserver, Observer, Silence, Snapshot
from sweepcheck.core.plan import ActionStatistics, Counted, Layer, Outcome, Plan, Statistics
from sweepcheck.core.property import Kind
from sweepcheck.core.trace import Step, Trace
from sweepcheck.core.values import Array, Bag, Queue, alike, settled, unfit, unlike
from sweepcheck.core.verdict import Decision, Status, Stop
from sweepcheck.engines.breaking_off import running
from sweepcheck.engines.linear import LinearMeasure, NonlinearError, linear
from sweepcheck.engines.native_survey import findings
from sweepcheck.engines.networks import add_formula, add_measure, add_network
from sweepcheck.engines.orders import Layers, PartValues, by_parts, parts_of, plain
from sweepcheck.engines.parents import Parents, writing
from sweepcheck.engines.progress import broken_claim, progress_of, regress
from sweepcheck.engines.replay import IMPURE
from sweepcheck.engines.tallies import WHAT, Values
from sweepcheck.engines.whole_values import WholeValues, asks_for_types
from sweepcheck.errors import MeasureError, ModelError, RequestError, SweepcheckError, TraceError, place
from sweepcheck.models.actions.action import Action
from sweepcheck.models.actions.choice import Disabled, current
from sweepcheck.models.actions.draft import closed_draft, unknown_variable
from sweepcheck.models.actions.model import Model
from sweepcheck.models.net.time import Stamped
from sweepcheck.models.processes.measuring import LocationProgress
from sweepcheck.models.processes.network import Event, Network
from sweepcheck.properties.evaluation import evaluate, satisfies, show

Result = TypeVar("Result")

KINDS = frozenset(Kind)
NOT_OF_ONE_STATE = ("SC215", "SC404")  # errors that an action run by itself, in Python, need not raise
SNAPSHOT_EVERY = 0.1  # seconds
MOST_TOKENS = 2**32 - 1  # of one bag, as in native/include/sweep/model.hpp
REWRITE_BELOW = 8_000_000  # stored states: so many are rewritten when a variable outgrows its bits, more are not


def obstacle(plan: Plan) -> str | None:
    """Why this engine cannot carry out a plan; None when it can."""
    if not isinstance(plan.system, Model | Network):
        return "the model gives its successors as a function, which cannot be tabulated"
    if isinstance(plan.system, Model) and (bag := _overfull(plan.system)) is not None:
        return f"bag {bag!r} holds more than {MOST_TOKENS:,} tokens"
    parts = () if plan.strategy.order != "column" or plan.measure is None else parts_of(plan.measure)
    if any(part.order.rank is None for part in parts):
        return "the column sweep needs components whose order is total, or extended to a total one"
    return None


def _overfull(model: Model) -> str | None:
    """A bag with more tokens than can be counted here, if there is one at the start."""
    for state in model.initial_states():
        for name, value in model.describe(state).items():
            if isinstance(value, Bag) and len(value) > MOST_TOKENS:
                return name
    return None


def run(plan: Plan, observer: Observer) -> Outcome:
    """Carry out a plan. Limits and Ctrl-C end in an outcome too: it says why and how far the run got."""
    return _explore(plan, observer, _Exploration.outcome)


def _explore(plan: Plan, observer: Observer, result: Callable[[_Exploration], Result]) -> Result:
    """What an exploration comes to.

    When a variable gets a value that a sum cannot count with, it starts once more and asks the measure itself.
    """
    started = time.perf_counter()
    try:
        return _explore_once(plan, observer, result, count_natively=True)
    except NonlinearError:
        if plan.limits.seconds is not None:
            left = plan.limits.seconds - (time.perf_counter() - started)
            plan = replace(plan, limits=replace(plan.limits, seconds=max(0.0, left)))
        return _explore_once(plan, observer, result, count_natively=False)


def _explore_once(
    plan: Plan, observer: Observer, result: Callable[[_Exploration], Result], count_natively: bool
) -> Result:
    with _parent_file(plan) as parents:
        exploration = within(plan.limits.seconds, lambda: _Exploration(plan, observer, parents, count_natively))
        try:
            return result(exploration)
        finally:
            exploration.close()


class Written(NamedTuple):
    """The parent file: open for reading, and the name under which the core opens it for writing."""

    file: BinaryIO
    name: str


@contextmanager
def _parent_file(plan: Plan) -> Iterator[Written | None]:
    """The parent file: in the folder asked for, or one whose name the core takes away as soon as it has opened it."""
    if not plan.trace:
        yield None
        return
    with writing(plan.trace_dir):
        if plan.trace_dir is None:
            number, name = mkstemp(prefix="sweepcheck-", suffix=".trc")
            file: BinaryIO = os.fdopen(number, "rb")
        else:
            plan.trace_dir.mkdir(parents=True, exist_ok=True)
            name = str(plan.trace_dir / "parents.trc")
            file = open(name, "w+b")  # noqa: SIM115 - closed below
    try:
        with file:
            yield Written(file, name)
    finally:
        if plan.trace_dir is None:
            Path(name).unlink(missing_ok=True)  # where the core did not get to open it


class _Exploration:
    """One run: the model handed to the core, the core's numbers handed back."""

    def __init__(self, plan: Plan, observer: Observer, parents: Written | None, count_natively: bool) -> None:
        assert isinstance(plan.system, Model | Network)
        self._plan = plan
        self._system = plan.system
        self._actions: Sequence[Action | Event] = plan.system.actions
        self._observer = observer
        self._parents = parents
        self._stopped_in: str | None = None
        self._looked = time.perf_counter()
        self._layers: Layers | None = None
        self._parts: PartValues | None = None
        self._values = [Values() for _ in plan.tallies]
        self._explorer = Explorer(
            {"bag": Bag, "queue": Queue, "array": Array, "stamped": Stamped},
            {
                "disabled": Disabled,
                "closed": closed_draft,
                "nonlinear": NonlinearError,
                "unfit": unfit,
                "settled": settled,
                "alike": alike,
                "unlike": lambda name, first, second: unlike(repr(name), first, second),
                "crowded": crowded,
                "missing": partial(unknown_variable, names=tuple(self._system.variables)),
                "place": lambda value: self._order().place(value),
                "leq": lambda one, other: self._order().leq(one, other),
                "minimal": lambda numbers: self._order().minimal(numbers),
                "disorder": lambda number: self._order().disorder(number),
                "place_part": lambda index, value: self._product().place(index, value),
                "part_leq": lambda index, one, other: self._product().leq(index, one, other),
                "tick": self._tick,
                "verify": self._verify if plan.verify_actions else None,
                "number": lambda tally, value: self._values[tally].number(plain(value)),
                "collected": self._collected if isinstance(observer, CollectionObserver) else None,
            },
        )
        if plan.measure is not None:
            if by_parts(plan, plan.measure):
                self._parts = PartValues(plan.measure, self._explorer)
            else:
                self._layers = Layers(plan.measure, self._explorer)
        self._linear: LinearMeasure | None = None
        self._count_natively = count_natively
        try:
            self._describe()
        except BaseException:
            self.close()
            raise

    def _describe(self) -> None:
        """Tell the core about variables, actions, properties and the measure."""
        initial: tuple[Any, ...] = self._system.initial_states()[0]  # type: ignore[assignment]
        if isinstance(self._system, Network):
            add_network(self._explorer, self._system)
        else:
            self._describe_model(self._system, initial)
        self._describe_properties()
        self._describe_measure(initial)

    def _describe_measure(self, initial: tuple[Any, ...]) -> None:
        measure = self._plan.measure
        if measure is None:
            return
        if self._parts is not None:
            by_column = self._plan.strategy.order == "column"
            for index, part in enumerate(parts_of(measure)):
                monotone = by_column and part.monotone
                if isinstance(part.function, LocationProgress) and isinstance(self._system, Network):
                    values = add_measure(self._explorer, self._system, part.function, monotone)
                    self._parts.count(index, values)
                else:
                    self._explorer.add_part(self._reading(part.function), monotone, part.order.total)
        else:
            function = self._reading(measure.function)
            self._explorer.set_measure(function)
            if self._count_natively and measure.order is LEXICOGRAPHIC:
                self._linear = linear(measure, self._system.variables, initial, self._reading)
        if self._linear is not None:
            sums = [(one.constant, [(*key, c) for key, c in one.terms.items()]) for one in self._linear.components]
            self._explorer.set_linear_measure(sums, self._linear.most_number)

    def _describe_model(self, model: Model, initial: tuple[Any, ...]) -> None:
        for name, value in zip(model.variables, initial, strict=True):
            kind = model.kinds.get(name) or _KINDS.get(type(value), "scalar")
            capacity = value.capacity if isinstance(value, Queue) else None
            length = len(value) if isinstance(value, Array) else 0
            self._explorer.add_variable(name, kind, length, -1 if capacity is None else min(capacity, MOST_TOKENS))
        for action in model.actions:
            self._explorer.add_action(action.function, dict(action.arguments))

    def _describe_properties(self) -> None:
        predicates = 0
        for asked in self._plan.properties:
            self._explorer.add_property(asked.kind, -1 if asked.predicate is None else predicates)
            if isinstance(self._system, Network) and isinstance(asked.predicate, Formula):
                add_formula(self._explorer, self._system, asked.predicate)
            elif asked.predicate is not None:
                self._explorer.add_predicate(self._reading(asked.predicate))
            predicates += asked.predicate is not None
        for tally in self._plan.tallies:
            assert not tally.edges  # an edge is seen with both its states, which no table can hold
            numbers: dict[Any, int] = {None: -1}
            for predicate in (tally.predicate, tally.store):
                if predicate is not None:
                    self._explorer.add_predicate(self._reading(predicate))
                    numbers[predicate] = predicates
                    predicates += 1
            selected, kept = numbers[tally.predicate], numbers[tally.store]
            self._explorer.add_tally(self._reading(tally.function), selected, kept, tally.dead)

    def _reading(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """A predicate or measure as a function of the core's views."""
        if not isinstance(self._system, Model):
            return function
        reading = self._system.reading(function)
        return (lambda view: reading(WholeValues(view))) if asks_for_types(function) else reading

    def outcome(self) -> Outcome:
        """Run to the end, or to whatever stops it."""
        return self._result(self._start())

    def _start(self) -> Stop | None:
        token = current.set(self._explorer.chooser())
        try:
            roots, settings = list(self._system.initial_states()), self._settings()
            stop = _STOPS[within(self._plan.limits.seconds, lambda: self._explorer.run(roots, settings))]
        except KeyboardInterrupt:
            stop = Stop.INTERRUPTED
        except TimeUp:
            stop = Stop.SECONDS
        except MemoryError:
            stop = Stop.MEMORY
        except RuntimeError as error:
            current.set(None)
            stop = self._explain(error)
        finally:
            current.reset(token)
        return stop

    def close(self) -> None:
        """Let go of the core, whose callbacks refer back to this object."""
        self._explorer.close()

    def _settings(self) -> dict[str, object]:
        plan = self._plan
        return {
            "again": plan.strategy.by_progress and not plan.strategy.once,
            "total_order": plan.measure is None or plan.measure.order.total,
            "depth_first": plan.strategy.order == "depth",
            "cache_size": plan.cache_size or 0,
            "collection": plan.gc.policy if plan.strategy.by_progress else "layer",
            "interval": plan.gc.interval,
            "most_states": plan.limits.states,
            "most_seconds": plan.limits.seconds,
            "most_memory": plan.limits.memory,
            "most_table_memory": plan.table_memory,
            "rewrite_below": REWRITE_BELOW,
            "keep_going": plan.keep_going,
            "survey": plan.survey,
            "fair": [index for index, action in enumerate(self._actions) if action.label in plan.fair],
            "parent_file": None if self._parents is None else self._parents.name,
            "nameless_parent_file": plan.trace_dir is None,
        }

    # -- what the core asks while it runs -----------------------------------------------------------------------------

    def _product(self) -> PartValues:
        assert self._parts is not None
        return self._parts

    def _order(self) -> Layers:
        assert self._layers is not None  # asked only when there is a measure
        return self._layers

    def _tick(self) -> None:
        now = time.perf_counter()
        if now - self._looked >= SNAPSHOT_EVERY:
            self._looked = now
            counted = self._explorer.counters()
            self._observer.snapshot(
                Snapshot(
                    progress=self._progress(counted["layer"]),
                    explored=counted["explored"],
                    edges=counted["edges"],
                    stored=counted["stored"],
                    peak=counted["peak"],
                    unprocessed=counted["states"] - counted["explored"],
                    layers=counted["layers"],
                    seconds=counted["seconds"],
                    memory_bytes=counted["memory_bytes"],
                    sweeps=counted["sweeps"],
                )
            )

    def _collected(self, layer: int, before: int) -> None:
        assert isinstance(self._observer, CollectionObserver)
        counted = self._explorer.counters()
        progress, memory = self._progress(layer), resident_bytes()
        self._observer.collected(
            Collected(progress, before, counted["stored"], counted["explored"], counted["seconds"], memory)
        )

    def _progress(self, layer: int | None) -> object:
        if self._parts is not None:
            return self._parts.value(self._explorer.part_values())
        if self._layers is None or layer is None:
            return None
        if self._linear is None:
            return self._layers.values[layer]
        value: list[object] = []
        for component, number in enumerate(self._explorer.linear_value(layer)):
            variable = self._linear.plain_variable(component)
            value.append(number if variable is None else self._explorer.stored(variable, number))
        return value[0] if self._linear.single else tuple(value)

    def _verify(self, state: State, successors: list[State]) -> None:
        """Compare the successors from tables with those the functions give now."""
        token = current.set(None)
        try:
            edges = self._system.edges(state)
        finally:
            current.reset(token)
        expected, found = Counter(edge.target for edge in edges), Counter(successors)
        if expected != found:
            wrong = [edge.label.action for edge in edges if expected[edge.target] != found[edge.target]]
            raise impure(self._system, state, next((a for a in self._system.actions if a.name in wrong[:1]), None))

    # -- errors: once more in Python ------------------------------------------------------------------------------

    def _explain(self, error: RuntimeError) -> Stop:
        """Raise the error that a broken-off run means; an interruption inside a model is an ordinary end."""
        what, *facts = self._explorer.failure() or ("nothing",)
        if what == "regress":
            raise self._step_back(*facts) from None
        if what == "crowded":
            raise crowded(*facts) from None
        if what == "impure":
            kind, index, state = facts
            self._again(kind, index, state)
            raise impure(self._system, state, self._system.actions[index] if kind == "action" else None) from None
        if what not in ("action", "predicate", "measure", "function"):
            raise error
        index, state, raised = facts
        if isinstance(raised, KeyboardInterrupt | TimeUp):
            self._stopped_in = running(raised, self._plan)
            return Stop.INTERRUPTED if isinstance(raised, KeyboardInterrupt) else Stop.SECONDS
        if isinstance(raised, MemoryError):
            return Stop.MEMORY
        if getattr(raised, "code", None) in NOT_OF_ONE_STATE and isinstance(self._system, Model):
            blamed = self._system.actions[index].blame(raised, self._system.variables)
            raise blamed.add(("state", show(self._system, state)))
        self._again(what, index, state)
        if isinstance(raised, SweepcheckError):
            raise raised
        raise impure(self._system, state, self._system.actions[index] if what == "action" else None) from raised

    def _step_back(self, state: State, layer: int, successor: State, following: int) -> MeasureError:
        """The error for a step that goes back."""
        edge = next(edge for edge in self._system.edges(state) if edge.target == successor)
        if self._parts is None or self._plan.measure is None:
            return regress(self._system, state, self._progress(layer), edge, self._progress(following))
        values = [progress_of(self._system, self._plan.measure, one) for one in (state, successor)]
        told = broken_claim if self._plan.strategy.order == "column" else regress
        return told(self._system, state, values[0], edge, values[1])

    def _again(self, what: str, index: int, state: State) -> None:
        """Do in Python what failed in the core: it raises the error to show."""
        if what == "action":
            self._system.edges(state)
        elif what == "measure" and self._plan.measure is not None:
            progress_of(self._system, self._plan.measure, state)
        elif what == "function":
            evaluate(self._system, self._plan.tallies[index].function, state, WHAT[0])
        else:
            asked = [one for one in self._plan.properties if one.predicate is not None]
            if index < len(asked):
                satisfies(self._system, asked[index], state)
            for tally in self._plan.tallies:
                for predicate, name in ((tally.predicate, WHAT[1]), (tally.store, WHAT[2])):
                    if predicate is not None:
                        evaluate(self._system, predicate, state, name)

    # -- results ---------------------------------------------------------------------------------------------------

    def _result(self, stop: Stop | None) -> Outcome:
        counted = self._explorer.counters()
        again = counted["persistent"] or counted["evicted"]
        names = [action.name for action in self._system.actions]
        regressing: Counter[str] = Counter()
        for name, edges in zip(names, self._explorer.regress_edges(), strict=True):
            regressing[name] += edges
        statistics = Statistics(
            states=None if again else counted["states"],
            edges=counted["edges"],
            explored=counted["explored"],
            peak=counted["peak"],
            layers=counted["layers"],
            sweeps=counted["sweeps"],
            unprocessed=counted["states"] - counted["explored"],
            regress_edges=regressing.total(),
            persistent=counted["persistent"],
            columns=counted["columns"],
            evicted=counted["evicted"],
            dead_states=counted["dead_states"],
            seconds=counted["seconds"],
            memory_bytes=counted["memory_bytes"],
            trace_bytes=counted["trace_bytes"],
            model_seconds=counted["oracle_seconds"],
            state_bytes=counted["state_bytes"],
            table_bytes=counted["table_bytes"],
        )
        rows = list(zip(self._actions, self._explorer.action_counters(), strict=True))
        return Outcome(
            decisions=self._decisions(),
            statistics=statistics,
            stop=stop,
            profile=tuple(self._profile()),
            trace_file=self._kept_file(),
            actions=tuple(
                ActionStatistics(str(action), runs if isinstance(self._system, Model) else 0, *row)
                for action, (runs, *row) in rows
            ),
            tallies=tuple(
                Counted(tuple(zip(values.values, counts, strict=True)), tuple(stored))
                for values, (counts, stored) in zip(self._values, self._explorer.tallies(), strict=True)
            ),
            survey=findings(self._system, self._explorer, whole=stop is None) if self._plan.survey else None,
            regressing=tuple((name, edges) for name, edges in regressing.most_common() if edges),
            idle=tuple(action.label for action, (_, edges, *_) in rows if not edges),
            stopped_in=self._stopped_in,
            trace_lost=self._trace_lost(),
        )

    def _trace_lost(self) -> str | None:
        """Why the core gave the parent file up."""
        error: int = self._explorer.counters()["trace_error"]
        return os.strerror(error) if error else None

    def _kept_file(self) -> Path | None:
        if self._parents is None or self._plan.trace_dir is None or self._trace_lost() is not None:
            return None
        return Path(self._parents.name)

    def _profile(self) -> Iterator[Layer]:
        if self._parts is None:
            yield from (Layer(self._progress(layer), *rest) for layer, *rest in self._explorer.profile())
            return
        numbers, width = self._explorer.profile_values(), len(self._parts)
        for row, (_, *rest) in enumerate(self._explorer.profile()):
            yield Layer(self._parts.value(numbers[row * width : (row + 1) * width]), *rest)

    def _decisions(self) -> tuple[Decision, ...]:
        decided = []
        for asked, found in zip(self._plan.properties, self._explorer.decisions(), strict=True):
            if found is None:
                decided.append(Decision(asked))
                continue
            number, witness, cycle, actions = found
            status = Status.HOLDS if asked.kind is Kind.REACHABLE else Status.VIOLATED
            trace = self._trace(witness, number)
            if trace is not None and asked.kind is Kind.ALWAYS_EVENTUALLY:
                stutters = not self._system.edges(witness)
                steps = (*trace.steps, *(() if stutters else self._steps([witness, *cycle], actions)))
                trace = Trace(trace.initial, steps, loop=len(trace.steps))
            decided.append(Decision(asked, status, witness, trace))
        return tuple(decided)

    def _trace(self, witness: State, number: int | None) -> Trace | None:
        """The way to a state: the core follows the edges, and the model gives their labels."""
        if self._parents is None or self._trace_lost() is not None:
            return None
        if number is None:  # components keep no numbers: the same exploration once more, until it meets the state
            return _search(self._plan, witness)
        root, *positions = Parents.of(self._parents.file).path_to(number)
        token = current.set(self._explorer.chooser())
        try:
            states = self._explorer.follow(root, positions)
        finally:
            current.reset(token)
        if len(states) <= len(positions):
            states.append(None)
        return Trace(states[0], self._steps(states))

    def _steps(self, states: Sequence[State], actions: Sequence[int] = ()) -> tuple[Step, ...]:
        """The edges between states that follow one another, by these actions where they are given."""
        steps: list[Step] = []
        for position, (state, following) in enumerate(pairwise(states)):
            by = self._system.actions[actions[position]].label if actions else None
            edges = (edge for edge in self._system.edges(state) if by is None or edge.label.belongs_to(by))
            edge = next((edge for edge in edges if edge.target == following), None)
            if edge is None:
                raise TraceError(
                    "SC502",
                    f"step {len(steps) + 1} has vanished: the model does something else now than in the exploration",
                    values=[("state", show(self._system, state))],
                    suggestion=IMPURE,
                )
            steps.append(Step(edge.label, following))
        return tuple(steps)

    def look_for(self, target: State) -> Trace | None:
        """The way to one state, instead of any property."""
        self._explorer.add_target(target)
        self._start()
        number, *_ = self._explorer.decisions()[-1]
        return self._trace(target, number)


def _search(plan: Plan, target: State) -> Trace | None:
    searching = replace(plan, properties=(), tallies=(), limits=Limits(), trace_dir=None, verify_actions=False)
    return _explore(searching, Silence(), lambda exploration: exploration.look_for(target))


_KINDS = {Bag: "bag", Queue: "queue", Array: "array"}
_STOPS: dict[str, Stop | None] = {
    "none": None,
    "decided": Stop.DECIDED,
    "violation": Stop.VIOLATION,
    "states": Stop.STATES,
    "seconds": Stop.SECONDS,
    "memory": Stop.MEMORY,
    "interrupted": Stop.INTERRUPTED,
}


def crowded(bag: str) -> RequestError:
    """The error for a bag with more tokens than can be counted here."""
    return RequestError(
        "SC404",
        f"the native engine cannot do this: bag {bag!r} holds more than {MOST_TOKENS:,} tokens",
        suggestion='use engine="reference", or a variable that counts instead of tokens',
    )


def impure(system: System, state: State, action: Action | Event | None) -> ModelError:
    """The error for a function that did something else the second time."""
    return ModelError(
        "SC213",
        f"{'the model' if action is None else f'action {str(action)!r}'} did something else when it was run again",
        where=place(action.function) if isinstance(action, Action) else None,
        values=[("state", show(system, state))],
        suggestion=IMPURE,
    )
