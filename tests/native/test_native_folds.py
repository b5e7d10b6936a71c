"""Folds over wide arrays: `sum`, `max`, `min`, `any`, `all`, `count` and `in` as one question, on random models."""

from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sweepcheck import Array, Map, Model, Record, check, choose, explore, invariant, require, step
from sweepcheck.engines import native
from sweepcheck.engines.native import folds
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.conformance import check_engine
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.truth import TooLarge, survey

LIMIT = 2  # a global constant that folds may read


def total(s):
    """A function that a predicate calls by its name."""
    return sum(s.a)


FOLDS = [
    "sum(s.a)",
    "sum(s.a, 5)",
    "max(s.a)",
    "min(s.a) + max(s.a)",
    "any(s.a)",
    "all(s.a)",
    "any(x > LIMIT for x in s.a)",
    "all(x <= k for x in s.a)",
    "sum(x == 1 for x in s.a)",
    "sum(1 for x in s.a if x > 0)",
    "max(x * x for x in s.a)",
    "min(abs(x - 2) for x in s.a)",
    "sum(x for x in s.a if x != s.x)",
    "any(s.a[i] > s.b[i] for i in range(12))",
    "sum(s.grid[0]) - sum(s.grid[1])",
    "max(x + 1 for x in s.grid[1])",
    "sum(node.nr for node in s.node)",
    "any(node.nr == 2 and node.on for node in s.node)",
    "all(node.on for node in s.node)",
    "sum(node.nr for node in s.node if node.nr > 1)",
    "sum(node.nr + len(s.node) for node in s.node)",
    "(2 in s.a) + 3 * (7 in s.a)",
    "s.grid[1].count(2) - s.grid[0].count(0)",
    "(2 in s.grid[1]) + 3 * (1 in s.grid[0])",
    "s.map.count(1) + (1 in s.map)",
    "sum(s.a) == sum(s.b)",
    "total(s)",
    "sum(sorted(s.a)[:3])",
    "max(s.a, key=lambda x: -x)",
    "max(s.a, default=9)",
    "len([x for x in s.a if x])",
    "any(str(x) == '1' for x in s.a)",
    "any(x.bit_length() > 1 for x in s.a)",
    "sum(1 // x for x in s.a if x)",
    "[(sum(g), sum(g)) for g in [(x for x in s.a)]][0]",
    "[(any(g), sum(g)) for g in [(x > 1 for x in s.a)]][0]",
    "[(next(g), max(g)) for g in [(x for x in s.a)]][0]",
    "any(1 // (x - 1) for x in s.b) if min(s.b) > 1 else 0",
]


def model(expression: str, values: tuple[Any, ...]) -> Model:
    m = Model(
        "wide",
        a=Array([0] * 12),
        b=Array([1] * 12),
        grid=Array(0, shape=(2, 10)),
        node=Array(Record(nr=0, on=False), shape=10),
        map=Map(dict.fromkeys(range(10), 0)),
        x=0,
        steps=0,
        found=None,
    )
    fold = eval(f"lambda s, k=3: {expression}", {"LIMIT": LIMIT, "total": total})

    @m.action(i=(0, 5, 11))
    def change(s, i):
        require(s.steps < 3)
        s.steps += 1
        s.a[i] = choose(values)

    @m.action(i=(0, 9))
    def others(s, i):
        require(s.steps < 3)
        s.steps += 1
        s.b[i] += 1
        s.grid[1, i] = 2
        s.node[i].nr += 1
        s.map[i] = 1 - s.map[i]
        s.node[i].on = not s.node[i].on
        s.x = 1 - s.x

    @m.action
    def look(s):
        require(s.found is None)
        s.found = fold(s)

    @m.action
    def look_after_a_change(s):
        require(s.found is None)
        s.a[3] = 1
        s.grid[0, 2] = 1
        s.node[4].nr = 3
        s.found = fold(s)

    m.invariant("asked", lambda s: s.found is None or fold(s) == s.found or s.steps < 2)
    return m


def numbers(report) -> Any:
    n = report.statistics
    return n.states, n.edges, n.explored, [(one.status, one.witness) for one in report.verdicts]


