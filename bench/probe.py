"""The subprocess that runs one of our engines on one workload and prints what it took, as JSON.

python -m bench.probe saw 20/5 --engine native --strategy sweep
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from dataclasses import asdict
from pathlib import Path

from bench.workloads import FAMILIES, parse_size
from sweepcheck import explore


def resident_bytes() -> int:
    """The most memory resident so far. Linux' ru_maxrss would start from what the parent process had."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    peak = next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), None)
    return 1024 * (peak or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def main() -> None:
    """Build the model, explore it, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("size", type=parse_size)
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--strategy", default="full")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--net", action="store_true", help="the family's coloured net instead of its plain model")
    asked = parser.parse_args()
    family = FAMILIES[asked.family]
    model = (family.net if asked.net and family.net else family.model)(*asked.size)
    before = resident_bytes()
    start = time.process_time()
    report = explore(model, strategy=asked.strategy, engine=asked.engine, workers=asked.workers)
    cpu_seconds = time.process_time() - start
    figures = {
        key: value for key, value in asdict(report.statistics).items() if isinstance(value, int | float | str | None)
    }
    resident = resident_bytes()
    measured = {"cpu_seconds": cpu_seconds, "resident_bytes": resident, "grown_bytes": resident - before}
    print(json.dumps({**figures, **measured, "engine": report.engine}))


if __name__ == "__main__":
    main()
