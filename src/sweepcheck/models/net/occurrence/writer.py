"""The function of a transition while it is being written: its lines, the variables bound so far, and its names."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from sweepcheck.models.net.inscription import Computed, Either, Expression, Multiset, Tokens
from sweepcheck.models.net.structure import Arc, Place, Transition

HEAD = "def _occur(_s):"


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a place is found in a state: the variable, how much it may hold, whether it always holds one token.

    Fused places share a slot, as do ports that are connected to the same place.
    """

    variable: str
    capacity: int | None = None
    single: bool = False


@dataclass(slots=True)
class Writer:
    """The function being written. What its lines call is in `namespace`; see `called`."""

    transition: Transition
    slots: Mapping[Place, Slot]
    namespace: dict[str, Any]
    lines: list[str] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)
    unnamed: list[str] = field(default_factory=list)
    taken: dict[Slot, str] = field(default_factory=dict)  # where tokens taken are written down, and in which list
    tested: dict[Arc, str] = field(default_factory=dict)  # the same for test arcs that are decided at the end
    names: int = 0
    given: frozenset[str] = frozenset()  # names that need no binding

    def line(self, text: str, origin: str, depth: int = 1) -> None:
        """Write a line; `origin` is the inscription it comes from, for errors."""
        self.lines.append("    " * depth + text)
        self.origins.append(origin)

    def disabled_if(self, condition: str, origin: str) -> None:
        """Write in which case the transition cannot occur with this binding."""
        self.line(f"if {condition}: raise _Disabled", origin)

    # -- expressions -------------------------------------------------------------------------------------------------

    def use(self, given: Expression) -> str:
        """The code of an expression, whose functions the source can then call."""
        self.namespace.update(given.functions)
        return given.code

    def listed(self, terms: Multiset) -> str:
        """The expression whose value is a list of all tokens that the terms stand for."""
        parts = []
        for term in terms:
            if isinstance(term, Either):
                then, otherwise = (self.listed(side) for side in (term.then, term.otherwise))
                parts.append(f"({then} if {self.use(term.condition)} else {otherwise})")
            elif isinstance(term, Computed):
                parts.append(f"_tokens({self.use(term.value)})")
            else:
                parts.append(f"_tokens({self.use(term.token)}, {self.coefficient(term)})")
        return " + ".join(parts) or "[]"

    def coefficient(self, term: Tokens, check: str = "_number") -> str:
        """How many tokens a term stands for; what is computed is checked when it is known."""
        if term.coefficient is None:
            return "1"
        constant = isinstance(term.coefficient.node, ast.Constant)
        code = self.use(term.coefficient)
        return code if constant else f"{check}({code})"

    # -- names -------------------------------------------------------------------------------------------------------

    def fresh(self) -> int:
        """A number for a name that nothing else has."""
        self.names += 1
        return self.names

    def knows(self, names: frozenset[str]) -> bool:
        """Whether all variables among the names are bound."""
        return names <= self.bound | self.given

    # -- places ------------------------------------------------------------------------------------------------------

    def reference(self, place: Place) -> str:
        """The place in the draft; the variable's name, which need not be a Python name, is put in afterwards."""
        return f"_s.p{list(self.slots).index(place)}"

    def start_list(self, lists: dict[Any, str], key: Slot | Arc) -> None:
        """Write down, from here on, the tokens that are taken from a slot or tested by an arc."""
        lists[key] = f"_l{self.fresh()}"
        self.line(f"{lists[key]} = []", "the transition")

    def take(self, place: Place, token: str) -> str:
        """The statement that takes a known token."""
        statement = f"{self.reference(place)}.take({token})"
        written = self.taken.get(self.slots[place])
        return statement if written is None else f"{written}.append({statement})"

    def places(self) -> list[Place]:
        """One place for each slot."""
        first: dict[Slot, Place] = {}
        for place, slot in self.slots.items():
            first.setdefault(slot, place)
        return list(first.values())

    def arcs(self, kind: str, place: Place | None = None) -> list[Arc]:
        """The arcs of a kind, all of them or those with the slot of a place."""
        found = [arc for arc in self.transition.arcs if arc.kind == kind]
        return [arc for arc in found if place is None or self.slots[arc.place] == self.slots[place]]

    # -- the result --------------------------------------------------------------------------------------------------

    def source(self) -> str:
        """What is written so far."""
        return "\n".join([HEAD, *self.lines])

    def compiled(self, last: str) -> CodeType:
        """The definition of the function, with a last line."""
        try:
            tree = ast.parse(f"{self.source()}\n    {last}")
            _name_variables(tree, [slot.variable for slot in self.slots.values()])
            return compile(tree, f"<transition {self.transition.name}>", "exec")
        except SyntaxError as error:  # what is an expression need not be a pattern: (*x, *y)
            origin = ("", *self.origins)[(error.lineno or 1) - 1]
            raise self.transition.error("SC123", f"{origin}: {error.msg}", "write another pattern") from None


def _name_variables(tree: ast.AST, names: list[str]) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "_s":
            node.attr = names[int(node.attr[1:])]
