"""Paper 2, figure 6, drawn: time over stored states, one small picture for each system."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sweepcheck.papers.table import Cell, Made, Value
from sweepcheck.papers.tradeoff import CACHES, FULL, SWEEP
from sweepcheck.report.plot import INK, STORED, check_plot, save_figure
from sweepcheck.report.tradeoff import CACHED

Point = tuple[str, float, float, bool]  # the way, stored, time, whether it was stopped there


def draw_figure(made: Made, path: Path) -> None:
    """Draw the points of a table that was made with times."""
    check_plot(path)
    systems: dict[str, list[Point]] = {}
    for row in made.rows:
        cells = dict(zip((one.name for one in made.table.columns), row.cells, strict=True))
        if not row.left_out and cells["time"].measured is not None:
            systems.setdefault(row.labels[0], []).append(_point(row.labels[1], cells))
    save_figure(lambda: _figure(systems), path)


def _point(way: str, cells: Mapping[str, Cell]) -> Point:
    spent = cells["time"].measured
    return way, _number(cells["peak"].measured), _number(spent), isinstance(spent, str)


def _number(value: Value) -> float:
    return float(str(value).removeprefix("> "))


def _figure(systems: Mapping[str, list[Point]]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.4 * max(len(systems), 1), 3.4), layout="constrained")
    for at, (name, points) in enumerate(systems.items()):
        axes = figure.add_subplot(1, len(systems), at + 1)
        done = sorted((stored, spent) for way, stored, spent, stopped in points if way in CACHES and not stopped)
        cut = [(stored, spent) for way, stored, spent, stopped in points if way in CACHES and stopped]
        if done:
            axes.plot(*zip(*done, strict=True), color=CACHED, marker="o", linewidth=1.2, label="caching")
        if cut:  # how long these would have taken nobody knows, so no line joins them
            label = "caching, stopped there"
            axes.plot(
                *zip(*cut, strict=True), color=CACHED, marker="^", fillstyle="none", linestyle="none", label=label
            )
        for name_of_way, marker in ((SWEEP, "D"), (FULL, "s")):
            for way, stored, spent, _ in points:
                if way == name_of_way:
                    axes.plot([stored], [spent], color=STORED, marker=marker, linestyle="none", label=way)
        axes.set_title(name, loc="left", fontsize=8, color=INK)
        axes.set_xlabel("most states stored at once, %", fontsize=8)
        axes.set_xlim(left=0)
        axes.set_ylim(0, 1.15 * max(spent for _, _, spent, _ in points))
        axes.tick_params(colors=INK, labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(fontsize=7, framealpha=0.85, edgecolor="none", loc="lower right")
        if at == 0:
            axes.set_ylabel("time, full exploration = 1", fontsize=8)
    return figure
