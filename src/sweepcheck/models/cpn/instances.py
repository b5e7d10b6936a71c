"""From pages to instances: every use of a page has places and transitions of its own; ports are their sockets.

Names are those of CPN Tools: `Page'Place 1` is a place of the first instance of a page, where all that is no letter or
digit is an underscore. Places that are one, as ports and sockets and in fusion sets, have the name of the first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from sweepcheck.errors import SweepcheckError
from sweepcheck.models.cpn.document import CpnDocument, CpnInstance, CpnPage, CpnPlace, CpnTransition

MOST_INSTANCES = 10_000  # of pages: each level of a hierarchy may multiply them


@dataclass(frozen=True, slots=True)
class PageInstance:
    """One use of a page; its number tells it from others of the same page."""

    page: CpnPage
    number: int
    way: tuple[str, ...]  # the substitution transitions that lead to it

    def named(self, name: str) -> str:
        """A part of it as CPN Tools calls it."""
        return f"{_plain(self.page.name)}'{_plain(name)} {self.number}"


@dataclass(slots=True, eq=False)
class PlaceInstance:
    """A place of an instance. `same` leads to the place that it is, through its socket or fusion set."""

    place: CpnPlace
    of: PageInstance
    name: str
    same: PlaceInstance | None = None

    @property
    def is_connected(self) -> bool:
        """Whether it is a port with a socket."""
        return self.place.port is not None and self.same is not None

    def root(self) -> PlaceInstance:
        """The place that it is."""
        found = self
        while found.same is not None:
            found = found.same
        return found


@dataclass(slots=True, eq=False)
class TransitionInstance:
    """A transition of an instance, which is no substitution transition, with the places it may have arcs to."""

    transition: CpnTransition
    of: PageInstance
    name: str
    places: dict[str, PlaceInstance]


@dataclass(slots=True)
class Instances:
    """All instances of a document."""

    document: CpnDocument
    pages: list[PageInstance] = field(default_factory=list)
    places: list[PlaceInstance] = field(default_factory=list)
    transitions: list[TransitionInstance] = field(default_factory=list)
    numbers: Counter[str] = field(default_factory=Counter)

    def error(self, code: str, what: str, line: int, suggestion: str) -> SweepcheckError:
        """An error at a line of the document."""
        return self.document.source.wrong(code, what, line, suggestion)


def instances(document: CpnDocument) -> Instances:
    """The instances that a document describes, in the order of its list of them."""
    found = Instances(document)
    listed = {one.of: one for one in document.primes if one.of in document.pages}
    for page in _primes(document):
        _instance(found, page, listed.get(page.id), {}, ())
    _fuse(found)
    _distinct(found)
    return found


def _primes(document: CpnDocument) -> list[CpnPage]:
    """The pages that stand for themselves: as listed, else those that no substitution transition has."""
    listed = [document.pages[one.of] for one in document.primes if one.of in document.pages]
    if listed:
        return listed
    used = {one.subpage for page in document.pages.values() for one in page.transitions.values()}
    return [page for page in document.pages.values() if page.id not in used] or list(document.pages.values())[:1]


def _instance(
    found: Instances,
    page: CpnPage,
    listed: CpnInstance | None,
    sockets: dict[str, PlaceInstance],
    way: tuple[str, ...],
) -> None:
    found.numbers[page.id] += 1
    of = PageInstance(page, found.numbers[page.id], way)
    found.pages.append(of)
    if len(found.pages) > MOST_INSTANCES:
        raise found.error("SC147", f"there are more than {MOST_INSTANCES:,} instances of pages", page.line, "use fewer")
    places = {one.id: PlaceInstance(one, of, of.named(one.name), sockets.get(one.id)) for one in page.places.values()}
    found.places += places.values()
    for one in page.transitions.values():
        if one.subpage is None:
            found.transitions.append(TransitionInstance(one, of, of.named(one.name), places))
    for one in _in_listed_order(page, listed):
        below = found.document.pages[one.subpage or ""]
        if one.subpage == page.id or one.id in way:
            raise found.error("SC147", f"page {below.name!r} contains itself", one.line, "hierarchies have no cycles")
        inside = None if listed is None else next((each for each in listed.inside if each.of == one.id), None)
        _instance(found, below, inside, dict(_sockets(found, one, below, places)), (*way, one.id))


def _in_listed_order(page: CpnPage, listed: CpnInstance | None) -> list[CpnTransition]:
    """The substitution transitions, those in the list of instances first and as there: it numbers the instances."""
    order = {} if listed is None else {one.of: position for position, one in enumerate(listed.inside)}
    found = [one for one in page.transitions.values() if one.subpage is not None]
    return sorted(found, key=lambda one: order.get(one.id, len(order)))


def _sockets(
    found: Instances, transition: CpnTransition, below: CpnPage, places: dict[str, PlaceInstance]
) -> Iterator[tuple[str, PlaceInstance]]:
    for port, socket in transition.sockets.items():
        if port not in below.places or below.places[port].port is None:
            raise found.error(
                "SC147",
                f"the substitution transition {transition.name!r} connects {port!r}, which is no port of page "
                f"{below.name!r}",
                transition.line,
                "connect ports of that page to places around the transition",
            )
        if socket not in places:
            raise found.error(
                "SC147",
                f"port {below.places[port].name!r} of the substitution transition {transition.name!r} is connected to "
                f"{socket!r}, which is no place of its page",
                transition.line,
                "connect it to a place around the transition",
            )
        yield port, places[socket]


def _fuse(found: Instances) -> None:
    """Make the members of every fusion set one place, in all instances of their pages."""
    for name, members in found.document.fusions.items():
        fused = [one for one in found.places if one.place.id in set(members)]
        for one in fused[1:]:
            first, other = fused[0].root(), one.root()
            if first is other:
                continue
            if first.place.colour.text.split() != other.place.colour.text.split():
                raise found.error(
                    "SC147",
                    f"places {first.name!r} and {other.name!r} of fusion set {name!r} have different colour sets",
                    one.place.line,
                    "give all members of a fusion set the same colour set",
                )
            other.same = first


def _distinct(found: Instances) -> None:
    """Tell apart what has the same name on one page, which CPN Tools allows."""
    for group in (found.places, found.transitions):
        given = {one.name for one in group}
        taken: set[str] = set()
        for one in group:
            head, _, number = one.name.rpartition(" ")
            more = count(2)
            while one.name in taken:
                candidate = f"{head}_{next(more)} {number}"
                one.name = one.name if candidate in given else candidate
            taken.add(one.name)


def _plain(name: str) -> str:
    return re.sub(r"[^\w]", "_", name) or "x"
