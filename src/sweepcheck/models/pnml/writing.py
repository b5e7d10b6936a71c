"""A net of ours as PNML: a place/transition net where all tokens are black, else a symmetric net.

What symmetric nets cannot say (computed tokens, time, capacities) is refused, with the place where it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from sweepcheck.errors import ModelError
from sweepcheck.models.net.colours import UNIT, Colour
from sweepcheck.models.net.hierarchy import FlatNet, FlatPlace, FlatTransition, flatten
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.source import cannot, identifier
from sweepcheck.models.net.structure import Arc, Transition
from sweepcheck.models.pnml.sortwriting import Sorts
from sweepcheck.models.pnml.termwriting import TermWriter, numbered, summed

GRAMMAR = "http://www.pnml.org/version-2009/grammar/"
ARC_TYPES = {"inhibit": ' type="inhibitor"', "test": ' type="test"', "reset": ' type="reset"'}

Lines = Iterator[str]


def pnml_text(net: Net) -> str:
    """The text of a PNML file with the net."""
    flat = flatten(net)
    for place in flat.places:
        _check_place(place)
    for one in flat.transitions:
        _check_transition(one.transition)
    plain = all(place.colour is UNIT for place in flat.places) and not any(
        one.transition.guard or one.transition.free for one in flat.transitions
    )
    body = _Plain(flat) if plain else _Coloured(net, flat)
    kind = "ptnet" if plain else "symmetricnet"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<pnml xmlns="{GRAMMAR}pnml">',
        f'  <net id={quoteattr(_word(net.name))} type="{GRAMMAR}{kind}">',
        f"    <name><text>{escape(net.name)}</text></name>",
        *body.declarations(),
        '    <page id="page">',
        *_nodes(flat, body),
        "    </page>",
        "  </net>",
        "</pnml>",
        "",
    ]
    return "\n".join(lines)


def _word(text: str) -> str:
    return identifier(text, set())


def _check_place(place: FlatPlace) -> None:
    if place.colour.timed:
        raise _refused(f"place {place.name!r} has time stamps", place.where)
    if place.capacity is not None:
        raise _refused(f"place {place.name!r} has a capacity", place.where)


def _check_transition(one: Transition) -> None:
    for what, given in (("values that are computed (let)", one.let), ("a delay", one.delay)):
        if given:
            raise _refused(f"transition {one.name!r} has {what}", one.where)


def _refused(what: str, where: str | None) -> ModelError:
    return cannot(f"{what}, which PNML cannot say", "write the net without it, or keep it in Python", where)


def _nodes(flat: FlatNet, body: _Plain | _Coloured) -> Lines:
    taken: set[str] = set()
    places = {one: identifier(one.name, taken) for one in flat.places}
    transitions = {id(one): identifier(one.name, taken) for one in flat.transitions}
    for place, name in places.items():
        yield f'      <place id="{name}">'
        yield f"        <name><text>{escape(_plain_name(place.name))}</text></name>"
        yield from body.place(place)
        yield "      </place>"
    for one in flat.transitions:
        yield f'      <transition id="{transitions[id(one)]}">'
        yield f"        <name><text>{escape(_plain_name(one.name))}</text></name>"
        yield from body.guard(one)
        yield "      </transition>"
    number = 0
    for one in flat.transitions:
        for arc in one.transition.arcs:
            number += 1
            ends = [places[one.places[arc.place]], transitions[id(one)]]
            source, target = reversed(ends) if arc.kind == "put" else ends
            kind = ARC_TYPES.get(arc.kind, "")
            yield f'      <arc id="arc{number}" source="{source}" target="{target}"{kind}>'
            yield from body.inscription(one, arc)
            yield "      </arc>"


def _plain_name(name: str) -> str:
    return name.replace(".", "_")


class _Plain:
    """What stands at the nodes and arcs of a place/transition net."""

    def __init__(self, flat: FlatNet) -> None:
        del flat

    def declarations(self) -> Iterable[str]:
        return ()

    def place(self, place: FlatPlace) -> Lines:
        if place.initial:
            yield f"        <initialMarking><text>{len(place.initial)}</text></initialMarking>"

    def guard(self, _: FlatTransition) -> Lines:
        yield from ()

    def inscription(self, one: FlatTransition, arc: Arc) -> Lines:
        count = arc.count if arc.terms is not None else 1
        if count is None or count < 1:
            raise _refused(f"transition {one.name!r}: {arc} has {arc.text!r}", one.transition.where)
        if count > 1:
            yield f"        <inscription><text>{count}</text></inscription>"


class _Coloured:
    """What stands at the nodes and arcs of a symmetric net."""

    def __init__(self, net: Net, flat: FlatNet) -> None:
        self._sorts = Sorts(net, flat)
        self._variables: dict[tuple[str, str], str] = {}  # a name and a sort: the id that is declared
        self._ids: set[str] = set(self._sorts.ids)
        self._writers = {id(one): self._writer(one) for one in flat.transitions}

    def _writer(self, one: FlatTransition) -> TermWriter:
        def variable(name: str, colour: Colour) -> str:
            key = name, self._sorts.sort(colour, one.transition.where)
            if key not in self._variables:
                self._variables[key] = identifier(name, self._ids)
            return self._variables[key]

        return TermWriter(one.transition, self._sorts, variable)

    def declarations(self) -> Iterable[str]:
        written = {id(writer): writer for writer in self._writers.values()}
        for writer in written.values():  # variables are declared as they are met
            writer.meet()
        yield "    <declaration><structure><declarations>"
        yield from self._sorts.declared()
        for (name, sort), identity in self._variables.items():
            yield f'      <variabledecl id="{identity}" name="{name}">{sort}</variabledecl>'
        yield "    </declarations></structure></declaration>"

    def place(self, place: FlatPlace) -> Lines:
        sort = self._sorts.sort(place.colour, place.where)
        yield f"        <type><text>{escape(place.colour.name)}</text><structure>{sort}</structure></type>"
        if place.initial:
            tokens = [self._sorts.constant(token, place.colour, place.where) for token, _ in place.initial.items()]
            counts = [count for _, count in place.initial.items()]
            term = summed([numbered(count, one) for count, one in zip(counts, tokens, strict=True)])
            yield f"        <hlinitialMarking><structure>{term}</structure></hlinitialMarking>"

    def guard(self, one: FlatTransition) -> Lines:
        if one.transition.guard:
            condition = self._writers[id(one)].guard()
            yield f"        <condition><structure>{condition}</structure></condition>"

    def inscription(self, one: FlatTransition, arc: Arc) -> Lines:
        if arc.kind == "reset":
            return
        term = self._writers[id(one)].multiset(arc)
        yield f"        <hlinscription><structure>{term}</structure></hlinscription>"
