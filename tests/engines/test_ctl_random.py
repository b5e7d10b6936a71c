"""Random models: AG EF and AG AF, with and without fairness, on both engines, against naive fixpoints."""

import pytest
from fixpoints import ExplicitGraph
from hypothesis import given, settings
from hypothesis import strategies as st

from sweepcheck import Status, always_eventually, always_possible, check
from sweepcheck.core.fairness import Fairness
from sweepcheck.engines.replay import ignores
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.random_graphs import graph_cases
from sweepcheck.testing.random_models import sources
from sweepcheck.testing.truth import TooLarge, survey

ORDERS = ["number", "lexicographic", "product", "partial", None]
LIMIT = 250  # states: the checker is cubic
FEWER = settings(max_examples=settings.default.max_examples // 2)


def status(holds: bool) -> Status:
    return Status.HOLDS if holds else Status.VIOLATED


def compare(model, measure, predicate, fair, **options) -> None:
    """Every verdict is the checker's; every loop avoids the predicate and is fair."""
    system = adopt(model)
    graph = ExplicitGraph(system)
    goal = graph.where(predicate)
    properties = [always_possible("possible", predicate), always_eventually("eventual", predicate)]
    for assumed in ([], fair):
        names = [str(action) for action in assumed]
        report = check(model, properties, measure=measure, keep_going=True, fair=names, **options)
        assert report["possible"].status is status(graph.ag(graph.ef(goal)))
        assert report["eventual"].status is status(graph.ag(graph.fair_af(goal, assumed)))
        if not assumed:
            assert report["eventual"].status is status(graph.ag(graph.af(goal)))
        if (witness := report["possible"].witness) is not None:
            assert witness not in graph.ef(goal)
            assert any(witness in component for component in graph.terminal)
        if (trace := report["eventual"].trace) is not None:
            assert trace.loop is not None
            loop = trace.states[trace.loop :]
            assert not goal & set(loop)
            assert not any(ignores(system, trace, Fairness(str(action), (action,))) for action in assumed)


def fair_actions(draw, system) -> list:
    labels = list(dict.fromkeys(edge.label for s in ExplicitGraph(system).edges for edge in system.edges(s)))
    actions = [action.label for action in getattr(system, "actions", ())] or labels
    some = st.lists(st.sampled_from(actions), unique=True, min_size=1, max_size=3)
    return draw(st.one_of(st.just(actions), some)) if actions else []  # all of them change most verdicts


@pytest.mark.parametrize("strategy", ["full", "sweep"])
@pytest.mark.parametrize("order", ["number", "partial"])
@FEWER
@given(data=st.data())
def test_random_graphs_on_the_reference_engine(order, strategy, data) -> None:
    case = data.draw(graph_cases(order))
    fair = fair_actions(data.draw, adopt(case.model))
    compare(case.model, case.measure, case.predicate, fair, strategy=strategy, engine="reference")


@pytest.mark.parametrize("order", ORDERS)
@FEWER
@given(data=st.data())
def test_random_models_on_both_engines(order, data) -> None:
    case = data.draw(sources(order)).case()
    system = adopt(case.model)
    try:
        if len(survey(system).distance) > LIMIT:
            return
    except TooLarge:
        return
    fair = fair_actions(data.draw, system)
    strategy = "full" if order is None else data.draw(st.sampled_from(["full", "sweep"]))
    gc = data.draw(st.sampled_from(["layer", 3, "auto"]))
    for engine in ("reference", "native"):
        compare(case.model, case.measure, case.predicate, fair, strategy=strategy, gc=gc, engine=engine)
