"""Predicates that are run often are asked part by part: the same answers, from fewer runs."""

import sys
from collections.abc import Callable
from itertools import count, product
from types import FrameType, SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from tests.native.comparing import same
from tests.native.test_workers import findings

from sweepcheck import (
    Array,
    Model,
    Set,
    Status,
    SweepcheckError,
    always_possible,
    check,
    deadlock,
    invariant,
    leads_to,
    reachable,
    require,
)
from sweepcheck._core import FormulaNode
from sweepcheck.engines.native import description
from sweepcheck.engines.native.dividing import MOST_PARTS, Divided, divided
from sweepcheck.testing.random_models import Source, sources

Predicate = Callable[[Any], Any]
N = range(3)
PAIRS = [(0, 1), (1, 2)]


def larger(s: Any, i: int, j: int) -> bool:
    return bool(s.a[i] > s.a[j])


def made(limit: int) -> Predicate:
    return lambda s, top=limit + 1: all(x < top for x in s.a) and all(s.a[i] < limit or s.b[i] == 0 for i in N)


def named(s: Any) -> bool:
    """With a text of its own."""
    return all(s.a[i] <= s.b[i] for i in N if i != 1) or s.b[0] == 1


DIVISIBLE: dict[str, Predicate] = {
    "side by side": lambda s: all(s.a[i] <= s.b[i] for i in range(3)),
    "pairs": lambda s: all(not (s.a[i] == s.a[j] == 2) for i in N for j in range(i)),
    "tuples": lambda s: not any(larger(s, i, j) and s.b[i] for i, j in PAIRS),
    "conditions": lambda s: all(
        s.a[i] == s.b[j] for i in N if i != 1 if s.b[i] for j in N if j != i if s.a[j] > s.a[i]
    ),
    "some of them": lambda s: any(s.a[i] == s.b[j] for i in N if s.b[i] for j in N if s.a[j]),
    "joined": lambda s: (s.a[0] or s.b[0]) and not (s.a[1] and s.b[1]) and any(s.a[i] == s.b[i] for i in N),
    "the last counts": lambda s: (s.a[0] > 1 and s.a[1]) or s.b[2],
    "nobody": lambda s: s.a[0] == s.b[0] or s.a[0] == 1 or all(s.a[i] for i in range(0)),
    "inner loops": lambda s: all(sum(s.a[j] for j in N if j != i) < 4 for i in N),
    "what a default has": made(1),
    "a function": named,
}
WHOLE: dict[str, Predicate] = {
    "one thing": lambda s: s.a[0] <= s.b[0],
    "one turn": lambda s: all(s.a[i] <= s.b[i] for i in range(1)),
    "the state is gone through": lambda s: all(x < 2 for x in s.a),
    "as far as the state says": lambda s: all(s.a[i] for i in range(s.b[0])),
    "too many": lambda s: all(s.a[i % 3] <= i for i in range(MOST_PARTS + 1)),
    "no end": lambda s: any(s.a[0] == i for i in count()),
    "a name is given": lambda s: all((x := s.a[i]) <= 2 and x >= 0 for i in N),
    "what cannot be gone through": lambda s: s.a[0] < 9 or all(s.a[i] for i in None),  # type: ignore[attr-defined]
}


def value(found: Divided, state: Any, at: int = 0) -> Any:
    what, size, part = found.nodes[at]
    if what is FormulaNode.PREDICATE:
        return found.parts[part](state)
    parts, one = [], at + 1
    while one < at + size:
        parts.append(one)
        one += found.nodes[one][1]
    if what is FormulaNode.NOT:
        return not value(found, state, parts[0])
    return (all if what is FormulaNode.ALL else any)(value(found, state, part) for part in parts)


def states() -> Any:
    for a in product(range(3), repeat=3):
        for b in product(range(2), repeat=3):
            yield SimpleNamespace(a=a, b=b)


@pytest.mark.parametrize("predicate", DIVISIBLE.values(), ids=DIVISIBLE)
def test_parts_say_together_what_the_whole_says(predicate: Predicate) -> None:
    found = divided(predicate)
    assert found is not None
    assert len(found.parts) > 1
    assert all(bool(value(found, state)) == bool(predicate(state)) for state in states())


@pytest.mark.parametrize("predicate", WHOLE.values(), ids=WHOLE)
def test_what_is_one_thing_is_left_alone(predicate: Predicate) -> None:
    assert divided(predicate) is None


def test_all_may_be_another_function() -> None:
    def all(values: Any) -> int:  # noqa: A001
        return len(list(values))

    predicate: Predicate = lambda s: all(s.a[i] <= s.b[i] for i in range(3)) or s.a[0] == 7  # noqa: E731
    assert divided(predicate) is None


def test_functions_without_a_text_are_left_alone() -> None:
    namespace: dict[str, Any] = {}
    exec("predicate = lambda s: all(s.a[i] <= s.b[i] for i in range(3))", namespace)
    assert divided(namespace["predicate"]) is None
    assert divided(max) is None


