"""Hypothesis strategies for random graphs: plain objects with `initial()` and `successors(state)`.

They have self loops, parallel edges with different labels, edges yielded twice, several initial states, dead and
unreachable states; states are numbers or all sorts of hashable values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sweepcheck.core.measure import Measure
from sweepcheck.measures import partial_order, product, progress
from sweepcheck.testing.drawing import st

MOTLEY: tuple[Hashable, ...] = (None, "a", ("a", 1), frozenset({"b"}), 2.5, -1, "", (), b"c", frozenset(), "d", (None,))


@dataclass(frozen=True)
class Members:
    """The predicate "is one of these", which can be printed."""

    states: frozenset[Hashable]

    def __call__(self, state: Hashable) -> bool:
        return state in self.states


@dataclass(frozen=True)
class Graph:
    """An explicit graph. `arrows` are (source, label, target), positions in `states`."""

    states: tuple[Hashable, ...]
    roots: tuple[int, ...]
    arrows: tuple[tuple[int, str, int], ...]

    def initial(self) -> list[Hashable]:
        """The roots."""
        return [self.states[root] for root in self.roots]

    def successors(self, state: Hashable) -> Iterator[tuple[str, Hashable]]:
        """The arrows out of a state, in the order drawn."""
        for source, label, target in self.arrows:
            if self.states[source] == state:
                yield label, self.states[target]


@dataclass(frozen=True)
class Case:
    """A model, a measure for it, and a predicate: what the conformance kit wants."""

    model: Any
    measure: Measure | None = field(repr=False)
    predicate: Callable[[Any], object]
    shown: object = None  # the measure, readable

    @property
    def kit(self) -> dict[str, Any]:
        """The arguments of `check_engine` that come from the case."""
        return {"model": self.model, "measure": self.measure, "predicate": self.predicate}


_number = st.integers(0, 4)
_pair = st.tuples(st.integers(0, 2), st.integers(0, 2))
_set = st.frozensets(st.integers(0, 2))

# For every order: a strategy for its values, and a measure from the value of each state.
ORDERS: dict[str, tuple[st.SearchStrategy[Any], Callable[[Callable[[Any], Any]], Measure]]] = {
    "number": (_number, progress),
    "lexicographic": (_pair, progress),
    "product": (_pair, lambda value: product(lambda s: value(s)[0], lambda s: value(s)[1])),
    "partial": (_set, partial_order),
}
# A product of which one component is declared to be monotone: by "monotone" only that one is meant.
COLUMNS = (_pair, lambda value: product(progress(lambda s: value(s)[0], monotone=True), lambda s: value(s)[1]))
TOTAL, PARTIAL = ("number", "lexicographic"), ("product", "partial")


def _any(source: int, target: int) -> bool:  # noqa: ARG001
    return True


@st.composite
def graphs(draw: st.DrawFn, keep: Callable[[int, int], bool] = _any) -> Graph:
    """Graphs whose arrows satisfy `keep(source, target)`; others are turned round or left out."""
    size = draw(st.integers(3, len(MOTLEY)))
    outgoing = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, size - 1)), min_size=1, max_size=4)
    dead = draw(st.frozensets(st.integers(0, size - 1), max_size=2))
    arrows = [
        (source, label, target) if keep(source, target) else (target, label, source)
        for source in range(size)
        if source not in dead
        for label, target in draw(outgoing)
    ]
    states = tuple(range(size)) if draw(st.booleans()) else MOTLEY[:size]
    roots = draw(st.lists(st.integers(0, min(2, size - 1)), min_size=1, max_size=3))
    return Graph(states, tuple(roots), tuple(arrow for arrow in arrows if keep(arrow[0], arrow[2])))


@st.composite
def graph_cases(draw: st.DrawFn, order: str | None = None, monotone: bool = True) -> Case:
    """Graphs with a measure; if `monotone`, progress goes down on no arrow. No order means no measure.

    Order "columns" is a product; if `monotone`, the first of its components goes down on no arrow.
    """
    if order is None:
        graph = draw(graphs())
        return Case(graph, None, _members(draw, graph))
    values, measured = COLUMNS if order == "columns" else ORDERS[order]
    leq = (lambda one, other: one[0] <= other[0]) if order == "columns" else measured(lambda s: s).order.leq
    # Low values first, so that there is something ahead of the roots.
    drawn = sorted(draw(st.lists(values, min_size=len(MOTLEY), max_size=len(MOTLEY))), key=_height)
    graph = draw(graphs(lambda source, target: not monotone or leq(drawn[source], drawn[target])))
    value = dict(zip(graph.states, drawn, strict=False))
    return Case(graph, measured(value.__getitem__), _members(draw, graph), value)


def _height(value: Any) -> Any:
    return value if isinstance(value, int) else len(value) if isinstance(value, frozenset) else sum(value)


def _members(draw: st.DrawFn, graph: Graph) -> Members:
    return Members(frozenset(draw(st.frozensets(st.sampled_from(graph.states)))))
