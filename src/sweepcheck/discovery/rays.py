"""Monotone measures: all sums of features that no edge lowers, as combinations of a few, the rays of a cone.

Each class of edges, with its delta d, demands w.d >= 0 of the weights w. The double description method takes one demand
after the other: while some direction is still free both ways, the demand is met by giving that one up, and later by
combining rays on both sides of it. All is done in whole numbers, so that what comes out is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd

from sweepcheck.discovery.prediction import Weights
from sweepcheck.discovery.token_game import Delta

MOST_RAYS = 256  # kept after a demand; beyond it those with many features are dropped
MOST_PAIRS = 4096  # of rays on both sides of a demand that are combined


class Cone:
    """The weights that meet all demands so far: combinations of rays, each at least 0, and of free directions."""

    def __init__(self, deltas: Iterable[Delta]) -> None:
        demands = list(dict.fromkeys(map(_direction, deltas)))
        self.free: list[Weights] = [{at: 1} for at in sorted({at for delta in demands for at, _ in delta})]
        self.rays: list[tuple[Weights, int]] = []  # each with the demands that it only just meets, as bits
        self.is_simple = True  # every demand had a direction of its own
        for number, delta in enumerate(demands):
            if not self._give_up(delta, number):
                self.is_simple = False
                self._combine(delta, number)

    def _give_up(self, delta: Delta, number: int) -> bool:
        """Meet a demand with a free direction; False where none has to do with it."""
        offered = [(len(one), at) for at, one in enumerate(self.free) if value(one, delta)]
        if not offered:
            return False
        given = self.free.pop(min(offered)[1])
        height = value(given, delta)
        if height < 0:
            given, height = {at: -weight for at, weight in given.items()}, -height
        bit = 1 << number
        self.free = [_levelled(one, value(one, delta), given, height) for one in self.free]
        self.rays = [(_levelled(one, value(one, delta), given, height), just | bit) for one, just in self.rays]
        self.rays.append((given, bit - 1))
        return True

    def _combine(self, delta: Delta, number: int) -> None:
        """Cut what a demand forbids off the cone: new rays lie between one that meets it and one that does not."""
        bit = 1 << number
        kept: list[tuple[Weights, int]] = []
        above: list[tuple[Weights, int, int]] = []
        below: list[tuple[Weights, int, int]] = []
        for one, just in self.rays:
            height = value(one, delta)
            if height > 0:
                above.append((one, just, height))
                kept.append((one, just))
            elif height < 0:
                below.append((one, just, -height))
            else:
                kept.append((one, just | bit))
        pairs = [(just & other, one, up, two, down) for one, just, up in above for two, other, down in below]
        pairs.sort(key=lambda pair: -pair[0].bit_count())
        for common, one, up, two, down in pairs[:MOST_PAIRS]:
            # Two rays are neighbours where no third one only just meets all that both of them only just meet.
            if sum(common & just == common for _, just in self.rays) == 2:
                kept.append((_sum(one, down, two, up), common | bit))
        self.rays = kept if len(kept) <= MOST_RAYS else sorted(kept, key=lambda one: len(one[0]))[:MOST_RAYS]


def _direction(delta: Delta) -> Delta:
    """A delta without a common factor: three steps at once demand what one does."""
    factor = gcd(*(d for _, d in delta))
    return tuple((at, d // factor) for at, d in delta) if factor > 1 else delta


def value(weights: Weights, delta: Delta) -> int:
    """By how much an edge with this delta raises a sum."""
    return sum([weights[at] * d for at, d in delta if at in weights])


def _levelled(one: Weights, height: int, given: Weights, unit: int) -> Weights:
    """A vector without its height, which is that of so many of the given one."""
    return one if not height else _sum(one, unit, given, -height)


def _sum(one: Weights, times: int, other: Weights, factor: int) -> Weights:
    """A combination of two vectors, without a common factor."""
    result = {at: times * weight for at, weight in one.items()}
    for at, weight in other.items():
        total = result.get(at, 0) + factor * weight
        if total:
            result[at] = total
        else:
            result.pop(at, None)
    divisor = gcd(*result.values()) if result else 1
    return {at: weight // divisor for at, weight in result.items()} if divisor > 1 else result


def rays(deltas: Sequence[Delta], freed: Iterable[int] = ()) -> list[Weights]:
    """Sums that no class lowers, save the `freed` ones; each of them raises some class. There may be more."""
    free = frozenset(freed)
    kept = [delta for number, delta in enumerate(deltas) if number not in free and delta]
    found = Cone(kept)
    raising = [one for one, _ in found.rays if any(value(one, delta) for delta in kept)]
    lifted = [one for one in found.free if any(value(one, deltas[number]) for number in free)]
    return raising + [_signed(one, deltas, free) for one in lifted]


def _signed(one: Weights, deltas: Sequence[Delta], freed: frozenset[int]) -> Weights:
    """A direction that only freed classes notice, such that it raises them."""
    total = sum(value(one, deltas[number]) for number in freed)
    return one if total >= 0 else {at: -weight for at, weight in one.items()}


def is_monotone(weights: Weights, deltas: Iterable[Delta]) -> bool:
    """Whether no class lowers the sum: exact, and all that a proof says."""
    return all(value(weights, delta) >= 0 for delta in deltas)
