"""From modules to one flat net: every instance gets its own places and transitions, ports become their sockets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError
from sweepcheck.models.net.colours import Colour, colour
from sweepcheck.models.net.net import Net, same
from sweepcheck.models.net.structure import Arc, Place, Transition
from sweepcheck.models.net.time import CLOCK


@dataclass(frozen=True, slots=True, eq=False)
class FlatPlace:
    """A place of the flat net, which may stand for several places of modules."""

    name: str
    colour: Colour
    initial: Bag
    capacity: int | None
    where: str | None = None


@dataclass(frozen=True, slots=True)
class FlatTransition:
    """A transition of one instance of a module, and the flat places that its places are."""

    name: str
    transition: Transition
    places: Mapping[Place, FlatPlace]


@dataclass(frozen=True, slots=True)
class Instance:
    """One use of a module, or the net itself, and the flat places that its places are."""

    net: Net
    places: Mapping[Place, FlatPlace]


@dataclass(slots=True)
class FlatNet:
    """A net without modules; `instances` tells where its parts come from, by path: `Sender.Network`, "" for all."""

    places: list[FlatPlace] = field(default_factory=list)
    transitions: list[FlatTransition] = field(default_factory=list)
    instances: dict[str, Instance] = field(default_factory=dict)
    clock: FlatPlace = field(default_factory=lambda: FlatPlace(CLOCK, colour(int), Bag([0]), None))

    @property
    def reads_clock(self) -> bool:
        """Whether some transition looks at the time."""
        return any(one.places[arc.place] is self.clock for one in self.transitions for arc in one.transition.arcs)

    def singles(self) -> set[FlatPlace]:
        """The places that hold exactly one token in every marking: no transition changes the number."""
        found = {one for one in self.places if len(one.initial) == 1 and not one.colour.timed}
        for flat in self.transitions:
            arcs: dict[FlatPlace, list[Arc]] = {}
            for arc in flat.transition.arcs:
                arcs.setdefault(flat.places[arc.place], []).append(arc)
            found.difference_update(place for place, group in arcs.items() if not _is_steady(group))
        return found


def _is_steady(arcs: list[Arc]) -> bool:
    """Whether a transition with these arcs to a place leaves one token for one: it tests it, or takes and puts it."""
    plain = all(arc.count == 1 and len(arc.terms or ()) == 1 for arc in arcs)
    kinds = sorted(arc.kind for arc in arcs)
    # A test beside a take would need a second token, which never comes: leave that to the general case.
    return plain and (kinds == ["put", "take"] or set(kinds) == {"test"})


def flatten(net: Net) -> FlatNet:
    """The flat net; places and transitions of modules are called `Module.Name`."""
    flat = FlatNet()
    fused: dict[str, tuple[Place, FlatPlace]] = {}
    _instance(net, "", {}, flat, fused)
    return flat


def _instance(
    net: Net,
    prefix: str,
    sockets: Mapping[str, FlatPlace],
    flat: FlatNet,
    fused: dict[str, tuple[Place, FlatPlace]],
) -> None:
    places: dict[Place, FlatPlace] = {net.clock: flat.clock}
    for place in net.places.values():
        if place.port is not None and place.name in sockets:
            places[place] = sockets[place.name]
        elif place.fusion is not None and place.fusion in fused:
            places[place] = _fuse(place, *fused[place.fusion])
        else:
            # A module checked by itself is open: its ports are ordinary places, empty at first.
            name = place.fusion if place.fusion is not None else prefix + place.name
            places[place] = FlatPlace(name, place.colour, place.initial, place.capacity, place.where)
            flat.places.append(places[place])
            if place.fusion is not None:
                fused[place.fusion] = place, places[place]
    flat.instances[prefix.removesuffix(".")] = Instance(net, places)
    for name, transition in net.transitions.items():
        flat.transitions.append(FlatTransition(prefix + name, transition, places))
    for name, substitution in net.substitutions.items():
        for place in substitution.module.places.values():
            if place.port is not None and place.name not in substitution.sockets:  # declared after the module was used
                raise ModelError(
                    "SC128",
                    f"port {place.name!r} of module {prefix + name!r} is not connected",
                    where=place.where,
                    suggestion="declare all ports of a module before it is used",
                )
        connected = {port: places[socket] for port, socket in substitution.sockets.items()}
        _instance(substitution.module, f"{prefix}{name}.", connected, flat, fused)


def _fuse(place: Place, first: Place, flat: FlatPlace) -> FlatPlace:
    agree = same(place.colour, first.colour) and place.initial == first.initial and place.capacity == first.capacity
    if not agree:
        raise ModelError(
            "SC130",
            f"the places {first.name!r} and {place.name!r} of fusion set {place.fusion!r} do not agree",
            where=place.where,
            values=[(one.name, _words(one)) for one in (first, place)],
            suggestion="give all places of a fusion set the same colour, initial marking and capacity",
        )
    return flat


def _words(place: Place) -> str:
    capacity = "" if place.capacity is None else f", capacity {place.capacity}"
    return f"colour {'timed ' * place.colour.timed}{place.colour}, tokens {place.initial!r}{capacity}"
