"""Replaying a trace on its model: nothing is shown that the model cannot do."""

from __future__ import annotations

from collections.abc import Sequence

from sweepcheck.core.model import Edge, Label, State, System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.trace import Step, Trace
from sweepcheck.core.verdict import Decision
from sweepcheck.engines.classes import recurs
from sweepcheck.errors import SweepcheckError, TraceError
from sweepcheck.properties.evaluation import satisfies, show

IMPURE = "does the model depend on anything beside its state: a counter, a clock, a file, the order of a set?"


def replay(system: System, decision: Decision, fair: Sequence[Label] = ()) -> None:
    """Check that a decision's trace is a path of the model and ends where the property is decided.

    A loop must not ignore any of the `fair` actions.
    """
    trace = decision.trace
    if trace is None:
        return
    walk(system, trace)
    asked, end = decision.property, trace.states[-1]
    if asked.kind is Kind.ASSERTION:
        if not fails(system, end):
            raise _undecided(system, asked, end)
        return
    holds_at_end = satisfies(system, asked, end)
    if asked.kind is Kind.DEADLOCK:
        shown = not system.edges(end) and not holds_at_end
    elif asked.kind is Kind.REACHABLE:
        shown = holds_at_end
    elif asked.kind is Kind.ALWAYS_EVENTUALLY:
        shown = trace.loop is not None and not any(satisfies(system, asked, s) for s in trace.states[trace.loop :])
        shown = shown and not any(ignores(system, trace, action) for action in fair)
    else:
        shown = not holds_at_end
    if not shown:
        raise _undecided(system, asked, end)


def fails(system: System, state: State) -> bool:
    """Whether an assertion fails in a state."""
    try:
        system.edges(state)
    except SweepcheckError as error:
        return isinstance(error.__cause__, AssertionError)
    return False


def _undecided(system: System, asked: Property, end: State) -> TraceError:
    return TraceError(
        "SC502",
        f"the trace ends in a state that does not decide {asked.kind} {asked.name!r}",
        values=[("state", show(system, end))],
        suggestion=IMPURE,
    )


def ignores(system: System, trace: Trace, action: Label) -> bool:
    """Whether an action is enabled in every state of a trace's loop and taken on none of its steps."""
    taken = any(step.label.belongs_to(action) for step in trace.steps[trace.loop :])
    return not taken and all(
        any(edge.label.belongs_to(action) for edge in system.edges(state)) for state in trace.states[trace.loop :]
    )


def follow(system: System, path: Sequence[int]) -> Trace:
    """The trace that a path stands for: the position of an initial state, then one position of an edge per step."""
    root, *positions = path
    roots = system.initial_states()
    if root >= len(roots):
        raise TraceError("SC502", "an initial state has vanished since the exploration began", suggestion=IMPURE)
    state = initial = roots[root]
    steps: list[Step] = []
    for position in positions:
        edges = system.edges(state)
        if position >= len(edges):
            raise TraceError(
                "SC502",
                f"step {len(steps) + 1} has vanished: the state had more edges when it was explored",
                values=[("state", show(system, state))],
                suggestion=IMPURE,
            )
        steps.append(Step(*edges[position]))
        state = edges[position].target
    return Trace(initial, tuple(steps))


def walk(system: System, trace: Trace) -> None:
    """Check that a trace is a path of the model, step by step."""
    if trace.initial not in system.initial_states():
        raise TraceError(
            "SC502",
            "the trace does not start in an initial state",
            values=[("state", show(system, trace.initial))],
            suggestion=IMPURE,
        )
    state = trace.initial
    for number, step in enumerate(trace.steps, start=1):
        edges = system.edges(state)
        if Edge(step.label, step.state) not in edges:
            offered = "\n".join(f"{edge.label} -> {show(system, edge.target)}" for edge in edges) or "no edge"
            raise TraceError(
                "SC502",
                f"step {number}, {step.label}, is not possible",
                values=[
                    ("state", show(system, state)),
                    ("wanted", show(system, step.state)),
                    ("possible", offered),
                ],
                suggestion=IMPURE,
            )
        state = step.state
    if trace.loop is not None:
        stutters = trace.loop == len(trace.steps) and not system.edges(state)
        closes = 0 <= trace.loop < len(trace.steps) and recurs(system, trace.states[trace.loop], state)
        if not stutters and not closes:
            raise TraceError(
                "SC502",
                "the loop of the trace does not close",
                values=[("state", show(system, state))],
                suggestion=IMPURE,
            )
