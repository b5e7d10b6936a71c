"""Strongly connected components of a set of states (Tarjan's algorithm, without recursion)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sweepcheck.core.model import State


def sccs(states: Iterable[State], targets: Callable[[State], Iterable[State]]) -> Iterator[list[State]]:
    """The components of the subgraph that `states` span, each after all components it leads to."""
    inside = dict.fromkeys(states)
    index: dict[State, int] = {}
    low: dict[State, int] = {}
    stack: list[State] = []
    path: list[tuple[State, Iterator[State]]] = []

    def enter(state: State) -> None:
        index[state] = low[state] = len(index)
        stack.append(state)
        path.append((state, iter([target for target in targets(state) if target in inside])))

    for root in inside:
        if root not in index:
            enter(root)
        while path:
            state, pending = path[-1]
            for target in pending:
                if target not in index:
                    enter(target)
                    break
                if target in low:  # on the stack: states of finished components have lost their `low`
                    low[state] = min(low[state], index[target])
            if path[-1][0] != state:  # gone deeper; the state's other targets come later
                continue
            path.pop()
            if path:
                parent = path[-1][0]
                low[parent] = min(low[parent], low[state])
            if low[state] == index[state]:
                scc: list[State] = []
                while not scc or scc[-1] != state:
                    scc.append(stack.pop())
                    del low[scc[-1]]
                yield scc
