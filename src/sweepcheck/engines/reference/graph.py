"""The graph of a run of the reference engine: states and edges as they were met."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from sweepcheck.core.model import Edge, Label, State, System
from sweepcheck.engines.reference.quotient import Quotient, unwrapped


class KeptGraph:
    """See `core.graph.Graph`. While the run goes on it is told of every state, in the order found."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._numbers: dict[State, int] = {}
        self._states: list[State] = []
        self._edges: dict[int, Sequence[Edge]] = {}
        self.first: Sequence[int] = ()
        self.targets: Sequence[int] = ()
        self.unexplored: Sequence[int] = ()
        self.initial: Sequence[int] = ()

    def found(self, state: State) -> None:
        """A state is met for the first time."""
        self._numbers[state] = len(self._states)
        self._states.append(state)

    def processed(self, state: State, edges: Sequence[Edge]) -> None:
        """A state is processed."""
        self._edges[self._numbers[state]] = edges

    def finish(self) -> KeptGraph:
        """The run is over. A state that was to be processed when it ended may lead to states never found."""
        first, targets, unexplored = array("Q", [0]), array("Q"), []
        for number in range(len(self._states)):
            numbers = [self._numbers.get(target) for _, target in self._edges.get(number, ())]
            if None in numbers or number not in self._edges:
                self._edges.pop(number, None)
                unexplored.append(number)
            else:
                targets.extend(one for one in numbers if one is not None)
            first.append(len(targets))
        self.first, self.targets, self.unexplored = first, targets, unexplored
        self.initial = [self._numbers[one] for one in self._system.initial_states() if one in self._numbers]
        return self

    def state(self, number: int) -> State:
        """See `Graph`."""
        return unwrapped(self._states[number])

    def number(self, state: State) -> int | None:
        """See `Graph`."""
        return self._numbers.get(self._system.member(state) if isinstance(self._system, Quotient) else state)

    def labels(self, number: int) -> Sequence[Label]:
        """See `Graph`."""
        return [label for label, _ in self._edges.get(number, ())]
