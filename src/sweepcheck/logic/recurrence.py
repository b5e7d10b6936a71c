"""LTL formulas that the long run alone decides: Boolean combinations of `G F p` and `F G p`, p being about states or
about steps: the action, and what is true before and after (`p & X q`).

They say the same of a run whatever it did at first. So nobody has to read along: a run violates such a formula if it
ends in a loop of one of a few kinds, which stays within some states and meets some others (`core/recurrence.py`).
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

from sweepcheck.core.recurrence import Condition, Letters, Loop, Recurrence
from sweepcheck.core.temporal import FALSE, TEMPORAL, TRUE, Op, Proposition, Temporal, is_state_formula, propositions
from sweepcheck.logic.normal import conjunction, disjunction, negative
from sweepcheck.logic.translation import MOST_MARKS, MOST_PROPOSITIONS

MOST_LOOPS = 16  # kinds of them: each is looked for by itself
MOST_LETTERS = 64  # ways to satisfy a condition
MOST_STEP_BITS = 6  # of a letter, about how a state was entered


_Kinds = frozenset["_Kind"]  # of loops; a run ends in one of them


class _Kind(NamedTuple):
    """A kind of loop: what is true of all its states or steps, and what of some."""

    within: frozenset[Temporal]
    meets: frozenset[Temporal]


NEVER: _Kinds = frozenset()
ANYHOW: _Kinds = frozenset({_Kind(frozenset(), frozenset())})


class _TooManyError(Exception):
    """There would be more of something than is worth it."""


def recurrence(given: Temporal) -> Recurrence | None:
    """The loops of runs that violate a formula; None where more than a loop decides it, or there are too many kinds."""
    named = propositions(given)
    if len(named) > MOST_PROPOSITIONS or sum(one.function is None for one in named) > MOST_STEP_BITS:
        return None
    bits = _Bits(named)
    try:
        kinds = _LongRun().decides(negative(given))
        loops = None if kinds is None else sorted(_loop(kind, bits) for kind in kinds)
    except _TooManyError:
        return None
    return None if loops is None else Recurrence(named, tuple(loops), tuple(bits.earlier))


class _Bits:
    """Which bits of a letter stand for a proposition: at its position, or one earlier."""

    def __init__(self, named: tuple[Proposition, ...]) -> None:
        self._numbers = {one: number for number, one in enumerate(named)}
        self._of_actions = sum(one.function is None for one in named)
        self.earlier: dict[int, int] = {}  # numbers of propositions, each with its bit

    def bit(self, one: Proposition, earlier: bool) -> int:
        """One that matters earlier gets a bit where that is said first."""
        number = self._numbers[one]
        if not earlier:
            return 1 << number
        found = self.earlier.setdefault(number, len(self._numbers) + len(self.earlier))
        if self._of_actions + len(self.earlier) > MOST_STEP_BITS:
            raise _TooManyError
        return 1 << found


class _LongRun:
    """Gives, of formulas in normal form, the loops of the runs of which something is true; None where it is not the
    loop of a run that decides it.
    """

    def __init__(self) -> None:
        # Some parts are looked at in several ways, by each of what they are parts of.
        self.decides = cache(self._decides)
        self._one_day = cache(self._eventually)
        self._always = cache(self._globally)
        self._again = cache(self._again_and_again)
        self._at_last = cache(self._at_last_always)

    def _decides(self, node: Temporal) -> _Kinds | None:
        """Of the formula itself."""
        match node.op:
            case Op.TRUE:
                return ANYHOW
            case Op.FALSE:
                return NEVER
            case Op.AND | Op.OR:
                return _joined(node.op, *map(self.decides, node.parts))
            case Op.NEXT:
                return self.decides(node.parts[0])
            case (
                Op.UNTIL | Op.RELEASE
            ):  # what the long run decides is true now if it ever is: so much for the left side
                left, right = node.parts
                found = self.decides(right)
                if found is None and left == (TRUE if node.op is Op.UNTIL else FALSE):
                    found = (self._one_day if node.op is Op.UNTIL else self._always)(right)
                return found
        return None

    def _eventually(self, node: Temporal) -> _Kinds | None:
        """F: of what stays true once it is."""
        if (found := self.decides(node)) is not None:
            return found
        if node.op in (Op.AND, Op.OR):
            return _joined(node.op, *map(self._one_day, node.parts))
        if node.op is Op.NEXT:
            return self._one_day(node.parts[0])
        return self._at_last(node.parts[1]) if node.op is Op.RELEASE and node.parts[0] == FALSE else None

    def _globally(self, node: Temporal) -> _Kinds | None:
        """G: of what stays false once it is."""
        if (found := self.decides(node)) is not None:
            return found
        if node.op in (Op.AND, Op.OR):
            return _joined(node.op, *map(self._always, node.parts))
        if node.op is Op.NEXT:
            return self._always(node.parts[0])
        return self._again(node.parts[1]) if node.op is Op.UNTIL and node.parts[0] == TRUE else None

    def _settled(self, node: Temporal) -> _Kinds | None:
        """Of what changes once at most: what it is in the end."""
        found = self._one_day(node)
        return self._always(node) if found is None else found

    def _again_and_again(self, node: Temporal) -> _Kinds | None:
        """G F."""
        if (found := self.decides(node)) is not None:
            return found
        if is_state_formula(node):
            return frozenset({_Kind(frozenset(), frozenset({node}))})
        left, right = node.parts[0], node.parts[-1]
        match node.op:
            case Op.OR:
                return _joined(Op.OR, self._again(left), self._again(right))
            case Op.AND if (settled := self._settled(left)) is not None:
                return _joined(Op.AND, settled, self._again(right))
            case Op.AND if (settled := self._settled(right)) is not None:
                return _joined(Op.AND, self._again(left), settled)
            case Op.NEXT | Op.UNTIL:  # a U b comes with b, and only with it
                return self._again(right)
            case Op.RELEASE:  # a R b: b for ever, or until a comes with it
                return _joined(Op.OR, self._at_last(right), self._again(conjunction(left, right)))
        return frozenset({_Kind(frozenset(), frozenset({node}))}) if _is_about_steps(node) else None

    def _at_last_always(self, node: Temporal) -> _Kinds | None:
        """F G: the opposite of G F of the opposite."""
        if (found := self.decides(node)) is not None:
            return found
        if is_state_formula(node):
            return frozenset({_Kind(frozenset({node}), frozenset())})
        left, right = node.parts[0], node.parts[-1]
        match node.op:
            case Op.AND:
                return _joined(Op.AND, self._at_last(left), self._at_last(right))
            case Op.OR if (settled := self._settled(left)) is not None:
                return _joined(Op.OR, settled, self._at_last(right))
            case Op.OR if (settled := self._settled(right)) is not None:
                return _joined(Op.OR, self._at_last(left), settled)
            case Op.NEXT | Op.RELEASE:
                return self._at_last(right)
            case Op.UNTIL:
                return _joined(Op.AND, self._again(right), self._at_last(disjunction(left, right)))
        return frozenset({_Kind(frozenset({node}), frozenset())}) if _is_about_steps(node) else None


def _depths(node: Temporal, depth: int = 0) -> set[tuple[int, bool]]:
    """How many `X` its propositions stand below, and whether these are about states; -1: below something else."""
    if isinstance(node, Proposition):
        return {(depth, node.function is not None)}
    if node.op in TEMPORAL and node.op is not Op.NEXT:
        return {(-1, False)}
    return set().union(*(_depths(part, depth + (node.op is Op.NEXT)) for part in node.parts))


def _first(node: Temporal) -> int:
    """How many `X` stand above what is said of the earlier of two positions; one less than above the later."""
    return max(depth for depth, _ in _depths(node)) - 1


def _is_about_steps(node: Temporal) -> bool:
    """Whether two positions of a run, one after the other, decide it; of the earlier, only its state."""
    depths, first = _depths(node), _first(node)
    return all(depth >= 0 and (depth == first + 1 or (depth == first and of_state)) for depth, of_state in depths)


def _joined(op: Op, *of: _Kinds | None) -> _Kinds | None:
    """All of them (`&`), or one of them (`|`)."""
    found = ANYHOW if op is Op.AND else NEVER
    for one in of:
        if one is None:
            return None
        made = found | one if op is Op.OR else frozenset(_both(*both) for both in product(found, one))
        found = frozenset(kind for kind in made if not any(_asks_less(other, kind) for other in made))
        if len(found) > MOST_LOOPS:
            raise _TooManyError
    return found


def _both(one: _Kind, other: _Kind) -> _Kind:
    within = one.within | other.within
    return _Kind(within, (one.meets | other.meets) - within)  # what is true of all states is true of one


def _asks_less(one: _Kind, other: _Kind) -> bool:
    return one != other and one.within <= other.within and one.meets <= other.meets | other.within


def _loop(kind: _Kind, bits: _Bits) -> Loop:
    if len(kind.meets) > MOST_MARKS:
        raise _TooManyError
    within, meets = (tuple(sorted(_condition(node, bits, _first(node)) for node in nodes)) for nodes in kind)
    return Loop(within, meets)


def _condition(node: Temporal, bits: _Bits, first: int) -> Condition:
    """The letters of which a formula about states or steps is true."""
    match node.op:
        case Op.TRUE:
            found = {Letters(0, 0)}
        case Op.FALSE:
            found = set()
        case Op.PROPOSITION:
            found = {Letters(bits.bit(node, earlier=first == 0), 0)}  # type: ignore[arg-type]
        case Op.NOT:
            found = {Letters(0, bits.bit(node.parts[0], earlier=first == 0))}  # type: ignore[arg-type]
        case Op.NEXT:
            return _condition(node.parts[0], bits, first - 1)
        case Op.OR:
            found = {letters for part in node.parts for letters in _condition(part, bits, first)}
        case _:
            both = product(*(_condition(part, bits, first) for part in node.parts))
            found = {Letters(a.needs | b.needs, a.forbids | b.forbids) for a, b in both}
            found = {one for one in found if not one.needs & one.forbids}
    if len(found) > MOST_LETTERS:
        raise _TooManyError
    return tuple(sorted(found))
