"""The one-page checker of the docs: it runs, says what its page says, and counts like the real one."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from sweepcheck import explore

FOLDER = Path(__file__).parents[2] / "docs" / "explanation"
TOY = runpy.run_path(str(FOLDER / "toy_sweep.py"))


class Toy:
    """The toy's system as a plain object."""

    initial = staticmethod(TOY["State"])
    successors = staticmethod(TOY["successors"])


def test_it_prints_what_its_page_shows():
    ran = subprocess.run([sys.executable, FOLDER / "toy_sweep.py"], capture_output=True, text=True, check=True)
    assert f"```text\n{ran.stdout}```" in (FOLDER / "why-states-can-be-forgotten.md").read_text(encoding="utf-8")


def test_it_counts_like_the_real_one():
    real = explore(Toy(), measure=TOY["progress"]).statistics
    toy = TOY["sweep"](TOY["State"](), TOY["successors"], TOY["progress"], lambda s: s.sender > s.receiver)
    assert (toy.states, toy.edges, toy.peak, toy.trace) == (real.states, real.edges, real.peak, None)
    assert explore(Toy()).statistics.states == toy.states


def test_it_refuses_a_wrong_measure():
    with pytest.raises(ValueError, match="progress went down"):
        TOY["sweep"](TOY["State"](), TOY["successors"], lambda s: s.ack, lambda s: s.receiver == 99)
