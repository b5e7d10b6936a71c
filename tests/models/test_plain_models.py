"""Objects with initial() and successors(state)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from sweepcheck import Label, SweepcheckError, check, explore, invariant, progress
from sweepcheck.models.adoption import adopt, is_model
from sweepcheck.models.plain import PlainModel


class Point(NamedTuple):
    x: int
    y: int


@dataclass(frozen=True)
class Cell:
    x: int


def plain(initial: Any, successors: Any = ()) -> Any:
    class Plain:
        name = "plain"

        def initial(self) -> Any:
            return initial() if callable(initial) else initial

        def successors(self, state: Any) -> Any:
            return successors(state) if callable(successors) else successors

    return Plain()


def numbers() -> Iterator[int]:
    yield 1
    yield 2
    yield 1


@pytest.mark.parametrize(
    ("initial", "states"),
    [
        (0, (0,)),
        ((1, 2), ((1, 2),)),  # a tuple is one state
        ([1, 2, 1], (1, 2)),  # a list is several
        (numbers, (1, 2)),
        ([None], (None,)),
        ("ab", ("ab",)),
        (frozenset({1}), (frozenset({1}),)),
    ],
)
def test_initial(initial: Any, states: tuple[Any, ...]) -> None:
    assert PlainModel(plain(initial)).initial_states() == states


def test_initial_raises() -> None:
    for wrong in ([], None, lambda: 1 / 0):
        with pytest.raises(SweepcheckError) as caught:
            PlainModel(plain(wrong)).initial_states()
        assert caught.value.code == "SC116"
    with pytest.raises(SweepcheckError) as caught:
        PlainModel(plain([[1]])).initial_states()
    assert caught.value.code == "SC203"


def test_successors_are_labelled_distinct_and_in_order() -> None:
    model = PlainModel(plain(0, [("b", 1), ("a", 1), ("b", 1), (Label("c", ((None, 2),)), 0), (7, 0)]))
    assert [(str(label), target) for label, target in model.edges(0)] == [("b", 1), ("a", 1), ("c(2)", 0), ("7", 0)]


@pytest.mark.parametrize(
    ("successors", "code"),
    [
        (None, "SC211"),
        ([1], "SC211"),
        (["ab"], "SC211"),
        ([("a", 1, 2)], "SC211"),
        ([("a", [1])], "SC203"),
        ((lambda state: 1 / 0), "SC201"),
    ],
)
def test_successors_that_are_none(successors: Any, code: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        PlainModel(plain(0, successors)).edges(0)
    assert caught.value.code == code
    assert ("state", "0") in caught.value.values


def test_fields_are_variables() -> None:
    assert PlainModel(plain(Point(1, 2))).variables == ("x", "y")
    assert PlainModel(plain(Point(1, 2))).describe(Point(1, 2)) == {"x": 1, "y": 2}
    assert PlainModel(plain(Cell(1))).describe(Cell(1)) == {"x": 1}
    assert PlainModel(plain(5)).variables == ()
    assert PlainModel(plain(5)).describe(5) == {"state": 5}


def test_a_plain_model_is_checked_like_any_other() -> None:
    model = plain(Point(0, 0), lambda p: [("right", p._replace(x=p.x + 1))] if p.x < 5 else [])
    report = explore(model, measure=progress(lambda s: s.x))
    assert (report.statistics.states, report.statistics.peak) == (6, 2)
    assert check(model, [invariant("near", lambda s: s.x < 3)]).verdicts[0].witness == Point(3, 0)
    assert explore(model, measure="x").strategy == "generalised"


def test_what_is_a_model() -> None:
    good = plain(0)
    assert is_model(good)
    assert adopt(PlainModel(good)).name == "plain"
    for wrong in (type(good), 5, None, adopt, "text"):
        assert not is_model(wrong)
        with pytest.raises(SweepcheckError) as caught:
            adopt(wrong)
        assert caught.value.code == "SC106"
