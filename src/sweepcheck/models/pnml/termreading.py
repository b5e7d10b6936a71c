"""Terms and conditions from the elements that write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from sweepcheck.models.markup import Element
from sweepcheck.models.pnml.declarations import Declarations
from sweepcheck.models.pnml.sorts import Enumeration, IntRange, Product, Sort, alike
from sweepcheck.models.pnml.terms import (
    BLACK,
    All,
    Comparison,
    Condition,
    Constant,
    Difference,
    ElementOf,
    Junction,
    Moved,
    Negation,
    Several,
    Sum,
    Term,
    TupleOf,
    is_value,
)

TERMS = (
    "variable", "useroperator", "dotconstant", "finiteintrangeconstant", "successor", "predecessor", "tuple", "all",
    "numberof", "scalarproduct", "add", "subtract", "empty", "partitionelementof",
)  # fmt: skip
SYMBOLS = {
    "equality": "==", "inequality": "!=", "lessthan": "<", "lessthanorequal": "<=", "greaterthan": ">",
    "greaterthanorequal": ">=", "ltp": "<", "gtp": ">",
}  # fmt: skip
CONDITIONS = (*SYMBOLS, "and", "or", "not", "imply", "booleanconstant")
MOST_EXPANSIONS = 10_000  # of named operators: a few that use each other twice could stand for any number

Meaning = TypeVar("Meaning")
Arguments = Mapping[str, Term]  # of the operator whose definition is being read, by the ids of its parameters


class TermReader:
    """Reads terms with the declarations of one net."""

    def __init__(self, declarations: Declarations) -> None:
        self.declared = declarations
        self._expanding: list[str] = []
        self._expansions = 0

    def term(self, element: Element, arguments: Arguments) -> Term:
        """The tokens that an element stands for."""
        match element.tag:
            case "variable":
                reference = element.attributes.get("refvariable", "")
                return arguments[reference] if reference in arguments else self.declared.variable(element)
            case "dotconstant":
                return BLACK
            case "finiteintrangeconstant":
                return self._number(element)
            case "all":
                return All(self.declared.sort(self.declared.only(element)))
            case "empty":
                return Sum((), self.declared.sort(self.declared.only(element)))
        composed = {
            "useroperator": self._operator, "successor": self._moved, "predecessor": self._moved, "tuple": self._tuple,
            "numberof": self._several, "scalarproduct": self._several, "add": self._joined, "subtract": self._joined,
            "partitionelementof": self._element_of,
        }  # fmt: skip
        if element.tag not in composed:
            raise self.declared.unknown(element, "term", TERMS)
        read: Callable[[Element, Arguments], Term] = composed[element.tag]
        return read(element, arguments)

    def _tuple(self, element: Element, arguments: Arguments) -> Term:
        parts = self._subterms(element, arguments)
        if not parts:
            raise self.declared.wrong(element, "a tuple has no component", "give it some")
        if len(parts) == 1:
            return parts[0]
        sort = Product(f"({', '.join(one.sort.name for one in parts)})", tuple(one.sort for one in parts))
        return TupleOf(parts, sort)

    def condition(self, element: Element, arguments: Arguments) -> Condition:
        """The condition that an element stands for."""
        if element.tag == "useroperator" and element.attributes.get("declaration", "") in self.declared.operators:
            return self._expanded(element, arguments, self.condition)
        if element.tag in SYMBOLS:
            return self._comparison(element, arguments)
        if element.tag == "booleanconstant":
            return Junction("and" if element.attributes.get("value") == "true" else "or", ())
        if element.tag not in CONDITIONS:
            raise self.declared.unknown(element, "condition", CONDITIONS)
        parts = tuple(self.condition(self._inside(one), arguments) for one in element)
        if element.tag == "not":
            if len(parts) != 1:
                raise self.declared.wrong(element, "<not> is about one condition", "give it one")
            return Negation(parts[0])
        if element.tag == "imply":
            if len(parts) != 2:
                raise self.declared.wrong(element, "<imply> joins two conditions", "give it two")
            return Junction("or", (Negation(parts[0]), parts[1]))
        return Junction(element.tag, parts)

    # -- parts of terms ----------------------------------------------------------------------------------------------

    def _inside(self, element: Element) -> Element:
        return self.declared.only(element) if element.tag == "subterm" else element

    def _subterms(self, element: Element, arguments: Arguments) -> tuple[Term, ...]:
        return tuple(self.term(self._inside(one), arguments) for one in element)

    def _number(self, element: Element) -> Constant:
        sort = self.declared.sort(self.declared.only(element))
        value = self.declared.number(element, "value", signed=True)
        if not isinstance(sort, IntRange) or not sort.start <= value <= sort.end:
            raise self.declared.wrong(element, f"{value} is no value of {sort.name}", "mend the number or the range")
        return Constant(value, sort)

    def _value(self, element: Element, arguments: Arguments) -> Term:
        found = self.term(self._inside(element), arguments)
        if not is_value(found):
            raise self.declared.wrong(element, "one value is wanted here, not several tokens", "write a value")
        return found

    def _moved(self, element: Element, arguments: Arguments) -> Moved:
        of = self._value(self.declared.only(element), arguments)
        if not isinstance(of.sort, Enumeration) or not of.sort.cyclic:
            raise self.declared.wrong(
                element,
                f"values of {of.sort.name} have no {element.tag}: it is no cyclic enumeration",
                "declare the sort as a cyclic enumeration",
            )
        return Moved(of, 1 if element.tag == "successor" else -1)

    def _several(self, element: Element, arguments: Arguments) -> Term:
        inside = [self._inside(one) for one in element]
        count, rest = 1, inside
        if inside and inside[0].tag == "numberconstant":
            count, rest = self.declared.number(inside[0], "value"), inside[1:]
        if len(rest) != 1:
            raise self.declared.wrong(element, f"<{element.tag}> wants a number and a term", "give it these two")
        found = self.term(rest[0], arguments)
        return found if count == 1 else Several(count, found)

    def _joined(self, element: Element, arguments: Arguments) -> Term:
        parts = self._subterms(element, arguments)
        if not parts:
            raise self.declared.wrong(element, f"<{element.tag}> has no part", "give it two or more")
        for one in parts[1:]:
            self.check(element, one.sort, parts[0].sort)
        if element.tag == "add":
            return parts[0] if len(parts) == 1 else Sum(parts, parts[0].sort)
        found = parts[0]
        for one in parts[1:]:
            found = Difference(found, one)
        return found

    def _element_of(self, element: Element, arguments: Arguments) -> ElementOf:
        name = element.attributes.get("refpartition", "")
        partition = self.declared.partitions.get(name)
        if partition is None:
            raise self.declared.undeclared(element, "partition", name, self.declared.partitions)
        of = self._value(self.declared.only(element), arguments)
        self.check(element, of.sort, partition.of)
        return ElementOf(of, partition)

    def _comparison(self, element: Element, arguments: Arguments) -> Comparison:
        if len(element.children) != 2:
            raise self.declared.wrong(element, f"<{element.tag}> compares two values", "give it two")
        left, right = (self._compared(self._inside(one), arguments) for one in element)
        if not (isinstance(left.sort, IntRange) and isinstance(right.sort, IntRange)):
            self.check(element, right.sort, left.sort)
        return Comparison(SYMBOLS[element.tag], left, right)

    def _compared(self, element: Element, arguments: Arguments) -> Term:
        """A value; where elements of a partition are compared, the element itself."""
        if element.attributes.get("declaration", "") in self.declared.elements:
            return self.declared.constant(element)
        return self._value(element, arguments)

    # -- operators ---------------------------------------------------------------------------------------------------

    def _operator(self, element: Element, arguments: Arguments) -> Term:
        if element.attributes.get("declaration", "") in self.declared.operators:
            return self._expanded(element, arguments, self.term)
        found = self.declared.constant(element)
        partition = self.declared.elements.get(element.attributes["declaration"])
        if partition is None:
            return found
        # The element of a partition stands for all values that belong to it.
        members = [one for one, group in partition.member.items() if group == found.constant]
        return Sum(tuple(Constant(one, partition.of) for one in members), partition.of)

    def _expanded(
        self, element: Element, arguments: Arguments, read: Callable[[Element, Arguments], Meaning]
    ) -> Meaning:
        """The definition of a named operator, with these arguments in the place of its parameters."""
        name = element.attributes["declaration"]
        self._expansions += 1
        if name in self._expanding or self._expansions > MOST_EXPANSIONS:
            ring = " -> ".join([*self._expanding, name])
            raise self.declared.source.wrong(
                "SC134", f"operators are defined by each other: {ring}", element.line, "break the cycle"
            )
        declared = self.declared.operators[name]
        parameters = [one for group in declared if group.tag == "parameter" for one in group]
        definition = declared.child("def")
        given = self._subterms(element, arguments)
        if definition is None or len(given) != len(parameters):
            raise self.declared.wrong(
                element, f"operator {name!r} has {len(parameters)} parameters, and {len(given)} were given", "give all"
            )
        for one, parameter in zip(given, parameters, strict=True):
            self.check(element, one.sort, self.declared.sort(self.declared.only(parameter)))
        inner = {self.declared.id_of(one): term for one, term in zip(parameters, given, strict=True)}
        self._expanding.append(name)
        found = read(self.declared.only(definition), inner)
        self._expanding.pop()
        return found

    def check(self, element: Element, found: Sort, wanted: Sort) -> None:
        """Refuse tokens of another sort than the one wanted."""
        if not alike(found, wanted):
            raise self.declared.wrong(
                element, f"tokens of sort {found.name} stand where {wanted.name} is wanted", "mend the term or the sort"
            )
