"""The findings of a state space report: bounds state by state, all else from the components of complete layers.

With a monotone measure every cycle lies inside one layer, and so does every component (paper 4, proposition 1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from sweepcheck.core.model import Edge, Label, State, System
from sweepcheck.core.stamps import without_stamps
from sweepcheck.core.survey import (
    DEAD_SHOWN,
    ActionBehaviour,
    Bounds,
    Components,
    Fairness,
    Survey,
    parts,
    value_bounds,
)
from sweepcheck.core.values import Bag, Queue
from sweepcheck.properties.scc import sccs

WORSE = list(Fairness)  # each kind implies the next


class Surveyor:
    """Is told of every processed state and every complete layer."""

    def __init__(self, system: System) -> None:
        self._system = system
        declared: tuple[Label, ...] = tuple(action.label for action in system.declared_actions() or ())
        self._parameters = {label.action: len(label.arguments) for label in declared}
        self._edges: Counter[Label] = Counter(dict.fromkeys(declared, 0))
        self._held: dict[str, _Held] = {}
        self._dead: list[State] = []
        self._nodes = self._edges_inside = self._terminal = self._home_states = 0
        self._home: State | None = None
        self._cycles = False
        self._live: set[Label] | None = None  # the actions of all terminal components; None while there is none
        self._fairness: dict[Label, Fairness] = {}

    def processed(self, state: State, edges: Sequence[Edge]) -> None:
        """A state and its edges."""
        for name, value in parts(self._system, state):
            self._held.setdefault(name, _Held()).see(without_stamps(value) if isinstance(value, Bag) else value)
        self._edges.update(self._action(edge.label) for edge in edges)
        if not edges and len(self._dead) < DEAD_SHOWN:
            self._dead.append(state)

    def _action(self, label: Label) -> Label:
        return Label(label.action, label.arguments[: self._parameters.get(label.action, 0)])

    def complete(self, states: Sequence[State]) -> None:
        """A layer: its components, and what the actions do in them."""
        edges = {state: self._system.edges(state) for state in states}
        cyclic: list[set[State]] = []
        for component in sccs(states, lambda state: [edge.target for edge in edges[state]]):
            inside = set(component)
            self._nodes += 1
            kept = sum(edge.target in inside for state in component for edge in edges[state])
            self._edges_inside += kept
            if kept:
                cyclic.append(inside)
            if kept == sum(len(edges[state]) for state in component):
                self._end(next(state for state in states if state in inside), component, edges)
        for action in self._edges if cyclic else ():
            before = self._fairness.get(action, Fairness.FAIR if self._cycles else Fairness.IMPARTIAL)
            found = (self._judge(action, component, edges) for component in cyclic)
            self._fairness[action] = max((before, *found), key=WORSE.index)
        self._cycles = self._cycles or bool(cyclic)

    def _end(self, first: State, component: Sequence[State], edges: dict[State, Sequence[Edge]]) -> None:
        """A terminal component."""
        self._terminal += 1
        self._home, self._home_states = first, len(component)
        actions = {self._action(edge.label) for state in component for edge in edges[state]}
        self._live = actions if self._live is None else self._live & actions

    def _judge(self, action: Label, component: set[State], edges: dict[State, Sequence[Edge]]) -> Fairness:
        """What the infinite runs inside a component leave of an action's fairness."""

        def others(state: State) -> list[State]:
            return [edge.target for edge in edges[state] if self._action(edge.label) != action]

        enabled = {state for state in component if any(self._action(edge.label) == action for edge in edges[state])}
        if any(_cycles(enabled, others)):
            return Fairness.NONE
        without = list(_cycles(component, others))
        if any(not enabled.isdisjoint(cycle) for cycle in without):
            return Fairness.JUST
        return Fairness.FAIR if without else Fairness.IMPARTIAL

    def findings(self, whole: bool) -> Survey:
        """All of it; `whole` says that every reachable state was processed."""
        found = None
        if whole:
            arcs = self._edges.total() - self._edges_inside
            count, home = (self._home_states, self._home) if self._terminal == 1 else (0, None)
            found = Components(self._nodes, arcs, self._terminal, count, home, infinite_runs=self._cycles)
        return Survey(
            bounds=tuple(held.bounds(name) for name, held in self._held.items()),
            components=found,
            dead=tuple(self._dead),
            actions=tuple(self._behaviour(action, edges, whole) for action, edges in self._edges.items()),
        )

    def _behaviour(self, action: Label, edges: int, whole: bool) -> ActionBehaviour:
        live = action in (self._live or ()) if whole else None
        # An action first met after the last layer with a cycle is no part of any infinite run.
        fairness = self._fairness.get(action, Fairness.FAIR) if whole and self._cycles else None
        return ActionBehaviour(str(action), edges, live, fairness)


def _cycles(states: set[State], targets: Callable[[State], list[State]]) -> Iterator[set[State]]:
    """The components of a subgraph that have a cycle."""
    for component in sccs(states, targets):
        if len(component) > 1 or component[0] in targets(component[0]):
            yield set(component)


class _Held:
    """What a variable held so far."""

    def __init__(self) -> None:
        self._seen = 0
        self._values: dict[object, None] = {}
        self._sizes: set[int] = set()
        self._is_bag = False
        self._counts: dict[object, tuple[int, int, int]] = {}  # per token: least, greatest, states that hold it

    def see(self, value: object) -> None:
        """One more state."""
        self._seen += 1
        if not isinstance(value, Bag | Queue):
            self._values[value] = None
            return
        self._sizes.add(len(value))
        for token, count in value.items() if isinstance(value, Bag) else ():
            least, greatest, states = self._counts.get(token, (count, count, 0))
            self._counts[token] = min(least, count), max(greatest, count), states + 1
        self._is_bag = isinstance(value, Bag)

    def bounds(self, name: str) -> Bounds:
        """The bounds."""
        if not self._sizes:
            return value_bounds(name, self._values)
        lower, upper = min(self._sizes), max(self._sizes)
        if not self._is_bag:
            return Bounds(name, lower, upper)
        least = {token: low for token, (low, _, states) in self._counts.items() if states == self._seen}
        return Bounds(
            name, lower, upper, Bag(least), Bag({token: high for token, (_, high, _) in self._counts.items()})
        )
