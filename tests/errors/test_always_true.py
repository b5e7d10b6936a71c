"""Predicates that return a tuple or a list of truths, which are true whatever is in them."""

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


def in_a_list(s: Any) -> Any:
    return [s.n < 2, s.n < 3]


LISTS: dict[str, Any] = {
    "list": lambda s: [s.n < 2, s.n < 3],
    "comprehension": lambda s: [one < 2 for one in (s.n, 1)],
    "set": lambda s: {one < 2 for one in (s.n, 1)},
    "tuple that was made": lambda s: tuple(one < 2 for one in (s.n, 1)),
    "by another function": in_a_list,
}


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("way", LISTS)
def test_a_list_of_truths_is_refused(way: str, engine: Any) -> None:
    with pytest.raises(SweepcheckError, match="neither true nor false") as raised:
        check(counter(), [invariant("small", LISTS[way])], engine=engine)
    assert raised.value.code == "SC210"
    assert dict(raised.value.values)["state"] == "n=0 pair=(0, 0)"


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_list_of_truths_about_a_step_is_refused(engine: Any) -> None:
    with pytest.raises(SweepcheckError, match="SC210"):
        check(counter(), [step("up", lambda old, new: [new.n > old.n])], engine=engine)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_list_of_truths_is_no_requirement(engine: Any) -> None:
    m = counter()

    @m.action
    def jump(s: Any) -> None:
        require([s.n > 1, s.n < 3])
        s.n = 0

    with pytest.raises(SweepcheckError, match="SC210"):
        explore(m, engine=engine)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_lists_of_what_was_found_are_true_if_there_is_any(engine: Any) -> None:
    found = check(counter(), [reachable("two", lambda s: [n for n in (s.n,) if n == 2])], engine=engine)
    assert bool(found["two"])
