"""Algorithm B: the monotone sweep (paper 0, sections 3 and 4; paper 1).

Least progress first. Every edge is checked against the measure. Processed states that no unprocessed state can lead
back to, because of the order on progress values, are deleted.
"""

from __future__ import annotations

from typing import Any

from sweepcheck.core.measure import Measure, Order
from sweepcheck.core.model import State
from sweepcheck.core.plan import Collection
from sweepcheck.engines.progress import guarded, progress_of, regress
from sweepcheck.engines.reference.exploration import Exploration
from sweepcheck.engines.reference.layers import Unprocessed
from sweepcheck.strategies.collection import next_interval

Nodes = dict[Any, dict[State, int]]  # NODES of the paper, one table per progress value: states and their numbers


def sweep(exploration: Exploration, measure: Measure, collection: Collection) -> None:
    """Process every reachable state once, least progress first, forgetting what lies behind."""
    system, order = exploration.system, guarded(measure)
    nodes: Nodes = {}
    unprocessed = Unprocessed(order)
    since_collection, interval = 0, collection.interval

    def add(state: State, value: Any, parent: int | None, position: int) -> None:
        nodes.setdefault(value, {})[state] = exploration.found(state, parent, position)
        unprocessed.add(value, state)

    for position, initial in enumerate(system.initial_states()):
        add(initial, progress_of(system, measure, initial), None, position)
        since_collection += 1
    while unprocessed:
        exploration.progress = value = unprocessed.minimal()
        s = unprocessed.take(value)
        number = nodes[value][s]
        for position, edge in enumerate(exploration.expand(s, number)):
            successor = edge.target
            next_value = progress_of(system, measure, successor)
            if not order.leq(value, next_value):
                raise regress(system, s, value, edge, next_value)
            if successor not in nodes.get(next_value, ()):
                add(successor, next_value, number, position)
                since_collection += 1
        layer_is_done = not unprocessed.holds(value)
        if layer_is_done:
            exploration.layer_left(value, len(nodes[value]))
            exploration.complete(nodes[value])
        if layer_is_done if collection.policy == "layer" else since_collection >= interval:
            reclaimed = collect(exploration, order, nodes, unprocessed)
            since_collection = 0
            if collection.policy == "auto":
                interval = next_interval(interval, exploration.stored, reclaimed, exploration.memory_is_scarce())
    collect(exploration, order, nodes, unprocessed)


def collect(exploration: Exploration, order: Order, nodes: Nodes, unprocessed: Unprocessed) -> int:
    """Delete every layer that no unprocessed state can lead back to; how many states that was.

    Values are compared, never single states: there are few distinct values and many states.
    """
    doomed = [v for v in nodes if not any(order.leq(u, v) for u in unprocessed.values())]
    reclaimed = 0
    for value in doomed:
        states = len(nodes.pop(value))
        exploration.forgotten(states)
        reclaimed += states
    return reclaimed
