"""The labels of edges that the core knows by action and target alone.

A label has the choices of its run, which the core counts and does not name: the model is asked for them. What an action
does depends on the variables that it touches, so it is asked once for all states that agree in these.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import itemgetter
from typing import Any

from sweepcheck.core.equivalence import Equivalence
from sweepcheck.core.model import Label, State
from sweepcheck.core.tabulated import Synchronisation, Tabulated
from sweepcheck.engines.classes import class_of
from sweepcheck.engines.replay import IMPURE
from sweepcheck.errors import TraceError
from sweepcheck.properties.evaluation import show

MOST_KEPT = 100_000  # runs of one action


class EdgeLabels:
    """Finds the labels of the edges of a system; with classes, an edge leads to a state equivalent to its target."""

    def __init__(self, system: Tabulated, classes: Equivalence | None = None) -> None:
        self._system = system
        self._classes = classes
        self._labels = [action.label for action in system.actions]
        tables = system.tabulate().actions
        self._plain = [isinstance(one, Synchronisation) for one in tables]
        self._runs = [_Runs(system, number) for number in range(len(self._labels))]
        first = system.initial_states()[0]
        self.by_action = classes is None and bool(self._labels) and system.runs_of(0, first) is not None

    def nth(self, source: State, action: int, target: State, position: int) -> Label:
        """The label of one edge, of which there are so many before it by the same action to the same state."""
        return self.of(source, (action,), (target,), position)[0]

    def of(self, source: State, actions: Sequence[int], targets: Sequence[State], before: int = 0) -> list[Label]:
        """The labels of some edges of a state, all that these actions have; or those with so many `before` them."""
        if all(self._plain[action] for action in actions):
            return [self._labels[action] for action in actions]
        offered = {} if self.by_action else self._all_of(source)
        found: list[Label] = []
        used: dict[tuple[int, Hashable], int] = {}  # several edges of one action may lead to one state
        for action, target in zip(actions, targets, strict=True):
            if self.by_action:
                runs = self._runs[action]
                labels = runs.labels(source)
                wanted = runs.changed(target)
                fitting: Sequence[Label] = labels.get(wanted, ())
            else:
                wanted, by = self._class(target), self._labels[action]
                fitting = [label for label in offered.get(wanted, ()) if label.belongs_to(by)]
            position = used.get((action, wanted), before)
            used[action, wanted] = position + 1
            if position >= len(fitting):
                raise vanished(self._system, source, self._labels[action])
            found.append(fitting[position])
        return found

    def _class(self, state: State) -> Hashable:
        return state if self._classes is None else class_of(self._system, self._classes, state)

    def _all_of(self, source: State) -> dict[Any, list[Label]]:
        """The labels of all edges of a state, by class of their targets."""
        offered: dict[Any, list[Label]] = {}
        for label, target in self._system.edges(source):
            offered.setdefault(self._class(target), []).append(label)
        return offered


def vanished(system: Tabulated, state: State, action: Label) -> TraceError:
    """The error for an edge that the model had when it was explored."""
    return TraceError(
        "SC502",
        f"an edge of {action} has vanished: the model does something else now than before",
        values=[("state", show(system, state))],
        suggestion=IMPURE,
    )


class _Runs:
    """What one action does, by the values of the variables that it has ever touched."""

    def __init__(self, system: Tabulated, action: int) -> None:
        self._system = system
        self._action = action
        self._touched: frozenset[int] = frozenset()
        self._part: Any = _nothing
        self._known: dict[Hashable, dict[Hashable, list[Label]]] = {}

    def changed(self, state: Any) -> Hashable:
        """The part of a state that the action may touch: the rest stays as it is."""
        part: Hashable = self._part(state)
        return part

    def labels(self, state: State) -> dict[Hashable, list[Label]]:
        """The labels of its edges in a state, by the part of the target that it may touch."""
        known = self._known.get(self._part(state))
        return self._ask(state) if known is None else known

    def _ask(self, state: State) -> dict[Hashable, list[Label]]:
        runs = self._system.runs_of(self._action, state)
        assert runs is not None  # asked before
        edges, touched = runs
        if not touched <= self._touched:
            # Runs that are known would be found again by fewer variables than they depend on.
            self._touched |= touched
            self._known.clear()
            self._part = itemgetter(*sorted(self._touched)) if self._touched else _nothing
        found: dict[Hashable, list[Label]] = {}
        for label, target in edges:
            found.setdefault(self._part(target), []).append(label)
        if len(self._known) >= MOST_KEPT:
            self._known.clear()
        self._known[self._part(state)] = found
        return found


def _nothing(_: State) -> tuple[()]:
    return ()
