"""When to stop. A limit that is hit makes a run inconclusive, never successful."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """At most so many states, seconds and bytes of resident memory; None is no limit."""

    states: int | None = None
    seconds: float | None = None
    memory: int | None = None
