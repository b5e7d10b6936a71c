"""Observers in a network: what prepares it for questions about events, and traces with and without them.

Saved traces are of the network itself, so that anything can replay them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sweepcheck.core.model import State
from sweepcheck.core.property import VIOLATED, Pattern, Property, names_for, observer_name
from sweepcheck.core.trace import Step, Trace
from sweepcheck.errors import ModelError, closest
from sweepcheck.models.processes.composition import Composition, component
from sweepcheck.models.processes.observers import observer

if TYPE_CHECKING:
    from sweepcheck.models.processes.network import Network


def observers(network: Network, properties: Sequence[Property]) -> list[Composition]:
    """An observer for every property about events."""
    found = []
    for one in properties:
        if one.pattern is not None:
            check_pattern(network, one.pattern)
            found.append(component(observer_name(one.name), observer(one.pattern, network.alphabet)))
    return found


def check_pattern(network: Network, pattern: Pattern) -> None:
    """Refuse events that the network does not have."""
    known = {name for event in network.alphabet for name in names_for(event)}
    for name in (*pattern.events, *pattern.after, *pattern.before, *pattern.without):
        if name not in known:
            raise ModelError(
                "SC612",
                f"the network {network.name!r} has no event {name!r}",
                suggestion=closest(name, network.alphabet),
            )


def sees(network: Network, pattern: Pattern, trace: Trace) -> bool:
    """Whether the pattern comes in the events of a trace."""
    event_of = {action.label: action.rule.event for action in network.actions}
    watching = observer(pattern, network.alphabet)
    moves = {(source, event): target for source, event, target in watching.triples()}
    location = watching.initial
    for step in trace.steps:
        location = moves.get((location, event_of[step.label]), location)
    return watching.locations[location] == VIOLATED


def unobserved(original: Network, trace: Trace) -> Trace:
    """A trace of a network with observers as the one without them does it."""
    count = len(original.variables)

    def bare(state: State) -> State:
        return state[:count]  # type: ignore[index,no-any-return]

    steps = tuple(Step(step.label, bare(step.state)) for step in trace.steps)
    return Trace(bare(trace.initial), steps, trace.loop)


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
