"""The graph that the core has kept: its states stay packed there, and become values when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from sweepcheck._core import Explorer
from sweepcheck.core.model import Label, State
from sweepcheck.core.tabulated import Tabulated
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
        try:
            return self._core.graph_number(state)
        except SweepcheckError:  # a value that no state can have
            return None

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

        Edges of an action that has the same values before and after in all variables that it touches have the same
        label, and it is asked for one of them. What it touches is not known before it is asked; when that is more than
        was thought, edges may not be alike after all.
        """
        touched: list[frozenset[int]] = [frozenset()] * len(self._system.actions)
        while True:
            found = self._core.graph_kinds([sorted(one) for one in touched])
            labels, needed = [], list(touched)
            for source, edge in zip(found.sources, found.edges, strict=True):
                label, used = self._labelled(source, edge)
                labels.append(label)
                needed[self.actions[edge]] |= used
            if needed == touched:
                return memoryview(found.of).cast("I"), labels
            touched = needed

    def _labelled(self, source: int, edge: int) -> tuple[Label, frozenset[int]]:
        """The label of an edge, and which variables its action touches in the state that it leaves."""
        action, target, state = self.actions[edge], self.targets[edge], self.state(source)
        runs = self._system.runs_of(action, state)
        assert runs is not None
        alike = [label for label, reached in runs[0] if reached == self.state(target)]
        row = range(self.first[source], edge)
        before = sum(self.actions[one] == action and self.targets[one] == target for one in row)
        if before >= len(alike):
            raise vanished(self._system, state, self._system.actions[action].label)
        return alike[before], runs[1]
