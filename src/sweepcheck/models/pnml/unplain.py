"""What the core has read of a place/transition net, as the careful reader would have read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sweepcheck._core import PlainNet, PlainNodes
from sweepcheck.core.counting import rows
from sweepcheck.models.markup import Source
from sweepcheck.models.pnml.document import PnmlArc, PnmlNet, PnmlPlace, PnmlTransition, weight
from sweepcheck.models.pnml.sorts import Dot

KINDS = ("normal", "normal", "test", "inhibitor", "reset")  # by the core's numbers
PUT = 1  # of the two that are normal, the one that leads to the place


def document(path: Path, found: PlainNet) -> PnmlNet:
    """The net with an object for each of its nodes and arcs."""
    places, transitions = found.places, found.transitions
    made = PnmlNet(Source(path), found.id or path.stem, found.name or found.id or path.stem, False)
    for number, (node, name, line) in enumerate(_nodes(places)):
        count = found.initial[number]
        made.places[node] = PnmlPlace(node, name, line, Dot(), weight(count) if count else None)
    made.transitions.update((node, PnmlTransition(node, name, line)) for node, name, line in _nodes(transitions))
    place_ids, transition_ids = places.ids, transitions.ids
    for transition, kind, place, count in rows(found.arcs):
        ends = place_ids[place], transition_ids[transition]
        made.arcs.append(PnmlArc(*ends, kind != PUT, KINDS[kind], weight(count), 0))
    return made


def _nodes(of: PlainNodes) -> Iterator[tuple[str, str, int]]:
    return zip(of.ids, of.names, of.lines, strict=True)
