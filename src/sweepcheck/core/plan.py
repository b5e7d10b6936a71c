"""Plan: the frozen decision before a run. Outcome: the raw result after it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sweepcheck.core.limits import Limits
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Label, System
from sweepcheck.core.property import Property
from sweepcheck.core.verdict import Decision, Stop


@dataclass(frozen=True, slots=True)
class Collection:
    """When a sweep deletes the states behind it.

    `layer`: whenever a layer is done. `interval`: after every so many new states (papers 0 and 1). `auto`: an interval
    that shrinks when memory is scarce and grows when little was reclaimed.
    """

    policy: str
    interval: int = 0

    def __str__(self) -> str:
        return str(self.interval) if self.policy == "interval" else self.policy


@dataclass(frozen=True, slots=True)
class Strategy:
    """How to explore and what to forget, as data: the loops are the engines'."""

    name: str
    by_progress: bool
    forgets: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """All that an engine needs to know. `fair` are the actions that no run ignores for ever while they stay enabled."""

    system: System
    properties: tuple[Property, ...]
    strategy: Strategy
    measure: Measure | None
    collection: Collection
    limits: Limits
    keep_going: bool
    trace: bool
    trace_dir: Path | None
    engine: str
    engine_reason: str
    verify_actions: bool = False
    table_memory: int = 1 << 30
    fair: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer as it was left behind: its progress value, its states, and the states stored at its end."""

    progress: object
    states: int
    stored: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The numbers that are printed; the glossary says what each means."""

    states: int
    edges: int
    explored: int
    peak: int
    layers: int
    sweeps: int
    dead_states: int
    seconds: float
    memory_bytes: int
    trace_bytes: int
    model_seconds: float | None = None
    state_bytes: int | None = None
    table_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class ActionStatistics:
    """What one action cost: how often its function ran, the edges it made, and the variables it looks at.

    `evaluations` are runs of the Python function; every other outcome came from the action's table.
    """

    action: str
    evaluations: int
    edges: int
    seconds: float
    tabulated: bool
    observes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an engine hands back. `stop` is None when every reachable state was processed."""

    decisions: tuple[Decision, ...]
    statistics: Statistics
    stop: Stop | None
    profile: tuple[Layer, ...]
    trace_file: Path | None
    actions: tuple[ActionStatistics, ...] = ()
