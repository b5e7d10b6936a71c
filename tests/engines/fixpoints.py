"""A naive CTL checker on the explicit graph of a model: sets of states and fixpoints, nothing else.

It shares no line with the monitors, the engines or the conformance kit: edges come from `System.edges` alone.
Components are defined, not computed: two states are in one when each can reach the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property

State = Hashable


class ExplicitGraph:
    """All reachable states, and the edges of each as pairs of label and target."""

    def __init__(self, system) -> None:
        self.system = system
        self.edges: dict[State, list[tuple]] = {}
        waiting = list(system.initial_states())
        while waiting:
            state = waiting.pop()
            if state not in self.edges:
                self.edges[state] = [(edge.label, edge.target) for edge in system.edges(state)]
                waiting += [target for _, target in self.edges[state]]

    def where(self, predicate: Callable[[object], object]) -> set[State]:
        return {state for state in self.edges if predicate(self.system.view(state))}

    # -- CTL, on the relation made total: a state without an edge leads to itself ------------------------------------

    def next(self, state: State) -> set[State]:
        return {target for _, target in self.edges[state]} or {state}

    def ef(self, goal: set[State]) -> set[State]:
        reached = set(goal)
        while more := {s for s in self.edges if s not in reached and self.next(s) & reached}:
            reached |= more
        return reached

    def af(self, goal: set[State]) -> set[State]:
        sure = set(goal)
        while more := {s for s in self.edges if s not in sure and self.next(s) <= sure}:
            sure |= more
        return sure

    def ag(self, goal: set[State]) -> bool:
        return all(state in goal for state in self.edges)

    # -- weak fairness, by the fixpoint of Emerson and Lei ------------------------------------------------------------

    def fair_eg(self, states: set[State], fair: Sequence[object]) -> set[State]:
        """The states with a fair run inside a set.

        The greatest set from each of whose states, for every fair action, a place inside the set can be reached again
        and again where the action is disabled or an edge of it is taken that stays inside.
        """
        kept = {state for state in states if self._steps(state, states) or not self.edges[state]}
        while True:
            before = set(kept)
            kept = {state for state in kept if not self.edges[state] or self._steps(state, kept)}
            for action in fair:
                heeded = {s for s in kept if not self._enabled(s, action) or self._takes(s, action, kept)}
                # One step at least, then on to such a place.
                able = self._backwards(heeded, kept)
                kept = {s for s in kept if not self.edges[s] or any(t in able for _, t in self._steps(s, kept))}
            if kept == before:
                return kept

    def fair_af(self, goal: set[State], fair: Sequence[object]) -> set[State]:
        avoiding = set(self.edges) - goal
        forever = self.fair_eg(avoiding, fair)
        return set(self.edges) - self._backwards(forever, avoiding)

    def _steps(self, state: State, inside: set[State]) -> list[tuple]:
        return [edge for edge in self.edges[state] if edge[1] in inside]

    def _enabled(self, state: State, action) -> bool:
        return any(label.belongs_to(action) for label, _ in self.edges[state])

    def _takes(self, state: State, action, inside: set[State]) -> bool:
        return any(label.belongs_to(action) for label, _ in self._steps(state, inside))

    def _backwards(self, goal: set[State], inside: set[State]) -> set[State]:
        reached = set(goal)
        while more := {s for s in inside if s not in reached and any(t in reached for _, t in self.edges[s])}:
            reached |= more
        return reached

    # -- infinite runs that never take an action ---------------------------------------------------------------------

    def endless(self, states: set[State], without) -> set[State]:
        """The states with an infinite run inside a set that never takes an action; dead states have no run."""
        kept = set(states)
        while gone := {
            s for s in kept if not any(t in kept and not label.belongs_to(without) for label, t in self.edges[s])
        }:
            kept -= gone
        return kept

    def again(self, goal: set[State], without) -> set[State]:
        """The states with a run that meets a set infinitely often and never takes an action."""
        kept = set(self.edges)
        while True:
            # Some steps without the action, at least one, to a state of the goal that is still in the set.
            able: set[State] = set()
            while more := {
                s
                for s in kept
                if s not in able
                and any(
                    not label.belongs_to(without) and (t in able or (t in goal and t in kept))
                    for label, t in self.edges[s]
                )
            }:
                able |= more
            if able == kept:
                return kept
            kept = able

    def enabled(self, action) -> set[State]:
        return {state for state in self.edges if self._enabled(state, action)}

    # -- components, by mutual reachability ------------------------------------------------------------------------

    @cached_property
    def reachable(self) -> dict[State, frozenset[State]]:
        found = {}
        for start in self.edges:
            seen, waiting = {start}, [start]
            while waiting:
                for _, target in self.edges[waiting.pop()]:
                    if target not in seen:
                        seen.add(target)
                        waiting.append(target)
            found[start] = frozenset(seen)
        return found

    @cached_property
    def components(self) -> set[frozenset[State]]:
        reach = self.reachable
        return {frozenset(t for t in reach[s] if s in reach[t]) for s in self.edges}

    @cached_property
    def terminal(self) -> set[frozenset[State]]:
        return {one for one in self.components if all(target in one for s in one for _, target in self.edges[s])}

    @property
    def arcs_between_components(self) -> int:
        reach = self.reachable
        return sum(s not in reach[target] for s, edges in self.edges.items() for _, target in edges)
