"""What a run says about memory is what the operating system saw, and a limit holds before it is exceeded."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sweepcheck import Limits, Model, explore, require

MEBIBYTE = 1 << 20
TOLERANCE = 6 * MEBIBYTE  # small blocks, and what Python takes to make the result

MODELS = """
import json, sys
from sweepcheck import Array, Bag, Limits, Model, Queue, explore, product, progress, require
from sweepcheck._core import resident_bytes

def grid(top):
    m = Model("grid", x=0, y=0, z=0)

    @m.action(name=["x", "y", "z"])
    def up(s, name):
        require(getattr(s, name) < top)
        setattr(s, name, getattr(s, name) + 1)

    return m

def cells(count):
    m = Model("cells", x=Array([0] * count))

    @m.action(i=range(count))
    def up(s, i):
        require(s.x[i] < 9)
        s.x[i] += 1

    return m

def bags(most):
    m = Model("bags", one=Bag(), other=Bag())

    @m.action(token=range(12), to=["one", "other"])
    def add(s, token, to):
        bag = getattr(s, to)
        require(len(bag) < most)
        bag.add(token)

    return m

def queues(most):
    m = Model("queues", one=Queue(), other=Queue())

    @m.action(token=range(3), to=["one", "other"])
    def put(s, token, to):
        queue = getattr(s, to)
        require(len(queue) < most)
        queue.put(token)

    return m

def marked():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))

def parts():
    return product(progress(lambda s: s.x // 200), progress(lambda s: s.y // 200))

SWEEP, ONE_LAYER = (dict(strategy="sweep", measure=one) for one in (lambda s: sum(s.x), lambda s: 0 * s.x))
RUNS = {
    "full": (grid, 150, {}),
    "sweep": (cells, 9, SWEEP),
    "one layer": (grid, 150, ONE_LAYER),
    "keys": (grid, 300, dict(strategy="generalised", measure=parts())),
    "depth": (grid, 300, dict(strategy="caching", cache_size=10**8)),
    "bags": (bags, 5, {}),
    "queues": (queues, 9, {}),
}

def told(name, room):
    limit = None if room is None else resident_bytes() + room
    model, size, given = RUNS[name]
    report = explore(model(size), engine="native", limits=Limits(memory=limit), **given)
    numbers = report.statistics
    stop = None if report.stop is None else report.stop.name
    return {"told": numbers.memory_bytes, "marked": marked(), "limit": limit, "stop": stop, "states": numbers.explored}

print(json.dumps(told(sys.argv[1], int(sys.argv[2]) if sys.argv[2] else None)))
"""

needs_a_mark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system keeps no mark to look at")


def run(name: str, room: int | None) -> dict[str, int | str | None]:
    """A run in a process of its own, with so much memory beyond what it holds before."""
    asked = [sys.executable, "-c", MODELS, name, "" if room is None else str(room)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, int | str | None] = json.loads(done.stdout)
    return found


@needs_a_mark
@pytest.mark.parametrize("name", ["full", "one layer"])
def test_the_most_that_was_held_is_told(name: str) -> None:
    found = run(name, None)
    assert found["stop"] is None
    assert abs(found["told"] - found["marked"]) <= MEBIBYTE


@needs_a_mark
@pytest.mark.skipif(
    "SWEEPCHECK_SANITIZED" in os.environ, reason="the sanitizer keeps what is freed, and a shadow of all that is used"
)
@pytest.mark.parametrize("name", ["full", "sweep", "one layer", "keys", "depth", "bags", "queues"])
@pytest.mark.parametrize("room", [15 * MEBIBYTE, 40 * MEBIBYTE])
def test_a_limit_is_not_exceeded(name: str, room: int) -> None:
    found = run(name, room)
    assert found["stop"] == "MEMORY"
    assert found["marked"] <= found["limit"] + TOLERANCE
    assert found["told"] <= found["limit"] + TOLERANCE
    assert found["states"] > 10_000


@needs_a_mark
def test_a_limit_that_suffices() -> None:
    needed = run("full", None)
    found = run("full", needed["marked"])
    assert found["stop"] is None
    assert found["states"] == needed["states"]


def test_a_second_run_counts_for_itself() -> None:
    m = Model("steps", n=0)

    @m.action
    def step(s) -> None:
        require(s.n < 10)
        s.n += 1

    held = bytearray(b"x" * 200 * MEBIBYTE)
    first = explore(m, engine="native").statistics.memory_bytes
    del held
    second = explore(m, engine="native", limits=Limits(memory=1 << 40)).statistics.memory_bytes
    assert first - second >= 150 * MEBIBYTE
