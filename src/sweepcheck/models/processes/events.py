"""Events: names such as `yes.3`, and the sets of them that hiding, renaming and patterns speak of.

A name stands for the event itself and for every event that continues it with a dot: `yes` is `yes.1`, `yes.2`, ...
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

from sweepcheck.core.property import names_for, stand_for

TAU = "tau"  # the event that nobody else sees; other tools also write i
EVENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.(-?[0-9]+|[A-Za-z_][A-Za-z0-9_]*))*")


def covers(name: str, event: str) -> bool:
    """Whether a name stands for an event."""
    return event == name or (event.startswith(name) and event[len(name)] == ".")


def among(event: str, names: Container[str]) -> bool:
    """Whether one of the names stands for the event; the silent event is never meant."""
    return event != TAU and stand_for(names, event)


def renamed(event: str, mapping: Mapping[str, str | tuple[str, ...]]) -> tuple[str, ...]:
    """The events that an event becomes: the longest name that stands for it decides, and what follows it stays."""
    if event == TAU:
        return (event,)
    name = next((name for name in names_for(event) if name in mapping), None)
    if name is None:
        return (event,)
    becomes = mapping[name]
    heads = (becomes,) if isinstance(becomes, str) else becomes
    return tuple(dict.fromkeys(head + event[len(name) :] for head in heads))
