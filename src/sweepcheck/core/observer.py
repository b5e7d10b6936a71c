"""How a running engine is watched: it sends snapshots out and never waits for an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The numbers of a run at one moment."""

    progress: object
    explored: int
    edges: int
    stored: int
    peak: int
    unprocessed: int
    layers: int
    seconds: float
    memory_bytes: int
    sweeps: int = 0


class Observer(Protocol):
    """Anything that wants to see a run go by."""

    def snapshot(self, snapshot: Snapshot) -> None:
        """Called a few times a second."""


class Silence:
    """The observer that does not look."""

    def snapshot(self, snapshot: Snapshot) -> None:
        """Ignored."""
