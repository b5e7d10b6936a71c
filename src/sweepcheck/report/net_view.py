"""A net as data for the page: its places, transitions and arcs, without modules."""

from __future__ import annotations

from typing import Any

from sweepcheck.core.model import System
from sweepcheck.errors import SweepcheckError
from sweepcheck.models.net.hierarchy import FlatPlace, flatten
from sweepcheck.models.net.system import net_of
from sweepcheck.report.dot import arc_text, transition_rows
from sweepcheck.text import value_text, visible

MOST_DRAWN = 400  # places and transitions; a larger net is a table


def net_view(system: System) -> dict[str, Any] | None:
    """The flat net of a model, as it is explored; None of a model that is no net."""
    try:
        flat = flatten(net_of(system))
    except SweepcheckError:
        return None
    place_of = {place: number for number, place in enumerate(flat.places)}
    arcs = [
        [place_of[one.places[arc.place]], number, arc.kind, visible(arc_text(arc))]
        for number, one in enumerate(flat.transitions)
        for arc in one.transition.arcs
    ]
    return {
        "drawn": len(flat.places) + len(flat.transitions) <= MOST_DRAWN,
        "places": [_place(one) for one in flat.places],
        "transitions": [
            {
                "name": visible(one.name),
                "words": [visible(" ".join(lines)) for _, lines in transition_rows(one.transition)],
            }
            for one in flat.transitions
        ],
        "arcs": arcs,
    }


def _place(place: FlatPlace) -> dict[str, Any]:
    tokens = place.initial
    return {
        "name": visible(place.name),
        "colour": visible(str(place.colour)),
        "tokens": value_text(tokens),
        "count": len(tokens),
        "black": all(token == () for token in tokens.distinct()),
    }
