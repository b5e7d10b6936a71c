"""Files of CPN Tools, written for tests: as that tool writes them, with positions, from a few words each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

DOCTYPE = '<!DOCTYPE workspaceElements PUBLIC "-//CPN//DTD CPNXML 1.0//EN" "http://cpntools.org/DTD/6/cpn.dtd">'
ARROWS = {"->": ("PtoT", "TtoP"), "<->": ("BOTHDIR", "BOTHDIR"), "-o": ("Inhibitor", "?"), "->>": ("Reset", "?")}
STANDARD = "colset UNIT = unit;\ncolset INT = int;\ncolset BOOL = bool;\ncolset STRING = string;"


@dataclass
class Place:
    """A place: its colour set, initial marking and kind of port."""

    name: str
    colour: str = ""
    marking: str = ""
    port: str | None = None


@dataclass
class Transition:
    """A transition; `page` and `sockets` (by the names of ports) make it a substitution transition."""

    name: str
    guard: str = ""
    time: str = ""
    code: str = ""
    priority: str = ""
    page: str | None = None
    sockets: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Page:
    """A page; arcs are written `A -> T : n`, `A <-> T : n`, `A -o T` and `A ->> T`."""

    name: str
    places: Sequence[Place] = ()
    transitions: Sequence[Transition] = ()
    arcs: Sequence[str] = ()

    def key(self, node: str) -> str:
        """The id of a node."""
        return "ID" + re.sub(r"\W", "_", f"{self.name}_{node}")


def cpn_text(
    declarations: str | Sequence[str],
    *pages: Page,
    fusions: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    primes: Sequence[str] = (),
    doctype: str = DOCTYPE,
    standard: str = STANDARD,
    elements: str = "",
) -> str:
    """The text of a file. `fusions` have pairs of a page and a place; `elements` are declarations as elements."""
    by_name = {page.name: page for page in pages}
    blocks = [standard, *([declarations] if isinstance(declarations, str) else declarations)]
    lines = ['<?xml version="1.0" encoding="iso-8859-1"?>', doctype, "<workspaceElements>"]
    lines += ['<generator tool="CPN Tools" version="4.0.1" format="6"/>', "<cpnet><globbox><block id='B1'><id>all</id>"]
    lines += [
        f"<ml id='M{n}'>{escape(text)}<layout>{escape(text)}</layout></ml>" for n, text in enumerate(blocks) if text
    ]
    lines += [elements, "</block></globbox>"]
    for page in pages:
        lines += _page(page, by_name)
    for number, (name, members) in enumerate((fusions or {}).items()):
        inside = "".join(f"<fusion_elm idref={quoteattr(by_name[page].key(place))}/>" for page, place in members)
        lines.append(f"<fusion id='F{number}' name={quoteattr(name)}>{inside}</fusion>")
    used = {one.page for page in pages for one in page.transitions}
    roots = primes or [page.name for page in pages if page.name not in used]
    inside = "".join(f"<instance id='I{n}' page={quoteattr('P' + name)}/>" for n, name in enumerate(roots))
    lines += [f"<instances>{inside}</instances>", "<options/>", "<binders/>", "<monitorblock name='Monitors'/>"]
    return "\n".join([*lines, "</cpnet>", "</workspaceElements>", ""])


def _page(page: Page, pages: Mapping[str, Page]) -> list[str]:
    lines = [f"<page id={quoteattr('P' + page.name)}><pageattr name={quoteattr(page.name)}/>"]
    for number, place in enumerate(page.places):
        port = "" if place.port is None else f"<port id='port' type={quoteattr(place.port)}/>"
        lines.append(
            f"<place id={quoteattr(page.key(place.name))}><posattr x='{100 * number}' y='0'/><text>{escape(place.name)}"
            f"</text><ellipse w='60' h='40'/>{port}<type id='t'><posattr x='{100 * number}' y='-30'/><text>"
            f"{escape(place.colour)}</text></type><initmark id='i'><posattr x='{100 * number}' y='30'/><text>"
            f"{escape(place.marking)}</text></initmark></place>"
        )
    for number, one in enumerate(page.transitions):
        parts = "".join(
            f"<{tag} id='x'><posattr x='0' y='0'/><text>{escape(text)}</text></{tag}>"
            for tag, text in (("cond", one.guard), ("time", one.time), ("code", one.code), ("priority", one.priority))
        )
        subst = ""
        if one.page is not None:
            below = pages[one.page]
            pairs = "".join(f"({below.key(port)},{page.key(socket)})" for port, socket in one.sockets.items())
            subst = f"<subst subpage={quoteattr('P' + one.page)} portsock={quoteattr(pairs)}/>"
        lines.append(
            f"<trans id={quoteattr(page.key(one.name))}><posattr x='{100 * number}' y='-120'/><text>{escape(one.name)}"
            f"</text><box w='60' h='30'/>{subst}{parts}</trans>"
        )
    lines += [_arc(page, text, number) for number, text in enumerate(page.arcs)]
    return [*lines, "</page>"]


def _arc(page: Page, text: str, number: int) -> str:
    ends, _, inscription = text.partition(" : ")
    left, arrow, right = ends.split(" ", 1)[0], "", ""
    for sign in ("<->", "->>", "->", "-o"):
        if f" {sign} " in ends:
            left, right = (one.strip() for one in ends.split(f" {sign} "))
            arrow = sign
            break
    places = {place.name for place in page.places}
    from_place = left in places
    place, transition = (left, right) if from_place else (right, left)
    orientation = ARROWS[arrow][0 if from_place else 1]
    return (
        f"<arc id='A{number}' orientation='{orientation}' order='1'><transend idref={quoteattr(page.key(transition))}/>"
        f"<placeend idref={quoteattr(page.key(place))}/><annot id='n'><posattr x='0' y='0'/><text>"
        f"{escape(inscription)}</text></annot></arc>"
    )


def write_cpn(folder: Path, *arguments: object, name: str = "net", **named: object) -> Path:
    """Write a file into a folder."""
    path = folder / f"{name}.cpn"
    path.write_text(cpn_text(*arguments, **named), encoding="iso-8859-1")  # type: ignore[arg-type]
    return path
