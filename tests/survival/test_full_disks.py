"""A full disk with several workers: the same is found, lost and left open as with one, and nothing is left behind."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sweepcheck import Array, Model, Report, check, ctl, invariant, require
from sweepcheck.engines.native import description

WORKERS = (1, 2, 4)
COUNTS = ("states", "edges", "explored", "peak", "layers", "dead_states")


@pytest.fixture(autouse=True)
def shared_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small models have work for several workers too."""
    monkeypatch.setattr(description, "SHARE_AFTER", 0)
    monkeypatch.setattr(description, "SHARE_LEAST", 0)


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Files may have so many bytes each, as if the disk were full then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def counters(top: int) -> Model:
    """Three counters that go up: many ways to each state, and layers as wide as they are many."""
    m = Model("counters", c=Array([0] * 3))

    @m.action(i=range(3))
    def up(s: Any, i: int) -> None:
        require(s.c[i] < top)
        s.c[i] += 1

    m.progress(lambda s: sum(s.c))
    return m


def found(report: Report) -> list[object]:
    """What must not depend on the number of workers."""
    return [
        [getattr(report.statistics, name) for name in COUNTS],
        report.stop,
        report.exit_code,
        report.trace_lost is None,
        [(str(one.status), one.reason, one.trace is None) for one in report.verdicts],
    ]


def same_by_all(run: Any) -> Report:
    """The report with one worker, which those with several are like."""
    alone, *others = (run(workers) for workers in WORKERS)
    for other in others:
        assert found(other) == found(alone)
    return alone


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_traces_are_lost_and_the_run_goes_on(strategy: str, tmp_path: Path) -> None:
    asked = [invariant("never all up", lambda s: sum(s.c) < 90)]

    def run(workers: int) -> Report:
        with room_for(4096):
            return check(counters(30), asked, strategy=strategy, workers=workers, trace_dir=tmp_path / str(workers))

    report = same_by_all(run)
    assert report.statistics.states == 31**3
    assert run(2).statistics.workers == 2
    assert str(report.verdicts[0].status) == "violated"
    assert report.verdicts[0].trace is None
    assert "File too large" in str(report.trace_lost)


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_formulas_that_need_edges_are_left_open(strategy: str) -> None:
    asked = [ctl("next", "AG EX (EF {s.c[0] > 3})"), invariant("in", lambda s: sum(s.c) <= 60)]

    def run(workers: int) -> Report:
        with room_for(4096):
            return check(counters(20), asked, strategy=strategy, workers=workers, trace=False, keep_going=True)

    report = same_by_all(run)
    assert [str(one.status) for one in report.verdicts] == ["inconclusive", "holds"]
    assert report.exit_code == 3


def test_checkpoints_that_have_no_room_are_told(tmp_path: Path) -> None:
    """The first one fits; the run goes on without further ones, to the same end."""

    def run(workers: int) -> Report:
        with room_for(20_000):
            return check(
                counters(30), strategy="full", workers=workers, checkpoint=tmp_path / str(workers), checkpoint_every=0
            )

    report = same_by_all(run)
    assert report.statistics.states == 31**3
    assert any("checkpoint" in one and "File too large" in one for one in report.warnings)
