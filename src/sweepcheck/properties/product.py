"""The product of a model with what its runs have met: one variable more for each property that has to know that.

For `leads_to` it is a bit: set where the predicate holds, cleared where the goal does, else what it was before the
step. For LTL it is the stage of an automaton that reads the run (`core/automaton.py`), which may have several ways to
go on. As a part of the state it survives whatever a sweep forgets. Predicates, measures and people see the states as
they were.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from sweepcheck.core.fairness import Runs
from sweepcheck.core.model import Edge, Label, State, System
from sweepcheck.core.property import Property
from sweepcheck.core.tabulated import Tables, Tabulated, Variable, is_tabulated
from sweepcheck.core.temporal import Proposition
from sweepcheck.core.trace import Step, Trace
from sweepcheck.properties.evaluation import truth

Predicate = Callable[[Any], object]
Memory = tuple[int, ...]  # what is known of the run so far: a number for each property
HIDDEN = "\0awaited "  # what the names of the variables begin with: no name that a function or an expression can use


class Marked(NamedTuple):
    """A state of a system that is not tabulated, with what is known of the run."""

    state: State
    memory: Memory


def true_of(system: System, asked: Property, one: Proposition, state: State, label: Label | None) -> bool:
    """Whether a proposition is true at a position of a run: of its state, or of the step that led there."""
    if one.function is None:
        return label is not None and any(label.belongs_to(action) for action in one.actions)
    return truth(system, one.function, state, f"{one} of {asked.kind} {asked.name!r}")


def letter_of(
    system: System, asked: Property, propositions: Sequence[Proposition], state: State, label: Label | None
) -> int:
    """What is true at a position of a run, as bits."""
    return sum(1 << number for number, one in enumerate(propositions) if true_of(system, asked, one, state, label))


class Product:
    """A system whose states have the memory too. All that is not about states is the system's own."""

    def __init__(self, system: System, asked: Sequence[Property]) -> None:
        self.system = system
        self.asked = tuple(asked)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.system, name)

    def joined(self, state: State, memory: Memory) -> State:
        """A state with its memory."""
        return Marked(state, memory)

    def parted(self, state: State) -> tuple[State, Memory]:
        """The state and its memory."""
        return cast("Marked", state)

    def _marked(self, state: State, before: Memory, label: Label | None) -> list[State]:
        """A state that a step leads to, with all that may be remembered then."""
        ways = [self._next(one, known, state, label) for one, known in zip(self.asked, before, strict=True)]
        return [self.joined(state, memory) for memory in itertools.product(*ways)]

    def _next(self, asked: Property, known: int, state: State, label: Label | None) -> tuple[int, ...]:
        if asked.reader is not None:
            return asked.reader.next(known, letter_of(self.system, asked, asked.reader.propositions, state, label))
        what = f"{asked.kind} {asked.name!r}"
        predicate, goal = cast("tuple[Predicate, Predicate]", (asked.predicate, asked.goal))
        if truth(self.system, goal, state, what):
            return (False,)
        return (bool(known) or truth(self.system, predicate, state, what),)

    @property
    def _nothing(self) -> Memory:
        return (0,) * len(self.asked)

    def initial_states(self) -> tuple[State, ...]:
        """See `System`."""
        own = self.system.initial_states()
        return tuple(marked for state in own for marked in self._marked(state, self._nothing, None))

    def edges(self, state: State) -> tuple[Edge, ...]:
        """See `System`."""
        own, memory = self.parted(state)
        return tuple(
            Edge(label, marked)
            for label, target in self.system.edges(own)
            for marked in self._marked(target, memory, label)
        )

    def ends_in(self, state: State) -> bool:
        """Whether runs end in a state: where some steps are not followed, not every one without edges is dead."""
        return not self.system.edges(self.parted(state)[0])

    def view(self, state: State) -> Any:
        """See `System`."""
        return self.system.view(self.parted(state)[0])

    def describe(self, state: State) -> dict[str, object]:
        """See `System`."""
        return self.system.describe(self.parted(state)[0])

    def original(self, trace: Trace) -> tuple[System, Trace]:
        """See `Prepared`."""
        steps = tuple(Step(step.label, self.parted(step.state)[0]) for step in trace.steps)
        return self.system.original(Trace(self.parted(trace.initial)[0], steps, trace.loop))

    def followed(self, trace: Trace) -> Trace:
        """See `Prepared`. Where an automaton may go on in several ways, one of them is taken."""
        own = self.system.followed(trace)
        state = initial = self._first_of(own.initial, self._nothing, None)
        steps = []
        for step in own.steps:
            state = self._first_of(step.state, self.parted(state)[1], step.label)
            steps.append(Step(step.label, state))
        return Trace(initial, tuple(steps), own.loop)

    def _first_of(self, state: State, before: Memory, label: Label | None) -> State:
        return (self._marked(state, before, label) or [self.joined(state, before)])[0]


class ProductTables(Product):
    """The same of a system that can be put into tables: the memory is variables, which an engine sets as it goes."""

    system: Tabulated

    @property
    def variables(self) -> tuple[str, ...]:
        """See `System`."""
        return (*self.system.variables, *(HIDDEN + one.name for one in self.asked))

    @property
    def actions(self) -> Sequence[Any]:
        """See `Tabulated`."""
        return self.system.actions

    def tabulate(self) -> Tables:
        """See `Tabulated`."""
        tables = self.system.tabulate()
        memory = tuple(Variable(HIDDEN + one.name, values=_values(one)) for one in self.asked)
        return Tables((*tables.variables, *memory), tables.actions)

    def reading(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """See `Tabulated`."""
        return self.system.reading(function)

    def joined(self, state: State, memory: Memory) -> State:
        """A state with its memory."""
        return (*cast("tuple[Any, ...]", state), *memory)

    def parted(self, state: State) -> tuple[State, Memory]:
        """The state and its memory."""
        values = cast("tuple[Any, ...]", state)
        own = len(values) - len(self.asked)
        return values[:own], values[own:]


def _values(asked: Property) -> tuple[int, ...]:
    return (False, True) if asked.reader is None else tuple(range(len(asked.reader.edges)))


def product(system: System, properties: Sequence[Property]) -> System:
    """The system in which cycles decide what is asked: with a memory, where a property needs one."""
    asked = [one for one in properties if one.remembers]
    if not asked:
        return system
    made = ProductTables(system, asked) if is_tabulated(system) else Product(system, asked)
    return cast("System", made)


def without_memory(system: System) -> System:
    """The system that a product is made from; any other one as it is."""
    return system.system if isinstance(system, Product) else system


def ends_in(system: System, state: State) -> bool:
    """Whether a state has no successors in the model."""
    made = getattr(system, "ends_in", None)  # of a product, or of one whose states are classes
    return not system.edges(state) if made is None else made(state)


def may_end(system: System, state: State, runs: Runs) -> bool:
    """Whether a run may stay in a state for ever: nothing is possible there or, where the model stutters, nothing that
    runs are fair to.
    """
    if not runs.stuttering or ends_in(system, state):
        return ends_in(system, state)
    return not any(fair.takes(system, state, edge) for edge in system.edges(state) for fair in runs.fair)


def remembered(system: System, asked: Property, state: State) -> int:
    """What a state of the product knows about the run, for a property."""
    made = cast("Product", system)
    return made.parted(state)[1][made.asked.index(asked)]
