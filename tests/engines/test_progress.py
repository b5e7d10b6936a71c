"""Progress values: which are admitted, which can be compared, and what a step back says."""

import re

import pytest

from sweepcheck import (
    Limits,
    Model,
    SweepcheckError,
    always_eventually,
    check,
    choose,
    explore,
    partial_order,
    product,
    progress,
)


def counter(top: int = 3) -> Model:
    m = Model("counter", n=0, other=0)

    @m.action
    def up(s):
        if s.n < top:
            s.n += 1

    return m


def refused(measure, model: Model | None = None, engine="reference", strategy="sweep", gc="layer") -> SweepcheckError:
    with pytest.raises(SweepcheckError) as caught:
        explore(
            model or counter(), measure=measure, strategy=strategy, engine=engine, gc=gc, limits=Limits(states=9999)
        )
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


ENGINES = ("reference", "native")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("wrapped", [lambda one: one, lambda one: product(one, lambda s: 0)])
def test_an_order_that_is_not_reflexive(wrapped, engine: str) -> None:
    error = refused(wrapped(partial_order(lambda s: s.n, lambda a, b: a < b)), engine=engine)
    assert error.code == "SC302"
    assert "not at most itself" in error.what
    assert "n=0" in dict(error.values)["state"]


def circle(length: int = 3, initial=(0,)) -> Model:
    """Steps around a circle, and a sideline on which other states wait."""
    m = Model("circle", at=0)
    m.initial(at=list(initial))

    @m.action
    def step(s):
        s.at = (s.at + 1) % length

    return m


def around(length: int, ahead: int):
    """Not transitive: each place is at most itself and the few after it, around a circle."""
    return lambda a, b: (b - a) % length <= ahead


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("gc", ["layer", 100])
@pytest.mark.parametrize("strategy", ["sweep", "generalised", "column"])
@pytest.mark.parametrize(("length", "ahead"), [(3, 1), (5, 2), (7, 3), (40, 3)])
def test_an_order_that_is_not_transitive(length, ahead, strategy, gc, engine: str) -> None:
    """Every step goes up, around a circle: a sweep that trusts the order forgets what it comes back to, for ever."""
    if strategy == "column" and engine == "native":
        pytest.skip("needs a rank")
    measure = partial_order(lambda s: s.at, around(length, ahead), monotone=strategy == "column")
    error = refused(measure, circle(length), engine=engine, strategy=strategy, gc=gc)
    assert error.code == "SC302"
    one, other, last = map(int, re.findall(r"\d+", error.what)[:3])
    leq = around(length, ahead)
    assert leq(one, other)
    assert leq(other, last)
    assert not leq(one, last)
    assert error.where is not None
    assert error.where.startswith("test_progress.py")


@pytest.mark.parametrize("engine", ENGINES)
def test_values_of_which_none_is_minimal(engine: str) -> None:
    error = refused(partial_order(lambda s: s.at, around(3, 1)), circle(3, initial=(0, 1, 2)), engine=engine)
    assert error.code == "SC302"
    assert "but" in error.what


@pytest.mark.parametrize("engine", ENGINES)
def test_no_cycle_is_missed_behind_an_order_that_is_none(engine: str) -> None:
    """With a collection that never comes all states stay stored, so nothing is found again; the cycle still counts."""
    with pytest.raises(SweepcheckError) as caught:
        check(
            circle(),
            [always_eventually("ends", lambda s: False)],
            measure=partial_order(lambda s: s.at, around(3, 1)),
            strategy="sweep",
            gc=1000,
            engine=engine,
        )
    assert caught.value.code == "SC302"


@pytest.mark.parametrize("engine", ENGINES)
def test_an_order_that_changes(engine: str) -> None:
    answers = iter([True, True, False, False, True, True, False] + [True] * 20)
    error = refused(partial_order(lambda s: s.at, lambda a, b: a == b or next(answers)), circle(), engine=engine)
    assert error.code == "SC302"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("strategy", ["sweep", "generalised"])
def test_an_order_that_is_one_is_not_refused(strategy, engine: str) -> None:
    m = Model("sets", seen=frozenset(), rounds=0)

    @m.action(i=range(3))
    def see(s, i):
        s.seen |= {i}

    @m.action
    def forget(s):
        if s.rounds < 2 and s.seen == {0, 1, 2}:
            s.seen, s.rounds = frozenset(), s.rounds + 1

    measure = partial_order(lambda s: s.seen if strategy == "generalised" else frozenset((s.rounds, *s.seen)))
    if strategy == "sweep":
        m = circle(1)
        measure = partial_order(lambda s: frozenset({s.at}))
    assert explore(m, measure=measure, strategy=strategy, engine=engine).complete


def test_named_measures() -> None:
    measure = progress(lambda s: s.n, span=(0, 3), name="n")
    assert explore(counter(), measure=measure).measure == "n"
