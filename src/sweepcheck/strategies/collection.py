"""When to collect (paper 0, section 4)."""

from __future__ import annotations

from sweepcheck.core.plan import CollectionPolicy

LAYER = CollectionPolicy("layer")
AUTO = CollectionPolicy("auto", interval=1000)

# Bounds of the adaptive interval: below the smaller one a collection costs more than it frees, above the larger one
# a run on a big machine would hardly ever collect.
SMALLEST, LARGEST = 256, 1 << 20


def every(states: int) -> CollectionPolicy:
    """Collect after every so many new states."""
    return CollectionPolicy("interval", states)


def next_interval(interval: int, stored: int, reclaimed: int, scarce: bool) -> int:
    """The adaptive interval after a collection that kept `stored` states and reclaimed `reclaimed`.

    Sooner when memory is scarce; later when less than a quarter was reclaimed, so that the work of looking is
    always in proportion to what it frees.
    """
    if scarce:
        return max(SMALLEST, interval // 2)
    if 4 * reclaimed < stored + reclaimed:
        return min(LARGEST, interval * 2)
    return interval
