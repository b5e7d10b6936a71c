"""What it costs to keep states on the disk: a full exploration and a sweep under limits that their states outgrow.

python -m bench.spill                          room for all, 2/3 and 1/3 of what the states take at their peak
python -m bench.spill --top 15 --folder /scratch

Counts are compared with those of the run in memory. The limit is one of resident memory, so that what Python holds
before the run comes on top of that room: pages that have left may still
lie in the system's cache of the file, so that these figures are those of a machine that has memory left for others.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.measuring import execute
from bench.tables import Table, number, text
from sweepcheck import Array, Limits, Model, explore, require

COUNTERS = 6
SAME = ("states", "edges", "peak")
FACTORS = (1.0, 1.5, 3.0)  # bytes of states at the peak, divided by the room for them


def rings(top: int, most: int | None) -> Model:
    """Counters that go round, and what is worked out from each. The first goes up to `most` only, if there is one."""
    m = Model("rings", c=Array([0] * COUNTERS), a=Array([0] * COUNTERS), b=Array([0] * COUNTERS))

    @m.action(i=range(COUNTERS))
    def step(s: Any, i: int) -> None:
        require(most is None or i > 0 or s.c[0] < most)
        s.c[i] = (s.c[i] + 1) % top
        s.a[i] = s.c[i] * 5 % 97
        s.b[i] = s.c[i] * 7 % 89

    m.progress(lambda s: s.c[0])
    return m


def memory(field: str) -> int:
    """What this process holds, in bytes, as the system tells it."""
    found = re.search(field + r":\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) * 1024


def probe(strategy: str, top: int, room: int, folder: str) -> dict[str, Any]:
    """One run in this process; without room in memory."""
    explore(rings(2, None), workers=1)  # all that a run loads is there
    limit = memory("VmRSS") + room
    model = rings(top, None if strategy == "full" else 2)
    options: dict[str, Any] = {"limits": Limits(memory=limit), "spill": folder} if room else {}
    before = time.process_time()
    outcome = explore(model, strategy=strategy, workers=1, **options).outcome
    numbers = outcome.statistics
    return {
        **{name: getattr(numbers, name) for name in SAME},
        "state_bytes": numbers.state_bytes,
        "cpu": time.process_time() - before,
        "limit": limit,
        "resident": memory("VmHWM"),
        "stop": str(outcome.stop),
    }


def run(strategy: str, top: int, room: int, folder: str) -> dict[str, Any]:
    """One run, in a process of its own."""
    command = [sys.executable, "-m", "bench.spill", "--probe", strategy, str(room), "--top", str(top)]
    output, _ = execute([*command, "--folder", folder])
    found: dict[str, Any] = json.loads(output.strip().splitlines()[-1])
    return found


def compare(strategy: str, top: int, folder: str) -> tuple[list[tuple[str, ...]], bool]:
    """The rows of a strategy, and whether all runs found the same."""
    best: dict[float, dict[str, Any]] = {0: run(strategy, top, 0, folder)}
    for factor in FACTORS:
        best[factor] = run(strategy, top, int(best[0]["state_bytes"] / factor), folder)
    again = run(strategy, top, 0, folder)
    alone = min(best[0]["cpu"], again["cpu"])
    rows = []
    for factor, found in best.items():
        limit = found["limit"] if factor else None
        rows.append(
            (
                strategy,
                f"{found['states']:,}",
                number(factor or None),
                number(limit and limit / 1e6, ".0f"),
                number(found["resident"] / 1e6, ".0f"),
                number(found["cpu"], ".1f"),
                number(found["cpu"] / alone),
                "-" if found["stop"] == "None" else found["stop"],
            )
        )
    return rows, all(found[name] == best[0][name] for found in best.values() for name in SAME)


def main() -> None:
    """Measure, print, and end with 1 if some numbers differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--top", type=int, default=15, help="values of a counter")
    parser.add_argument("--folder", default=None, help="where the file lies")
    parser.add_argument("--probe", nargs=2, metavar=("STRATEGY", "ROOM"), help="one run, as JSON")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.folder or temporary
        if asked.probe:
            print(json.dumps(probe(asked.probe[0], asked.top, int(asked.probe[1]), folder)))
            return
        rows: list[tuple[str, ...]] = []
        same = True
        for strategy, top in (("full", asked.top), ("sweep", asked.top + 5)):
            more, alike = compare(strategy, top, folder)
            rows += more
            same &= alike
    header = ("strategy", "states", "states/room", "limit MB", "resident MB", "CPU s", "times slower", "stopped")
    print(text(Table("States on the disk", header, rows, "resident: the most, with Python and all the rest.")))
    if not same:
        sys.exit("bench: the numbers differ")


if __name__ == "__main__":
    main()
