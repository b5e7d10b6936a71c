"""The trace with the fewest context switches: as long as it can, one process or module goes on.

A search by cost over pairs of a state and who made the last step. It runs the model in Python, and up to a limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, pairwise

from sweepcheck.core.model import Edge, Label, State, System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.trace import Step, Trace
from sweepcheck.engines.replay import shows
from sweepcheck.errors import SweepcheckError
from sweepcheck.properties.evaluation import allows

MOST_PAIRS = 200_000  # of a state and who made the last step
Cost = tuple[int, int]  # switches, then steps


@dataclass(frozen=True, slots=True)
class Node:
    """A state, who made the step to it, and the way back; `decides`, where the step itself does."""

    state: State
    owner: str | None
    parent: Node | None = None
    label: Label | None = None
    decides: bool = False


def owner_of(system: System, label: Label) -> str:
    """Who makes a step; where nobody is named, an action is its own master."""
    return system.owner(label) or label.action


def switches(system: System, trace: Trace) -> int:
    """How often a step is made by another one than the step before."""
    owners = [owner_of(system, step.label) for step in trace.steps]
    return sum(one != other for one, other in pairwise(owners))


def fewest_switches(
    system: System, asked: Property, found: Trace, most: int = MOST_PAIRS, seconds: float | None = None
) -> Trace | None:
    """A trace that decides the property with fewer switches than the one found, or as many and fewer steps.

    The one found if there is none; None if it was not known after so many pairs or seconds.
    """
    end = None if seconds is None else time.perf_counter() + seconds
    limit: Cost = switches(system, found), len(found)
    numbers = count()
    waiting: list[tuple[Cost, int, Node]] = []
    for state in system.initial_states():
        heappush(waiting, ((0, 0), next(numbers), Node(state, None)))
    settled: set[tuple[State, str | None]] = set()
    decides = _decider(system, asked)
    while waiting:
        (switched, steps), _, node = heappop(waiting)
        if node.decides or decides(node.state):
            return _trace(node)
        if (node.state, node.owner) in settled:
            continue
        if len(settled) >= most or (end is not None and time.perf_counter() > end):
            return None
        settled.add((node.state, node.owner))
        for edge in _edges(system, node.state):
            owner = owner_of(system, edge.label)
            cost = switched + (node.owner is not None and owner != node.owner), steps + 1
            final = asked.kind is Kind.STEP and not allows(system, asked, node.state, edge)
            if cost < limit and (final or (edge.target, owner) not in settled):
                heappush(waiting, (cost, next(numbers), Node(edge.target, owner, node, edge.label, final)))
    return found


def _decider(system: System, asked: Property) -> Callable[[State], bool]:
    """Whether a state decides the property; each is looked at once."""
    known: dict[State, bool] = {}

    def decides(state: State) -> bool:
        if asked.kind is Kind.STEP:
            return False
        if state not in known:
            try:
                known[state] = shows(system, asked, Trace(state))
            except SweepcheckError:  # a function fails there: another mistake, at the end of another run
                known[state] = False
        return known[state]

    return decides


def _edges(system: System, state: State) -> tuple[Edge, ...]:
    try:
        return tuple(system.edges(state))
    except SweepcheckError:
        return ()


def _trace(node: Node) -> Trace:
    steps: list[Step] = []
    while node.parent is not None and node.label is not None:
        steps.append(Step(node.label, node.state))
        node = node.parent
    return Trace(node.state, tuple(reversed(steps)))
