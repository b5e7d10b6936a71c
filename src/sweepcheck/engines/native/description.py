"""What the core is told, in one piece: variables, functions or tables, questions, and the measure."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from math import inf
from typing import Any

from sweepcheck._core import (
    MOST_TOKENS,
    CollectionPolicy,
    Fairness,
    OnRegress,
    Order,
    PropertyKind,
    Settings,
    TreeNode,
    VariableKind,
)
from sweepcheck.core import tabulated
from sweepcheck.core.automaton import Reader
from sweepcheck.core.counting import rows
from sweepcheck.core.declaration import takes_action
from sweepcheck.core.equivalence import Equivalence, Naming, Symmetry
from sweepcheck.core.formula import Among, Formula
from sweepcheck.core.measure import LEXICOGRAPHIC, Measure
from sweepcheck.core.model import State
from sweepcheck.core.observer import CollectionObserver, Observer
from sweepcheck.core.plan import Plan, Tally
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.running import unknown_variable
from sweepcheck.core.tabulated import NamedVariables, TableMeasure, Tables, Tabulated, Variable
from sweepcheck.core.temporal import Op, Proposition
from sweepcheck.engines.checkpoints import Checkpoint
from sweepcheck.engines.native.classes import Check, key_parts
from sweepcheck.engines.native.dividing import Divided, divided
from sweepcheck.engines.native.folds import Few, Folding
from sweepcheck.engines.native.formulas import CountedTokens, Node, Positions, nodes_of
from sweepcheck.engines.native.linear import linear
from sweepcheck.engines.native.noticing import Proofs
from sweepcheck.engines.native.records import (
    AskedProperty,
    CountedActions,
    CountedFunction,
    Description,
    FunctionPart,
    NamedRun,
    PartDescription,
    ReaderDescription,
    Reading,
    RecurrenceDescription,
    StepFunction,
    SymmetryDescription,
    TablePart,
    TreeDescription,
    TypedVariable,
    Vocabulary,
)
from sweepcheck.engines.native.whole_values import WholeValues, asks_for_types, or_whole
from sweepcheck.engines.progress import parts_of
from sweepcheck.engines.tallies import kept
from sweepcheck.logic.normal import existential
from sweepcheck.properties.ctl import claim, everywhere, tree_nodes
from sweepcheck.properties.product import HIDDEN

SHARE_AFTER = 1 << 14  # states explored before several workers share the work,
SHARE_LEAST = 1 << 11  # and unprocessed states of a layer, divided by the workers
BATCH_SIZE = 64  # states that one of them expands at a time
REHEARSE_FROM: float | None = (
    None  # seconds; tests: functions that take so long are run by several threads, whatever Python it is
)
SPILL_AT_ONCE = False  # states go to the disk as if memory were scarce from the beginning: for tests
REWRITE_BELOW = 1 << 14  # stored states: so few are always rewritten when a variable outgrows its bits
COUNT_DIRECTLY = True  # transitions that only count are fired by the core itself: off in tests alone
CLOSES_DIAMONDS = True  # edges that lead where another order of the same steps has led are not looked up: off in tests
DIVIDES = True  # predicates that are run often are asked part by part: off in tests
DIVIDES_AFTER = 1 << 10  # runs; fewer in tests
COMPARE_ALWAYS = False  # functions compare numbers from the start, be it the better or not: for tests
TICK = 0.05  # seconds between two looks at the clock and at what tables take; none in tests
MOST_STARTS = 100  # initial states whose values are looked at before functions get numbers in question
PATTERNS_AFTER = 32  # runs of an action: then what it does with numbers may be a pattern; fewer in tests


def by_parts(plan: Plan, measure: Measure) -> bool:
    """Whether states are told apart by the parts of a product measure, without layers.

    What is asked about cycles is answered layer by layer.
    """
    if plan.strategy.order == "column":
        return True
    if plan.cutoff is not None:  # a layer may be entered again
        return False
    if plan.checkpoint is not None or plan.spill is not None:  # layers can be written down, and sent away
        return False
    return bool(measure.parts) and measure.order.rank is not None and not plan.about_cycles


class _Asked:
    """The predicates of what is asked, in the order in which they were given a position."""

    def __init__(self, system: Tabulated, tables: Tables, few: Few) -> None:
        self._system = system
        self._positions = Positions(system, tables)
        self._folding = Folding(_has_parts(tables), few)
        self.predicates: list[Reading | list[Node]] = []
        self._given: list[Reading] = []  # as the model has them
        self.steps: list[StepFunction] = []
        self.awaited: list[tuple[int, int, int]] = []
        self.recurrences: list[RecurrenceDescription] = []
        self.readers: list[ReaderDescription] = []
        self.trees: list[TreeDescription] = []
        self.compared: list[int] = []  # positions of those that have a value in all states

    def position(self, predicate: Reading | None) -> int:
        """Where a predicate stands; -1 for none."""
        if predicate is None:
            return -1
        nodes = nodes_of(predicate, self._positions) if isinstance(predicate, Formula) else None
        folding = predicate if nodes is not None else self._folding.function(predicate)
        self._given.append(predicate)
        self.predicates.append(_reading(self._system, folding) if nodes is None else nodes)
        return len(self.predicates) - 1

    def divide(self, position: int) -> Divided | None:
        """The parts of a predicate that is run often."""
        found = divided(self._given[position]) if DIVIDES and position < len(self._given) else None
        if found is None:
            return None
        parts = [_reading(self._system, self._folding.function(one)) for one in found.parts]
        return found._replace(parts=parts)

    def _everywhere(self, predicate: Reading | None) -> int:
        """The position of one that has a value in all states."""
        position = self.position(predicate)
        if position >= 0:
            self.compared.append(position)
        return position

    def value(self, function: Reading) -> Reading | CountedTokens:
        """The function of a tally: a number of tokens that the core counts by itself, or one that it asks."""
        return self._positions.tokens(function) or _keeping(_reading(self._system, function))

    def property(self, one: Property) -> AskedProperty:
        """A property by its predicates; what leads to what is a question about a bit that is set by two others."""
        if one.kind is Kind.STEP:
            self.steps.append(_step_function(self._system, one))
            return AskedProperty(PropertyKind.STEP, len(self.steps) - 1)
        if one.recurrence is not None:
            found = one.recurrence
            said = self._propositions(found.propositions)
            self.recurrences.append(RecurrenceDescription(said, list(found.earlier), found.loops))
            return AskedProperty(PropertyKind.RECURRENCE, len(self.recurrences) - 1)
        if one.reader is not None:
            self.readers.append(self._reader(one, one.reader))
            return AskedProperty(PropertyKind.LTL, len(self.readers) - 1)
        if one.kind is Kind.CTL:
            self.trees.append(self._tree(one))
            return AskedProperty(PropertyKind.CTL, len(self.trees) - 1)
        if one.kind is not Kind.LEADS_TO:
            predicate = self._everywhere(one.predicate) if _always(one) else self.position(one.predicate)
            return AskedProperty(PropertyKind[one.kind.name], predicate)
        bit = HIDDEN + one.name
        since, until = self._everywhere(one.predicate), self._everywhere(one.goal)
        self.awaited.append((self._system.variables.index(bit), since, until))
        return AskedProperty(PropertyKind.ALWAYS_EVENTUALLY, self.position(Among(bit, frozenset({False}))))

    def _tree(self, one: Property) -> TreeDescription:
        assert one.formula is not None
        numbers = {node: number for number, node in enumerate(tree_nodes(one.formula))}
        nodes = []
        for node in numbers:
            run = node.parts[0] if node.op is Op.SOME_RUN else node
            left, right = ([numbers[part] for part in run.parts] + [0, 0])[:2]
            function = self._everywhere(node.function) if isinstance(node, Proposition) else -1
            nodes.append((_TREE_NODES[run.op], left, right, function))
        asked = everywhere(one.formula)
        return TreeDescription(nodes, numbers[existential(claim(one.formula))], asked is not None)

    def _propositions(self, of: Sequence[Proposition]) -> list[tuple[int, list[int]]]:
        labels = [action.label for action in self._system.actions]
        return [
            (self._everywhere(said.function), [int(any(label.belongs_to(a) for a in said.actions)) for label in labels])
            for said in of
        ]

    def _reader(self, one: Property, reader: Reader) -> ReaderDescription:
        propositions = self._propositions(reader.propositions)
        edges = [[(edge.needs, edge.forbids, edge.target) for edge in of] for of in reader.edges]
        otherwise = -1 if reader.otherwise is None else reader.otherwise
        variable = self._system.variables.index(HIDDEN + one.name)
        return ReaderDescription(variable, propositions, edges, list(reader.marked), reader.all_marks, otherwise)


def describe(
    plan: Plan, system: Tabulated, count_natively: bool, target: State | None, few: Few | None = None
) -> Description:
    """Everything about a plan. `count_natively`: a measure that is a sum is computed by the core. `few`: see there."""
    few = few or Few()
    tables, measure = system.tabulate(), plan.measure
    initial: Sequence[Any] = system.initial_states()
    asked = _Asked(system, tables, few)
    position = asked.position
    properties = [asked.property(one) for one in plan.properties]
    tallies = []
    for tally in plan.tallies:
        if tally.edges:  # an edge is seen with both its states, which no table can hold: see `EdgeFolds`
            continue
        chosen, kept = position(tally.predicate), position(tally.store)
        tallies.append(CountedFunction(asked.value(tally.function), chosen, kept, tally.dead))
    when = position(None if plan.cutoff is None else plan.cutoff.when)
    constraints = tuple(position(one.predicate) for one in plan.bound.conditions) if plan.bound is not None else ()
    counted = _counted_actions(system, tables)
    actions = _actions(tables, counted, few)
    whole = None if measure is None or by_parts(plan, measure) else measure
    is_sum = count_natively and whole is not None and whole.order is LEXICOGRAPHIC
    return Description(
        vocabulary=Vocabulary(
            partial(unknown_variable, names=tuple(system.variables)),
            proofs=Proofs(actions, initial[:MOST_STARTS]),
        ),
        declared=tables.variables,
        variables=tuple(_typed(tables.variables)),
        actions=actions,
        counted=counted,
        predicates=tuple(asked.predicates),
        divide=asked.divide,
        properties=tuple(properties),
        tallies=tuple(tallies),
        measure=None if whole is None else _reading(system, whole.function),
        linear=linear(whole, system.variables, initial[0], partial(_reading, system)) if whole and is_sum else None,
        parts=tuple(_parts(plan, system, tables, measure)) if measure is not None and whole is None else (),
        initial=initial,
        target=target,
        keys=() if plan.classes is None else _keys(plan.classes, system),
        compared=(*asked.compared, *constraints[: 0 if plan.bound is None else len(plan.bound.constraints)]),
        checks=tuple(_checks(plan, system)),
        families=() if plan.classes is None else tuple(_families(system)),
        priorities=_ranks(system),
        when=when,
        symmetry=None if plan.classes is None else _symmetry(plan.classes.symmetry, tables),
        constraints=constraints,
        depth=None if plan.bound is None else plan.bound.depth,
        steps=tuple(asked.steps),
        recurrences=tuple(asked.recurrences),
        readers=tuple(asked.readers),
        trees=tuple(asked.trees),
        tapes=tables.tapes,
        awaited=tuple(asked.awaited),
    )


def _typed(variables: Sequence[Variable]) -> Iterator[TypedVariable | NamedRun]:
    """All variables. Of those that have nothing but names as many at once as are of one kind."""
    if not isinstance(variables, NamedVariables):
        yield from (TypedVariable(one, _KINDS[one.kind.value]) for one in variables)
        return
    begin = 0
    for kind, alike in groupby(variables.kinds):
        end = begin + sum(1 for _ in alike)
        yield NamedRun(variables.names[begin:end], _KINDS[kind.value])
        begin = end


def _keys(classes: Equivalence, system: Tabulated) -> tuple[Reading, ...]:
    """The parts of the key, and what is known of a run: states that differ in it are not equivalent."""
    parts = key_parts(classes)
    hidden = [name for name in system.variables if name.startswith(HIDDEN)] if parts else []
    return (*(_reading(system, part) for part in parts), *(partial(_hidden, name) for name in hidden))


def _hidden(name: str, view: Any) -> Any:
    return getattr(view, name)


def _symmetry(symmetry: Symmetry | None, tables: Tables) -> SymmetryDescription | None:
    if symmetry is None:
        return None
    numbers = {one.name: number for number, one in enumerate(tables.variables)}
    namings: dict[int, tuple[Naming, int]] = {}
    parts = []
    for part in symmetry.parts:
        cells = [(numbers[name], at) for name, at in (*part.cells, part.home)]
        if part.naming is not None:
            namings.setdefault(id(part.naming), (part.naming, cells[-1][0]))
        naming = list(namings).index(id(part.naming)) if part.naming is not None else -1
        parts.append(PartDescription(cells[:-1], list(part.sets), naming, cells[-1]))
    return SymmetryDescription(list(symmetry.sets), parts, list(namings.values()), symmetry.relative)


def _families(system: Tabulated) -> Iterator[int]:
    """For each action the number of its family."""
    numbers: dict[str, int] = {}
    for one in system.actions:
        yield numbers.setdefault(one.label.action, len(numbers))


def _ranks(system: Tabulated) -> tuple[int, ...]:
    """The priorities in small numbers, of which only the order matters."""
    given = system.priorities()
    ranks = {number: rank for rank, number in enumerate(sorted(set(given or ())))}
    return tuple(ranks[one] for one in given or ()) if len(ranks) > 1 else ()


def _step_function(system: Tabulated, asked: Property) -> StepFunction:
    predicate: Any = asked.predicate
    whole = asks_for_types(predicate)
    seen = system.reading(lambda view: view)  # a state as the modeller knows it

    def shown(view: Any) -> Any:
        return seen(WholeValues(view) if whole else view)

    if not takes_action(predicate):
        return StepFunction(lambda old, new, _: predicate(shown(old), shown(new)), False)
    names = [action.label.action for action in system.actions]
    return StepFunction(lambda old, new, action: predicate(shown(old), shown(new), names[action]), True)


def _has_parts(tables: Tables) -> bool:
    """Whether there is something of which functions may look at a part: bags, sets, queues."""
    return any(one.kind.is_bag or one.kind is tabulated.VariableKind.QUEUE for one in tables.variables)


def _folding(folding: Folding, action: Any) -> Any:
    """An action whose function asks for many elements at once."""
    function = getattr(action, "function", None)
    made = None if function is None else folding.function(function)
    return action if made is function else replace(action, function=made)


def _counted_actions(system: Tabulated, tables: Tables) -> CountedActions | None:
    """The actions of which numbers say all that they do; without those whose numbers no bag can have."""
    if not COUNT_DIRECTLY or (net := system.count_net()) is None:
        return None
    numbers = {name: number for number, name in enumerate(tables.names())}
    variables = [numbers[place] for place in net.places]
    if max(array("I", net.arcs)[3::4], default=0) <= MOST_TOKENS:
        return CountedActions(net.arcs, net.actions, variables)
    crowded = {transition for transition, _, _, count in rows(net.arcs) if count > MOST_TOKENS}
    fits = [number for number in range(len(net.actions)) if number not in crowded]
    new = {number: position for position, number in enumerate(fits)}
    left = [number for one, *row in rows(net.arcs) if one in new for number in (new[one], *row)]
    return CountedActions(array("I", left).tobytes(), [net.actions[number] for number in fits], variables)


def _actions(tables: Tables, counted: CountedActions | None, few: Few) -> tuple[Any, ...]:
    """What each action does that does not only count: tables or functions."""
    if counted is None:
        folding = Folding(True, few)  # actions may choose from lists, whatever the variables are
        return tuple(_folding(folding, one) for one in tables.actions)
    if len(counted.actions) == len(tables.actions):
        return (None,) * len(tables.actions)
    count = set(counted.actions)
    return tuple(None if number in count else tables.actions[number] for number in range(len(tables.actions)))


def _always(asked: Property) -> bool:
    """Whether a property has a predicate that has a value in all states."""
    return (
        asked.kind is not Kind.STEP
        and asked.predicate is not None
        and (asked.kind is not Kind.DEADLOCK or isinstance(asked.predicate, Formula))
    )


def _checks(plan: Plan, system: Tabulated) -> list[Check]:
    """What equivalent states must answer alike and no predicate says: folds, and what is asked of dead states alone."""
    if plan.classes is None:
        return []
    final = [one.predicate for one in plan.properties if one.predicate is not None and not _always(one)]
    return [
        *(Check(_truth(_reading(system, predicate)), lenient=True) for predicate in final),
        *(Check(_counted(system, tally), lenient=tally.dead) for tally in plan.tallies if not tally.edges),
    ]


def _truth(predicate: Reading) -> Reading:
    return lambda view: bool(predicate(view))


def _counted(system: Tabulated, tally: Tally) -> Reading:
    function, predicate, store = (
        None if one is None else _reading(system, one) for one in (tally.function, tally.predicate, tally.store)
    )
    assert function is not None

    def counted(view: Any) -> Any:
        if predicate is not None and not predicate(view):
            return "not counted"
        return kept(function(view)), store is not None and bool(store(view))

    return counted


def _keeping(function: Reading) -> Reading:
    return lambda view: kept(function(view))


_TREE_NODES = {
    Op.TRUE: TreeNode.TRUE,
    Op.PROPOSITION: TreeNode.PREDICATE,
    Op.NOT: TreeNode.NOT,
    Op.OR: TreeNode.OR,
    Op.NEXT: TreeNode.NEXT,
    Op.UNTIL: TreeNode.UNTIL,
    Op.ALWAYS: TreeNode.ALWAYS,
}
_KINDS = {kind.value: VariableKind.__members__.get(kind.name, VariableKind.SCALAR) for kind in tabulated.VariableKind}


def _reading(system: Tabulated, function: Reading) -> Reading:
    """A predicate or measure as a function of the core's views."""
    reading = system.reading(function)
    return (lambda view: reading(WholeValues(view))) if asks_for_types(function) else or_whole(reading)


