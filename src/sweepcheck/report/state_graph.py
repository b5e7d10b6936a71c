"""StateGraph: the state space as an object, whose states and labels are made when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from sweepcheck.core.graph import Graph
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Edge, Label, State, System
from sweepcheck.core.property import Kind
from sweepcheck.core.verdict import Status, Stop
from sweepcheck.engines.progress import progress_of
from sweepcheck.errors import RequestError, installation, public, shown
from sweepcheck.properties import MONITORS
from sweepcheck.properties.evaluation import allows
from sweepcheck.report.report import Report


class Successor(NamedTuple):
    """An edge out of a state, or into one: its label, and the state at its other end."""

    label: Label
    state: State


class GraphEdge(NamedTuple):
    """An edge with both its states."""

    source: State
    label: Label
    target: State


class StateGraph:
    """The states and edges of a model. `report` is the run behind it.

    States are tuples of the variables' values, as in traces; `describe` names the values, and `view` reads a state as
    predicates do. Where the model declares an equivalence, states are those that stand for their classes. A graph that
    a limit or a bound cut short (`complete` is false) has states whose edges are not known: `is_explored` tells.
    """

    def __init__(self, report: Report, measure: Measure | None) -> None:
        graph = report.outcome.graph
        assert graph is not None  # it was asked for
        self.report = report
        self.measure = measure
        self._graph: Graph = graph
        self._unexplored = frozenset(graph.unexplored)

    # -- states ------------------------------------------------------------------------------------------------------

    @property
    def system(self) -> System:
        """The model as the engine saw it."""
        return self.report.system

    @property
    def complete(self) -> bool:
        """Whether it has every reachable state and edge."""
        return self.report.complete

    @property
    def stop(self) -> Stop | None:
        """Why it is not complete."""
        return self.report.stop

    @property
    def initial(self) -> tuple[State, ...]:
        """The initial states."""
        return tuple(map(self._graph.state, self._graph.initial))

    def __len__(self) -> int:
        return len(self._graph.first) - 1

    def __iter__(self) -> Iterator[State]:
        """The states in the order found, which is breadth first."""
        return map(self._graph.state, range(len(self)))

    @public
    def __contains__(self, state: object) -> bool:
        return self._find(state) is not None

    def view(self, state: State) -> Any:
        """A state as predicates and measures read it."""
        return self.system.view(self.state(self.number(state)))

    def describe(self, state: State) -> dict[str, object]:
        """A state as variables and values."""
        return self.system.describe(self.state(self.number(state)))

    def progress(self, state: State) -> Any:
        """The progress value of a state; None without a measure."""
        known = self.state(self.number(state))
        return None if self.measure is None else progress_of(self.system, self.measure, known)

    def is_explored(self, state: State) -> bool:
        """Whether the edges of a state are known."""
        return self.number(state) not in self._unexplored

    def is_dead(self, state: State) -> bool:
        """Whether a state has no successors."""
        number = self.number(state)
        return number not in self._unexplored and self._graph.first[number] == self._graph.first[number + 1]

    def violated(self, state: State) -> tuple[str, ...]:
        """The names of the declared invariants and deadlocks that a state violates."""
        known, found = self.state(self.number(state)), []
        for asked in self.system.properties:
            if asked.kind not in (Kind.INVARIANT, Kind.DEADLOCK) or asked.pattern is not None:
                continue
            monitor = MONITORS[asked.kind](self.system.completed(asked), self.system)
            sighting = monitor.on_found(known) or (monitor.on_dead(known) if self.is_dead(known) else None)
            if sighting is not None and sighting.status is Status.VIOLATED:
                found.append(asked.name)
        return tuple(found)

    def forbidden(self, edge: GraphEdge) -> tuple[str, ...]:
        """The names of the declared step properties that an edge violates."""
        steps = (one for one in self.system.properties if one.kind is Kind.STEP)
        way = Edge(edge.label, edge.target)
        return tuple(one.name for one in steps if not allows(self.system, one, edge.source, way))

    # -- numbers: for whoever writes a graph down ----------------------------------------------------------------------

    @public
    def number(self, state: State) -> int:
        """The number of a state, from 0 on, in the order found."""
        found = self._find(state)
        if found is None:
            suggestion = "`state in graph` tells; the states of a graph are those that it gives"
            raise RequestError("SC408", f"{shown(state)} is not a state of the graph", suggestion=suggestion)
        return found

    def state(self, number: int) -> State:
        """The state with a number."""
        if type(number) is not int or not 0 <= number < len(self):
            raise RequestError("SC403", f"there is no state {shown(number)}", suggestion=f"there are {len(self):,}")
        return self._graph.state(number)

    def _find(self, state: Any) -> int | None:
        if self.system.variables and not (isinstance(state, tuple) and len(state) == len(self.system.variables)):
            return None
        try:
            return self._graph.number(state)
        except TypeError:  # it cannot be hashed
            return None

    # -- edges -------------------------------------------------------------------------------------------------------

    @property
    def edge_count(self) -> int:
        """How many edges there are."""
        return len(self._graph.targets)

    @public
    def successors(self, state: State) -> list[Successor]:
        """The edges out of a state, as (label, state), in the order of actions."""
        return [Successor(label, self._graph.state(target)) for label, target in self.outgoing(self.number(state))]

    @public
    def predecessors(self, state: State) -> list[Successor]:
        """The edges into a state, as (label, state)."""
        order, first = self._incoming
        number = self.number(state)
        found = []
        for edge in order[first[number] : first[number + 1]]:
            source = self._source_of(edge)
            label = self._graph.labels(source)[edge - self._graph.first[source]]
            found.append(Successor(label, self._graph.state(source)))
        return found

    def edges(self) -> Iterator[GraphEdge]:
        """All edges, state by state."""
        for number in range(len(self)):
            source = self._graph.state(number)
            for label, target in self.outgoing(number):
                yield GraphEdge(source, label, self._graph.state(target))

    def outgoing(self, number: int) -> Iterator[tuple[Label, int]]:
        """The edges out of the state with a number, as labels and numbers."""
        targets = self._graph.targets[self._graph.first[number] : self._graph.first[number + 1]]
        return zip(self._graph.labels(number), targets, strict=True)

    @cached_property
    def _incoming(self) -> tuple[list[int], list[int]]:
        """The edges by target, and where those of each state begin."""
        targets = self._graph.targets
        order = sorted(range(len(targets)), key=targets.__getitem__)
        counts = [0] * (len(self) + 1)
        for target in targets:
            counts[target + 1] += 1
        for number in range(len(self)):
            counts[number + 1] += counts[number]
        return order, counts

    def _source_of(self, edge: int) -> int:
        first = self._graph.first
        low, high = 0, len(self) - 1
        while low < high:  # the last state whose edges begin at or before this one
            middle = (low + high + 1) // 2
            low, high = (middle, high) if first[middle] <= edge else (low, middle - 1)
        return low

    # -- elsewhere ---------------------------------------------------------------------------------------------------

    def to_networkx(self) -> Any:
        """The graph as a `networkx.MultiDiGraph`: its nodes are the states, and each edge has its `label` as text.

        Nodes have `initial`, `dead` and `explored`. Needs the extra `graph`.
        """
        if find_spec("networkx") is None:
            raise RequestError(
                "SC405", "to_networkx() needs networkx, which is not installed", suggestion=installation("graph")
            )
        made = import_module("networkx").MultiDiGraph(name=self.system.name)
        first, initial = self._graph.first, frozenset(self._graph.initial)
        for number, state in enumerate(self):
            explored = number not in self._unexplored
            dead = explored and first[number] == first[number + 1]
            made.add_node(state, initial=number in initial, dead=dead, explored=explored)
        for source, label, target in self.edges():
            made.add_edge(source, target, label=str(label))
        return made

    def save(self, path: Path | str, labels: Any = None) -> None:
        """Write the graph as a file: .svg, .dot, .json, .aut or .graphml. `labels` are the variables to show in a
        drawing; all of them by default.
        """
        from sweepcheck.report.graph_files import save_graph

        save_graph(self, path, labels)

    def __repr__(self) -> str:
        noun, cut = self.report.noun, "" if self.complete else f"; {self.stop}"
        return f"<graph of {self.system.name!r}: {len(self):,} {noun}, {self.edge_count:,} edges{cut}>"

    def _repr_svg_(self) -> str | None:
        from sweepcheck.report.graph_files import picture_of

        return picture_of(self)
