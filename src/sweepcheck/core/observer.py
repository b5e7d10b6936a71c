"""How a running engine is watched: it sends snapshots out and never waits for an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable


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


@dataclass(frozen=True, slots=True)
class Collected:
    """One collection: the progress it was made at, and the states stored before and after it."""

    progress: object
    before: int
    after: int
    explored: int
    seconds: float
    memory_bytes: int


class Observer(Protocol):
    """Anything that wants to see a run go by."""

    def snapshot(self, snapshot: Snapshot) -> None:
        """Called a few times a second."""


@runtime_checkable
class CollectionObserver(Observer, Protocol):
    """An observer that also wants to know of every collection."""

    def collected(self, collected: Collected) -> None:
        """Called after states were deleted."""


class Silence:
    """The observer that does not look."""

    def snapshot(self, snapshot: Snapshot) -> None:
        """Ignored."""
