"""Random graphs, each as a model with one variable whose actions choose a successor."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from sweepcheck import Measure, Model, choose
from sweepcheck.core.plan import CollectionPolicy
from sweepcheck.engines import native
from sweepcheck.testing.conformance import check_engine
from sweepcheck.testing.random_graphs import ORDERS, Case, graph_cases

POLICIES = {"layer": "layer", "every-1": 1, "every-3": 3, "auto": CollectionPolicy("auto", interval=2)}
MANY = settings.default
FEW = settings(max_examples=MANY.max_examples * 2 // 5)  # where only the policy differs


def as_model(case: Case) -> Case:
    """The same states, edges, progress and predicate, written as actions; states lie in a scalar."""
    graph = case.model
    m = Model("graph", at=graph.states[graph.roots[0]])
    m.initial(at=list(dict.fromkeys(graph.initial())))

    @m.action(label=["a", "b"])
    def follow(s: Any, label: str) -> None:
        now = s.at
        s.at = choose([target for name, target in graph.successors(now) if name == label])

    def seen(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda s: function(s.at)

    def moved(measure: Measure) -> Measure:
        parts = tuple(moved(part) for part in measure.parts)
        return replace(measure, function=seen(measure.function), parts=parts)

    measure = case.measure if case.measure is None else moved(case.measure)
    return Case(m, measure, seen(case.predicate), case)


def conforms(case: Case, **options: Any) -> None:
    check_engine(native.run, **as_model(case).kit, engine="native", kinds=native.KINDS, **options)


@given(graph_cases())
def test_full(case: Case) -> None:
    conforms(case, strategy="full")


@pytest.mark.parametrize("gc", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("order", ORDERS)
def test_sweep(order: str, gc: str | int | CollectionPolicy) -> None:
    @(MANY if gc == "layer" else FEW)
    @given(graph_cases(order))
    def examples(case: Case) -> None:
        conforms(case, strategy="sweep", gc=gc)

    examples()


@pytest.mark.parametrize("order", ORDERS)
def test_sweep_with_any_measure(order: str) -> None:
    @given(graph_cases(order, monotone=False))
    def examples(case: Case) -> None:
        conforms(case, strategy="sweep")

    examples()
