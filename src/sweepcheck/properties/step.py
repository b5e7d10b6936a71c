"""Step: every step of a run satisfies a predicate about both its ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sweepcheck.core.model import Edge, State
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.trace import Step
from sweepcheck.core.verdict import Status
from sweepcheck.properties.evaluation import allows
from sweepcheck.properties.monitor import Monitor, Sighting


def step(name: str, predicate: Callable[..., Any]) -> Property:
    """Every step satisfies the predicate: a function of the state before and the state after it.

    With a third parameter it gets the name of the action too.
    """
    return Property(Kind.STEP, name, predicate)


class StepMonitor(Monitor):
    """Violated by the first step that does not satisfy the predicate."""

    def on_edge(self, state: State, edge: Edge) -> Sighting | None:
        """See `Monitor`."""
        if allows(self.system, self.property, state, edge):
            return None
        return Sighting(Status.VIOLATED, edge.target, step=Step(edge.label, edge.target))
