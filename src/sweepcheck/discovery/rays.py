"""Monotone measures: all sums of features that no edge lowers, as combinations of a few (its rays).

Let d be the change that an edge of a class makes, and y = w.d what it adds to a measure w. The vectors y that belong to
some w are those that satisfy K y = 0 for each relation K between the classes (in a net: a T-invariant). Those without a
negative entry are combinations of elementary ones, which Farkas' algorithm makes relation by relation. All of it is done
in whole numbers, so that what comes out is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd

from sweepcheck.discovery.prediction import Weights
from sweepcheck.discovery.sample import Delta

MOST_RAYS = 600  # kept between two relations; beyond it those with many classes are dropped
Row = dict[int, int]


def _reduced(row: Row) -> Row:
    """Without a common divisor."""
    divisor = gcd(*row.values()) if row else 1
    return {at: value // divisor for at, value in row.items()} if divisor > 1 else row


def _combined(one: Row, factor: int, other: Row, times: int) -> Row:
    """`factor` of the one row and `times` of the other."""
    result = {at: factor * value for at, value in one.items()}
    for at, value in other.items():
        total = result.get(at, 0) + times * value
        if total:
            result[at] = total
        else:
            result.pop(at, None)
    return result


class Elimination:
    """The changes of all classes in echelon form; each row is known as a combination of classes."""

    def __init__(self, deltas: Sequence[Delta]) -> None:
        self.pivots: list[tuple[int, Row, Row]] = []  # a feature, the row that ends with it, the classes in it
        self.relations: list[Row] = []
        by_feature: dict[int, int] = {}
        used = Counter(at for delta in deltas for at, _ in delta)  # pivots that few classes change keep rows short
        for number, delta in enumerate(deltas):
            row, classes = dict(delta), {number: 1}
            while row:
                feature = self._next_pivot(row, by_feature)
                if feature is None:
                    break
                _, pivot, of = self.pivots[by_feature[feature]]
                a, b = pivot[feature], -row[feature]
                if a < 0:
                    a, b = -a, -b
                row, classes = _combined(row, a, pivot, b), _combined(classes, a, of, b)
                divisor = gcd(*row.values(), *classes.values())
                row = {at: value // divisor for at, value in row.items()}
                classes = {at: value // divisor for at, value in classes.items()}
            if row:
                feature = min(row, key=lambda at: (used[at], abs(row[at]), -row[at], at))
                by_feature[feature] = len(self.pivots)
                self.pivots.append((feature, row, classes))
            else:
                self.relations.append(classes)

    @staticmethod
    def _next_pivot(row: Row, by_feature: dict[int, int]) -> int | None:
        """The feature of the earliest row that has something to eliminate here."""
        known = [at for at in row if at in by_feature]
        return min(known, key=by_feature.__getitem__) if known else None

    def weights(self, wanted: Row) -> Weights:
        """Weights that raise each class by what is wanted, or by a multiple of it; `wanted` obeys the relations."""
        found: dict[int, Fraction | int] = {}
        for feature, row, classes in reversed(self.pivots):
            total: Fraction | int = sum([classes[one] * value for one, value in wanted.items() if one in classes])
            total -= sum([value * found[at] for at, value in row.items() if at in found])
            if total:
                found[feature] = total // row[feature] if total % row[feature] == 0 else Fraction(total) / row[feature]
        scale = 1
        for one in found.values():
            scale = scale * one.denominator // gcd(scale, one.denominator)
        return _reduced({at: int(one * scale) for at, one in found.items()})


def related(deltas: Sequence[Delta]) -> set[int]:
    """The classes that some relation has in it: freeing another one changes nothing."""
    return {one for relation in Elimination(deltas).relations for one in relation}


def rays(deltas: Sequence[Delta], freed: Iterable[int] = ()) -> list[Weights]:
    """Sums that no class lowers, save the `freed` ones: elementary ones, of which all others are combinations.

    There may be more than are returned.
    """
    free = frozenset(freed)
    kept = [number for number in range(len(deltas)) if number not in free]
    found = Elimination([deltas[number] for number in kept])
    return [found.weights(ray) for ray in _farkas(found.relations, len(kept))]


def _farkas(relations: Sequence[Row], count: int) -> list[Row]:
    """The elementary solutions of all relations without negative entries."""
    rows: list[Row] = [{number: 1} for number in range(count)]
    left = list(relations)
    while left and rows:
        relation = min(left, key=lambda one: _pairs(rows, one))
        left.remove(relation)
        values = [sum(times * row.get(at, 0) for at, times in relation.items()) for row in rows]
        found = [row for row, value in zip(rows, values, strict=True) if not value]
        ups = [(row, value) for row, value in zip(rows, values, strict=True) if value > 0]
        downs = [(row, -value) for row, value in zip(rows, values, strict=True) if value < 0]
        ups, downs = ups[:MOST_RAYS], downs[:MOST_RAYS]
        new = [_reduced(_combined(up, low, down, high)) for up, high in ups for down, low in downs]
        rows = _minimal([*found, *new])
    return rows


def _pairs(rows: Sequence[Row], relation: Row) -> int:
    signs = [sum(times * row.get(at, 0) for at, times in relation.items()) for row in rows]
    return sum(value > 0 for value in signs) * sum(value < 0 for value in signs)


def _minimal(rows: Sequence[Row]) -> list[Row]:
    """Rows whose classes no other row's are part of; at most so many, those with few classes first."""
    kept: list[tuple[int, Row]] = []
    for row in sorted(rows, key=len):
        bits = sum(1 << at for at in row)
        if not any(other & bits == other for other, _ in kept):
            kept.append((bits, row))
            if len(kept) >= MOST_RAYS:
                break
    return [row for _, row in kept]


def is_monotone(weights: Weights, deltas: Iterable[Delta]) -> bool:
    """Whether no class lowers the sum: exact, and all that a proof says."""
    return all(sum(weights.get(at, 0) * d for at, d in delta) >= 0 for delta in deltas)
