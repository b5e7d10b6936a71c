"""Paper 2, figure 6: time over stored states, for the sweep and for caches of several sizes.

The figure is a drawing without numbers. The paper concludes two things from it: caching "runs in time comparable to
ordinary full state space exploration for large cache sizes", and "quickly degenerates, when the size of the state cache
is reduced". Both are compared.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from sweepcheck.papers.measuring import Bench
from sweepcheck.papers.table import Column, Line, Mark, Reason, Table, Value

FULL, SWEEP = "full exploration", "sweep"
CACHES = {f"cache of {share} %": share / 100 for share in (90, 50, 25, 10)}  # of the states
CONCLUSIONS = {"cache of 90 %": "keeps up", "cache of 10 %": "degenerates"}  # the paper's, of a large and a small cache
COMPARABLE, DEGENERATES = 110, 200  # explored, in per cent of the states
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
    if way == FULL:
        return {"explored": 100.0, "peak": 100.0, "time": 1.0 if bench.timed else None}
    chosen: dict[str, Any] = {}
    if way != SWEEP:
        chosen = {"strategy": "caching", "cache_size": int(CACHES[way] * states), "most": PATIENCE * states}
    start = time.process_time()
    report = bench.explore(system, **chosen)
    spent = time.process_time() - start
    peak, explored = 100 * report.statistics.peak / states, 100 * report.statistics.explored / states
    return {
        "explored": explored if report.complete else f"> {explored // 100 * 100:.0f} %",
        "peak": peak,
        "time": None if not bench.timed else spent / yardstick if report.complete else f"> {spent / yardstick:.0f}",
        "conclusion": concluded(explored if report.complete else None) if way in CONCLUSIONS else None,
    }


def concluded(explored: float | None) -> str:
    """The paper's word for a cache with which so much was explored; None: more than was waited for."""
    if explored is None or explored > DEGENERATES:
        return "degenerates"
    return "keeps up" if explored <= COMPARABLE else "in between"


FIGURE = Table(
    2, "figure 6", "state space caching and the sweep: time over stored states",
    "two_phase_commit.psl, master_slave.psl and master_slave_free.psl, reconstructed; stop_and_wait.psl, our own",
    ("system", "way"),
    (
        Column("explored", "explored", "percent 0", published=False),
        Column("peak", "stored", "percent 1", published=False),
        Column("time", "time, by full", "ratio", published=False),
        Column("conclusion", "conclusion", "word"),
    ),
    tuple(
        Line((name, way), {}, size, {"conclusion": CONCLUSIONS[way]} if way in CONCLUSIONS else {})
        for name, (_, _, size) in SYSTEMS.items()
        for way in (FULL, SWEEP, *CACHES)
    ),
    point,
    {
        ("conclusion", "free slaves, 20 jobs"): Reason(Mark.RECONSTRUCTED, NOT_THEIRS),
        ("conclusion", "stop-and-wait, numbers to 50"): Reason(Mark.OWN, OURS),
    },
    note="The figure is a drawing without numbers. Compared are the paper's two conclusions: a large cache keeps up "
    f"with full exploration, a small one degenerates. A run that had found {PATIENCE} times the states was stopped.",
)  # fmt: skip
TABLES = (FIGURE,)
