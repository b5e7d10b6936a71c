"""A net as data for the page: its places, transitions and arcs as they are explored, and the pages they are on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sweepcheck.core.layout import DrawnPage
from sweepcheck.core.model import System
from sweepcheck.errors import SweepcheckError
from sweepcheck.models.net.hierarchy import FlatNet, FlatPlace, flatten
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
        "pages": _drawn_pages(system, flat) or _modules(flat),
    }


def _drawn_pages(system: System, flat: FlatNet) -> list[dict[str, Any]]:
    """The pages as the model's file has them drawn; none if there is a node whose position it does not tell."""
    if len(flat.places) + len(flat.transitions) > MOST_DRAWN:
        return []
    try:
        drawn = system.drawn_at()
    except SweepcheckError:  # the file is gone
        return []
    places = {one.name: f"p{number}" for number, one in enumerate(flat.places)}
    names = places | {one.name: f"t{number}" for number, one in enumerate(flat.transitions)}
    found = [_drawn_page(page, names) for page in drawn]
    shown = {name for page in found for name in page["positions"]}
    return found if shown.issuperset(names.values()) else []


def _drawn_page(page: DrawnPage, names: Mapping[str, str]) -> dict[str, Any]:
    nodes = {names[name]: at for name, at in page.nodes.items() if name in names}
    modules = [
        {
            "name": visible(one.name),
            "page": one.page,
            "places": sorted({int(names[place][1:]) for place in one.places if place in names}),
        }
        for one in page.modules
    ]
    boxes = {f"m{number}": one.at for number, one in enumerate(page.modules)}
    positions = {name: [round(value, 1) for value in at] for name, at in (nodes | boxes).items()}
    return {"name": visible(page.name), **_nodes(nodes), "modules": modules, "positions": positions}


def _nodes(names: Iterable[str]) -> dict[str, list[int]]:
    listed = list(names)
    return {what: sorted(int(name[1:]) for name in listed if name[0] == what[0]) for what in ("places", "transitions")}


def _modules(flat: FlatNet) -> list[dict[str, Any]]:
    """The net itself and each use of a module, with what is in the modules below as boxes; none without modules."""
    if len(flat.instances) == 1:
        return []
    paths = list(flat.instances)
    place_of = {place: number for number, place in enumerate(flat.places)}
    found = []
    for path, instance in flat.instances.items():
        prefix = f"{path}." if path else ""
        own = [
            number
            for number, one in enumerate(flat.transitions)
            if one.name == prefix + one.transition.name and one.places is instance.places
        ]
        modules = [
            {
                "name": visible(name),
                "page": paths.index(prefix + name),
                "places": sorted({place_of[instance.places[socket]] for socket in substitution.sockets.values()}),
            }
            for name, substitution in instance.net.substitutions.items()
        ]
        places = sorted({place_of[one] for one in instance.places.values() if one in place_of})
        shown = visible(path or instance.net.name)
        found.append({"name": shown, "places": places, "transitions": own, "modules": modules})
    return found


def _place(place: FlatPlace) -> dict[str, Any]:
    tokens = place.initial
    return {
        "name": visible(place.name),
        "colour": visible(str(place.colour)),
        "tokens": value_text(tokens),
        "count": len(tokens),
        "black": all(token == () for token in tokens.distinct()),
    }