@pytest.mark.parametrize("expression", FOLDS)
def test_both_engines_find_the_same(expression: str) -> None:
    asked = ["asked", invariant("open to the end", lambda s: True)]
    options: dict[str, Any] = {"keep_going": True, "strategy": "full"}
    native, reference = (
        numbers(check(model(expression, (1, 2, 4)), asked, engine=engine, **options))
        for engine in ("native", "reference")
    )
    assert native == reference


ODD = st.sampled_from([0, 1, 2, -3, 7, 2**40, 2**70, -(2**31), 2.5, None, "a", (1,), frozenset({1})])


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from(FOLDS[:13] + FOLDS[21:27]), st.lists(ODD, min_size=1, max_size=3, unique=True))
def test_values_that_cannot_be_added_or_compared(expression: str, values: list[Any]) -> None:
    """They are looked at one by one, or the model is refused as ever."""
    seen = []
    for engine in ("native", "reference"):
        try:
            seen.append(numbers(explore(model(expression, tuple(values)), engine=engine)))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the same
            seen.append((type(error), str(error).split("traceback")[0]))
    assert seen[0] == seen[1]


def wide(n: int, **options: Any) -> Any:
    m = Model("wide", a=Array([0] * n), left=3)

    @m.action(i=range(n))
    def take(s, i):
        require(s.left > 0)
        s.a[i] += 1
        s.left -= 1

    @m.action
    def audit(s):
        require(sum(s.a) > 99 or any(x > 99 for x in s.a))
        s.left = 3

    asked = [
        invariant("none is lost", lambda s: sum(s.a) + s.left == 3),
        invariant("few", lambda s: max(s.a) <= 3 and s.a.count(0) >= n - 3 and not any(x > 3 for x in s.a)),
        step("one more", lambda old, new: sum(new.a) == sum(old.a) + 1),
    ]
    return check(m, asked, engine="native", keep_going=True, **options)


@pytest.mark.parametrize(
    "options", [{}, {"workers": 3}, {"verify_actions": True}, {"constraints": [lambda s: sum(s.a) < 3]}]
)
def test_a_wide_array_is_no_cliff(options: dict[str, Any]) -> None:
    """Each question is answered for a handful of sums, not for thousands of arrays."""
    report = wide(18, **options)
    assert report.statistics.states == 1330
    assert all(report.verdicts)  # under a constraint, of the states within
    (audit,) = (one for one in report.actions if one.action == "audit")
    assert options.get("verify_actions") or audit.evaluations < 60


def changing(n: int, changes: int) -> Model:
    m = Model("changing", a=Array([0] * n), done=Array([False] * n))

    @m.action(i=range(n))
    def count(s, i):
        for j in range(changes):
            s.a[(i + 3 * j) % n] += 1
        require(sum(s.a) <= 4 and max(s.a) - min(s.a) <= 2 and s.a.count(2) <= 1 and 5 not in s.a)
        s.done[i] = True
        require(not all(s.done) and any(one for one in s.done) and sum(s.a[j] for j in range(n) if j != i) >= 0)

    return m


@pytest.mark.parametrize(("changes", "most"), [(1, 1_000), (2, 400)])
def test_elements_that_the_run_has_changed_are_no_cliff(changes: int, most: int) -> None:
    reference, native = (explore(changing(10, changes), engine=engine) for engine in ("reference", "native"))
    assert numbers(native) == numbers(reference)
    assert sum(one.evaluations for one in native.actions) < most


def test_a_wide_array_in_a_record_is_no_cliff_either() -> None:
    m = Model("inside", all=Record(a=Array([0] * 10), left=10))

    @m.action(i=range(10))
    def take(s, i):
        require(s.all.a[i] == 0)
        s.all.a[i] = 1

    @m.action
    def audit(s):
        require(s.all.a.count(1) > 99 or 5 in s.all.a)
        s.all.left = 0

    report = explore(m, engine="native")
    assert report.statistics.states == 1024
    (asked,) = (one for one in report.actions if one.action == "audit")
    assert asked.evaluations < 30


@given(sources(constrained=True))
def test_random_models_fold_whatever_they_can(source: Source) -> None:
    """As few as one element: rows, fields of records and generators of the kit's models."""
    try:
        truth = survey(adopt(source.case().model), most=100)
    except TooLarge:
        assume(False)
    with patch.object(folds, "LEAST", 1):
        check_engine(native.run, **source.case().kit, truth=truth, engine="native", kinds=frozenset(native.KINDS))
