"""Colours as sorts of PNML: ranges of numbers, enumerations of plain values, products of these, and black tokens."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from xml.sax.saxutils import quoteattr

from sweepcheck.errors import ModelError
from sweepcheck.models.net.colours import UNIT, Colour, Ordered
from sweepcheck.models.net.hierarchy import FlatNet
from sweepcheck.models.net.inscription import Expression
from sweepcheck.models.net.names import expressions
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.source import cannot, identifier, is_literal, whole_range


class Sorts:
    """The sorts of one net, declared as they are met; `ids` are the names that are taken."""

    def __init__(self, net: Net, flat: FlatNet) -> None:
        self.ids: set[str] = {"dot"}
        self._names: dict[Colour, str] = {}  # of declared sorts
        self._values: dict[Colour, tuple[Hashable, ...]] = {}
        self._lines: list[str] = ['      <namedsort id="dot" name="dot"><dot/></namedsort>']
        self._constants: dict[tuple[str, Hashable], str] = {}  # a sort and a value: the id of a constant
        self._cyclic = _cyclic(net, flat)
        self._wanted = {one.colour: name for name, one in net.constants.items() if isinstance(one, Ordered)}
        for of in self._wanted:
            self._declare(of, None)
        for place in flat.places:
            self._declare(place.colour, place.where)

    def declared(self) -> Iterator[str]:
        """The declarations."""
        yield from self._lines

    def sort(self, of: Colour, where: str | None) -> str:
        """The element that refers to the sort of a colour."""
        if of is UNIT:
            return '<usersort declaration="dot"/>'
        self._declare(of, where)
        return f'<usersort declaration="{self._names[of]}"/>'

    def _declare(self, of: Colour, where: str | None) -> None:
        if of is UNIT or of in self._names:
            return
        if of.parts and of.kinds == frozenset({tuple}):
            inside = "".join(self.sort(part, where) for part in of.parts)
            name = self._named(of, "_".join(self._names.get(part, "dot") for part in of.parts))
            self._lines.append(
                f'      <namedsort id="{name}" name="{name}"><productsort>{inside}</productsort></namedsort>'
            )
            return
        values = of.values()
        if values is None or not all(map(is_literal, values)) or of.shape.sets():
            raise _no_sort(of, where)
        self._values[of] = values
        name = self._named(of, "colour")
        span = whole_range(values)
        if span is not None and of not in self._cyclic:
            inside = f'<finiteintrange start="{span[0]}" end="{span[1]}"/>'
        else:
            kind = "cyclicenumeration" if of in self._cyclic else "finiteenumeration"
            listed = "".join(self._listed(name, value) for value in values)
            inside = f"<{kind}>{listed}</{kind}>"
        self._add(name, inside)

    def _add(self, name: str, inside: str) -> None:
        self._lines.append(f'      <namedsort id="{name}" name="{name}">{inside}</namedsort>')

    def _named(self, of: Colour, fallback: str) -> str:
        self._names[of] = identifier(self._wanted.get(of, fallback), self.ids)
        return self._names[of]

    def _listed(self, sort: str, value: Hashable) -> str:
        text = value if isinstance(value, str) else repr(value)
        identity = identifier(f"{sort}_{text}", self.ids)
        self._constants[sort, value] = identity
        return f'<feconstant id="{identity}" name={quoteattr(text)}/>'

    def constant(self, value: Hashable, of: Colour, where: str | None) -> str:
        """The element of a token of a colour."""
        if of is UNIT:
            return "<dotconstant/>"
        self._declare(of, where)
        if of.parts and isinstance(value, tuple):
            inside = (self.constant(one, part, where) for one, part in zip(value, of.parts, strict=True))
            return "<tuple>" + "".join(f"<subterm>{one}</subterm>" for one in inside) + "</tuple>"
        identity = self._constants.get((self._names[of], value))
        if identity is not None:
            return f'<useroperator declaration="{identity}"/>'
        span = whole_range(self._values[of])
        assert span is not None
        inside_range = f'<finiteintrange start="{span[0]}" end="{span[1]}"/>'
        return f'<finiteintrangeconstant value="{value}">{inside_range}</finiteintrangeconstant>'


def _no_sort(of: Colour, where: str | None) -> ModelError:
    return cannot(
        f"colour {of} is no sort of symmetric nets",
        "use ranges, sets of numbers or texts, and products of them",
        where,
    )


def _cyclic(net: Net, flat: FlatNet) -> set[Colour]:
    """The colours of which inscriptions use the token after or before another one."""
    found: set[Colour] = set()
    for one in flat.transitions:
        for given in (*one.transition.guard, *(e for arc in one.transition.arcs for e in expressions(arc.terms or ()))):
            found |= set(_moved(net, given))
    return found


def _moved(net: Net, given: Expression) -> Iterator[Colour]:
    for node in ast.walk(given.node):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in ("next", "previous"):
            owner = net.constants.get(node.value.id)
            if isinstance(owner, Ordered):
                yield owner.colour
