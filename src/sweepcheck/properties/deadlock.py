"""Deadlock: no reachable state is without successors, except those that are allowed to be final."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sweepcheck.core.model import State
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.verdict import Status
from sweepcheck.properties.monitor import Monitor, Sighting


def deadlock(name: str = "deadlock", *, final: Callable[[Any], object] | None = None) -> Property:
    """No reachable state is without successors, except those that `final` allows."""
    return Property(Kind.DEADLOCK, name, final)


class DeadlockMonitor(Monitor):
    """Violated by the first state without successors that may not be final."""

    def on_dead(self, state: State) -> Sighting | None:
        """See `Monitor`."""
        return None if self.satisfied(state) else Sighting(Status.VIOLATED, state)
