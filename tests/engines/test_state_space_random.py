"""State space reports of random models, on both engines, against definitions applied to the explicit graph."""

import pytest
from fixpoints import ExplicitGraph
from hypothesis import given, settings
from hypothesis import strategies as st

from sweepcheck import Array, Bag, Label, Limits, Queue, state_space_report
from sweepcheck.core.survey import Bounds, Fairness
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.random_graphs import graph_cases
from sweepcheck.testing.random_models import sources
from sweepcheck.testing.truth import TooLarge, survey

LIMIT = 120  # states: the definitions are applied as they stand
FEWER = settings(max_examples=settings.default.max_examples // 2)


def fairness(graph: ExplicitGraph, action: Label) -> Fairness | None:
    """The strongest kind that no infinite run contradicts; None where no run is infinite."""
    nothing = Label("no action at all")
    if not graph.endless(set(graph.edges), nothing):
        return None
    if graph.endless(graph.enabled(action), action):
        return Fairness.NONE
    if graph.again(graph.enabled(action), action):
        return Fairness.JUST
    return Fairness.FAIR if graph.endless(set(graph.edges), action) else Fairness.IMPARTIAL


def is_live(graph: ExplicitGraph, action: Label) -> bool:
    return graph.ag(graph.ef(graph.enabled(action)))


def expected_bounds(graph: ExplicitGraph) -> list[Bounds]:
    """Bounds as a dictionary of everything that every variable held."""
    held: dict[str, list] = {}
    for state in graph.edges:
        for name, value in graph.system.describe(state).items():
            parts = {f"{name}[{i}]": v for i, v in enumerate(value)} if isinstance(value, Array) else {name: value}
            for part, content in parts.items():
                held.setdefault(part, []).append(content)
    return [bounds_of(name, values) for name, values in held.items()]


def bounds_of(name: str, values: list) -> Bounds:
    sizes = [len(value) for value in values if isinstance(value, Bag | Queue)]
    if isinstance(values[0], Queue):
        return Bounds(name, min(sizes), max(sizes))
    if isinstance(values[0], Bag):
        tokens = {token for bag in values for token in bag}
        least = Bag({token: min(bag.count(token) for bag in values) for token in tokens})
        most = Bag({token: max(bag.count(token) for bag in values) for token in tokens})
        return Bounds(name, min(sizes), max(sizes), least, most)
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return Bounds(name, min(values), max(values), values=len(set(values)))
    return Bounds(name, values=len(set(values)))


def compare(model, measure, **options) -> None:
    system = adopt(model)
    graph = ExplicitGraph(system)
    report = state_space_report(model, measure=measure, **options)
    found = report.survey.components
    assert found is not None
    assert found.nodes == len(graph.components)
    assert found.arcs == graph.arcs_between_components
    assert found.terminal == len(graph.terminal)
    homes = {s for s in graph.edges if all(s in reached for reached in graph.reachable.values())}
    assert found.home_states == len(homes)
    assert found.home in homes if homes else found.home is None
    dead = {state for state, edges in graph.edges.items() if not edges}
    assert report.run.statistics.dead_states == len(dead)
    assert set(report.survey.dead) <= dead
    assert len(report.survey.dead) == min(10, len(dead))
    assert sorted(report.survey.bounds, key=lambda one: one.variable) == sorted(
        expected_bounds(graph), key=lambda one: one.variable
    )
    actions = [action.label for action in getattr(system, "actions", ())]
    labels = [label for edges in graph.edges.values() for label, _ in edges]
    known = actions or list(dict.fromkeys(Label(label.action) for label in labels))
    assert {one.action for one in report.survey.actions} == {str(action) for action in known}
    for action in known:
        behaviour = report.action(str(action))
        assert behaviour.edges == sum(label.belongs_to(action) for label in labels)
        assert behaviour.live == is_live(graph, action)
        assert behaviour.fairness == fairness(graph, action)


@FEWER
@given(data=st.data())
@pytest.mark.parametrize("order", ["number", "product", None])
def test_random_graphs(order, data) -> None:
    case = data.draw(graph_cases(order))
    compare(case.model, case.measure, engine="reference")


@FEWER
@given(data=st.data())
@pytest.mark.parametrize("order", ["number", "lexicographic", "partial", None])
def test_random_models_on_both_engines(order, data) -> None:
    case = data.draw(sources(order)).case()
    try:
        survey(adopt(case.model), most=LIMIT)
    except TooLarge:
        return
    gc = data.draw(st.sampled_from(["layer", 3]))
    for engine in ("reference", "native"):
        compare(case.model, case.measure, gc=gc, engine=engine)


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_run_that_ends_early_claims_little(engine) -> None:
    report = state_space_report("examples/communication_protocol.py", engine=engine, limits=Limits(states=100))
    assert not report.complete
    assert report.exit_code == 3
    assert report.survey.components is None
    assert {action.live for action in report.survey.actions} == {None}
    assert "Status: Partial (the limit on states was reached)" in repr(report)
    assert "not known: the exploration ended early" in repr(report)
    assert "Scc Graph" not in repr(report)
