"""A kit that accepts everything proves nothing: it must reject engines that are known to be wrong."""

from dataclasses import replace

import pytest
from broken import BROKEN, BROKEN_BY_REGRESS
from hypothesis import Phase, assume, given, settings

from sweepcheck.core.plan import Outcome
from sweepcheck.engines import reference
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.conformance import Nonconformity, check_engine
from sweepcheck.testing.random_graphs import Case, Graph, Members, graph_cases
from sweepcheck.testing.truth import survey


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_engine_is_rejected(fault: str) -> None:
    run, strategy = BROKEN[fault]

    @settings(phases=[Phase.generate], report_multiple_bugs=False)  # what is found need not be made small
    @given(graph_cases("number", monotone=fault != "trusts the measure"))
    def examples(case: Case) -> None:
        check_engine(run, **case.kit, strategy=strategy)

    with pytest.raises(Nonconformity):
        examples()


@pytest.mark.parametrize("fault", BROKEN_BY_REGRESS)
def test_an_engine_that_cannot_go_back_is_rejected(fault: str) -> None:
    run, options = BROKEN_BY_REGRESS[fault]

    @settings(phases=[Phase.generate], report_multiple_bugs=False)
    @given(graph_cases("columns"))
    def examples(case: Case) -> None:
        assume(len(survey(adopt(case.model)).distance) < 8)
        check_engine(run, **case.kit, **options)

    with pytest.raises(Nonconformity):
        examples()


# Two states on a cycle and a dead one behind a parallel edge: small enough to tell every number by heart.
SMALL = Graph((0, 1, 2), (0,), ((0, "a", 1), (0, "b", 1), (1, "a", 0), (1, "a", 2)))


@pytest.mark.parametrize("number", ["states", "edges", "explored", "dead_states", "peak"])
def test_a_wrong_number_is_rejected(number: str) -> None:
    def run(plan, observer) -> Outcome:
        outcome = reference.run(plan, observer)
        return replace(
            outcome, statistics=replace(outcome.statistics, **{number: getattr(outcome.statistics, number) + 1})
        )

    check_engine(reference.run, SMALL, predicate=Members(frozenset({2})))
    with pytest.raises(Nonconformity):
        check_engine(run, SMALL, predicate=Members(frozenset({2})))


@pytest.mark.parametrize("kind", ["invariant", "reachable", "deadlock", "always_possible", "always_eventually"])
def test_a_wrong_verdict_is_rejected(kind: str) -> None:
    """An engine that never speaks up about one kind of property."""

    def run(plan, observer) -> Outcome:
        outcome = reference.run(plan, observer)
        silent = [replace(d, status=None) if d.property.kind == kind else d for d in outcome.decisions]
        return replace(outcome, decisions=tuple(silent))

    predicate = Members(frozenset({1} if kind in ("reachable", "always_possible") else {2}))
    with pytest.raises(Nonconformity):
        check_engine(run, SMALL, predicate=predicate)
