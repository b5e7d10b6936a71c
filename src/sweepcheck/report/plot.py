"""The sweep as a picture file: stored states over progress, beside all states found so far."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from typing import Any

from sweepcheck.errors import RequestError
from sweepcheck.report.report import Report
from sweepcheck.report.values import count_text, parameters_text, percent_text, value_text

SUFFIXES = (".svg", ".png", ".pdf")
STORED, FOUND, LINE, INK = "#1f6f8b", "#b8c4cc", "#8a99a3", "#33414a"


def check_plot(path: Path) -> None:
    """Refuse a plot that could not be drawn, before anything runs."""
    if path.suffix.lower() not in SUFFIXES:
        raise RequestError("SC403", f"a plot cannot be written as {path.name!r}", suggestion="use .svg, .png or .pdf")
    if not path.parent.is_dir():
        raise RequestError("SC406", f"there is no folder {path.parent}", suggestion="create it, or choose another file")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise RequestError(
            "SC405", "--plot needs matplotlib, which is not installed", suggestion='pip install "sweepcheck[plot]"'
        ) from None


def report_to_plot(report: Report, path: Path) -> None:
    """Draw the profile of a run; the suffix of the file decides the format."""
    check_plot(path)
    if not report.profile:
        raise RequestError(
            "SC404", "no layer was finished, so there is nothing to plot", suggestion="let it run longer"
        )
    figure = _figure(report)
    try:
        # Without a date in it, the same run gives the same file.
        metadata = {"Date": None} if path.suffix.lower() == ".svg" else None
        figure.savefig(path, metadata=metadata, dpi=160)
    except OSError as error:
        raise RequestError("SC406", f"{path} cannot be written: {error}", suggestion="choose another file") from None


def _figure(report: Report) -> Any:
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    layers = report.profile
    stored = [layer.stored for layer in layers]
    found = list(accumulate(layer.states for layer in layers))
    edges = [position - 0.5 for position in range(len(layers) + 1)]
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    axes = figure.add_subplot()
    # Every layer is a stretch of its own, as wide as the others, however far apart their values lie.
    axes.stairs(found, edges, fill=True, color=FOUND, alpha=0.35)
    axes.stairs(found, edges, color=LINE, linewidth=1.2, label="found so far")
    axes.stairs(stored, edges, fill=True, color=STORED, label="stored")
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(0, max(*found, *stored) * 1.08)

    def tick(position: float, _: int | None = None) -> str:
        index = round(position)
        return value_text(layers[index].progress) if 0 <= index < len(layers) and index == position else ""

    axes.xaxis.set_major_locator(MaxNLocator(nbins=7 if len(tick(0)) < 14 else 4, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(tick))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.set_xlabel("progress" if layers[0].progress is not None else "the whole state space (nothing is forgotten)")
    axes.set_ylabel("states")
    _annotate(axes, report, stored)
    _style(axes, report)
    return figure


def _annotate(axes: Any, report: Report, stored: list[int]) -> None:
    """The peak, with an arrow to where it is."""
    numbers = report.statistics
    text = f"peak: {count_text(numbers.peak)} stored at once"
    if report.complete:
        text += f"\n{percent_text(numbers.peak, numbers.states)} of {count_text(numbers.states)} states"
    place = stored.index(max(stored))
    axes.annotate(
        text,
        xy=(place, max(stored)),
        xytext=(min(0.8, max(0.2, (place + 0.5) / len(stored) - 0.32)), 0.55),
        textcoords="axes fraction",
        ha="center",
        fontsize=9,
        color=INK,
        arrowprops={"arrowstyle": "-|>", "color": INK, "shrinkB": 2, "connectionstyle": "arc3,rad=-0.15"},
        bbox={"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": "none", "alpha": 0.85},
    )


def _style(axes: Any, report: Report) -> None:
    given = parameters_text(report.parameters)
    axes.set_title(report.model + (f"   {given}" if given else ""), loc="left", fontsize=10, color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK, labelsize=8)
    axes.grid(axis="y", color="#e6eaed", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.legend(loc="upper left", frameon=False, fontsize=9)
