"""The canonical form of a state: one and the same for all states that differ only in the names of members.

Where members are no values and all may change names, sorting is exact: a member is its column, what the arrays have for
it. Otherwise columns are not all there is to know: members are partitioned by what the state says of each, again
and again, until that tells no more of them apart; then one of those left is singled out, each in turn, and the least of
the states that come of it is the form. Members whose exchange leaves the state as it is need not both be tried.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby, product
from typing import Any

from sweepcheck.core.values import SortKey, sort_key
from sweepcheck.models.symmetry.shape import NOWHERE, Indexed, IndexSet, Renaming, Shape

Row = tuple[Any, ...]
Ranks = dict[IndexSet, list[int]]  # by position: how many members of the set come certainly before


class Order:
    """A total order of values: by their sort keys, and values with one key as they were met."""

    def __init__(self) -> None:
        self._known: dict[Hashable, SortKey] = {}

    def key(self, value: Hashable) -> SortKey:
        """A key that no other value has."""
        found = self._known.get(value)
        if found is None:
            found = self._known[value] = (sort_key(value), len(self._known))
        return found


class Canonical:
    """The canonical form of states whose variables have these shapes."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self._shapes = [(number, shape) for number, shape in enumerate(shapes) if shape is not NOWHERE]
        sets = dict.fromkeys(one for _, shape in self._shapes for one in sorted_sets(shape))
        self.sets = tuple(sets)
        self._permuted = [one for one in sets if not one.rotation]
        self._rotated = [one for one in sets if one.rotation]
        # Whether a variable has members as values, so that one member is known by another.
        self._related = [(number, shape) for number, shape in self._shapes if not _is_column(shape)]
        self._columns: dict[IndexSet, list[tuple[int, Shape]]] = {one: [] for one in sets}
        for number, shape in self._shapes:
            if isinstance(shape, Indexed):
                self._columns[shape.by].append((number, shape.element))
        self._order = Order()

    @property
    def form(self) -> str:
        """How the form is found, for the report."""
        words = []
        if self._permuted:
            words.append("refined and tried" if self._related else "sorted")
        if self._rotated:
            words.append("the least rotation")
        return ", ".join(words)

    @property
    def origin(self) -> str:
        """Whose names may change, for the report."""
        return "symmetry of " + " and ".join(f"{one} by rotation" if one.rotation else str(one) for one in self.sets)

    def __call__(self, state: Any) -> Row:
        forms = [self._sorted(one) for one in self._rotations(state)]
        return forms[0] if len(forms) == 1 else min(forms, key=self._key)

    def renamed(self, state: Row, renaming: Renaming) -> Row:
        """The state when members are called otherwise."""
        values = list(state)
        for number, shape in self._shapes:
            values[number] = shape.renamed(values[number], renaming)
        return tuple(values)

    def renamings(self) -> Iterator[Renaming]:
        """Renamings that generate all others: exchange the first two members, or move all on by one."""
        same = {one: range(len(one)) for one in self.sets}
        for one in self.sets:
            size = len(one)
            if size > 1:
                yield same | {one: [*range(1, size), 0]}
            if size > 2 and not one.rotation:
                yield same | {one: [1, 0, *range(2, size)]}

    def _key(self, state: Row) -> list[SortKey]:
        return [self._order.key(state[number]) for number, _ in self._shapes]

    # -- rotations ---------------------------------------------------------------------------------------------------

    def _rotations(self, state: Row) -> Iterator[Row]:
        """The state in all rotations that may be least: those whose columns are."""
        if not self._rotated:
            yield state
            return
        same: dict[IndexSet, Sequence[int]] = {one: range(len(one)) for one in self.sets}
        for shifts in product(*(self._least_rotations(state, one) for one in self._rotated)):
            moved = dict(same)
            for one, shift in zip(self._rotated, shifts, strict=True):
                moved[one] = [(position - shift) % len(one) for position in range(len(one))]
            yield self.renamed(state, moved) if any(shifts) else state

    def _least_rotations(self, state: Row, one: IndexSet) -> list[int]:
        """Which members can be the first: those from which on the columns are least."""
        keys = self._column_keys(state, one)
        size = len(keys)
        turned = [keys[shift:] + keys[:shift] for shift in range(size)]
        least = min(turned)
        found = [shift for shift in range(size) if turned[shift] == least]
        return found if self._related else found[:1]

    # -- permutations ------------------------------------------------------------------------------------------------

    def _sorted(self, state: Row) -> Row:
        """The form under permutations, members of rotated sets being what they are."""
        if not self._permuted:
            return state
        ranks: Ranks = {one: list(range(len(one))) for one in self._rotated}
        for one in self._permuted:
            ranks[one] = _ranked(self._column_keys(state, one))
        if not self._related:
            return self._named(state, ranks)
        forms = {self._named(state, leaf) for leaf in self._leaves(state, ranks)}
        return forms.pop() if len(forms) == 1 else min(forms, key=self._key)

    def _column_keys(self, state: Row, one: IndexSet) -> list[SortKey]:
        """What the arrays have for each member, whatever other members are called."""
        blank = {other: [0] * len(other) for other in self.sets}
        keys = [
            [self._order.key(part) if shape is NOWHERE else shape.masked(part, blank) for part in state[number]]
            for number, shape in self._columns[one]
        ]
        return list(zip(*keys, strict=True)) if keys else [()] * len(one)

    def _named(self, state: Row, ranks: Ranks) -> Row:
        """The state when members are called in the order of their ranks; members of one rank may change places."""
        renaming: dict[IndexSet, list[int]] = {}
        for one, ranked in ranks.items():
            to = renaming[one] = [0] * len(one)
            for position, member in enumerate(sorted(range(len(one)), key=ranked.__getitem__)):
                to[member] = position
        return self.renamed(state, renaming)

    def _leaves(self, state: Row, ranks: Ranks) -> Iterator[Ranks]:
        """All ways to tell members apart as far as they are different, in the order that what is known leaves open."""
        ranks = self._refined(state, ranks)
        for one in self._permuted:
            for cell in _cells(ranks[one]):
                firsts = self._different(state, one, cell)
                if len(firsts) > 1:
                    for first in firsts:
                        ranked = [rank + (at in cell and at != first) for at, rank in enumerate(ranks[one])]
                        yield from self._leaves(state, ranks | {one: ranked})
                    return
        yield ranks

    def _refined(self, state: Row, ranks: Ranks) -> Ranks:
        """Ranks that tell members apart by what the state says of each of them, until that changes nothing."""
        while True:
            finer = dict(ranks)
            for one in self._permuted:
                marks = {other: [2 * rank for rank in ranked] for other, ranked in ranks.items()}
                keys: list[Any] = [(rank,) for rank in ranks[one]]
                for cell in _cells(ranks[one]):
                    for member in cell:
                        marks[one][member] += 1
                        said = [shape.masked(state[number], marks) for number, shape in self._related]
                        keys[member] = (ranks[one][member], said)
                        marks[one][member] -= 1
                finer[one] = _ranked(keys)
            if finer == ranks:
                return ranks
            ranks = finer

    def _different(self, state: Row, one: IndexSet, cell: list[int]) -> list[int]:
        """One of each kind of members of a cell, where two are of a kind if their exchange changes nothing."""
        found: list[int] = []
        same = {other: list(range(len(other))) for other in self.sets}
        for member in cell:
            for first in found:
                swap = list(same[one])
                swap[member], swap[first] = first, member
                if self._unchanged(state, same | {one: swap}):
                    break
            else:
                found.append(member)
        return found

    def _unchanged(self, state: Row, renaming: Renaming) -> bool:
        return all(shape.renamed(state[number], renaming) == state[number] for number, shape in self._shapes)


def sorted_sets(shape: Shape) -> list[IndexSet]:
    """The index sets of a shape in a fixed order."""
    return sorted(shape.sets(), key=lambda one: sort_key(one.members))


def _is_column(shape: Shape) -> bool:
    return isinstance(shape, Indexed) and not shape.element.sets()


def _ranked(keys: Sequence[Any]) -> list[int]:
    """For each key, how many are less."""
    ranks = [0] * len(keys)
    order = sorted(range(len(keys)), key=keys.__getitem__)
    before = 0
    for _, group in groupby(order, key=keys.__getitem__):
        alike = list(group)
        for position in alike:
            ranks[position] = before
        before += len(alike)
    return ranks


def _cells(ranks: Sequence[int]) -> list[list[int]]:
    """The members of one rank, where there are several, in the order of ranks."""
    cells: dict[int, list[int]] = {}
    for position, rank in enumerate(ranks):
        cells.setdefault(rank, []).append(position)
    return [cells[rank] for rank in sorted(cells) if len(cells[rank]) > 1]
