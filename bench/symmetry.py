"""What symmetry saves: classes instead of states, and the time that takes, canonical forms included.

python -m bench.symmetry                         the table
python -m bench.symmetry --engine reference      both sides by the reference engine, whatever else could do it
python -m bench.symmetry ring commit             some of the rows
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial

from bench.measuring import ROOT
from bench.tables import Table, markdown, number
from sweepcheck import explore, load


@dataclass(frozen=True, slots=True)
class Row:
    """A model of `n` that are alike; by `rotation`, or in any order."""

    name: str
    file: str
    n: int
    parameters: dict[str, object]
    rotation: bool = False

    @property
    def most(self) -> int:
        """How many states differ in names alone, at most."""
        return self.n if self.rotation else factorial(self.n)


def _rows() -> list[Row]:
    ring = [Row("ring", "token_ring.py", n, {"rotation": True}, True) for n in (3, 8, 12)]
    table = [Row("philosophers", "dining_philosophers.py", n, {"rotation": True}, True) for n in (3, 6, 9)]
    commit = [Row("commit", "atomic_commit.py", n, {}) for n in (3, 5, 7)]
    cache = [Row("cache", "cache_coherence.py", n, {}) for n in (2, 3, 4)]
    return ring + table + commit + cache


@dataclass(frozen=True, slots=True)
class Measured:
    """One row: what was found with and without the equivalence, and in how many seconds."""

    row: Row
    states: int
    classes: int
    form: str
    without: float
    within: float
    engines: tuple[str, str]

    def wrong(self) -> bool:
        """Whether classes have more states than there are names, or none."""
        return not self.classes <= self.states <= self.classes * self.row.most


def measure(row: Row, engine: str = "auto", rounds: int = 1) -> Measured:
    """Both sides of a row, the best of some rounds."""
    found, seconds, engines, form = [0, 0], [float("inf")] * 2, ["", ""], ""
    for _ in range(rounds):
        for side, equivalence in enumerate((False, True)):
            model = load(str(ROOT / "examples" / row.file), {"n": row.n, **row.parameters})
            start = time.process_time()
            report = explore(model, engine=engine, equivalence=equivalence, strategy="full")
            seconds[side] = min(seconds[side], time.process_time() - start)
            found[side], engines[side] = report.statistics.explored, report.plan.engine
            if report.plan.equivalence is not None:
                form = report.plan.equivalence.form
    return Measured(row, *found, form, *seconds, (engines[0], engines[1]))


def table(measured: Sequence[Measured]) -> Table:
    """The table of reduction factors."""
    head = ("model", "n", "states", "classes", "factor", "at most", "form", "seconds without", "with", "engines")
    rows = [
        (
            one.row.name,
            str(one.row.n),
            f"{one.states:,}",
            f"{one.classes:,}",
            number(one.states / one.classes, ".2f"),
            f"{one.row.most:,}",
            one.form,
            number(one.without, ".2f"),
            number(one.within, ".2f"),
            one.engines[0] if one.engines[0] == one.engines[1] else " and ".join(one.engines),
        )
        for one in measured
    ]
    return Table("Symmetry", head, rows)


ROWS = _rows()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("only", nargs="*", metavar="ROW", help=", ".join({row.name: None for row in ROWS}))
    given = parser.parse_args()
    wanted = [row for row in ROWS if not given.only or row.name in given.only]
    measured = [measure(row, given.engine, given.rounds) for row in wanted]
    print(markdown(table(measured)))
    assert not any(one.wrong() for one in measured)


if __name__ == "__main__":
    main()
