"""Random models: steps, leads to, fairness of groups in both senses, and constraints, on both engines."""

from dataclasses import replace

import pytest
from graphs_with_actions import MOST, Drawn, drawn_graphs
from hypothesis import given, settings
from hypothesis import strategies as st

from sweepcheck import Status, always_eventually, always_possible, check, deadlock, invariant, leads_to, step
from sweepcheck.testing.random_models import sources

ENGINES = ["reference", "native"]
OPEN = invariant("open to the end", lambda s: True)  # so that a run does not end when all else is decided
FEWER = settings(max_examples=settings.default.max_examples // 2)


def status(holds: bool) -> Status:
    return Status.HOLDS if holds else Status.VIOLATED


@pytest.mark.parametrize("strategy", ["full", "sweep"])
@pytest.mark.parametrize("engine", ENGINES)
@given(graph=drawn_graphs())
def test_what_leads_to_what_under_fairness(engine: str, strategy: str, graph: Drawn) -> None:
    asked = [
        leads_to("leads", lambda s: s.at in graph.first, lambda s: s.at in graph.second),
        always_eventually("recurs", lambda s: s.at in graph.second),
    ]
    fair = list(map(str, graph.fair))
    options = {
        "stuttering": graph.stuttering,
        "measure": (lambda s: s.layer) if strategy == "sweep" else None,
        "strategy": strategy,
    }
    report = check(graph.model(), asked, fair=fair, engine=engine, keep_going=True, **options)
    everywhere = frozenset(range(MOST))
    assert report["leads"].status is status(graph.leads(graph.first, graph.second))
    assert report["recurs"].status is status(graph.leads(everywhere, graph.second))
    for verdict in report.verdicts:
        if verdict.status is Status.VIOLATED:  # replayed already: fair, and it avoids the goal
            loop = verdict.trace.states[verdict.trace.loop :]
            assert not any(state[0] in graph.second for state in loop)


@pytest.mark.parametrize("strategy", ["full", "sweep", "generalised", "caching"])
@pytest.mark.parametrize("engine", ENGINES)
@FEWER
@given(graph=drawn_graphs())
def test_every_step_is_asked(engine: str, strategy: str, graph: Drawn) -> None:
    pairs = {(s, t) for s, _, t in graph.wrong}
    asked = [
        step("of states", lambda old, new: (old.at, new.at) not in pairs),
        step("of actions", lambda old, new, action: (old.at, action, new.at) not in graph.wrong),
    ]
    measure = None if strategy in ("full", "caching") else lambda s: s.layer
    report = check(graph.model(), asked, measure=measure, strategy=strategy, engine=engine, keep_going=True)
    taken = {edge for edge in graph.edges if edge[0] in graph.reachable}
    assert report["of states"].status is status(not any((s, t) in pairs for s, _, t in taken))
    assert report["of actions"].status is status(not taken & graph.wrong)
    if (trace := report["of actions"].trace) is not None:
        last = trace.steps[-1]
        assert (trace.states[-2][0], last.label.action, last.state[0]) in graph.wrong


@pytest.mark.parametrize("strategy", ["full", "sweep", "generalised", "caching"])
@pytest.mark.parametrize("engine", ENGINES)
@FEWER
@given(graph=drawn_graphs())
def test_constraints_leave_out_what_lies_outside(engine: str, strategy: str, graph: Drawn) -> None:
    graph = replace(graph, fair=())
    m = graph.model()
    if graph.stuttering:
        m.stuttering()
    m.constraint("inside", lambda s: s.at in graph.first)
    asked = [
        invariant("seen", lambda s: s.at in graph.second),
        deadlock(),
        OPEN,
        *([] if strategy in ("generalised", "caching") else cycles(graph)),
    ]
    measure = None if strategy in ("full", "caching") else lambda s: s.layer
    report = check(m, asked, measure=measure, strategy=strategy, engine=engine, keep_going=True)
    explored = graph.reach([0], set(graph.first))
    edges = [edge for state in explored for edge in graph.out(state)]
    found = {0} | {t for _, _, t in edges}
    assert report.statistics.states == len(found)
    assert report.statistics.explored == len(explored)
    assert report.statistics.edges == len(edges)
    assert report.statistics.beyond == len(found - explored)
    assert report.statistics.outside_edges == sum(t not in graph.first for _, _, t in edges)
    assert report.complete is (found == explored)
    violated = {one.property.name for one in report.verdicts if one.status is Status.VIOLATED}
    assert ("seen" in violated) is not (found <= graph.second)
    assert ("deadlock" in violated) is any(not graph.out(state) for state in explored)
    if strategy in ("full", "sweep"):
        able = {s for s in explored if graph.reach([s], set(range(MOST))) & graph.second or leaves(graph, s)}
        assert ("possible" in violated) is bool(explored - able)
        assert ("recurs" in violated) is bool(graph.lasting(explored - graph.second, ()))


def leaves(graph: Drawn, state: int) -> bool:
    """Whether a way from a state leads out of the constraint, where nobody knows what comes."""
    return any(t not in graph.first for s in graph.reach([state], set(graph.first)) for _, _, t in graph.out(s))


def cycles(graph: Drawn) -> list:
    return [
        always_possible("possible", lambda s: s.at in graph.second),
        always_eventually("recurs", lambda s: s.at in graph.second),
    ]


@FEWER
@given(data=st.data())
def test_engines_agree_on_models_of_all_kinds(data) -> None:
    source = data.draw(sources(data.draw(st.sampled_from(["number", "lexicographic", "partial", None]))))
    predicate = source.case().predicate
    asked = [
        step("step", lambda old, new: not predicate(old) or predicate(new)),
        leads_to("leads", predicate, lambda s: not predicate(s)),
        OPEN,
    ]
    seen = []
    for engine in ENGINES:
        case = source.case()
        options = {"measure": case.measure, "strategy": "full" if case.measure is None else "sweep"}
        report = check(case.model, asked, engine=engine, keep_going=True, **options)
        bounded = check(
            case.model, [deadlock(), OPEN], constraints=[predicate], engine=engine, keep_going=True, **options
        )
        numbers = [report.statistics, bounded.statistics]
        seen.append(
            [
                [one.status for one in (*report.verdicts, *bounded.verdicts)],
                [(n.edges, n.explored, n.peak, n.layers, n.beyond, n.outside_edges) for n in numbers],
                [layer.states for layer in bounded.profile],
                # Which of several runs is shown may differ: tokens of a bag are taken in another order.
                [one.trace is None for one in report.verdicts],
            ]
        )
    assert seen[0] == seen[1]
