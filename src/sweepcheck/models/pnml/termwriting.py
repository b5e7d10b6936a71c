"""Inscriptions of a transition as terms of PNML."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import cached_property
from typing import Any

from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError
from sweepcheck.models.net import pattern
from sweepcheck.models.net.colours import UNIT, Colour, Ordered
from sweepcheck.models.net.inscription import Computed, Either, Tokens
from sweepcheck.models.net.names import INPUTS
from sweepcheck.models.net.source import cannot
from sweepcheck.models.net.structure import Arc, Transition
from sweepcheck.models.pnml.sortwriting import Sorts

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "equality", ast.NotEq: "inequality", ast.Lt: "lessthan", ast.LtE: "lessthanorequal",
    ast.Gt: "greaterthan", ast.GtE: "greaterthanorequal",
}  # fmt: skip

COMPARED: dict[str, Callable[[Any, Any], object]] = {
    "equality": operator.eq, "inequality": operator.ne, "lessthan": operator.lt, "lessthanorequal": operator.le,
    "greaterthan": operator.gt, "greaterthanorequal": operator.ge,
}  # fmt: skip


class TermWriter:
    """Writes the inscriptions of one transition. `variable` declares a variable of a colour and gives its id."""

    def __init__(self, transition: Transition, sorts: Sorts, variable: Callable[[str, Colour], str]) -> None:
        self._transition, self._sorts, self._variable = transition, sorts, variable

    @cached_property
    def _colours(self) -> dict[str, Colour]:
        """The colours of the variables."""
        found = dict(self._transition.free)
        for arc in self._transition.arcs:
            for term in (arc.terms or ()) if arc.kind in INPUTS else ():
                if isinstance(term, Tokens):
                    found |= pattern.typed(term.token.node, arc.place.colour, self._transition.constants)
        return found

    def meet(self) -> None:
        """Declare the variables."""
        for name, colour in self._colours.items():
            self._variable(name, colour)

    # -- tokens ------------------------------------------------------------------------------------------------------

    def multiset(self, arc: Arc) -> str:
        """What stands on an arc."""
        colour = arc.place.colour
        if arc.terms is None:  # an inhibitor arc for any token
            if colour is not UNIT:
                raise self._refused(f"{arc} is about tokens of any colour", arc.text)
            return numbered(1, "<dotconstant/>")
        parts = [self._term(term, colour, arc) for term in arc.terms]
        if not parts:
            return f"<empty>{self._sorts.sort(colour, self._transition.where)}</empty>"
        return summed(parts)

    def _term(self, term: Tokens | Either | Computed, colour: Colour, arc: Arc) -> str:
        if isinstance(term, Tokens) and term.delay is None:
            count = 1
            if term.coefficient is not None:
                node = term.coefficient.node
                if not isinstance(node, ast.Constant) or type(node.value) is not int:
                    raise self._refused(f"{arc} has a number of tokens that is computed", arc.text)
                count = node.value
            return numbered(count, self.value(term.token.node, colour))
        if isinstance(term, Computed) and isinstance(term.value.node, ast.Call):
            return self._all(term.value.node, colour, arc)
        raise self._refused(f"{arc} has tokens that are computed", arc.text)

    def _all(self, node: ast.Call, colour: Colour, arc: Arc) -> str:
        function = node.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and not node.keywords:
            owner = self._transition.constants.get(function.value.id)
            whole = f"<all>{self._sorts.sort(colour, self._transition.where)}</all>"
            if isinstance(owner, Ordered) and owner.colour is colour:
                if function.attr == "all" and not node.args:
                    return whole
                if function.attr == "all_but":
                    for one in node.args:
                        removed = numbered(1, self.value(one, colour))
                        whole = f"<subtract><subterm>{whole}</subterm><subterm>{removed}</subterm></subtract>"
                    return whole
        raise self._refused(f"{arc} has tokens that are computed", arc.text)

    def value(self, node: ast.expr, colour: Colour) -> str:
        """One token of a colour."""
        match node:
            case ast.Name() if node.id in self._colours:
                self._check(node, self._colours[node.id], colour)
                return f'<variable refvariable="{self._variable(node.id, colour)}"/>'
            case ast.Tuple(elts=[]) if colour is UNIT:
                return "<dotconstant/>"
            case ast.Tuple() if colour.parts and len(colour.parts) == len(node.elts):
                inside = (self.value(one, part) for one, part in zip(node.elts, colour.parts, strict=True))
                return "<tuple>" + "".join(f"<subterm>{one}</subterm>" for one in inside) + "</tuple>"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="next" | "previous" as word), args=[inner]):
                order = self._transition.constants.get(owner)
                if isinstance(order, Ordered):
                    self._check(node, order.colour, colour)
                    tag = "successor" if word == "next" else "predecessor"
                    return f"<{tag}><subterm>{self.value(inner, colour)}</subterm></{tag}>"
        constant = self._constant(node)
        if constant is not None and constant[0] in colour:
            return self._sorts.constant(constant[0], colour, self._transition.where)
        raise self._refused(f"{ast.unparse(node)!r} is no token that is named", ast.unparse(node))

    def _constant(self, node: ast.expr) -> tuple[object] | None:
        """The value of a constant of Python's or of the net's."""
        if isinstance(node, ast.Name):
            held = self._transition.constants.get(node.id, Bag)
            return None if held is Bag or isinstance(held, Ordered) else (held,)
        try:
            return (ast.literal_eval(node),)
        except ValueError:
            return None

    def _check(self, node: ast.expr, found: Colour, wanted: Colour) -> None:
        if found is not wanted and found.values() != wanted.values():
            what = f"{ast.unparse(node)!r} is of colour {found} where {wanted} is wanted"
            raise self._refused(what, ast.unparse(node))

    # -- conditions --------------------------------------------------------------------------------------------------

    def guard(self) -> str:
        """The guard."""
        parts = [self._condition(one.node) for one in self._transition.guard]
        return parts[0] if len(parts) == 1 else _junction("and", parts)

    def _condition(self, node: ast.expr) -> str:
        match node:
            case ast.BoolOp():
                return _junction("and" if isinstance(node.op, ast.And) else "or", [*map(self._condition, node.values)])
            case ast.UnaryOp(op=ast.Not()):
                return f"<not><subterm>{self._condition(node.operand)}</subterm></not>"
            case ast.Constant(value=bool()):
                return _truth(node.value)
            case ast.Compare(ops=[operator], comparators=[right]) if type(operator) in COMPARISONS:
                return self._comparison(COMPARISONS[type(operator)], node.left, right)
        raise self._refused(f"the condition {ast.unparse(node)!r} is no comparison", ast.unparse(node))

    def _comparison(self, tag: str, left: ast.expr, right: ast.expr) -> str:
        placed = [self._placed(one) for one in (left, right)]
        if placed[0] is not None and placed[1] is not None:  # positions in the order of a colour
            (order, left), (_, right) = placed[0], placed[1]
            colour: Colour | None = order.colour
        else:
            colour = self._colour_of(left) or self._colour_of(right)
            ordered = tag in ("equality", "inequality") or (colour is not None and _is_numbers(colour))
            colour = colour if ordered else None
        constants = [self._constant(one) for one in (left, right)]
        if colour is None and constants[0] is not None and constants[1] is not None:
            return _truth(COMPARED[tag](constants[0][0], constants[1][0]))
        if colour is None:
            raise self._refused(f"{ast.unparse(left)!r} and {ast.unparse(right)!r} cannot be compared", tag)
        sides = (self.value(one, colour) for one in (left, right))
        return f"<{tag}>" + "".join(f"<subterm>{one}</subterm>" for one in sides) + f"</{tag}>"

    def _placed(self, node: ast.expr) -> tuple[Ordered, ast.expr] | None:
        """The token whose position in an order is meant."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="position"), args=[inner]):
                order = self._transition.constants.get(owner)
                return (order, inner) if isinstance(order, Ordered) else None
        return None

    def _colour_of(self, node: ast.expr) -> Colour | None:
        match node:
            case ast.Name():
                return self._colours.get(node.id)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner))):
                order = self._transition.constants.get(owner)
                return order.colour if isinstance(order, Ordered) else None
        return None

    def _refused(self, what: str, text: str) -> ModelError:
        one = self._transition
        suggestion = "symmetric nets have variables, constants, tuples, Colour.next(x) and Colour.all()"
        return cannot(f"transition {one.name!r}: {what}", suggestion, one.where).add(("in", text))


def _truth(value: object) -> str:
    return f'<booleanconstant value="{str(bool(value)).lower()}"/>'


def _is_numbers(colour: Colour) -> bool:
    return colour.kinds == frozenset({int})


def _junction(tag: str, parts: list[str]) -> str:
    return f"<{tag}>" + "".join(f"<subterm>{one}</subterm>" for one in parts) + f"</{tag}>"


def numbered(count: int, token: str) -> str:
    """So many times a token."""
    number = f'<numberconstant value="{count}"><positive/></numberconstant>'
    return f"<numberof><subterm>{number}</subterm><subterm>{token}</subterm></numberof>"


def summed(parts: list[str]) -> str:
    """All of these tokens together."""
    if len(parts) == 1:
        return parts[0]
    return "<add>" + "".join(f"<subterm>{part}</subterm>" for part in parts) + "</add>"
