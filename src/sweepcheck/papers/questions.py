"""Paper 4: states, edges and peak of the protocol, what questions about it cost, and their answers."""

from __future__ import annotations

from collections.abc import Mapping

from sweepcheck.api import check
from sweepcheck.papers import published
from sweepcheck.papers.measuring import Bench
from sweepcheck.papers.table import Column, Line, Table, Value
from sweepcheck.report.report import Report

MODEL = "communication_protocol.py"
NAMES = {"P1": "all received", "P2": "packet sent or all received", "P3": "acknowledgement sent"}
FORMULAS = {"P1": "AG EF allrcv", "P2": "AG AF dataall", "P3": "AG AF ack"}
ALWAYS, EXPECTED = "every packet", "the expected packet only"


def asked(bench: Bench, line: Line) -> Mapping[str, Value]:
    """A row of table 1. C-Time is the extra time of checking over a plain sweep, T-Time that of checking and keeping a
    spanning tree in a file, for traces.
    """
    system = bench.load(MODEL, line.parameters)
    name = NAMES[line.labels[1].partition(":")[0]]

    def question(trace: bool) -> Report:
        return bench.whole(check(system, [name], limits=bench.limits(), engine=bench.engine, trace=trace))

    ways = {"plain": lambda: bench.explore(system)}
    if bench.timed:
        ways |= {"check": lambda: question(False), "trace": lambda: question(True)}
    found, seconds = bench.in_turns(ways)
    numbers = found["plain"].statistics
    counts: dict[str, Value] = {"states": numbers.states, "edges": numbers.edges}
    peak = 100 * numbers.peak / (numbers.states or 1)
    extra = {way: 100 * (seconds[way] / seconds["plain"] - 1) for way in seconds if way != "plain"}
    return {**counts, "peak": peak, **extra}


def answered(bench: Bench, line: Line) -> Mapping[str, Value]:
    """The answer to one property."""
    system = bench.load(MODEL, line.parameters)
    name = NAMES[line.labels[0].partition(":")[0]]
    report = check(system, [name], limits=bench.limits(), engine=bench.engine)
    (verdict,) = report.verdicts
    if verdict.trace is None:
        bench.whole(report)
    return {"answer": str(verdict.status)}


def property_text(key: str) -> str:
    """P1: AG EF allrcv."""
    return f"{key}: {FORMULAS[key]}"


COSTS = Table(
    4, "table 1", "communication protocol, packets-capacity",
    f"{MODEL}, reconstructed from the figures", ("config", "property"),
    (
        Column("states", "states"),
        Column("edges", "edges"),
        Column("peak", "peak", "percent 1"),
        Column("check", "C-Time", "extra"),
        Column("trace", "T-Time", "extra"),
    ),
    tuple(
        Line(
            (f"{packets}-{capacity}", property_text(key)),
            {"packets": packets, "capacity": capacity},
            row.states,
            {
                "states": row.states, "edges": row.edges, "peak": row.peak,
                "check": row.check[number], "trace": row.trace[number],
            },
        )
        for (packets, capacity), row in published.PROTOCOL.items()
        for number, key in enumerate(("P1", "P2"))
    ),
    asked,
    note="C-Time is the extra time of checking, T-Time of checking and keeping a spanning tree for traces, both over a "
    "plain sweep. E-Time, the milliseconds of the plain sweep, is not compared.",
)  # fmt: skip
ANSWERS = Table(
    4, "section 5", "answers, with 10 packets and a capacity of 3",
    f"{MODEL}, reconstructed from the figures", ("property", "acknowledged is"),
    (Column("answer", "answer", "word"),),
    tuple(
        Line(
            (property_text(key), EXPECTED if expected_only else ALWAYS),
            {"packets": 10, "capacity": 3, "expected_only": expected_only},
            24_052,
            {"answer": answer},
        )
        for (key, expected_only), answer in published.PROTOCOL_ANSWERS.items()
    ),
    answered,
)  # fmt: skip
TABLES = (COSTS, ANSWERS)
