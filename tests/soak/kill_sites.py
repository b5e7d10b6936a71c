"""Kill processes of a cluster of three nodes with SIGKILL, with Ray: `python tests/soak/kill_sites.py 100`."""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import ray
from kill_and_resume import COUNTED, MODEL
from ray.cluster_utils import Cluster

from sweepcheck import load
from sweepcheck.cluster import driver
from sweepcheck.cluster.ray_sites import CONFIGURATION, RaySites, patiently
from sweepcheck.cluster.source import packed
from sweepcheck.core.observer import Silence
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.request import Request
from sweepcheck.engines import native
from sweepcheck.errors import StoppedError
from sweepcheck.planner import plan

NODES = 3
WHOLE = '    m.invariant("bounded", lambda s: s.x <= n)\n    return m\n'  # it holds: the run goes to its end
STRATEGIES = ("sweep", "full")
EVERY = (0.0, 0.05)  # seconds after which it is kept again: at the end of each layer, or of some


class Killed(RaySites):
    """Some time after the sites are there one of them is killed, and again when they have been replaced."""

    kills = 0

    def __init__(self, parcel: Any, draw: random.Random, longest: float, most: int) -> None:
        super().__init__(parcel)
        self._draw, self._longest, self._most = draw, longest, most
        self._over = threading.Event()
        self._killer: threading.Thread | None = None

    def start(self, *, count_natively: bool, resumes: bool) -> None:
        """See `Sites`."""
        super().start(count_natively=count_natively, resumes=resumes)
        if self.kills == self._most:
            return
        process = ray.get(self._draw.choice(self._actors).__ray_call__.remote(lambda self: os.getpid()))
        after = self._draw.uniform(0.0, self._longest)
        self._killer = threading.Thread(target=self._kill, args=(process, after))
        self._killer.start()

    def _kill(self, process: int, after: float) -> None:
        if not self._over.wait(after):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
                self.kills += 1

    def close(self) -> None:
        """See `Sites`."""
        self._over.set()
        if self._killer is not None:
            self._killer.join()
        super().close()


def result(outcome: Outcome) -> tuple[object, ...]:
    """What must not depend on kills: counts, verdicts and the profile."""
    numbers = [getattr(outcome.statistics, name) for name in COUNTED]
    verdicts = [(one.property.name, one.status) for one in outcome.decisions]
    return (numbers, verdicts, [(one.progress, one.states, one.stored) for one in outcome.profile])


def run_to_its_end(asked: Plan, kept: Path, draw: random.Random, longest: float, most: int) -> tuple[int, object]:
    """How many sites were killed, and what the run came to. Where it is given up, as too many die, it goes on."""
    kills = 0
    while True:
        sites = Killed(packed(asked), draw, longest, most - kills)
        try:
            found = result(driver.run(asked, Silence(), sites, kept, every=draw.choice(EVERY)))
            return kills + sites.kills, found
        except StoppedError:
            kills += sites.kills


def run_until_killed(folder: Path, wanted: int) -> tuple[int, int]:
    """Runs of both strategies, until so many sites were killed: how many were, in how many runs."""
    draw = random.Random(wanted)
    (folder / "parcels.py").write_text(MODEL.replace("    return m\n", WHOLE))
    model = load(str(folder / "parcels.py"), {"n": 24})
    kills = runs = 0
    expected: dict[str, Any] = {}
    longest: dict[str, float] = {}  # seconds of a run that nobody kills, without those until its processes are there
    while kills < wanted:
        strategy = STRATEGIES[runs % 2]
        asked = plan(model, Request(strategy=strategy, cluster="auto", processes=NODES, keep_going=True))
        kept = folder / f"run{runs}"
        kept.mkdir()
        if strategy not in expected:
            expected[strategy] = result(native.run(asked, Silence()))
            longest[strategy] = driver.run(asked, Silence(), RaySites(packed(asked)), kept, every=0).statistics.seconds
        killed, found = run_to_its_end(asked, kept, draw, longest[strategy], wanted - kills)
        kills, runs = kills + killed, runs + 1
        if found != expected[strategy]:
            raise SystemExit(f"{strategy} came to something else:\n{found}\n{expected[strategy]}")
        if left := [path.name for path in kept.iterdir()]:
            raise SystemExit(f"left behind: {left}")
        sys.stdout.write(f"run {runs}: {strategy}, {killed} kills\n")
        sys.stdout.flush()
    return kills, runs


def main() -> None:
    """As many kills as asked for, in a cluster of its own."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    head = {"num_cpus": 1, "include_dashboard": False, "_system_config": CONFIGURATION}
    cluster = patiently(lambda: Cluster(initialize_head=True, head_node_args=head), ray.shutdown)
    try:
        for _ in range(NODES - 1):
            patiently(lambda: cluster.add_node(num_cpus=1), lambda: None)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        with tempfile.TemporaryDirectory() as name:
            kills, runs = run_until_killed(Path(name), wanted)
    finally:
        ray.shutdown()
        cluster.shutdown()
    sys.stdout.write(f"{kills} kills in {runs} runs: all came to the same\n")


if __name__ == "__main__":
    main()
