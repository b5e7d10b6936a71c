"""A walk to a state made shorter: the shortest way through the states that it met."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise

from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.trace import Step, Trace
from sweepcheck.engines.replay import IMPURE
from sweepcheck.errors import SweepcheckError, TraceError
from sweepcheck.properties.evaluation import allows, show

MOST_LOOKED_AT = 5_000  # states whose edges are looked at


def without_cycles(states: Sequence[State]) -> list[State]:
    """The same way without the parts that lead back to where it was."""
    kept: list[State] = []
    places: dict[State, int] = {}
    for state in states:
        if state in places:
            for gone in kept[places[state] + 1 :]:
                del places[gone]
            del kept[places[state] + 1 :]
        else:
            places[state] = len(kept)
            kept.append(state)
    return kept


def shortened(system: System, asked: Property, states: Sequence[State]) -> Trace:
    """The shortest trace that shows the same, through states of a walk. A step decides with both its states."""
    last = list(states[-2:]) if asked.kind is Kind.STEP else list(states[-1:])
    way = without_cycles(states[: len(states) - len(last) + 1])
    steps = _shortest(system, way)
    if asked.kind is Kind.STEP:
        edges = (edge for edge in system.edges(last[0]) if edge.target == last[1])
        wrong = next((edge for edge in edges if not allows(system, asked, last[0], edge)), None)
        steps = (*steps, _step(system, last[0], wrong))
    return Trace(way[0], steps)


def _shortest(system: System, way: Sequence[State]) -> tuple[Step, ...]:
    """The shortest way from the first of some states to the last of them that passes through no others."""
    end, allowed = way[-1], set(way)
    before: dict[State, tuple[State, Step] | None] = {way[0]: None}
    waiting = deque(way[:1])
    looked_at = 0
    while end not in before and waiting and looked_at < MOST_LOOKED_AT:
        looked_at += 1
        state = waiting.popleft()
        try:
            edges = system.edges(state)
        except SweepcheckError:  # an assertion that fails elsewhere, say: no way leads on from there
            continue
        for label, target in edges:
            if target in allowed and target not in before:
                before[target] = state, Step(label, target)
                waiting.append(target)
    if end not in before:
        return tuple(_along(system, way))
    steps: list[Step] = []
    state = end
    while (came := before[state]) is not None:
        state, step = came
        steps.append(step)
    return tuple(reversed(steps))


def _along(system: System, way: Sequence[State]) -> list[Step]:
    steps = []
    for state, target in pairwise(way):
        steps.append(_step(system, state, next((one for one in system.edges(state) if one.target == target), None)))
    return steps


def _step(system: System, state: State, edge: Edge | None) -> Step:
    if edge is None:
        raise TraceError(
            "SC502",
            "a step of a walk has vanished: the model does something else now than before",
            values=[("state", show(system, state))],
            suggestion=IMPURE,
        )
    return Step(edge.label, edge.target)
