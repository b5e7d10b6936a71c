"""Observers: components that watch events and hold up nothing. A pattern of events becomes one.

An observer takes part in every event it watches, in every location, so the network does what it did without it; only
the observer's location tells what has happened so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sweepcheck.core.property import VIOLATED, Pattern
from sweepcheck.models.processes.events import among
from sweepcheck.models.processes.lts import LTS

WAITING, WATCHING, OVER = "waiting", "watching", "over"


def observer(pattern: Pattern, alphabet: Iterable[str]) -> LTS:
    """The LTS that ends in VIOLATED when the pattern of events comes."""
    parts = {"events": pattern.events, "after": pattern.after, "before": pattern.before, "without": pattern.without}
    names = {part: frozenset(listed) for part, listed in parts.items()}
    watched = [event for event in alphabet if any(among(event, listed) for listed in names.values())]
    start = WAITING if pattern.after else WATCHING
    steps = [(location, event, _next(names, location, event)) for location in _locations(start) for event in watched]
    reached = _reached(steps, start)
    return LTS([step for step in steps if step[0] in reached], start, final=sorted(reached))


def _next(names: Mapping[str, frozenset[str]], location: str, event: str) -> str:
    if location in (VIOLATED, OVER):
        return location
    if location == WATCHING:
        if among(event, names["events"]):
            return VIOLATED
        if among(event, names["before"]):
            return OVER
        return WAITING if among(event, names["without"]) else WATCHING
    return WATCHING if among(event, names["after"]) else WAITING


def _locations(start: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((start, WAITING, WATCHING, OVER, VIOLATED)))


def _reached(steps: list[tuple[str, str, str]], start: str) -> set[str]:
    reached: set[str] = set()
    found = {start}
    while found:
        reached |= found
        found = {target for source, _, target in steps if source in reached} - reached
    return reached
