"""Transitions that only count black tokens: numbers say all that they do, and engines need not run them."""

from __future__ import annotations

import ast
from array import array
from collections.abc import Iterator, Mapping

from sweepcheck.core.counting import ArcKind, CountNet
from sweepcheck.models.net.colours import UNIT
from sweepcheck.models.net.hierarchy import FlatNet, FlatPlace, FlatTransition
from sweepcheck.models.net.inscription import Expression, Tokens
from sweepcheck.models.net.structure import Arc

MOST = (1 << 32) - 1  # tokens that an arc can be about: larger numbers are Python's


def count_net(flat: FlatNet, singles: set[FlatPlace]) -> CountNet | None:
    """The places of black tokens, and the transitions whose arcs all move a fixed number of those; None without any.

    Places that always hold one token are left out: nothing depends on them.
    """
    counted = [one for one in flat.places if one.colour.contains is UNIT.contains and not one.colour.timed]
    numbers = {one: number for number, one in enumerate(one for one in counted if one not in singles)}
    steady = frozenset(counted) & singles
    actions: list[int] = []
    arcs = array("I")
    for number, one in enumerate(flat.transitions):
        counts = _counted(one, numbers, steady)
        rows = [] if counts is None else list(counts.rows())
        if counts is None or any(count > MOST for _, _, count in rows):
            continue
        for kind, place, count in rows:
            arcs.extend((len(actions), kind, place, count))
        actions.append(number)
    if not actions:
        return None
    places, initial = tuple(one.name for one in numbers), tuple(len(one.initial) for one in numbers)
    return CountNet(places, initial, tuple(actions), arcs.tobytes())


def _counted(flat: FlatTransition, numbers: Mapping[FlatPlace, int], steady: frozenset[FlatPlace]) -> _Counts | None:
    transition = flat.transition
    if transition.guard or transition.let or transition.free or transition.delay is not None:
        return None
    counts, limited = _Counts(), {}
    for arc in transition.arcs:
        place = flat.places[arc.place]
        if place in steady:
            continue
        if place not in numbers or not counts.add(numbers[place], arc, _count(arc)):
            return None
        if place.capacity is not None:
            limited[numbers[place]] = place.capacity
    possible = all(counts.limit(number, capacity) for number, capacity in limited.items())
    return counts if possible else None


class _Counts:
    """The arcs of one transition, added up by place."""

    __slots__ = ("inhibits", "puts", "resets", "takes", "tests")

    def __init__(self) -> None:
        self.takes: dict[int, int] = {}
        self.tests: dict[int, int] = {}
        self.puts: dict[int, int] = {}
        self.inhibits: dict[int, int] = {}
        self.resets: set[int] = set()

    def add(self, place: int, arc: Arc, count: int | None) -> bool:
        """One more arc; False where no number says what it does."""
        if arc.kind == "reset":
            self.resets.add(place)
        elif count is None or (arc.kind == "inhibit" and count == 0):
            return False
        elif arc.kind == "inhibit":  # of several the least decides
            self.inhibits[place] = min(count, self.inhibits.get(place, count))
        elif arc.kind == "test":  # two of them may find the same tokens
            self.tests[place] = max(count, self.tests.get(place, 0))
        else:
            sums = self.takes if arc.kind == "take" else self.puts
            sums[place] = sums.get(place, 0) + count
        return True

    def limit(self, place: int, capacity: int) -> bool:
        """A place may hold no more than so many tokens; False where that rules the transition out for good."""
        put = self.puts.get(place, 0)
        if place in self.resets:
            return put <= capacity
        growth = put - self.takes.get(place, 0)
        if growth > capacity:
            return False
        if growth > 0:
            most = capacity - growth + 1
            self.inhibits[place] = min(most, self.inhibits.get(place, most))
        return True

    def rows(self) -> Iterator[tuple[ArcKind, int, int]]:
        """All of it. What is tested is beside what is taken, and stays unless the place is emptied."""
        takes, puts = self.takes, self.puts
        if self.tests:
            takes, puts = dict(takes), dict(puts)
        for place, count in self.tests.items():
            takes[place] = takes.get(place, 0) + count
            if place not in self.resets:
                puts[place] = puts.get(place, 0) + count
        for kind, counts in ((ArcKind.TAKE, takes), (ArcKind.PUT, puts), (ArcKind.INHIBIT, self.inhibits)):
            yield from ((kind, place, count) for place, count in counts.items() if count)
        yield from ((ArcKind.RESET, place, 1) for place in self.resets)


def _count(arc: Arc) -> int | None:
    """How many black tokens an arc is about; None where that depends on something."""
    if arc.terms is None:  # an inhibitor arc: no token at all
        return 1
    total = 0
    for term in arc.terms:
        if arc.delay is not None or not isinstance(term, Tokens) or term.delay is not None or not _is_black(term.token):
            return None
        count = 1 if term.coefficient is None else _number(term.coefficient)
        if count is None:
            return None
        total += count
    return total


def _is_black(token: Expression) -> bool:
    return isinstance(token.node, ast.Tuple) and not token.node.elts


def _number(coefficient: Expression) -> int | None:
    value = getattr(coefficient.node, "value", None)
    return value if type(value) is int and value >= 0 else None
