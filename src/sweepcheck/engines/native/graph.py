"""The graph that the core has kept: its states stay packed there, and become values when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from sweepcheck._core import Explorer
from sweepcheck.core.model import Edge, Label, State
from sweepcheck.core.tabulated import Tabulated
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.engines.native.labels import EdgeLabels, vanished
from sweepcheck.errors import SweepcheckError

AT_ONCE = 64  # states that are made together
MOST_MADE = 1 << 18  # states that are kept as values


class NativeGraph:
    """See `core.graph.Graph`. It keeps the core, which has the states."""

    def __init__(self, core: Explorer, system: Tabulated, labels: EdgeLabels) -> None:
        self._core = core
        self._system = system
        self._labels = labels
        found = core.graph_edges()
        self.first: Sequence[int] = memoryview(found.first).cast("I")
        self.targets: Sequence[int] = memoryview(found.targets).cast("I")
        self.actions: Sequence[int] = memoryview(found.actions).cast("I")
        self.unexplored: Sequence[int] = found.unexplored
        self._made: dict[int, list[Any]] = {}  # pages of states, the oldest first
        numbers = (core.graph_number(state) for state in system.initial_states())
        self.initial: Sequence[int] = list(dict.fromkeys(number for number in numbers if number is not None))

    def state(self, number: int) -> State:
        """See `Graph`."""
        page, place = divmod(number, AT_ONCE)
        made = self._made.get(page)
        if made is None:
            if len(self._made) >= MOST_MADE // AT_ONCE:
                del self._made[next(iter(self._made))]
            self._made[page] = made = self._core.graph_states(page * AT_ONCE, AT_ONCE)
        state: State = made[place]
        return state

    def number(self, state: State) -> int | None:
        """See `Graph`."""
        if not self._could_be(state):
            return None
        try:
            return self._core.graph_number(state)
        except SweepcheckError:  # a value that no state can have
            return None

    def _could_be(self, state: Any) -> bool:
        """Whether the core can take a state apart: all that holds several values is of the kind it expects."""
        like: Any = self._system.initial_states()[0]
        return all(
            type(value) is type(one) and (not isinstance(one, Array) or len(value) == len(one))
            for value, one in zip(state, like, strict=True)
            if isinstance(one, Array | Bag | Queue)
        )

    def labels(self, number: int) -> Sequence[Label]:
        """See `Graph`."""
        begin, end = self.first[number], self.first[number + 1]
        if self._labels.by_action:
            kinds, labels = self._kinds
            return [labels[kind] for kind in kinds[begin:end]]
        targets = [self.state(target) for target in self.targets[begin:end]]
        return self._labels.of(self.state(number), self.actions[begin:end], targets)

    @cached_property
    def _kinds(self) -> tuple[Sequence[int], list[Label]]:
        """The kind of every edge, and the label of every kind.

        Edges that the core found by the same run of an action have the same label, and the model is asked for one of
        them. Where the core keeps no runs, those are alike that have the same values before and after in all variables
        that the action touches. What it touches is not known before it is asked; when that is more than was thought,
        edges may not be alike after all.
        """
        touched: list[frozenset[int]] = [frozenset()] * len(self._system.actions)
        known: dict[int, Label] = {}  # by edge
        while True:
            found = self._core.graph_kinds([sorted(one) for one in touched])
            needed = list(touched)
            last, runs = (-1, -1), _Runs((), frozenset())
            for source, edge in zip(found.sources, found.edges, strict=True):
                if edge in known:
                    continue
                action = self.actions[edge]
                if last != (source, action):
                    last, runs = (source, action), self._runs(source, action)
                    needed[action] |= runs.touched
                known[edge] = self._label(source, edge, runs)
            if needed == touched:
                return memoryview(found.of).cast("I"), [known[edge] for edge in found.edges]
            touched = needed

    def _label(self, source: int, edge: int, runs: _Runs) -> Label:
        action, target = self.actions[edge], self.targets[edge]
        fitting = runs.labels(self.state(target))
        before = range(self.first[source], edge) if len(fitting) > 1 else ()
        position = sum(self.targets[one] == target and self.actions[one] == action for one in before)
        if position >= len(fitting):
            raise vanished(self._system, self.state(source), self._system.actions[action].label)
        return fitting[position]

    def _runs(self, source: int, action: int) -> _Runs:
        runs = self._system.runs_of(action, self.state(source))
        assert runs is not None  # asked before
        return _Runs(*runs)


class _Runs:
    """What an action does in a state: the labels of its edges by target, and the variables that it touches."""

    def __init__(self, edges: Sequence[Edge], touched: frozenset[int]) -> None:
        self.touched = touched
        self._labels: dict[State, list[Label]] = {}
        for label, target in edges:
            self._labels.setdefault(target, []).append(label)

    def labels(self, target: State) -> Sequence[Label]:
        """The labels of the edges to a state, in order."""
        return self._labels.get(target, ())
