"""A model over a grid of parameters: a row for each combination, as table, CSV, JSON and plot."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sweepcheck.core.verdict import Guarantee, Status, Stop
from sweepcheck.report.plot import INK, LINE, STORED, check_plot, drawn_text, save_figure
from sweepcheck.report.report import Report
from sweepcheck.report.values import bytes_text, count_text, seconds_text
from sweepcheck.text import visible

COUNTED = ("states", "edges", "explored", "peak", "memory_bytes", "seconds")
COLUMNS = (*COUNTED, "answer", "stop")
GOOD = ("holds", "complete")
DONE = (*GOOD, "violated", "conditional")  # answers that another run would give again
SKIPPED = "not tried: a smaller one reached a limit"


@dataclass(frozen=True, slots=True)
class GridRow:
    """One combination. `numbers` are the counted ones, as text; "" where nobody counted.

    `answer` is that of all properties together, or `complete`; with a limit reached it is `inconclusive`, and `stop`
    says which one, or why it was not run.
    """

    parameters: Mapping[str, str]
    numbers: Mapping[str, str]
    answer: str
    stop: str = ""

    @property
    def done(self) -> bool:
        """Whether there is nothing left to run."""
        return self.answer in DONE and self.stop in ("", str(Stop.CONSTRAINT))

    @property
    def good(self) -> bool:
        """Whether everything holds, exactly."""
        return self.answer in GOOD and self.done

    def cells(self) -> list[str]:
        """The row of a CSV file."""
        return [*self.parameters.values(), *(self.numbers.get(name, "") for name in COUNTED), self.answer, self.stop]


def row_of(parameters: Mapping[str, str], report: Report) -> GridRow:
    """What came of a run."""
    numbers = {name: getattr(report.statistics, name) for name in COUNTED}
    texts = {name: "" if value is None else str(round(value, 6)) for name, value in numbers.items()}
    statuses = {verdict.status for verdict in report.verdicts}
    answer = "inconclusive" if report.guarantee is Guarantee.BOUNDED else "complete"
    for status in (Status.HOLDS, Status.INCONCLUSIVE, Status.VIOLATED):
        answer = str(status) if status in statuses else answer
    weaker = [one.guarantee for one in report.verdicts or (report,) if one.guarantee is not Guarantee.EXACT]
    if answer in GOOD and weaker:
        answer = str(weaker[0])
    return GridRow(parameters, texts, answer, "" if report.stop is None else str(report.stop))


def grid_to_csv(names: Sequence[str], rows: Sequence[GridRow]) -> str:
    """Comma-separated values, with a line of names first."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow([*names, *COLUMNS])
    writer.writerows([visible(cell) for cell in row.cells()] for row in rows)
    return written.getvalue()


def grid_from_csv(names: Sequence[str], text: str) -> list[GridRow]:
    """The rows of a file that `grid_to_csv` wrote for the same parameters; ValueError if it is none."""
    head, *lines = list(csv.reader(io.StringIO(text))) or [[]]
    if head != [*names, *COLUMNS]:
        raise ValueError(f"its columns are not {', '.join([*names, *COLUMNS])}")
    rows = []
    for number, line in enumerate(lines, start=2):
        if len(line) != len(head):
            raise ValueError(f"line {number} has {len(line)} cells, not {len(head)}")
        cells = dict(zip(head, line, strict=True))
        numbers = {name: cells[name] for name in COUNTED}
        if any(value and not _is_number(value) for value in numbers.values()):
            raise ValueError(f"line {number} has something else than numbers")
        rows.append(GridRow({name: cells[name] for name in names}, numbers, cells["answer"], cells["stop"]))
    return rows


def _number(text: str) -> float | None:
    """A number of JSON; a whole one where it is one."""
    if not text:
        return None
    return int(text) if text.isdecimal() else float(text)


def _is_number(text: str) -> bool:
    try:
        return float(text) >= 0
    except ValueError:
        return False


def grid_to_text(names: Sequence[str], rows: Sequence[GridRow]) -> str:
    """A table; what was not counted is a dash."""
    head = [*names, "states", "edges", "peak", "memory", "time", "answer"]
    table = [head, *([visible(cell) for cell in _shown(row)] for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(head))]
    last = len(head) - 1
    lines = (
        "  ".join(
            cell.ljust(width) if column == last else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in table
    )
    return "\n".join(f"  {line}".rstrip() for line in lines)


def _shown(row: GridRow) -> list[str]:
    def number(name: str, write: Any) -> str:
        text = row.numbers.get(name, "")
        return write(float(text)) if text else "-"

    counts = [number(name, lambda value: count_text(int(value))) for name in ("states", "edges", "peak")]
    costs = [number("memory_bytes", lambda value: bytes_text(int(value))), number("seconds", seconds_text)]
    why = f": {row.stop}" if row.stop and not row.done else ""
    return [*row.parameters.values(), *counts, *costs, row.answer + why]


def grid_to_json(names: Sequence[str], rows: Sequence[GridRow]) -> dict[str, Any]:
    """The same as data; parameters are text, as they were typed."""
    return {
        "parameters": list(names),
        "rows": [
            {
                "parameters": dict(row.parameters),
                **{name: _number(row.numbers.get(name, "")) for name in COUNTED},
                "answer": row.answer,
                "stop": row.stop or None,
            }
            for row in rows
        ],
    }


def grid_to_plot(names: Sequence[str], rows: Sequence[GridRow], path: Path) -> None:
    """States and peak, and below them the time, over the parameter with most values; a line for each of the others."""
    check_plot(path)
    save_figure(lambda: _figure(names, [row for row in rows if row.done and row.numbers.get("states")]), path)


def _figure(names: Sequence[str], rows: Sequence[GridRow]) -> Any:
    from matplotlib.figure import Figure

    axis = max(names, key=lambda name: len({row.parameters[name] for row in rows}))
    others = [name for name in names if name != axis]
    figure = Figure(figsize=(7, 5.4), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    ticks = list(dict.fromkeys(row.parameters[axis] for row in rows))
    lines: dict[tuple[str, ...], list[GridRow]] = {}
    for row in rows:
        lines.setdefault(tuple(row.parameters[name] for name in others), []).append(row)
    for number, (key, line) in enumerate(lines.items()):
        places = [ticks.index(row.parameters[axis]) for row in line]
        words = " ".join(f"{name}={value}" for name, value in zip(others, key, strict=True))
        fade = 1 - 0.7 * number / max(len(lines), 1)
        for what, colour, mark in (("states", LINE, "o"), ("peak", STORED, "s")):
            label = drawn_text(f"{what} {words}".strip(), 40)
            values = [float(row.numbers[what]) for row in line]
            above.plot(places, values, color=colour, marker=mark, markersize=4, alpha=fade, label=label)
        seconds = [float(row.numbers["seconds"]) for row in line]
        below.plot(places, seconds, color=INK, marker="o", markersize=4, alpha=fade, label=drawn_text(words, 40))
    for axes, label in ((above, "states"), (below, "seconds")):
        axes.set_yscale("log")
        axes.set_ylabel(label)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#e6eaed", linewidth=0.8)
        axes.tick_params(colors=INK, labelsize=8)
    below.set_xticks(range(len(ticks)), [drawn_text(tick, 20) for tick in ticks])
    below.set_xlabel(drawn_text(axis))
    if rows:
        above.legend(fontsize=8, framealpha=0.85, edgecolor="none")
    return figure
