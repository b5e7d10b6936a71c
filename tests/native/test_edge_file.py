"""The edges that CTL keeps for its way back: how many bytes they are, what bounds them, and that nothing is left."""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from sweepcheck import (
    Limits,
    Model,
    Status,
    SweepcheckError,
    always_eventually,
    check,
    ctl,
    explore,
    invariant,
    ltl,
    reachable,
    require,
)
from sweepcheck.core.verdict import Stop


def grid(top=60, faulty=False):
    m = Model("grid", x=0, y=0)

    @m.action
    def right(s):
        require(s.x < top)
        s.x += 1

    @m.action
    def left(s):
        require(s.x > 0)
        s.x -= 1

    @m.action
    def up(s):
        require(s.y < top)
        s.y += 1 if not faulty or s.y < top - 1 else 1 // (top - s.x - top + s.x)

    m.progress(lambda s: s.y)
    return m


ASKED = ctl("next", "AG EX (EF {s.x > 3})")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_the_report_says_how_many_bytes_the_edges_are(strategy, folder):
    on_disk, in_memory = (
        check(grid(), [ASKED], engine="native", strategy=strategy, limits=Limits(disk=disk)) for disk in (None, 0)
    )
    edges = on_disk.statistics.edges
    assert edges < on_disk.statistics.edge_bytes < 8 * edges
    assert on_disk.statistics.edge_bytes == in_memory.statistics.edge_bytes
    assert on_disk.to_json()["statistics"]["edge_bytes"] == on_disk.statistics.edge_bytes
    assert "edges kept" in repr(on_disk)
    assert not list(folder.iterdir())


def test_where_nobody_needs_the_edges_none_are_kept():
    report = explore(grid(), engine="native")
    assert report.statistics.edge_bytes == 0
    assert "edges kept" not in repr(report)


FULL = "there was no room for them"


def far(top):
    return invariant("far", lambda s: s.x < top)


@pytest.mark.parametrize("strategy", ["full", "sweep"])
@pytest.mark.parametrize("disk", [1, 1000])
def test_a_limit_leaves_one_formula_open_and_nothing_behind(disk, strategy, folder):
    asked = [
        ASKED,
        far(70),
        always_eventually("up", lambda s: s.y > 3),
        reachable("corner", lambda s: s.x == s.y == 60),
    ]
    report = check(grid(), asked, engine="native", strategy=strategy, limits=Limits(disk=disk), keep_going=True)
    statuses = [str(one.status) for one in report.verdicts]
    assert statuses == ["inconclusive", "holds", "violated", "holds"]
    assert FULL in report["next"].reason
    assert "the limit on disk was reached" in report["next"].reason
    assert not report["next"]
    assert report.complete
    assert report.exit_code == 1
    assert report.statistics.states == 61 * 61
    assert not list(folder.iterdir())


def test_what_only_the_way_back_decides_ends_the_run_early(folder):
    """The file is written a mebibyte at a time: the run ends at the first that there is no room for."""
    report = check(grid(700), [ASKED], engine="native", limits=Limits(disk=1000))
    assert report.stop is Stop.DISK
    assert report.statistics.explored < 701 * 701
    assert report.exit_code == 3
    assert FULL in report["next"].reason
    others = check(grid(700), [ASKED, far(800)], engine="native", limits=Limits(disk=1000))
    assert others.complete
    assert bool(others["far"])
    assert FULL in others["next"].reason
    assert not list(folder.iterdir())


def test_a_full_disk_leaves_one_formula_open_and_nothing_behind(folder):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        report = check(grid(), [ASKED, far(70)], engine="native", trace=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [str(one.status) for one in report.verdicts] == ["inconclusive", "holds"]
    assert "File too large" in report["next"].reason
    assert report.exit_code == 3
    assert not list(folder.iterdir())


def test_a_temporary_folder_that_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(SweepcheckError, match="the edges that CTL needs") as caught:
        check(grid(), [ASKED], engine="native", trace=False)
    assert caught.value.code == "SC406"
    assert check(grid(), [ASKED], engine="native", trace=False, limits=Limits(disk=0))


def test_an_exception_leaves_nothing_behind(folder):
    with pytest.raises(SweepcheckError):
        check(grid(faulty=True), [ASKED], engine="native")
    assert not list(folder.iterdir())


ENDLESS = """
from sweepcheck import Model, check, ctl
m = Model("endless", n=0)

@m.action
def count(s):
    s.n += 1

check(m, [ctl("next", "AG EX {s.n >= 0}")], engine="native")
"""


def is_at_work(process: subprocess.Popen) -> bool:
    """Whether it has opened its file of edges, whose name is gone then."""
    assert process.poll() is None
    try:
        names = [os.readlink(link) for link in Path(f"/proc/{process.pid}/fd").iterdir()]
    except FileNotFoundError:  # it has closed one of them meanwhile
        return False
    return any(".edges (deleted)" in name for name in names)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="nobody says which files are open")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_signal_leaves_nothing_behind(number, tmp_path):
    process = subprocess.Popen([sys.executable, "-c", ENDLESS], env={**os.environ, "TMPDIR": str(tmp_path)})
    while not is_at_work(process):
        time.sleep(0.02)
    process.send_signal(number)
    process.wait()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "asked",
    [
        always_eventually("far", lambda s: s.x > 40),
        ltl("far", "F G {s.x > 40 or s.y > 3}"),
        ltl("far", "G ({s.x == 1} -> X {s.x != 0})"),
    ],
    ids=["AG AF", "F G", "safety"],
)
@pytest.mark.parametrize("fair", [None, ["left"]])
def test_a_violation_in_one_large_layer_ends_the_run_early(asked, fair):
    """All is one layer in full exploration; a loop near the initial state is found long before that is complete."""
    report = check(grid(300), [asked], engine="native", strategy="full", fair=fair)
    (verdict,) = report.verdicts
    assert verdict.status is Status.VIOLATED
    assert verdict.trace.loop is not None
    assert report.statistics.explored < 301 * 301 / 4
