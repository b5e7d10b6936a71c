"""Whether a model does the same again in the same state: what every table, trace and replay rests on."""

from __future__ import annotations

import time
from collections.abc import Sequence

from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.tabulated import ActionLike
from sweepcheck.engines.replay import IMPURE
from sweepcheck.errors import ModelError, place
from sweepcheck.properties.evaluation import show

SPACING = 64  # of n states explored, the next one to be sampled is n / SPACING further on
SHARE, AT_ONCE = 0.01, 0.001  # of the time, and the seconds that may be spent at once: functions may be slow
PURE = "what an action does may depend on the state alone, not on counters, clocks, files or objects that change"


class Sampling:
    """Computes the edges of a few states once more, some time after they were first computed.

    Which states depends on their number alone, as long as there is time for them.
    """

    def __init__(self, system: System) -> None:
        self._system = system
        self._next = 0
        self._kept: tuple[State, Sequence[Edge]] | None = None
        self._started = time.monotonic()
        self._spent = 0.0

    def see(self, explored: int, state: State, edges: Sequence[Edge]) -> None:
        """A state was processed, as the how-manieth."""
        if explored >= self._next:
            self._next = explored + explored // SPACING + 1
            self.compare()
            self._kept = state, edges

    def compare(self) -> None:
        """Compare the state that waits for it, if there is time."""
        begin = time.monotonic()
        if self._kept is not None and self._spent <= AT_ONCE + SHARE * (begin - self._started):
            verify(self._system, *self._kept)
            self._kept = None
            self._spent += time.monotonic() - begin


def verify(system: System, state: State, edges: Sequence[Edge]) -> None:
    """Compute the edges of a state once more, and compare."""
    again = system.edges(state)
    if again == edges:
        return
    # Edges that only changed places have no label to blame: the first one stands for them.
    changed = [edge for edge in (*edges, *again) if (edge in edges) != (edge in again)] or edges
    label = changed[0].label
    raise ModelError(
        "SC213",
        f"action {label.action!r} did something else when it was run again in the same state",
        where=system.locate(label),
        values=[
            ("state", show(system, state)),
            ("first", _shown(system, edges, label.action)),
            ("again", _shown(system, again, label.action)),
        ],
        suggestion=PURE,
    )


def impure(system: System, state: State, action: ActionLike | None) -> ModelError:
    """The error for a function, of an action where it is given, that did something else the second time."""
    return ModelError(
        "SC213",
        f"{'the model' if action is None else f'action {str(action)!r}'} did something else when it was run again",
        where=None if action is None or action.function is None else place(action.function),
        values=[("state", show(system, state))],
        suggestion=IMPURE,
    )


def _shown(system: System, edges: Sequence[Edge], action: str) -> str:
    of_action = [edge for edge in edges if edge.label.action == action]
    return "\n".join(f"{edge.label} -> {show(system, edge.target)}" for edge in of_action) or "no edge"
