"""Whether a model does the same again in the same state: what every table, trace and replay rests on."""

from __future__ import annotations

from collections.abc import Sequence

from sweepcheck.core.model import Edge, State, System
from sweepcheck.errors import ModelError
from sweepcheck.properties.evaluation import show

PURE = "what an action does may depend on the state alone, not on counters, clocks, files or objects that change"


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


def _shown(system: System, edges: Sequence[Edge], action: str) -> str:
    of_action = [edge for edge in edges if edge.label.action == action]
    return "\n".join(f"{edge.label} -> {show(system, edge.target)}" for edge in of_action) or "no edge"
