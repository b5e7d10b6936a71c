"""The moments of a simulation as text: the steps just made, the state, and what can happen next.

Many edges are shown at once, so values are kept short here: of long ones only the two ends. Traces and
`variables_to_text` show them whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.trace import Trace
from sweepcheck.folding import fold
from sweepcheck.report.changes import State as Described
from sweepcheck.report.changes import changes, cut, told
from sweepcheck.report.trace import TraceRow, describe_state, rows_to_text
from sweepcheck.report.typed import typed_text
from sweepcheck.report.values import label_text
from sweepcheck.text import visible

LONG = 80  # characters of a value


def steps_to_text(system: System, trace: Trace, first: int, width: int | None = None) -> str:
    """The steps of a trace, numbered from `first` on, without the state it starts in."""
    pairs = pairwise(describe_state(system, state) for state in trace.states)
    rows = [
        TraceRow(number, label_text(step.label), _changes(before, after))
        for number, (step, (before, after)) in enumerate(zip(trace.steps, pairs, strict=True), start=first)
    ]
    return rows_to_text(rows, width)


def edges_to_text(system: System, state: State, edges: Iterable[tuple[int, Edge]], width: int | None = None) -> str:
    """Numbered edges out of a state, each with what it would change."""
    before = describe_state(system, state)
    rows = [
        TraceRow(number, label_text(label), _changes(before, describe_state(system, target)))
        for number, (label, target) in edges
    ]
    return rows_to_text(rows, width)


def _changes(before: Described, after: Described) -> list[str]:
    """What a step changes, in few words."""
    return told(changes(before, after), LONG) or ["(nothing changes)"]


def moment_text(system: System, state: State) -> str:
    """A state on one line, long values cut short."""
    return visible(" ".join(_assignments(system, state)))


def _assignments(system: System, state: State) -> list[str]:
    return [f"{name}={cut(typed_text(value), LONG)}" for name, value in describe_state(system, state).items()]


def initial_states_to_text(system: System, states: Sequence[State], width: int | None = None) -> str:
    """Numbered initial states."""
    rows = [TraceRow(number, "", _assignments(system, state), " ") for number, state in enumerate(states, start=1)]
    return rows_to_text(rows, width)


def variables_to_text(system: System, state: State, width: int | None = None) -> str:
    """A state with one variable on each line."""
    described = {visible(name): typed_text(value) for name, value in describe_state(system, state).items()}
    column = max(map(len, described), default=0)
    lines = (f"  {name:<{column}}  {value}" for name, value in described.items())
    return fold("\n".join(lines), width, indent=" " * (column + 2))
