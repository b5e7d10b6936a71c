"""`sweepcheck resume` of a run that several processes shared: what is printed, and what is run."""

from pathlib import Path
from typing import Any

import pytest

from sweepcheck.cli.main import main
from sweepcheck.cluster import kept
from sweepcheck.cluster.places import place_of

COUNTED = {"states": 7, "edges": 9, "explored": 5, "stored": 3}


def manifest(folder: Path, **change: Any) -> str:
    told = {
        "identity": {"model": "m", "parameters": "none", "properties": "none", "strategy": "full"},
        "command": {"arguments": ["explore", "m.py", "--cluster", "local"], "folder": str(folder)},
        "written": "2026-01-01T00:00:00+00:00",
        "counted": COUNTED,
        "profile": [],
        "sites": 3,
        **change,
    }
    kept.write_manifest(place_of(str(folder)), told)
    return str(folder)


def test_it_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resume", manifest(tmp_path), "--show"]) == 0
    shown = capsys.readouterr().out
    assert "7 found, 5 explored, 3 stored" in shown
    assert "explore m.py --cluster local" in shown


@pytest.mark.parametrize("change", [{"command": {"arguments": ["rm", "x"]}}, {"command": {"arguments": []}}])
def test_no_other_command_is_run(change: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resume", manifest(tmp_path, **change)]) == 2
    assert "SC618" in capsys.readouterr().err
