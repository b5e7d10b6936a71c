"""The product of a model with what `leads_to` awaits: one bit of each state for each of these properties.

The bit is set where the predicate holds, cleared where the goal does, and else what it was before the step. States are
at most doubled, and as a part of the state the bit survives whatever a sweep forgets. Predicates, measures and people
see the states as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.tabulated import Tables, Tabulated, Variable, is_tabulated
from sweepcheck.core.trace import Step, Trace
from sweepcheck.properties.evaluation import truth

Predicate = Callable[[Any], object]
HIDDEN = "\0awaited "  # what the names of the bits begin with: no name that a function or an expression can use


class Marked(NamedTuple):
    """A state of a system that is not tabulated, with its bits."""

    state: State
    bits: tuple[bool, ...]


class Awaiting:
    """A system whose states have the bits too. All that is not about states is the system's own."""

    def __init__(self, system: System, asked: Sequence[Property]) -> None:
        self.system = system
        self.asked = tuple(asked)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.system, name)

    def joined(self, state: State, bits: tuple[bool, ...]) -> State:
        """A state with its bits."""
        return Marked(state, bits)

    def parted(self, state: State) -> tuple[State, tuple[bool, ...]]:
        """The state and its bits."""
        return cast("Marked", state)

    def _marked(self, state: State, before: Sequence[bool]) -> State:
        """A state that a step leads to, by the bits before it."""
        bits = []
        for one, awaited in zip(self.asked, before, strict=True):
            what = f"{one.kind} {one.name!r}"
            predicate, goal = cast("tuple[Predicate, Predicate]", (one.predicate, one.goal))
            reached = truth(self.system, goal, state, what)
            bits.append(not reached and (awaited or truth(self.system, predicate, state, what)))
        return self.joined(state, tuple(bits))

    def initial_states(self) -> tuple[State, ...]:
        """See `System`."""
        nothing = [False] * len(self.asked)
        return tuple(self._marked(state, nothing) for state in self.system.initial_states())

    def edges(self, state: State) -> tuple[Edge, ...]:
        """See `System`."""
        own, bits = self.parted(state)
        return tuple(Edge(label, self._marked(target, bits)) for label, target in self.system.edges(own))

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
        """See `Prepared`."""
        own = self.system.followed(trace)
        state = initial = self._marked(own.initial, [False] * len(self.asked))
        steps = []
        for step in own.steps:
            state = self._marked(step.state, self.parted(state)[1])
            steps.append(Step(step.label, state))
        return Trace(initial, tuple(steps), own.loop)


class AwaitingTables(Awaiting):
    """The same of a system that can be put into tables: the bits are variables, which an engine sets as it goes."""

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
        bits = tuple(Variable(HIDDEN + one.name, values=(False, True)) for one in self.asked)
        return Tables((*tables.variables, *bits), tables.actions)

    def reading(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """See `Tabulated`."""
        return self.system.reading(function)

    def joined(self, state: State, bits: tuple[bool, ...]) -> State:
        """A state with its bits."""
        return (*cast("tuple[Any, ...]", state), *bits)

    def parted(self, state: State) -> tuple[State, tuple[bool, ...]]:
        """The state and its bits."""
        values = cast("tuple[Any, ...]", state)
        own = len(values) - len(self.asked)
        return values[:own], values[own:]


def awaiting(system: System, properties: Sequence[Property]) -> System:
    """The system in which cycles decide what leads to what: with bits, where that is asked."""
    asked = [one for one in properties if one.kind is Kind.LEADS_TO]
    if not asked:
        return system
    made = AwaitingTables(system, asked) if is_tabulated(system) else Awaiting(system, asked)
    return cast("System", made)


def is_awaited(system: System, asked: Property, state: State) -> bool:
    """Whether the goal of a property is awaited in a state of the product."""
    product = cast("Awaiting", system)
    return product.parted(state)[1][product.asked.index(asked)]
