"""LTL formulas that the long run alone decides: Boolean combinations of `G F p` and `F G p`, p being about states.

They say the same of a run whatever it did at first. So nobody has to read along: a run violates such a formula if it
ends in a loop of one of a few kinds, which stays within some states and meets some others (`core/recurrence.py`).
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

from sweepcheck.core.recurrence import Condition, Letters, Loop, Recurrence
from sweepcheck.core.temporal import FALSE, TRUE, Op, Proposition, Temporal, is_state_formula, propositions
from sweepcheck.logic.normal import conjunction, disjunction, negative
from sweepcheck.logic.translation import MOST_MARKS, MOST_PROPOSITIONS

MOST_LOOPS = 16  # kinds of them: each is looked for by itself
MOST_LETTERS = 64  # ways to satisfy a condition


_Kinds = frozenset["_Kind"]  # of loops; a run ends in one of them


class _Kind(NamedTuple):
    """A kind of loop: what is true of all its states, and what of some."""

    within: frozenset[Temporal]
    meets: frozenset[Temporal]


NEVER: _Kinds = frozenset()
ANYHOW: _Kinds = frozenset({_Kind(frozenset(), frozenset())})


class _TooManyError(Exception):
    """There would be more of something than is worth it."""


def recurrence(given: Temporal) -> Recurrence | None:
    """The loops of runs that violate a formula; None where more than a loop decides it, or there are too many kinds."""
    named = propositions(given)
    if len(named) > MOST_PROPOSITIONS or any(one.function is None for one in named):
        return None
    bits = {one: 1 << number for number, one in enumerate(named)}
    try:
        kinds = _LongRun().decides(negative(given))
        loops = None if kinds is None else sorted(_loop(kind, bits) for kind in kinds)
    except _TooManyError:
        return None
    return None if loops is None else Recurrence(named, tuple(loops))


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
        return None

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
        return None


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


def _loop(kind: _Kind, bits: dict[Proposition, int]) -> Loop:
    if len(kind.meets) > MOST_MARKS:
        raise _TooManyError
    within, meets = (tuple(sorted(_condition(node, bits) for node in nodes)) for nodes in kind)
    return Loop(within, meets)


def _condition(node: Temporal, bits: dict[Proposition, int]) -> Condition:
    """The letters of which a formula about states is true."""
    match node.op:
        case Op.TRUE:
            found = {Letters(0, 0)}
        case Op.FALSE:
            found = set()
        case Op.PROPOSITION:
            found = {Letters(bits[node], 0)}  # type: ignore[index]
        case Op.NOT:
            found = {Letters(0, bits[node.parts[0]])}  # type: ignore[index]
        case Op.OR:
            found = {letters for part in node.parts for letters in _condition(part, bits)}
        case _:
            both = product(*(_condition(part, bits) for part in node.parts))
            found = {Letters(a.needs | b.needs, a.forbids | b.forbids) for a, b in both}
            found = {one for one in found if not one.needs & one.forbids}
    if len(found) > MOST_LETTERS:
        raise _TooManyError
    return tuple(sorted(found))
