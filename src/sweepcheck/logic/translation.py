"""From an LTL formula to an automaton that accepts the runs it is true of (Couvreur's tableau, marks on edges).

A state is a set of formulas that have to be true from now on. One step splits them into what the letter has to say,
what has to be true from the next position on, and which `U` are put off. There is a mark for each `U`: on the edges
that do not put it off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sweepcheck.core.automaton import Automaton, AutomatonEdge
from sweepcheck.core.temporal import TRUE, Op, Temporal, propositions
from sweepcheck.errors import RequestError, clip
from sweepcheck.logic.normal import positive, refuse_quantifiers
from sweepcheck.logic.reduction import reduced

MOST_STATES = 2_000
MOST_EDGES = 20_000
MOST_WAYS = 1_000  # of one state: each is compared with all others
MOST_PROPOSITIONS = 24
MOST_MARKS = 24


class Way(NamedTuple):
    """One way to make formulas true: what it needs and forbids now, what it leaves for later, what it puts off."""

    needs: int
    forbids: int
    later: frozenset[Temporal]
    put_off: int


def translated(given: Temporal) -> Automaton:
    """The automaton of a formula, with simple reductions."""
    refuse_quantifiers(given)
    return reduced(_Tableau(given).automaton())


class _Tableau:
    def __init__(self, given: Temporal) -> None:
        formula, named = positive(given), propositions(given)
        self._given, self._formula = given, formula
        self._propositions = named
        self._bits = {one: 1 << number for number, one in enumerate(named)}
        awaited = dict.fromkeys(node for node in formula.walk() if node.op is Op.UNTIL)
        self._marks = {node: 1 << number for number, node in enumerate(awaited)}
        if len(named) > MOST_PROPOSITIONS or len(self._marks) > MOST_MARKS:
            raise self._too_large(f"it has more than {MOST_PROPOSITIONS} propositions or {MOST_MARKS} untils")
        self._edges = 0

    def automaton(self) -> Automaton:
        start = frozenset(_conjuncts(self._formula))
        numbers: dict[frozenset[Temporal], int] = {start: 0}
        waiting = [start]
        edges: list[tuple[AutomatonEdge, ...]] = []
        every = (1 << len(self._marks)) - 1
        for now in waiting:
            ways = list(self._without_weaker(self._ways(now)))
            self._edges += len(ways)
            for way in ways:
                if way.later not in numbers:
                    numbers[way.later] = len(numbers)
                    waiting.append(way.later)
            edges.append(tuple(AutomatonEdge(w.needs, w.forbids, numbers[w.later], every & ~w.put_off) for w in ways))
            if len(numbers) > MOST_STATES or self._edges > MOST_EDGES:
                raise self._too_large(f"it needs more than {MOST_STATES:,} states or {MOST_EDGES:,} edges")
        return Automaton(self._propositions, (0,), tuple(edges), len(self._marks))

    def _ways(self, now: frozenset[Temporal]) -> Iterator[Way]:
        """All ways to make these true, some of them more than once."""
        waiting = [(tuple(now), Way(0, 0, frozenset(), 0))]
        made = 0
        while waiting:
            todo, way = waiting.pop()
            if not todo:
                made += 1
                if made > 64 * MOST_WAYS:
                    raise self._too_large("one of its states can go on in too many ways")
                yield way
                continue
            for first, then in self._split(todo[0], way):
                waiting.append(((*first, *todo[1:]), then))

    def _split(self, node: Temporal, way: Way) -> Iterator[tuple[tuple[Temporal, ...], Way]]:
        """The ways to make one formula true: what is left to do now, and the way so far."""
        match node.op:
            case Op.TRUE:
                yield (), way
            case Op.FALSE:
                return
            case Op.PROPOSITION:
                bit = self._bits[node]  # type: ignore[index]
                if not way.forbids & bit:
                    yield (), way._replace(needs=way.needs | bit)
            case Op.NOT:
                bit = self._bits[node.parts[0]]  # type: ignore[index]
                if not way.needs & bit:
                    yield (), way._replace(forbids=way.forbids | bit)
            case Op.NEXT:
                yield (), way._replace(later=way.later | set(_conjuncts(node.parts[0])))
            case Op.AND:
                yield node.parts, way
            case Op.OR:
                yield (node.parts[0],), way
                yield (node.parts[1],), way
            case Op.UNTIL:
                yield (node.parts[1],), way
                put_off = way.put_off | self._marks[node]
                yield (node.parts[0],), way._replace(later=way.later | {node}, put_off=put_off)
            case _:
                yield node.parts, way
                yield (node.parts[1],), way._replace(later=way.later | {node})

    def _without_weaker(self, ways: Iterable[Way]) -> Iterator[Way]:
        """Without those that ask for all that another one asks for: whatever they accept, that one does."""
        distinct = list(dict.fromkeys(ways))
        if len(distinct) > MOST_WAYS:
            raise self._too_large(f"one of its states can go on in more than {MOST_WAYS:,} ways")
        for one in distinct:
            if not any(other != one and _asks_less(other, one) for other in distinct):
                yield one

    def _too_large(self, why: str) -> RequestError:
        return RequestError(
            "SC414",
            f"{clip(str(self._given), 200)!r} is too large for an automaton: {why}",
            suggestion="ask for its parts one by one: a conjunction holds if all its parts do;\n"
            "or give what is said of single states a predicate of its own",
        )


def _conjuncts(node: Temporal) -> Iterator[Temporal]:
    if node.op is Op.AND:
        for part in node.parts:
            yield from _conjuncts(part)
    elif node != TRUE:
        yield node


def _asks_less(one: Way, other: Way) -> bool:
    return (
        one.needs & other.needs == one.needs
        and one.forbids & other.forbids == one.forbids
        and one.put_off & other.put_off == one.put_off
        and one.later <= other.later
    )
