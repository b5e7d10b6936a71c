"""Papers 0, 1 and 2: full state spaces beside sweeps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from sweepcheck.papers import published
from sweepcheck.papers.measuring import Bench
from sweepcheck.papers.published import Composed, Swept
from sweepcheck.papers.table import Column, Line, Mark, Reason, Table, Value
from sweepcheck.report.report import Report

STATES = Column("states", "full: states")
TIME = Column("time", "time, sweep by full", "ratio")
SWEPT = (STATES, Column("peak", "sweep: states"), Column("reduction", "reduction: states", "percent 1"), TIME)
COMPOSED = (STATES, Column("total", "total", "percent 0"), Column("stored", "peak", "percent 2"), TIME)
FINER = (STATES, Column("total", "total", "percent 2"), *COMPOSED[2:])  # table 3 prints more digits of totals


def sides(
    bench: Bench, file: str, parameters: Mapping[str, Any], **options: Any
) -> tuple[Report, Report, float | None]:
    """Full exploration, the sweep, and the time of the sweep by that of the full exploration."""
    system = bench.load(file, parameters)
    ways = {
        "full": lambda: bench.explore(system, strategy="full"),
        "sweep": lambda: bench.explore(system, **options),
    }
    found, seconds = bench.in_turns(ways)
    return found["full"], found["sweep"], seconds["sweep"] / seconds["full"] if bench.timed else None


def swept(file: str, gc: int, measure: str | None, bench: Bench, line: Line) -> Mapping[str, Value]:
    """A row of papers 0 and 1. Without times nothing is gained by the full exploration: the sweep sees each state.

    `measure` is the paper's, where the model declares another one.
    """

    def make() -> Mapping[str, Value]:
        if bench.timed:
            full, sweep, by_full = sides(bench, file, line.parameters, gc=gc, measure=measure)
        else:
            full = sweep = bench.explore(bench.load(file, line.parameters), gc=gc, measure=measure)
            by_full = None
        states, peak = full.statistics.states or 0, sweep.statistics.peak
        return {"states": states, "peak": peak, "reduction": 100 * (1 - peak / states), "time": by_full}

    return bench.once((file, measure, tuple(line.parameters.items())), make)


def composed(file: str, bench: Bench, line: Line) -> Mapping[str, Value]:
    """A row of paper 2: the strategy is the one that the measures of the components allow."""
    full, sweep, by_full = sides(bench, file, line.parameters)
    states, numbers = full.statistics.states or 0, sweep.statistics
    shares = {"total": 100 * numbers.explored / states, "stored": 100 * numbers.peak / states}
    return {"states": states, **shares, "time": by_full}


def swept_line(label: str, parameters: Mapping[str, Any], row: Swept) -> Line:
    figures = {"states": row.states, "peak": row.peak, "reduction": row.reduction}
    return Line((label,), parameters, row.states, {**figures, "time": row.sweep_seconds / row.full_seconds})


def composed_lines(parameter: str, rows: Mapping[int, Composed]) -> tuple[Line, ...]:
    return tuple(
        Line(
            (str(value),),
            {parameter: value},
            row.states,
            {
                "states": row.states,
                "total": row.total,
                "stored": row.peak,
                # whole seconds: of one second nothing can be told
                "time": row.sweep_seconds / row.full_seconds if row.full_seconds > 1 else None,
            },
        )
        for value, row in rows.items()
    )


OWN_WINDOW = Reason(
    Mark.OWN, "the paper describes its protocol and does not print its net; no net with these figures is known"
)
OWN_BEOLINK = Reason(Mark.OWN, "the industrial net was never published; ours is another one of the same idea")
OWN_LINK = Reason(Mark.OWN, "the paper does not print its processes; none that were tried have these figures")
ORDER = Reason(
    Mark.RECONSTRUCTED, "what is stored when the 2000th new state comes depends on the order in which a layer is found"
)
MISPRINT = Reason(Mark.DIFFERS, "by the paper's own numbers of states it is 98.3 %")
HANDED = Reason(
    Mark.RECONSTRUCTED, "the paper does not print its processes; with these a little less is processed twice"
)
TWELVE = Reason(
    Mark.RECONSTRUCTED,
    "97,660 of 420,988 states are 23.198 %: twelve states less would be rounded to the paper's figure",
)

WINDOW = Table(
    0, "table 1", "sliding window protocol, a collection for each 2000 new states",
    "sliding_window.py, our own", ("packets",), SWEPT,
    tuple(swept_line(str(n), {"packets": n}, row) for n, row in published.SLIDING_WINDOW.items()),
    partial(swept, "sliding_window.py", 2000, None),
    dict.fromkeys(("states", "peak", "reduction"), OWN_WINDOW),
)  # fmt: skip
STOP_AND_WAIT = Table(
    0, "table 2", "stop-and-wait protocol, a collection for each 2000 new states",
    "stop_and_wait_net.py, reconstructed from the figures", ("packets",), SWEPT,
    tuple(swept_line(str(n), {"packets": n}, row) for n, row in published.STOP_AND_WAIT.items()),
    partial(swept, "stop_and_wait_net.py", 2000, "NextSend.token"),
    {"peak": ORDER, "reduction": ORDER, ("reduction", "500"): MISPRINT},
    note="The measure is the number of the packet that is being sent, as the paper says. "
    "With 10 packets there is one collection: its peak is the 2,001st state.",
)  # fmt: skip
BEOLINK = Table(
    0, "table 3", "BeoLink, a collection for each 3000 new states",
    "beolink.py, our own", ("configuration",), SWEPT,
    tuple(
        swept_line(f"{master[0].upper()}M: {devices}", {"devices": devices, "master": master}, row)
        for (master, devices), row in published.BEOLINK.items()
    ),
    partial(swept, "beolink.py", 3000, None),
    dict.fromkeys(("states", "peak", "reduction"), OWN_BEOLINK),
    note="The two equal reductions carry no weight: below 3,000 states nothing is collected.",
)  # fmt: skip
SWEEP_CPN = Table(
    1, "", "stop-and-wait protocol, a collection for each 2000 states",
    "stop_and_wait_net.py, reconstructed from the figures", ("packets",), SWEPT,
    tuple(swept_line(str(n), {"packets": n}, row) for n, row in published.SWEEP_CPN.items()),
    partial(swept, "stop_and_wait_net.py", 2000, None),
    {"peak": ORDER},
    note="The measure is the receiver's counter, as the slides say.",
)  # fmt: skip
HANDED_OUT = Table(
    2, "table 1", "master and 12 slaves, to whom jobs are handed out",
    "master_slave.psl, reconstructed from the figures", ("jobs",), COMPOSED,
    composed_lines("jobs", published.MASTER_AND_SLAVES),
    partial(composed, "master_slave.psl"),
    {"total": HANDED, "stored": HANDED},
)  # fmt: skip
FREE = Table(
    2, "table 1, free slaves", "master and 12 slaves that do not talk to each other",
    "master_slave_free.psl, fitted to the figures", ("jobs",), COMPOSED,
    composed_lines("jobs", published.MASTER_AND_SLAVES),
    partial(composed, "master_slave_free.psl"),
)  # fmt: skip
COMMIT = Table(
    2, "table 2", "two-phase commit protocol",
    "two_phase_commit.psl, reconstructed from the figures", ("voters",), COMPOSED,
    composed_lines("n", published.TWO_PHASE_COMMIT),
    partial(composed, "two_phase_commit.psl"),
    {("stored", "8"): TWELVE},
)  # fmt: skip
DATA_LINK = Table(
    2, "table 3", "stop-and-wait protocol",
    "stop_and_wait.psl, our own", ("largest number",), FINER,
    composed_lines("top", published.DATA_LINK),
    partial(composed, "stop_and_wait.psl"),
    dict.fromkeys(("states", "total", "stored"), OWN_LINK),
)  # fmt: skip
TABLES = (WINDOW, STOP_AND_WAIT, BEOLINK, SWEEP_CPN, HANDED_OUT, FREE, COMMIT, DATA_LINK)
