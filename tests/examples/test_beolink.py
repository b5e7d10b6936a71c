"""The lock management protocol: our own figures, in the layout of paper 0's table 3."""

import pytest

from sweepcheck import check, explore, load
from sweepcheck.queries import Sweep, best_upper

OWN = [  # master, devices, states, edges, peak with a collection for each 3000 new states
    ("video", 3, 1_327, 2_188, 1_327),
    ("audio", 3, 1_976, 3_389, 1_976),
    ("video", 4, 8_887, 17_767, 3_270),
    ("audio", 4, 13_041, 26_890, 3_999),
    ("video", 5, 58_573, 139_106, 11_033),
    ("audio", 5, 84_684, 206_571, 15_560),
]


def beolink(master, devices):
    return load("examples/beolink.py", {"devices": devices, "master": master})


@pytest.mark.parametrize(("master", "devices", "states", "edges", "peak"), OWN)
def test_own_figures(master, devices, states, edges, peak):
    full = explore(beolink(master, devices), strategy="full").statistics
    swept = explore(beolink(master, devices), strategy="sweep", gc=3000).statistics
    assert (full.states, full.edges) == (swept.states, swept.edges) == (states, edges)
    assert swept.peak == peak


@pytest.mark.parametrize("master", ["video", "audio"])
def test_the_reference_engine_agrees(master):
    numbers = [explore(beolink(master, 3), engine=engine, strategy="sweep") for engine in ("reference", "native")]
    one, other = (report.statistics for report in numbers)
    assert (one.states, one.edges, one.peak, one.layers, one.dead_states) == (
        (other.states, other.edges, other.peak, other.layers, other.dead_states)
    )


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("master", ["video", "audio"])
def test_a_key_is_made_and_only_one(master, engine):
    report = check(beolink(master, 3), engine=engine)
    assert report.measure == "clock"
    assert [str(verdict.status) for verdict in report.verdicts] == ["holds"] * 3


def test_an_audio_master_takes_longer():
    times = [best_upper(Sweep(beolink(master, 3)), lambda m: m.clock).value for master in ("video", "audio")]
    assert times[0] < times[1]
