"""Kill runs with SIGKILL at random moments, and compare results: `python tests/soak/kill_and_resume.py 100`."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MODEL = """
from sweepcheck import Bag, Model, require

def model(n: int = 40):
    m = Model("parcels", x=0, y=0, z=0, net=Bag())

    @m.action
    def right(s):
        require(s.x < n)
        s.x += 1
        s.net.add(s.x % 3)

    @m.action
    def up(s):
        require(s.y < n)
        s.y += 1

    @m.action
    def far(s):
        require(s.z < n)
        s.z += 1

    @m.action
    def lose(s):
        s.net.take()

    m.progress(lambda s: s.x + s.y)
    m.invariant("small", lambda s: s.x + s.y + s.z < 3 * n)
    m.constraint("few", lambda s: len(s.net) < 3)
    return m
"""
COUNTED = ("states", "edges", "explored", "peak", "layers")


def command(folder: Path, strategy: str, *more: str) -> list[str]:
    """A check of the model, which finds its violation last."""
    asked = ["check", str(folder / "parcels.py"), "-p", "n=14", "--strategy", strategy, "--format", "json", "-q"]
    return [sys.executable, "-m", "sweepcheck", *asked, *more]


def result(text: str) -> tuple[object, ...]:
    """What must not depend on kills: counts, verdicts, and how long the trace is."""
    report = json.loads(text)
    statistics = report["statistics"]
    verdicts = [(one["name"], one["status"], json.dumps(one.get("trace"))) for one in report["verdicts"]]
    return tuple(statistics.get(name) for name in COUNTED), tuple(verdicts)


def killed(folder: Path, strategy: str, number: int, longest: float, draw: random.Random) -> tuple[int, str]:
    """One run that is killed until it is done: how often that was, and what it printed."""
    run = folder / f"run{number}"
    for kills in range(1000):
        asked = command(folder, strategy, "--checkpoint", str(run), "--checkpoint-every", "0.001")
        with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                out, err = process.communicate(timeout=draw.uniform(0.3 * longest, (1.0 + kills / 4) * longest))
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
                continue
            if process.returncode != 1:
                raise SystemExit(f"exit code {process.returncode} after {kills} kills:\n{out}{err}")
            left = {path.name for path in run.iterdir()} - {"checkpoint.swc", "parents.trc", "lock"}
            if left:
                raise SystemExit(f"left behind: {left}")
            return kills, out
    raise SystemExit("it never came to its end")


def main() -> None:
    """As many kills as asked for, over both strategies."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    draw = random.Random(wanted)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "parcels.py").write_text(MODEL)
        expected, longest = {}, {}
        for strategy in ("sweep", "full"):
            started = time.perf_counter()
            done = subprocess.run(command(folder, strategy), capture_output=True, text=True, check=False)
            longest[strategy] = time.perf_counter() - started
            expected[strategy] = result(done.stdout)
        kills = runs = 0
        while kills < wanted:
            strategy = ("sweep", "full")[runs % 2]
            more, out = killed(folder, strategy, runs, longest[strategy], draw)
            kills, runs = kills + more, runs + 1
            if result(out) != expected[strategy]:
                raise SystemExit(f"{strategy} came to something else:\n{result(out)}\n{expected[strategy]}")
        sys.stdout.write(f"{kills} kills in {runs} runs: all came to the same\n")


if __name__ == "__main__":
    main()
