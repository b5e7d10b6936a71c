"""What each action cost, most expensive first, and what could be done about it: `--profile`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sweepcheck.core.plan import ActionStatistics
from sweepcheck.report.report import Report
from sweepcheck.report.trace import fold
from sweepcheck.report.values import count_text, percent_text, seconds_text
from sweepcheck.report.whole_reads import whole_reads
from sweepcheck.text import visible

HEADS = ("action", "runs", "from table", "edges", "time", "table", "observes")
TO_THE_LEFT = {0, 5, 6}
MANY_RUNS = 1000  # with fewer there is nothing to gain
POOR = 0.75  # a table that answers less than this share hardly pays
NAMED = 5  # variables named one by one
WALK_SECONDS = 30e-9  # to look for an action in its table and find it disabled
WALKS_MATTER = 0.25  # of the engine's time


@dataclass(frozen=True, slots=True)
class Family:
    """The actions made of one function, taken together."""

    name: str
    members: int
    evaluations: int
    edges: int
    seconds: float
    tabulated: int
    observes: tuple[str, ...]

    def answered(self, explored: int) -> float:
        """The share of answers that came from tables: one for every state, or for every edge where these are more."""
        asked = max(explored * self.members, self.edges, self.evaluations)
        return 1 - self.evaluations / asked if asked else 0.0


def families(report: Report) -> list[Family]:
    """The actions of a report by function, most expensive first."""
    groups: dict[str, list[ActionStatistics]] = {}
    for action in report.actions:
        groups.setdefault(action.action.partition("(")[0], []).append(action)
    found = [_family(name, members, report.system.variables) for name, members in groups.items()]
    return sorted(found, key=lambda family: (-family.seconds, -family.evaluations, family.name))


def _family(name: str, members: Sequence[ActionStatistics], variables: Sequence[str]) -> Family:
    observed = {variable for member in members for variable in member.observes}
    return Family(
        name,
        len(members),
        sum(member.evaluations for member in members),
        sum(member.edges for member in members),
        sum(member.seconds for member in members),
        sum(member.tabulated for member in members),
        tuple(variable for variable in variables if variable in observed),
    )


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
    advised = "\n".join(f"  - {visible(line)}" for line in advice(report)) or "  none: the tables did what they are for"
    return f"{title}\n{table}\n\n{fold(f'  {_split(report)}', width)}\n\nadvice\n{fold(advised, width)}"


def _rows(report: Report) -> Iterator[tuple[str, ...]]:
    explored = report.statistics.explored
    found = families(report)
    for family in found:
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
    rest = (report.statistics.model_seconds or 0.0) - sum(family.seconds for family in found)
    yield "measure, properties", "", "", "", seconds_text(max(rest, 0.0)), "", ""


def _observed(family: Family, report: Report) -> str:
    variables, seen = report.system.variables, family.observes
    if len(seen) == len(variables) > NAMED:
        return f"all {len(seen)} variables"
    more = f" and {len(seen) - NAMED} more" if len(seen) > NAMED else ""
    return ", ".join(seen[:NAMED]) + more or "-"


def _split(report: Report) -> str:
    numbers = report.statistics
    python = min(numbers.model_seconds or 0.0, numbers.seconds)
    share = percent_text(round(1e6 * python), round(1e6 * numbers.seconds))
    return (
        f"{seconds_text(numbers.seconds)} in all: {seconds_text(python)} in Python ({share}), "
        f"{seconds_text(numbers.seconds - python)} in the engine"
    )


def _vain_walks(report: Report) -> str | None:
    """Whether the engine is kept busy by actions that are disabled, and what helps."""
    numbers, walks = report.statistics, report.outcome.vain_walks
    engine = numbers.seconds - min(numbers.model_seconds or 0.0, numbers.seconds)
    if walks * WALK_SECONDS < WALKS_MATTER * engine or walks < MANY_RUNS:
        return None
    each = f"{walks / max(numbers.explored, 1):,.0f} of {len(report.actions):,}"
    return (
        f"in each state {each} actions are looked for and found disabled; "
        "`require` first, of a plain variable or an array element, what is seldom true: an action that most states "
        "rule out by one value is not looked for there"
    )


def advice(report: Report) -> Iterator[str]:
    """What would make the actions cheaper, one line for each that is worth it."""
    explored = report.statistics.explored
    for family in families(report):
        answered = family.answered(explored)
        if family.tabulated == family.members and (family.evaluations < MANY_RUNS or answered >= POOR):
            continue
        if family.tabulated < family.members:
            what = "is not tabulated: nearly every state needed a new run"
        else:
            what = f"needed {count_text(family.evaluations)} runs; its table gave {100 * answered:.0f} % of the answers"
        yield f"`{family.name}` {what}; {_remedy(family, report)}"
    if vain := _vain_walks(report):
        yield vain


def _remedy(family: Family, report: Report) -> str:
    variables, seen = report.system.variables, family.observes
    if len(seen) == 1:
        return f"the values of `{seen[0]}` hardly ever repeat"
    everything = len(seen) == len(variables)
    count = f"all {len(seen)} variables" if everything else f"{len(seen)} of {len(variables)} variables"
    reads = [f"`{text}`" for text in whole_reads(report.system, family.name, seen or variables)]
    without = f" or drop {' and '.join(reads[:2])}" if reads else ""
    return (f"it observes {count}: " if seen else "") + f"split it{without}"


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
