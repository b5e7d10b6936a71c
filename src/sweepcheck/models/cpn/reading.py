"""Reads a file of CPN Tools. The structured elements count, not the texts that repeat them for the screen.

What only serves the screen, monitors and performance analysis is passed over. What could change the behaviour of the
net and is not known is refused with its line.
"""

from __future__ import annotations

import re
from pathlib import Path

from sweepcheck.core.limits import FileLimits
from sweepcheck.errors import SweepcheckError, closest, shown
from sweepcheck.models.cpn.colourtext import colour_text
from sweepcheck.models.cpn.document import (
    CpnArc,
    CpnDocument,
    CpnInstance,
    CpnPage,
    CpnPlace,
    CpnTransition,
    Figure,
    Label,
    Written,
)
from sweepcheck.models.markup import Element, Source, Stream

UNITS = (
    "color", "var", "ml", "globref", "use", "pageattr", "place", "trans", "arc", "constraints", "fusion", "instances",
    "option", "errordecl", "mult",
)  # fmt: skip
# For the screen, for monitors, for drawn parts of state spaces, for the places of windows.
IGNORED = (
    "layout", "textattr", "snap", "token", "marking", "binding", "arrowattr", "Aux", "aux", "group", "hguideline",
    "vguideline", "ssnode", "ssarc", "monitorblock", "binders", "IndexNode", "generator", "label", "text_monitor",
    "modeattr", "winattr", "aux-conn",
)  # fmt: skip
HOLDERS = ("cpnet", "globbox", "block", "page", "options", "id")
PAGE_FIGURES = ("lineattr", "fillattr", "posattr", "box", "line")  # of a page itself, in files of early versions
DIRECTIONS = ("ptot", "ttop", "bothdir", "inhibitor", "reset")
PORTS = {"in": "in", "out": "out", "i/o": "i/o", "in/out": "i/o", "inout": "i/o", "general": "i/o"}
OLD_COLOUR = re.compile(r"(?:(?<=[;\n])|\A)[ \t]*color\b")
PAIR = re.compile(r"\(\s*([^,()\s]+)\s*,\s*([^,()\s]+)\s*\)")


def read_document(path: Path, limits: FileLimits) -> CpnDocument:
    """What stands in a file."""
    source = Source(path, unreadable="SC144")
    reader = _Reader(source)
    Stream(source, UNITS, IGNORED, typed=True).read(limits, reader.begin, reader.end)
    return reader.finished()


