"""How much faster several workers are than one: time that passes, in turns, and whether they find the same.

python -m bench.workers                        1, 2, 4, ... as many as there are processors
python -m bench.workers --workers 1 16 --rounds 5 --only phil saw
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from bench.measuring import execute
from bench.tables import Table, number, text

# Family, size, strategy, and whether it is a coloured net. Some are networks, whose measure has many parts.
CASES = (
    ("phil", "15", "full", False),
    ("ring", "18", "full", False),
    ("saw", "25/5", "full", False),
    ("saw", "25/5", "sweep", False),
    ("saw", "100/3", "sweep", False),
    ("comm", "64/3", "full", False),
    ("comm", "64/3", "sweep", False),
    ("saw", "20/5", "sweep", True),
    ("commit", "10", "full", False),
    ("commit", "10", "sweep", False),
    ("master", "400", "column", False),
)
NETWORKS = {"commit": ("two_phase_commit", "n"), "master": ("master_slave", "jobs")}
SAME = ("states", "edges", "explored", "peak", "layers")
AIMS = {2: 1.7, 16: 7.0}


def run(case: tuple[str, str, str, bool], workers: int) -> dict[str, Any]:
    """One run, in a process of its own."""
    family, size, strategy, net = case
    if family in NETWORKS:
        command = ["bench.networks", "--run", *NETWORKS[family], size, strategy]
    else:
        command = ["bench.probe", family, size, "--strategy", strategy, "--engine", "native"]
        command += ["--net"] if net else []
    output, _ = execute([sys.executable, "-m", *command, "--workers", str(workers)])
    found: dict[str, Any] = json.loads(output.strip().splitlines()[-1])
    return found


def compare(case: tuple[str, str, str, bool], counts: list[int], rounds: int) -> tuple[list[tuple[str, ...]], bool]:
    """The rows of a case, and whether all runs found the same."""
    best: dict[int, dict[str, Any]] = {}
    same = True
    for _ in range(rounds):
        for workers in counts:
            found = run(case, workers)
            same &= all(found[name] == best.get(counts[0], found)[name] for name in SAME)
            if workers not in best or found["seconds"] < best[workers]["seconds"]:
                best[workers] = found
    alone = best[counts[0]]["seconds"]
    family, size, strategy, net = case
    rows = []
    for workers, found in best.items():
        faster = alone / found["seconds"]
        aim = AIMS.get(workers) if counts[0] == 1 else None
        rows.append(
            (
                f"{family} {size}{' net' if net else ''}",
                strategy,
                "-" if found["states"] is None else f"{found['states']:,}",  # some were explored twice
                str(found["workers"]),
                number(found["seconds"], ".2f"),
                number(faster, ".2f"),
                "-" if aim is None else f">= {aim:g} {'yes' if faster >= aim else 'NO'}",
                *(number(100 * found[share], ".0f") for share in ("working", "waiting", "in_python")),
                number(found["state_bytes"] / found["peak"], ".1f"),
                number(found["scratch_bytes"] / 2**20, ".1f"),
            )
        )
    return rows, same


def main() -> None:
    """Measure, print, and end with 1 if some numbers differ."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    powers = [2**i for i in range(9) if 2**i < processors]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[*powers, processors], metavar="N")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[], metavar="FAMILY")
    asked = parser.parse_args()
    rows: list[tuple[str, ...]] = []
    same = True
    for case in CASES:
        if not asked.only or case[0] in asked.only:
            more, alike = compare(case, asked.workers, asked.rounds)
            rows += more
            same &= alike
    header = ("model", "strategy", "states", "workers", "seconds", "times faster", "aim")
    header += ("working %", "waiting %", "Python %", "bytes/state", "scratch MiB")
    print(text(Table("Workers", header, rows, "seconds: time that passed, best run; times faster: than the first.")))
    if not same:
        sys.exit("bench: the numbers differ")


if __name__ == "__main__":
    main()
