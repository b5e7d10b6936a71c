"""Algorithm B: the monotone sweep (paper 0, sections 3 and 4; paper 1).

Least progress first. Every edge is checked against the measure. Processed states that no unprocessed state can lead
back to, because of the order on progress values, are deleted.
"""

from __future__ import annotations

from typing import Any

from sweepcheck.core.measure import Measure
from sweepcheck.core.model import State
from sweepcheck.core.plan import CollectionPolicy
from sweepcheck.engines.progress import guarded, progress_of, regress
from sweepcheck.engines.reference.collector import Collector, Nodes
from sweepcheck.engines.reference.exploration import Exploration
from sweepcheck.engines.reference.layers import Unprocessed


def sweep(exploration: Exploration, measure: Measure, gc: CollectionPolicy) -> None:
    """Process every reachable state once, least progress first, forgetting what lies behind."""
    system, order = exploration.system, guarded(measure)
    nodes: Nodes = {}
    unprocessed = Unprocessed(measure, order)
    collector = Collector(exploration, gc)
    exploration.sweeps = 1

    def add(state: State, value: Any, parent: int | None, position: int) -> None:
        nodes.setdefault(value, {})[state] = exploration.found(state, parent, position)
        unprocessed.add(value, state)

    for position, initial in enumerate(system.initial_states()):
        add(initial, progress_of(system, measure, initial), None, position)
    while unprocessed:
        exploration.progress = value = unprocessed.minimal()
        s = unprocessed.take(value)
        number = nodes[value][s]
        for position, edge in enumerate(exploration.expand(s, number)):
            successor = edge.target
            next_value = progress_of(system, measure, successor)
            if not order.leq(value, next_value):
                raise regress(system, s, value, edge, next_value)
            unprocessed.check(value, next_value)
            if successor not in nodes.get(next_value, ()):
                add(successor, next_value, number, position)
        if not unprocessed.holds(value):
            exploration.layer_left(value, len(nodes[value]))
            exploration.complete(nodes[value])
            collector.done.append(value)
            unprocessed.leave(value)
        if collector.is_due():
            collector.collect(nodes)
    collector.collect(nodes)
