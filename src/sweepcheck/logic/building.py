"""Formulas built in Python: `G(waiting >> F(served))`, `AG(EF(home))`."""

from __future__ import annotations

from sweepcheck.core.temporal import About, Op, Temporal, formula, proposition


def _unary(op: Op, part: object) -> Temporal:
    return Temporal(op, (formula(part),))


def _binary(op: Op, left: object, right: object) -> Temporal:
    return Temporal(op, (formula(left), formula(right)))


def X(part: object) -> Temporal:  # noqa: N802 - the operators have the names that the logic gives them
    """At the next position."""
    return _unary(Op.NEXT, part)


def F(part: object) -> Temporal:  # noqa: N802
    """Now or at some later position."""
    return _unary(Op.EVENTUALLY, part)


def G(part: object) -> Temporal:  # noqa: N802
    """Now and at all later positions."""
    return _unary(Op.ALWAYS, part)


def U(left: object, right: object) -> Temporal:  # noqa: N802
    """The left holds until the right does, which it does at some position."""
    return _binary(Op.UNTIL, left, right)


def W(left: object, right: object) -> Temporal:  # noqa: N802
    """The left holds until the right does, or for ever."""
    return _binary(Op.WEAK_UNTIL, left, right)


def R(left: object, right: object) -> Temporal:  # noqa: N802
    """The right holds up to the position, that one included, at which the left does, or for ever."""
    return _binary(Op.RELEASE, left, right)


def M(left: object, right: object) -> Temporal:  # noqa: N802
    """The right holds up to the position, that one included, at which the left does, and there is one."""
    return _binary(Op.STRONG_RELEASE, left, right)


def E(run: object) -> Temporal:  # noqa: N802
    """Some run from here: `E(U(p, q))`."""
    return _unary(Op.SOME_RUN, run)


def A(run: object) -> Temporal:  # noqa: N802
    """Every run from here: `A(U(p, q))`."""
    return _unary(Op.EVERY_RUN, run)


def EX(part: object) -> Temporal:  # noqa: N802
    """Some successor."""
    return E(X(part))


def AX(part: object) -> Temporal:  # noqa: N802
    """Every successor."""
    return A(X(part))


def EF(part: object) -> Temporal:  # noqa: N802
    """It can be reached."""
    return E(F(part))


def AF(part: object) -> Temporal:  # noqa: N802
    """Every run meets it."""
    return A(F(part))


def EG(part: object) -> Temporal:  # noqa: N802
    """Some run is all of it."""
    return E(G(part))


def AG(part: object) -> Temporal:  # noqa: N802
    """It holds in all states that can be reached."""
    return A(G(part))


def last(action: str) -> Temporal:
    """The step just taken was one of this action, family or member."""
    return proposition(About.LAST, action)
