"""Measures that are found: what is called monotone is, and a sweep by any of them visits all states."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from sweepcheck import Array, Limits, Model, SweepcheckError, check, explore, load, require, state_graph
from sweepcheck.core.discovery import Monotone
from sweepcheck.core.verdict import Guarantee, Status
from sweepcheck.discovery import Seen, measure_of, search
from sweepcheck.engines import native, reference
from sweepcheck.models.adoption import adopt
from sweepcheck.planner import automatic
from sweepcheck.report.text import report_to_text
from sweepcheck.testing.conformance import check_engine
from sweepcheck.testing.random_models import sources
from sweepcheck.testing.random_nets import nets
from sweepcheck.testing.truth import TooLarge, survey

FEWER = settings(max_examples=settings.default.max_examples, phases=[Phase.generate])
ENGINES = {"native": native.run, "reference": reference.run}


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is small enough to be explored without a search."""
    monkeypatch.setattr(automatic, "FIRST_STATES", 1)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", [sources, nets])
def test_a_sweep_by_any_candidate_visits_all_states(kind: Any, engine: str) -> None:
    @FEWER
    @given(kind(), st.integers(2, 60), st.integers(0, 3))
    def examples(drawn: Any, most: int, seed: int) -> None:
        case = drawn.case()
        try:
            truth = survey(adopt(case.model), most=60)
        except TooLarge:
            assume(False)
        graph = state_graph(case.model, limits=Limits(states=most), engine="reference")
        found = search(graph.system, Seen(graph._graph), seed=seed, seconds=0.5)
        for candidate in found.candidates[:2]:
            measure = measure_of(graph.system, candidate)
            kit = {**case.kit, "measure": measure, "truth": truth, "engine": engine}
            check_engine(ENGINES[engine], strategy="generalised", **kit)
            if candidate.monotone is Monotone.PROVEN:
                assert explore(case.model, measure=measure, strategy="sweep").complete

    examples()


def ring(processes: int = 4) -> Model:
    m = Model("ring", at=Array(["idle"] * processes), token=0, rounds=0)

    @m.action
    def move(s):
        require(s.rounds < 6)
        s.token = (s.token + 1) % processes
        s.rounds += s.token == 0

    m.reachable("round 3", lambda s: s.rounds == 3)
    m.invariant("few rounds", lambda s: s.rounds <= 6)
    m.always_possible("all rounds", lambda s: s.rounds == 6)
    return m


TRANSITIONS = {
    "start": ({"ready": 1}, {"busy": 1}),
    "rest": ({"busy": 1}, {"ready": 1, "done": 1}),
    "spend": ({"room": 1, "done": 1}, {"spent": 1}),
}


def pnml(path: Path, places: dict[str, int], transitions: dict[str, Any]) -> str:
    nodes = "".join(
        f'<place id="{name}"><name><text>{name}</text></name>'
        f"<initialMarking><text>{count}</text></initialMarking></place>"
        for name, count in places.items()
    )
    arcs = ""
    for name, (takes, puts) in transitions.items():
        nodes += f'<transition id="{name}"><name><text>{name}</text></name></transition>'
        pairs = [(place, name, count) for place, count in takes.items()]
        pairs += [(name, place, count) for place, count in puts.items()]
        for source, target, count in pairs:
            inscription = f"<inscription><text>{count}</text></inscription>"
            arcs += f'<arc id="{source}-{target}" source="{source}" target="{target}">{inscription}</arc>'
    grammar = "http://www.pnml.org/version-2009/grammar/"
    net = f'<net id="n" type="{grammar}ptnet"><page id="g">{nodes}{arcs}</page></net>'
    path.write_text(f'<pnml xmlns="{grammar}pnml">{net}</pnml>', encoding="utf-8")
    return str(path)


def work(tmp_path: Path) -> str:
    places = {"ready": 3, "busy": 0, "done": 0, "room": 20, "spent": 0}
    bounded = {**TRANSITIONS, "start": ({"ready": 1, "room": 1}, {"busy": 1})}
    return pnml(tmp_path / "work.pnml", places, bounded)


