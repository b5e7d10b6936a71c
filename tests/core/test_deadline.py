"""Work that is broken off when its time is over, and what is left behind in the thread."""

import subprocess
import sys
import time

import pytest

from sweepcheck.core.deadline import TimeUp, within

# Where an interpreter still looks for something to raise, the first call that is profiled never ends.
PROFILED = """
import sys, time
from sweepcheck.core.deadline import TimeUp, within
def busy():
    while True:
        try:
            time.sleep(0.001)
        except TimeUp:
            if SWALLOWS:
                return
            raise
try:
    within(SECONDS, WORK)
except TimeUp:
    print("time is up")
calls = []
sys.setprofile(lambda frame, event, _: calls.append(event))
(lambda: None)()
sys.setprofile(None)
print("done", len(calls) > 1)
"""


@pytest.mark.parametrize(
    ("seconds", "work", "swallows", "told"),
    [(60, "int", False, []), (0.05, "busy", False, ["time is up"]), (0.05, "busy", True, [])],
)
def test_a_profiler_may_come_afterwards(seconds: float, work: str, swallows: bool, told: list[str]) -> None:
    text = PROFILED.replace("SECONDS", str(seconds)).replace("WORK", work).replace("SWALLOWS", str(swallows))
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.splitlines() == [*told, "done True"]


def test_nothing_is_raised_later() -> None:
    assert within(0.01, lambda: 7) == 7
    with pytest.raises(TimeUp):
        within(0.01, lambda: [time.sleep(0.001) for _ in iter(int, 1)])
    for _ in range(200):
        time.sleep(0.001)
