"""Algorithm A: full exploration, breadth first, everything stored (paper 0, figure 4)."""

from __future__ import annotations

from collections import deque

from sweepcheck.core.model import State
from sweepcheck.engines.reference.exploration import Exploration


def explore_fully(exploration: Exploration) -> None:
    """Process every reachable state once, in the order found."""
    nodes: dict[State, int] = {}
    unprocessed: deque[State] = deque()
    for position, initial in enumerate(exploration.system.initial_states()):
        nodes[initial] = exploration.found(initial, edge=position)
        unprocessed.append(initial)
    while unprocessed:
        s = unprocessed.popleft()
        for position, (_, successor) in enumerate(exploration.expand(s, nodes[s])):
            if successor not in nodes:
                nodes[successor] = exploration.found(successor, nodes[s], position)
                unprocessed.append(successor)
    exploration.layer_left(None, len(nodes))
    exploration.complete(nodes)
