"""Beside the binding: inhibitors, capacities and resets, which look at whole places, and the tokens produced.

What needs no variable is decided before any token is looked at.
"""

from __future__ import annotations

import ast

from sweepcheck.models.net.colours import UNIT
from sweepcheck.models.net.inscription import Computed, Either, Tokens
from sweepcheck.models.net.names import names
from sweepcheck.models.net.occurrence.writer import Writer
from sweepcheck.models.net.structure import Arc, Place


def decide_early(writer: Writer) -> None:
    """Inhibitor arcs without variables, and capacities where the numbers of tokens are plain."""
    for arc in writer.transition.arcs:
        if arc.kind == "inhibit" and writer.knows(names(arc.terms or ())):
            _inhibit(writer, arc)
    for place in writer.places():
        capacity, growth = writer.slots[place].capacity, _growth(writer, place)
        if capacity is not None and not writer.slots[place].single and growth is not None and growth > 0:
            _limit(writer, place, capacity - growth)


def decide_late(writer: Writer) -> None:
    """What had to wait for the binding, then resets."""
    for arc, tokens in writer.tested.items():
        writer.disabled_if(f"not _holds({writer.reference(arc.place)}, {tokens})", f"{arc}: {arc.text}")
    for arc in writer.transition.arcs:
        if arc.kind == "inhibit" and not names(arc.terms or ()) <= writer.given:
            _inhibit(writer, arc)
    for arc in writer.arcs("reset"):
        writer.line(f"{writer.reference(arc.place)}.clear()", str(arc))


def produce(writer: Writer) -> None:
    """Put tokens, and look at capacities where their number was not plain before."""
    delay = writer.transition.delay
    if delay is not None:
        # Once for all arcs: a delay that is drawn is the same for all tokens.
        writer.line(f"_wait = _delay({writer.use(delay)})", f"the delay {delay.text}")
    for arc in writer.arcs("put"):
        for term in arc.terms or ():
            _put(writer, arc, term, 1)
    for place in writer.places():
        capacity = writer.slots[place].capacity
        if capacity is not None and writer.arcs("put", place) and _growth(writer, place) is None:
            _limit(writer, place, capacity)


def _growth(writer: Writer, place: Place) -> int | None:
    """How many tokens the place always has more afterwards; None when that depends."""
    if writer.arcs("reset", place):
        return None
    growth = 0
    for kind, sign in (("put", 1), ("take", -1)):
        for arc in writer.arcs(kind, place):
            if arc.count is None:
                return None
            growth += sign * arc.count
    return growth


def _limit(writer: Writer, place: Place, most: int) -> None:
    writer.disabled_if(_holds_more(writer, place, most), f"the capacity of {place.name!r}")


def _holds_more(writer: Writer, place: Place, most: int) -> str:
    """Whether a place holds more tokens than so many. Of black tokens no number is asked for, which would be a look."""
    if place.colour is UNIT and most >= 0:
        return f"{writer.reference(place)}._has((), {most + 1})"
    return f"len({writer.reference(place)}) > {most}"


def _inhibit(writer: Writer, arc: Arc) -> None:
    place, origin = writer.reference(arc.place), f"{arc}: {arc.text}"
    if arc.terms is None:
        writer.disabled_if(_holds_more(writer, arc.place, 0), origin)
        return
    one, taken = arc.terms[0] if len(arc.terms) == 1 else None, writer.taken.get(writer.slots[arc.place], "()")
    if isinstance(one, Tokens) and _is_literal(one.token.node) and (count := writer.coefficient(one)).isdigit():
        writer.disabled_if(f"{place}._has({one.token.code}, {count})", origin)
        return
    writer.disabled_if(f"not _is_below({place}, {taken}, {writer.listed(arc.terms)})", origin)


def _put(writer: Writer, arc: Arc, term: Tokens | Either | Computed, depth: int) -> None:
    origin, place = f"{arc}: {arc.text}", writer.reference(arc.place)
    if isinstance(term, Either):
        for head, side in ((f"if {writer.use(term.condition)}:", term.then), ("else:", term.otherwise)):
            writer.line(head, origin, depth)
            for one in side:
                _put(writer, arc, one, depth + 1)
            writer.line("pass", origin, depth + 1)
        return
    waits = ["_wait"] if writer.transition.delay is not None else []
    waits += [f"_delay({writer.use(one)})" for one in (arc.delay, term.delay) if one is not None]
    wait = " + ".join(waits) or "0"
    check = f"_c{writer.numbers[arc.place]}"

    def stamped(token: str) -> str:
        return f"_Stamped({token}, {wait})" if arc.place.colour.timed else token

    if isinstance(term, Computed):
        token = f"_stamped({check}, _t, {wait})" if arc.place.colour.timed else f"{check}(_t)"
        writer.line(f"for _t in _tokens({writer.use(term.value)}): {place}.add({token})", origin, depth)
        return
    code = writer.use(term.token)
    token = stamped(code if _is_literal(term.token.node) else f"{check}({code})")
    if writer.slots[arc.place].single:
        writer.line(f"{place} = {token}", origin, depth)
    else:
        count = "" if term.coefficient is None else f", {writer.coefficient(term)}"
        writer.line(f"{place}.add({token}{count})", origin, depth)


def _is_literal(node: ast.expr) -> bool:
    """Whether a token is written out: that it belongs on its place was seen when the transition was declared."""
    if isinstance(node, ast.Tuple):
        return all(map(_is_literal, node.elts))
    return isinstance(node, ast.Constant)
