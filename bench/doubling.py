"""Twice as much should cost twice as much: the exponent of the cost, for everything that models have many of.

python -m bench.doubling                       this checkout
python -m bench.doubling ../other --only layers tokens

The exponent is 1 where the cost grows as the work does, 2 where it grows as its square.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.cliffs.measuring import checkouts, probe
from bench.measuring import Run, RunError
from bench.tables import Table, judged, number, text

AT_MOST = 1.1
ENOUGH = 30.0  # CPU seconds: larger sizes are left out then


@dataclass(frozen=True, slots=True)
class Dimension:
    """A form, the least of its sizes, and what counts as work: the size itself, or a number that the run finds."""

    name: str
    form: str
    least: int
    work: str = "size"
    cost: tuple[str, ...] = ("cpu_seconds",)

    def work_of(self, size: int, found: dict[str, float]) -> float:
        """What twice as much is measured by."""
        return size if self.work == "size" else found[self.work]


BUILDING = ("build_seconds", "cpu_seconds")

DIMENSIONS = (
    Dimension("different tokens", "bag lending two", 60, "edges"),
    Dimension("equal tokens", "bag of repeated tokens, two kinds", 150, "edges"),
    Dimension("layers of one state", "two counters, a layer each", 50, "states"),
    Dimension("layers ascending", "8,000 layers ascending", 8_000),
    Dimension("layers descending", "8,000 layers descending", 8_000),
    Dimension("layers shuffled", "8,000 layers shuffled", 8_000),
    Dimension("variables that change late", "200 variables, late", 50),
    Dimension("queues that fill late", "queues that fill late", 10),
    Dimension("actions", "4,096 addresses", 512),
    Dimension("high counts", "exchange of 40", 20, "edges"),
    Dimension("tabulated measure", "four counters, measure is a product", 7, "edges"),
    Dimension("alternatives of a choice", "choice among 100,000", 50_000),
    Dimension("alternatives in a list", "choice among 4,000 in a list", 4_000),
    Dimension("starting states", "100,000 starting states", 50_000, cost=BUILDING),
    Dimension("places to build", "2,000 places, built", 1_000, cost=("build_seconds",)),
    Dimension("arcs of one transition", "hub", 250, cost=BUILDING),
    Dimension("declared variables", "declared variables", 1_000, cost=BUILDING),
)


@dataclass(frozen=True, slots=True)
class Growth:
    """Seconds by size, least of some runs, and the work of each."""

    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    work: tuple[float, ...]

    @property
    def exponent(self) -> float | None:
        """The slope of cost over work, both as logarithms, by least squares."""
        if len(self.sizes) < 2:
            return None
        xs, ys = [math.log(one) for one in self.work], [math.log(one) for one in self.seconds]
        x, y = sum(xs) / len(xs), sum(ys) / len(ys)
        return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def measure(checkout: Path, dimension: Dimension, doublings: int, rounds: int) -> Growth:
    """All sizes in turns; the larger ones only while there is time for them."""
    sizes = [dimension.least << i for i in range(doublings + 1)]
    runs: dict[int, list[Run]] = {size: [] for size in sizes}
    for _ in range(rounds):
        for size in sizes:
            if sum(run.process_cpu for done in runs.values() for run in done) < ENOUGH:
                runs[size].append(probe(checkout, dimension.form, size))
    sizes = [size for size in sizes if runs[size]]
    seconds = [min(sum(run.found[key] for key in dimension.cost) for run in runs[size]) for size in sizes]
    work = [dimension.work_of(size, runs[size][0].found) for size in sizes]
    return Growth(tuple(sizes), tuple(seconds), tuple(work))


def table(dimensions: list[Dimension], measured: list[list[Growth]]) -> Table:
    """A line for each dimension."""
    lines = []
    for dimension, (here, *others) in zip(dimensions, measured, strict=True):
        there = others[0].exponent if others else None
        costs = "  ".join(f"{size:,}: {taken:.3f}" for size, taken in zip(here.sizes, here.seconds, strict=True))
        exponents = (number(there, ".2f"), number(here.exponent, ".2f"))
        lines.append((dimension.name, costs, *exponents, judged(here.exponent, AT_MOST, at_most=True)))
    remark = "CPU seconds here by size; the exponent of their growth with the work, there and here, by least squares."
    return Table("Doubling", ("twice as many", "size: CPU s", "there", "here", "target"), lines, remark)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.doubling", description=__doc__.partition("\n")[0])
    parser.add_argument("other", type=Path, nargs="?", help="another checkout, with a .venv of its own (make setup)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each size (default 3)")
    parser.add_argument("--doublings", type=int, default=2, help="how often the size is doubled (default 2)")
    parser.add_argument("--only", nargs="+", default=[], metavar="WHAT", help="dimensions whose names begin so")
    asked = parser.parse_args()
    chosen = [one for one in DIMENSIONS if not asked.only or one.name.startswith(tuple(asked.only))]
    found = checkouts(asked.other)
    measured = []
    for dimension in chosen:
        print(f"... {dimension.name}", file=sys.stderr, flush=True)
        try:
            measured.append([measure(checkout, dimension, asked.doublings, asked.rounds) for checkout in found])
        except RunError as failure:
            sys.exit(f"bench: {dimension.name}: {failure}")
    print(text(table(chosen, measured)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
