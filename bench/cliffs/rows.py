"""The table of cliffs: a figure of one form over the same figure of another one, and what it should be at most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench import wide
from bench.cliffs import nets
from bench.cliffs.forms import LIMIT, PROCESSES

Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a run. `same`: forms that are compared have the same graph, so their counts must be the same."""

    name: str
    of: Callable[[Found], float]
    same: bool = True


TIME = Figure("CPU time", lambda found: found["cpu_seconds"])
ALL_TIME = Figure(
    "CPU time, building included", lambda found: found["build_seconds"] + found["cpu_seconds"], same=False
)
TIME_PER_EDGE = Figure("CPU time per edge", lambda found: found["cpu_seconds"] / found["edges"], same=False)
TIME_PER_STATE = Figure("CPU time per state", lambda found: found["cpu_seconds"] / found["explored"], same=False)
MEMORY = Figure("bytes of states and tables", lambda found: found["state_bytes"] + found["table_bytes"])
BYTES_PER_STATE = Figure(
    "bytes of states and tables per state",
    lambda found: (found["state_bytes"] + found["table_bytes"]) / found["peak"],
    same=False,
)
TABLES = Figure("bytes of tables", lambda found: found["table_bytes"], same=False)
RUNS = Figure("runs of functions", lambda found: found["runs"], same=False)
UNTOLD = Figure("high-water mark over memory told", lambda found: found["resident_bytes"] / found["memory_bytes"])
ABOVE_LIMIT = Figure("high-water mark over the limit", lambda found: found["resident_bytes"] / LIMIT)


@dataclass(frozen=True, slots=True)
class Row:
    """`form` over `level`: another form, a net for the hand-written explorer, or nothing where a figure is a ratio."""

    cliff: str
    figure: Figure
    form: str
    level: str | wide.Wiring | None
    target: float

    @property
    def forms(self) -> list[str | wide.Wiring]:
        """What is measured for it."""
        return [form for form in (self.form, self.level) if form is not None]


ROWS = (
    Row("61 tokens held", TIME_PER_EDGE, "bag holding 61", "bag holding 60", 1.5),
    Row("61 tokens held", BYTES_PER_STATE, "bag holding 61", "bag holding 60", 1.5),
    Row("240 tokens held", TIME_PER_EDGE, "bag holding 240", "bag holding 60", 4),
    Row("240 tokens held", BYTES_PER_STATE, "bag holding 240", "bag holding 60", 4),
    Row("61 tokens asked about", TIME_PER_EDGE, "bag asked about 61", "bag asked about 60", 1.5),
    Row("repeated tokens", TIME, "bag of repeated tokens", "array of counts", 1.5),
    Row("repeated tokens", MEMORY, "bag of repeated tokens", "array of counts", 1.5),
    Row("tokens never seen again", TIME, "bag that moves on, sweep", "array that moves on, sweep", 1.5),
    Row("tokens never seen again", MEMORY, "bag that moves on, sweep", "array that moves on, sweep", 1.5),
    Row("growing queues", TIME, "queues that grow", "queue lengths", 3),
    Row("growing queues", MEMORY, "queues that grow", "queue lengths", 3),
    Row("queues with a capacity", TIME, "queues with capacity", "queue lengths", 3),
    Row("queues with a capacity", MEMORY, "queues with capacity", "queue lengths", 3),
    Row("queues of messages", TIME, "queues of messages", "messages as numbers", 3),
    Row("variables that change late", TIME_PER_EDGE, "200 variables, late", "200 variables, early", 2),
    Row("400 actions", TIME, "machines, 400 actions", wide.machines(400, 3), 5),
    Row("400 actions", TIME, "rings, 400 actions", nets.two_rings(400), 5),
    Row("1,000 actions", TIME, "machines, 1,000 actions", wide.machines(1_000, 2), 5),
    Row("1,000 actions", TIME, "rings, 1,000 actions", nets.two_rings(1_000), 5),
    Row("4,000 actions", TIME, "rings, 4,000 actions", nets.two_rings(4_000), 5),
    Row("actions that are disabled", TIME_PER_EDGE, "4,096 addresses", "64 addresses", 3),
    *(
        Row(
            "actions that wait for a value",
            TIME_PER_EDGE,
            f"4,000 actions, a {kind} each",
            f"1,000 actions, a {kind} each",
            1.3,
        )
        for kind in ("number", "text")
    ),
    Row("measure that is a product", TIME, "grid, measure is a product", "grid, full", 4),
    Row("measure that is a product", MEMORY, "grid, measure is a product", "grid, full", 0.5),
    Row("measure of lengths", TIME, "lengths, sweep", "lengths, full", 1.5),
    Row("measure of many lengths", TIME, "many lengths, sweep", "many lengths, full", 1.5),
    Row("measure of stages", TIME, "stages, sweep", "stages, full", 1.5),
    Row("measure of stages", MEMORY, "stages, sweep", "stages, full", 0.5),
    Row("queens as a net", TIME, "queens, sweep", "queens, full", 1.5),
    Row("59,049 layers", TIME_PER_STATE, "59,049 layers", "16,807 layers", 1.3),
    Row("59,049 layers", TIME, "59,049 layers", "59,049 layers, reference", 1),
    Row("161,051 layers", TIME_PER_STATE, "161,051 layers", "16,807 layers", 1.5),
    *(
        Row(f"layers {order}", TIME_PER_STATE, f"8,000 layers {order}", f"2,000 layers {order}", 1.3)
        for order in ("ascending", "descending", "shuffled")
    ),
    Row("memory told", UNTOLD, "phil 13", None, 1.1),
    Row("memory told, growing queues", UNTOLD, "queues that grow", None, 1.1),
    Row("memory limit", ABOVE_LIMIT, "phil 14, limited", None, 1.05),
    Row("memory limit, growing queues", ABOVE_LIMIT, "pipeline, limited", None, 1.05),
    Row("black tokens, drawn", TIME, "drawn net, black tokens", "drawn net, numbers", 1.3),
    Row("black tokens, drawn, wide", TIME, "wide net, black tokens", "wide net, numbers", 1.3),
    Row("black tokens, kanban", TIME, "kanban, black tokens", "kanban, numbers", 1.3),
    Row("counts, twice as high", RUNS, "exchange of 40", "exchange of 20", 1.5),
    Row("counts, twice as high", TABLES, "exchange of 40", "exchange of 20", 1.5),
    Row("two counters compared", RUNS, "distance, 4,000", "distance, 2,000", 1.5),
    Row("buffers, twice as large", RUNS, "buffers of 60", "buffers of 30", 1.5),
    *(
        Row("processes", figure, f"{name}, processes", f"{name}, by hand", 1.2)
        for name in PROCESSES
        for figure in (TIME, MEMORY)
    ),
    Row("alternatives of a choice", ALL_TIME, "choice among 100,000", "100,000 pieces in Python", 1),
    Row("list of alternatives", TIME, "choice among 4,000 in a list", "choice among 4,000 kept", 3),
    Row("starting states", ALL_TIME, "100,000 starting states", "100,000 pieces in Python", 1),
    Row("places to build", ALL_TIME, "2,000 places, built", "100,000 pieces in Python", 3),
)
