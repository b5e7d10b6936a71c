"""What a sweep by a candidate would store, predicted from a sample.

A sampled state is stored from the progress of its least predecessor to its own, and for ever if an edge goes back to
it. The predicted peak is the largest share of the sample that is stored at one moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from sweepcheck.discovery.sample import Sample
from sweepcheck.discovery.token_game import Delta

Weights = dict[int, int]  # of features


@dataclass(frozen=True, slots=True)
class Formula:
    """A sum of features with whole weights, divided by `band` and rounded down."""

    weights: tuple[tuple[int, int], ...]
    band: int = 1

    @classmethod
    def of(cls, weights: Weights, band: int = 1) -> Formula:
        """Without features that do not count."""
        return cls(tuple(sorted((at, weight) for at, weight in weights.items() if weight)), band)

    def raised(self, delta: Delta) -> int:
        """By how much an edge with this delta raises the sum."""
        given = dict(self.weights)
        return sum(given.get(at, 0) * d for at, d in delta)


def progress_of_points(sample: Sample, weights: Sequence[tuple[int, int]]) -> list[int]:
    """The sum of each sampled state."""
    sums = [0] * sample.size
    for feature, weight in weights:
        for at, value in sample.columns[feature]:
            sums[at] += weight * value
    return sums


def peak(sample: Sample, sums: Sequence[int], raised: Sequence[int], band: int = 1) -> float:
    """The share of states stored at the worst moment; `raised` says for each class by how much it raises the sum."""
    starts: list[int] = []
    ends: list[int] = []
    persistent = 0
    for classes, members in sample.groups:
        changes = [raised[one] for one in classes]
        low, high = min(changes, default=0), max(changes, default=0)
        if band == 1:
            if low < 0:
                persistent += len(members)
                continue
            mine = [sums[at] for at in members]
            ends += mine
            starts += [value - high for value in mine] if high > 0 else mine
            continue
        for at in members:
            value = sums[at] // band
            if (sums[at] - low) // band > value:
                persistent += 1
            else:
                ends.append(value)
                starts.append(min(value, (sums[at] - high) // band))
    return (persistent + _most_at_once(starts, ends)) / max(1, sample.size)


def _most_at_once(starts: list[int], ends: list[int]) -> int:
    """How many of these intervals, both ends included, share a point."""
    starts.sort()
    ends.sort()
    most = gone = 0
    count = len(ends)
    for begun, start in enumerate(starts, start=1):
        while gone < count and ends[gone] < start:
            gone += 1
        most = max(most, begun - gone)
    return most


def predicted(sample: Sample, formula: Formula, deltas: Sequence[Delta]) -> float:
    """The predicted peak of a formula, as a share of all states."""
    raised = [formula.raised(delta) for delta in deltas]
    return peak(sample, progress_of_points(sample, formula.weights), raised, formula.band)


@dataclass(frozen=True, slots=True)
class Prediction:
    """A predicted peak, as a share of all states, and how far off it may well be."""

    peak: float
    error: float


def prediction(samples: Sequence[Sample], formula: Formula, deltas: Sequence[Delta]) -> Prediction:
    """The worst that any of the samples says. They and chance disagree by the error."""
    found = [predicted(sample, formula, deltas) for sample in samples]
    worst = max(found)
    chance = max(
        2 * sqrt(share * (1 - share) / max(1, sample.size)) for share, sample in zip(found, samples, strict=True)
    )
    return Prediction(worst, max(chance, worst - min(found)))


def curve(sample: Sample, formula: Formula, deltas: Sequence[Delta], steps: int = 40) -> list[float]:
    """The predicted stored share at equal steps from the least to the largest progress met."""
    raised = [formula.raised(delta) for delta in deltas]
    sums = progress_of_points(sample, formula.weights)
    if not sums:
        return []
    least, largest = min(sums), max(sums)
    stored = [0] * steps

    def step(value: int) -> int:
        return min(steps - 1, (value - least) * steps // (largest - least + 1))

    for classes, members in sample.groups:
        changes = [raised[one] for one in classes]
        low, high = min(changes, default=0), max(changes, default=0)
        for at in members:
            back = (sums[at] - low) // formula.band > sums[at] // formula.band
            first, last = (0, steps - 1) if back else (step(max(least, sums[at] - max(high, 0))), step(sums[at]))
            for position in range(first, last + 1):
                stored[position] += 1
    return [one / sample.size for one in stored]
