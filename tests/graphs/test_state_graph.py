"""State graphs: those of the native engine are those of the reference engine, and the object answers alike."""

import sys
import types
from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sweepcheck import Bag, Limits, Model, SweepcheckError, choose, load, require, state_graph, stay
from sweepcheck.core.verdict import Stop
from sweepcheck.engines.native import graph as native_graph
from sweepcheck.engines.native import labels as native_labels
from sweepcheck.errors import RequestError
from sweepcheck.report.state_graph import StateGraph
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.random_nets import DrawnNet, nets
from sweepcheck.testing.random_networks import DrawnNetwork, networks

ENGINES = ("native", "reference")


def edges_of(graph: StateGraph) -> Counter[Any]:
    return Counter((edge.source, str(edge.label), edge.target) for edge in graph.edges())


def same(model: Any, **options: Any) -> StateGraph:
    """The graph of the native engine, which is that of the reference engine."""
    native, reference = (state_graph(model, engine=engine, **options) for engine in ENGINES)
    assert set(native) == set(reference)
    assert set(native.initial) == set(reference.initial)
    assert edges_of(native) == edges_of(reference)
    assert {s for s in native if not native.is_explored(s)} == {s for s in reference if not reference.is_explored(s)}
    assert native.stop == reference.stop
    for number, state in enumerate(native):
        assert native.number(state) == number
    return native


def tokens() -> Model:
    """Choices and tokens in labels, two edges of one label's action into one state, and a self loop."""
    m = Model("tokens", bag=Bag([1, 2]), n=0)

    @m.action
    def move(s: Any) -> None:
        token = s.bag.take()
        s.bag.add(choose(1, 2, token))
        s.n = min(s.n + 1, 3)

    @m.action
    def guess(s: Any) -> None:
        choose("a", "b")
        stay()

    m.progress(lambda s: s.n)
    m.invariant("few", lambda s: s.n < 3)
    return m


@pytest.mark.parametrize(
    "reference", ["stop_and_wait_net.py", "timed_protocol.py", "endless_stop_and_wait.py", "token_ring.py"]
)
@pytest.mark.parametrize("up_to", [None, 4])
def test_examples(reference: str, up_to: int | None) -> None:
    model = load(
        f"examples/{reference}", {"packets": 2} if reference in ("stop_and_wait_net.py", "timed_protocol.py") else {}
    )
    graph = same(model, up_to=up_to)
    assert (graph.stop is None) == (up_to is None)
    assert graph.edge_count == sum(len(graph.successors(state)) for state in graph)


@given(st.one_of(sources(), nets(), nets(timed=True)))
@settings(deadline=None)
def test_random_models(source: Source | DrawnNet) -> None:
    model = source.case().model
    few = Limits(states=300)  # a net may have states without end
    assume(state_graph(model, engine="native", limits=few).stop is None)
    same(model)


@given(networks())
@settings(deadline=None)
def test_random_networks(drawn: DrawnNetwork) -> None:
    same(drawn.network)


def test_labels_of_edges_that_differ_in_choices_alone() -> None:
    graph = same(tokens())
    loops = [str(label) for label, state in graph.successors(graph.initial[0]) if state == graph.initial[0]]
    assert sorted(loops) == ["guess('a')", "guess('b')"]
    assert not graph.complete or graph.report.exit_code == 0


def test_labels_of_tokens_that_are_put_back() -> None:
    """Runs with different tokens lead to one state: which is which must not be carried over to states without one."""
    m = Model("looks", bag=Bag([1, 2, 3]))

    @m.action
    def look(s: Any) -> None:
        s.bag.add(s.bag.take())

    @m.action
    def lose(s: Any) -> None:
        s.bag.take()

    graph = same(m)
    for state in graph:
        looked = {
            dict(label.arguments)["token"] if label.arguments[0][0] else label.arguments[0][1]
            for label, target in graph.successors(state)
            if label.action == "look"
        }
        assert looked == set(graph.describe(state)["bag"])


def test_one_run_of_the_model_answers_for_many_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    m = Model("post", sent=0, got=0, box=Bag())

    @m.action
    def send(s: Any) -> None:
        require(s.sent < 12 and len(s.box) < 4)
        s.sent += 1
        s.box.add(s.sent)

    @m.action
    def receive(s: Any) -> None:
        s.got = max(s.got, s.box.take())

    graph = same(m)
    asked = []
    monkeypatch.setattr(native_graph.NativeGraph, "_runs", _counting(native_graph.NativeGraph._runs, asked))
    fresh = state_graph(m)
    assert edges_of(fresh) == edges_of(graph)
    assert len(asked) < graph.edge_count / 10  # the contents of the box make no difference


def _counting(function: Any, calls: list[Any]) -> Any:
    def counted(*arguments: Any) -> Any:
        calls.append(arguments)
        return function(*arguments)

    return counted


def test_labels_are_found_again_when_an_action_touches_more_than_before() -> None:
    m = Model("late", mode=0, x=0, y=0)

    @m.action
    def act(s: Any) -> None:
        if s.mode == 0:
            s.mode = choose(1, 2)
        elif s.mode == 1:
            s.x = choose(range(s.x + 1, 4))
        else:
            require(s.y < 3)
            by = choose(1, s.y + 1)
            s.y += by

    same(m)


