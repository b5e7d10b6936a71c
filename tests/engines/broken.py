"""Engines with one deliberate fault each. The conformance kit must reject every one of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from sweepcheck.core.model import Edge, State
from sweepcheck.core.observer import Observer
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.verdict import Stop
from sweepcheck.engines import reference
from sweepcheck.engines.reference import column, generalised
from sweepcheck.engines.reference import sweep as loop
from sweepcheck.engines.reference.collector import Collector, Nodes
from sweepcheck.engines.reference.layers import Unprocessed
from sweepcheck.testing.conformance import Run


class Forgetful:
    """A system that is right but for the last of three or more edges."""

    def __init__(self, system: Any) -> None:
        self._system = system

    def __getattr__(self, name: str) -> Any:
        return getattr(self._system, name)

    def edges(self, state: State) -> Sequence[Edge]:
        edges = self._system.edges(state)
        return edges[:-1] if len(edges) >= 3 else edges


def forgets_an_edge(plan: Plan, observer: Observer) -> Outcome:
    return reference.run(replace(plan, system=Forgetful(plan.system)), observer)


def merges_labels(plan: Plan, observer: Observer) -> Outcome:
    """Counts successors instead of edges."""

    class Merged(Forgetful):
        def edges(self, state: State) -> Sequence[Edge]:
            return tuple({edge.target: edge for edge in self._system.edges(state)}.values())

    return reference.run(replace(plan, system=Merged(plan.system)), observer)


def deletes_too_early(plan: Plan, observer: Observer) -> Outcome:
    """Also deletes the layers it is working on, whenever one is done."""

    class Hasty(Collector):
        def collect(self, nodes: Nodes) -> None:
            self.done = list(nodes)
            super().collect(nodes)

    with patch.object(generalised if plan.strategy.name == "generalised" else loop, "Collector", Hasty):
        outcome = reference.run(replace(plan, limits=replace(plan.limits, states=plan.limits.states or 5000)), observer)
    return replace(outcome, stop=None) if plan.limits.states is None and outcome.stop is Stop.STATES else outcome


def never_deletes(plan: Plan, observer: Observer) -> Outcome:
    with patch.object(Collector, "collect", lambda *_: 0):
        return reference.run(plan, observer)


def sweeps_once(plan: Plan, observer: Observer) -> Outcome:
    """Forgets the roots of the next sweep."""
    run = generalised.Sweeps._sweep

    def only(self: Any, roots: Nodes) -> Nodes:
        run(self, roots)
        return {}

    with patch.object(generalised.Sweeps, "_sweep", only):
        return reference.run(plan, observer)


def persists_nothing(plan: Plan, observer: Observer) -> Outcome:
    """Forgets persistent states like all others, and gives up when it sees that this does not end."""
    end = generalised.Sweeps._sweep
    left = 50

    def forgetful(self: Any, roots: Nodes) -> Nodes:
        nonlocal left
        left -= 1
        following = end(self, roots)
        for states in self.persistent.values():
            self._exploration.forgotten(states)
        self.nodes, self.persistent = following, {}
        return following if left else {}

    with patch.object(generalised.Sweeps, "_sweep", forgetful):
        return reference.run(plan, observer)


def counts_twice(plan: Plan, observer: Observer) -> Outcome:
    """Prints what it explored as the number of states."""
    outcome = reference.run(plan, observer)
    return replace(outcome, statistics=replace(outcome.statistics, states=outcome.statistics.explored))


def forgets_other_columns(plan: Plan, observer: Observer) -> Outcome:
    """Explores the first column alone."""

    class First(Unprocessed):
        def add(self, value: Any, state: State) -> None:
            if value not in self._queues and value == state and len(self._queues) == 1:
                return
            super().add(value, state)

    with patch.object(column, "Unprocessed", First):
        return reference.run(plan, observer)


def drops_what_the_cache_drops(plan: Plan, observer: Observer) -> Outcome:
    """Takes a state that was met once for one that need not be met again, and forgets the rest of its edges."""

    class Narrow(Forgetful):
        def edges(self, state: State) -> Sequence[Edge]:
            edges = self._system.edges(state)
            return edges[:1] if plan.cache_size is not None and len(edges) > plan.cache_size else edges

    return reference.run(replace(plan, system=Narrow(plan.system)), observer)


def hides_its_limit(plan: Plan, observer: Observer) -> Outcome:
    """Says that it saw everything when it hit a limit."""
    outcome = reference.run(plan, observer)
    return replace(outcome, stop=None) if outcome.stop is Stop.STATES else outcome


def ignores_its_limit(plan: Plan, observer: Observer) -> Outcome:
    return reference.run(replace(plan, limits=replace(plan.limits, states=None)), observer)


def trusts_the_measure(plan: Plan, observer: Observer) -> Outcome:
    """Does not check the edges against the measure."""
    if plan.measure is None:
        return reference.run(plan, observer)
    return reference.run(replace(plan, strategy=replace(plan.strategy, order="found")), observer)


def skips_a_step(plan: Plan, observer: Observer) -> Outcome:
    """Leaves the first step out of its traces."""
    outcome = reference.run(plan, observer)
    cut = [
        replace(decision, trace=replace(decision.trace, steps=decision.trace.steps[1:]))
        if decision.trace is not None and decision.trace.steps
        else decision
        for decision in outcome.decisions
    ]
    return replace(outcome, decisions=tuple(cut))


def searches_depth_first(plan: Plan, observer: Observer) -> Outcome:
    """Finds the right things in the wrong order: its traces are not the shortest."""
    from collections import deque

    from sweepcheck.engines.reference import full

    class Stack(deque[State]):
        def popleft(self) -> State:
            return self.pop()

    with patch.object(full, "deque", Stack):
        return reference.run(plan, observer)


BROKEN: dict[str, tuple[Run, str]] = {
    "forgets an edge": (forgets_an_edge, "full"),
    "merges labels": (merges_labels, "full"),
    "deletes too early": (deletes_too_early, "sweep"),
    "never deletes": (never_deletes, "sweep"),
    "hides its limit": (hides_its_limit, "full"),
    "ignores its limit": (ignores_its_limit, "sweep"),
    "trusts the measure": (trusts_the_measure, "sweep"),
    "skips a step": (skips_a_step, "full"),
    "searches depth first": (searches_depth_first, "full"),
}

# These are right where progress never goes down, and wrong where it does.
BROKEN_BY_REGRESS: dict[str, tuple[Run, dict[str, Any]]] = {
    "forgets an edge": (forgets_an_edge, {"strategy": "generalised"}),
    "never deletes": (never_deletes, {"strategy": "generalised"}),
    "sweeps once": (sweeps_once, {"strategy": "generalised"}),
    "sweeps a column once": (sweeps_once, {"strategy": "column"}),
    "persists nothing": (persists_nothing, {"strategy": "generalised"}),
    "counts twice": (counts_twice, {"strategy": "generalised"}),
    "counts twice in a column": (counts_twice, {"strategy": "column"}),
    "counts twice with a cache": (counts_twice, {"strategy": "caching", "cache_size": 0}),
    "forgets other columns": (forgets_other_columns, {"strategy": "column"}),
    "drops what the cache drops": (drops_what_the_cache_drops, {"strategy": "caching", "cache_size": 1}),
    "skips a step": (skips_a_step, {"strategy": "caching", "cache_size": 2}),
}
