"""Column sweeps over full exploration: the master and slaves of paper 2, whose table 1 has times for both.

Every run is a process of its own, and all of them take turns:

python -m bench.columns                        the table, best of five rounds
python -m bench.columns --rounds 3
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

# Jobs, and by how much paper 2's sweep took longer than its full exploration: 14 and 24 s, 18 and 30 s, ...
PUBLISHED = {20: 24 / 14, 24: 30 / 18, 28: 36 / 23, 34: 46 / 29, 40: 55 / 36}
MODELS = ("master_slave", "master_slave_free")
STRATEGIES = ("full", "column")


def measure(model: str, jobs: int, rounds: int) -> dict[str, list[Run]]:
    """Both strategies, in turns."""
    runs: dict[str, list[Run]] = {strategy: [] for strategy in STRATEGIES}
    for _ in range(rounds):
        for strategy in STRATEGIES:
            command = [sys.executable, "-m", "bench.columns", "--run", model, str(jobs), strategy]
            runs[strategy].append(run_reporting(command))
    return runs


def table(rounds: int) -> Table:
    """Every model and size."""
    rows = []
    for jobs, published in PUBLISHED.items():
        cells: list[str] = []
        for model in MODELS:
            runs = measure(model, jobs, rounds)
            full, column = (best(runs[strategy]) for strategy in STRATEGIES)
            cells += [number(full.cpu, ".3f"), number(column.cpu, ".3f"), number(column.cpu / full.cpu, ".1f")]
            cells += [f"{column.found['explored'] / full.found['explored']:.0%}"]
        rows.append((str(jobs), *cells, number(published, ".1f")))
    per_model = ("full CPU s", "column CPU s", "ratio", "explored")
    header = ("jobs", *(f"{model}: {what}" for model in ("handed out", "free") for what in per_model), "paper: ratio")
    return Table("Column sweeps over full exploration", header, rows)


def one_run(model: str, jobs: str, strategy: str) -> None:
    """Explore, and print what it took."""
    system = load(str(ROOT / "examples" / f"{model}.psl"), {"jobs": int(jobs)})
    start = time.process_time()
    report = explore(system, strategy=strategy, engine="native")
    cpu_seconds = time.process_time() - start
    figures = {key: value for key, value in asdict(report.statistics).items() if isinstance(value, int | float | None)}
    print(json.dumps({**figures, "cpu_seconds": cpu_seconds}))


def main() -> None:
    """One run, or all of them and the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--run", nargs=3, metavar=("MODEL", "JOBS", "STRATEGY"))
    given = parser.parse_args()
    if given.run is None:
        print(markdown(table(given.rounds)))
    else:
        one_run(*given.run)


if __name__ == "__main__":
    main()
