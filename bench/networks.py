"""Sweeps of networks over full exploration: the systems of paper 2, whose tables have times for both.

The strategy is the one that `explore` chooses: a sweep where no component goes back, columns where some do, else a
generalised sweep. Every run is a process of its own, and the two ways take turns:

python -m bench.networks                       the table, best of five rounds
python -m bench.networks --rounds 3
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict

from bench.measuring import ROOT, Run, best, run_reporting
from bench.tables import Table, markdown, number
from sweepcheck import explore, load
from sweepcheck.papers import published

# File, parameter, value, and the row of paper 2. The seconds of table 3 are too short to divide.
ROWS: tuple[tuple[str, str, int, published.Composed | None], ...] = (
    *(
        (file, "jobs", jobs, published.MASTER_AND_SLAVES[jobs])
        for file in ("master_slave", "master_slave_free")
        for jobs in (20, 40)
    ),
    *(("two_phase_commit", "n", n, published.TWO_PHASE_COMMIT[n]) for n in (7, 8)),
    ("stop_and_wait", "top", 50, None),
)
FULL, SWEEP = "full", "sweep"


def measure(model: str, parameter: str, value: int, rounds: int) -> tuple[Run, Run]:
    """The best run of full exploration, and of the sweep."""
    runs: dict[str, list[Run]] = {FULL: [], SWEEP: []}
    for _ in range(rounds):
        for way, measured in runs.items():
            command = [sys.executable, "-m", "bench.networks", "--run", model, parameter, str(value), way]
            measured.append(run_reporting(command))
    return best(runs[FULL]), best(runs[SWEEP])


def table(rounds: int) -> Table:
    """Every system."""
    rows = []
    for model, parameter, value, paper in ROWS:
        full, sweep = measure(model, parameter, value, rounds)
        rows.append(
            (
                f"{model}, {parameter}={value}",
                sweep.found["strategy"],
                f"{full.found['states']:,}",
                f"{100 * sweep.found['explored'] / full.found['states']:.0f} %",
                f"{100 * sweep.found['peak'] / full.found['states']:.1f} %",
                number(full.cpu, ".3f"),
                number(sweep.cpu, ".3f"),
                number(sweep.cpu / full.cpu, ".1f"),
                "-" if paper is None else number(paper.sweep_seconds / paper.full_seconds, ".1f"),
            )
        )
    counts = ("states", "explored", "peak")
    header = ("system", "strategy", *counts, "full CPU s", "sweep CPU s", "ratio", "paper 2: ratio")
    remark = (
        "CPU time of exploration, best run of each way. Paper 2's ratios are of whole seconds on a machine of 2002."
    )
    return Table("Sweeps of networks over full exploration", header, rows, remark)


def one_run(model: str, parameter: str, value: str, way: str, workers: int) -> None:
    """Explore, and print what it took."""
    system = load(str(ROOT / "examples" / f"{model}.psl"), {parameter: int(value)})
    start = time.process_time()
    report = explore(system, strategy=FULL if way == FULL else None, engine="native", workers=workers)
    cpu_seconds = time.process_time() - start
    figures = {key: value for key, value in asdict(report.statistics).items() if isinstance(value, int | float | None)}
    print(json.dumps({**figures, "strategy": report.strategy, "cpu_seconds": cpu_seconds}))


def main() -> None:
    """One run, or all of them and the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--run", nargs=4, metavar=("MODEL", "PARAMETER", "VALUE", "WAY"))
    parser.add_argument("--workers", type=int, default=1, help="of the one run")
    given = parser.parse_args()
    if given.run is None:
        print(markdown(table(given.rounds)))
    else:
        one_run(*given.run, given.workers)


if __name__ == "__main__":
    main()