@pytest.mark.usefixtures("at_once")
def test_a_net_gets_a_measure_that_is_proven(tmp_path: Path) -> None:
    path = work(tmp_path)
    report = explore(path, measure="auto")
    full = explore(path)
    assert report.discovery is not None
    assert report.discovery.chosen is not None
    assert report.discovery.chosen.monotone is Monotone.PROVEN
    assert report.strategy == "sweep"
    assert (report.statistics.states, report.statistics.edges) == (full.statistics.states, full.statistics.edges)
    assert report.statistics.peak < full.statistics.peak
    assert explore(path, measure="auto").measure == report.measure


@pytest.mark.usefixtures("at_once")
def test_the_same_seed_finds_the_same(tmp_path: Path) -> None:
    path = work(tmp_path)
    found = [explore(path, measure="auto", seed=seed).discovery for seed in (5, 5)]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].candidates == found[1].candidates


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("strategy", ["sweep", "generalised"])
def test_a_strategy_that_needs_a_measure_gets_one(strategy: str) -> None:
    report = check(ring(), ["few rounds", "round 3"], strategy=strategy)
    assert report
    assert report.strategy == strategy
    assert "rounds" in str(report.measure)


@pytest.mark.usefixtures("at_once")
def test_observed_is_no_proof_for_a_question_about_cycles() -> None:
    report = check(ring(), ["all rounds"], measure="auto")
    assert report.strategy == "full"
    assert report.discovery is not None
    assert "proven" in str(report.discovery.reason)
    assert report.verdicts[0].status is Status.HOLDS
    assert report.verdicts[0].guarantee is Guarantee.EXACT


def test_a_small_model_needs_no_search() -> None:
    report = check(ring(), measure="auto")
    assert report.strategy == "full"
    assert report.discovery is not None
    assert report.discovery.chosen is None
    assert "short enough" in str(report.discovery.reason)
    assert "no measure is used" in report_to_text(report)


@pytest.mark.usefixtures("at_once")
def test_a_limit_of_the_user_s_is_kept() -> None:
    report = explore(ring(), measure="auto", limits=Limits(states=7))
    assert not report.complete


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"checkpoint": "somewhere"}, "SC404"),
        ({"cluster": "local"}, "SC404"),
        ({"strategy": "column"}, "SC404"),
        ({"seed": "one"}, "SC403"),
        ({"progress_budget": -1}, "SC403"),
        ({"progress_budget": "long"}, "SC403"),
    ],
)
def test_what_does_not_go_together_is_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(SweepcheckError) as raised:
        check(ring(), measure="auto", **options)
    assert raised.value.code == code


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("name", "word"), [("endless_stop_and_wait", "cut-off"), ("cache_coherence", "equivalent")])
def test_where_states_stand_for_others_all_classes_are_kept(name: str, word: str) -> None:
    report = explore(load(str(EXAMPLES / f"{name}.py")), measure="auto")
    assert report.complete
    assert report.strategy == "full"
    assert report.discovery is not None
    assert word in str(report.discovery.reason)


EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "parameters", "kind"),
    [("master_slave", {"slaves": 6, "jobs": 6}, "scc"), ("stop_and_wait", {}, "tree"), ("two_phase_commit", {}, "scc")],
)
def test_of_the_measures_of_a_network_the_better_one_is_taken(name: str, parameters: Any, kind: str) -> None:
    """In the example of paper 2 a tree stores a state less, and explores each twice."""
    network = load(str(EXAMPLES / f"{name}.psl"), parameters)
    found, best = (explore(network, measure=measure).statistics for measure in ("auto", kind))
    assert (found.peak, found.explored) == (best.peak, best.explored)


def test_networks_compute_their_measure(tmp_path: Path) -> None:
    path = tmp_path / "one.aut"
    path.write_text('des (0, 2, 3)\n(0, "a", 1)\n(1, "b", 2)\n', encoding="utf-8")
    report = explore(load(str(path)), measure="auto")
    assert report.discovery is None
    assert report.strategy == "sweep"
