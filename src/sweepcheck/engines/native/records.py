"""The records that the core is given: what it is told of a model and of what is asked, in its own words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sweepcheck._core import (
    PropertyKind,
    TreeNode,
    VariableKind,
)
from sweepcheck.core import tabulated
from sweepcheck.core.equivalence import Naming
from sweepcheck.core.model import State
from sweepcheck.core.recurrence import Loop
from sweepcheck.core.running import Chooser, Disabled, closed_draft, context_with, look, state_text
from sweepcheck.core.structures import Set
from sweepcheck.core.tabulated import Tape, Variable
from sweepcheck.core.values import Array, Bag, Queue, SortKey, alike, settled, sort_key, unfit, unlike
from sweepcheck.engines.native.classes import Check
from sweepcheck.engines.native.dividing import Divided
from sweepcheck.engines.native.effects import asks_one
from sweepcheck.engines.native.failures import crowded
from sweepcheck.engines.native.formulas import CountedTokens, Node
from sweepcheck.engines.native.linear import LinearMeasure
from sweepcheck.engines.native.noticing import Proofs, may_catch
from sweepcheck.engines.native.outsides import outsides
from sweepcheck.engines.native.trees import NonlinearError
from sweepcheck.errors import SweepcheckError

Reading = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The Python that the core makes values and errors with, whatever the model; each is said where it is defined."""

    missing: Callable[[str], SweepcheckError]
    bag: type = Bag
    set: type = Set
    queue: type = Queue
    array: type = Array
    sort_key: Callable[[Any], SortKey] = sort_key
    disabled: type[BaseException] = Disabled
    nonlinear: type[BaseException] = NonlinearError
    unfit: Callable[[Any], str | None] = unfit
    settled: Callable[[Any], Any] = settled
    alike: Callable[[Any, Any], bool] = alike
    proofs: Proofs = field(default_factory=Proofs)
    may_catch: Callable[[object], bool] = may_catch
    asks_one: Callable[[object], bool] = asks_one
    state_text: Callable[[object, Sequence[str]], str] = state_text
    context: Callable[[Chooser], Context] = context_with
    look: Callable[[], None] = look
    outsides: Callable[[Sequence[object]], list[object]] = outsides
    closed: Callable[[], SweepcheckError] = closed_draft
    unlike: Callable[[str, Any, Any], SweepcheckError] = lambda name, first, second: unlike(repr(name), first, second)
    crowded: Callable[[str], SweepcheckError] = crowded

    @property
    def may_notice(self) -> Callable[[object], bool]:
        """Whether a function may notice that a number in question is no int."""
        return self.proofs.may_notice


class ReaderDescription(NamedTuple):
    """A `Reader`: the position of its variable; for each proposition the position of a predicate, or -1 and for each
    action whether it is true after it; and for each stage what it reads to get where.
    """

    variable: int
    propositions: list[tuple[int, list[int]]]
    edges: list[list[tuple[int, int, int]]]
    marked: list[int]
    all_marks: int
    otherwise: int


class RecurrenceDescription(NamedTuple):
    """A `Recurrence`: its propositions as those of a reader, which of them matter one position earlier, its loops."""

    propositions: list[tuple[int, list[int]]]
    earlier: list[int]
    loops: tuple[Loop, ...]


class TreeDescription(NamedTuple):
    """A formula of CTL in normal form, each node after its parts: what it is, its parts, its predicate or -1.

    The claim is one of the nodes, and must be true everywhere, or in initial states.
    """

    nodes: list[tuple[TreeNode, int, int, int]]
    claim: int
    everywhere: bool


class TypedVariable(NamedTuple):
    """A variable with its kind in the core's words."""

    variable: Variable
    kind: VariableKind


class NamedRun(NamedTuple):
    """Variables of one kind, of which there is nothing to say but their names."""

    names: Sequence[str]
    kind: VariableKind


class CountedActions(NamedTuple):
    """The actions that are transitions of a `CountNet`: its arcs, and the positions of its transitions and places."""

    arcs: bytes
    actions: Sequence[int]
    variables: list[int]


class AskedProperty(NamedTuple):
    """A property, with the position of its predicate or -1."""

    kind: PropertyKind
    predicate: int


class CountedFunction(NamedTuple):
    """A tally: its function, and the positions of its predicates or -1."""

    function: Reading | CountedTokens
    predicate: int
    store: int
    dead: bool


class StepFunction(NamedTuple):
    """A predicate about both ends of a step, as a function of two views and the position of the action."""

    function: Callable[[Any, Any, int], Any]
    by_action: bool


class FunctionPart(NamedTuple):
    """A part of a product measure. Not `total`: two of its values may be incomparable."""

    function: Reading
    monotone: bool
    total: bool


class TablePart(NamedTuple):
    """A part that is known in advance: its value for each value of a scalar.

    Not `total`: `above` has for each of its values the bits of those it is at most.
    """

    variable: int
    table: list[int]
    above: list[bytes]
    monotone: bool
    total: bool


class PartDescription(NamedTuple):
    """A `SymmetricPart`, its variables and naming by position; -1 where there is none."""

    cells: list[tuple[int, int]]
    sets: list[int]
    naming: int
    home: tuple[int, int]


class SymmetryDescription(NamedTuple):
    """A `Symmetry`; each naming with a variable whose values it knows."""

    sets: list[tuple[int, bool]]
    parts: list[PartDescription]
    namings: list[tuple[Naming, int]]
    relative: bool


@dataclass(frozen=True, slots=True)
class Description:
    """All that the core is told about a plan. A predicate is a function or the nodes of a formula."""

    vocabulary: Vocabulary
    declared: Sequence[Variable]  # as the model says them, and as the core is told:
    variables: tuple[TypedVariable | NamedRun, ...]
    actions: tuple[tabulated.ActionFunction | tabulated.Synchronisation | None, ...]  # None for those that count:
    counted: CountedActions | None
    predicates: tuple[Reading | list[Node], ...]
    divide: Callable[[int], Divided | None]  # gives the parts of one of them that is run often
    properties: tuple[AskedProperty, ...]
    tallies: tuple[CountedFunction, ...]
    measure: Reading | None  # where it has no parts
    linear: LinearMeasure | None  # the measure, where it is a sum
    parts: tuple[FunctionPart | TablePart, ...]
    initial: Sequence[State]
    target: State | None  # a state to look for
    keys: tuple[Reading, ...]  # where states are equivalent: the parts of their key,
    compared: tuple[int, ...]  # positions of predicates that they must answer alike,
    checks: tuple[Check, ...]  # what else they must answer alike,
    families: tuple[int, ...]  # for each action the number of its family, which is one action then,
    priorities: tuple[int, ...]  # for each action, where the least of those enabled occur; empty where all do
    when: int  # and the position of a cut-off's predicate, or -1;
    symmetry: SymmetryDescription | None  # where they are by symmetry, that
    constraints: tuple[int, ...]  # positions of predicates that explored states satisfy
    depth: int | None  # how many steps are explored
    steps: tuple[StepFunction, ...]
    recurrences: tuple[RecurrenceDescription, ...]
    readers: tuple[ReaderDescription, ...]
    trees: tuple[TreeDescription, ...]
    tapes: Sequence[Tape]
    awaited: tuple[tuple[int, int, int], ...]  # a bit, by the position of its variable; where it is set, where cleared
