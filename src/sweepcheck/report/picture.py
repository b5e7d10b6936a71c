"""The sweep as a picture of characters: how many states were stored as progress went on."""

from __future__ import annotations

from collections.abc import Sequence

from sweepcheck.core.plan import Layer
from sweepcheck.report.report import Report
from sweepcheck.report.values import count_text, percent_text
from sweepcheck.text import value_text

EIGHTHS = " ▁▂▃▄▅▆▇█"


def sweep_picture(report: Report, width: int = 78, height: int = 7) -> str:
    """Stored states over progress, with axes; empty when there is nothing to draw (fewer than two layers)."""
    layers = report.profile
    if len(layers) < 2:
        return ""
    scale = report.statistics.peak
    margin = len(count_text(scale)) + 4
    columns = max(8, width - margin - 1)
    heights = _columns(layers, columns)
    rows = [_title(report)]
    for row in range(height, 0, -1):
        axis = count_text(scale) if row == height else ""
        cells = "".join(_cell(8 * height * stored / scale - 8 * (row - 1)) for stored in heights)
        rows.append(f"{axis:>{margin - 2}} {'┤' if axis else '│'}{cells}".rstrip())
    rows.append(f"{'0':>{margin - 2}} └{'─' * len(heights)}")
    first, last = value_text(layers[0].progress), value_text(layers[-1].progress)
    between = len(heights) - len(first) - len(last)
    if between < 12:
        rows.append(" " * margin + f"progress {first} to {last}")
    else:
        rows.append(" " * margin + first + "progress →".center(between) + last)
    return "\n".join(rows)


def _columns(layers: Sequence[Layer], columns: int) -> list[int]:
    """One height per column. Few layers are widened evenly; of many that share a column the highest is shown."""
    count = len(layers)
    if count <= columns:
        wide = columns // count
        return [layer.stored for layer in layers for _ in range(wide)]
    together = -(-count // columns)  # the same for every column: uneven ones would make a ragged picture
    return [max(layer.stored for layer in layers[low : low + together]) for low in range(0, count, together)]


def _cell(eighths: float) -> str:
    """A column's part of one row."""
    return EIGHTHS[max(0, min(8, round(eighths)))]


def _title(report: Report) -> str:
    numbers = report.statistics
    if report.complete and numbers.states is None:
        explored = count_text(numbers.explored)
        return f"stored states: at most {count_text(numbers.peak)} at once, {explored} explored with repetition"
    if report.complete and numbers.states is not None:
        share = percent_text(numbers.peak, numbers.states)
        return f"stored states: at most {count_text(numbers.peak)} of {count_text(numbers.states)} at once ({share})"
    return f"stored states: at most {count_text(numbers.peak)} at once, until the run stopped"
