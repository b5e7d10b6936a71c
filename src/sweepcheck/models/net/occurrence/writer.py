"""The function of a transition while it is being written: its lines, the variables bound so far, and its names."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from sweepcheck.core.parsing import parsed
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
    numbers: dict[Place, int] = field(init=False)
    by_slot: dict[Slot, list[Arc]] = field(init=False)

    def __post_init__(self) -> None:
        self.numbers = {place: number for number, place in enumerate(self.slots)}
        self.by_slot = {slot: [] for slot in self.slots.values()}
        for arc in self.transition.arcs:
            self.by_slot[self.slots[arc.place]].append(arc)

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
        if isinstance(term.coefficient.node, ast.Constant):
            return str(term.coefficient.node.value)
        return f"{check}({self.use(term.coefficient)})"

    # -- names -------------------------------------------------------------------------------------------------------

    def fresh(self) -> int:
        """A number for a name that nothing else has."""
        self.names += 1
        return self.names

    def knows(self, names: frozenset[str]) -> bool:
        """Whether all variables among the names are bound."""
        return names - self.given <= self.bound

    # -- places ------------------------------------------------------------------------------------------------------

    def reference(self, place: Place) -> str:
        """The place in the draft; the variable's name, which need not be a Python name, is put in afterwards."""
        return f"_s.p{self.numbers[place]}"

    def start_list(self, lists: dict[Any, str], key: Slot | Arc) -> None:
        """Write down, from here on, the tokens that are taken from a slot or tested by an arc."""
        lists[key] = f"_l{self.fresh()}"
        self.line(f"{lists[key]} = []", "the transition")

    def input(self, arc: Arc) -> str:
        """The place of an input arc in the draft, with the tokens that the arc can take."""
        return f"{self.reference(arc.place)}.early({arc.early})" if arc.early else self.reference(arc.place)

    def take(self, arc: Arc, token: str) -> str:
        """The statement that takes a known token."""
        statement = f"{self.input(arc)}.take({token})"
        written = self.taken.get(self.slots[arc.place])
        return statement if written is None else f"{written}.append({statement})"

    def places(self) -> list[Place]:
        """One place for each slot."""
        first: dict[Slot, Place] = {}
        for place, slot in self.slots.items():
            first.setdefault(slot, place)
        return list(first.values())

    def arcs(self, kind: str, place: Place | None = None) -> list[Arc]:
        """The arcs of a kind, all of them or those with the slot of a place."""
        arcs = self.transition.arcs if place is None else self.by_slot[self.slots[place]]
        return [arc for arc in arcs if arc.kind == kind]

    # -- the result --------------------------------------------------------------------------------------------------

    def compiled(self, last: str) -> CodeType:
        """The definition of the function, with a last line.

        In its code the place with number 0 is called "place 0" and the check of its tokens "check 0": names that no
        inscription can have, and that every transition of this shape replaces by its own.
        """
        try:
            tree = parsed("\n".join([HEAD, *self.lines, f"    {last}"]))
            _name_places(tree)
            return compile(tree, "<transition of a net>", "exec")
        except SyntaxError as error:  # what is an expression need not be a pattern: (*x, *y)
            origin = ("", *self.origins)[(error.lineno or 1) - 1]
            raise self.transition.error("SC123", f"{origin}: {error.msg}", "write another pattern") from None


def _name_places(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "_s":
            node.attr = f"place {node.attr[1:]}"
        elif isinstance(node, ast.Name) and node.id.startswith("_c") and node.id[2:].isdigit():
            node.id = f"check {node.id[2:]}"
