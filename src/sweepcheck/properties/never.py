"""Never: a pattern of events that must not come. An observer in the network watches for it."""

from __future__ import annotations

from collections.abc import Iterable

from sweepcheck.core.declaration import check_name, texts
from sweepcheck.core.formula import Among, Not
from sweepcheck.core.property import VIOLATED, Kind, Pattern, Property, observer_name
from sweepcheck.errors import public


@public
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
    asked = (("events", events), ("after", after), ("before", before), ("without", without))
    pattern = Pattern(*(texts(given, f"{word} of never()", "SC117") for word, given in asked))
    return of_pattern(name, pattern)


def of_pattern(name: str, pattern: Pattern) -> Property:
    """The property that a pattern of events never comes."""
    check_name(name, "a property")
    unseen = Not(Among(observer_name(name), frozenset({VIOLATED})))
    return Property(Kind.INVARIANT, name, unseen, pattern)
