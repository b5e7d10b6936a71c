"""Normal forms. LTL: negations stand before propositions alone, and X, U, R are the only temporal operators.

CTL: `!`, `|`, EX, EU and EG are the only operators.
"""

from __future__ import annotations

from functools import reduce

from sweepcheck.core.temporal import FALSE, QUANTIFIERS, TEMPORAL, TRUE, Op, Temporal, place_of
from sweepcheck.errors import ModelError, caller, clip


def refuse_quantifiers(given: Temporal) -> None:
    """Refuse what is not LTL."""
    for node in given.walk():
        if node.op in QUANTIFIERS:
            raise ModelError(
                "SC237",
                f"{clip(str(given), 200)!r} is not LTL, which has no {node.op}: it is about each run by itself",
                where=caller(),
                values=[place_of(node, given).shown()],
                suggestion="ask for it as CTL: m.ctl(...), --ctl",
            )


def refuse_runs(given: Temporal) -> None:
    """Refuse what is not CTL: each temporal operator stands right below E or A, and nothing else does."""
    bare = [given]
    while bare:
        node = bare.pop()
        if node.op in TEMPORAL:
            raise ModelError(
                "SC237",
                f"{clip(str(given), 200)!r} is not CTL: {node.op} has neither E nor A before it",
                where=caller(),
                values=[place_of(node, given).shown()],
                suggestion=f"write A{node.op} or E{node.op}, A[p U q] or E[p U q]; formulas without E and A are LTL:\n"
                "m.ltl(...), --ltl",
            )
        if node.op in QUANTIFIERS:
            run = node.parts[0]
            if run.op not in TEMPORAL:
                raise ModelError(
                    "SC237",
                    f"{clip(str(given), 200)!r} is not CTL: {node.op} is followed by {clip(str(run), 60)!r}",
                    where=caller(),
                    values=[place_of(node, given).shown()],
                    suggestion="one of X F G U W R M follows E and A; CTL* is not decided here",
                )
            node = run
        bare += node.parts


def negative(given: Temporal) -> Temporal:
    """The negation of an LTL formula, in normal form."""
    return positive(Temporal(Op.NOT, (given,)))


def positive(given: Temporal, negated: bool = False) -> Temporal:
    """An LTL formula in normal form, or its negation."""
    op = given.op
    if op in (Op.TRUE, Op.FALSE):
        return TRUE if (op is Op.TRUE) is not negated else FALSE
    if op is Op.PROPOSITION:
        return Temporal(Op.NOT, (given,)) if negated else given
    if op is Op.NOT:
        return positive(given.parts[0], not negated)
    if op is Op.NEXT:
        return _next(positive(given.parts[0], negated))
    if op in (Op.EVENTUALLY, Op.ALWAYS):
        part = positive(given.parts[0], negated)
        return until(TRUE, part) if (op is Op.EVENTUALLY) is not negated else release(FALSE, part)
    left, right = given.parts
    if op is Op.IMPLIES:
        return positive(Temporal(Op.OR, (Temporal(Op.NOT, (left,)), right)), negated)
    if op is Op.IFF:
        a, b = positive(left), positive(right)
        na, nb = positive(left, True), positive(right, True)
        return (
            disjunction(conjunction(a, nb), conjunction(na, b))
            if negated
            else disjunction(conjunction(a, b), conjunction(na, nb))
        )
    one, other = positive(left, negated), positive(right, negated)
    if op in (Op.AND, Op.OR):
        return (conjunction if (op is Op.AND) is not negated else disjunction)(one, other)
    match op:  # a W b = b R (a | b), a M b = b U (a & b), with the sides of M as those of R
        case Op.UNTIL:
            return release(one, other) if negated else until(one, other)
        case Op.RELEASE:
            return until(one, other) if negated else release(one, other)
        case Op.WEAK_UNTIL:
            return until(other, conjunction(one, other)) if negated else release(other, disjunction(one, other))
        case _:
            return release(other, disjunction(one, other)) if negated else until(other, conjunction(one, other))


def conjunction(*parts: Temporal) -> Temporal:
    """All of them, without those that say nothing."""
    if FALSE in parts:
        return FALSE
    kept = [part for part in dict.fromkeys(parts) if part != TRUE]
    return reduce(lambda a, b: Temporal(Op.AND, (a, b)), kept) if kept else TRUE


