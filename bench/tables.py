"""Comparisons and tasks as rows of text, and rows as aligned text or Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.comparison import Comparison
from bench.measuring import best, ratio
from bench.questions import TARGETS, Costs
from bench.startup import Task


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a header, rows of the same length, and what to know to read them."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    remark: str = ""


def number(value: float | None, form: str = ".1f") -> str:
    """A number, or a dash."""
    return "-" if value is None else format(value, form)


def judged(value: float | None, target: float | None, *, at_most: bool) -> str:
    """The target, and whether it is reached."""
    if target is None or value is None:
        return "-"
    reached = value <= target if at_most else value >= target
    return f"{'<=' if at_most else '>='} {target:g} {'yes' if reached else 'NO'}"


def speed(comparisons: Sequence[Comparison]) -> Table:
    """The engine against hand-written C++, SPIN and the reference engine."""
    rows = []
    for one in comparisons:
        found, ratio = one.first, one.ratio("ceiling")
        target = one.workload.ratio_target(found["states"]) if one.has_targets else None
        spin_target = one.workload.spin_target(found["states"]) if one.has_targets else None
        reference_target = one.workload.reference_target() if one.has_targets else None
        faster = one.faster_than("spin")
        rows.append(
            (
                one.workload.name,
                one.strategy,
                f"{found['states']:,}",
                f"{found['edges']:,}",
                number(one.speed("ceiling")),
                number(one.speed("engine"), ".2f"),
                "-" if ratio is None else f"{ratio.best:.2f}",
                "-" if ratio is None else f"{ratio.median:.2f} [{ratio.low:.2f}-{ratio.high:.2f}]",
                judged(ratio and ratio.best, target, at_most=True),
                number(one.speed("spin"), ".2f"),
                number(faster),
                judged(faster, spin_target, at_most=False),
                number(one.speed("reference"), ".3f") + (f" ({one.reference_size})" if one.reference_size else ""),
                number(one.faster_than("reference")),
                judged(one.faster_than("reference"), reference_target, at_most=False),
            )
        )
    header = (
        "workload",
        "strategy",
        "states",
        "edges",
        "C++ Me/s",
        "engine Me/s",
        "time/C++",
        "median [range]",
        "target",
    )
    remark = (
        "Me/s = million edges per CPU second of exploration, best run. time/C++ = the engine's CPU time over that of "
        "hand-written C++, best over best; median and range of the pairs. /SPIN and /reference = how many times "
        "their edges per second. SPIN explores fully; its speed stands beside sweeps too."
    )
    return Table(
        "Speed", (*header, "SPIN Me/s", "/SPIN", "target", "reference Me/s", "/reference", "target"), rows, remark
    )


def memory(comparisons: Sequence[Comparison]) -> Table:
    """Bytes per state stored at the peak."""
    rows = []
    for one in comparisons:
        engine, ceiling, spin = (one.runs.get(name) for name in ("engine", "ceiling", "spin"))
        stored = one.first.get("peak", 0)
        figures = best(engine).found if engine else {}
        told = figures.get("bytes_per_state")
        if told is None and figures.get("state_bytes") is not None:
            told = figures["state_bytes"] / stored
        tables = figures.get("table_bytes")
        resident = figures.get("resident_bytes")
        rows.append(
            (
                one.workload.name,
                one.strategy,
                f"{stored:,}",
                number(told),
                judged(told, one.workload.bytes_target() if one.workload.family.source else None, at_most=True),
                number(None if tables is None else tables / 2**20),
                number(figures["grown_bytes"] / stored) if engine else "-",
                number(None if resident is None else resident / 2**20),
                number(ceiling[0].found["bytes"] / stored if ceiling else None),
                number(spin[0].found["bytes"] / spin[0].found["states"] if spin and one.strategy == "full" else None),
            )
        )
    header = ("workload", "strategy", "peak states", "engine B/state", "target", "tables MiB", "RSS growth B/state")
    remark = (
        "B/state = bytes per state stored at the peak: as the engine reports it, tables of actions apart; as resident "
        "memory grew during exploration, all included; table and queue of the hand-written program; what SPIN "
        "reports."
    )
    return Table("Memory", (*header, "RSS MiB", "C++ B/state", "SPIN B/state"), rows, remark)


def sweeps(comparisons: Sequence[Comparison]) -> Table:
    """The sweep against full exploration of the same model, which took turns with it."""
    full = {one.workload.name: one for one in comparisons if one.strategy == "full"}
    rows = []
    for one in comparisons:
        other = full.get(one.workload.name)
        if one.strategy != "sweep" or other is None:
            continue
        ratios = [
            best(one.runs[name]).cpu / best(other.runs[name]).cpu
            if one.runs.get(name) and other.runs.get(name)
            else None
            for name in ("engine", "ceiling")
        ]
        share = 100 * one.first["peak"] / one.first["states"]
        target = judged(ratios[0], 1.0 if one.has_targets else None, at_most=True)
        rows.append((one.workload.name, number(ratios[0], ".2f"), target, number(ratios[1], ".2f"), f"{share:.1f}"))
    return Table("Sweep over full exploration", ("workload", "engine time", "target", "C++ time", "peak %"), rows)


def questions(measured: Sequence[Costs]) -> Table:
    """What questions cost on top of the plain sweep."""
    rows = []
    for one in measured:
        parents = one.percent("trace", over="untraced")
        cells = []
        for asked in ("possible", "eventually"):
            percent = one.percent(asked)
            cells += [f"{percent:+.0f} %", judged(round(percent), TARGETS[asked], at_most=True)]
            cells += [f"{one.percent(f'{asked}, trace'):+.0f} %"]
        cells += [f"{one.percent(asked):+.0f} %" for asked in ("fair", "untraced", "trace")]
        cells += [f"{parents:+.0f} %", judged(round(parents), TARGETS["trace"], at_most=True)]
        stored = [best(one.runs[asked]).found["state_bytes"] / 2**20 for asked in ("plain", "possible", "report")]
        traces = best(one.runs["trace"]).found
        rows.append(
            (
                f"comm {'/'.join(map(str, one.size))}",
                f"{one.found['states']:,}",
                number(best(one.runs["plain"]).cpu, ".3f"),
                *cells,
                f"{one.percent('report'):+.0f} %",
                number(traces["trace_bytes"] / traces["states"], ".2f"),
                *(number(size, ".2f") for size in stored),
            )
        )
    questions = (
        "AG EF",
        "target",
        "with trace",
        "AG AF",
        "target",
        "with trace",
        "AG AF fair",
        "invariant",
        "with trace",
    )
    memory = ("trace B/state", "plain MiB", "AG EF MiB", "report MiB")
    header = ("workload", "states", "plain CPU s", *questions, "trace alone", "target", "report", *memory)
    remark = (
        "CPU time over that of the plain native sweep, best over best of runs that took turns; *trace alone* is the "
        "invariant with a trace over the invariant without. AG EF and AG AF are P1 and P2 of paper 4, whose C-Time and "
        "T-Time are these columns without and with a trace. MiB = size of the stored states and the layer's graph at "
        "the peak."
    )
    return Table("What questions cost", header, rows, remark)


def nets(comparisons: Sequence[Comparison]) -> Table:
    """Coloured nets against the same systems as plain actions, on the same engine and in turns."""
    rows = []
    for one in comparisons:
        plain, net = one.runs.get("engine", ()), one.runs.get("net", ())
        if not plain or len(plain) != len(net):
            continue
        compared = ratio(net, plain)
        rows.append(
            (
                one.workload.name,
                one.strategy,
                f"{compared.best:.2f}",
                f"{compared.median:.2f} [{compared.low:.2f}-{compared.high:.2f}]",
                judged(compared.best, 1.5, at_most=True),
            )
        )
    return Table(
        "Nets over plain actions",
        ("workload", "strategy", "time/plain", "median [range]", "target"),
        rows,
        "time/plain = the engine's CPU time on the net over its time on plain actions, best over best.",
    )


def tasks(measured: Sequence[Task]) -> Table:
    """Whole processes."""
    rows = [
        (
            one.name,
            number(one.seconds, ".3f"),
            judged(one.seconds, one.target and round(one.target, 3), at_most=True),
            one.note,
        )
        for one in measured
    ]
    return Table(
        "Start and verdict", ("what", "CPU s", "target", "note"), rows, "CPU seconds of whole processes, best run."
    )


def text(table: Table) -> str:
    """Aligned columns for a terminal."""
    widths = [max(map(len, column)) for column in zip(table.header, *table.rows, strict=True)]
    lines = [table.title, ""]
    lines += [aligned(row, widths) for row in (table.header, *table.rows)]
    return "\n".join([*lines, *(["", table.remark] if table.remark else [])])


def aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    """A row of it."""
    left = row[0].ljust(widths[0])
    return "  ".join([left, *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))])


def markdown(table: Table) -> str:
    """The same for a document."""
    rule = "| --- |" + " ---: |" * (len(table.header) - 1)
    rows = ["| " + " | ".join(row) + " |" for row in (table.header, *table.rows)]
    lines = [f"## {table.title}", "", *([table.remark, ""] if table.remark else []), rows[0], rule, *rows[1:]]
    return "\n".join(lines)
