"""Paper 3 has two algorithms and no figures: what it claims is tried on systems without end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sweepcheck.api import check
from sweepcheck.papers.measuring import Bench
from sweepcheck.papers.table import Column, Line, Table, Value

EVERY_ONE, SOME, NONE = "every class", "where both sides have the same number", "none"
ENDLESS, WINDOW = "endless_stop_and_wait.py", "sliding_window.py"


def cut_off(bench: Bench, line: Line) -> Mapping[str, Value]:
    """A sweep that ends where it meets a class again; decided is what the model declares."""
    system = bench.load(line.labels[0].partition(",")[0], line.parameters)
    report = check(system, limits=bench.limits(), engine=bench.engine)
    trace = next((one.trace for one in report.verdicts if one.trace is not None), None)
    if trace is not None:  # how much was explored until then is the engine's business
        return {"answer": f"violated, {len(trace)} steps"}
    numbers = bench.whole(report).statistics
    counts: dict[str, Value] = {"explored": numbers.explored, "peak": numbers.peak, "remembered": numbers.remembered}
    return {**counts, "answer": "holds"}


def line(system: str, remembered: str, parameters: Mapping[str, Any], size: int) -> Line:
    return Line((system, remembered), parameters, size)


CUT_OFF = Table(
    3, "figure 3", "sweeps that end, through systems that do not", f"{ENDLESS} and {WINDOW}, our own",
    ("system", "classes that are remembered"),
    (
        Column("explored", "explored", published=False),
        Column("peak", "peak", published=False),
        Column("remembered", "of which remembered", published=False),
        Column("answer", "answer", "word", published=False),
    ),
    (
        line(ENDLESS, EVERY_ONE, {"remember": "all"}, 272),
        line(ENDLESS, SOME, {"remember": "even"}, 336),
        line(ENDLESS, NONE, {"remember": "none"}, 503),
        line(f"{WINDOW}, modulo 5", "where a generation begins", {"packets": 0}, 21_045),
        line(f"{WINDOW}, modulo 4", "where a generation begins", {"packets": 0, "modulus": 4}, 6_047),
    ),
    cut_off,
    note="The paper has no figures to compare with. There are 272 classes of the first system.",
)  # fmt: skip
TABLES = (CUT_OFF,)