def _parts(plan: Plan, system: Tabulated, tables: Tables, measure: Measure) -> list[FunctionPart | TablePart]:
    by_column = plan.strategy.order == "column"
    known = {one.name: (number, one.values) for number, one in enumerate(tables.variables) if one.values}
    found: list[FunctionPart | TablePart] = []
    for part in parts_of(measure):
        monotone = by_column and part.monotone
        if isinstance(part.function, TableMeasure) and part.function.variable in known:
            number, values = known[part.function.variable]
            table, above = [part.function.table[value] for value in values], part.function.above
            size = (max(table) + 8) // 8  # bytes for a bit of each value
            rows = [] if above is None else [bits.to_bytes(size, "little") for bits in above]
            found.append(TablePart(number, table, rows, monotone, above is None))
        else:
            found.append(FunctionPart(_reading(system, part.function), monotone, part.order.total))
    return found


def _order(plan: Plan) -> Order:
    if plan.measure is None:
        return Order.DEPTH if plan.strategy.order == "depth" else Order.FOUND
    return Order.KEYS if by_parts(plan, plan.measure) else Order.LAYERS


def _rehearse_from() -> float:
    """Seconds that functions have to take for several threads to run them before their turn, where Python lets them."""
    if REHEARSE_FROM is not None:
        return REHEARSE_FROM
    return inf if getattr(sys, "_is_gil_enabled", lambda: True)() else 5e-6


