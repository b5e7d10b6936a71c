"""Traces with and without observers: saved ones are of the network itself, so that anything can replay them."""

from __future__ import annotations

from sweepcheck.core.model import State, System
from sweepcheck.core.property import VIOLATED, Pattern
from sweepcheck.core.trace import Step, Trace
from sweepcheck.models.processes.network import Network
from sweepcheck.models.processes.observers import observer


def unobserved(system: System, trace: Trace) -> tuple[System, Trace]:
    """A trace as the network without observers would do it; any other system's is left as it is."""
    if not isinstance(system, Network) or system.observed is None:
        return system, trace
    count = len(system.observed.variables)

    def bare(state: State) -> State:
        return state[:count]  # type: ignore[index,no-any-return]

    steps = tuple(Step(step.label, bare(step.state)) for step in trace.steps)
    return system.observed, Trace(bare(trace.initial), steps, trace.loop)


def sees(network: Network, pattern: Pattern, trace: Trace) -> bool:
    """Whether the pattern comes in the events of a trace."""
    event_of = {action.label: action.rule.event for action in network.actions}
    watching = observer(pattern, network.alphabet)
    moves = {(source, event): target for source, event, target in watching.triples()}
    location = watching.initial
    for step in trace.steps:
        location = moves.get((location, event_of[step.label]), location)
    return watching.locations[location] == VIOLATED


def observed(network: Network, trace: Trace) -> Trace:
    """A trace of the network without observers as one with them: they only follow what happens."""
    (state,) = network.initial_states()
    initial, steps = state, []
    for step in trace.steps:
        plain: tuple[object, ...] = step.state  # type: ignore[assignment]
        following = next(
            edge.target
            for edge in network.edges(state)
            if edge.label == step.label and edge.target[: len(plain)] == plain  # type: ignore[index]
        )
        steps.append(Step(step.label, following))
        state = following
    return Trace(initial, tuple(steps), trace.loop)
