"""Initial states are states: limits, figures, the profile and whoever watches hear of them while they are made."""

import time
from typing import Any

import pytest

from sweepcheck import (
    Limits,
    Model,
    Status,
    Stop,
    check,
    choose,
    explore,
    invariant,
    reachable,
    require,
    state_graph,
    state_space_report,
)
from sweepcheck.core.observer import Snapshot
from sweepcheck.engines.memory import resident_bytes
from sweepcheck.report.actions import actions_text
from sweepcheck.testing.interruptions import interrupted_at

ENGINES = ("native", "reference")


class Tally:
    """Counts how often it is asked for what it is given."""

    def __init__(self) -> None:
        self.count = 0

    def __matmul__(self, number: int) -> int:
        self.count += 1
        return int(str(number))  # so that nobody can leave open what it is


def many(made: Tally | None = None, rows: int = 1000) -> Model:
    """A million initial states, of which each takes a run if they are counted."""
    m = Model("many", x=0, y=0)

    @m.start
    def begin(s: Any) -> None:
        s.x = choose(range(rows))
        s.y = choose(range(rows))
        if made is not None:
            s.y = made @ s.y

    @m.action
    def go(s: Any) -> None:
        require(s.x == 0 and s.y == 0)
        s.x = rows

    return m


@pytest.mark.parametrize("engine", ENGINES)
def test_no_more_are_made_than_the_limit_allows(engine: str) -> None:
    made = Tally()
    model = many(made)
    asked = [reachable("late", lambda s: s.x == 999), invariant("all", lambda s: s.y >= 0)]
    found = check(model, asked, engine=engine, limits=Limits(states=1000))
    assert found.stop is Stop.STATES
    assert found.statistics.explored == 0
    assert [one.status for one in found.verdicts] == [Status.INCONCLUSIVE] * 2
    assert made.count < 5000


@pytest.mark.parametrize("engine", ENGINES)
def test_the_time_limit_ends_a_run_and_blames_nobody(engine: str) -> None:
    started = time.perf_counter()
    found = explore(many(Tally()), engine=engine, limits=Limits(seconds=0.5))
    assert found.stop is Stop.SECONDS
    assert found.statistics.seconds > 0.3
    assert time.perf_counter() - started < 20  # a million runs take longer


def test_a_violation_in_an_early_one_ends_the_run() -> None:
    made = Tally()
    found = check(many(made), [invariant("small", lambda s: s.y < 500)])
    assert found.verdicts[0].status is Status.VIOLATED
    assert found.verdicts[0].trace is not None
    assert found.verdicts[0].trace.initial == (0, 500)
    assert made.count < 5000


class Watcher:
    def __init__(self) -> None:
        self.seen: list[Snapshot] = []

    def snapshot(self, snapshot: Snapshot) -> None:
        self.seen.append(snapshot)


@pytest.mark.parametrize("engine", ENGINES)
def test_who_watches_sees_them_come(engine: str) -> None:
    watcher = Watcher()
    explore(many(Tally(), 400), engine=engine, observer=watcher)
    coming = [one for one in watcher.seen if one.explored == 0 and one.stored > 0]
    assert coming
    assert coming[0].seconds > 0


def test_their_time_is_part_of_the_figures() -> None:
    started = time.process_time()
    found = explore(many(Tally(), 300), engine="native")
    spent = time.process_time() - started
    assert found.statistics.states == 90_001
    assert found.statistics.seconds > 0.5 * spent
    assert 0.3 * spent < found.outcome.start_seconds <= (found.statistics.model_seconds or 0)
    text = actions_text(found)
    assert "initial states" in text
    assert "the initial states take most of the time" in text


def test_memory_is_watched_while_they_are_made() -> None:
    m = Model("wide", x=0, y=0)
    m.initial(x=range(2000), y=range(2000))

    @m.action
    def stay_there(s: Any) -> None:
        require(s.x < 0)
        s.x = 0

    limit = resident_bytes() + (64 << 20)
    found = explore(m, engine="native", limits=Limits(memory=limit))
    assert found.stop is Stop.MEMORY
    assert 0 < (found.statistics.states or 0) < 4_000_000
    assert (found.statistics.memory_bytes or 0) < limit + (64 << 20)


@pytest.mark.parametrize("call", [1, 3, 5, 20])
def test_ctrl_c_before_the_first_state_is_there(call: int) -> None:
    with interrupted_at(call):
        report = state_space_report(many(Tally(), 30), engine="native")
    assert report.survey.components is None  # it is not complete
    with interrupted_at(call):
        graph = state_graph(many(Tally(), 30), engine="native")
    assert not graph.complete
