"""The native core of sweepcheck."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from sweepcheck.engines.native.exploration import Exploration
from sweepcheck.engines.native.records import Description

MOST_TOKENS: int  # of one bag

class MemoryMark:
    """Knows the most that this process held since it was made."""

    def __init__(self) -> None: ...
    def most(self) -> int: ...

def resident_bytes() -> int:
    """Bytes of physical memory this process holds now."""

def materialise(value: Any) -> Any:
    """The value of a bag, queue or array of a view; anything else is returned as it is."""

# -- files ------------------------------------------------------------------------------------------------------------

class PlainNodes:
    """The places or the transitions of a net."""

    @property
    def count(self) -> int: ...
    @property
    def ids(self) -> list[str]: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def lines(self) -> list[int]: ...

class PlainNet:
    """A place/transition net as a file describes it; arcs are four numbers of 32 bits each, see `core.counting`."""

    @property
    def type(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def places(self) -> PlainNodes: ...
    @property
    def transitions(self) -> PlainNodes: ...
    @property
    def initial(self) -> list[int]: ...
    @property
    def arcs(self) -> bytes:
        """In the order of the file; the kinds are take, put, test, inhibit and reset."""
    @property
    def single(self) -> bytes:
        """For each place whether it holds one token always, and nothing depends on it."""
    def has_ordinary_names(self, reserved: str) -> bool:
        """Whether every node can be called as the file calls it, see `models.pnml.naming`; none by a reserved name."""
    @property
    def counts(self) -> bytes:
        """What the arcs do together, for a `CountNet` of the other places."""

def read_plain_net(text: bytes, begin: int) -> PlainNet | None:
    """The net in a PNML file; None where it has to be read with more care."""

# -- what goes in -----------------------------------------------------------------------------------------------------

class VariableKind(Enum):
    """What a variable holds."""

    SCALAR = 0
    CLOCK = 1
    BAG = 2
    TIMED = 3
    SET = 4
    QUEUE = 5
    ARRAY = 6

class PropertyKind(Enum):
    """The questions that can be asked; TARGET looks for one state."""

    INVARIANT = 0
    REACHABLE = 1
    DEADLOCK = 2
    TARGET = 3
    STEP = 4
    ALWAYS_POSSIBLE = 5
    ALWAYS_EVENTUALLY = 6
    RECURRENCE = 7
    LTL = 8
    CTL = 9

class TreeNode(Enum):
    """What a node of a formula of CTL is: the last three are about some run."""

    TRUE = 0
    PREDICATE = 1
    NOT = 2
    OR = 3
    NEXT = 4
    UNTIL = 5
    ALWAYS = 6

class Fairness:
    """Actions that no run ignores for ever, together, by their positions."""

    def __init__(self, actions: Sequence[int], strong: bool, of: Sequence[int]) -> None: ...
    @property
    def actions(self) -> list[int]: ...
    @property
    def strong(self) -> bool: ...
    @property
    def of(self) -> list[int]: ...

class TermKind(Enum):
    """What a measure that is a sum adds up: variables, sizes, functions with tables."""

    VALUE = 0
    SIZE = 1
    FUNCTION = 2

class FormulaNode(Enum):
    """What a node of a formula is."""

    AMONG = 0
    NOT = 1
    ALL = 2
    SOME = 3
    AT_LEAST = 4
    ENABLED = 5
    PREDICATE = 6

class CollectionPolicy(Enum):
    """When a sweep deletes the states behind it."""

    LAYER = 0
    INTERVAL = 1
    AUTO = 2

class Order(Enum):
    """Which state is next: the oldest, one of a least layer, one with the least key, or the newest."""

    FOUND = 0
    LAYERS = 1
    KEYS = 2
    DEPTH = 3

class OnRegress(Enum):
    """A step that goes back ends the run, or its target is explored in another sweep."""

    FAIL = 0
    PERSIST = 1

class Limits:
    """When to stop."""

    def __init__(self) -> None: ...
    states: int | None
    memory: int | None
    table_memory: int | None
    seconds: float | None
    save_every: float | None
    tick: float

class Sharing:
    """How work is shared among several workers."""

    def __init__(self) -> None: ...
    workers: int
    after: int
    least: int
    batch_size: int
    rehearse_from: float

class WalkSettings:
    """How many random walks, of how many steps at most."""

    def __init__(self) -> None: ...
    walks: int
    depth: int
    seed: int
    together: int
    most_distinct: int

class ComparisonSettings:
    """How far a walk goes on which states are compared."""

    def __init__(self) -> None: ...
    states: int
    edges: int
    seed: int

class Settings:
    """How to explore."""

    def __init__(self) -> None: ...
    order: Order
    total_order: bool
    on_regress: OnRegress
    collection: CollectionPolicy
    interval: int
    cache_size: int
    cuts_off: bool
    limits: Limits
    keep_going: bool
    survey: bool
    graph: bool
    verify: bool
    compare_always: bool
    closes_diamonds: bool
    divides_after: int
    patterns_after: int
    report_collections: bool
    spill: str
    spill_at_once: bool
    resumed_file: str
    resumed_at: int
    edge_file: str
    most_edge_bytes: int
    fair: list[Fairness]
    stuttering: bool
    parent_file: str | None
    nameless_parent_file: bool
    sharing: Sharing
    rewrite_below: int

# -- what comes out ---------------------------------------------------------------------------------------------------

class Stop(Enum):
    """Why a run ended; NONE when every reachable state was processed."""

    NONE = 0
    DECIDED = 1
    VIOLATION = 2
    STATES = 3
    SECONDS = 4
    MEMORY = 5
    INTERRUPTED = 6
    DISK = 7

class Failure:
    """Why a run broke off."""

    class Kind(Enum):
        """What happened."""

        RAISED = 0
        IMPURE = 1
        REGRESS = 2
        CROWDED = 3
        DISAGREEMENT = 4
        DAMAGED = 5
        UNWRITTEN = 6

    class Of(Enum):
        """In which function."""

        ACTION = 0
        PREDICATE = 1
        FUNCTION = 2
        MEASURE = 3
        KEY = 4
        CHECK = 5
        STEP = 6

    @property
    def kind(self) -> Kind: ...
    @property
    def of(self) -> Of: ...
    @property
    def index(self) -> int: ...
    @property
    def state(self) -> Any: ...
    @property
    def error(self) -> BaseException | None: ...
    @property
    def successor(self) -> Any: ...
    @property
    def bag(self) -> str | None: ...
    @property
    def why(self) -> str: ...

class Counters:
    """The numbers of a run; the glossary says what each means."""

    @property
    def states(self) -> int: ...
    @property
    def edges(self) -> int: ...
    @property
    def explored(self) -> int: ...
    @property
    def stored(self) -> int: ...
    @property
    def peak(self) -> int: ...
    @property
    def layers(self) -> int: ...
    @property
    def dead_states(self) -> int: ...
    @property
    def sweeps(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def persistent(self) -> int: ...
    @property
    def evicted(self) -> int: ...
    @property
    def reduced_edges(self) -> int: ...
    @property
    def compared(self) -> int: ...
    @property
    def remembered(self) -> int: ...
    @property
    def beyond(self) -> int: ...
    @property
    def outside_edges(self) -> int: ...
    @property
    def skipped(self) -> int: ...
    @property
    def raised_at(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def model_seconds(self) -> float: ...
    @property
    def rewrites(self) -> int: ...
    @property
    def rewrite_seconds(self) -> float: ...
    @property
    def memory_bytes(self) -> int: ...
    @property
    def state_bytes(self) -> int: ...
    @property
    def table_bytes(self) -> int: ...
    @property
    def start_seconds(self) -> float: ...
    @property
    def vain_walks(self) -> int: ...
    @property
    def closed_edges(self) -> int: ...
    @property
    def workers(self) -> int: ...
    @property
    def worker_seconds(self) -> float: ...
    @property
    def shared_seconds(self) -> float: ...
    @property
    def rehearsed_seconds(self) -> float: ...
    @property
    def scratch_bytes(self) -> int: ...

class ActionResult:
    """What one action did."""

    @property
    def evaluations(self) -> int: ...
    @property
    def edges(self) -> int: ...
    @property
    def regress_edges(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def tabulated(self) -> bool: ...
    @property
    def observes(self) -> tuple[str, ...]: ...
    @property
    def compares(self) -> tuple[str, ...]: ...

class ContentsResult:
    """What a bag or queue held, written down outside of states."""

    @property
    def variable(self) -> str: ...
    @property
    def contents(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def in_states(self) -> bool: ...

class TableResult:
    """What the measure cost, or a part of it, or a summand."""

    @property
    def evaluations(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def observes(self) -> tuple[str, ...]: ...

class LayerResult:
    """A layer as it was left behind."""

    @property
    def progress(self) -> list[int]: ...
    @property
    def states(self) -> int: ...
    @property
    def stored(self) -> int: ...

class DecisionResult:
    """The state that decided a property."""

    @property
    def number(self) -> int | None: ...
    @property
    def state(self) -> Any: ...
    @property
    def cycle(self) -> list[Any]: ...
    @property
    def actions(self) -> list[int]: ...

class TreeWay:
    """A run that shows why E of something is true in a state, as numbers of states."""

    @property
    def path(self) -> list[int]: ...
    @property
    def cycle(self) -> list[int]: ...
    @property
    def lasts(self) -> bool: ...
    @property
    def actions(self) -> list[int]: ...
    @property
    def is_known(self) -> bool: ...

class TallyResult:
    """How often a function had each value."""

    @property
    def counts(self) -> list[int]: ...
    @property
    def values(self) -> list[int]: ...
    @property
    def stored(self) -> list[Any]: ...

class Behaviour:
    """What one action does in the long run."""

    @property
    def live(self) -> bool: ...
    @property
    def impartial(self) -> bool: ...
    @property
    def fair(self) -> bool: ...
    @property
    def just(self) -> bool: ...

class TokenBounds:
    """How often a bag held a token."""

    @property
    def token(self) -> Any: ...
    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int: ...

class BoundsResult:
    """What a variable, or an element of an array, held."""

    @property
    def values(self) -> list[Any]: ...
    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int: ...
    @property
    def tokens(self) -> list[TokenBounds]: ...

class SurveyResult:
    """What a state space report says."""

    @property
    def components(self) -> int: ...
    @property
    def terminal(self) -> int: ...
    @property
    def edges_inside(self) -> int: ...
    @property
    def home_states(self) -> int: ...
    @property
    def infinite_runs(self) -> bool: ...
    @property
    def home(self) -> Any: ...
    @property
    def dead(self) -> list[Any]: ...
    @property
    def bounds(self) -> list[BoundsResult | None]: ...
    @property
    def actions(self) -> list[Behaviour]: ...

class Way:
    """A way through the model: the position of an initial state, and the numbers of edges."""

    @property
    def root(self) -> int: ...
    @property
    def edges(self) -> list[int]: ...

class WalkResult:
    """What random walks came to."""

    @property
    def walks(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def longest(self) -> int: ...
    @property
    def dead_ends(self) -> int: ...
    @property
    def left(self) -> int: ...
    @property
    def distinct(self) -> int: ...
    @property
    def counts_all(self) -> bool: ...
    @property
    def decided(self) -> list[Way | None]: ...

class KindsResult:
    """Which edges of the graph are alike, and one of each kind."""

    @property
    def of(self) -> bytes: ...
    @property
    def sources(self) -> list[int]: ...
    @property
    def edges(self) -> list[int]: ...

class GraphResult:
    """The edges of the graph that was kept, as bytes of 32-bit numbers."""

    @property
    def first(self) -> bytes: ...
    @property
    def targets(self) -> bytes: ...
    @property
    def actions(self) -> bytes: ...
    @property
    def unexplored(self) -> list[int]: ...

class Explorer:
    """One exploration: a description goes in, numbers come out."""

    def __init__(self, description: Description, answers: Exploration) -> None: ...
    def run(self, settings: Settings) -> Stop | Failure: ...
    def walk(self, settings: Settings, asked: WalkSettings) -> Stop | Failure: ...
    def compare(self, settings: Settings, asked: ComparisonSettings) -> Stop | Failure: ...
    @property
    def walked(self) -> WalkResult:
        """What the walks came to."""

    def way_to(self, state: Any) -> Way | None:
        """Of the walks that were to be continued when a function failed: the way to a state."""

    @property
    def violated(self) -> bool: ...
    @property
    def whole(self) -> bool: ...
    def save(self, path: str, over: bool) -> int: ...
    def values(self, variable: int) -> tuple[list, list[int], list, list[int]]: ...  # type: ignore[type-arg]
    def restore(
        self,
        variable: int,
        values: Sequence[Any],
        asked: Sequence[int],
        kinds: Sequence[Any],
        kinds_asked: Sequence[int],
    ) -> bool: ...
    @property
    def spilled_bytes(self) -> int: ...
    @property
    def spills(self) -> int: ...
    def follow(self, root: int, edges: Sequence[int]) -> list[Any]: ...
    def add_value(self, part: int, below: int | None = None) -> int: ...
    def linear_value(self, layer: int) -> list[int]: ...
    def stored(self, variable: int, value: Any) -> Any: ...
    def counted(self, summand: int, number: Any) -> Any: ...
    def close(self) -> None: ...
    @property
    def chooser(self) -> Any: ...
    @property
    def progress(self) -> list[int]: ...
    @property
    def counters(self) -> Counters: ...
    @property
    def edge_bytes(self) -> int: ...
    @property
    def edge_error(self) -> int: ...
    @property
    def trace_bytes(self) -> int: ...
    @property
    def trace_error(self) -> int: ...
    def actions(self) -> list[ActionResult]: ...
    def measure(self) -> list[TableResult]: ...
    def profile(self) -> list[LayerResult]: ...
    def decisions(self) -> list[DecisionResult | None]: ...
    def contents(self) -> list[ContentsResult]: ...
    def tallies(self) -> list[TallyResult]: ...
    def survey(self) -> SurveyResult: ...
    def graph_edges(self) -> GraphResult:
        """Of the graph that was kept."""

    def graph_states(self, first: int, count: int) -> list[Any]:
        """Its states, from one on, so many."""

    def graph_kinds(self, touched: Sequence[Sequence[int]]) -> KindsResult:
        """Which of its edges are alike, by the variables that each action reads and writes."""

    def tree_truths(self, tree: int, number: int) -> list[bool]:
        """After a run, of each node of a formula of CTL, whether it is true of a state."""

    def tree_way(self, tree: int, node: int, number: int) -> TreeWay:
        """After a run, a run that shows why a node which begins with E is true of a state."""

    def graph_number(self, state: Any) -> int | None:
        """The number of a state in it; None if it was not found."""

class Site:
    """The share of one process in an exploration of several."""

    def __init__(
        self,
        explorer: Explorer,
        settings: Settings,
        me: int,
        sites: int,
        digest: Callable[[Any], int | None],
        owner: Sequence[tuple[int, int]],
    ) -> None: ...
    def begin(self, resumes: bool) -> Stop | Failure:
        """Find the initial states that belong here, unless the run is resumed."""

    def learn(self, sender: int, values: list[tuple[int, int, Any]]) -> None:
        """What ids of another site mean: domain, id, value."""

    def receive(self, sender: int, states: bytes) -> Stop | Failure:
        """States that another site found."""

    def restore(self, sender: int, states: bytes) -> Stop | Failure:
        """States that were kept: those that belong here."""

    def work(self, most_states: int, most_bytes: int) -> Stop | Failure:
        """Process what waits in the least layer."""

    def decide(self, shares: Sequence[tuple[int, bytes]]) -> Stop | Failure:
        """Decide what is asked about cycles of a layer, from its open states."""

    def settle(self, questions: Sequence[int]) -> None:
        """Other sites have decided these."""

    def take_open(self) -> tuple[int, bytes]:
        """What was noted as open in the layer at work: how many states, and these."""

    def take(self, to: int) -> tuple[int, bytes]:
        """What waits to be sent to a site: how many states, and these."""

    def values(self, to: int) -> list[tuple[int, int, Any]]:
        """The values that a site was not told of yet: domain, id, value."""

    def kept(self) -> bytes:
        """All that is needed to go on."""

    def leave(self) -> None:
        """Leave the layer that was entered."""

    def flush(self) -> None:
        """Have the parent file complete."""

    def ends_sweep(self) -> bool:
        """Whether another sweep has states to begin with here."""

    def begin_sweep(self) -> None: ...
    def follow(self, state: Any, edges: Sequence[int]) -> list[Any]:
        """The states along a path of edges from a state."""

    @property
    def least(self) -> int | None: ...
    @property
    def waiting(self) -> int: ...
    @property
    def entered(self) -> int | None: ...
    @property
    def here(self) -> int: ...
    @property
    def processed(self) -> int: ...
    @property
    def regress_edges(self) -> int: ...
