"""Predicates that return a tuple, which is true whatever is in it."""

from typing import Any

import pytest

from sweepcheck import Model, SweepcheckError, check, explore, invariant, reachable, require, step


def counter() -> Model:
    m = Model("counter", n=0, pair=(0, 0))

    @m.action
    def up(s: Any) -> None:
        require(s.n < 3)
        s.n += 1

    return m


def with_message(s: Any) -> Any:
    if s.n > 5:
        return False
    return s.n < 2, "too many"


WAYS = {
    "asked": lambda m: check(m, [invariant("small", with_message)]),
    "declared": lambda m: m.invariant("small", lambda s: (s.n < 2, "too many")),
    "of steps": lambda m: check(m, [step("up", lambda old, new: (new.n > old.n,))]),
    "leads to": lambda m: m.leads_to("ends", lambda s: s.n == 0, lambda s: (s.n == 3, "not there")),
    "constraint": lambda m: m.constraint(lambda s: (s.n < 2, s.n >= 0)),
    "bound": lambda m: explore(m, up_to=lambda s: (s.n < 2, "far")),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_tuple_is_refused(way: str) -> None:
    with pytest.raises(SweepcheckError, match="always true") as raised:
        WAYS[way](counter())
    assert raised.value.code == "SC210"
    assert "test_always_true.py" in (raised.value.where or "")


def test_tuples_that_are_compared_and_measures_are_none_of_this() -> None:
    m = counter()
    m.progress(lambda s: (s.n, 0))
    report = check(m, [reachable("there", lambda s: (s.n, s.pair) == (3, (0, 0)))])
    assert bool(report["there"])
