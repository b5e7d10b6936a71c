"""The truth about a small model, found without any engine: its explicit graph, and naive fixpoints on it.

Nothing here is shared with the engines or the monitors: states and edges come from `System` alone, progress values
from the measure's own function and order. Slow on purpose, so that it can be read and believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.verdict import Status


class TooLarge(Exception):  # noqa: N818 - not an error: the model is of no use to the kit
    """The model has more states than the kit is willing to look at."""


@dataclass(frozen=True, eq=False)
class Truth:
    """All reachable states with their distance from an initial state, and all edges out of each.

    Those `outside` do not satisfy a constraint of the model: their edges are not known, which is why they have none.
    """

    system: System
    distance: dict[State, int]
    edges: dict[State, tuple[Edge, ...]]
    outside: frozenset[State] = frozenset()

    @cached_property
    def predecessors(self) -> dict[State, set[State]]:
        """For every state the states with an edge to it."""
        found: dict[State, set[State]] = {state: set() for state in self.distance}
        for state, edges in self.edges.items():
            for edge in edges:
                found[edge.target].add(state)
        return found

    @cached_property
    def dead(self) -> set[State]:
        """The states without an edge."""
        return {state for state, edges in self.edges.items() if not edges and state not in self.outside}

    @property
    def count_of_edges(self) -> int:
        """All edges of all states."""
        return sum(map(len, self.edges.values()))

    def satisfying(self, predicate: Callable[[Any], object] | None) -> set[State]:
        """The states in which a predicate is true; none for no predicate."""
        if predicate is None:
            return set()
        return {state for state in self.distance if predicate(self.system.view(state))}

    def able_to_reach(self, goal: set[State]) -> set[State]:
        """EF: the least set that holds the goal and every state with an edge into the set."""
        able = set(goal)
        waiting = list(goal)
        while waiting:
            for state in self.predecessors[waiting.pop()] - able:
                able.add(state)
                waiting.append(state)
        return able

    def bound_to_reach(self, goal: set[State]) -> set[State]:
        """AF: the least set that holds the goal and every state that has edges, all of them into the set."""
        bound = set(goal)
        while True:
            grown = {
                state
                for state, edges in self.edges.items()
                if state not in bound and edges and all(edge.target in bound for edge in edges)
            }
            if not grown:
                return bound
            bound |= grown

    def deciding(self, asked: Property) -> set[State]:
        """The states that decide a property: witnesses of `reachable`, violations of everything else."""
        if asked.kind is Kind.STEP:
            return {edge.target for _, edge in self.steps_against(asked.predicate)}
        satisfying = self.satisfying(asked.predicate)
        everything = set(self.distance)
        if asked.kind is Kind.REACHABLE:
            return satisfying
        if asked.kind is Kind.INVARIANT:
            return everything - satisfying
        if asked.kind is Kind.DEADLOCK:
            return self.dead - satisfying
        if asked.kind is Kind.ALWAYS_POSSIBLE:  # what is not known may be so
            return everything - self.able_to_reach(satisfying | self.outside)
        return everything - self.bound_to_reach(satisfying | self.outside)

    def steps_against(self, predicate: Any) -> Iterator[tuple[State, Edge]]:
        """The steps of which a predicate about both their ends is false."""
        for state, edges in self.edges.items():
            for edge in edges:
                if not predicate(self.system.view(state), self.system.view(edge.target)):
                    yield state, edge

    def status(self, asked: Property) -> Status:
        """The answer to a property."""
        decided = bool(self.deciding(asked))
        return Status.HOLDS if decided is asked.kind.holds_by_witness else Status.VIOLATED

    def progress(self, measure: Measure) -> dict[State, Any]:
        """The progress value of every state."""
        return {state: measure.function(self.system.view(state)) for state in self.distance}

    def regress_edges(self, measure: Measure) -> Iterator[tuple[State, Edge]]:
        """The edges on which progress goes down."""
        value = self.progress(measure)
        for state, edges in self.edges.items():
            for edge in edges:
                if not measure.order.leq(value[state], value[edge.target]):
                    yield state, edge

    def broken_claims(self, measure: Measure) -> Iterator[tuple[State, Edge]]:
        """The edges that lower a component declared to be monotone."""
        value, parts = self.progress(measure), measure.parts or (measure,)
        for state, edges in self.edges.items():
            for edge in edges:
                pairs = (
                    (value[state], value[edge.target]) if measure.parts else ((value[state],), (value[edge.target],))
                )
                if any(p.monotone and not p.order.leq(a, b) for p, a, b in zip(parts, *pairs, strict=True)):
                    yield state, edge

    def most_explored(self, measure: Measure, by_column: bool) -> int:
        """How many states paper 2 lets a generalised sweep (theorem 1) or a column sweep (theorem 2) explore."""
        value, parts = self.progress(measure), measure.parts or (measure,)

        def column(state: State) -> Any:
            values = value[state] if measure.parts else (value[state],)
            return tuple(v for v, part in zip(values, parts, strict=True) if part.monotone) if by_column else ()

        sizes = Counter(map(column, self.distance))
        back = {edge.target for state, edge in self.regress_edges(measure) if column(state) == column(edge.target)}
        destinations = Counter(map(column, back))
        return sum((destinations[c] + 1) * size for c, size in sizes.items())

    def ideal_peak(self, measure: Measure) -> int:
        """The peak of a sweep by a monotone, total measure that deletes every layer as soon as it is done.

        When the layer of value v is done, exactly the states are stored that lie in it or ahead of it and were found
        by then: initial states, and targets of edges from layers up to v.
        """
        value = self.progress(measure)
        first_found = {state: min(map(value.__getitem__, known)) for state, known in self.predecessors.items() if known}
        initial = set(self.system.initial_states())

        def stored(v: Any) -> int:
            return sum(value[state] >= v and (state in initial or first_found[state] <= v) for state in self.distance)

        return max(map(stored, value.values()))

    def largest_layer(self, measure: Measure) -> int:
        """The states of the largest layer, all of which are stored when it is done, whatever the order."""
        sizes: dict[Any, int] = {}
        for v in self.progress(measure).values():
            sizes[v] = sizes.get(v, 0) + 1
        return max(sizes.values())


def survey(system: System, most: int = 10_000) -> Truth:
    """The truth about a model of at most so many states."""
    distance: dict[State, int] = dict.fromkeys(system.initial_states(), 0)
    edges: dict[State, tuple[Edge, ...]] = {}
    waiting = list(distance)
    outside = set()
    for state in waiting:  # grows while it is walked: breadth first
        if not all(one.predicate(system.view(state)) for one in system.declared_constraints()):
            outside.add(state)
        edges[state] = () if state in outside else tuple(system.edges(state))
        for edge in edges[state]:
            if edge.target not in distance:
                distance[edge.target] = distance[state] + 1
                waiting.append(edge.target)
        if len(distance) > most:
            raise TooLarge(f"more than {most:,} states")
    return Truth(system, distance, edges, frozenset(outside))
