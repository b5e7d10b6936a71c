"""Plan: the frozen decision before a run. Outcome: the raw result after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sweepcheck.core.equivalence import CutOff, Equivalence
from sweepcheck.core.fairness import Fairness, Runs
from sweepcheck.core.graph import Graph
from sweepcheck.core.limits import Limits
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Label, State, System
from sweepcheck.core.property import Property
from sweepcheck.core.survey import Survey
from sweepcheck.core.survival import Checkpointing
from sweepcheck.core.verdict import Decision, Stop


@dataclass(frozen=True, slots=True)
class CollectionPolicy:
    """When a sweep deletes the states behind it.

    `layer`: whenever a layer is done. `interval`: after every so many new states (papers 0 and 1). `auto`: an interval
    that shrinks when memory is scarce and grows when little was reclaimed.
    """

    policy: str
    interval: int = 0

    def __str__(self) -> str:
        return str(self.interval) if self.policy == "interval" else self.policy


@dataclass(frozen=True, slots=True)
class Strategy:
    """How to explore and what to forget, as data: the loops are the engines'.

    `order` says which state is next: the oldest ("found"), one of least progress ("progress"), one of least progress in
    the least column ("column"), or the newest ("depth"). `once` promises that each state is processed once and that
    every cycle is stored whole at some moment: sums over states are exact, and questions about cycles can be decided.
    Without it a state may be processed again, so that only idempotent folds (and, or, least, largest, union) are exact.
    """

    name: str
    order: str
    forgets: bool
    once: bool

    @property
    def shows_cycles(self) -> bool:
        """Whether complete layers are shown to whoever asks about cycles: only loops by layers do that."""
        return self.once and self.order in ("found", "progress")

    @property
    def by_progress(self) -> bool:
        """Whether it follows a progress measure."""
        return self.order in ("progress", "column")


class EdgeView:
    """An edge as a fold sees it: views of the state it leaves and of the state it leads to, and its label."""

    __slots__ = ("_find", "source", "target")

    def __init__(self, source: Any, find: Callable[[], Label], target: Any) -> None:
        self.source = source
        self.target = target
        self._find = find  # most folds ask for no label, or for few

    @property
    def label(self) -> Label:
        """The action with its parameters and choices."""
        return self._find()

    def __deepcopy__(self, memo: dict[int, Any]) -> EdgeView:
        label = self.label  # is looked for in the model, which a copy does not need any more
        return EdgeView(deepcopy(self.source, memo), lambda: label, deepcopy(self.target, memo))

    def __repr__(self) -> str:
        return f"EdgeView({self.source} -- {self.label} -> {self.target})"


@dataclass(frozen=True, slots=True)
class Tally:
    """A question about all states instead of one: how often does a function have each of its values?

    It is evaluated on every state that satisfies the predicate; `dead` restricts it to states without successors.
    States that also satisfy `store` are handed back. With `edges` it is about these: its functions get an
    `EdgeView`, and targets are handed back. What is made of an `idempotent` one depends on which values and states
    there are, and not on how often they were met: a largest value, a union, a set of states.
    """

    function: Callable[[Any], Any]
    predicate: Callable[[Any], Any] | None = None
    store: Callable[[Any], Any] | None = None
    dead: bool = False
    edges: bool = False
    idempotent: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    """The answer to a tally: the distinct values with the number of states, and the states stored."""

    values: tuple[tuple[Any, int], ...]
    stored: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition that explored states satisfy: one that does not is found and judged, and its edges not followed."""

    name: str
    predicate: Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class Bound:
    """How far to explore: as far as all constraints hold and, where `depth` is given, so many steps.

    `constraints` are those of the model, or asked for in their place. `up_to` is what was asked for with that option,
    as it was written; a condition of it is one of `conditions` too, behind them. It says how far a run goes and nothing
    of the system, so that equivalent states need not agree on it.
    """

    constraints: tuple[Constraint, ...] = ()
    up_to: str | None = None
    condition: Constraint | None = None
    depth: int | None = None

    @property
    def conditions(self) -> tuple[Constraint, ...]:
        """All that a state has to satisfy to be explored."""
        return self.constraints if self.condition is None else (*self.constraints, self.condition)


