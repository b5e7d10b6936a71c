"""Monotone measures: all sums of features that no edge lowers, as combinations of a few, the rays of a cone.

Each class of edges, with its delta d, demands w.d >= 0 of the weights w. The double description method takes one demand
after the other: while some direction is still free both ways, the demand is met by giving that one up, and later by
combining rays on both sides of it. All is done in whole numbers, so that what comes out is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import gcd

from sweepcheck.discovery.prediction import Weights
from sweepcheck.discovery.token_game import Delta

MOST_RAYS = 256  # kept after a demand; beyond it those that raise many classes are dropped
MOST_TESTS = 300_000  # of two rays with a third one;
UNTESTED = 16  # then so many pairs are combined, neighbours or not
MOST_ADDED = 2_000_000  # entries of vectors that are added up; then vectors that a demand has to do with are dropped
MOST_ENTRY = 1 << 48  # vectors with larger entries are dropped


class Cone:
    """The weights that meet all demands so far: combinations of rays, each at least 0, and of free directions.

    Vectors have numbers, and `_touching` says which of them have a feature: a demand is about few.
    """

    def __init__(self, deltas: Iterable[Delta]) -> None:
        demands = list(dict.fromkeys(map(_direction, deltas)))
        self._left = Counter(at for delta in demands for at, _ in delta)  # demands that are still to come, by feature
        self._vectors: dict[int, Weights] = {}
        self._touching: dict[int, set[int]] = {at: set() for at in self._left}
        self._free: set[int] = set()
        self._raised: dict[int, int] = {}  # of rays: the demands that they more than meet, as bits
        self._tests = self._added = self._last = 0
        self.is_simple = True  # every demand had a direction of its own
        for at in sorted(self._left):
            self._free.add(self._keep({at: 1}))
        for number, delta in enumerate(demands):
            self._left.subtract(at for at, _ in delta)
            self._meet(delta, 1 << number)

    @property
    def rays(self) -> list[Weights]:
        """The rays."""
        return [self._vectors[number] for number in sorted(self._raised)]

    @property
    def free(self) -> list[Weights]:
        """The directions that are free both ways."""
        return [self._vectors[number] for number in sorted(self._free)]

    def _keep(self, vector: Weights) -> int:
        self._last += 1
        self._vectors[self._last] = vector
        for at in vector:
            self._touching[at].add(self._last)
        return self._last

    def _drop(self, number: int) -> Weights:
        vector = self._vectors.pop(number)
        for at in vector:
            self._touching[at].discard(number)
        return vector

    def _meet(self, delta: Delta, bit: int) -> None:
        """One more demand."""
        concerned = sorted(set().union(*(self._touching[at] for at, _ in delta)))
        heights = {number: height for number in concerned if (height := value(self._vectors[number], delta))}
        offered = [number for number in heights if number in self._free]
        if self._added > MOST_ADDED:
            self._filter(heights, bit)
        elif offered:
            self._give_up(min(offered, key=self._load), heights, bit)
        elif heights:
            self.is_simple = False
            self._combine(heights, bit)
        else:
            self.is_simple = False

    def _load(self, number: int) -> tuple[int, int]:
        """How many demands to come a direction has to do with, by its features."""
        vector = self._vectors[number]
        return sum(self._left[at] for at in vector), len(vector)

    def _give_up(self, chosen: int, heights: dict[int, int], bit: int) -> None:
        """Meet a demand with a free direction; all else is brought to its level."""
        self._free.discard(chosen)
        given, unit = self._drop(chosen), heights.pop(chosen)
        if unit < 0:
            given, unit = {at: -weight for at, weight in given.items()}, -unit
        for number, height in heights.items():
            vector = _sum(self._drop(number), unit, given, -height)
            self._added += len(vector)
            fits = max(map(abs, vector.values()), default=0) <= MOST_ENTRY
            if number in self._free:
                self._free.discard(number)
                if fits:
                    self._free.add(self._keep(vector))
            else:
                raised = self._raised.pop(number)
                if fits:
                    self._raised[self._keep(vector)] = raised
        self._raised[self._keep(given)] = bit

    def _filter(self, heights: dict[int, int], bit: int) -> None:
        """Keep what meets a demand as it is."""
        self.is_simple = False
        for number, height in heights.items():
            if number in self._free or height < 0:
                self._drop(number)
                self._free.discard(number)
                self._raised.pop(number, None)
            else:
                self._raised[number] |= bit

    def _combine(self, heights: dict[int, int], bit: int) -> None:
        """Cut what a demand forbids off the cone: new rays lie between one that meets it and one that does not."""
        above = [number for number, height in heights.items() if height > 0]
        below = [number for number, height in heights.items() if height < 0]
        pairs = [(self._raised[one] | self._raised[two], one, two) for one in above for two in below]
        pairs.sort(key=lambda pair: pair[0].bit_count())
        old, new = list(self._raised.values()), []
        for position, (union, one, two) in enumerate(pairs):
            late = self._tests > MOST_TESTS
            if late and position >= UNTESTED:
                break
            # Two rays are neighbours where no third one raises nothing but what one of the two raises.
            self._tests += len(old)
            if late or sum([raised & ~union == 0 for raised in old]) == 2:
                new.append((_sum(self._vectors[one], -heights[two], self._vectors[two], heights[one]), union))
        for one in above:
            self._raised[one] |= bit
        for two in below:
            self._drop(two)
            del self._raised[two]
        for vector, union in new:
            self._raised[self._keep(vector)] = union
        if new:
            self._prune()

    def _prune(self) -> None:
        """Keep rays that raise few classes: others are likely to be combinations."""
        for number in sorted(self._raised, key=lambda one: (self._raised[one].bit_count(), one))[MOST_RAYS:]:
            self._drop(number)
            del self._raised[number]


def _direction(delta: Delta) -> Delta:
    """A delta without a common factor: three steps at once demand what one does."""
    factor = gcd(*(d for _, d in delta))
    return tuple((at, d // factor) for at, d in delta) if factor > 1 else delta


def value(weights: Weights, delta: Delta) -> int:
    """By how much an edge with this delta raises a sum."""
    return sum([weights[at] * d for at, d in delta if at in weights])


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
    raising = found.rays
    lifted = [one for one in found.free if any(value(one, deltas[number]) for number in free)]
    return raising + [_signed(one, deltas, free) for one in lifted]


def _signed(one: Weights, deltas: Sequence[Delta], freed: frozenset[int]) -> Weights:
    """A direction that only freed classes notice, such that it raises them."""
    total = sum(value(one, deltas[number]) for number in freed)
    return one if total >= 0 else {at: -weight for at, weight in one.items()}


def is_monotone(weights: Weights, deltas: Iterable[Delta]) -> bool:
    """Whether no class lowers the sum: exact, and all that a proof says."""
    return all(value(weights, delta) >= 0 for delta in deltas)
