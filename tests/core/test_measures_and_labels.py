"""Orders, spans and labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sweepcheck import Label, Measure, Trace, partial_order, product, progress
from sweepcheck.core.plan import CollectionPolicy
from sweepcheck.core.trace import Step

pairs = st.tuples(st.integers(0, 3), st.integers(0, 3))


@given(pairs, pairs)
def test_orders(one: tuple[int, int], other: tuple[int, int]) -> None:
    assert progress(len).order.leq(one, other) is (one <= other)
    componentwise = one[0] <= other[0] and one[1] <= other[1]
    order = product(len, len).order
    assert order.leq(one, other) is componentwise
    assert partial_order(len).order.leq(frozenset(one), frozenset(other)) is (set(one) <= set(other))
    if componentwise:  # a rank extends its order
        assert order.rank is not None
        assert order.rank(one) <= order.rank(other)


def test_a_product_is_made_of_its_components() -> None:
    assert product(lambda s: s[0], lambda s: s[1]).function("ab") == ("a", "b")


@pytest.mark.parametrize(
    ("span", "value", "fraction"),
    [
        (None, 3, None),
        ((0, 9), 0, 0.0),
        ((0, 9), 5, 0.5),
        ((0, 9), 20, 1.0),
        ((0, 9), -3, 0.0),
        (((0, 0), (1, 4)), (1, 0), 0.5),
        (((0, 0), (1, 4)), (0, 2), 0.2),
        (((False, 1), (True, 4)), (True, 3), 0.75),
        (("a", "z"), "k", None),
        ((0, 9), frozenset(), None),
    ],
)
def test_fraction_of_a_span(span, value, fraction: float | None) -> None:
    found = Measure(len, span=span).fraction(value)
    assert found == (None if fraction is None else pytest.approx(fraction))


def test_labels() -> None:
    assert str(Label("go")) == "go"
    assert str(Label("go", (("i", 1), (None, "a")))) == "go(i=1, 'a')"


def test_traces() -> None:
    trace = Trace(0, (Step(Label("a"), 1), Step(Label("b"), 2)))
    assert trace.states == (0, 1, 2)
    assert len(trace) == 2
    assert len(Trace(0)) == 0


def test_policies() -> None:
    assert [str(CollectionPolicy("layer")), str(CollectionPolicy("interval", 7)), str(CollectionPolicy("auto", 5))] == [
        "layer",
        "7",
        "auto",
    ]
