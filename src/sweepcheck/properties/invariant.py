"""Invariant: every reachable state satisfies the predicate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sweepcheck.core.model import State
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.verdict import Status
from sweepcheck.properties.monitor import Monitor, Sighting


def invariant(name: str, predicate: Callable[[Any], object]) -> Property:
    """Every reachable state satisfies the predicate."""
    return Property(Kind.INVARIANT, name, predicate)


class InvariantMonitor(Monitor):
    """Violated by the first state that does not satisfy the predicate."""

    def on_found(self, state: State) -> Sighting | None:
        """See `Monitor`."""
        return None if self.satisfied(state) else Sighting(Status.VIOLATED, state)
