"""The guarantee of a verdict, for every kind of property, reason to stop and answer."""

from itertools import product

import pytest

from sweepcheck import Guarantee, Label, Property, Status, Stop, Trace
from sweepcheck.core.property import Kind
from sweepcheck.core.temporal import TRUE
from sweepcheck.core.trace import Step
from sweepcheck.core.verdict import Decision, Terms, conclude

CASES = list(product(Kind, [None, *Stop], [None, Status.HOLDS, Status.VIOLATED]))


def property_of(kind: Kind) -> Property:
    if kind.has_formula:
        return Property(kind, "asked", formula=TRUE)
    if kind is Kind.STEP:
        return Property(kind, "asked", lambda old, new: True)
    return Property(kind, "asked", lambda s: True, goal=(lambda s: True) if kind is Kind.LEADS_TO else None)


@pytest.mark.parametrize(("kind", "stop", "status"), CASES)
def test_conclude(kind: Kind, stop: Stop | None, status: Status | None) -> None:
    asked = property_of(kind)
    trace = Trace((1,))
    verdict = conclude(Decision(asked, status, (1,), trace) if status else Decision(asked), stop)
    assert verdict.property is asked
    if status is not None:  # a state decides, whatever else was explored
        assert (verdict.status, verdict.guarantee, verdict.reason) == (status, Guarantee.EXACT, None)
        assert (verdict.witness, verdict.trace) == ((1,), trace)
    elif stop is None:  # everything was seen
        assert verdict.status is (Status.VIOLATED if kind is Kind.REACHABLE else Status.HOLDS)
        assert (verdict.guarantee, verdict.reason, verdict.witness) == (Guarantee.EXACT, None, None)
    elif stop is not Stop.CONSTRAINT:  # never an answer from a run that was cut short
        assert verdict.status is Status.INCONCLUSIVE
        assert verdict.guarantee is not Guarantee.EXACT
        assert verdict.reason
        assert verdict.trace is None


@pytest.mark.parametrize("kind", Kind)
def test_what_a_bound_leaves(kind: Kind) -> None:
    verdict = conclude(Decision(property_of(kind)), Stop.BOUND)
    assert (verdict.status, verdict.guarantee) == (Status.INCONCLUSIVE, Guarantee.BOUNDED)
    assert verdict.reason is not None
    assert verdict.reason.startswith(f"{Stop.BOUND}; no ")


@pytest.mark.parametrize("given", [None, "if the key is right"])
@pytest.mark.parametrize("kind", Kind)
def test_what_a_constraint_leaves(kind: Kind, given: str | None) -> None:
    """An answer about the system within it, except where what lies outside may matter."""
    terms = Terms(given, ("low", "near"), "3 edges lead outside")
    verdict = conclude(Decision(property_of(kind)), Stop.CONSTRAINT, terms)
    if kind in (Kind.ALWAYS_POSSIBLE, Kind.CTL):
        assert (verdict.status, verdict.guarantee, verdict.within) == (Status.INCONCLUSIVE, Guarantee.BOUNDED, ())
        return
    assert verdict.status is (Status.VIOLATED if kind is Kind.REACHABLE else Status.HOLDS)
    assert verdict.guarantee is (Guarantee.EXACT if given is None else Guarantee.CONDITIONAL)
    assert verdict.within == ("low", "near")
    assert verdict.reason is not None
    assert verdict.reason.startswith("3 edges lead outside")
    assert ("only runs that stay within" in verdict.reason) is not kind.decided_by_states
    assert (given or "") in verdict.reason


LASSO = Trace((1,), (Step(Label("a"), (2,)), Step(Label("b"), (1,))), 0)
OPEN = Trace((1,), (Step(Label("a"), (2,)), Step(Label("b"), (3,))), 0)  # its loop closes in an equivalent state


@pytest.mark.parametrize("trace", [None, LASSO, OPEN])
@pytest.mark.parametrize("kind", Kind)
def test_what_a_trace_shows_on_a_condition(kind: Kind, trace: Trace | None) -> None:
    """A trace shows all of what states and loops decide; nothing shows that a state can be reached no more."""
    verdict = conclude(Decision(property_of(kind), Status.VIOLATED, (1,), trace), None, Terms("if the key is right"))
    shown = trace is not None and (kind.decided_by_states or (kind.shown_by_loops and trace is LASSO))
    assert verdict.guarantee is (Guarantee.EXACT if shown else Guarantee.CONDITIONAL)
    assert verdict.reason == (None if shown else "if the key is right")


@pytest.mark.parametrize("given", [None, "if the key is right"])
@pytest.mark.parametrize("stop", [None, *Stop])
def test_only_what_is_exact_is_true(stop: Stop | None, given: str | None) -> None:
    verdict = conclude(Decision(property_of(Kind.INVARIANT)), stop, Terms(given))
    assert bool(verdict) is (stop in (None, Stop.CONSTRAINT) and given is None)
    expected = {None: Guarantee.EXACT, Stop.CONSTRAINT: Guarantee.EXACT, Stop.WALKS: Guarantee.SAMPLED}
    found = expected.get(stop, Guarantee.BOUNDED)
    assert verdict.guarantee is (Guarantee.CONDITIONAL if given and found is Guarantee.EXACT else found)


@pytest.mark.parametrize("stop", [Stop.STATES, Stop.SECONDS, Stop.MEMORY, Stop.INTERRUPTED])
@pytest.mark.parametrize(
    ("kind", "guarantee"),
    [
        (Kind.INVARIANT, Guarantee.BOUNDED),
        (Kind.REACHABLE, Guarantee.BOUNDED),
        (Kind.DEADLOCK, Guarantee.BOUNDED),
        (Kind.STEP, Guarantee.BOUNDED),
        (Kind.ALWAYS_POSSIBLE, Guarantee.NONE),
        (Kind.ALWAYS_EVENTUALLY, Guarantee.NONE),
        (Kind.LEADS_TO, Guarantee.NONE),
        (Kind.LTL, Guarantee.NONE),
        (Kind.CTL, Guarantee.NONE),
    ],
)
def test_what_a_limit_leaves(kind: Kind, guarantee: Guarantee, stop: Stop) -> None:
    verdict = conclude(Decision(property_of(kind)), stop)
    assert verdict.guarantee is guarantee
    assert verdict.reason is not None
    assert str(stop) in verdict.reason


def test_a_violation_elsewhere_says_how_to_go_on() -> None:
    for kind in Kind:
        verdict = conclude(Decision(property_of(kind)), Stop.VIOLATION)
        assert verdict.guarantee is Guarantee.BOUNDED
        assert "--keep-going" in (verdict.reason or "")
