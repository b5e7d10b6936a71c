"""Strongly connected components against mutual reachability."""

from hypothesis import given
from hypothesis import strategies as st

from sweepcheck.properties.scc import sccs

SIZE = 8


@st.composite
def graphs(draw: st.DrawFn) -> dict[int | None, list[int | None]]:
    """Every state with up to three targets, some of them outside; one state is None."""
    states = [None, *range(1, SIZE)]
    target = st.sampled_from([*states, "outside"])
    return {state: draw(st.lists(target, max_size=3)) for state in states}


@given(graphs())
def test_components(graph: dict[int | None, list[int | None]]) -> None:
    reach = {state: {target for target in targets if target in graph} for state, targets in graph.items()}
    for _ in graph:
        reach = {state: near.union(*(reach[one] for one in near)) for state, near in reach.items()}
    expected = {
        frozenset({state, *(other for other in graph if other in reach[state] and state in reach[other])})
        for state in graph
    }
    found = list(sccs(graph, graph.__getitem__))
    assert {frozenset(component) for component in found} == expected
    assert sum(map(len, found)) == len(graph)
    position = {state: number for number, component in enumerate(found) for state in component}
    assert all(
        position[target] <= position[state]  # each after all components it leads to
        for state, targets in graph.items()
        for target in targets
        if target in graph
    )
