"""Folds over few elements: looked at one by one if they have few values, folded if that takes many runs."""

from typing import Any

import pytest

from sweepcheck import Array, Limits, Map, Model, Record, check, choose, explore, require
from sweepcheck.engines.native import folds


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes many runs shows after few."""
    monkeypatch.setattr(folds, "OFTEN", 256)
    monkeypatch.setattr(folds, "MANY", 1 << 10)


def blocks(n: int) -> Model:
    names = [chr(ord("a") + i) for i in range(n)]
    m = Model("blocks", on=Map(dict.fromkeys(names, "table")))

    @m.action(x=names, y=[*names, "table"])
    def move(s: Any, x: str, y: str) -> None:
        require(x != y and s.on[x] != y)
        require(all(s.on[one] != x for one in names))
        require(y == "table" or all(s.on[one] != y for one in names))
        s.on[x] = y

    m.invariant("one stands on the table", lambda s: any(below == "table" for below in s.on.values()))
    m.reachable("a tower", lambda s: sum(1 for name in names if s.on[name] == "table") == 1)
    return m


def flags(n: int, values: int) -> Model:
    m = Model("flags", flag=Array([0] * n), at=Array([0] * 6))

    @m.action(i=range(6 * n))
    def act(s: Any, i: int) -> None:
        require(max(s.flag) == 0 and s.at[i % 6] == 0)
        s.at[i % 6] = 1
        s.flag[i % n] = choose(range(values))

    @m.action(i=range(n))
    def off(s: Any, i: int) -> None:
        require(s.flag[i] > 0)
        s.flag[i] = 0

    return m


def shelves(n: int, form: str) -> Model:
    m = Model("shelves", held=Map({f"s{i}": 0 for i in range(n)}), row=Array(0, shape=(2, n)))

    @m.action(i=range(n))
    def fill(s: Any, i: int) -> None:
        if form == "values":
            require(max(s.held.values()) < 5)
        elif form == "row":
            require(sum(s.row[1]) < 12)
        elif form == "back":
            require(max(s.row[1][j] for j in range(n - 1, -1, -1)) < 5)
        s.held[f"s{i}"] += 1
        s.row[1, i] += 1

    return m


def records(n: int) -> Model:
    m = Model("records", node=Array(Record(nr=0, on=False), shape=n))

    @m.action(i=range(n))
    def count(s: Any, i: int) -> None:
        require(sum(one.nr for one in s.node) < 2 * n and s.node[i].nr < 3)
        s.node[i].nr += 1

    return m


def numbers(report: Any) -> Any:
    found = report.statistics
    return found.states, found.edges, found.dead_states, [verdict.status for verdict in report.verdicts]


def runs(report: Any) -> int:
    return sum(action.evaluations for action in report.actions)


def test_few_elements_of_many_values_are_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    report = check(blocks(5), engine="native", verify_actions=True)
    assert numbers(report) == numbers(check(blocks(5), engine="reference"))
    folded = runs(explore(blocks(5), engine="native"))
    monkeypatch.setattr(folds, "OFTEN", 1 << 30)
    assert runs(explore(blocks(5), engine="native")) > 10 * folded


@pytest.mark.parametrize("form", ["values", "row", "back"])
def test_maps_and_rows(form: str) -> None:
    report = explore(shelves(4, form), engine="native", verify_actions=True)
    assert numbers(report) == numbers(explore(shelves(4, form), engine="reference"))
    assert runs(explore(shelves(4, form), engine="native")) < 500 < report.statistics.states


def test_few_values_are_looked_at() -> None:
    before = explore(flags(8, 2), engine="native")
    assert runs(before) > 256
    assert numbers(before) == numbers(explore(flags(8, 2), engine="reference"))


def test_fields_of_records_are_looked_at() -> None:
    assert numbers(explore(records(4), engine="native")) == numbers(explore(records(4), engine="reference"))


def test_the_same_runs_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    first = explore(blocks(5), engine="native")
    monkeypatch.setattr("sweepcheck.engines.native.exploration.SNAPSHOT_EVERY", 0.0)
    assert [one.evaluations for one in explore(blocks(5), engine="native").actions] == [
        one.evaluations for one in first.actions
    ]


def test_limits_and_checkpoints(tmp_path: Any) -> None:
    limited = explore(blocks(5), engine="native", limits=Limits(states=300, seconds=60))
    assert limited.statistics.states == 300
    kept = explore(blocks(5), engine="native", checkpoint=tmp_path / "kept", checkpoint_every=0.01)
    assert numbers(kept) == numbers(explore(blocks(5), engine="reference"))
