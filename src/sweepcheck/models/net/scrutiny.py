"""Mistakes in a transition that can be seen in its declaration, beside names that nothing binds (`names`)."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import Any

from sweepcheck.core.chance import OutsideError
from sweepcheck.core.values import Bag, unfit
from sweepcheck.errors import shown, told
from sweepcheck.models.net import pattern
from sweepcheck.models.net.colours import UNIT, Colour, how_to_time
from sweepcheck.models.net.inscription import PURE, Either, Expression, Multiset, Tokens
from sweepcheck.models.net.names import given
from sweepcheck.models.net.structure import Arc, Transition
from sweepcheck.models.net.time import impossible

Colours = dict[str, tuple[Colour, str]]  # of variables, and where they have them from
INPUTS = ("take", "test", "inhibit")


def scrutinise(transition: Transition) -> None:
    """Refuse a transition whose inscriptions cannot be right."""
    names = given(transition)
    _check_types(transition, names)
    _check_delays(transition, names)
    _check_time(transition)


def _value(transition: Transition, what: Expression, names: frozenset[str]) -> Any:
    """What an expression is for every binding; `_Depends` when it uses more than names that need no binding."""
    if what.functions or not what.names <= names:
        raise _Depends
    namespace = {name: getattr(builtins, name) for name in PURE} | dict(transition.constants)
    try:
        return eval(compile(what.code, "<inscription>", "eval"), namespace | {"__builtins__": {}})
    except OutsideError:
        raise _Depends from None


class _Depends(Exception):  # noqa: N818 - no error: most inscriptions do
    """The value of an expression depends on the binding, or on chance."""


# -- colours ---------------------------------------------------------------------------------------------------------


def _check_types(transition: Transition, names: frozenset[str]) -> None:
    """Patterns that cannot match, variables of two colours, and constant tokens outside their place's colour."""
    colours: Colours = {name: (of, "the list of free variables") for name, of in transition.free.items()}
    arcs = sorted(transition.arcs, key=lambda arc: arc.kind not in INPUTS)  # what is bound, before what uses it
    for arc in arcs:
        for term in _tokens(arc.terms or ()):
            _check_pattern(transition, arc, term, colours)
            _check_constant(transition, arc, term, names)


def _tokens(terms: Multiset) -> Iterator[Tokens]:
    for term in terms:
        if isinstance(term, Tokens):
            yield term
        elif isinstance(term, Either):
            yield from _tokens(term.then)
            yield from _tokens(term.otherwise)


def _check_pattern(transition: Transition, arc: Arc, term: Tokens, colours: Colours) -> None:
    node, of = term.token.node, arc.place.colour
    try:
        found = pattern.typed(node, of, transition.constants)
        if arc.kind == "put" and isinstance(node, ast.Tuple) and of.kinds is not None and tuple not in of.kinds:
            raise pattern.Mismatch(f"the tuple {ast.unparse(node)} is no token of colour {of}")
    except pattern.Mismatch as error:
        suggestion = _black_tokens(node, of) or "mend the inscription or the colour"
        raise transition.error("SC125", f"{arc}, {arc.text!r}, does not fit: {error}", suggestion) from None
    for name, colour in found.items():
        known, first = colours.setdefault(name, (colour, str(arc)))
        if known.disjoint(colour):
            raise transition.error(
                "SC125",
                f"variable {name!r} is of colour {known} on {first} and of colour {colour} on {arc}",
                "use another variable, or mend a colour",
            )
        token = colour.token_called(name)
        if token is not None and arc.kind in INPUTS:
            raise transition.error(
                "SC125",
                f"{arc}: variable {name!r} has the name of a token",
                f'write the token as "{token}", or give the variable another name',
            )


def _black_tokens(node: ast.expr, of: Colour) -> str | None:
    """How a number of black tokens is written, where a number alone was."""
    if of.contains is not UNIT.contains or not isinstance(node, ast.Constant) or type(node.value) is not int:
        return None
    return f'the place holds black tokens, which are written (): "{node.value}*()" is {node.value} of them'


def _check_constant(transition: Transition, arc: Arc, term: Tokens, names: frozenset[str]) -> None:
    if pattern.is_open(term.token.node, transition.constants):
        return
    try:
        token = _value(transition, term.token, names)
    except _Depends:
        return
    except Exception as error:
        raise transition.error(
            "SC125", f"{arc}: {term.token.text} raises {told(error)}", "mend the inscription"
        ) from error
    if (why := unfit(token)) is not None:
        raise transition.error("SC125", f"{arc}: {shown(token)} {why}", "tokens are values")
    if token not in arc.place.colour and not isinstance(token, Bag):
        raise transition.error(
            "SC125",
            f"{arc}: {shown(token)} is no token of colour {arc.place.colour}",
            "mend the inscription, or widen the colour",
        )


# -- time ------------------------------------------------------------------------------------------------------------


def _delays(terms: Multiset) -> Iterator[Expression]:
    for term in terms:
        if isinstance(term, Either):
            yield from _delays(term.then)
            yield from _delays(term.otherwise)
        elif term.delay is not None:
            yield term.delay


def _check_delays(transition: Transition, names: frozenset[str]) -> None:
    """Delays where there can be none, and constant ones that are no delays."""
    found = [] if transition.delay is None else [transition.delay]
    for arc in transition.arcs:
        delays = [*_delays(arc.terms or ()), *([] if arc.delay is None else [arc.delay])]
        if delays and arc.kind != "put":
            raise transition.error(
                "SC131", f"there is a delay on {arc}", "only output arcs have delays; tokens are taken when ready"
            )
        if delays and not arc.place.colour.timed:
            raise transition.error(
                "SC131",
                f"there is a delay on {arc}, which is not timed",
                f"{how_to_time(arc.place.name, arc.place.colour)}, or leave the delay out",
            )
        found += delays
    for one in found:
        try:
            amount = _value(transition, one, names)
        except _Depends:
            continue
        except Exception as error:
            raise transition.error("SC131", f"the delay {one.text} raises {told(error)}", "mend the delay") from error
        if (why := impossible(amount)) is not None:
            raise transition.error(
                "SC131",
                f"a delay of {shown(amount)} is not possible: {why}",
                "mend the delay, or choose another unit of time",
            )


def _check_time(transition: Transition) -> None:
    for arc in transition.arcs:
        if arc.early and not arc.place.colour.timed:
            raise transition.error(
                "SC131",
                f"{arc} takes tokens early, and they have no times",
                f"{how_to_time(arc.place.name, arc.place.colour)}, or leave it out",
            )
        if (why := impossible(arc.early)) is not None:
            raise transition.error(
                "SC131", f"{arc} cannot take tokens {shown(arc.early)} early: {why}", "give a whole number, 0 or more"
            )
        if arc.kind == "inhibit" and arc.terms is not None and arc.place.colour.timed:
            raise transition.error(
                "SC131", f"{arc}, a timed place, cannot ask for single tokens", "use inhibit() without an inscription"
            )
    if transition.delay is not None and not any(a.kind == "put" and a.place.colour.timed for a in transition.arcs):
        raise transition.error(
            "SC131",
            "it has a delay, and puts tokens on no timed place",
            "give a place a timed colour: colours.timed(int)",
        )
