"""Hill climbing: a candidate is changed a little, again and again, and the change is kept if less would be stored.

Candidates are combinations of directions: single features, or rays. With rays and no negative coefficients all of them
are monotone.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sweepcheck.discovery.prediction import Formula, Weights, peak
from sweepcheck.discovery.sample import Sample
from sweepcheck.discovery.token_game import Delta

MOST_WEIGHT = 1 << 12  # fine orders have many layers, and each of them costs
TERM_WORTH = 0.001  # of all states: a direction that saves less is left out
REGRESS_COST = 0.0005  # of the peak, for each class that goes back: of two that store alike the one that repeats less


class Climber:
    """One candidate on its way, on one sample."""

    def __init__(
        self, sample: Sample, deltas: Sequence[Delta], directions: Sequence[Weights], monotone: bool, band: int = 1
    ) -> None:
        self._sample, self._band, self._monotone = sample, band, monotone
        self._directions = directions
        touching: dict[int, list[tuple[int, int]]] = {}
        for number, delta in enumerate(deltas):
            for at, d in delta:
                touching.setdefault(at, []).append((number, d))
        self._points = [_added(direction, sample.columns) for direction in directions]
        self._classes = [_added(direction, touching) for direction in directions]
        self.coefficients = [0] * len(directions)
        self._sums = [0] * sample.size
        self._raised = [0] * len(deltas)
        self.cost = 1.0

    def start(self, coefficients: Sequence[int]) -> None:
        """Begin anew with a combination."""
        self.coefficients = [0] * len(self._directions)
        self._sums = [0] * self._sample.size
        self._raised = [0] * len(self._raised)
        for at, value in enumerate(coefficients):
            if value:
                self._sums, self._raised = self._moved(at, value)
                self.coefficients[at] = value
        self.cost = self._cost(self._sums, self._raised)

    def climb(self, attempts: int, random: Random) -> None:
        """Try so many changes."""
        if not self._directions:
            return
        for _ in range(attempts):
            at = random.randrange(len(self._directions))
            change = self._change(self.coefficients[at], random)
            if change == 0:
                continue
            sums, raised = self._moved(at, change)
            cost = self._cost(sums, raised)
            if cost <= self.cost:
                self._sums, self._raised, self.cost = sums, raised, cost
                self.coefficients[at] += change

    def simplify(self) -> None:
        """Leave out every direction that hardly helps."""
        for at, value in enumerate(self.coefficients):
            if value:
                sums, raised = self._moved(at, -value)
                cost = self._cost(sums, raised)
                if cost <= self.cost + TERM_WORTH:
                    self._sums, self._raised, self.cost = sums, raised, cost
                    self.coefficients[at] = 0

    def _change(self, value: int, random: Random) -> int:
        """A change of a coefficient: by one, to nothing, or to the size of another."""
        largest = max(map(abs, self.coefficients))
        options = [value + 1, value - 1, 0, 2 * value, value // 2, -value, largest + 1, 3 * largest]
        other = self.coefficients[random.randrange(len(self.coefficients))]
        options += [other, other + 1, other - 1, value + other]
        new = random.choice(options)
        if (self._monotone and new < 0) or abs(new) > MOST_WEIGHT:
            return 0
        return new - value

    def _moved(self, at: int, change: int) -> tuple[list[int], list[int]]:
        sums, raised = self._sums.copy(), self._raised.copy()
        for point, value in self._points[at]:
            sums[point] += change * value
        for one, value in self._classes[at]:
            raised[one] += change * value
        return sums, raised

    def _cost(self, sums: Sequence[int], raised: Sequence[int]) -> float:
        regressing = sum(one < 0 for one in raised)
        return peak(self._sample, sums, raised, self._band) + REGRESS_COST * regressing

    def formula(self) -> Formula:
        """The combination as weights of features."""
        return combined(self._directions, self.coefficients, self._band)


def combined(directions: Sequence[Weights], coefficients: Sequence[int], band: int = 1) -> Formula:
    """A combination of directions as weights of features."""
    weights: Weights = {}
    for direction, value in zip(directions, coefficients, strict=True):
        if value:
            for at, weight in direction.items():
                weights[at] = weights.get(at, 0) + value * weight
    return Formula.of(weights, band)


def _added(direction: Weights, columns: object) -> list[tuple[int, int]]:
    """What a direction adds to each point, or class: a sparse column."""
    total: dict[int, int] = {}
    for feature, weight in direction.items():
        column = columns.get(feature, ()) if isinstance(columns, dict) else columns[feature]  # type: ignore[index]
        for at, value in column:
            total[at] = total.get(at, 0) + weight * value
    return [(at, value) for at, value in total.items() if value]
