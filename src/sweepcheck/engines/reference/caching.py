"""Algorithm E: state space caching (paper 2, section 6).

Depth first. The states on the stack are stored, the others are kept in a cache of bounded size for as long as there is
room. Everything is explored, some of it many times. It is there to be compared with.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from sweepcheck.core.model import Edge, State
from sweepcheck.engines.reference.exploration import Exploration

Frame = tuple[State, int, list[tuple[int, Edge]]]  # a state, its number, and the edges still to follow, last first


def explore_with_cache(exploration: Exploration, cache_size: int | None) -> None:
    """Process every reachable state at least once, newest first, with so many states stored beside the stack."""
    stack: list[Frame] = []
    on_stack: set[State] = set()
    cache: dict[State, None] = {}  # in the order they were left

    def enter(s: State, parent: int | None, position: int) -> None:
        number = exploration.found(s, parent, position)
        on_stack.add(s)
        edges: Sequence[Edge] = exploration.expand(s, number)
        # Those stored now need no second look; the others are looked up again when their turn comes.
        new = [(i, edge) for i, edge in enumerate(edges) if edge.target not in on_stack and edge.target not in cache]
        stack.append((s, number, new[::-1]))

    def leave(s: State) -> None:
        """Off the stack and into the cache, where it takes the place of the one that has been there longest."""
        on_stack.remove(s)
        cache[s] = None
        while cache_size is not None and len(cache) > cache_size:
            oldest = next(islice(cache, 1))
            del cache[oldest]
            exploration.evicted += 1
            exploration.forgotten([oldest])

    for position, initial in enumerate(exploration.system.initial_states()):
        if initial in cache:
            continue
        enter(initial, None, position)
        while stack:
            s, number, edges = stack[-1]
            if not edges:
                stack.pop()
                leave(s)
                continue
            position_of_edge, edge = edges.pop()
            if edge.target not in on_stack and edge.target not in cache:
                enter(edge.target, number, position_of_edge)
    exploration.layer_left(None, exploration.explored)
