"""Never: a pattern of events that must not come. An observer in the network watches for it."""

from __future__ import annotations

from collections.abc import Iterable

from sweepcheck.core.formula import Among, Not
from sweepcheck.core.property import VIOLATED, Kind, Pattern, Property, observer_name


def never(
    name: str,
    events: str | Iterable[str],
    *,
    after: str | Iterable[str] = (),
    before: str | Iterable[str] = (),
    without: str | Iterable[str] = (),
) -> Property:
    """None of the events ever comes.

    With `after`, none comes once one of these has come, unless one of `without` came in between; with `before`, none
    comes until one of these has come. A name stands for the event and for all that continue it with a dot.
    """
    pattern = Pattern(_names(events), _names(after), _names(before), _names(without))
    return of_pattern(name, pattern)


def of_pattern(name: str, pattern: Pattern) -> Property:
    """The property that a pattern of events never comes."""
    unseen = Not(Among(observer_name(str(name)), frozenset({VIOLATED})))
    return Property(Kind.INVARIANT, name, unseen, pattern)


def _names(events: str | Iterable[str]) -> tuple[str, ...]:
    return (events,) if isinstance(events, str) else tuple(events)
