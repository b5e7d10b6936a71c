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
from sweepcheck.engines.reference import sweep as loop
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
    """Also deletes the layer it is working on, as soon as a state of the next one is known."""

    class Hasty(Unprocessed):
        def values(self) -> list[Any]:
            values = list(self._queues)
            return [v for v in values if not any(v != w and self._order.leq(v, w) for w in values)]

    with patch.object(loop, "Unprocessed", Hasty):
        outcome = reference.run(replace(plan, limits=replace(plan.limits, states=plan.limits.states or 5000)), observer)
    return replace(outcome, stop=None) if plan.limits.states is None and outcome.stop is Stop.STATES else outcome


def never_deletes(plan: Plan, observer: Observer) -> Outcome:
    with patch.object(loop, "collect", lambda *_: 0):
        return reference.run(plan, observer)


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
    return reference.run(replace(plan, strategy=replace(plan.strategy, by_progress=False)), observer)


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
