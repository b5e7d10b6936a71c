"""Time against space: the same model explored in several ways, as a table, as JSON, and as paper 2's figure 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sweepcheck.report.plot import INK, LINE, STORED, check_plot, drawn_text, save_figure
from sweepcheck.report.report import Report
from sweepcheck.report.values import bytes_text, count_text, parameters_text, percent_text, seconds_text
from sweepcheck.text import visible

CACHED = "#b26a00"


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """One model explored in several ways; the first one, which is full, is the yardstick."""

    runs: tuple[Report, ...]

    @property
    def full(self) -> Report:
        """The run that stores everything."""
        return self.runs[0]

    @property
    def states(self) -> int:
        """All there are, if the full exploration went to its end."""
        return self.full.statistics.states or 0

    def slowdown(self, run: Report) -> float:
        """The time of a run by the time of the full exploration."""
        return run.statistics.seconds / max(self.full.statistics.seconds, 1e-9)


def way_text(run: Report) -> str:
    """How a run explored: its strategy and, if it has one, its cache."""
    return run.strategy if run.cache_size is None else f"{run.strategy} {count_text(run.cache_size)}"


def tradeoff_to_text(found: Tradeoff) -> str:
    """A table, one row per run."""
    rows = [("strategy", "explored", "peak", "of all", "state memory", "time", "by full")]
    for run in found.runs:
        numbers = run.statistics
        stored = "" if numbers.state_bytes is None else bytes_text(numbers.state_bytes)
        time = (seconds_text(numbers.seconds), f"{found.slowdown(run):.2f}")
        if not run.complete:
            time = (f"> {time[0]}", "stopped")
        share = percent_text(numbers.peak, found.states)
        rows.append((way_text(run), count_text(numbers.explored), count_text(numbers.peak), share, stored, *time))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
    given = parameters_text(found.full.parameters)
    title = f"{found.full.model}{f', {given}' if given else ''}: {count_text(found.states)} states"
    engine = f"{found.full.engine} engine" + ("" if found.full.measure is None else f", measure {found.full.measure}")
    return "\n".join([visible(title), "", *(f"  {line}".rstrip() for line in lines), "", visible(f"  {engine}")])


def tradeoff_to_json(found: Tradeoff) -> dict[str, Any]:
    """The reports of all runs, in order, as `--format json` of `explore` would print them."""
    return {
        "model": found.full.model,
        "states": found.states,
        "runs": [{**run.to_json(), "by_full": found.slowdown(run)} for run in found.runs],
    }


def tradeoff_to_plot(found: Tradeoff, path: Path) -> None:
    """Time over peak: the cache sizes as a curve, the other strategies as marks."""
    check_plot(path)
    save_figure(lambda: _figure(found), path)


def _figure(found: Tradeoff) -> Any:
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, PercentFormatter

    figure = Figure(figsize=(7, 4.6), layout="constrained")
    axes = figure.subplots()

    def place(run: Report) -> tuple[float, float]:
        return run.statistics.peak / max(found.states, 1), found.slowdown(run)

    caching = [run for run in found.runs if run.cache_size is not None]
    done, stopped = ([run for run in caching if run.complete is whole] for whole in (True, False))
    if done:
        points = sorted(map(place, done))
        axes.plot(*zip(*points, strict=True), color=CACHED, marker="o", markersize=4, linewidth=1.2, label="caching")
    if stopped:
        xs, ys = zip(*map(place, stopped), strict=True)
        label = "caching, stopped there"
        axes.plot(xs, ys, color=CACHED, marker="^", fillstyle="none", linestyle="none", markersize=6, label=label)
    marks = {"full": ("s", LINE), "sweep": ("D", STORED), "generalised": ("D", STORED), "column": ("P", INK)}
    for run in found.runs:
        if run.strategy in marks:
            (x, y), (mark, colour) = place(run), marks[run.strategy]
            axes.plot([x], [y], color=colour, marker=mark, linestyle="none", markersize=8, label=run.strategy)
    _label(axes, found, caching, place)
    axes.xaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    return figure


def _label(axes: Any, found: Tradeoff, caching: Sequence[Report], place: Any) -> None:
    for run in caching:
        text = count_text(run.cache_size or 0)
        axes.annotate(text, place(run), textcoords="offset points", xytext=(5, 5), fontsize=7, color=CACHED)
    given = parameters_text(found.full.parameters)
    axes.set_title(drawn_text(found.full.model + (f"   {given}" if given else "")), loc="left", fontsize=10, color=INK)
    axes.set_xlabel(f"most states stored at once, of {count_text(found.states)}")
    axes.set_ylabel("time, full exploration = 1")
    slowest = max(map(found.slowdown, found.runs))
    if slowest > 20:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlim(0, 1.12)
    axes.legend(fontsize=9, framealpha=0.85, edgecolor="none")
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK, labelsize=8)
    axes.grid(color="#e6eaed", linewidth=0.8)
    axes.set_axisbelow(True)
