"""What to say about a sweep whose progress measure did not help: nothing is wrong, but memory and time were wasted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sweepcheck.core.plan import Statistics, Strategy
from sweepcheck.core.verdict import Stop

FEW_STATES = 100  # a smaller model can be explored in any way
FEW_LAYERS = 10  # a sweep that ended early says something when it has come so far
NEARLY_ALL = 0.9  # of the states were stored at once
MANY_BACK = 0.3  # of the edges go back


class Advice(NamedTuple):
    """What was seen, and what to do about it."""

    what: str
    help: str


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
