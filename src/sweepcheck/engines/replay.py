"""Replaying a trace on its model: nothing is shown that the model cannot do."""

from __future__ import annotations

from collections.abc import Sequence

from sweepcheck.core.fairness import ALL_RUNS, Fairness, Runs
from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.trace import Step, Trace
from sweepcheck.core.verdict import Decision
from sweepcheck.engines.classes import recurs
from sweepcheck.errors import SweepcheckError, TraceError
from sweepcheck.properties.evaluation import allows, satisfies, show
from sweepcheck.properties.ltl import violates
from sweepcheck.properties.product import ends_in, may_end, remembered

IMPURE = "does the model depend on anything beside its state: a counter, a clock, a file, the order of a set?"


def replay(system: System, decision: Decision, runs: Runs = ALL_RUNS) -> None:
    """Check that a decision's trace is a path of the model and ends where the property is decided.

    A loop must be that of a run that counts.
    """
    trace = decision.trace
    if trace is None:
        return
    walk(system, trace, runs)
    asked, end = decision.property, trace.states[-1]
    if not shows(system, asked, trace) or (
        trace.loop is not None and any(ignores(system, trace, one) for one in runs.fair)
    ):
        raise TraceError(
            "SC502",
            f"the trace ends in a state that does not decide {asked.kind} {asked.name!r}",
            values=[("state", show(system, end))],
            suggestion=IMPURE,
        )


def fails(system: System, state: State) -> bool:
    """Whether an assertion fails in a state."""
    try:
        system.edges(state)
    except SweepcheckError as error:
        return isinstance(error.__cause__, AssertionError)
    return False


def shows(system: System, asked: Property, trace: Trace) -> bool:
    """Whether the end of a trace decides a property, be it by its loop or its last step."""
    end = trace.states[-1]
    match asked.kind:
        case Kind.ASSERTION:
            return fails(system, end)
        case Kind.DEADLOCK:
            return ends_in(system, end) and not satisfies(system, asked, end)
        case Kind.REACHABLE:
            return satisfies(system, asked, end)
        case Kind.STEP:
            last = trace.steps[-1:]
            return any(not allows(system, asked, trace.states[-2], Edge(one.label, one.state)) for one in last)
        case Kind.ALWAYS_EVENTUALLY:
            return trace.loop is not None and not any(satisfies(system, asked, s) for s in trace.states[trace.loop :])
        case Kind.LEADS_TO:
            return trace.loop is not None and all(remembered(system, asked, s) for s in trace.states[trace.loop :])
        case Kind.LTL:
            return violates(system, asked, trace)
        case Kind.CTL:
            return True  # what single runs show of the tree of runs, its verdict says; no run shows all of it
        case _:
            return not satisfies(system, asked, end)


def ignores(system: System, trace: Trace, fair: Fairness) -> bool:
    """Whether a trace's loop is unfair: some of the actions are enabled all along it, or once if that is enough, and
    none of them is taken.
    """
    loop = trace.states[trace.loop :]
    steps = zip(loop, trace.steps[trace.loop :], strict=False)
    taken = any(fair.takes(system, state, Edge(step.label, step.state)) for state, step in steps)
    enabled = (any(fair.takes(system, state, edge) for edge in system.edges(state)) for state in loop)
    return not taken and (any(enabled) if fair.strong else all(enabled))


def follow(system: System, path: Sequence[int]) -> Trace:
    """The trace that a path stands for: the position of an initial state, then one position of an edge per step."""
    root, *positions = path
    try:
        state = initial = system.initial_states()[root]  # all of them may be many
    except IndexError:
        vanished = "an initial state has vanished since the exploration began"
        raise TraceError("SC502", vanished, suggestion=IMPURE) from None
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


def walk(system: System, trace: Trace, runs: Runs = ALL_RUNS) -> None:
    """Check that a trace is a path of the model, step by step, and that its loop closes or its run may end."""
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
        ends = trace.loop == len(trace.steps) and may_end(system, state, runs)
        closes = 0 <= trace.loop < len(trace.steps) and recurs(system, trace.states[trace.loop], state)
        if not ends and not closes:
            raise TraceError(
                "SC502",
                "the loop of the trace does not close",
                values=[("state", show(system, state))],
                suggestion=IMPURE,
            )
