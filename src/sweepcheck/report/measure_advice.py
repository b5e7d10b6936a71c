"""What to say about a sweep whose progress measure did not help: nothing is wrong, but memory and time were wasted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sweepcheck.core.plan import Statistics, Strategy
from sweepcheck.core.verdict import Stop
from sweepcheck.report.report import Report
from sweepcheck.report.values import bytes_text, count_text

FEW_STATES = 100  # a smaller model can be explored in any way
FEW_LAYERS = 10  # a sweep that ended early says something when it has come so far
NEARLY_ALL = 0.9  # of the states were stored at once
MANY_BACK = 0.3  # of the edges go back
MANY_RUNS = 1000  # with fewer there is nothing to gain
RARE = 20  # states for a run of the measure: then it cost little
NAMED = 5  # variables named one by one


class Advice(NamedTuple):
    """What was seen, and what to do about it."""

    what: str
    help: str


def cost_advice(report: Report) -> str | None:
    """What to say about a measure that Python had to be asked for again and again; None when it was not."""
    cost, explored = report.measure_cost, report.statistics.explored
    if cost is None or cost.evaluations < MANY_RUNS or RARE * cost.evaluations < explored:
        return None
    what = "a summand of the measure" if cost.summand else "the measure"
    names = ", ".join(cost.observes[:NAMED]) + (
        f" and {len(cost.observes) - NAMED} more" if len(cost.observes) > NAMED else ""
    )
    why = "" if cost.obstacle is None else f" ({cost.obstacle})"
    remedy = "let it look at less"
    if not cost.summand:
        remedy = "write it as a sum of terms that look at one variable each: s.x, len(s.queue), f(s.array[i])"
    return (
        f"{what} needed {count_text(cost.evaluations)} runs, one for every combination of {names}, and a table of "
        f"{bytes_text(cost.table_bytes)} at the end{why}; {remedy}"
    )


def measure_advice(
    strategy: Strategy, statistics: Statistics, regressing: Sequence[tuple[str, int]], stop: Stop | None
) -> Advice | None:
    """What to say about the measure after a run with a strategy; None when it helped, or when it is too early to say.

    Where states were processed more than once nobody knows how many there are; there are at most as many as were
    processed, so the share that was stored is at least as large as it is said to be.
    """
    states = statistics.explored if statistics.states is None else statistics.states
    early = stop is not None and statistics.layers < FEW_LAYERS
    if not strategy.by_progress or states < FEW_STATES or early:
        return None
    stored, back = statistics.peak / states, statistics.regress_edges / max(1, statistics.edges)
    share = f"{'at least ' if statistics.states is None else ''}{100 * stored:.0f} % of the states"
    if back >= MANY_BACK and 2 * stored >= 1:
        action = f" (most of them by {regressing[0][0]!r})" if regressing else ""
        return Advice(
            f"progress goes down on {100 * back:.0f} % of the edges{action}, and {share} were stored at once",
            'let the measure count what no step undoes, or use strategy="full" (--strategy full): each state once',
        )
    if statistics.layers == 1:
        return Advice(
            f"progress is the same in all {states:,} states, so none could be forgotten",
            'let the measure count something that grows, or use strategy="full" (--strategy full)',
        )
    if stored >= NEARLY_ALL:
        return Advice(
            f"{share} were stored at once: the progress measure hardly lets any be forgotten",
            'let the measure grow on more steps, by a second part say, or use strategy="full" (--strategy full)',
        )
    return None
