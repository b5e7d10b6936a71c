"""Computed measures: what scc, tree and both promise, on random graphs; and sweeps of random networks that use them."""

from itertools import product as pairs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sweepcheck import LTS, Network, SweepcheckError, check, deadlock, explore, never, reachable
from sweepcheck.measures import computed
from sweepcheck.measures.computed import KINDS, Shape
from sweepcheck.models.processes.measuring import component_progress, network_measure
from sweepcheck.testing.random_networks import networks

ENGINES = ["reference", "native"]


@st.composite
def graphs(draw) -> Shape:
    size = draw(st.integers(1, 7))
    targets = draw(st.lists(st.lists(st.integers(0, size - 1), max_size=3), min_size=size, max_size=size))
    return Shape(targets, draw(st.integers(0, size - 1)))


def reach(graph: Shape) -> list[set[int]]:
    """Which locations can be reached from each, itself included."""
    found = [{location} for location in range(len(graph.targets))]
    for _ in graph.targets:
        for location, targets in enumerate(graph.targets):
            for target in targets:
                found[location] |= found[target]
    return found


def is_an_order(ranking) -> None:
    values = set(ranking.values)
    for a, b in pairs(values, values):
        assert not (ranking.leq(a, b) and ranking.leq(b, a)) or a == b
        assert not ranking.leq(a, b) or a <= b, "the natural order extends it"
        for c in values:
            assert not (ranking.leq(a, b) and ranking.leq(b, c)) or ranking.leq(a, c)
    assert all(ranking.leq(a, a) for a in values)


@settings(deadline=None)
@given(graphs())
def test_scc_is_reachability(graph):
    (ranking,) = graph.rankings("scc")
    is_an_order(ranking)
    assert ranking.monotone
    assert graph.regress_edges(ranking) == 0
    reached = reach(graph)
    for a, b in pairs(range(len(graph.targets)), repeat=2):
        same = b in reached[a] and a in reached[b]
        assert (ranking.values[a] == ranking.values[b]) == same
        if ranking.above is not None:
            assert ranking.leq(ranking.values[a], ranking.values[b]) == (b in reached[a])


@settings(deadline=None)
@given(graphs())
def test_a_tree_tells_all_locations_apart_and_follows_steps(graph):
    (ranking,) = graph.rankings("tree")
    is_an_order(ranking)
    assert len(set(ranking.values)) == len(graph.targets)
    assert ranking.values[graph.initial] == 0
    reached = reach(graph)
    for a, b in pairs(range(len(graph.targets)), repeat=2):
        if ranking.leq(ranking.values[a], ranking.values[b]) and ranking.above is not None:
            assert b in reached[a], "only what can be reached is below"
    assert ranking.monotone == (graph.regress_edges(ranking) == 0)


@settings(deadline=None)
@given(graphs())
def test_both_goes_back_inside_components_only(graph):
    coarse, fine = graph.rankings("both")
    assert coarse == graph.rankings("scc")[0]
    is_an_order(fine)
    assert len(set(fine.values)) == len(graph.targets)
    for a, targets in enumerate(graph.targets):
        for b in targets:
            if coarse.values[a] != coarse.values[b]:
                assert fine.leq(fine.values[a], fine.values[b])


@settings(deadline=None)
@given(graphs())
def test_large_graphs_are_ordered_by_position_alone(graph):
    kept = computed.MOST_EXACT
    try:
        computed.MOST_EXACT = 0
        for kind in KINDS:
            for ranking in graph.rankings(kind):
                is_an_order(ranking)
                assert not ranking.monotone or graph.regress_edges(ranking) == 0
    finally:
        computed.MOST_EXACT = kept


def test_what_is_advised():
    chain = Shape([[1], [2], []], 0)
    ring = Shape([[1], [2], [0]], 0)
    mixed = Shape([[1], [2], [3], [4], [1]], 0)
    assert [graph.advise()[0] for graph in (chain, ring, mixed)] == ["scc", "tree", "both"]


@settings(max_examples=60, deadline=None)
@given(networks(2), st.sampled_from(["scc", "tree", "both", "auto"]), st.sampled_from(["generalised", "column"]))
def test_sweeps_with_computed_measures_decide_as_full_exploration_does(drawn, kind, strategy):
    network = drawn.network
    if strategy == "column" and not any(part.monotone for part in network_measure(network, {"": kind}).parts):
        return
    full = explore(network, strategy="full", engine="reference")
    swept = explore(network, strategy=strategy, measure=kind, engine="reference")
    assert swept.statistics.explored >= full.statistics.states
    if swept.statistics.regress_edges == 0:
        assert swept.statistics.explored == full.statistics.states
    events = sorted(network.alphabet)
    asked = [deadlock(), reachable("moved", lambda s: any(getattr(s, name) for name in network.variables))]
    asked += [never(f"no {event}", event, after=events[0]) for event in events[:1]]
    one = check(network, asked, strategy="full", keep_going=True, engine="reference")
    other = check(network, asked, strategy=strategy, measure=kind, keep_going=True, engine="reference")
    assert [verdict.status for verdict in one.verdicts] == [verdict.status for verdict in other.verdicts]


@settings(max_examples=40, deadline=None)
@given(networks(2))
def test_an_scc_measure_is_monotone_for_the_whole_network(drawn):
    network = drawn.network
    full = explore(network, strategy="full", engine="reference")
    swept = explore(network, strategy="sweep", measure="scc", engine="reference")
    assert (swept.statistics.states, swept.statistics.edges) == (full.statistics.states, full.statistics.edges)


RING = LTS([("idle", "start", "busy"), ("busy", "stop", "idle")])
CHAIN = LTS([(0, "start", 1), (1, "start", 2), (2, "start", 3)])


def test_kinds_are_given_for_all_a_family_or_one():
    network = Network("n", {"ring_1": RING, "ring_2": RING, "chain": CHAIN}, measures={"ring": "scc", "ring_2": "both"})
    assert [one.kind for one in component_progress(network)] == ["scc", "both", "scc"]
    assert network_measure(network).name == "scc of ring, chain; both of ring"
    measure = network_measure(network, {"": "tree"})
    assert measure.name == "tree of every component"
    assert [part.monotone for part in measure.parts] == [False, False, True]
    for kinds, words in (({"": "sc"}, "measure 'sc'"), ({"rng": "scc"}, "component 'rng'")):
        with pytest.raises(SweepcheckError) as raised:
            network_measure(network, kinds)
        assert raised.value.code == "SC403"
        assert words in raised.value.what


def test_the_default_strategy_follows_from_the_measures():
    def chosen(network, **options):
        return explore(network, engine="reference", **options).strategy

    assert chosen(Network("n", {"chain": CHAIN})) == "full"
    assert chosen(Network("n", {"chain": CHAIN}, measures="auto")) == "sweep"
    assert chosen(Network("n", {"chain": CHAIN, "ring": RING}, measures="auto")) == "column"
    assert chosen(Network("n", {"ring": RING}, measures="auto")) == "generalised"
    assert chosen(Network("n", {"ring": RING}), measure="scc") == "sweep"
    ring = Network("n", {"ring": RING}, measures="auto")
    ring.always_possible("home", lambda s: s.ring == "idle")
    report = check(ring)
    assert (report.strategy, report.exit_code) == ("full", 0)


def test_only_networks_have_computed_measures(tmp_path):
    (tmp_path / "model.py").write_text("from sweepcheck import Model\nm = Model('m', x=0)\n")
    with pytest.raises(SweepcheckError) as raised:
        explore(str(tmp_path / "model.py"), measure="scc")
    assert raised.value.code == "SC404"
