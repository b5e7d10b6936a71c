"""What each action cost, most expensive first, and what could be done about it: `--profile`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sweepcheck.folding import fold
from sweepcheck.report.advice import WORTHWHILE, advice
from sweepcheck.report.families import Family, families
from sweepcheck.report.report import Report
from sweepcheck.report.values import bytes_text, count_text, percent_text, seconds_text, workers_text
from sweepcheck.text import visible

HEADS = ("action", "runs", "from table", "edges", "time", "table", "observes")
TO_THE_LEFT = {0, 5, 6}
NAMED = 5  # variables named one by one
LISTED = 30  # actions with a line of their own


def actions_text(report: Report, width: int | None = None) -> str:
    """The table, the time in Python and in the engine, and advice."""
    if not report.actions:
        return fold(
            "what each action cost is counted by the native engine only; "
            f"this run took the {report.engine} engine ({report.engine_reason})",
            width,
        )
    table = _table([HEADS, *_rows(report)], width)
    title = "what the actions cost, most expensive first"
    advised = (
        "\n".join(f"  - {visible(str(one))}" for one in advice(report)) or "  none: the tables did what they are for"
    )
    times = "\n".join(
        f"  {line}" for line in (_split(report), *_sharing(report), *_rewriting(report), *_closing(report))
    )
    return f"{title}\n{table}\n\n{fold(times, width)}\n\nadvice\n{fold(advised, width)}"


def _rows(report: Report) -> Iterator[tuple[str, ...]]:
    explored = report.statistics.explored
    found = families(report)
    for family in found[:LISTED]:
        answered = round(1e6 * family.answered(explored))
        yield (
            family.name + (f" ({family.members})" if family.members > 1 else ""),
            count_text(family.evaluations),
            percent_text(answered, 10**6),
            count_text(family.edges),
            seconds_text(family.seconds),
            {0: "no", family.members: "yes"}.get(family.tabulated, f"{family.tabulated} of {family.members}"),
            _observed(family, report),
        )
    if cheap := found[LISTED:]:  # a net may have thousands
        yield (
            f"{count_text(len(cheap))} others",
            count_text(sum(one.evaluations for one in cheap)),
            "",
            count_text(sum(one.edges for one in cheap)),
            seconds_text(sum(one.seconds for one in cheap)),
            "",
            "",
        )
    begin = report.outcome.start_seconds
    if begin >= WORTHWHILE:
        yield "initial states", "", "", "", seconds_text(begin), "", ""
    rest = (report.statistics.model_seconds or 0.0) - begin - sum(family.seconds for family in found)
    yield "measure, properties", "", "", "", seconds_text(max(rest, 0.0)), "", ""


def _observed(family: Family, report: Report) -> str:
    variables, seen = report.system.variables, family.observes
    everything = len(seen) == len(variables) > NAMED
    observed = f"all {len(seen)} variables" if everything else _named(seen) or "-"
    return f"{observed}; compares {_named(family.compares)}" if family.compares else observed


def _named(variables: Sequence[str]) -> str:
    more = f" and {len(variables) - NAMED} more" if len(variables) > NAMED else ""
    return ", ".join(variables[:NAMED]) + more


def _split(report: Report) -> str:
    numbers = report.statistics
    python = min(numbers.model_seconds or 0.0, numbers.seconds)
    share = percent_text(round(1e6 * python), round(1e6 * numbers.seconds))
    return (
        f"{seconds_text(numbers.seconds)} in all: {seconds_text(python)} in Python ({share}), "
        f"{seconds_text(numbers.seconds - python)} in the engine"
    )


def _sharing(report: Report) -> Iterator[str]:
    numbers = report.statistics
    if numbers.workers > 1:
        scratch = f"; scratch memory {bytes_text(numbers.scratch_bytes)}" if numbers.scratch_bytes else ""
        yield f"{count_text(numbers.workers)} workers: {workers_text(numbers)}{scratch}"


def _rewriting(report: Report) -> Iterator[str]:
    numbers = report.statistics
    if numbers.rewrites is not None:
        times = "once" if numbers.rewrites == 1 else f"{count_text(numbers.rewrites)} times"
        took = seconds_text(numbers.rewrite_seconds or 0.0)
        yield f"stored states rewritten {times} for variables that had grown: {took}"


def _closing(report: Report) -> Iterator[str]:
    closed = report.outcome.closed_edges
    if closed:
        share = percent_text(closed, max(report.statistics.edges, closed))
        yield f"{share} of the edges not looked up: another order of the same steps had led there"


def _table(rows: Sequence[tuple[str, ...]], width: int | None) -> str:
    rows = [tuple(map(visible, row)) for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
    lines = (
        "  ".join(
            f"{cell:<{wide}}" if column in TO_THE_LEFT else f"{cell:>{wide}}"
            for column, (cell, wide) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    whole = (f"  {line}".rstrip() for line in lines)
    return "\n".join(line if width is None or len(line) <= width else f"{line[: width - 1]}…" for line in whole)