def counters(n: int = 3, most: int = 3) -> Model:
    m = Model("counters", a=Array([0] * n), b=Array([0] * n), met=Set())

    @m.action(i=range(n))
    def count(s: Any, i: int) -> None:
        require(s.a[i] < most)
        s.a[i] += 1

    @m.action(i=range(n))
    def follow(s: Any, i: int) -> None:
        require(s.b[i] < s.a[i])
        s.b[i] += 1

    @m.action(i=range(n))
    def meet(s: Any, i: int) -> None:
        require(s.a[i] == s.b[i] and i not in s.met)
        s.met.add(i)

    m.progress(lambda s: sum(s.a))
    return m


PROPERTIES = (
    invariant("side by side", lambda s: all(s.b[i] <= s.a[i] for i in range(3))),
    invariant("pairs", lambda s: all(not (s.a[i] == s.b[j] == 3 and s.a[j] == 0) for i in range(3) for j in range(i))),
    reachable("all", lambda s: all(s.a[i] == s.b[i] == 3 and i in s.met for i in range(3))),
    always_possible("full", lambda s: all(s.b[i] == 3 for i in range(3)) and not any(s.a[i] < 3 for i in range(3))),
    leads_to(
        "what was met", lambda s: 1 in s.met and 2 in s.met, lambda s: s.a[0] > 0 or all(x in s.met for x in (1, 2))
    ),
    invariant("of the elements", lambda s: all(any(x == i for x in s.met) or s.a[i] < 4 for i in range(3))),
    deadlock(final=lambda s: all(s.a[i] == 3 and s.b[i] == 3 for i in range(3))),
)


@pytest.mark.parametrize("asked", PROPERTIES, ids=lambda asked: asked.name)
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_properties_are_decided_as_by_the_reference_engine(asked: Any, workers: int, strategy: str) -> None:
    with patch.object(description, "DIVIDES_AFTER", 1):
        assert same(counters, [asked], strategy=strategy, keep_going=True, workers=workers)


def runs(model: Model, asked: Any, divides: bool) -> int:
    """How often functions of this file were called that only read: those of properties."""
    count = 0

    def called(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_filename == __file__ and frame.f_code.co_name == "<lambda>"

    before = sys.getprofile()
    with patch.object(description, "DIVIDES", divides):
        sys.setprofile(called)
        try:
            assert check(model, [asked], engine="native", workers=1)[asked.name].status is Status.HOLDS
        finally:
            sys.setprofile(before)
    return count


def test_a_predicate_about_all_elements_is_run_for_each_by_itself() -> None:
    asked = invariant("side by side", lambda s: all(s.b[i] <= s.a[i] for i in range(5)))
    whole, parts = runs(counters(5), asked, False), runs(counters(5), asked, True)
    assert whole > 50_000
    assert parts < 3_000


def test_parts_that_look_at_everything_are_given_up() -> None:
    asked = invariant("sums", lambda s: all(tuple(s.a)[i] >= tuple(s.b)[i] for i in range(5)))
    whole, parts = runs(counters(5), asked, False), runs(counters(5), asked, True)
    assert parts < 1.5 * whole


def failing(where: str) -> Predicate:
    if where == "later":
        return lambda s: all(s.a[i] < 3 or s.b[i] < 3 or i / (s.a[0] - s.a[0]) for i in range(3))
    if where == "guarded":
        return lambda s: s.a[0] == 0 or all(1 / s.a[0] and 4 / s.a[0] >= i for i in range(2))
    if where == "in a list":  # of which all is looked at
        return lambda s: any([i == 0 or 1 / (s.a[0] + s.b[1] - 4) for i in range(2)])  # noqa: C419
    return lambda s: s.a[2] < 3 or not all(s.a[i] for i in range(3)) or None


@pytest.mark.parametrize(
    ("where", "code"), [("later", "SC209"), ("guarded", None), ("in a list", "SC209"), ("no truth", "SC210")]
)
def test_errors_are_those_of_the_whole(where: str, code: str | None) -> None:
    def errors(engine: str) -> list[str]:
        asked = [deadlock(final=lambda s: 1 / (s.b[2] - 2)), invariant("failing", failing(where))]
        try:
            check(counters(), asked, engine=engine, keep_going=True)
        except SweepcheckError as error:
            return [error.code, str(error).partition("state")[0]]
        return []

    with patch.object(description, "DIVIDES_AFTER", 1):
        found = errors("native")
    assert found[:1] == ([code] if code else [])
    assert found == errors("reference")


@given(sources("number"))
@settings(deadline=None)
def test_random_models_have_the_same_traces(source: Source) -> None:
    case = source.case()
    predicate = case.kit["predicate"]
    asked = [
        invariant("twice", lambda s: all(predicate(s) for _ in range(2))),
        invariant("or", lambda s: any(bool(predicate(s)) == one for one in (True, False))),
        invariant("not", lambda s: predicate(s) or not predicate(s)),
    ]

    def answer(divides: bool, workers: int) -> list[object]:
        with patch.multiple(description, DIVIDES=divides, DIVIDES_AFTER=1, SHARE_AFTER=0, SHARE_LEAST=0):
            model, measure = case.kit["model"], case.kit["measure"]
            try:
                report = check(model, asked, measure=measure, keep_going=True, engine="native", workers=workers)
            except SweepcheckError as error:
                return [error.code, str(error)]
            return list(findings(report))

    expected = answer(False, 1)
    assert answer(True, 1) == expected
    assert answer(True, 2) == expected