def test_pages_and_labels_that_are_let_go_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_graph, "AT_ONCE", 3)
    monkeypatch.setattr(native_graph, "MOST_MADE", 6)
    monkeypatch.setattr(native_labels, "MOST_KEPT", 1)
    same(load("examples/stop_and_wait_net.py", {"packets": 2}))


def test_a_limit_gives_a_part_of_the_graph() -> None:
    for engine in ENGINES:
        graph = state_graph(load("examples/stop_and_wait.py"), limits=Limits(states=50), engine=engine)
        assert len(graph) == 50
        assert graph.stop is Stop.STATES
        assert 0 < sum(not graph.is_explored(state) for state in graph) < 50
        assert all(edge.target in graph for edge in graph.edges())
        assert "the limit on states was reached" in repr(graph)
    one = state_graph(load("examples/unreachable_goal.py"), limits=Limits(states=1))
    assert [one.is_explored(state) for state in one] == [False]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_object(engine: str) -> None:
    graph = state_graph(tokens(), engine=engine)
    first = graph.initial[0]
    assert first in graph
    assert len(list(graph)) == len(graph)
    for stranger in ((), 5, "x", (Bag([1]), 0, 0), (Bag([9]), 99), ([], {}), (Bag([1, 2]), 77), None):
        assert stranger not in graph
    assert graph.describe(first) == {"bag": Bag([1, 2]), "n": 0}
    assert graph.view(first).n == 0
    assert {graph.progress(state) for state in graph} == {0, 1, 2, 3}
    assert {graph.violated(state) for state in graph if state[1] == 3} == {("few",)}
    assert not any(graph.is_dead(state) for state in graph)
    ends = Counter((str(label), source, state) for state in graph for label, source in graph.predecessors(state))
    assert ends == Counter((str(e.label), e.source, e.target) for e in graph.edges())
    with pytest.raises(RequestError, match="SC408"):
        graph.successors((Bag([9]), 99))
    with pytest.raises(RequestError, match="SC403"):
        graph.state(len(graph))


def test_a_plain_object_runs_on_the_reference_engine() -> None:
    class Counter3:
        def initial(self) -> list[int]:
            return [0]

        def successors(self, state: int) -> list[tuple[str, int]]:
            return [("tick", state + 1)] if state < 3 else []

    graph = state_graph(Counter3())
    assert list(graph) == [0, 1, 2, 3]
    assert graph.is_dead(3)
    assert [(str(label), state) for label, state in graph.successors(0)] == [("tick", 1)]
    assert 7 not in graph
    assert [] not in graph


def test_the_states_of_a_symmetric_model_are_classes() -> None:
    model = load("examples/token_ring.py")
    graph, whole = state_graph(model), state_graph(model, equivalence=False)
    assert graph.report.noun in ("classes", "states")
    assert len(graph) <= len(whole)
    endless = same(load("examples/endless_stop_and_wait.py"))
    assert endless.report.noun == "classes"
    assert "classes" in repr(endless)


def test_strategies_that_forget_are_refused() -> None:
    for strategy in ("sweep", "caching", 5):
        with pytest.raises(SweepcheckError, match="SC417"):
            state_graph(tokens(), strategy=strategy)
    assert len(state_graph(tokens(), strategy="full")) == len(state_graph(tokens()))


def test_an_assertion_that_fails_cuts_it_short() -> None:
    m = Model("asserting", n=0)

    @m.action
    def count(s: Any) -> None:
        assert s.n < 2
        s.n += 1

    for engine in ENGINES:
        graph = state_graph(m, engine=engine)
        assert graph.stop is Stop.ASSERTION
        assert len(graph) == 3


def test_networkx_is_asked_for_by_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = state_graph(tokens())
    monkeypatch.setattr("sweepcheck.report.state_graph.find_spec", lambda _: None)
    with pytest.raises(RequestError, match="networkx"):
        graph.to_networkx()


def test_networkx_gets_states_as_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in with the two methods that are called: the package itself is optional."""

    class MultiDiGraph:
        def __init__(self, name: str) -> None:
            self.name, self.nodes, self.edges = name, {}, []

        def add_node(self, node: Any, **data: Any) -> None:
            self.nodes[node] = data

        def add_edge(self, source: Any, target: Any, **data: Any) -> None:
            self.edges.append((source, target, data))

    module = types.ModuleType("networkx")
    module.MultiDiGraph = MultiDiGraph  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "networkx", module)
    monkeypatch.setattr("sweepcheck.report.state_graph.find_spec", lambda _: object())
    graph = state_graph(tokens())
    made = graph.to_networkx()
    assert set(made.nodes) == set(graph)
    assert made.nodes[graph.initial[0]] == {"initial": True, "dead": False, "explored": True}
    assert Counter((s, d["label"], t) for s, t, d in made.edges) == edges_of(graph)


def test_networkx_itself_takes_the_graph() -> None:
    pytest.importorskip("networkx")
    graph = state_graph(tokens())
    made = graph.to_networkx()
    assert made.number_of_nodes() == len(graph)
    assert Counter((s, d["label"], t) for s, t, d in made.edges(data=True)) == edges_of(graph)
    assert made.nodes[graph.initial[0]]["initial"]
