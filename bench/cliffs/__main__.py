"""`python -m bench.cliffs`: where a small change of a model costs many times more, and how much today.

python -m bench.cliffs                         this checkout
python -m bench.cliffs ../other                and another one, in turns
python -m bench.cliffs ../other --only layers "growing queues" --rounds 5
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.cliffs.measuring import Runner, checkouts
from bench.cliffs.rows import ROWS, Row
from bench.tables import aligned, judged

HEADER = ("cliff", "figure", "model", "over", "there", "here", "target")
WIDEST = ("> 10.00", "> 10.00", "<= 1.25 yes")
REMARK = (
    "here, there = the figure of the model over that of its partner, in this checkout and in the other; least over "
    "least of the runs, which took turns. > = the time was up before everything was explored."
)


def names(row: Row) -> tuple[str, ...]:
    """What is known of a row before it is measured."""
    over = row.level if isinstance(row.level, str) else "hand-written C++" if row.level else "-"
    return row.cliff, row.figure.name, row.form, over


def cells(row: Row, runners: list[Runner]) -> tuple[str, ...]:
    """A row whose forms are measured."""
    here, *others = (runner.text(row) for runner in runners)
    there = others[0] if others else "-"
    return *names(row), there, here, judged(runners[0].ratio(row), row.target, at_most=True)


def main() -> int:
    """Measure, print; 1 if two forms of one graph have not the same counts."""
    parser = argparse.ArgumentParser(prog="python -m bench.cliffs", description=__doc__.partition("\n")[0])
    parser.add_argument("other", type=Path, nargs="?", help="another checkout, with a .venv of its own (make setup)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each form (default 3)")
    parser.add_argument("--only", nargs="+", default=[], metavar="WHAT", help="rows whose cliffs begin so")
    asked = parser.parse_args()
    rows = [row for row in ROWS if not asked.only or row.cliff.startswith(tuple(asked.only))]
    if not rows:
        sys.exit(f"bench: no cliff begins so; there are {', '.join(dict.fromkeys(row.cliff for row in ROWS))}")
    runners = [Runner(checkout, asked.rounds) for checkout in checkouts(asked.other)]
    widths = [max(map(len, column)) for column in zip(HEADER, *((*names(row), *WIDEST) for row in rows), strict=True)]
    print(aligned(HEADER, widths), flush=True)
    wrong = []
    for row in rows:  # each is printed as soon as it is known, since all of them take long
        for turn in range(asked.rounds):
            for form in row.forms:
                for runner in runners if turn % 2 else reversed(runners):
                    runner.take(form)
        print(aligned(cells(row, runners), widths), flush=True)
        wrong += [line for runner in runners for line in runner.wrong(row)]
    print("", REMARK, *(f"WRONG: {line}" for line in wrong), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
