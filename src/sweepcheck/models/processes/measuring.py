"""Measures of networks: one for each component, computed from its graph, and their product (paper 2)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sweepcheck.core.measure import Measure, Order
from sweepcheck.core.tabulated import TableMeasure
from sweepcheck.errors import RequestError, closest, shown
from sweepcheck.measures.computed import AUTO, Ranking, Shape, check_words
from sweepcheck.measures.product import product
from sweepcheck.models.processes.lts import LTS

if TYPE_CHECKING:
    from sweepcheck.models.processes.network import Network


@dataclass(frozen=True, slots=True)
class ComponentProgress:
    """What measures of a component can be had, which one is taken, and why."""

    component: str
    locations: int
    steps: int
    components: int  # strongly connected ones
    largest: int
    tree_regress: int  # steps that go back in the spanning tree
    both_regress: int  # those of them inside a strongly connected component
    kind: str
    reason: str


def shape(lts: LTS) -> Shape:
    """The graph of a component."""
    return Shape([lts.targets(location) for location in range(len(lts))], lts.initial)


def component_progress(network: Network) -> list[ComponentProgress]:
    """What can be said about the progress of each component."""
    found = []
    for name, lts in zip(network.variables, network.components, strict=True):
        graph = shape(lts)
        kind, reason = chosen(network, name, graph)
        tree, inside = graph.rankings("tree")[0], graph.rankings("both")[1]
        found.append(
            ComponentProgress(
                name,
                len(lts),
                lts.step_count,
                len(graph.sizes),
                max(graph.sizes),
                graph.regress_edges(tree),
                graph.regress_edges(inside),
                kind,
                reason,
            )
        )
    return found


def chosen(network: Network, name: str, graph: Shape) -> tuple[str, str]:
    """The kind of measure a component gets, and why."""
    declared = kind_of(network.measures, name)
    return graph.advise() if declared in (None, AUTO) else (str(declared), "asked for")


@dataclass(frozen=True, slots=True, eq=False)  # one function is no other
class LocationProgress(TableMeasure):
    """The progress of one component, by its location."""

    component: str
    values: Mapping[Hashable, int]
    ranking: Ranking

    def __call__(self, s: Any) -> int:
        """See `TableMeasure`."""
        return self.values[getattr(s, self.component)]

    @property
    def variable(self) -> str:
        """See `TableMeasure`."""
        return self.component

    @property
    def table(self) -> Mapping[Hashable, int]:
        """See `TableMeasure`."""
        return self.values

    @property
    def above(self) -> tuple[int, ...] | None:
        """See `TableMeasure`."""
        return self.ranking.above


def network_measure(network: Network, kinds: Mapping[str, str] | None = None) -> Measure:
    """The product of the components' measures, in the order of the components.

    `kinds` go before what the network declares; observers are measured by what they are (scc).
    """
    check_kinds(network, kinds or {})
    check_kinds(network, network.measures)
    parts, words = [], []
    for name, lts in zip(network.variables, network.components, strict=True):
        graph = shape(lts)
        kind = kind_of(kinds or {}, name) or kind_of(network.measures, name) or AUTO
        taken = graph.advise()[0] if kind == AUTO else kind
        words.append((name, taken))
        for ranking in graph.rankings(taken):
            located = LocationProgress(name, dict(zip(lts.locations, ranking.values, strict=True)), ranking)
            order = Order(taken, ranking.above is None, ranking.leq, _itself, _always)
            parts.append(Measure(located, order, f"{taken} of {name}", monotone=ranking.monotone))
    return product(*parts, name=_told(words))


def _itself(value: int) -> int:
    return value


def _always(_: object) -> bool:
    return True


def _told(words: list[tuple[str, str]]) -> str:
    """The measure in words: the kinds, and the components of each where there are several."""
    by_kind: dict[str, list[str]] = {}
    for name, kind in words:
        family = name.rstrip("0123456789").rstrip("_")
        by_kind.setdefault(kind, []).append(family if family and family != name else name)
    if len(by_kind) == 1:
        return f"{next(iter(by_kind))} of every component"
    return "; ".join(f"{kind} of {', '.join(dict.fromkeys(names))}" for kind, names in by_kind.items())


def check_kinds(network: Network, kinds: Mapping[str, str]) -> None:
    """Refuse kinds and components that do not exist."""
    families = {name.rpartition("_")[0] for name in network.variables}
    check_words(kinds)
    for component in kinds:
        if not isinstance(component, str):
            raise RequestError("SC403", f"{shown(component)} is not a component", suggestion="give its name")
        known = component in network.variables or any(name.startswith(f"{component}_") for name in network.variables)
        if component and not known:
            raise RequestError(
                "SC403",
                f"the network has no component {component!r} to measure",
                suggestion=closest(component, [*network.variables, *sorted(families - {""})]),
            )


def kind_of(kinds: Mapping[str, str], name: str) -> str | None:
    """What is said of a component, of its family (`voter` of `voter_3`), or of all; None if nothing."""
    family = name
    while family:
        if family in kinds:
            return kinds[family]
        family = family.rpartition("_")[0]
    return kinds.get("")
