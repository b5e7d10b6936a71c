"""A small state space as data for the page: all states, all edges, and where the traces run through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sweepcheck.core.model import State, System
from sweepcheck.core.property import Kind
from sweepcheck.core.trace import Trace
from sweepcheck.engines.progress import progress_of
from sweepcheck.errors import SweepcheckError
from sweepcheck.properties.evaluation import satisfies
from sweepcheck.report.report import Report
from sweepcheck.report.trace import describe_state
from sweepcheck.report.trace_view import Values
from sweepcheck.report.typed import typed
from sweepcheck.report.values import label_text
from sweepcheck.text import visible

MOST_STATES = 300  # more cannot be read as a drawing
MOST_EDGES = 1000


def graph_view(report: Report, values: Values, traces: Sequence[Trace]) -> dict[str, Any] | None:
    """The state graph of a model; None where it is too large to be drawn, or where an action fails."""
    known = report.statistics.states
    if known is not None and not 1 < known <= MOST_STATES:
        return None
    try:
        found = _explored(report.system)
        return None if found is None else _shown(report, values, *found, traces)
    except SweepcheckError:
        return None


def _explored(system: System) -> tuple[dict[State, int], list[tuple[int, int, str]]] | None:
    """The states with their numbers, breadth first, and the edges; None if they are too many."""
    numbers: dict[State, int] = {}
    for state in system.initial_states():
        numbers.setdefault(state, len(numbers))
    waiting, edges = list(numbers), []
    for state in waiting:  # which grows
        for edge in system.edges(state):
            if edge.target not in numbers:
                numbers[edge.target] = len(numbers)
                waiting.append(edge.target)
            edges.append((numbers[state], numbers[edge.target], label_text(edge.label)))
        if len(numbers) > MOST_STATES or len(edges) > MOST_EDGES:
            return None
    return numbers, edges


def _shown(
    report: Report,
    values: Values,
    numbers: dict[State, int],
    edges: list[tuple[int, int, str]],
    traces: Sequence[Trace],
) -> dict[str, Any]:
    system, measure = report.system, report.plan.measure or report.system.measure
    names = [visible(name) for name in system.describe(next(iter(numbers)))]
    labels: dict[str, int] = {}
    invariants = [one for one in report.plan.properties if one.kind is Kind.INVARIANT and one.pattern is None]
    return {
        "names": names,
        "states": [[values.add(one) for one in describe_state(system, state).values()] for state in numbers],
        "progress": None
        if measure is None
        else [values.add(typed(progress_of(system, measure, state))) for state in numbers],
        "violates": [[visible(one.name) for one in invariants if not satisfies(system, one, at)] for at in numbers],
        "initial": len({*system.initial_states()}),
        "edges": [[source, target, labels.setdefault(label, len(labels))] for source, target, label in edges],
        "labels": list(labels),
        "traces": [[numbers.get(state, -1) for state in trace.states] for trace in traces],
    }