@dataclass(frozen=True, slots=True)
class Source:
    """The file that a model was loaded from, and what it was loaded with."""

    reference: str
    parameters: Mapping[str, object]
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Several processes that share a run: where they are to be found, how many, and how each gets to know the plan.

    `asked` are the options of the request, as plain data. `folder` is where they keep, every so many seconds, what is
    needed to go on: a path, or an address that fsspec knows.
    """

    address: str
    processes: int | None
    folder: str | None
    every: float
    source: Source
    asked: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """All that an engine needs to know. `fair` is what no run ignores for ever."""

    system: System
    properties: tuple[Property, ...]
    strategy: Strategy
    measure: Measure | None
    gc: CollectionPolicy
    limits: Limits
    keep_going: bool
    trace: bool
    trace_dir: Path | None
    engine: str
    engine_reason: str
    verify_actions: bool
    table_memory: int  # bytes
    workers: int  # threads that may share the work
    tallies: tuple[Tally, ...]
    fair: tuple[Fairness, ...]
    stuttering: bool  # runs may end in any state
    strategy_reason: str | None  # where it is neither what was asked for nor the usual default
    cache_size: int | None
    survey: bool  # a state space report is asked for
    graph: bool  # the state space is kept as a graph
    equivalence: Equivalence | None  # one state of each class is explored
    cutoff: CutOff | None  # a state whose class is stored or remembered is not explored; then `equivalence` is None
    verify_equivalence: bool  # compare every state met with the one that stands for its class
    bound: Bound | None  # which states are not explored
    checkpoint: Checkpointing | None  # where it is written down how far the run is
    spill: Path | None  # the folder for states that memory has no room for
    cluster: Cluster | None = None  # who shares the run, if anybody does

    @property
    def runs(self) -> Runs:
        """Which runs count."""
        return Runs(self.fair, self.stuttering)

    @property
    def classes(self) -> Equivalence | None:
        """Which states are one class, be it to explore one of them or to stop at the others."""
        return self.equivalence if self.cutoff is None else self.cutoff.equivalence

    def cut_short(self, beyond: int) -> Stop | None:
        """Why a run is not complete that went on to the end, and left so many states beyond the bound unexplored."""
        if not beyond or self.bound is None:
            return None
        return Stop.CONSTRAINT if self.bound.up_to is None else Stop.BOUND

    @property
    def awaits(self) -> bool:
        """Whether states have a memory of their run, so that one of the model's may be found with each."""
        return any(asked.remembers for asked in self.properties)

    @property
    def about_cycles(self) -> bool:
        """Whether what is asked needs every cycle to be stored whole at some moment."""
        return self.survey or not all(asked.kind.decided_by_states for asked in self.properties)


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer as it was left behind: its progress value, the states processed in it, and those stored at its end."""

    progress: object
    states: int
    stored: int


@dataclass(frozen=True, slots=True)
class Shared:
    """How several processes shared a run: in so many supersteps, after each of which states travelled between them.

    `efficiency` is the share of the time of all processes in which they were at work, and did not wait for others.
    """

    processes: int
    steps: int
    sent_states: int
    sent_bytes: int
    efficiency: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """The numbers that are printed; the glossary says what each means.

    `states` is None when states may have been found more than once: then nobody knows how many distinct ones there are.
    `working`, `waiting` and `in_python` are shares of the time of all `workers`; where there is one, it never waits.
    Under an equivalence, states are `classes`, and edges of one action between the same two classes are one of `edges`,
    where `labelled_edges` has each. `compared` counts the states that were compared with another one of their class,
    `verified` says whether that was all of them. `remembered` are the classes that a cut-off keeps, `skipped` the edges
    to such a class that is stored no more; `grows` says whether progress still rose in the second half of the run.
    `beyond` are the states that were found past a bound and not explored, `outside_edges` the edges to states that do
    not satisfy a constraint. `edge_bytes` is the size of all edges, which CTL needs on its way back.
    """

    states: int | None
    edges: int
    explored: int
    peak: int
    layers: int
    sweeps: int
    dead_states: int
    seconds: float
    memory_bytes: int
    trace_bytes: int
    model_seconds: float | None = None
    state_bytes: int | None = None
    table_bytes: int | None = None
    workers: int = 1
    working: float | None = None
    waiting: float | None = None
    in_python: float | None = None
    scratch_bytes: int | None = None
    rewrites: int | None = None
    rewrite_seconds: float | None = None
    unprocessed: int = 0
    regress_edges: int = 0
    persistent: int = 0
    columns: int = 0
    evicted: int = 0
    classes: int | None = None
    labelled_edges: int | None = None
    compared: int | None = None
    verified: bool | None = None
    remembered: int = 0
    skipped: int = 0
    grows: bool | None = None
    beyond: int = 0
    outside_edges: int = 0
    shared: Shared | None = None  # where several processes did
    edge_bytes: int = 0


@dataclass(frozen=True, slots=True)
class ActionStatistics:
    """What one action cost: how often its function ran, the edges it made, and the variables it looks at.

    `evaluations` are runs of the Python function; every other outcome came from the action's table. Of the numbers in
    the variables that it `compares`, only the answers of comparisons are in the table.
    """

    action: str
    evaluations: int
    edges: int
    seconds: float
    tabulated: bool
    observes: tuple[str, ...]
    compares: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ContentsStatistics:
    """What a bag or queue held, written down outside of states: so many different `contents`.

    `in_states`: they did not fit into states, which have their numbers. Else functions looked at all that it held.
    """

    variable: str
    contents: int
    bytes: int
    in_states: bool


@dataclass(frozen=True, slots=True)
class MeasureStatistics:
    """What the measure cost, where it was run at all: that function of it which ran most often.

    `summand`: it is one of several that the engine adds up; `of_sums`: one that is a function of sums, which are added
    up in every state. `obstacle` says why the measure is no such sum.
    """

    evaluations: int
    table_bytes: int
    observes: tuple[str, ...]
    summand: bool
    obstacle: str | None = None
    of_sums: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an engine hands back. `stop` is None when every reachable state was processed.

    `regressing` has the actions with regress edges and how many, most first. `idle` are the actions without an edge.
    `stopped_in` is the function of the model that was running when the run was broken off, `trace_lost` why traces
    could not be written, `unwritten` what else could not, a line each. `start_seconds` were spent in what makes initial
    states. `vain_walks` counts how often an engine with tables looked for an action that was disabled, `closed_edges`
    the edges that it did not have to look up, since they lead where another order of the same steps had led.
    """

    decisions: tuple[Decision, ...]
    statistics: Statistics
    stop: Stop | None
    profile: tuple[Layer, ...]
    trace_file: Path | None
    actions: Sequence[ActionStatistics] = ()
    contents: tuple[ContentsStatistics, ...] = ()
    measure: MeasureStatistics | None = None
    tallies: tuple[Counted, ...] = ()
    regressing: tuple[tuple[str, int], ...] = ()
    survey: Survey | None = None
    graph: Graph | None = None
    idle: tuple[Label, ...] = ()
    stopped_in: str | None = None
    trace_lost: str | None = None
    unwritten: tuple[str, ...] = ()
    start_seconds: float = 0.0
    vain_walks: int = 0
    closed_edges: int = 0
