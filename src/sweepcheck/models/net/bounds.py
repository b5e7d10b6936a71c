"""When a transition that only counts black tokens is enabled: how many each of its places must hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sweepcheck.models.net.colours import UNIT
from sweepcheck.models.net.occurrence.writer import Slot
from sweepcheck.models.net.structure import Place, Transition


class Bound(NamedTuple):
    """A place, by its variable, holds at least so many tokens, and fewer than `below` where that is not None."""

    variable: str
    least: int
    below: int | None


def black_bounds(transition: Transition, slots: Mapping[Place, Slot]) -> tuple[Bound, ...] | None:
    """What must hold; None for a transition that does more than count black tokens."""
    if transition.guard or transition.let or transition.free:
        return None
    taken: Counter[str] = Counter()
    tested: Counter[str] = Counter()
    below: dict[str, int] = {}
    for arc in transition.arcs:
        slot = slots[arc.place]
        count = 1 if arc.terms is None else arc.count
        if arc.place.colour is not UNIT or count is None or (slot.capacity is not None and arc.kind == "put"):
            return None
        if arc.kind == "take":
            taken[slot.variable] += count
        elif arc.kind == "test":  # beside those taken; two of them may find the same tokens
            tested[slot.variable] = max(tested[slot.variable], count)
        elif arc.kind == "inhibit":
            below[slot.variable] = min(count, below.get(slot.variable, count))
    # A place that always holds one token needs no look.
    looked = dict.fromkeys(slot.variable for slot in slots.values() if not slot.single)
    found = [Bound(name, taken[name] + tested[name], below.get(name)) for name in looked]
    return tuple(one for one in found if one.least or one.below is not None)


def within(bounds: tuple[Bound, ...]) -> Callable[[Any], bool]:
    """Whether all of them hold, as a function of a view that has the places as they are."""

    def is_within(view: Any) -> bool:
        for variable, least, below in bounds:
            held = len(getattr(view, variable))
            if held < least or (below is not None and held >= below):
                return False
        return True

    return is_within