def disjunction(*parts: Temporal) -> Temporal:
    """At least one of them, without those that never hold."""
    if TRUE in parts:
        return TRUE
    kept = [part for part in dict.fromkeys(parts) if part != FALSE]
    return reduce(lambda a, b: Temporal(Op.OR, (a, b)), kept) if kept else FALSE


def until(left: Temporal, right: Temporal) -> Temporal:
    """`left U right`, where that says more than its right side."""
    if right in (TRUE, FALSE) or left in (FALSE, right):
        return right
    if left == TRUE and right.op is Op.UNTIL and right.parts[0] == TRUE:  # F F p
        return right
    return Temporal(Op.UNTIL, (left, right))


def release(left: Temporal, right: Temporal) -> Temporal:
    """`left R right`, where that says more than its right side."""
    if right in (TRUE, FALSE) or left in (TRUE, right):
        return right
    if left == FALSE and right.op is Op.RELEASE and right.parts[0] == FALSE:  # G G p
        return right
    return Temporal(Op.RELEASE, (left, right))


def _next(part: Temporal) -> Temporal:
    return part if part in (TRUE, FALSE) else Temporal(Op.NEXT, (part,))


def existential(given: Temporal) -> Temporal:
    """A CTL formula in normal form: true, propositions, `!`, `|`, and E before X, U, G."""
    op = given.op
    if op in (Op.TRUE, Op.PROPOSITION):
        return given
    if op is Op.FALSE:
        return _not(TRUE)
    if op in QUANTIFIERS:
        run = given.parts[0]
        parts = tuple(map(existential, run.parts))
        return _some_run(run.op, parts) if op is Op.SOME_RUN else _every_run(run.op, parts)
    parts = tuple(map(existential, given.parts))
    match op:
        case Op.NOT:
            return _not(parts[0])
        case Op.OR:
            return Temporal(Op.OR, parts)
        case Op.AND:
            return _not(Temporal(Op.OR, tuple(map(_not, parts))))
        case Op.IMPLIES:
            return Temporal(Op.OR, (_not(parts[0]), parts[1]))
        case _:
            a, b = parts
            return _not(Temporal(Op.OR, (_and(a, _not(b)), _and(_not(a), b))))


def _not(part: Temporal) -> Temporal:
    return part.parts[0] if part.op is Op.NOT else Temporal(Op.NOT, (part,))


def _and(one: Temporal, other: Temporal) -> Temporal:
    return _not(Temporal(Op.OR, (_not(one), _not(other))))


def _e(op: Op, *parts: Temporal) -> Temporal:
    return Temporal(Op.SOME_RUN, (Temporal(op, parts),))


def _some_run(op: Op, parts: tuple[Temporal, ...]) -> Temporal:
    match op:
        case Op.NEXT | Op.ALWAYS | Op.UNTIL:
            return _e(op, *parts)
        case Op.EVENTUALLY:
            return _e(Op.UNTIL, TRUE, parts[0])
        case Op.WEAK_UNTIL:
            return Temporal(Op.OR, (_e(Op.UNTIL, *parts), _e(Op.ALWAYS, parts[0])))
        case Op.RELEASE:
            return Temporal(Op.OR, (_e(Op.UNTIL, parts[1], _and(*parts)), _e(Op.ALWAYS, parts[1])))
        case _:
            return _e(Op.UNTIL, parts[1], _and(*parts))


_DUAL = {
    Op.NEXT: Op.NEXT,
    Op.ALWAYS: Op.EVENTUALLY,
    Op.EVENTUALLY: Op.ALWAYS,
    Op.UNTIL: Op.RELEASE,
    Op.RELEASE: Op.UNTIL,
}


def _every_run(op: Op, parts: tuple[Temporal, ...]) -> Temporal:
    """No run of which the opposite is true."""
    opposite = tuple(map(_not, parts))
    if op is Op.WEAK_UNTIL:  # the opposite of a W b is !b U (!a & !b)
        return _not(_e(Op.UNTIL, opposite[1], _and(*opposite)))
    if op is Op.STRONG_RELEASE:  # that of a M b, which is b U (a & b), is !a W !b
        return _not(_some_run(Op.WEAK_UNTIL, opposite))
    return _not(_some_run(_DUAL[op], opposite))
