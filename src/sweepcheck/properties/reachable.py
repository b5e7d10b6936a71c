"""Reachable: some reachable state satisfies the predicate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sweepcheck.core.model import State
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.verdict import Status
from sweepcheck.properties.monitor import Monitor, Sighting


def reachable(name: str, predicate: Callable[[Any], object]) -> Property:
    """Some reachable state satisfies the predicate."""
    return Property(Kind.REACHABLE, name, predicate)


class ReachableMonitor(Monitor):
    """Holds by the first state that satisfies the predicate; that state is its witness."""

    def on_found(self, state: State) -> Sighting | None:
        """See `Monitor`."""
        return Sighting(Status.HOLDS, state) if self.satisfied(state) else None
