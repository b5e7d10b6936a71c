"""PNML files: places, transitions and arcs of one net, whatever pages they are on; references are followed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from sweepcheck.core.limits import FileLimits
from sweepcheck.errors import SweepcheckError, closest, shown
from sweepcheck.models.markup import Element, Source, Stream
from sweepcheck.models.pnml.attributes import MARKING, WEIGHT, check_attributes, number_in
from sweepcheck.models.pnml.declarations import Declarations, whole_number
from sweepcheck.models.pnml.netkinds import COLOURED, PLAIN, kind_of
from sweepcheck.models.pnml.sorts import Dot, Sort
from sweepcheck.models.pnml.termreading import TermReader
from sweepcheck.models.pnml.terms import BLACK, Condition, Several, SubtractionError, Sum, Term, tokens, variables

NODES = ("place", "transition", "referencePlace", "referenceTransition")
UNITS = (*NODES, "arc", "declaration", "name")
IGNORED = ("graphics", "toolspecific")
ARC_KINDS = {"normal": "normal", "inhibitor": "inhibitor", "test": "test", "read": "test", "reset": "reset"}
ARC_KINDS |= {"timed": "normal", "tapnInhibitor": "inhibitor"}  # as TAPAAL calls them; at any time, see `attributes`
WITHIN = {
    "place": ("name", "initialMarking", "type", "hlinitialMarking"),
    "transition": ("name", "condition"),
    "referencePlace": ("name",),
    "referenceTransition": ("name",),
    "arc": ("name", "inscription", "hlinscription", "type", "arctype"),
}


@dataclass(slots=True)
class PnmlPlace:
    """A place; `marking` is what it holds at first. Black tokens are those of sort dot."""

    id: str
    name: str
    line: int
    sort: Sort
    marking: Term | None = None


@dataclass(slots=True)
class PnmlTransition:
    """A transition, with the condition under which it may occur."""

    id: str
    name: str
    line: int
    guard: Condition | None = None


@dataclass(slots=True)
class PnmlArc:
    """An arc between a place and a transition. `takes`: it leads from the place. A reset arc has no term."""

    place: str
    transition: str
    takes: bool
    kind: str  # one of ARC_KINDS' values
    term: Term
    line: int


@dataclass(slots=True)
class PnmlNet:
    """A net as a file describes it: nodes by id, arcs in the order of the file."""

    source: Source
    id: str
    name: str
    coloured: bool
    places: dict[str, PnmlPlace] = field(default_factory=dict)
    transitions: dict[str, PnmlTransition] = field(default_factory=dict)
    arcs: list[PnmlArc] = field(default_factory=list)


def read_document(path: Path, limits: FileLimits) -> PnmlNet:
    """The net in a file."""
    source = Source(path)
    reader = _Reader(source)
    Stream(source, UNITS, IGNORED).read(limits, reader.begin, reader.end)
    return reader.finished()


class _Reader:
    """Takes down nodes and arcs as they come. What has terms waits until all declarations are known."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.declared = Declarations(source)
        self.terms = TermReader(self.declared)
        self.net: PnmlNet | None = None
        self.references: dict[str, tuple[str, str, int]] = {}  # what is referred to, what a node is, its line
        self.waiting: list[Element] = []  # arcs, and nodes of coloured nets

    # -- while the file is parsed ------------------------------------------------------------------------------------

    def begin(self, element: Element, around: list[Element]) -> None:
        """See `Stream`: an element that holds others."""
        if not around:
            if element.tag != "pnml":
                raise self._no_net(f"it is <{element.tag}>, not <pnml>", element.line)
        elif element.tag == "net":
            self._begin_net(element)
        elif element.tag != "page":
            raise self.declared.unknown(element, "part of a net", ("page", *UNITS))

    def _begin_net(self, element: Element) -> None:
        if self.net is not None:
            raise self._no_net("it holds more than one net", element.line, "keep one net in each file")
        kind = kind_of(element.attributes.get("type", ""))
        if kind not in PLAIN and kind not in COLOURED:
            raise self._no_net(
                f"nets of type {shown(element.attributes.get('type', ''))} are not known",
                element.line,
                "place/transition nets (ptnet) and symmetric nets (symmetricnet) can be read",
            )
        name = element.attributes.get("id") or self.source.path.stem
        self.net = PnmlNet(self.source, name, name, kind in COLOURED)

    def _no_net(self, why: str, line: int, suggestion: str = "give a PNML file of one net") -> SweepcheckError:
        return self.source.wrong(
            "SC133", f"{self.source.path.name} is no net that can be read: {why}", line, suggestion
        )

    def end(self, element: Element, around: list[Element]) -> None:
        """See `Stream`: a node, an arc, a declaration or a name."""
        if self.net is None:
            raise self._no_net(f"<{element.tag}> is outside a net", element.line)
        if element.tag == "name":
            if around and around[-1].tag == "net":
                self.net.name = _text(element) or self.net.name
            return
        if element.tag == "declaration":
            self.declared.add(element)
            return
        for one in element:
            if one.tag not in WITHIN[element.tag]:
                raise self.declared.unknown(one, f"part of <{element.tag}>", WITHIN[element.tag])
        check_attributes(self.source, element)
        if element.tag != "arc":
            self._node(element)
        self.waiting.append(element)

    def _node(self, element: Element) -> None:
        assert self.net is not None
        identity = self.declared.id_of(element)
        if identity in self.net.places or identity in self.net.transitions or identity in self.references:
            raise self.source.wrong("SC134", f"two nodes have the id {identity!r}", element.line, "give each its own")
        name = element.child("name")
        called = (_text(name) if name is not None else "") or identity
        if element.tag == "place":
            self.net.places[identity] = PnmlPlace(identity, called, element.line, Dot())
        elif element.tag == "transition":
            self.net.transitions[identity] = PnmlTransition(identity, called, element.line)
        else:
            kind = "place" if element.tag == "referencePlace" else "transition"
            self.references[identity] = element.attributes.get("ref", ""), kind, element.line

    # -- when all of it is known -------------------------------------------------------------------------------------

    def finished(self) -> PnmlNet:
        """The net, with terms and references understood."""
        if self.net is None:
            raise self._no_net("there is no <net> in it", 1)
        self.declared.finish()
        arcs = [one for one in self.waiting if one.tag == "arc"]
        for one in self.waiting:
            if one.tag == "place":
                self._place(self.net.places[one.attributes["id"]], one)
            elif one.tag == "transition" and (guard := one.child("condition")) is not None:
                self.net.transitions[one.attributes["id"]].guard = self._condition(guard)
        self.waiting.clear()
        for identity in self.references:
            self._followed(identity)
        for one in arcs:
            self.net.arcs.append(self._arc(one))
        return self.net

    def _place(self, place: PnmlPlace, element: Element) -> None:
        assert self.net is not None
        kind = element.child("type")
        if kind is not None and (structure := kind.child("structure")) is not None:
            place.sort = self.declared.sort(self.declared.only(structure))
        elif self.net.coloured:
            raise self.declared.wrong(element, f"place {place.name!r} has no type", "give its sort in <type>")
        plain, coloured = element.child("initialMarking"), element.child("hlinitialMarking")
        if (count := self._number(element, plain, MARKING)) is not None:
            place.marking = None if count == 0 else weight(count)
        elif coloured is not None:
            place.marking = self._structure(coloured)
            if place.marking is not None:
                self._closed(place.marking, coloured)
        if place.marking is not None:
            self.terms.check(element, place.marking.sort, place.sort)

    def _closed(self, marking: Term, element: Element) -> None:
        """An initial marking has no variables, and no more is subtracted than is there."""
        for variable in variables(marking):
            raise self.declared.wrong(element, f"variable {variable.name!r} is in an initial marking", "write values")
        try:
            tokens(marking, {})
        except SubtractionError:
            raise self.declared.wrong(
                element, "more tokens are subtracted than there are", "mend the marking"
            ) from None

    def _condition(self, element: Element) -> Condition | None:
        structure = element.child("structure")
        if structure is None or not structure.children:
            if _text(element) not in ("", "true"):
                raise self.declared.wrong(element, "a condition has no <structure>", "save it with its structure")
            return None
        return self.terms.condition(self.declared.only(structure), {})

    def _structure(self, element: Element) -> Term | None:
        structure = element.child("structure")
        if structure is None or not structure.children:
            if _text(element):
                raise self.declared.wrong(element, f"<{element.tag}> has no <structure>", "save it with its structure")
            return None
        return self.terms.term(self.declared.only(structure), {})

    def _number(self, element: Element, label: Element | None, attributes: tuple[str, ...]) -> int | None:
        """What a label says, or an attribute in its place."""
        beside = number_in(self.source, element, attributes)
        if label is None:
            return beside
        found = label.child("text") or label.child("value")
        count = whole_number(self.source, label, label.text if found is None else found.text)
        if beside is not None and beside != count:
            what = f"<{label.tag}> says {count}, and an attribute of <{element.tag}> says {beside}"
            raise self.source.wrong("SC136", what, element.line, "keep one of the two")
        return count

    def _arc(self, element: Element) -> PnmlArc:
        assert self.net is not None
        source, target = (self._end_of(element, one) for one in ("source", "target"))
        takes = source in self.net.places
        place, transition = (source, target) if takes else (target, source)
        if place not in self.net.places or transition not in self.net.transitions:
            what = f"an arc leads from {source!r} to {target!r}, which are both {'places' if takes else 'transitions'}"
            raise self.source.wrong("SC134", what, element.line, "an arc joins a place and a transition")
        kind = self._arc_kind(element)
        if kind != "normal" and not takes:
            raise self.source.wrong(
                "SC134", f"a {kind} arc leads to place {place!r}", element.line, "let it lead to the transition"
            )
        term = BLACK if kind == "reset" else self._inscription(element, place)
        return PnmlArc(place, transition, takes, kind, term, element.line)

    def _inscription(self, element: Element, place: str) -> Term:
        assert self.net is not None
        plain, coloured = element.child("inscription"), element.child("hlinscription")
        sort = self.net.places[place].sort
        if (count := self._number(element, plain, WEIGHT)) is not None:
            if count == 0:
                raise self.source.wrong("SC136", "an arc has the weight 0", element.line, "leave the arc out")
            term = weight(count)
        else:
            term = BLACK if coloured is None else self._structure(coloured) or BLACK
        if not (isinstance(sort, Dot) and isinstance(term.sort, Dot)):
            self.terms.check(element, term.sort, sort)
        return term

    def _arc_kind(self, element: Element) -> str:
        kind = element.attributes.get("type", "normal")
        for tag in ("type", "arctype"):
            if (inside := element.child(tag)) is not None:
                kind = inside.attributes.get("value") or _text(inside) or kind
        if kind not in ARC_KINDS:
            known = ", ".join(ARC_KINDS)
            raise self.source.wrong("SC135", f"an arc is of the kind {shown(kind)}", element.line, f"known: {known}")
        return ARC_KINDS[kind]

    # -- references --------------------------------------------------------------------------------------------------

    def _end_of(self, element: Element, attribute: str) -> str:
        """The node that an arc starts or ends at."""
        assert self.net is not None
        name = element.attributes.get(attribute, "")
        if name in self.references:
            return self._followed(name)
        if name not in self.net.places and name not in self.net.transitions:
            known = [*self.net.places, *self.net.transitions]
            raise self.source.wrong(
                "SC134", f"the {attribute} of an arc is {shown(name)}, and no node has this id", element.line,
                closest(name, known),
            )  # fmt: skip
        return name

    def _followed(self, identity: str) -> str:
        """The node that a reference stands for in the end."""
        assert self.net is not None
        way = [identity]
        while way[-1] in self.references:
            target, kind, line = self.references[way[-1]]
            nodes = self.net.places if kind == "place" else self.net.transitions
            if target in way:
                ring = " -> ".join([*way, target])
                raise self.source.wrong("SC134", f"references lead in a circle: {ring}", line, "let one lead to a node")
            if target not in nodes and self.references.get(target, ("", "", 0))[1] != kind:
                raise self.source.wrong(
                    "SC134", f"{way[-1]!r} refers to {shown(target)}, which is no {kind}", line, closest(target, nodes)
                )
            way.append(target)
        for one in way[:-1]:  # the next one to come here has only one step to go
            self.references[one] = (way[-1], *self.references[one][1:])
        return way[-1]


@lru_cache(1000)
def weight(count: int) -> Term:
    """So many black tokens."""
    return BLACK if count == 1 else Several(count, BLACK) if count else Sum((), Dot())


def _text(element: Element) -> str:
    """The text of a label, in one line."""
    found = element.child("text") or element.child("value")
    return " ".join((element.text if found is None else found.text).split())
