"""Traces: a path through the state space that shows why a verdict is what it is."""

from __future__ import annotations

from dataclasses import dataclass

from sweepcheck.core.model import Label, State


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a trace, and the state it leads to."""

    label: Label
    state: State


@dataclass(frozen=True, slots=True)
class Trace:
    """A path from an initial state. `loop`, for lassos, is the position the last state leads back to."""

    initial: State
    steps: tuple[Step, ...] = ()
    loop: int | None = None

    @property
    def states(self) -> tuple[State, ...]:
        """All states of the path, the initial one first."""
        return (self.initial, *(step.state for step in self.steps))

    def __len__(self) -> int:
        return len(self.steps)
