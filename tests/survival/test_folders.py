"""Folders that are asked for, as they come: without a name, with an odd one, in the place of something else."""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from sweepcheck import Limits, Model, SweepcheckError, check, ctl, deadlock, explore, reachable, require
from sweepcheck.cli.main import main
from sweepcheck.cluster.places import LOCK, Folder
from sweepcheck.engines.checkpoints import NAME, PARENTS

ODD = os.fsdecode(b"odd\xff")  # a name that is no UTF-8
SOURCE = """
from sweepcheck import Model, require

def model(n: int = 40):
    m = Model("grid", x=0, y=0)

    @m.action
    def right(s):
        require(s.x < n)
        s.x += 1

    @m.action
    def up(s):
        require(s.y < n)
        s.y += 1

    return m
"""
Captured = pytest.CaptureFixture[str]
with_odd_names = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names are text here")


def grid(n: int = 40) -> Model:
    m = Model("grid", x=0, y=0)

    @m.action
    def right(s: Any) -> None:
        require(s.x < n)
        s.x += 1

    @m.action
    def up(s: Any) -> None:
        require(s.y < n)
        s.y += 1

    return m


def asked(options: dict[str, Any]) -> SweepcheckError:
    """The error that a run with these options ends with."""
    with pytest.raises(SweepcheckError) as caught:
        check(grid(), [deadlock()], strategy="full", limits=Limits(memory=1 << 30), **options)
    return caught.value


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a model, where commands are typed."""
    (tmp_path / "grid.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("option", ["--checkpoint", "--spill", "--trace-dir", "--cluster-dir"])
def test_no_text_is_no_folder(option: str, typed: Path, capsys: Captured) -> None:
    """A variable of the shell that is not set must not fill the folder where somebody is."""
    more = ["--cluster", "local"] if option == "--cluster-dir" else ["--memory-limit", "1G"]
    assert main(["check", "grid.py", "--deadlock", option, "", *more]) == 2
    assert "'' is not a folder" in capsys.readouterr().err
    assert [path.name for path in typed.iterdir() if path.suffix != ".pyc"] == ["grid.py"]


@with_odd_names
@pytest.mark.parametrize("option", ["checkpoint", "spill", "trace_dir", "cluster_dir"])
def test_a_name_that_is_no_text_is_refused(option: str, tmp_path: Path) -> None:
    more = {"cluster": "local"} if option == "cluster_dir" else {}
    error = asked({option: tmp_path / ODD, **more})
    assert (error.code, "is no UTF-8" in error.what) == ("SC403", True)
    assert list(tmp_path.iterdir()) == []


@with_odd_names
def test_a_temporary_folder_whose_name_is_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ODD).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ODD))
    model = grid()
    model.progress(lambda s: s.x + s.y)
    for asked in (reachable("far", lambda s: s.x == 9), ctl("tree", "EG {x < 9}")):
        with pytest.raises(SweepcheckError, match=r"its name is no UTF-8") as caught:
            check(model, [asked], trace=asked.name == "far", engine="native")
        assert caught.value.code == "SC406"
    assert list((tmp_path / ODD).iterdir()) == []


@pytest.mark.parametrize("option", ["checkpoint", "spill"])
def test_a_link_that_leads_nowhere_and_a_file_are_named(option: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    (tmp_path / "file").write_text("mine")
    assert f"it is a link to {tmp_path / 'gone'}, which is not there" in asked({option: tmp_path / "link"}).what
    assert "it is a file" in asked({option: tmp_path / "file"}).what
    assert (tmp_path / "file").read_text() == "mine"


def test_a_link_to_a_folder_is_that_folder(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "run")
    explore(grid(), checkpoint=tmp_path / "link")
    assert (tmp_path / "run" / NAME).is_file()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="states go to the disk on Linux only")
def test_whatever_lies_in_a_folder_for_states_stays_there(tmp_path: Path) -> None:
    for name in ("spill-probe", "notes"):
        (tmp_path / name).write_text("mine")
    explore(grid(), spill=tmp_path, limits=Limits(memory=1 << 30))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"spill-probe": "mine", "notes": "mine"}


def test_a_checkpoint_without_its_parents_is_refused(tmp_path: Path) -> None:
    asked = [reachable("far", lambda s: s.x == s.y == 40)]
    check(grid(), asked, strategy="full", checkpoint=tmp_path, limits=Limits(states=1000))
    (tmp_path / PARENTS).unlink()
    with pytest.raises(SweepcheckError, match=r"parents\.trc beside it") as caught:
        check(grid(), asked, strategy="full", checkpoint=tmp_path)
    assert caught.value.code == "SC618"


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_a_finished_run_tells_the_same_again_and_writes_nothing(strategy: str, tmp_path: Path) -> None:
    model = grid(100)
    model.progress(lambda s: s.x + s.y)
    options: Any = {"properties": [reachable("never", lambda s: s.x < 0)], "strategy": strategy, "checkpoint": tmp_path}
    first = check(model, **options)
    content = (tmp_path / NAME).read_bytes()
    again = check(model, **options)
    numbers = ("states", "peak", "state_bytes", "table_bytes", "trace_bytes")
    told = [[getattr(one.statistics, name) for name in numbers] for one in (first, again)]
    assert told[0] == told[1]
    assert (tmp_path / NAME).read_bytes() == content
    assert first.trace_file == again.trace_file == tmp_path / PARENTS


def test_a_command_does_not_grow_with_every_resume(typed: Path, capsys: Captured) -> None:
    begun = ["check", "grid.py", "--deadlock", "--checkpoint", "run", "--max-states", "500"]
    assert main(begun) == 3
    for _ in range(3):
        assert main(["resume", "run"]) == 3
    capsys.readouterr()
    assert main(["resume", "run", "--show"]) == 0
    (line,) = (one for one in capsys.readouterr().out.splitlines() if one.startswith("command"))
    once = ["check", "grid.py", "--deadlock", "--max-states", "500", "--checkpoint", str(typed / "run")]
    assert line.split()[1:] == once


@pytest.mark.skipif(sys.platform == "win32", reason="no locks")
def test_a_lock_that_was_removed_meanwhile_is_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    first, second = Folder(tmp_path), Folder(tmp_path)
    first.open()
    lock = fcntl.flock

    def let_go(*given: Any) -> None:
        first.close()  # between the other one's opening of the file and its lock
        lock(*given)

    monkeypatch.setattr(fcntl, "flock", let_go)
    with pytest.raises(OSError, match="another run uses it"):
        second.open()
    monkeypatch.undo()
    second.open()
    assert (tmp_path / LOCK).exists()
    second.close()
