"""What a reference monitor is: it watches states go by and speaks up when one decides its property."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sweepcheck.core.fairness import ALL_RUNS, Runs
from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.property import Property
from sweepcheck.core.trace import Step
from sweepcheck.core.verdict import Status
from sweepcheck.properties.evaluation import satisfies
from sweepcheck.properties.explanation import Explanation


@dataclass(frozen=True, slots=True)
class Sighting:
    """A state that decides a property; for lassos also the steps from the state back to itself.

    Where a step decides it, this is the one, from the state being processed to `state`. What is decided at the end of a
    run has the number of the state, in the order found. For CTL a path goes on from the state, before the cycle, and an
    explanation says what is true where.
    """

    status: Status
    state: State
    cycle: tuple[Step, ...] | None = None
    step: Step | None = None
    number: int | None = None
    path: tuple[Step, ...] = ()
    explanation: Explanation[Step] | None = None


class Monitor:
    """The base monitor sees everything and decides nothing; each property overrides what it needs."""

    def __init__(self, watched: Property, system: System, runs: Runs = ALL_RUNS) -> None:
        self.property = watched
        self.system = system
        self.runs = runs

    def satisfied(self, state: State) -> bool:
        """Whether the property's predicate holds in a state."""
        return satisfies(self.system, self.property, state)

    def on_found(self, state: State) -> Sighting | None:  # noqa: ARG002
        """A state was met for the first time."""
        return None

    def on_edge(self, state: State, edge: Edge) -> Sighting | None:  # noqa: ARG002
        """A state was processed and has this edge."""
        return None

    def on_dead(self, state: State) -> Sighting | None:  # noqa: ARG002
        """A state was processed and has no successor."""
        return None

    def on_complete(self, states: Sequence[State]) -> Sighting | None:  # noqa: ARG002
        """All of these states were processed, and every cycle through one of them stays among them."""
        return None

    def on_end(self) -> Sighting | None:
        """All states were processed."""
        return None
