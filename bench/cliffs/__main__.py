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
from bench.tables import Table, judged, text


def table(rows: list[Row], runners: list[Runner]) -> Table:
    """A line for each row."""
    lines = []
    for row in rows:
        here, *others = (runner.text(row) for runner in runners)
        there = others[0] if others else "-"
        over = row.level if isinstance(row.level, str) else "hand-written C++" if row.level else "-"
        cells = (row.cliff, row.figure.name, row.form, over, there, here)
        lines.append((*cells, judged(runners[0].ratio(row), row.target, at_most=True)))
    remark = (
        "here, there = the figure of the model over that of its partner, in this checkout and in the other; least over "
        "least of the runs, which took turns. > = the time was up before everything was explored."
    )
    return Table("Cliffs", ("cliff", "figure", "model", "over", "there", "here", "target"), lines, remark)


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
    runners = [Runner(checkout) for checkout in checkouts(asked.other)]
    measured = list(dict.fromkeys(form for row in rows for form in (row.form, row.level) if form is not None))
    for form in measured:
        print(f"... {form if isinstance(form, str) else f'C++, {form.name} {len(form.transitions)}'}", file=sys.stderr)
        for turn in range(asked.rounds):
            for runner in runners if turn % 2 else reversed(runners):
                runner.take(form)
    wrong = [line for runner in runners for row in rows for line in runner.wrong(row)]
    print(text(table(rows, runners)))
    print(*(f"WRONG: {line}" for line in wrong), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
