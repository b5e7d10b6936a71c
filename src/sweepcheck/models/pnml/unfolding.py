"""Unfolding: a coloured net as a place/transition net, a place for every colour and a transition for every binding.

Bindings are found by matching input arcs with tokens that their places can hold. A place that only gives back what is
taken holds what it held at first; of any other place all values are tried. Afterwards bindings that need a token which
nothing can bring are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sweepcheck.errors import SweepcheckError
from sweepcheck.models.pnml.document import PnmlArc, PnmlNet, PnmlTransition
from sweepcheck.models.pnml.sorts import Sort
from sweepcheck.models.pnml.terms import (
    Condition,
    Constant,
    Moved,
    Several,
    SubtractionError,
    Sum,
    Term,
    TupleOf,
    Variable,
    conjuncts,
    tokens,
    value_of,
    variables,
)

MOST_TRANSITIONS = 200_000
MOST_STEPS = 10_000_000  # of matching: about ten seconds,
STEPS_EACH = 1_000  # and for each transition that is allowed

Token = tuple[str, Hashable]  # a place, by its id, and a colour
Values = dict[str, Hashable]  # of variables, by their names


class TooLargeError(Exception):
    """The unfolded net would be larger than allowed."""


@dataclass(frozen=True, slots=True)
class UnfoldedTransition:
    """One binding of a transition: the tokens of its arcs, with their numbers."""

    transition: str  # its id
    binding: tuple[tuple[str, Hashable], ...]
    takes: Mapping[Token, int]
    puts: Mapping[Token, int]
    tests: Sequence[Mapping[Token, int]]  # an arc each
    inhibits: Mapping[Token, int]
    resets: frozenset[str]  # places


@dataclass(slots=True)
class Unfolding:
    """An unfolded net: the tokens that can be there at all, those at first, and the bindings."""

    tokens: list[Token] = field(default_factory=list)
    initial: dict[Token, int] = field(default_factory=dict)
    transitions: list[UnfoldedTransition] = field(default_factory=list)


def unfold(net: PnmlNet, most: int = MOST_TRANSITIONS) -> Unfolding:
    """Unfold a net; `TooLargeError` where it would have more than `most` transitions, or take too long."""
    arcs: dict[str, list[PnmlArc]] = {one: [] for one in net.transitions}
    for arc in net.arcs:
        arcs[arc.transition].append(arc)
    initial = {
        (place.id, token): count
        for place in net.places.values()
        if place.marking is not None
        for token, count in tokens(place.marking, {}).items()
        if count
    }
    held = _held(net, arcs, initial)
    budget = _Budget(min(MOST_STEPS, STEPS_EACH * most))
    found: list[UnfoldedTransition] = []
    for transition in net.transitions.values():
        matching = _Matching(transition, arcs[transition.id], held, budget)
        for binding in matching.bindings():
            found.append(_unfolded(net, transition, arcs[transition.id], binding))
            if len(found) > most:
                raise TooLargeError(f"it would have more than {most:,} transitions")
    return _possible(net, initial, found)


def _held(
    net: PnmlNet, arcs: Mapping[str, list[PnmlArc]], initial: Mapping[Token, int]
) -> dict[str, tuple[Hashable, ...]]:
    """The colours that each place can hold, where they are those it held at first."""
    growing = set()
    for group in arcs.values():
        given = [(arc.place, arc.term) for arc in group if arc.takes and arc.kind == "normal"]
        growing |= {arc.place for arc in group if not arc.takes and (arc.place, arc.term) not in given}
    first: defaultdict[str, list[Hashable]] = defaultdict(list)
    for place, token in initial:
        first[place].append(token)
    return {place: tuple(first[place]) for place in net.places if place not in growing}


@dataclass(slots=True)
class _Budget:
    """How many steps of matching are left for the whole net."""

    left: int

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooLargeError(f"its bindings are not found in {MOST_STEPS:,} steps")


class _Input:
    """What a token is matched with, and the tokens by those parts of them that are known when it is looked for."""

    def __init__(self, pattern: Term, values: tuple[Hashable, ...], known: set[str]) -> None:
        self.pattern = pattern
        parts = pattern.parts if isinstance(pattern, TupleOf) else (pattern,)
        at = [i for i, part in enumerate(parts) if all(one.name in known for one in variables(part))]
        self._parts = [parts[i] for i in at]
        self._values: defaultdict[Hashable, list[Hashable]] = defaultdict(list)
        for value in values:
            whole: Any = value if isinstance(pattern, TupleOf) else (value,)
            self._values[tuple(whole[i] for i in at)].append(value)

    def fitting(self, binding: Values) -> Sequence[Hashable]:
        """The tokens that may fit, in their order."""
        return self._values.get(tuple(value_of(part, binding) for part in self._parts), ())


class _Matching:
    """The bindings of one transition."""

    def __init__(
        self,
        transition: PnmlTransition,
        arcs: list[PnmlArc],
        held: Mapping[str, tuple[Hashable, ...]],
        budget: _Budget,
    ) -> None:
        self._budget = budget
        self._guard = [(one, {v.name for v in variables(one)}) for one in conjuncts(transition.guard)]
        inputs = [
            (pattern, held[arc.place])
            for arc in arcs
            if arc.takes and arc.kind in ("normal", "test") and arc.place in held
            for pattern in _patterns(arc.term)
        ]
        self._inputs: list[_Input] = []
        known: set[str] = set()
        for pattern, values in sorted(inputs, key=lambda one: len(one[1])):
            self._inputs.append(_Input(pattern, values, known))
            known |= {variable.name for variable in variables(pattern)}
        sorts: dict[str, Sort] = {}
        for one in [*(arc.term for arc in arcs), *(condition for condition, _ in self._guard)]:
            sorts.update({variable.name: variable.sort for variable in variables(one)})
        self._sorts = sorts

    def bindings(self) -> Iterator[Values]:
        """All that the guard allows."""
        yield from self._matched(0, {}, self._guard)

    def _matched(self, position: int, binding: Values, guard: list[tuple[Condition, set[str]]]) -> Iterator[Values]:
        """Those with these values, by the inputs from a position on."""
        self._budget.spend()
        left = []
        for condition, names in guard:
            if not names <= binding.keys():
                left.append((condition, names))
            elif not condition.holds(binding):
                return
        if position < len(self._inputs):
            one = self._inputs[position]
            for value in one.fitting(binding):
                self._budget.spend()
                found = dict(binding)
                if _match(one.pattern, value, found):
                    yield from self._matched(position + 1, found, left)
            return
        free = next((name for name in self._order(left) if name not in binding), None)
        if free is None:
            yield binding
            return
        for value in self._sorts[free].values:
            yield from self._matched(position, {**binding, free: value}, left)

    def _order(self, guard: list[tuple[Condition, set[str]]]) -> Iterator[str]:
        """Which variable to give a value next: those that conditions wait for come first."""
        for _, names in guard:
            yield from sorted(names)
        yield from self._sorts


def _patterns(term: Term) -> Iterator[Term]:
    """The values on an input arc that a token can be matched with."""
    match term:
        case Sum():
            for part in term.parts:
                yield from _patterns(part)
        case Several() if term.count:
            yield from _patterns(term.of)
        case Variable() | TupleOf() | Moved():
            if _is_pattern(term):
                yield term


def _is_pattern(term: Term) -> bool:
    if isinstance(term, TupleOf):
        return all(map(_is_pattern, term.parts))
    return isinstance(term, Variable | Constant) or (isinstance(term, Moved) and _is_pattern(term.of))


def _match(pattern: Term, value: Hashable, binding: Values) -> bool:
    """Whether a value fits a pattern; the variables of it get values then."""
    match pattern:
        case Variable():
            return binding.setdefault(pattern.name, value) == value
        case Constant():
            return pattern.constant == value
        case Moved():
            return _match(pattern.of, pattern.sort.moved(value, -pattern.steps), binding)
        case TupleOf():
            assert isinstance(value, tuple)
            return all(_match(part, one, binding) for part, one in zip(pattern.parts, value, strict=True))
        case _:
            return value_of(pattern, binding) == value


def _unfolded(net: PnmlNet, transition: PnmlTransition, arcs: list[PnmlArc], binding: Values) -> UnfoldedTransition:
    takes: defaultdict[Token, int] = defaultdict(int)
    puts: defaultdict[Token, int] = defaultdict(int)
    tests: list[Mapping[Token, int]] = []
    inhibits: dict[Token, int] = {}
    resets = set()
    for arc in arcs:
        if arc.kind == "reset":
            resets.add(arc.place)
            continue
        try:
            moved = {(arc.place, token): count for token, count in tokens(arc.term, binding).items() if count}
        except SubtractionError:
            raise _subtracted(net, arc, binding) from None
        if arc.kind == "test":
            tests.append(moved)
        elif arc.kind == "inhibitor":
            for one, count in moved.items():
                inhibits[one] = min(count, inhibits.get(one, count))
        else:
            for one, count in moved.items():
                (takes if arc.takes else puts)[one] += count
    values = tuple(sorted(binding.items()))
    return UnfoldedTransition(transition.id, values, takes, puts, tests, inhibits, frozenset(resets))


def _subtracted(net: PnmlNet, arc: PnmlArc, binding: Values) -> SweepcheckError:
    words = " ".join(f"{name}={value!r}" for name, value in sorted(binding.items()))
    return net.source.wrong(
        "SC137", f"an arc subtracts more tokens than there are, with {words}", arc.line, "let the guard forbid it"
    )


def _possible(net: PnmlNet, initial: dict[Token, int], found: list[UnfoldedTransition]) -> Unfolding:
    """Without bindings that need a token which nothing can bring, and without tokens that are never there."""
    waiting: defaultdict[Token, list[int]] = defaultdict(list)
    missing = []
    for number, one in enumerate(found):
        needed = set(one.takes).union(*one.tests)
        missing.append(len(needed))
        for token in needed:
            waiting[token].append(number)
    there = dict.fromkeys(initial)
    ready = [number for number, count in enumerate(missing) if count == 0]
    new = list(there)
    possible = set(ready)
    while new or ready:
        for number in ready:
            new += [token for token in found[number].puts if token not in there]
            there.update(dict.fromkeys(found[number].puts))
        ready = []
        for token in dict.fromkeys(new):
            for number in waiting[token]:
                missing[number] -= 1
                if missing[number] == 0:
                    ready.append(number)
        possible.update(ready)
        new = []
    order = {place: position for position, place in enumerate(net.places)}
    listed = sorted(there, key=lambda one: (order[one[0]], net.places[one[0]].sort.positions[one[1]]))
    return Unfolding(listed, initial, [one for number, one in enumerate(found) if number in possible])
