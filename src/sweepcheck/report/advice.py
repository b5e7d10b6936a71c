"""What would make a run cheaper: causes of cost that show in a report's numbers, each with what to do about it.

One function for each kind of cause, listed in `ADVISERS` in the order in which `--profile` prints them. Each reads
the report, and says nothing where its cause costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sweepcheck.report.families import Family, families
from sweepcheck.report.report import Report
from sweepcheck.report.values import count_text
from sweepcheck.report.whole_reads import whole_reads

MANY_RUNS = 1000  # with fewer there is nothing to gain
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


ADVISERS: tuple[Callable[[Report], Iterator[Advice]], ...] = (about_actions,)
