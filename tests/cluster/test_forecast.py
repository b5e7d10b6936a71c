"""What a large run would need, from a small one: as many sites as it has work for, and what follows for more."""

import json
from pathlib import Path
from typing import Any

import pytest

from sweepcheck import load
from sweepcheck.cli.main import main
from sweepcheck.cluster import forecast as forecasts
from sweepcheck.cluster.driver import run
from sweepcheck.cluster.forecast import Figures, figures, forecast, times_sent
from sweepcheck.cluster.local import LocalSites
from sweepcheck.cluster.owners import deciding
from sweepcheck.core.observer import Silence
from sweepcheck.core.request import Request
from sweepcheck.planner import plan

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "stop_and_wait.py")
SMALL = ["plan-cluster", EXAMPLE, "-p", "packets=6", "--states", "1e6", "--format", "json", "-q"]
Captured = pytest.CaptureFixture[str]


def planned(capsys: Captured, *more: str) -> dict[str, Any]:
    assert main([*SMALL, *more]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def with_sites(sites: int, sent: float) -> Figures:
    return Figures(1000, sites, 0.5, 16.0, 6.0, sent, 10.0, 2.0, 1e-6)


def test_what_was_measured_is_taken_as_it_is(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """With three sites as many states are sent as in a run of three, whatever two of them would have sent."""
    monkeypatch.setattr(forecasts, "WORK", 1)
    decided = plan(load(EXAMPLE, {"packets": 6}), Request(()))
    truth = figures(run(decided, Silence(), LocalSites(decided, 3, deciding(decided, 3))))
    found = planned(capsys, "--processes", "3")
    assert found["figures"]["sites"] == 3
    assert found["forecast"]["sent"] == found["figures"]["sent"] > 0
    assert found["figures"]["states"] == truth.states
    network = found["forecast"]["network"]
    assert network == pytest.approx(1e6 * found["forecast"]["sent"] * found["figures"]["sent_bytes"] / 3)


def test_little_work_is_shared_by_few(capsys: Captured) -> None:
    assert planned(capsys, "--processes", "8")["figures"]["sites"] == 2
    alone = planned(capsys, "--processes", "1")
    assert alone["figures"]["sites"] == 1
    assert (alone["forecast"]["sent"], alone["forecast"]["network"]) == (0, 0)
    assert main([one for one in SMALL if one not in ("--format", "json")]) == 0
    assert "too little work" in capsys.readouterr().out


@pytest.mark.parametrize(("sites", "sent"), [(2, 0.5), (4, 1.5), (16, 3.5), (4, 3.0), (2, 1.2), (8, 0.0)])
def test_more_processes_send_more(sites: int, sent: float) -> None:
    small = with_sites(sites, sent)
    numbers = [times_sent(small, processes) for processes in (sites, 2 * sites, 8 * sites, 4096)]
    assert numbers == sorted(numbers)
    assert numbers[-1] <= max(sent, small.edges)  # no more often than there are edges to it
    assert times_sent(small, 1) == 0
    assert forecast(small, 10**9, 4096).memory * 4096 == pytest.approx(1.5 * forecast(small, 10**9, 1).memory)
