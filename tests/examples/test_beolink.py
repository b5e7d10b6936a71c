"""The lock management protocol of paper 0: what it does; its numbers are in tests/golden."""

import pytest

from sweepcheck import check, load
from sweepcheck.queries import Sweep, best_upper


def beolink(master, devices):
    return load("examples/beolink.py", {"devices": devices, "master": master})


@pytest.mark.parametrize("master", ["video", "audio"])
def test_a_key_is_made_and_only_one(master):
    report = check(beolink(master, 3))
    assert report.measure == "clock"
    assert [str(verdict.status) for verdict in report.verdicts] == ["holds"] * 3


def test_an_audio_master_takes_longer():
    times = [best_upper(Sweep(beolink(master, 3)), lambda m: m.clock).value for master in ("video", "audio")]
    assert times[0] < times[1]
