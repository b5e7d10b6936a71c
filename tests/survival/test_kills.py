"""Runs that are killed with SIGKILL come to the same when they go on: a handful here, a hundred by `make soak`."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "soak" / "kill_and_resume.py"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_handful() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "4"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all came to the same" in done.stdout
