"""Progress values as the native engine knows them: by number, in the order that its callbacks give them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from sweepcheck._core import Explorer, materialise
from sweepcheck.core.measure import Measure
from sweepcheck.core.plan import Plan
from sweepcheck.engines.progress import disorder, first_minimal, guarded, irreflexive, leq


def parts_of(measure: Measure) -> tuple[Measure, ...]:
    """The components of a measure; one without components is a product of itself."""
    return measure.parts or (measure,)


class PartValues:
    """The values met of each component of a product measure, by number, and their order."""

    def __init__(self, measure: Measure, explorer: Explorer) -> None:
        self.single = not measure.parts
        self._parts = parts_of(measure)
        self._explorer = explorer
        self._values: list[list[Any]] = [[] for _ in self._parts]
        self._numbers: list[dict[Any, int]] = [{} for _ in self._parts]
        self._sorted: list[list[int]] = [[] for _ in self._parts]  # numbers, least rank first

    def place(self, index: int, value: Any) -> int:
        """The number of a component's value; a new one gets its place in the total order of its ranks."""
        value = plain(value)
        number = self._numbers[index].get(value)
        if number is None:
            order, values, known = self._parts[index].order, self._values[index], self._sorted[index]
            if not order.admits(value) or order.rank is None:
                raise TypeError("no place in the order")  # the state is measured again in Python, which says more
            rank = order.rank
            position = bisect_left(known, rank(value), key=lambda number: rank(values[number]))
            number = self._explorer.add_part_value(index, known[position - 1] if position else None)
            known.insert(position, number)
            values.append(value)
            self._numbers[index][value] = number
        return number

    def count(self, index: int, values: int) -> None:
        """The values of a component are known in advance: the numbers from 0 on, in their order."""
        self._values[index] = list(range(values))

    def leq(self, index: int, one: int, other: int) -> bool:
        """Whether one value of a component is at most another."""
        return leq(self._parts[index], self._values[index][one], self._values[index][other])

    def value(self, numbers: Sequence[int]) -> Any:
        """The progress value that these numbers stand for; None before there is any."""
        if not numbers:
            return None
        value = tuple(values[number] for values, number in zip(self._values, numbers, strict=True))
        return value[0] if self.single else value

    def __len__(self) -> int:
        return len(self._parts)


class Layers:
    """The progress values met, by number, and their order."""

    def __init__(self, measure: Measure, explorer: Explorer) -> None:
        self.measure = measure
        self.values: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self._sorted: list[int] = []  # total orders: numbers, least value first
        self._explorer = explorer

    def place(self, value: Any) -> int:
        """The number of a progress value; a new one gets its place among those met before."""
        value = plain(value)
        number = self._numbers.get(value)
        if number is None:
            if not self.measure.order.admits(value) or irreflexive(self.measure, value):
                raise TypeError("no place in the order")  # the state is measured again in Python, which says more
            below = None
            position = 0
            if self.measure.order.total:
                position = self._position(value)
                below = self._sorted[position - 1] if position else None
            number = self._explorer.add_layer(below)
            self._numbers[value] = number
            self.values.append(value)
            self._sorted.insert(position, number)
        return number

    def _position(self, value: Any) -> int:
        known = self._sorted
        if known and not leq(self.measure, value, self.values[known[-1]]):
            return len(known)  # most new values are the largest yet
        try:
            return bisect_left(known, value, key=self.values.__getitem__)
        except TypeError:
            for number in known:
                leq(self.measure, value, self.values[number])
            raise

    def leq(self, one: int, other: int) -> bool:
        """Whether one progress value is at most another."""
        return leq(self.measure, self.values[one], self.values[other])

    def disorder(self, number: int) -> None:
        """A step led up to a value that was minimal before: say which values are not in order."""
        raise disorder(self.measure, guarded(self.measure), self.values[number], self.values)

    def minimal(self, numbers: Sequence[int]) -> int:
        """One of the values with no other of them strictly below it; the same one as the reference engine takes."""
        rank = self.measure.order.rank
        if rank is not None:
            return min(numbers, key=lambda number: rank(self.values[number]))
        return self._numbers[first_minimal(self.measure, guarded(self.measure), map(self.values.__getitem__, numbers))]


def by_parts(plan: Plan, measure: Measure) -> bool:
    """Whether states are told apart by the components of a product measure, without layers.

    What is asked about cycles is answered layer by layer.
    """
    if plan.strategy.order == "column":
        return True
    return bool(measure.parts) and measure.order.rank is not None and not plan.about_cycles


def plain(value: Any) -> Any:
    """A progress value without the views of bags, queues and arrays that a measure may have put into tuples."""
    return tuple(map(plain, value)) if type(value) is tuple else materialise(value)