class _Reader:
    """Takes down what comes, page by page."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found = CpnDocument(source, source.path.stem)
        self.page: CpnPage | None = None
        self.is_net = False

    # -- while the file is parsed ------------------------------------------------------------------------------------

    def begin(self, element: Element, around: list[Element]) -> None:
        """See `Stream`: an element that holds others."""
        if not around:
            if element.tag != "workspaceElements":
                raise self._no_net(f"it is <{element.tag}>, not <workspaceElements>", element.line)
        elif element.tag == "cpnet":
            if self.is_net:
                raise self._no_net("it holds more than one net", element.line, "keep one net in each file")
            self.is_net = True
        elif element.tag == "page":
            self._begin_page(element)
        elif element.tag not in (*HOLDERS, *PAGE_FIGURES):
            raise self._unknown(element, "part of a net", (*HOLDERS, *UNITS))

    def _begin_page(self, element: Element) -> None:
        identity = self._id(element)
        self.page = CpnPage(identity, identity, element.line)
        if identity in self.found.pages:
            raise self._wrong(f"two pages have the id {identity!r}", element.line, "give each its own")
        self.found.pages[identity] = self.page

    def end(self, element: Element, around: list[Element]) -> None:
        """See `Stream`: a declaration, a node, an arc, a fusion set, the instances, an option."""
        if not self.is_net:
            raise self._no_net(f"<{element.tag}> is outside a net", element.line)
        match element.tag:
            case "color" | "var" | "ml" | "globref" | "use" | "errordecl":
                self.found.declarations.append(Written(self._declaration(element), element.line))
            case "fusion":
                members = [self._reference(one, "idref") for one in element if one.tag == "fusion_elm"]
                self.found.fusions.setdefault(element.attributes.get("name", ""), []).extend(members)
            case "instances":
                self.found.primes += [self._instance(one) for one in element if one.tag == "instance"]
            case "option":
                self.found.options[element.attributes.get("name", "")] = _deep_text(element).strip()
            case _:
                self._part_of_page(element, around)

    def _part_of_page(self, element: Element, around: list[Element]) -> None:
        if self.page is None or not around or around[-1].tag != "page":
            raise self._wrong(f"<{element.tag}> is outside a page", element.line, "save it again with CPN Tools")
        match element.tag:
            case "pageattr":
                self.page.name = " ".join(element.attributes.get("name", "").split()) or self.page.id
            case "mult":  # what early versions have instead of a list of instances: how often a page is prime
                self.found.primes += [CpnInstance(self.page.id)] * self._count(element, "insts")
            case "place":
                self._place(self.page, element)
            case "trans":
                self._transition(self.page, element)
            case "arc":
                self.page.arcs.append(self._arc(element))
            case _ if element.children:
                raise self._unsupported(
                    "declarative constraints between transitions", element.line, "write them as places and arcs"
                )

    # -- declarations ------------------------------------------------------------------------------------------------

    def _declaration(self, element: Element) -> str:
        """A declaration as CPN ML writes it."""
        if element.tag == "ml":
            return element.text.strip()
        if element.tag == "errordecl":  # declarations that an early version took over as they were
            return OLD_COLOUR.sub("colset", element.text).strip()
        if element.tag == "use":
            held = element.child("ml")  # beside it stands the declaration as it is drawn
            named = _deep_text(element if held is None else held).strip()
            return f"use {named};" if named.startswith(('"', "(")) else f'use "{named}";'
        names = [one.text.strip() for one in element if one.tag == "id"]
        if not names or not all(names):
            raise self._wrong(f"<{element.tag}> has no name", element.line, "give it one in <id>")
        if element.tag == "var":
            kind = element.child("type")
            typed = "" if kind is None else _deep_text(kind).strip()
            return f"var {', '.join(names)} : {typed or 'UNIT'};"
        if element.tag == "globref":
            value = element.child("ml")
            return f"globref {names[0]} = {'' if value is None else value.text.strip()};"
        return colour_text(element, names[0], self._unknown)

    # -- nodes and arcs ----------------------------------------------------------------------------------------------

    def _place(self, page: CpnPage, element: Element) -> None:
        identity = self._new_id(element)
        port = element.child("port")
        kind = None
        if port is not None:
            given = port.attributes.get("type", "")
            kind = PORTS.get(given.strip().lower())
            if kind is None:
                raise self._wrong(f"{shown(given)} is no type of a port", port.line, "use In, Out or I/O")
        page.places[identity] = CpnPlace(
            identity,
            _name(element, identity),
            element.line,
            self._written(element, "type"),
            self._written(element, "initmark"),
            kind,
            _caption(element),
            _figure(element, "ellipse"),
            _labels(element, ("type", "initmark")),
        )

    def _transition(self, page: CpnPage, element: Element) -> None:
        identity = self._new_id(element)
        made = CpnTransition(
            identity,
            _name(element, identity),
            element.line,
            self._written(element, "cond"),
            self._written(element, "time"),
            self._written(element, "code"),
            self._written(element, "priority"),
            caption=_caption(element),
            figure=_figure(element, "box"),
            labels=_labels(element, ("cond", "time", "code", "priority")),
        )
        page.transitions[identity] = made
        channel = self._written(element, "channel")
        if channel:
            raise self._unsupported(f"the channel {shown(channel.text)}", channel.line, "use places between the two")
        subst = element.child("subst")
        if subst is not None:
            made.subpage = self._reference(subst, "subpage")
            made.sockets = dict(PAIR.findall(subst.attributes.get("portsock", "")))

    def _arc(self, element: Element) -> CpnArc:
        direction = element.attributes.get("orientation", "").strip().lower()
        if direction not in DIRECTIONS:
            raise self._wrong(
                f"an arc has the orientation {shown(element.attributes.get('orientation', ''))}",
                element.line,
                "use PtoT, TtoP, BOTHDIR, Inhibitor or Reset",
            )
        ends = []
        for tag in ("placeend", "transend"):
            end = element.child(tag)
            if end is None:
                raise self._wrong(f"an arc has no <{tag}>", element.line, "connect it on both sides")
            ends.append(self._reference(end, "idref"))
        bends = [one for one in element if one.tag == "bendpoint"]
        bends.sort(key=lambda one: _number(one.attributes.get("serial")))
        return CpnArc(
            element.attributes.get("id", ""),
            ends[0],
            ends[1],
            direction,
            self._written(element, "annot"),
            element.line,
            tuple((one.x, one.y) for one in map(_position, bends)),
            _figure(element, ""),
            _labels(element, ("annot",)),
        )

    def _instance(self, element: Element) -> CpnInstance:
        of = element.attributes.get("page") or self._reference(element, "trans")
        return CpnInstance(of, tuple(self._instance(one) for one in element if one.tag == "instance"))

    # -- when all of it is known -------------------------------------------------------------------------------------

    def finished(self) -> CpnDocument:
        """The document, whose references lead somewhere."""
        if not self.is_net:
            raise self._no_net("there is no <cpnet> in it", 1)
        for page in self.found.pages.values():
            for arc in page.arcs:
                for end, nodes, what in ((arc.place, page.places, "place"), (arc.transition, page.transitions, "")):
                    if end not in nodes:
                        raise self._wrong(
                            f"an arc of page {page.name!r} ends at {end!r}, which is no {what or 'transition'} of it",
                            arc.line,
                            closest(end, list(nodes)),
                        )
            for one in page.transitions.values():
                if one.subpage is not None and one.subpage not in self.found.pages:
                    raise self._wrong(
                        f"the substitution transition {one.name!r} has the page {one.subpage!r}, which is not there",
                        one.line,
                        closest(one.subpage, list(self.found.pages)),
                    )
        return self.found

    # -- what is inside an element -----------------------------------------------------------------------------------

    def _written(self, element: Element, tag: str) -> Written:
        held = element.child(tag)
        text = None if held is None else held.child("text")
        return Written("", element.line) if text is None else Written(text.text, text.line)

    def _id(self, element: Element) -> str:
        return self._reference(element, "id")

    def _new_id(self, element: Element) -> str:
        identity = self._id(element)
        for page in self.found.pages.values():
            if identity in page.places or identity in page.transitions:
                raise self._wrong(f"two nodes have the id {identity!r}", element.line, "give each its own")
        return identity

    def _reference(self, element: Element, attribute: str) -> str:
        found = element.attributes.get(attribute, "").strip()
        if not found:
            raise self._wrong(f"<{element.tag}> has no {attribute}", element.line, "save it again with CPN Tools")
        return found

    def _count(self, element: Element, attribute: str) -> int:
        found = self._reference(element, attribute)
        if not re.fullmatch("[0-9]{1,4}", found):
            raise self._wrong(f"{shown(found)} is no number of instances", element.line, "write a number below 10,000")
        return int(found)

    # -- errors ------------------------------------------------------------------------------------------------------

    def _no_net(self, why: str, line: int, suggestion: str = "give a file that CPN Tools saved") -> SweepcheckError:
        return self._wrong(f"{self.source.path.name} is no net of CPN Tools: {why}", line, suggestion)

    def _wrong(self, what: str, line: int, suggestion: str) -> SweepcheckError:
        return self.source.wrong("SC145", what, line, suggestion)

    def _unknown(self, element: Element, what: str, known: tuple[str, ...]) -> SweepcheckError:
        return self._wrong(f"<{element.tag}> is no {what} that is known", element.line, closest(element.tag, known))

    def _unsupported(self, what: str, line: int, suggestion: str) -> SweepcheckError:
        return self.source.wrong("SC146", f"{what} cannot be explored", line, suggestion)


def _deep_text(element: Element) -> str:
    """All text inside an element."""
    return element.text + "".join(_deep_text(one) for one in element)


def _caption(element: Element) -> str:
    text = element.child("text")
    return "" if text is None else text.text


def _name(element: Element, otherwise: str) -> str:
    return " ".join(_caption(element).split()) or otherwise


def _number(text: str | None) -> float:
    try:
        found = float(text or 0)
    except ValueError:
        return 0.0
    return found if abs(found) < 1e9 else 0.0  # also what is no number at all: drawings survive it


def _position(element: Element) -> Figure:
    place = element.child("posattr")
    given = {} if place is None else place.attributes
    return Figure(_number(given.get("x")), _number(given.get("y")))


def _figure(element: Element, shape: str) -> Figure:
    where, size = _position(element), element.child(shape)
    line, fill = element.child("lineattr"), element.child("fillattr")
    drawn = {} if line is None else line.attributes
    filled = {} if fill is None else fill.attributes
    return Figure(
        where.x,
        where.y,
        0.0 if size is None else _number(size.attributes.get("w")),
        0.0 if size is None else _number(size.attributes.get("h")),
        drawn.get("colour", "Black"),
        filled.get("colour") if filled.get("filled") == "true" else None,
        _number(drawn.get("thick", "1")),
    )


def _labels(element: Element, tags: tuple[str, ...]) -> list[Label]:
    found = []
    for tag in tags:
        held = element.child(tag)
        text = None if held is None else held.child("text")
        if held is not None and text is not None and text.text.strip():
            found.append(Label(text.text.strip(), _figure(held, "")))
    return found
