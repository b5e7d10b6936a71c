"""Progress values: which are admitted, which can be compared, and what a step back says."""

import pytest

from sweepcheck import Model, SweepcheckError, choose, explore, partial_order, product, progress


def counter(top: int = 3) -> Model:
    m = Model("counter", n=0, other=0)

    @m.action
    def up(s):
        if s.n < top:
            s.n += 1

    return m


def refused(measure, model: Model | None = None) -> SweepcheckError:
    with pytest.raises(SweepcheckError) as caught:
        explore(model or counter(), measure=measure, strategy="sweep", engine="reference")
    return caught.value


@pytest.mark.parametrize("value", [None, [1], {1}, frozenset(), float("nan"), (1, None), object, 1j])
def test_values_without_a_place_in_the_order(value: object) -> None:
    assert refused(lambda s: value).code == "SC302"


@pytest.mark.parametrize("value", [0, True, 1.5, "text", b"bytes", (), (1, ("a", 2))])
def test_values_with_a_place(value: object) -> None:
    assert explore(counter(), measure=lambda s: value, strategy="sweep", engine="reference").statistics.states == 4


def test_a_step_back_shows_both_sides() -> None:
    error = refused(lambda s: 5 - s.n)
    assert error.code == "SC301"
    values = dict(error.values)
    assert values["before"] == "progress 5   n=0"
    assert values["after"] == "progress 4   n=1"
    assert error.where is not None
    assert error.where.endswith("action up")


def test_values_that_cannot_be_compared_along_a_step() -> None:
    assert refused(lambda s: s.n if s.n < 2 else "far").code == "SC302"


def test_values_that_cannot_be_compared_side_by_side() -> None:
    m = Model("fork", n=0)

    @m.action
    def go(s):
        if s.n == 0:
            s.n = choose(1, 2, 3)

    values = [(0,), (1, 2), (1, "a"), (1, 3)]
    assert refused(lambda s: values[s.n], m).code == "SC302"


def test_initial_values_that_cannot_be_compared() -> None:
    m = counter()
    m.initial(n=[0, 1])
    assert refused(lambda s: "none" if s.n == 0 else s.n, m).code == "SC302"


def test_products_of_different_length() -> None:
    m = counter()
    m.initial(n=[0, 3])
    assert (
        refused(partial_order(lambda s: (s.n,) if s.n < 2 else (s.n, 1), product(len, len).order.leq), m).code
        == "SC302"
    )


def test_an_order_that_raises() -> None:
    assert refused(partial_order(lambda s: s.n, lambda a, b: 1 / 0)).code == "SC302"


def test_an_order_that_is_not_antisymmetric() -> None:
    """Every value below every other: a cycle through two layers would be missed, so the measure is refused."""
    error = refused(partial_order(lambda s: s.n, lambda a, b: True))
    assert error.code == "SC302"
    assert "each at most the other" in error.what


def test_an_order_that_is_not_reflexive() -> None:
    m = Model("loop", n=0)

    @m.action
    def again(s):
        s.n = s.n

    assert refused(partial_order(lambda s: s.n, lambda a, b: a < b), m).code == "SC301"


def test_named_measures() -> None:
    measure = progress(lambda s: s.n, span=(0, 3), name="n")
    assert explore(counter(), measure=measure).measure == "n"
