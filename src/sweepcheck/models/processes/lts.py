"""LTS: a labelled transition system, the component of a network.

Locations and events are numbered; the steps of a location lie side by side in three flat arrays, so that a component
with a million locations costs a few bytes for each.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import pairwise
from operator import itemgetter
from typing import Any

from sweepcheck.core.declaration import listed, texts
from sweepcheck.core.values import alike, unfit, unlike
from sweepcheck.errors import ModelError, caller, public, shown
from sweepcheck.models.processes.events import TAU, among, renamed

Triple = tuple[int, str, int]


class LTS:
    """Locations, an initial one, and steps between them, each by an event.

    >>> cell = LTS([("empty", "put", "full"), ("full", "get", "empty")])
    >>> len(cell), cell.initial, sorted(cell.alphabet)
    (2, 0, ['get', 'put'])

    The initial location is `initial`, or else where the first step begins. The event "tau" is a step that concerns
    nobody else. `alphabet` names events that the component takes part in beside those of its steps: it refuses them.
    In `final` locations the component may rest for ever; elsewhere that is a deadlock.
    """

    __slots__ = ("_events", "_first", "_targets", "alphabet", "events", "final", "initial", "locations")
    locations: tuple[Hashable, ...]
    events: tuple[str, ...]
    initial: int
    final: frozenset[int]
    alphabet: frozenset[str]

    @public
    def __init__(
        self,
        steps: Iterable[tuple[Hashable, str, Hashable]],
        initial: Hashable = None,
        *,
        alphabet: Iterable[str] = (),
        final: Iterable[Hashable] = (),
    ) -> None:
        found = [_step(step) for step in listed(steps, "the steps of an LTS", "SC610")]
        begin = initial if initial is not None else found[0][0] if found else 0
        final = listed(final, "the final locations of an LTS", "SC610")
        for location in (begin, *final):
            _check_location(location)
        names = [begin, *(end for source, _, target in found for end in (source, target)), *final]
        firsts: dict[Hashable, Hashable] = {}
        for name in names:
            if not alike(first := firsts.setdefault(name, name), name):
                raise unlike("the LTS", first, name).add(where=caller())
        number = {name: position for position, name in enumerate(firsts)}
        self._fill(
            tuple(number),
            [(number[source], event, number[target]) for source, event, target in found],
            0,
            frozenset(texts(alphabet, "the alphabet of an LTS", "SC610")),
            frozenset(number[name] for name in final),
        )

    @classmethod
    def numbered(
        cls,
        locations: Iterable[Hashable],
        steps: Iterable[Triple],
        initial: int = 0,
        *,
        alphabet: Iterable[str] = (),
        final: Iterable[int] = (),
    ) -> LTS:
        """An LTS whose steps refer to locations by their position."""
        made = cls.__new__(cls)
        made._fill(tuple(locations), list(steps), initial, frozenset(alphabet), frozenset(final))
        return made

    def _fill(
        self,
        locations: tuple[Hashable, ...],
        steps: list[Triple],
        initial: int,
        alphabet: frozenset[str],
        final: frozenset[int],
    ) -> None:
        if len(set(locations)) < len(locations):
            raise ModelError(
                "SC610",
                f"two locations are called {shown(_repeated(locations))}",
                where=caller(),
                suggestion="give each location its own name",
            )
        self.locations = locations
        self.initial = initial
        self.final = final
        self.events = tuple(dict.fromkeys(event for _, event, _ in steps))
        self.alphabet = (alphabet | set(self.events)) - {TAU}
        number = {event: position for position, event in enumerate(self.events)}
        # A step given twice is one step; those out of a location stay in the order given.
        ordered = sorted(dict.fromkeys(steps), key=itemgetter(0))
        self._events = array("I", [number[event] for _, event, _ in ordered])
        self._targets = array("I", [target for _, _, target in ordered])
        self._first = array("I", [0]) * (len(locations) + 1)
        for source, _, _ in ordered:
            self._first[source + 1] += 1
        for location in range(len(locations)):
            self._first[location + 1] += self._first[location]

    def __len__(self) -> int:
        return len(self.locations)

    def steps(self, location: int) -> Iterator[tuple[str, int]]:
        """The steps out of a location, in the order given: event and target."""
        for position in range(self._first[location], self._first[location + 1]):
            yield self.events[self._events[position]], self._targets[position]

    def targets(self, location: int) -> array[int]:
        """The targets of the steps out of a location, in the order given."""
        return self._targets[self._first[location] : self._first[location + 1]]

    def triples(self) -> Iterator[Triple]:
        """All steps: source, event, target."""
        for source, (first, last) in enumerate(pairwise(self._first)):
            for position in range(first, last):
                yield source, self.events[self._events[position]], self._targets[position]

    @property
    def step_count(self) -> int:
        """How many steps there are."""
        return len(self._targets)

    @public
    def rename(self, mapping: Mapping[str, str | tuple[str, ...]] | None = None, /, **names: str) -> LTS:
        """The same with other events: `cell.rename(put="left", get="mid")`; to several events at once by a tuple."""
        new = renaming(mapping, names)
        steps = [(s, to, t) for s, event, t in self.triples() for to in renamed(event, new)]
        alphabet = {to for event in self.alphabet for to in renamed(event, new)}
        return LTS.numbered(self.locations, steps, self.initial, alphabet=alphabet, final=self.final)

    @public
    def hide(self, *events: str) -> LTS:
        """The same with these events done silently, by the component alone."""
        names = frozenset(texts(events, "events to hide", "SC610"))
        hidden = {event for event in self.alphabet if among(event, names)}
        steps = [(s, TAU if event in hidden else event, t) for s, event, t in self.triples()]
        return LTS.numbered(self.locations, steps, self.initial, alphabet=self.alphabet - hidden, final=self.final)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LTS):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.locations, self.initial, self.alphabet, self.step_count))

    def _identity(self) -> tuple[Any, ...]:
        return (self.locations, self.initial, self.alphabet, self.final, list(self.triples()))

    def __repr__(self) -> str:
        return f"<LTS: {len(self)} locations, {self.step_count} steps, {len(self.alphabet)} events>"


def _repeated(locations: Iterable[Hashable]) -> Hashable:
    """The first location that is there twice."""
    return next(name for name, count in Counter(locations).items() if count > 1)


def renaming(mapping: object, names: Mapping[str, object]) -> dict[str, str | tuple[str, ...]]:
    """New names of events, given as a mapping or by keywords; several for one event as a tuple."""
    if not isinstance(mapping, Mapping | None):
        raise ModelError(
            "SC610", f"{shown(mapping)} renames nothing", where=caller(), suggestion='write rename({"old": "new"})'
        )
    new: dict[str, str | tuple[str, ...]] = {}
    for old, given in {**(mapping or {}), **names}.items():
        (name,) = texts([old], "an event to rename", "SC610")
        new[name] = given if isinstance(given, str) else texts(given, f"the new names of event {name!r}", "SC610")
    return new


def _check_location(name: object) -> None:
    if (why := unfit(name)) is not None:
        raise ModelError(
            "SC610",
            f"location {shown(name)} {why}",
            where=caller(),
            suggestion="name locations by text or numbers",
        )


def _step(step: Any) -> tuple[Hashable, str, Hashable]:
    """A step as it was given, looked at."""
    if not isinstance(step, tuple) or len(step) != 3:
        raise ModelError(
            "SC610",
            f"{shown(step)} is not a step of an LTS",
            where=caller(),
            suggestion='give (location, event, location): ("empty", "put", "full")',
        )
    source, event, target = step
    _check_location(source)
    _check_location(target)
    if not isinstance(event, str) or not event:
        raise ModelError(
            "SC610",
            f"the event of step {shown(step)} is not text",
            where=caller(),
            suggestion='name events by text, as in "put" or "yes.1"; "tau" is silent',
        )
    return source, event, target
