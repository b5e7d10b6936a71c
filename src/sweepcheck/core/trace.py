"""Traces: a path through the state space that shows why a verdict is what it is."""

from __future__ import annotations

from dataclasses import dataclass, field

from sweepcheck.core.display import Displayed
from sweepcheck.core.model import Label, State, System


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a trace, and the state it leads to."""

    label: Label
    state: State


@dataclass(frozen=True, slots=True)
class Trace(Displayed):
    """A path from an initial state. `loop`, for lassos, is the position the last state leads back to.

    `system` is the model whose path it is, where somebody may want to look at it.
    """

    initial: State
    steps: tuple[Step, ...] = ()
    loop: int | None = None
    system: System | None = field(default=None, compare=False, repr=False)

    @property
    def states(self) -> tuple[State, ...]:
        """All states of the path, the initial one first."""
        return (self.initial, *(step.state for step in self.steps))

    def __len__(self) -> int:
        return len(self.steps)
