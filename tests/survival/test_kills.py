"""Runs that are killed with SIGKILL come to the same when they go on, and spoilt files are told from good ones.

A handful here, hundreds and thousands by `make soak`.
"""

import subprocess
import sys
from pathlib import Path

import pytest

SOAK = Path(__file__).parents[1] / "soak"


def run(script: str, count: int) -> str:
    done = subprocess.run([sys.executable, SOAK / script, str(count)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_handful_of_kills() -> None:
    assert "all came to the same" in run("kill_and_resume.py", 4)


def test_a_handful_of_spoilt_files() -> None:
    assert "25 spoilt files" in run("spoil_checkpoints.py", 25)
