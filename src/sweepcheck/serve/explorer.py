"""Answers of the live page about single states: what is there after some steps, and what is possible next.

A place in the model is named by the way to it: the initial state as its variables are printed, and the labels of the
steps. So the page needs no numbers of states, and a model that has changed is walked through again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from random import Random
from secrets import randbits
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

KEPT = 100_000  # steps that are remembered
MOST_EDGES = 500  # of a state that are shown
MOST_LOOKED = 20_000  # edges of a state that are made: a state may have millions, and its reader waits
MOST_RANDOM = 100_000  # steps of one request
MOST_READ = 500  # steps of one request for which is found out what they read


class Explorer:
    """The states of one model, found by the ways to them."""

    def __init__(self, system: System) -> None:
        self._number = randbits(48)  # tells it from the process that was there before
        self._system = system
        self._initial = tuple(system.initial_states())
        self._taken: dict[tuple[State, str], Edge] = {}
        self._values = Values()
        # Of the state shown and the one before: there may be many.
        self._edges = lru_cache(maxsize=2)(lambda state: system.some_edges(state, MOST_LOOKED))

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What the page asked: `{"root": texts or null, "labels": [...], "known": n, "have": m}`.

        The answer has the states from the one with number `have` on, and the values from `known` on. With "random",
        more steps are taken before. With "as_far", a way that is not there any more is walked as far as it goes.
        What is known is known `of` one process: another one has numbered its values otherwise, and says so.
        """
        if asked.get("of") not in (None, self._number):
            return {"again": True}
        labels = [str(one) for one in asked["labels"]]
        if asked.get("as_far"):
            start, edges, ended = self._as_far(asked.get("root"), labels)
        else:
            start, ended = self._initial[self._root(asked.get("root"))], None
            edges = self._follow(start, labels)
        if asked.get("random") is not None:
            more, ended = self._wander(edges[-1].target if edges else start, asked["random"])
            edges += more
        have = int(asked["have"])
        states = [start, *(edge.target for edge in edges)]
        new = range(max(have, 1), len(states))
        reading = len(new) <= MOST_READ
        return {
            "process": self._number,
            "labels": [label_text(edge.label) for edge in edges],
            "ended": ended,
            "steps": [self._step(states[number - 1], edges[number - 1], reading) for number in new],
            "states": [self._shown(state) for state in states[have:]],
            "offers": self._offers(states[-1]),
            "values": self._values.entries[int(asked["known"]) :],
        }

    # -- ways --------------------------------------------------------------------------------------------------------

    def _root(self, texts: Mapping[str, str] | None) -> int:
        """The initial state whose variables have these texts."""
        if texts is None:
            return 0
        for number, state in enumerate(self._initial):
            if self._texts(state) == texts:
                return number
        raise TraceError(
            "SC502", "the model has no such initial state", suggestion="it has changed: start from its initial state"
        )

    def _texts(self, state: State) -> dict[str, str]:
        return {visible(name): typed_text(one) for name, one in describe_state(self._system, state).items()}

    def _as_far(self, texts: Mapping[str, str] | None, labels: Iterable[str]) -> tuple[State, list[Edge], str | None]:
        """A way through a changed model, from the initial state most like the one it had, as far as it goes."""
        alike = [len((texts or {}).items() & self._texts(state).items()) for state in self._initial]
        start = state = self._initial[alike.index(max(alike))]
        edges: list[Edge] = []
        for number, label in enumerate(labels, 1):
            try:
                edges.append(self._edge(state, label, number))
            except TraceError:
                return start, edges, f"step {number}, {label}, is not possible any more: the way is kept up to there"
            except SweepcheckError:  # what it says is shown with the state
                return start, edges, f"the model fails before step {number}, {label}: the way is kept up to there"
            state = edges[-1].target
        return start, edges, None

    def _follow(self, state: State, labels: Iterable[str]) -> list[Edge]:
        edges: list[Edge] = []
        for number, label in enumerate(labels, 1):
            edges.append(self._edge(state, label, number))
            state = edges[-1].target
        return edges

    def _edge(self, state: State, label: str, number: int) -> Edge:
        """The edge with a label; one that was taken once is not looked for again."""
        known = self._taken.get((state, label))
        if known is not None:
            return known
        looked = self._edges(state)
        for edges in (looked, self._system.edges(state) if len(looked) == MOST_LOOKED else ()):
            for edge in edges:
                if label_text(edge.label) == label:  # of several the first is the one that is meant
                    if len(self._taken) >= KEPT:
                        self._taken.clear()
                    self._taken[state, label] = edge
                    return edge
        raise TraceError(
            "SC502",
            f"step {number}, {label}, is not possible any more",
            suggestion="the model has changed: go on from an earlier step",
        )

    def _wander(self, state: State, asked: Mapping[str, Any]) -> tuple[list[Edge], str]:
        """Random steps from a state: so many, or until an expression is true."""
        steps = int(asked.get("steps", 1))
        if not 0 < steps <= MOST_RANDOM:
            raise RequestError("SC403", f"{steps} random steps", suggestion=f"between 1 and {MOST_RANDOM:,}")
        until, random = str(asked.get("until") or ""), Random(int(asked["seed"]))
        met = invariant(until, expression(self._system, until)) if until else None
        taken: list[Edge] = []
        for _ in range(steps):
            try:
                edges: Sequence[Edge] = self._edges(state)
            except SweepcheckError:  # what it says is shown with the state
                return taken, "the model fails there"
            if not edges:
                return taken, "nothing is possible there"
            drawn = edges[random.randrange(len(edges))]
            taken.append(self._edge(state, label_text(drawn.label), len(taken) + 1))
            state = taken[-1].target
            if met is not None and satisfies(self._system, met, state):
                return taken, f"{until} is true there"
        made = "a step was made" if steps == 1 else f"{steps:,} steps were made"
        return taken, made if met is None else f"{made}; {until} was never true"

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _step(self, before: State, edge: Edge, reading: bool) -> dict[str, Any]:
        """A step that was taken."""
        read = None
        if reading:
            (read,) = self._system.reads_along(Trace(before, (Step(edge.label, edge.target),)))
        return {**self._named(edge), "reads": None if read is None else [visible(name) for name in sorted(read)]}

    def _named(self, edge: Edge) -> dict[str, Any]:
        return {
            "label": label_text(edge.label),
            "action": visible(edge.label.action),
            "arguments": [[name, self._values.add(typed(one))] for name, one in edge.label.arguments],
            "owner": self._system.owner(edge.label),
            "where": self._system.locate(edge.label),
        }

    def _shown(self, state: State) -> dict[str, Any]:
        """A state: its variables, the truth of properties, its progress."""
        system = self._system
        described = describe_state(system, state)
        found: dict[str, Any] = {
            "state": {visible(name): self._values.add(value) for name, value in described.items()},
            "holds": {},
            "progress": None,
        }
        for asked in system.properties:
            if asked.kind not in OF_NO_STATE and asked.predicate is not None:
                try:
                    found["holds"][visible(asked.name)] = satisfies(system, asked, state)
                except SweepcheckError:
                    continue
        if system.measure is not None:
            with suppress(SweepcheckError):  # said where the state is gone on from
                found["progress"] = self._values.add(typed(progress_of(system, system.measure, state)))
        return found

    def _offers(self, state: State) -> dict[str, Any]:
        """What is possible in a state, each with what it would change; `more` steps are not listed, or `many` more."""
        system, failed = self._system, None
        edges: Sequence[Edge] = ()
        try:
            if system.measure is not None:
                progress_of(system, system.measure, state)
            edges = self._edges(state)
        except SweepcheckError as error:
            failed = str(error)
        described = describe_state(system, state)
        enabled = []
        for edge in edges[:MOST_EDGES]:
            differ = changes(described, describe_state(system, edge.target))
            enabled.append({**self._named(edge), "changes": [visible(change.text(80)) for change in differ]})
        return {
            "enabled": enabled,
            "more": max(0, len(edges) - MOST_EDGES),
            "many": len(edges) == MOST_LOOKED,
            "failed": failed,
        }
