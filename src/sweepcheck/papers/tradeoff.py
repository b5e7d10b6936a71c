"""Paper 2, figure 6: time over stored states, for the sweep and for caches of several sizes.

The figure is a drawing without numbers. What can be compared is what the paper concludes from it: caching "quickly
degenerates, when the size of the state cache is reduced".
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from sweepcheck.papers.measuring import Bench
from sweepcheck.papers.table import Column, Line, Mark, Reason, Table, Value

SWEEP = "sweep"
CACHES = {"cache of 50 %": 0.5, "cache of 25 %": 0.25, "cache of 10 %": 0.1}  # of the states
PATIENCE = 5  # times the states: so many may a run explore
SYSTEMS: Mapping[str, tuple[str, Mapping[str, Any], int]] = {
    "two-phase commit, 6 voters": ("two_phase_commit.psl", {"n": 6}, 18_478),
    "two-phase commit, 7 voters": ("two_phase_commit.psl", {"n": 7}, 87_475),
    "jobs handed out, 20 jobs": ("master_slave.psl", {"jobs": 20}, 126_976),
    "free slaves, 20 jobs": ("master_slave_free.psl", {"jobs": 20}, 126_976),
    "stop-and-wait, numbers to 50": ("stop_and_wait.psl", {"top": 50}, 2_754),
}
NOT_THEIRS = (
    "a small cache explores each state about once, so the system is not the paper's, though its tables were met"
)
OURS = "our own protocol: a small cache explores each state about once"


def point(bench: Bench, line: Line) -> Mapping[str, Value]:
    """One way to explore one system: a point of the figure."""
    name, way = line.labels
    file, parameters, _ = SYSTEMS[name]
    system = bench.load(file, parameters)

    def full() -> tuple[int, float]:
        start = time.process_time()
        report = bench.explore(system, strategy="full")
        return report.statistics.states or 0, time.process_time() - start

    states, yardstick = bench.once((name, "full"), full)
    chosen: dict[str, Any] = {}
    if way != SWEEP:
        chosen = {"strategy": "caching", "cache_size": int(CACHES[way] * states), "most": PATIENCE * states}
    start = time.process_time()
    report = bench.explore(system, **chosen)
    spent = time.process_time() - start
    peak, explored = 100 * report.statistics.peak / states, 100 * report.statistics.explored / states
    degenerates = not report.complete or explored > 200
    return {
        "explored": explored if report.complete else f"> {explored // 100 * 100:.0f} %",
        "peak": peak,
        "time": None if not bench.timed else spent / yardstick if report.complete else f"> {spent / yardstick:.0f}",
        "small": ("degenerates" if degenerates else "does not") if way == "cache of 10 %" else None,
    }


FIGURE = Table(
    2, "figure 6", "state space caching and the sweep: time over stored states",
    "two_phase_commit.psl, master_slave.psl and master_slave_free.psl, reconstructed; stop_and_wait.psl, our own",
    ("system", "way"),
    (
        Column("explored", "explored", "percent 0", published=False),
        Column("peak", "stored", "percent 1", published=False),
        Column("time", "time, by full", "ratio", published=False),
        Column("small", "a small cache", "word"),
    ),
    tuple(
        Line((name, way), {}, size, {"small": "degenerates"} if way == "cache of 10 %" else {})
        for name, (_, _, size) in SYSTEMS.items()
        for way in (SWEEP, *CACHES)
    ),
    point,
    {
        ("small", "free slaves, 20 jobs"): Reason(Mark.RECONSTRUCTED, NOT_THEIRS),
        ("small", "stop-and-wait, numbers to 50"): Reason(Mark.OWN, OURS),
    },
    note="The figure is a drawing without numbers; compared is the paper's conclusion, that caching degenerates when "
    f"its cache is made smaller. A run that had found {PATIENCE} times the states was stopped.",
)  # fmt: skip
TABLES = (FIGURE,)
