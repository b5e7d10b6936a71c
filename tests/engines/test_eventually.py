"""That something comes once, on every run: F of LTL, without a formula."""

from typing import Any

import pytest

from sweepcheck import Model, SweepcheckError, check, eventually, ltl, require

ENGINES = ["reference", "native"]


def lamp() -> Model:
    """On, and then off for ever."""
    m = Model("lamp", n=0)

    @m.action
    def go(s: Any) -> None:
        require(s.n < 2)
        s.n += 1

    return m


@pytest.mark.parametrize("engine", ENGINES)
def test_once_is_enough(engine: str) -> None:
    m = lamp()
    m.eventually("is on", lambda s: s.n == 1)

    @m.eventually
    def is_off(s: Any) -> bool:
        return bool(s.n == 2)

    m.eventually("flies", lambda s: s.n == 3)
    m.ltl("formula", "F {n == 1}")
    m.always_eventually("again", lambda s: s.n == 1)
    report = check(m, engine=engine, keep_going=True)
    assert [bool(verdict) for verdict in report.verdicts] == [True, True, False, True, False]
    trace = report["flies"].trace
    assert trace is not None
    assert trace.loop == len(trace) == 2
    assert not check(m, [eventually("is on", lambda s: s.n == 1)], engine=engine, stuttering=True)
    assert check(m, [eventually("is on", lambda s: s.n == 1)], engine=engine, stuttering=True, fair=["go"])


def test_it_is_the_formula() -> None:
    m = lamp()
    for goal in range(4):
        asked = [eventually("once", lambda s, goal=goal: s.n == goal), ltl("formula", f"F {{n == {goal}}}")]
        report = check(m, asked, keep_going=True)
        assert report["once"].status is report["formula"].status


def test_what_is_no_predicate_is_refused() -> None:
    with pytest.raises(SweepcheckError) as caught:
        lamp().eventually("x", 3)  # type: ignore[arg-type]
    assert caught.value.code == "SC117"