def _fields(system: Tabulated, names: Sequence[str]) -> list[int]:
    """The positions of variables in the core, where each element of an array has one."""
    if not names:
        return []
    asked, first = set(names), 0
    found: list[int] = []
    for name, one in zip(system.variables, system.tabulate().variables, strict=True):
        length = one.length if one.kind is tabulated.VariableKind.ARRAY else 1
        if name in asked:
            found += range(first, first + length)
        first += length
    return found


def settings(
    plan: Plan,
    system: Tabulated,
    observer: Observer,
    parent_file: str | None,
    edge_file: str | None,
    resumed: Checkpoint | None,
) -> Settings:
    """How the core is to explore."""
    chosen = Settings()
    chosen.order = _order(plan)
    chosen.on_regress = OnRegress.PERSIST if plan.strategy.by_progress and not plan.strategy.once else OnRegress.FAIL
    chosen.total_order = plan.measure is None or plan.measure.order.total
    chosen.cache_size = plan.cache_size or 0
    chosen.cuts_off = plan.cutoff is not None
    if plan.strategy.by_progress:
        chosen.collection = CollectionPolicy[plan.gc.policy.upper()]
    chosen.interval = plan.gc.interval
    chosen.limits.states = plan.limits.states
    chosen.limits.seconds = plan.limits.seconds
    chosen.limits.memory = plan.limits.memory
    chosen.limits.table_memory = plan.table_memory
    chosen.limits.tick = TICK
    chosen.sharing.workers = plan.workers
    chosen.sharing.after = SHARE_AFTER
    chosen.sharing.least = SHARE_LEAST
    chosen.sharing.batch_size = BATCH_SIZE
    chosen.sharing.rehearse_from = _rehearse_from()
    chosen.rewrite_below = REWRITE_BELOW
    chosen.keep_going = plan.keep_going
    chosen.survey = plan.survey
    chosen.graph = plan.graph
    chosen.verify = plan.verify_actions
    chosen.compare_always = COMPARE_ALWAYS
    chosen.closes_diamonds = CLOSES_DIAMONDS
    chosen.divides_after = DIVIDES_AFTER
    chosen.patterns_after = PATTERNS_AFTER
    chosen.report_collections = isinstance(observer, CollectionObserver)
    chosen.fair = [
        Fairness(
            [index for index, action in enumerate(system.actions) if action.label in one.actions],
            one.strong,
            _fields(system, one.of),
        )
        for one in plan.fair
    ]
    chosen.stuttering = plan.stuttering
    chosen.edge_file = edge_file or ""
    if plan.limits.disk:
        chosen.most_edge_bytes = plan.limits.disk
    chosen.parent_file = parent_file
    chosen.nameless_parent_file = plan.trace_dir is None and plan.checkpoint is None
    if plan.checkpoint is not None:
        chosen.limits.save_every = plan.checkpoint.every
    if resumed is not None:
        chosen.resumed_file, chosen.resumed_at = str(resumed.path), resumed.begin
    if plan.spill is not None:
        chosen.spill = str(plan.spill)
        chosen.spill_at_once = SPILL_AT_ONCE
    return chosen
