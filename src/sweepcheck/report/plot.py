"""The sweep as a picture file: stored states over progress, beside all states found so far."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Any

from sweepcheck.errors import RequestError, installation
from sweepcheck.report.report import Report
from sweepcheck.report.values import count_text, parameters_text, percent_text
from sweepcheck.text import value_text, visible

SUFFIXES = (".svg", ".png", ".pdf")
STORED, FOUND, LINE, INK = "#1f6f8b", "#b8c4cc", "#8a99a3", "#33414a"


def check_plot(path: Path) -> None:
    """Refuse a plot that could not be drawn, before anything runs."""
    if path.suffix.lower() not in SUFFIXES:
        raise RequestError("SC403", f"a plot cannot be written as {path.name!r}", suggestion="use .svg, .png or .pdf")
    if not path.parent.is_dir():
        raise RequestError("SC406", f"there is no folder {path.parent}", suggestion="create it, or choose another file")
    # Only looked for: importing it before the run would count towards the memory of the run.
    if find_spec("matplotlib") is None:
        raise RequestError("SC405", "a plot needs matplotlib, which is not installed", suggestion=installation("plot"))


def report_to_plot(report: Report, path: Path) -> None:
    """Draw the profile of a run; the suffix of the file decides the format."""
    check_plot(path)
    if not report.profile:
        raise RequestError(
            "SC404", "no layer was finished, so there is nothing to plot", suggestion="let it run longer"
        )
    save_figure(lambda: _figure(report), path)


def save_figure(make: Callable[[], Any], path: Path) -> None:
    """Draw a figure into a file, with matplotlib's own settings: a `matplotlibrc` in this folder has no say."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        try:
            # Without a date in it, the same run gives the same file.
            metadata = {"Date": None} if path.suffix.lower() == ".svg" else None
            make().savefig(path, metadata=metadata, dpi=160)
        except OSError as error:
            what = f"{path} cannot be written: {error}"
            raise RequestError("SC406", what, suggestion="choose another file") from None


def drawn_text(text: str, most: int = 90) -> str:
    """Words for a figure, not too many; matplotlib would read what stands between dollar signs as a formula."""
    shown = visible(text)
    return (shown if len(shown) <= most else f"{shown[: most - 1]}…").replace("$", r"\$")


def _figure(report: Report) -> Any:
    """Above, what was stored against all that was found; below, what was stored on a scale of its own."""
    from matplotlib.figure import Figure

    layers = report.profile
    stored = [layer.stored for layer in layers]
    found = list(accumulate(layer.states for layer in layers))
    # Every layer is a stretch of its own, as wide as the others, however far apart their values lie.
    edges = [position - 0.5 for position in range(len(layers) + 1)]
    figure = Figure(figsize=(8, 5.4), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    above.stairs(found, edges, fill=True, color=FOUND, alpha=0.35)
    above.stairs(found, edges, color=LINE, linewidth=1.2, label="found so far")
    for axes in (above, below):
        axes.stairs(stored, edges, fill=True, color=STORED, label="stored")
        _style(axes)
    above.set_ylim(0, max(*found, *stored) * 1.05)
    below.set_ylim(0, max(stored) * 1.4)  # with room for the words on the peak
    below.set_xlim(edges[0], edges[-1])
    given = parameters_text(report.parameters)
    above.set_title(drawn_text(report.model + (f"   {given}" if given else "")), loc="left", fontsize=10, color=INK)
    above.set_ylabel("states")
    above.legend(loc="upper left", fontsize=9, framealpha=0.85, edgecolor="none")
    below.set_ylabel("states stored")
    _label_progress(below, report)
    _annotate(below, report, stored)
    return figure


def _label_progress(axes: Any, report: Report) -> None:
    """Progress values under some of the layers."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    layers = report.profile
    if layers[0].progress is None:
        axes.set_xticks([])
        axes.set_xlabel("no progress measure: one layer, nothing is forgotten")
        return

    def tick(position: float, _: int | None = None) -> str:
        index = round(position)
        return (
            drawn_text(value_text(layers[index].progress), 30) if 0 <= index < len(layers) and index == position else ""
        )

    crowded = max(len(tick(0)), len(tick(len(layers) - 1))) > 14
    axes.xaxis.set_major_locator(MaxNLocator(nbins=4 if crowded else 7, integer=True, min_n_ticks=1))
    axes.xaxis.set_major_formatter(FuncFormatter(tick))
    axes.set_xlabel(f"progress ({count_text(report.statistics.layers)} layers)")


def _annotate(axes: Any, report: Report, stored: list[int]) -> None:
    """The peak, with an arrow to where it is."""
    numbers = report.statistics
    text = f"peak {count_text(numbers.peak)}"
    if report.complete and numbers.states is not None:
        text += f", {percent_text(numbers.peak, numbers.states)} of {count_text(numbers.states)} states"
    place = stored.index(max(stored))
    share = (place + 0.5) / len(stored)
    axes.annotate(
        text,
        xy=(place, max(stored)),
        xytext=(share - 0.12 if share > 0.5 else share + 0.12, 0.88),
        textcoords="axes fraction",
        ha="right" if share > 0.5 else "left",
        va="center",
        fontsize=9,
        color=INK,
        arrowprops={"arrowstyle": "-|>", "color": INK, "shrinkB": 1},
    )


def _style(axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK, labelsize=8)
    axes.grid(axis="y", color="#e6eaed", linewidth=0.8)
    axes.set_axisbelow(True)
