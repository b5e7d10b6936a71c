"""The shape of a transition: all of it but the names of its places.

A large net has many transitions and few shapes. What is found out about one transition holds for all of its shape.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from sweepcheck.models.net.occurrence.writer import Slot
from sweepcheck.models.net.structure import Place, Transition


def shape(transition: Transition, slots: Mapping[Place, Slot]) -> Hashable:
    """What two transitions of one shape have in common, as long as one of them exists.

    Inscriptions and colours are told apart by their identity: a net has one object for all arcs with the same text.
    """
    places = {place: number for number, place in enumerate(slots)}
    shared: dict[Slot, int] = {}
    return (
        id(transition.constants),
        tuple((shared.setdefault(one, len(shared)), one.capacity, one.single) for one in slots.values()),
        tuple((arc.kind, places[arc.place], id(arc.terms), id(arc.delay), arc.early) for arc in transition.arcs),
        tuple(id(place.colour) for place in slots),
        tuple(map(id, transition.guard)),
        tuple((name, id(value)) for name, value in transition.let.items()),
        tuple((name, id(colour)) for name, colour in transition.free.items()),
        id(transition.delay),
    )
