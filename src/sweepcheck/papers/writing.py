"""Tables that were made again, as text, Markdown and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Any

from sweepcheck.papers.table import MEANINGS, Cell, Column, Made, Mark, Row

PAPER, HERE = "paper", "here"
WIDTH = 110  # of the lines below a table


def to_text(tables: Sequence[Made]) -> str:
    """All tables, and a summary."""
    return "\n\n".join([*map(table_to_text, tables), summary(tables)])


def table_to_text(made: Made) -> str:
    """A table in the layout of its paper; under each of its columns the paper's figure, ours, and the mark."""
    table = made.table
    heads = [[""] * len(table.heads), list(table.heads)]
    for column in table.columns:
        both = column.published
        heads[0] += [column.title, "", ""] if both else [column.title, ""]
        heads[1] += [PAPER, HERE, ""] if both else [HERE, ""]
    body = [[*row.labels, *_cells(row, table.columns)] for row in made.rows]
    widths = [max(len(line[at]) for line in (heads[1], *body)) for at in range(len(heads[1]))]
    _widen(widths, heads[0], len(table.heads))
    lines = [_title_line(heads[0], widths, len(table.heads)), _line(heads[1], widths, len(table.heads))]
    for row, cells in zip(made.rows, body, strict=True):
        why = f"  left out ({row.left_out})" if row.left_out else ""
        lines.append(_line(cells, widths, len(table.heads)) + why)
    first = [f"{table.full_name}: {table.title}", f"  {table.models}", ""]
    last = [_wrapped(text) for text in (*reasons(made), *([table.note] if table.note else []))]
    return "\n".join([*first, *(f"  {line}".rstrip() for line in lines), *([""] if last else []), *last])


def _wrapped(text: str) -> str:
    return fill(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _cells(row: Row, columns: Sequence[Column]) -> list[str]:
    texts = []
    for column, cell in zip(columns, row.cells, strict=True):
        here = "" if row.left_out else column.text(cell.measured)
        sign = "" if cell.mark is None else cell.mark.sign
        texts += [column.text(cell.published), here, sign] if column.published else [here, sign]
    return texts


def _groups(titles: Sequence[str], labels: int) -> Iterator[tuple[int, int]]:
    """Where the parts of each column of the paper begin and end."""
    starts = [at for at in range(labels, len(titles)) if titles[at]]
    yield from zip(starts, [*starts[1:], len(titles)], strict=True)


def _widen(widths: list[int], titles: Sequence[str], labels: int) -> None:
    for start, end in _groups(titles, labels):
        missing = len(titles[start]) - sum(widths[start:end]) - 2 * (end - start - 2) - 1
        if missing > 0:
            widths[start] += missing


def _title_line(titles: Sequence[str], widths: Sequence[int], labels: int) -> str:
    line = " " * (sum(widths[:labels]) + 2 * (labels - 1))
    for start, end in _groups(titles, labels):
        width = sum(widths[start:end]) + 2 * (end - start - 2) + 1  # a mark follows its figure after one blank
        line += "  " + titles[start].rjust(width)
    return line


def _line(cells: Sequence[str], widths: Sequence[int], labels: int) -> str:
    line = ""
    for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        is_mark = at >= labels and width <= 1
        gap = "" if at == 0 else " " if is_mark else "  "
        line += gap + (cell.ljust(width) if at < labels or is_mark else cell.rjust(width))
    return line


def reasons(made: Made) -> list[str]:
    """Why figures differ: each reason once, with the columns and, where it is not all of them, the rows."""
    found: dict[tuple[Mark, str], dict[str, list[str]]] = {}
    for row in made.rows:
        for column, cell in zip(made.table.columns, row.cells, strict=True):
            if cell.mark in (Mark.RECONSTRUCTED, Mark.OWN, Mark.DIFFERS):
                why = cell.why or "UNEXPLAINED: for no reason that is known"
                found.setdefault((cell.mark, why), {}).setdefault(column.title, []).append(row.labels[0])
    return [f"{mark.sign} {_places(columns, len(made.rows))}: {why}" for (mark, why), columns in found.items()]


def _places(columns: dict[str, list[str]], rows: int) -> str:
    return ", ".join(
        f"{title} ({', '.join(labels)})" if len(labels) == 1 and rows > 1 else title
        for title, labels in columns.items()
    )


def summary(tables: Sequence[Made]) -> str:
    """How many figures are equal, how many are others and of which kind, and what was left out."""
    marks = Counter(cell.mark for made in tables for row in made.rows for cell in row.cells if cell.mark is not None)
    lines = [f"  {mark.sign}  {marks[mark]:4}  {meaning}" for mark, meaning in MEANINGS.items() if marks[mark]]
    if marks[Mark.TIME]:
        lines.append(f"     {marks[Mark.TIME]:4}  times, of another program on another machine: not compared")
    left_out = sum(bool(row.left_out) for made in tables for row in made.rows)
    if left_out:
        lines.append(f"     {left_out:4}  rows left out")
    unexplained = sum(made.unexplained for made in tables)
    if unexplained:
        lines.append(f"     {unexplained:4}  figures differ for no reason that is known")
    return "\n".join(["figures that the papers print", *lines])


def to_markdown(tables: Sequence[Made]) -> str:
    """All tables, each under a heading."""
    parts = [
        f"## {made.table.full_name}\n\n{made.table.title[0].upper()}{made.table.title[1:]}: {made.table.models}.\n\n"
        f"{table_to_markdown(made)}"
        for made in tables
    ]
    return "\n\n".join(parts)


def table_to_markdown(made: Made) -> str:
    """A table, and below it why figures differ."""
    table = made.table
    heads = list(table.heads)
    for column in table.columns:
        heads += [f"{column.title}, {PAPER}", HERE] if column.published else [column.title]
    rule = ["---"] * len(table.heads) + ["---:"] * (len(heads) - len(table.heads))
    rows = [[*row.labels, *_markdown_cells(row, table.columns)] for row in made.rows]
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows)]
    below = [*(f"- `{text[0]}` {text[2:]}." for text in reasons(made)), *([f"- {table.note}"] if table.note else [])]
    return "\n".join([*lines, *([""] if below else []), *below])


def _markdown_cells(row: Row, columns: Sequence[Column]) -> Iterator[str]:
    for column, cell in zip(columns, row.cells, strict=True):
        if column.published:
            yield column.text(cell.published)
        sign = f" {cell.mark.sign}" if cell.mark is not None else ""
        yield "left out" if row.left_out else (column.text(cell.measured) + sign).rstrip()


def to_json(tables: Sequence[Made]) -> dict[str, Any]:
    """The same as data; a cell has both figures, the mark by its name, and the reason."""
    return {"tables": [_table(made) for made in tables], "unexplained": sum(made.unexplained for made in tables)}


def _table(made: Made) -> dict[str, Any]:
    table = made.table
    columns = [{"name": one.name, "title": one.title, "form": one.form} for one in table.columns]
    rows = [
        {
            "labels": dict(zip(table.heads, row.labels, strict=True)),
            "cells": {one.name: _cell(cell) for one, cell in zip(table.columns, row.cells, strict=True)},
            "left_out": row.left_out or None,
        }
        for row in made.rows
    ]
    head = {"paper": table.paper, "name": table.name or None, "title": table.title, "models": table.models}
    return {**head, "columns": columns, "rows": rows, "note": table.note or None}


def _cell(cell: Cell) -> dict[str, Any]:
    mark = None if cell.mark is None else str(cell.mark)
    return {"published": cell.published, "measured": cell.measured, "mark": mark, "reason": cell.why}
