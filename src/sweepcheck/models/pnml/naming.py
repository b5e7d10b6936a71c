"""What places and transitions are called: by their names where these are unique, else by their ids.

A name of a net of ours has no full stop, which separates the names of modules, and begins with no underscore.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import TypeVar

from sweepcheck.models.net.time import CLOCK
from sweepcheck.models.pnml.document import PnmlNet, PnmlPlace, PnmlTransition

Key = TypeVar("Key", bound=Hashable)
PREFIX = "node"  # before what cannot begin a name


def names(net: PnmlNet) -> dict[str, str]:
    """The name of every node, by its id; no two are alike."""
    nodes: list[PnmlPlace | PnmlTransition] = [*net.places.values(), *net.transitions.values()]
    often = Counter(_clean(one.name) for one in nodes)
    wanted = {one.id: _clean(one.name if often[_clean(one.name)] == 1 else one.id) for one in nodes}
    return distinct(wanted.items())


def distinct(wanted: Iterable[tuple[Key, str]]) -> dict[Key, str]:
    """Names for keys, as wanted but where another key has the name already."""
    found: dict[Key, str] = {}
    taken: set[str] = set()
    for key, name in wanted:
        candidate, number = name, 2
        while candidate in taken:
            candidate, number = f"{name}_{number}", number + 1
        taken.add(candidate)
        found[key] = candidate
    return found


def _clean(text: str) -> str:
    """A text as the name of a place or transition."""
    name = " ".join(text.split()).replace(".", "_")
    if not name.isprintable():
        name = "".join(one if one.isprintable() else "_" for one in name)
    return PREFIX + name if not name or name.startswith("_") or name == CLOCK else name
