"""Progress values as the core knows them: by number, each in its place among those met before."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from operator import getitem
from typing import Any

from sweepcheck._core import materialise
from sweepcheck.core.measure import Measure
from sweepcheck.engines.antichain import Antichain
from sweepcheck.engines.progress import disorder, guarded, irreflexive, leq, parts_of

AddValue = Callable[[int, int | None], int]  # part, the value below: the number of a new value


class Ranking:
    """Numbers of values, least rank first, in runs short enough to insert into: values may come in any order."""

    LONGEST = 1024

    def __init__(self) -> None:
        self._runs: list[tuple[list[Any], list[int]]] = []  # ranks, numbers; no run is empty
        self._last: list[Any] = []  # the last rank of each run

    def add(self, rank: Any, number: Callable[[int | None], int]) -> int:
        """The number of a new value, which `number` gives for the one that it comes right after."""
        if not self._runs:
            self._runs, self._last = [([], [])], [rank]
        run = min(bisect_left(self._last, rank), len(self._runs) - 1)
        ranks, numbers = self._runs[run]
        at = bisect_left(ranks, rank)
        before = numbers if at else self._runs[run - 1][1] if run else ()
        added = number(before[at - 1] if before else None)
        ranks.insert(at, rank)
        numbers.insert(at, added)
        if len(ranks) > self.LONGEST:
            half = len(ranks) // 2
            self._runs[run : run + 1] = [(ranks[:half], numbers[:half]), (ranks[half:], numbers[half:])]
            self._last.insert(run, ranks[half - 1])
        self._last[run] = self._runs[run][0][-1]
        return added


class PartValues:
    """The values met of one part of a measure, and their order.

    In a total order every value has a place among all others; values of a part of several have one by their ranks.
    """

    def __init__(self, measure: Measure, by_rank: bool) -> None:
        self.measure = measure
        self._ranked = by_rank or measure.order.total
        self.values: list[Any] = []
        self.numbers: dict[Any, int] = {}
        self._ranking = Ranking()

    def insert(self, value: Any, add: Callable[[int | None], int]) -> int:
        """The number of a new value, which `add` gives for the one that it comes right after."""
        if not self.measure.order.admits(value) or irreflexive(self.measure, value):
            raise TypeError("no place in the order")  # the state is measured again in Python, which says more
        number = self._rank(value, add) if self._ranked else add(None)
        self.numbers[value] = number
        self.values.append(value)
        return number

    def _rank(self, value: Any, add: Callable[[int | None], int]) -> int:
        rank = self.measure.order.rank
        assert rank is not None  # a total order has one, and others are not ranked
        try:
            return self._ranking.add(rank(value), add)
        except TypeError:
            for known in self.values:
                leq(self.measure, value, known)
            raise


class ProgressValues:
    """The progress values met, part by part. A measure that is not taken apart has one, whose values are layers."""

    def __init__(self, measure: Measure, by_parts: bool, add: AddValue) -> None:
        self._parts = [PartValues(part, by_parts) for part in (parts_of(measure) if by_parts else (measure,))]
        self._single = not by_parts or not measure.parts
        self._add = add
        self._waiting: set[int] = set()
        self._antichain = Antichain(measure)

    def place(self, index: int, value: Any) -> int:
        """The number of a value of a part; a new one gets its place among those met before."""
        value = plain(value)
        part = self._parts[index]
        number = part.numbers.get(value)
        if number is None:
            number = part.insert(value, lambda below: self._add(index, below))
        return number

    def values_of(self, index: int) -> list[Any]:
        """The values of a part, by number."""
        return self._parts[index].values

    def count(self, index: int, values: int) -> None:
        """The values of a part are known in advance: the numbers from 0 on, in their order."""
        self._parts[index].values = list(range(values))

    def leq(self, index: int, one: int, other: int) -> bool:
        """Whether one value of a part is at most another."""
        part = self._parts[index]
        return leq(part.measure, part.values[one], part.values[other])

    def value(self, numbers: Sequence[int]) -> Any:
        """The progress value that these numbers, one for each part, stand for."""
        value = tuple(map(getitem, [part.values for part in self._parts], numbers))
        return value[0] if self._single else value

    def minimal(self, numbers: Sequence[int]) -> int:
        """One of the layers with no other of them strictly below it; the same one as the reference engine takes."""
        layers = self._parts[0]
        rank = layers.measure.order.rank
        if rank is not None:
            return min(numbers, key=lambda number: rank(layers.values[number]))
        return layers.numbers[self._minimal_now(numbers)]

    def _minimal_now(self, numbers: Sequence[int]) -> Any:
        """Of the layers that wait now: those that came and went since the last time change the antichain."""
        values = self._parts[0].values
        now = set(numbers)
        for number in self._waiting - now:
            self._antichain.remove(values[number])
        for number in now - self._waiting:
            self._antichain.add(values[number])
        self._waiting = now
        return self._antichain.least()

    def disorder(self, number: int) -> None:
        """A step led up to a layer that was minimal before: say which values are not in order."""
        layers = self._parts[0]
        raise disorder(layers.measure, guarded(layers.measure), layers.values[number], layers.values)


def plain(value: Any) -> Any:
    """A progress value without the views of bags, queues and arrays that a measure may have put into tuples."""
    return tuple(map(plain, value)) if type(value) is tuple else materialise(value)
