"""Limits, interruption and what is left of a run that was stopped."""

import os
import signal
import threading
from itertools import pairwise
from typing import Any

import pytest

from sweepcheck import Limits, Model, Status, Stop, SweepcheckError, check, explore, invariant, reachable, require
from sweepcheck.core.observer import Snapshot


def grid(top: int = 3000) -> Model:
    """A state space too large to be finished while somebody waits for it."""
    m = Model("grid", x=0, y=0, z=0)

    @m.action(name=["x", "y", "z"])
    def up(s: Any, name: str) -> None:
        require(getattr(s, name) < top)
        setattr(s, name, getattr(s, name) + 1)

    return m


@pytest.mark.parametrize("most", [1, 2, 255, 256, 257, 10_000])
def test_states(most: int) -> None:
    for engine in ("reference", "native"):
        report = explore(grid(), limits=Limits(states=most), engine=engine)
        assert report.stop is Stop.STATES
        assert report.statistics.states == most


def test_states_that_suffice() -> None:
    report = explore(grid(5), limits=Limits(states=6**3), engine="native")
    assert report.stop is None


def test_seconds() -> None:
    report = explore(grid(), limits=Limits(seconds=0.05), engine="native")
    assert report.stop is Stop.SECONDS
    assert report.statistics.states > 0


def test_memory() -> None:
    report = explore(grid(), limits=Limits(memory=1), engine="native")
    assert report.stop is Stop.MEMORY


def test_what_a_limit_leaves_open_is_inconclusive() -> None:
    asked = [invariant("below", lambda s: s.x < 10), reachable("far", lambda s: s.x == 2999)]
    report = check(grid(), asked, limits=Limits(states=5000), keep_going=True, engine="native")
    assert [verdict.status for verdict in report.verdicts] == [Status.VIOLATED, Status.INCONCLUSIVE]
    assert report.verdicts[0].trace is not None


def test_snapshots_while_it_runs() -> None:
    seen: list[Snapshot] = []

    class Watcher:
        def snapshot(self, snapshot: Snapshot) -> None:
            seen.append(snapshot)

    explore(grid(), limits=Limits(seconds=0.6), engine="native", observer=Watcher(), measure=lambda s: s.x)
    assert seen
    assert all(one.explored <= two.explored and one.seconds <= two.seconds for one, two in pairwise(seen))
    assert all(one.unprocessed >= 0 and one.stored <= one.peak for one in seen)


def test_an_observer_that_raises() -> None:
    class Broken:
        def snapshot(self, snapshot: Snapshot) -> None:
            raise ValueError("not today")

    with pytest.raises(SweepcheckError, match="ValueError: not today") as raised:
        explore(grid(), limits=Limits(seconds=20), engine="native", observer=Broken())
    assert raised.value.code == "SC107"
    assert isinstance(raised.value.__cause__, ValueError)


def test_interruption_while_tables_answer_everything() -> None:
    """The signal comes when no Python function has been called for long; the run ends all the same."""
    interrupts: list[int] = []

    class Impatient:
        def snapshot(self, snapshot: Snapshot) -> None:
            if not interrupts:
                interrupts.append(snapshot.explored)
                os.kill(os.getpid(), signal.SIGINT)

    report = explore(grid(), limits=Limits(seconds=60), engine="native", observer=Impatient())
    assert report.stop is Stop.INTERRUPTED
    assert report.statistics.explored >= interrupts[0]


def test_interruption_from_outside() -> None:
    """Another thread sends the signal: the engine has let go of the interpreter meanwhile."""
    started = threading.Event()
    sent = threading.Event()

    class Watcher:
        def snapshot(self, snapshot: Snapshot) -> None:
            started.set()

    def send() -> None:
        started.wait()
        sent.set()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    report = explore(grid(), limits=Limits(seconds=60), engine="native", observer=Watcher())
    thread.join()
    assert sent.is_set()
    assert report.stop is Stop.INTERRUPTED


def test_two_runs_at_once() -> None:
    found: dict[str, int] = {}

    def count(name: str, top: int) -> None:
        found[name] = explore(grid(top), engine="native").statistics.states

    threads = [threading.Thread(target=count, args=(f"run {top}", top)) for top in (20, 25, 30, 35)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {f"run {top}": (top + 1) ** 3 for top in (20, 25, 30, 35)}


def test_a_run_inside_an_action() -> None:
    m = Model("outer", x=0)

    @m.action
    def step(s: Any) -> None:
        require(s.x < 3)
        s.x += explore(grid(1), engine="native").statistics.states // 8

    assert explore(m, engine="native").statistics.states == 4
