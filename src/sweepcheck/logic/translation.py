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
        self._known: dict[Temporal, list[Way]] = {}  # the ways of single formulas

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

    def _ways(self, now: Iterable[Temporal]) -> list[Way]:
        """The ways to make all of these true. Each is there once: formulas often come to the same in many ways."""
        found = [Way(0, 0, frozenset(), 0)]
        for node in now:
            if node not in self._known:
                self._known[node] = list(dict.fromkeys(self._split(node)))
            joined = (_joined(one, other) for one in found for other in self._known[node])
            found = list(dict.fromkeys(way for way in joined if not way.needs & way.forbids))
            if len(found) > 64 * MOST_WAYS:
                raise self._too_large("one of its states can go on in too many ways")
        return found

    def _split(self, node: Temporal) -> Iterator[Way]:
        """The ways to make one formula true, those first that leave the most for later."""
        parts, nothing = node.parts, frozenset[Temporal]()
        match node.op:
            case Op.TRUE:
                yield Way(0, 0, nothing, 0)
            case Op.FALSE:
                return
            case Op.PROPOSITION:
                yield Way(self._bits[node], 0, nothing, 0)  # type: ignore[index]
            case Op.NOT:
                yield Way(0, self._bits[parts[0]], nothing, 0)  # type: ignore[index]
            case Op.NEXT:
                yield Way(0, 0, frozenset(_conjuncts(parts[0])), 0)
            case Op.AND:
                yield from self._ways(parts)
            case Op.OR:
                yield from self._ways(parts[1:])
                yield from self._ways(parts[:1])
            case Op.UNTIL:
                put_off = Way(0, 0, frozenset({node}), self._marks[node])
                yield from (_joined(put_off, way) for way in self._ways(parts[:1]))
                yield from self._ways(parts[1:])
            case _:
                goes_on = Way(0, 0, frozenset({node}), 0)
                yield from (_joined(goes_on, way) for way in self._ways(parts[1:]))
                yield from self._ways(parts)

    def _without_weaker(self, ways: list[Way]) -> Iterator[Way]:
        """Without those that ask for all that another one asks for: whatever they accept, that one does."""
        if len(ways) > MOST_WAYS:
            raise self._too_large(f"one of its states can go on in more than {MOST_WAYS:,} ways")
        for one in ways:
            if not any(other != one and _asks_less(other, one) for other in ways):
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


def _joined(one: Way, other: Way) -> Way:
    return Way(
        one.needs | other.needs, one.forbids | other.forbids, one.later | other.later, one.put_off | other.put_off
    )


def _asks_less(one: Way, other: Way) -> bool:
    return (
        one.needs & other.needs == one.needs
        and one.forbids & other.forbids == one.forbids
        and one.put_off & other.put_off == one.put_off
        and one.later <= other.later
    )
