"""What symmetry saves: classes instead of states, and the time that takes, canonical forms included.

python -m bench.symmetry                                    the table
python -m bench.symmetry --engine reference --most 100000   both sides by the reference engine, of small models
python -m bench.symmetry ring commit                        some of the rows
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    ring = [Row("ring", "token_ring.py", n, {"rotation": True}, True) for n in (3, 8, 12, 16, 18)]
    table = [Row("philosophers", "dining_philosophers.py", n, {"rotation": True}, True) for n in (3, 6, 9, 12, 15)]
    commit = [Row("commit", "atomic_commit.py", n, {}) for n in (3, 5, 7, 9)]
    cache = [Row("cache", "cache_coherence.py", n, {}) for n in (2, 3, 4, 5)]
    return ring + table + commit + cache


@dataclass(frozen=True, slots=True)
class Side:
    """With the equivalence, or without it: what was found, and the least time of some rounds."""

    explored: int
    edges: int  # labelled ones: those that were walked
    cpu: float  # seconds of the whole call, the comparison of states before the run included
    seconds: float  # of the exploration alone
    engine: str

    @property
    def per_edge(self) -> float:
        """Nanoseconds."""
        return self.seconds / max(self.edges, 1) * 1e9


@dataclass(frozen=True, slots=True)
class Measured:
    """One row: both sides."""

    row: Row
    form: str
    without: Side
    within: Side

    def wrong(self) -> bool:
        """Whether classes have more states than there are names, or none."""
        states, classes = self.without.explored, self.within.explored
        return not classes <= states <= classes * self.row.most


def measure(row: Row, engine: str = "auto", rounds: int = 1) -> Measured:
    """Both sides of a row, the best of some rounds."""
    runs = [[_side(row, engine, equivalence) for equivalence in (False, True)] for _ in range(rounds)]
    without, within = (
        replace(found[0][0], cpu=min(one.cpu for one, _ in found), seconds=min(one.seconds for one, _ in found))
        for found in zip(*runs, strict=True)
    )
    return Measured(row, runs[0][1][1], without, within)


def _side(row: Row, engine: str, equivalence: bool) -> tuple[Side, str]:
    model = load(str(ROOT / "examples" / row.file), {"n": row.n, **row.parameters})
    start = time.process_time()
    report = explore(model, engine=engine, equivalence=equivalence, strategy="full", workers=1)
    cpu, numbers = time.process_time() - start, report.statistics
    edges = numbers.labelled_edges if equivalence else numbers.edges
    assert edges is not None
    form = "" if report.plan.equivalence is None else report.plan.equivalence.form
    return Side(numbers.explored, edges, cpu, numbers.seconds, report.plan.engine), form


def table(measured: Sequence[Measured]) -> Table:
    """The table of reduction factors."""
    head = ("model", "n", "states", "classes", "factor", "at most", "form", "s without", "s with")
    rows = [
        (
            one.row.name,
            str(one.row.n),
            f"{one.without.explored:,}",
            f"{one.within.explored:,}",
            number(one.without.explored / one.within.explored, ".2f"),
            f"{one.row.most:,}",
            one.form,
            number(one.without.seconds, ".3f"),
            number(one.within.seconds, ".3f"),
            number(one.without.cpu, ".2f"),
            number(one.within.cpu, ".2f"),
            number(one.without.per_edge, ",.0f"),
            number(one.within.per_edge, ",.0f"),
            one.without.engine if one.without.engine == one.within.engine else "both",
        )
        for one in measured
    ]
    return Table("Symmetry", (*head, "CPU without", "CPU with", "ns/edge without", "ns/edge with", "engine"), rows)


def size(row: Row) -> int:
    """How many states a model has, by the fastest engine."""
    return _side(row, "auto", equivalence=False)[0].explored


ROWS = _rows()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--most", type=int, default=10**8, help="states of a model; rows with more are left out")
    parser.add_argument("only", nargs="*", metavar="ROW", help=", ".join({row.name: None for row in ROWS}))
    given = parser.parse_args()
    wanted = [row for row in ROWS if not given.only or row.name in given.only]
    wanted = [row for row in wanted if given.most >= 10**8 or size(row) <= given.most]
    measured = [measure(row, given.engine, given.rounds) for row in wanted]
    print(markdown(table(measured)))
    assert not any(one.wrong() for one in measured)


if __name__ == "__main__":
    main()
