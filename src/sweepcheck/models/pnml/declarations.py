"""What a symmetric net declares: sorts, constants, variables, partitions and operators, found by their ids.

Declarations may stand behind what uses them, so they are collected first and understood when they are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sweepcheck.errors import SweepcheckError, closest, shown
from sweepcheck.models.markup import Element, Source
from sweepcheck.models.net.source import identifier
from sweepcheck.models.pnml.sorts import Dot, Enumeration, IntRange, Partition, Product, Sort
from sweepcheck.models.pnml.terms import Constant, Variable

DECLARED = ("namedsort", "variabledecl", "partition", "namedoperator", "arbitrarysort", "unparsed")
SORTS = ("dot", "usersort", "cyclicenumeration", "finiteenumeration", "finiteintrange", "productsort")
MOST_VALUES = 1_000_000  # of an enumeration or range: a short file can name more


class Declarations:
    """The declarations of a net."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.operators: dict[str, Element] = {}  # named operators by id
        self.partitions: dict[str, Partition] = {}
        self.elements: dict[str, Partition] = {}  # by the ids of their elements
        self._sorts: dict[str, Element] = {}
        self._understood: dict[str, Sort] = {}
        self._open: list[str] = []  # sorts that are being understood: one of them again is a cycle
        self._variables: dict[str, Element] = {}
        self._names: dict[str, str] = {}  # of variables, by id
        self._constants: dict[str, Constant] = {}
        self._anonymous: dict[int, Sort] = {}  # by the element that writes it

    def add(self, element: Element) -> None:
        """Take down everything that a `declaration` declares."""
        for one in _flat(element):
            if one.tag not in DECLARED[:4]:
                raise self.unknown(one, "declaration", DECLARED[:4])
            known = {"namedsort": self._sorts, "variabledecl": self._variables, "namedoperator": self.operators}
            name = self.id_of(one)
            table = known.get(one.tag, self._sorts)
            if name in table:
                raise self.source.wrong(
                    "SC134", f"two declarations have the id {name!r}", one.line, "give each its own"
                )
            table[name] = one
        self._name_variables()

    def finish(self) -> None:
        """Understand every sort, so that all constants are known."""
        for name in self._sorts:
            self.named(name, self._sorts[name])

    # -- variables ---------------------------------------------------------------------------------------------------

    def _name_variables(self) -> None:
        """Give every variable a name that inscriptions can use: its own, where that is one."""
        taken: set[str] = set()
        for identity, element in self._variables.items():
            self._names[identity] = identifier(element.attributes.get("name") or identity, taken)

    def variable(self, element: Element) -> Variable:
        """The variable that an element refers to."""
        identity = element.attributes.get("refvariable", "")
        declared = self._variables.get(identity)
        if declared is None:
            raise self.undeclared(element, "variable", identity, self._variables)
        return Variable(self._names[identity], self.sort(self.only(declared)))

    # -- sorts -------------------------------------------------------------------------------------------------------

    def sort(self, element: Element) -> Sort:
        """The sort that an element writes or refers to."""
        match element.tag:
            case "dot":
                return Dot()
            case "usersort":
                name = element.attributes.get("declaration", "")
                if name not in self._sorts:
                    raise self.undeclared(element, "sort", name, self._sorts)
                return self.named(name, element)
            case "multisetsort":
                return self.sort(self.only(element))
            case _:
                if id(element) not in self._anonymous:
                    self._anonymous[id(element)] = self._written(element, "")
                return self._anonymous[id(element)]

    def named(self, name: str, element: Element) -> Sort:
        """The sort with this id."""
        if name in self._understood:
            return self._understood[name]
        if name in self._open:
            ring = " -> ".join([*self._open[self._open.index(name) :], name])
            raise self.source.wrong(
                "SC134", f"sorts are defined by each other: {ring}", element.line, "break the cycle"
            )
        self._open.append(name)
        declared = self._sorts[name]
        called = declared.attributes.get("name") or name
        if declared.tag == "partition":
            found: Sort = self._partition(name, called, declared)
        else:
            inner = self.only(declared)
            found = self.sort(inner) if inner.tag in ("usersort", "dot") else self._written(inner, called)
        self._open.pop()
        self._understood[name] = found
        return found

    def _written(self, element: Element, name: str) -> Sort:
        match element.tag:
            case "cyclicenumeration" | "finiteenumeration":
                return self._enumeration(element, name, element.tag == "cyclicenumeration")
            case "finiteintrange":
                start, end = (self.number(element, one, signed=True) for one in ("start", "end"))
                if not start <= end < start + MOST_VALUES:
                    raise self.wrong(
                        element, f"a range from {start} to {end} is not possible", "give it 1 to 10^6 values"
                    )
                return IntRange(name or f"{start}..{end}", start, end)
            case "productsort":
                parts = tuple(self.sort(one) for one in element)
                if not parts:
                    raise self.wrong(element, "a product has no component", "give it two or more")
                if len(parts) == 1:
                    return parts[0]
                return Product(name or f"({', '.join(one.name for one in parts)})", parts)
            case _:
                raise self.unknown(element, "sort", SORTS)

    def _enumeration(self, element: Element, name: str, cyclic: bool) -> Enumeration:
        if not element.children or any(one.tag != "feconstant" for one in element):
            raise self.wrong(element, "an enumeration lists constants", "write <feconstant id=... name=.../>")
        found = Enumeration(name or "enumeration", self._values(element.children), cyclic)
        self._know(element.children, found)
        return found

    def _values(self, constants: list[Element]) -> tuple[str, ...]:
        """What constants are called: by their names, if no two have the same."""
        ids = [self.id_of(one) for one in constants]
        names = [one.attributes.get("name") or identity for one, identity in zip(constants, ids, strict=True)]
        return tuple(names if len(set(names)) == len(names) else ids)

    def _know(self, constants: list[Element], sort: Enumeration) -> None:
        for one, value in zip(constants, sort.listed, strict=True):
            identity = self.id_of(one)
            if identity in self._constants:
                raise self.source.wrong(
                    "SC134", f"two constants have the id {identity!r}", one.line, "give each its own"
                )
            self._constants[identity] = Constant(value, sort)

    def _partition(self, identity: str, name: str, element: Element) -> Enumeration:
        whole = self.sort(element.children[0]) if element.children else None
        groups = element.children[1:]
        if whole is None or not groups or any(one.tag != "partitionelement" for one in groups):
            raise self.wrong(element, "a partition has a sort and elements", "write <partitionelement>...")
        elements = Enumeration(name, self._values(groups))
        self._know(groups, elements)
        partition = Partition(whole, elements)
        for group, value in zip(groups, elements.listed, strict=True):
            for one in group:
                member = self.constant(one)
                if member.constant not in whole.positions or member.constant in partition.member:
                    raise self.wrong(
                        one, f"{member.constant!r} is not once in the partition of {whole.name}", "mend it"
                    )
                partition.member[member.constant] = value
        if len(partition.member) < whole.size:
            raise self.wrong(element, f"not every value of {whole.name} is in an element of the partition", "add them")
        self.partitions[identity] = partition
        self.elements.update(dict.fromkeys(map(self.id_of, groups), partition))
        return elements

    # -- constants ---------------------------------------------------------------------------------------------------

    def constant(self, element: Element) -> Constant:
        """The constant that a user operator refers to. Some tools write the sort of black tokens for its only value."""
        name = element.attributes.get("declaration", "")
        if name not in self._constants:
            if name in self._sorts and isinstance(sort := self.named(name, self._sorts[name]), Dot):
                return Constant((), sort)
            raise self.undeclared(element, "constant", name, [*self._constants, *self.operators])
        return self._constants[name]

    # -- reading elements, and errors --------------------------------------------------------------------------------

    def only(self, element: Element) -> Element:
        """The only element inside another one."""
        if len(element.children) != 1:
            raise self.wrong(element, f"<{element.tag}> holds {len(element.children)} elements", "give it exactly one")
        return element.children[0]

    def id_of(self, element: Element) -> str:
        """The id that an element must have."""
        found = element.attributes.get("id", "")
        if not found:
            raise self.source.wrong("SC134", f"<{element.tag}> has no id", element.line, "give it one")
        return found

    def number(self, element: Element, attribute: str, signed: bool = False) -> int:
        """The whole number in an attribute."""
        return whole_number(self.source, element, element.attributes.get(attribute, ""), signed)

    def wrong(self, element: Element, what: str, suggestion: str) -> SweepcheckError:
        """The error for an element that makes no sense."""
        return self.source.wrong("SC137", what, element.line, suggestion)

    def undeclared(self, element: Element, what: str, name: str, known: Iterable[str]) -> SweepcheckError:
        """The error for a name that nothing declares."""
        return self.wrong(element, f"no {what} {name!r} is declared", closest(name, known))

    def unknown(self, element: Element, what: str, known: Iterable[str]) -> SweepcheckError:
        """The error for an element that this reader does not know."""
        suggestion = f"only these can be read here: {', '.join(known)}"
        return self.source.wrong("SC135", f"<{element.tag}> is no {what} that is known", element.line, suggestion)


def _flat(element: Element) -> Iterable[Element]:
    """What a declaration declares, without the elements that only group it."""
    for one in element:
        if one.tag in ("structure", "declarations"):
            yield from _flat(one)
        elif one.tag not in ("text", "name"):
            yield one


def whole_number(source: Source, element: Element, text: str, signed: bool = False) -> int:
    """A whole number that a file gives as text."""
    if not re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*" if signed else r"\s*\+?[0-9]{1,18}\s*", text):
        what = f"{shown(text)} in <{element.tag}> is not a whole number{'' if signed else ', 0 or more'}"
        raise source.wrong("SC136", what, element.line, "write digits, at most 18")
    return int(text)
