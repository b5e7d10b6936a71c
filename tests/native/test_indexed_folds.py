"""Folds that go through an array by its indices, or a map by its keys: the same answers, by few runs."""

from pathlib import Path
from typing import Any

import pytest

from sweepcheck import SweepcheckError, explore, load
from sweepcheck.engines.native.indexing import Indexed

SOURCE = """
from sweepcheck import Array, Map, Model, Record, choose, require

n = 10
KEYS = [f"k{i}" for i in range(n)]
SOME = (1, 4, 4, 7, 2, 9, 0, 3, 3, 8)


def model():
    m = Model(
        "indices",
        a=Array([0] * n),
        b=Array([1] * n),
        grid=Array(0, shape=(2, n)),
        node=Array(Record(nr=0, on=False), shape=n),
        on=Map(KEYS, 0),
        x=0,
        steps=0,
        found=None,
    )

    @m.action(i=(0, 4, 9))
    def change(s, i):
        require(s.steps < 3)
        s.steps += 1
        s.a[i] = choose(1, 2)
        s.grid[1, i] = s.node[i].nr = s.on[KEYS[i]] = s.a[i]
        s.node[i].on = not s.node[i].on

    @m.action(i=(0, 4))
    def ask(s, i):
        require(s.found is None)
        s.found = EXPRESSION

    return m
"""

FOLDED = [
    "sum(1 for j in range(n) if s.a[j] > 0)",
    "sum(s.a[j] for j in range(n))",
    "sum(s.a[-j] for j in range(1))",  # too few
    "max(s.a[j] for j in range(n))",
    "min(s.a[j] + 1 for j in range(n) if j != i)",
    "any(s.a[j] == 2 for j in range(n))",
    "any(j != i and s.a[j] == 2 for j in range(n))",
    "all(j == i or s.a[j] != 2 for j in range(n))",
    "all(s.a[j] <= i for j in range(n) if j != i and j < 12)",
    "all(s.node[j].nr < 2 for j in range(n))",
    "sum(s.node[j].nr for j in range(n) if j != i)",
    "any(s.on[k] == 2 for k in KEYS)",
    "all(s.on[k] != i for k in KEYS if k != 'k4')",
    "max(s.on.values())",
    "any(v == 2 for v in s.on.values())",
    "sum(s.on.values()) + sum(v for v in s.on.values())",
    "sum(s.grid[1][j] for j in range(n))",
    "sum(s.a[j] for j in range(n - 1, -1, -1)) - sum(s.a[j] for j in range(1, n))",
    "sum(s.a[j - 1] for j in range(1, n + 1)) if i < 0 else sum(s.a[j] for j in range(0, n))",
]
LOOKED_AT = [
    "sum(s.a[j] for j in SOME)",
    "sum(s.a[j] * j for j in range(n))",
    "any(s.a[j] > s.b[j] for j in range(n))",
    "min((j for j in range(n) if s.a[j]), default=n)",
    "sum(s.a[j] for j in range(n) if s.b[j])",
    "sum(s.a[j] for j in range(n) for _ in range(2))",
    "sum(1 for j in range(n) if s.a[j] != s.x)",
    "sum([s.a[j] for j in range(n)])",
    "sum((lambda: s.a[j])() for j in range(n))",
    "sum(s.grid[1, j] for j in range(n))",
    "any(1 // s.b[j] for j in range(n))",
    "max(s.a[j] for j in {1, 2, 3})",
    "[(sum(g), sum(g)) for g in [(s.a[j] for j in range(n))]][0]",
    "[(any(g), sum(g)) for g in [s.on.values()]][0]",
    "[(sum(g), sum(g)) for g in [s.on.values()]][0]",
    "sum(s.a[j] if j != i else 0 for j in range(n))",
    "all(s.a[j] < 9 for j in [] if 1 // 0)",
]
FAILING = [
    "sum(s.a[j] for j in range(n + 1))",
    "any(s.on[k] for k in (*KEYS, 'k99'))",
    "any(s.on[k] for k in [*KEYS, []])",
    "sum(s.a[j] for j in range(n) if 1 // (j - 5))",
    "max(s.a[j] for j in range(n) if j > n)",
    "all(s.c[j] for j in range(n))",
    "sum(s.a[j] for j in 7)",
    "sum(s.node[i + 9].nr[j] for j in range(n))",
    "sum(s.a[j] for j in KEYS)",
]
NOT_FAILING = [
    "any(s.a[j] == 0 for j in range(n + 1))",
    "all(s.a[j] == 1 for j in (*range(n), 'x'))",
    "any(s.a[j] == 0 for j in range(n) if 1 // (j - 5))",
    "sum(s.grid[i + 9][j] for j in range(0))",
]


def made(tmp_path: Path, expression: str, changed: str = "(0, 4, 9)") -> Any:
    file = tmp_path / "indices.py"
    file.write_text(SOURCE.replace("EXPRESSION", f"({expression})").replace("(0, 4, 9)", changed))
    return load(str(file))


def numbers(report: Any) -> Any:
    return report.statistics.states, report.statistics.edges, report.statistics.dead_states


@pytest.mark.parametrize("expression", [*FOLDED, *LOOKED_AT, *NOT_FAILING])
def test_both_engines_find_the_same(tmp_path: Path, expression: str) -> None:
    found = explore(made(tmp_path, expression), engine="native", verify_actions=True)
    assert numbers(found) == numbers(explore(made(tmp_path, expression), engine="reference"))


@pytest.mark.parametrize("expression", [one for one in FOLDED if "range(1)" not in one])
def test_few_runs_are_needed(tmp_path: Path, expression: str) -> None:
    report = explore(made(tmp_path, expression, "range(n)"), engine="native")
    assert report.statistics.states > 1000
    assert sum(one.evaluations for one in report.actions if one.action.startswith("ask")) <= 80


@pytest.mark.parametrize("expression", FAILING)
def test_mistakes_are_told_alike(tmp_path: Path, expression: str) -> None:
    told = []
    for engine in ("native", "reference"):
        with pytest.raises(SweepcheckError) as raised:
            explore(made(tmp_path, expression), engine=engine)
        told.append((raised.value.code, raised.value.what, raised.value.where))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("keys", "runs"),
    [
        ([0, 1, 2], [(0, 1, 3)]),
        ([0, 1, 3, 4, 5], [(0, 1, 2), (3, 1, 3)]),
        ([0, 2, 4, -1], [(0, 2, 3), (9, 1, 1)]),
        ([4, 3, 2], [(2, 1, 3)]),
        ([3, 3], [(3, 1, 1), (3, 1, 1)]),
        ([9, 7, 5, 3], [(3, 2, 4)]),
        ([0, 0, 1, 1, 2, 2], None),
        ([0, 10], None),
        (["0"], None),
        ([True], None),
        ([], []),
    ],
)
def test_elements_side_by_side(keys: list[Any], runs: Any) -> None:
    assert Indexed((None,) * 10, keys).runs() == runs
