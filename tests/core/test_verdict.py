"""The guarantee of a verdict, for every kind of property, reason to stop and answer."""

from itertools import product

import pytest

from sweepcheck import Guarantee, Property, Status, Stop, Trace
from sweepcheck.core.property import Kind
from sweepcheck.core.temporal import TRUE
from sweepcheck.core.verdict import Decision, conclude

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
    else:  # never an answer from a run that was cut short
        assert verdict.status is Status.INCONCLUSIVE
        assert verdict.guarantee is not Guarantee.EXACT
        assert verdict.reason
        assert verdict.trace is None


@pytest.mark.parametrize("stop", [Stop.BOUND, Stop.CONSTRAINT])
@pytest.mark.parametrize("kind", Kind)
def test_what_a_bound_leaves(kind: Kind, stop: Stop) -> None:
    verdict = conclude(Decision(property_of(kind)), stop, outside=": 3 edges lead outside")
    assert (verdict.status, verdict.guarantee) == (Status.INCONCLUSIVE, Guarantee.BOUNDED)
    assert verdict.reason is not None
    assert verdict.reason.startswith(f"{stop}: 3 edges lead outside; no ")


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
