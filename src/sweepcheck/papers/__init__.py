"""The tables of the papers, made again: published and measured figures side by side.

published.py   the figures that the papers print
table.py       tables, their cells, and the marks on them
sweeps.py, tradeoff.py, classes.py, questions.py   the tables, and how their rows are measured
measuring.py   runs and times
writing.py     tables as text, Markdown and JSON
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sweepcheck.papers import classes, questions, sweeps, tradeoff
from sweepcheck.papers.measuring import Bench, TooLongError
from sweepcheck.papers.table import Line, Made, Row, Table

TABLES: tuple[Table, ...] = tuple(
    sorted((*sweeps.TABLES, *tradeoff.TABLES, *classes.TABLES, *questions.TABLES), key=lambda table: table.paper)
)
PAPERS = tuple(f"paper{number}" for number in sorted({table.paper for table in TABLES}))
SMALL = 30_000  # states


def tables_of(paper: str) -> Sequence[Table]:
    """The tables of one paper, or of all of them."""
    return [table for table in TABLES if paper in ("all", f"paper{table.paper}")]


def made(table: Table, bench: Bench, small: bool) -> Made:
    """Make a table again; with `small` only the rows with few states."""
    return Made(table, list(_rows(table, bench, small)))


def _rows(table: Table, bench: Bench, small: bool) -> Iterator[Row]:
    for line in table.lines:
        if small and line.size > SMALL:
            yield table.empty(line, "large: --rows all")
        else:
            yield _row(table, line, bench)


def _row(table: Table, line: Line, bench: Bench) -> Row:
    bench.begin_row()
    try:
        return table.row(line, table.measure(bench, line))
    except TooLongError:
        return table.empty(line, f"not done after {bench.seconds:g} s")
