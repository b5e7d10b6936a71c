"""Input and test arcs: the lines that take tokens or look at them, and bind variables to what they find."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from sweepcheck.models.net import pattern
from sweepcheck.models.net.inscription import Computed, Either, Expression, Tokens
from sweepcheck.models.net.names import names
from sweepcheck.models.net.occurrence.writer import Writer
from sweepcheck.models.net.structure import Arc


@dataclass(frozen=True, slots=True)
class Input:
    """One term of an input or test arc that is still to be done."""

    arc: Arc
    term: Tokens | Either | Computed


def start_lists(writer: Writer) -> None:
    """Write down tokens that cannot be counted as they come.

    An inhibitor arc looks at the marking before anything is taken; where it waits for variables, it needs to know what
    was. A test arc with several terms is about their sum.
    """
    for arc in writer.transition.arcs:
        slot = writer.slots[arc.place]
        if arc.kind == "inhibit" and not names(arc.terms or ()) <= writer.given:
            if slot not in writer.taken and writer.arcs("take", arc.place):
                writer.start_list(writer.taken, slot)
        elif arc.kind == "test" and arc.terms and not (len(arc.terms) == 1 and isinstance(arc.terms[0], Tokens)):
            writer.start_list(writer.tested, arc)


def is_known(writer: Writer, term: Tokens) -> bool:
    """Whether the token can be computed, and need not be looked for."""
    constants = writer.transition.constants
    return not pattern.is_open(term.token.node, constants) and pattern.binds(term.token.node, constants) <= writer.bound


def consume(writer: Writer, item: Input) -> None:
    """Take or test the tokens of one term."""
    if not isinstance(item.term, Tokens):
        _consume_computed(writer, item.arc, item.term)
    elif is_known(writer, item.term):
        _consume_known(writer, item.arc, item.term)
    else:
        _consume_found(writer, item.arc, item.term)


def _consume_computed(writer: Writer, arc: Arc, term: Tokens | Either | Computed) -> None:
    """Tokens that can be computed, but perhaps not how many they are."""
    tokens, origin = writer.listed((term,)), f"{arc}: {arc.text}"
    if arc.kind == "test":
        writer.line(f"{writer.tested[arc]} += {tokens}", origin)
    else:
        writer.line(f"for _t in {tokens}: {writer.take(arc, '_t')}", origin)


def _consume_known(writer: Writer, arc: Arc, term: Tokens) -> None:
    """A token whose variables are all bound."""
    if writer.slots[arc.place].single:
        different = f"{writer.reference(arc.place)} != {writer.use(term.token)}"
        writer.disabled_if(different, f"{arc}: {arc.text}")
    elif arc in writer.tested:
        _consume_computed(writer, arc, term)
    else:
        _consume_several(writer, arc, writer.use(term.token), writer.coefficient(term))


def _consume_found(writer: Writer, arc: Arc, term: Tokens) -> None:
    """Any token that the pattern fits: it binds the variables that are not bound yet."""
    origin, place, single = f"{arc}: {arc.text}", writer.input(arc), writer.slots[arc.place].single
    count = writer.coefficient(term, "_some")
    if not (count.isdigit() or single):  # whether or not a token is found: of none at all nothing could be bound
        writer.line(f"_n{writer.fresh()} = {count}", origin)
        count = f"_n{writer.names}"
    looked = place if single else f"{place}.{'take' if arc.kind == 'take' else 'peek'}()"
    name = f"_t{writer.fresh()}"
    if isinstance(term.token.node, ast.Name) and term.token.node.id != pattern.WILDCARD:
        name = term.token.node.id
        writer.bound.add(name)
        writer.line(f"{name} = {looked}", origin)
    else:
        writer.line(f"{name} = {looked}", origin)
        match_token(writer, term.token, name, origin)
    if arc in writer.tested:
        writer.line(f"{writer.tested[arc]} += _tokens({name}, {count})", origin)
        return
    if arc.kind == "take" and (written := writer.taken.get(writer.slots[arc.place])) is not None:
        writer.line(f"{written}.append({name})", origin)
    if term.coefficient is not None:
        taken = 1 if arc.kind == "take" else 0
        left = str(int(count) - taken) if count.isdigit() else f"{count} - {taken}"
        _consume_several(writer, arc, name, left)


def _consume_several(writer: Writer, arc: Arc, token: str, count: str) -> None:
    """So many of a token that is known."""
    origin, place = f"{arc}: {arc.text}", writer.input(arc)
    if arc.kind == "test" and count.isdigit():
        writer.disabled_if(f"not {place}._has({token}, {count})", origin)
    elif arc.kind == "test":
        writer.disabled_if(f"{place}.count({token}) < {count}", origin)
    elif count == "1":
        writer.line(writer.take(arc, token), origin)
    elif count.isdigit() and writer.slots[arc.place] not in writer.taken:
        writer.line(f"{place}._remove({token}, {count})", origin)
    else:
        writer.line(f"for _i in range({count}): {writer.take(arc, token)}", origin)


def match_token(writer: Writer, token: Expression, name: str, origin: str) -> None:
    """Take a token apart."""
    constants = writer.transition.constants
    text, found = pattern.match(token, frozenset(writer.bound), constants, writer.fresh())
    writer.namespace.update(found.classes)
    writer.line(f"match {name}:", origin)
    condition = f" if {' and '.join(found.conditions)}" if found.conditions else ""
    writer.line(f"case {text}{condition}: pass", origin, 2)
    if condition or not text.isidentifier():
        writer.line("case _: raise _Disabled", origin, 2)
    for one in found.lists:
        writer.line(f"{one} = tuple({one})", origin)
    writer.bound.update(found.binds)
    writer.unnamed += found.unnamed
