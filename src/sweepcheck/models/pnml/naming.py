"""What places and transitions are called: by their names where these are unique, else by their ids.

A name of a net of ours has no full stop, which separates the names of modules, and begins with no underscore.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import TypeVar

from sweepcheck.models.net.time import CLOCK

Key = TypeVar("Key", bound=Hashable)
PREFIX = "node"  # before what cannot begin a name
ORDINARY = re.compile(
    rf"(?:(?!{CLOCK}$)[A-Za-z0-9][A-Za-z0-9_-]*+(?:\n|\Z))*", re.MULTILINE
)  # names that stay, a line each


def names(given: dict[str, str]) -> dict[str, str]:
    """What every node is called, by its id, given the names in the file; no two are alike."""
    if len(set(given.values())) == len(given) and ORDINARY.fullmatch("\n".join(given.values())):
        return given
    cleaned = {node: _clean(name) for node, name in given.items()}
    often = Counter(cleaned.values())
    return distinct((node, name if often[name] == 1 else _clean(node)) for node, name in cleaned.items())


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
