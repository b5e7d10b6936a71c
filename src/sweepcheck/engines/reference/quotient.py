"""The reduced system: classes of states instead of states (paper 3, figure 2).

A node is a `Member`: a state with the key of its class, equal to every other member of the class. So no loop changes:
a table keeps the member that was met first, which stands for its class. It is a real state, reached by real edges of
real states, and a trace of members is a run of the system.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.equivalence import Equivalence
from sweepcheck.core.model import Edge, Label, State, System
from sweepcheck.core.prepared import DeclaredAction
from sweepcheck.core.trace import Step, Trace
from sweepcheck.engines.classes import class_of, realised
from sweepcheck.properties.product import ends_in


class Member:
    """A state, equal to all states of its class."""

    __slots__ = ("key", "state")

    def __init__(self, key: Hashable, state: State) -> None:
        self.key = key
        self.state = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Member) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class Named:
    """An action, or a whole family of them."""

    name: str

    @property
    def label(self) -> Label:
        """Its name alone."""
        return Label(self.name)


class Quotient:
    """A system whose states are members of classes. All that is not about states is the system's own."""

    def __init__(self, system: System, equivalence: Equivalence) -> None:
        self.system = system
        self.equivalence = equivalence

    def __getattr__(self, name: str) -> Any:
        return getattr(self.system, name)

    def declared_actions(self) -> Sequence[DeclaredAction] | None:
        """The actions without their parameters: which member of a family acts may differ in equivalent states."""
        declared = self.system.declared_actions()
        return (
            None if declared is None else [Named(name) for name in dict.fromkeys(one.label.action for one in declared)]
        )

    def member(self, state: State) -> Member:
        """A state with its class."""
        return Member(class_of(self.system, self.equivalence, state), state)

    def initial_states(self) -> tuple[Member, ...]:
        """One initial state of every class that has one."""
        return tuple(dict.fromkeys(map(self.member, self.system.initial_states())))

    def edges(self, state: State) -> tuple[Edge, ...]:
        """The edges of the member itself, those of one label into one class once."""
        found: dict[Edge, Edge] = {}
        for edge in self.all_edges(state):
            found.setdefault(edge, edge)
        return tuple(found.values())

    def all_edges(self, state: State) -> Iterator[Edge]:
        """The edges of the member itself, all of them: steps into one class may differ in what they change."""
        for label, target in self.system.edges(unwrapped(state)):
            yield Edge(label, self.member(target))

    def view(self, state: State) -> Any:
        """See `System`."""
        return self.system.view(unwrapped(state))

    def parted(self, state: State) -> tuple[State, tuple[int, ...]]:
        """See `Product`, where the system is one."""
        parted: tuple[State, tuple[int, ...]] = self.system.parted(unwrapped(state))  # type: ignore[attr-defined]
        return parted

    def ends_in(self, state: State) -> bool:
        """See `Product`."""
        return ends_in(self.system, unwrapped(state))

    def describe(self, state: State) -> dict[str, object]:
        """See `System`."""
        return self.system.describe(unwrapped(state))

    def original(self, trace: Trace) -> tuple[System, Trace]:
        """A real run of the system through the classes of a trace."""
        steps = tuple(Step(step.label, unwrapped(step.state)) for step in trace.steps)
        return self.system, realised(self.system, self.equivalence, Trace(unwrapped(trace.initial), steps, trace.loop))


class ByAction(Quotient):
    """A quotient whose edges are those of the reduced graph: one for each action and class."""

    def edges(self, state: State) -> tuple[Edge, ...]:
        """See `System`."""
        return by_action(super().edges(state))


def by_action(edges: Sequence[Edge]) -> tuple[Edge, ...]:
    """Edges without their parameters and choices, those of one action into one class once."""
    return tuple(dict.fromkeys(Edge(Label(label.action), target) for label, target in edges))


def unwrapped(state: State) -> State:
    """The state that a member is."""
    return state.state if isinstance(state, Member) else state


def reduced(system: System, equivalence: Equivalence | None, kind: type[Quotient] = Quotient) -> System:
    """The system of classes, where there is an equivalence."""
    return system if equivalence is None else kind(system, equivalence)
