"""What would make a run cheaper: causes of cost that show in a report's numbers, each with what to do about it.

One function for each kind of cause, listed in `ADVISERS` in the order in which `--profile` prints them. Each reads
the report, and says nothing where its cause costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sweepcheck.report.families import Family, families
from sweepcheck.report.report import Report
from sweepcheck.report.values import bytes_text, count_text
from sweepcheck.report.whole_reads import whole_reads

MANY_RUNS = 1000  # with fewer there is nothing to gain
MANY_BYTES = 2**20  # with less there is nothing to gain
RARE = 20  # states for a run of the measure: then it cost little
NAMED = 5  # variables named one by one
WALK_SECONDS = 30e-9  # to look for an action in its table and find it disabled
WALKS_MATTER = 0.25  # of the engine's time
DEAR = 0.1  # a share of the time that rewriting is worth a word about
WORTHWHILE = 0.1  # seconds: less is not worth one, whatever the share
POOR = 0.75  # a table that answers less than this share hardly pays


@dataclass(frozen=True, slots=True)
class Advice:
    """What costs, the figure that shows it, and what to do."""

    cause: str
    figure: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.cause}: {self.figure}; {self.remedy}"


def advice(report: Report) -> Iterator[Advice]:
    """All there is to say about a run."""
    for adviser in ADVISERS:
        yield from adviser(report)


def about_actions(report: Report) -> Iterator[Advice]:
    """Functions that Python runs again and again, since what they look at hardly ever repeats."""
    explored = report.statistics.explored
    for family in families(report):
        answered = family.answered(explored)
        if family.tabulated < family.members:
            cause, figure = f"`{family.name}` is not tabulated", "nearly every state needed a new run"
        elif family.evaluations >= MANY_RUNS and answered < POOR:
            cause = f"`{family.name}` finds little in its table"
            figure = f"{count_text(family.evaluations)} runs, and {100 * answered:.0f} % of the answers from the table"
        else:
            continue
        yield Advice(cause, figure, _looking_at_less(family, report))


def _looking_at_less(family: Family, report: Report) -> str:
    variables, seen = report.system.variables, family.observes
    if len(seen) == 1:
        return f"the values of `{seen[0]}` hardly ever repeat"
    everything = len(seen) == len(variables)
    count = f"all {len(seen)} variables" if everything else f"{len(seen)} of {len(variables)} variables"
    reads = [f"`{text}`" for text in whole_reads(report.system, family.name, seen or variables)]
    without = f" or drop {' and '.join(reads[:2])}" if reads else ""
    return (f"it observes {count}: " if seen else "") + f"split it{without}"


def about_disabled_actions(report: Report) -> Iterator[Advice]:
    """Actions that keep the engine busy though they are disabled."""
    numbers, walks = report.statistics, report.outcome.vain_walks
    engine = numbers.seconds - min(numbers.model_seconds or 0.0, numbers.seconds)
    if walks < MANY_RUNS or walks * WALK_SECONDS < WALKS_MATTER * engine:
        return
    yield Advice(
        "actions are looked for and found disabled",
        f"{walks / max(numbers.explored, 1):,.0f} of {len(report.actions):,} in each state",
        "`require` first, of a plain variable or an array element, what is seldom true: an action that most states "
        "rule out by one value is not looked for there",
    )


def about_rewrites(report: Report) -> Iterator[Advice]:
    """Stored states that were rewritten because variables had outgrown their room."""
    numbers = report.statistics
    taken = numbers.rewrite_seconds or 0.0
    if taken > max(DEAR * numbers.seconds, WORTHWHILE):
        yield Advice(
            "stored states were rewritten for variables that had grown",
            f"{count_text(numbers.rewrites or 0)} times, {100 * taken / numbers.seconds:.0f} % of the time",
            "give queues and places the `capacity` they can have; let variables get their largest value early",
        )


def about_contents(report: Report) -> Iterator[Advice]:
    """Bags and queues that lie outside of states, or that functions looked at as a whole."""
    states = report.statistics.state_bytes or 0
    for found in report.contents:
        if found.bytes < max(MANY_BYTES, states / 4):
            continue
        figure = f"{count_text(found.contents)} different contents, {bytes_text(found.bytes)}"
        if found.in_states:
            cause = f"what `{found.variable}` holds does not fit into states"
            remedy = "let it hold fewer different tokens or fewer at a time, or use one variable for each kind"
        else:
            cause = f"functions look at all that `{found.variable}` holds"
            remedy = "ask for what is needed of it: `len`, `in`, `count`, `peek`"
        yield Advice(cause, figure, remedy)


def about_measure(report: Report) -> Iterator[Advice]:
    """A measure that Python had to be asked for again and again."""
    cost = report.measure_cost
    if cost is None or cost.evaluations < MANY_RUNS or RARE * cost.evaluations < report.statistics.explored:
        return
    what = "a summand of the measure" if cost.summand else "the measure"
    more = f" and {len(cost.observes) - NAMED} more" if len(cost.observes) > NAMED else ""
    names = ", ".join(cost.observes[:NAMED]) + more
    why = "" if cost.obstacle is None else f" ({cost.obstacle})"
    remedy = "let it look at less"
    if not cost.summand:
        remedy = "write it as a sum of terms that look at one variable each: s.x, len(s.queue), f(s.array[i])"
    yield Advice(
        f"{what} needs a run for every combination of {names}{why}",
        f"{count_text(cost.evaluations)} runs, and a table of {bytes_text(cost.table_bytes)} at the end",
        remedy,
    )


ADVISERS: tuple[Callable[[Report], Iterator[Advice]], ...] = (
    about_actions,
    about_disabled_actions,
    about_rewrites,
    about_contents,
    about_measure,
)
