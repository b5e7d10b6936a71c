"""Answers of the live page about single states: what is there after some steps, and what is possible next.

A place in the model is named by the way to it: the initial state as its variables are printed, and the labels of the
steps. So the page needs no numbers of states, and a model that has changed is walked through again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.trace import Step, Trace
from sweepcheck.engines.progress import progress_of
from sweepcheck.errors import RequestError, SweepcheckError, TraceError
from sweepcheck.properties import invariant
from sweepcheck.properties.evaluation import satisfies
from sweepcheck.properties.expression import expression
from sweepcheck.report.along import OF_NO_STATE
from sweepcheck.report.changes import changes
from sweepcheck.report.trace import describe_state
from sweepcheck.report.trace_view import Values
from sweepcheck.report.typed import typed, typed_text
from sweepcheck.report.values import label_text
from sweepcheck.text import visible

KEPT = 100_000  # ways whose last states are remembered
MOST_EDGES = 500  # of a state that are shown
MOST_RANDOM = 100_000  # steps of one request
MOST_READ = 500  # steps of one request for which is found out what they read

Way = tuple[int, tuple[str, ...]]  # the number of the initial state, and the labels


class Explorer:
    """The states of one model, found by the ways to them."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._initial = tuple(system.initial_states())
        self._known: OrderedDict[Way, State] = OrderedDict()
        self._values = Values()
        self._edges = lru_cache(maxsize=2)(system.edges)  # of the state shown and the one before: may be many

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What the page asked: `{"root": texts or null, "labels": [...], "known": n, "have": m}`.

        The answer has the states from the one with number `have` on, and the values from `known` on. With "random",
        more steps are taken before.
        """
        way: Way = (self._root(asked.get("root")), tuple(map(str, asked["labels"])))
        ended = None
        if asked.get("random") is not None:
            way, ended = self._wander(way, asked["random"])
        root, labels = way
        counts = range(int(asked["have"]), len(labels) + 1)
        states = [self._shown((root, labels[:count]), len(counts) <= MOST_READ) for count in counts]
        return {
            "labels": list(labels),
            "ended": ended,
            "states": states,
            "values": self._values.entries[int(asked["known"]) :],
        }

    def _root(self, texts: Mapping[str, str] | None) -> int:
        """The initial state whose variables have these texts."""
        if texts is None:
            return 0
        for number, state in enumerate(self._initial):
            if {visible(name): typed_text(one) for name, one in describe_state(self._system, state).items()} == texts:
                return number
        raise TraceError(
            "SC502", "the model has no such initial state", suggestion="it has changed: start from its initial state"
        )

    def _state(self, way: Way) -> State:
        """The state at the end of a way; what is known of its beginning is not walked again."""
        root, labels = way
        done = len(labels)
        while done and (root, labels[:done]) not in self._known:
            done -= 1
        state = self._known[root, labels[:done]] if done else self._initial[root]
        for number in range(done, len(labels)):
            state = self._edge(state, labels[number], number + 1).target
            self._remember((root, labels[: number + 1]), state)
        return state

    def _remember(self, way: Way, state: State) -> None:
        self._known[way] = state
        if len(self._known) > KEPT:
            self._known.popitem(last=False)

    def _edge(self, state: State, label: str, number: int) -> Edge:
        for edge in self._edges(state):
            if label_text(edge.label) == label:
                return edge
        raise TraceError(
            "SC502",
            f"step {number}, {label}, is not possible any more",
            suggestion="the model has changed: go on from an earlier step",
        )

    def _reads(self, way: Way) -> list[str] | None:
        """What the last step of a way read; None where nobody can tell."""
        root, labels = way
        if not labels:
            return None
        before = self._state((root, labels[:-1]))
        edge = self._edge(before, labels[-1], len(labels))
        (read,) = self._system.reads_along(Trace(before, (Step(edge.label, edge.target),)))
        return None if read is None else [visible(name) for name in sorted(read)]

    def _shown(self, way: Way, reading: bool) -> dict[str, Any]:
        """A state with all that the page shows of it."""
        system, state = self._system, self._state(way)
        described = describe_state(system, state)
        found: dict[str, Any] = {
            "state": {visible(name): self._values.add(value) for name, value in described.items()},
            "holds": {},
            "progress": None,
            "enabled": [],
            "more": 0,
            "failed": None,
            "reads": self._reads(way) if reading else None,
        }
        for asked in system.properties:
            if asked.kind not in OF_NO_STATE and asked.predicate is not None:
                try:
                    found["holds"][visible(asked.name)] = satisfies(system, asked, state)
                except SweepcheckError:
                    continue
        try:
            if system.measure is not None:
                found["progress"] = self._values.add(typed(progress_of(system, system.measure, state)))
            edges = self._edges(state)
        except SweepcheckError as error:
            return {**found, "failed": str(error)}
        found["more"] = max(0, len(edges) - MOST_EDGES)
        for edge in edges[:MOST_EDGES]:
            after = describe_state(system, edge.target)
            found["enabled"].append(
                {
                    "label": label_text(edge.label),
                    "action": visible(edge.label.action),
                    "arguments": [[name, self._values.add(typed(one))] for name, one in edge.label.arguments],
                    "owner": system.owner(edge.label),
                    "where": system.locate(edge.label),
                    "changes": [visible(change.text(80)) for change in changes(described, after)],
                }
            )
        return found

    def _wander(self, way: Way, asked: Mapping[str, Any]) -> tuple[Way, str]:
        """Random steps from the end of a way: so many, or until an expression is true."""
        steps = int(asked.get("steps", 1))
        if not 0 < steps <= MOST_RANDOM:
            raise RequestError("SC403", f"{steps} random steps", suggestion=f"between 1 and {MOST_RANDOM:,}")
        until, random = str(asked.get("until") or ""), Random(int(asked["seed"]))
        met = invariant(until, expression(self._system, until)) if until else None
        root, labels = way
        state = self._state(way)
        walked = list(labels)
        for _ in range(steps):
            try:
                edges: Sequence[Edge] = self._edges(state)
            except SweepcheckError:  # what it says is shown with the state
                return (root, tuple(walked)), "the model fails there"
            if not edges:
                return (root, tuple(walked)), "nothing is possible there"
            edge = edges[random.randrange(len(edges))]
            walked.append(label_text(edge.label))
            state = edge.target
            if met is not None and satisfies(self._system, met, state):
                return (root, tuple(walked)), f"{until} is true there"
        never = "" if met is None else f"; {until} was never true"
        return (root, tuple(walked)), f"{steps:,} steps were made{never}"
