"""The parts of a net: places, arcs, transitions, substitution transitions. Nouns only."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError, caller, public
from sweepcheck.models.net.colours import Colour
from sweepcheck.models.net.inscription import Expression, Multiset, Tokens, expression, multiset

if TYPE_CHECKING:
    from sweepcheck.models.net.net import Net


@dataclass(frozen=True, slots=True, eq=False)
class Arc:
    """What a transition does with one place. `terms` is None for all tokens, whatever they are."""

    kind: str  # take, put, test, inhibit, reset
    place: Place
    terms: Multiset | None
    text: str = ""
    delay: Expression | None = None
    early: int = 0  # of an input arc: so long before they are ready it takes tokens

    def __str__(self) -> str:
        preposition = {"take": "from", "put": "to"}.get(self.kind, "of")
        return f"the {ARC_NAMES[self.kind]} {preposition} {self.place.name!r}"

    @property
    def count(self) -> int | None:
        """How many tokens the arc always moves; None when that depends."""
        total = 0
        for term in self.terms or ():
            if not isinstance(term, Tokens):
                return None
            if term.coefficient is None:
                total += 1
            elif isinstance(term.coefficient.node, ast.Constant) and type(term.coefficient.node.value) is int:
                total += term.coefficient.node.value
            else:
                return None
        return None if self.terms is None else total


ARC_NAMES = {"take": "arc", "put": "arc", "test": "test arc", "inhibit": "inhibitor arc", "reset": "reset arc"}


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A place. Its methods make the arcs of a transition: `net.transition("Move", a.take("x"), b.put("x"))`."""

    net: Net
    name: str
    colour: Colour
    initial: Bag
    capacity: int | None = None
    port: str | None = None  # in, out, inout
    fusion: str | None = None
    where: str | None = None

    @public
    def take(self, inscription: object = "()", early: int = 0) -> Arc:
        """An input arc: removes tokens that match the inscription; so much `early`, before they are ready."""
        return replace(self._arc("take", inscription), early=early) if early else self._arc("take", inscription)

    @public
    def put(self, inscription: object = "()", delay: object = None) -> Arc:
        """An output arc: adds tokens, ready after the delay."""
        return self._arc("put", inscription, delay)

    @public
    def test(self, inscription: object = "()") -> Arc:
        """A test arc: needs matching tokens beside those taken, and leaves them; two arcs may find the same ones."""
        return self._arc("test", inscription)

    @public
    def inhibit(self, inscription: object = None) -> Arc:
        """An inhibitor arc: needs fewer such tokens before any is taken; without an inscription, no token at all."""
        if inscription is None:
            return Arc("inhibit", self, None)
        return self._arc("inhibit", inscription)

    def reset(self) -> Arc:
        """A reset arc: removes every token there is."""
        return Arc("reset", self, None)

    def _arc(self, kind: str, inscription: object, delay: object = None) -> Arc:
        terms, text = self._read(kind, inscription)
        if delay is None:
            return Arc(kind, self, terms, text)
        after = expression(delay, f"the delay on {Arc(kind, self, None)}")
        return Arc(kind, self, terms, f"{text} @+ {after.text}", after)

    def _read(self, kind: str, inscription: object) -> tuple[Multiset, str]:
        """What stands on an arc, and its text. Most arcs of a large net have inscriptions that others have too."""
        if isinstance(inscription, str) and (known := self.net.terms.get(inscription)) is not None:
            return known, inscription
        what = f"the inscription on {Arc(kind, self, None)}"
        terms = multiset(inscription, what, self.net.constants)
        if not isinstance(inscription, str):
            return terms, expression(inscription, what).text
        self.net.terms[inscription] = terms
        return terms, inscription

    def __repr__(self) -> str:
        return f"<place {self.name!r} of {self.colour}>"


@dataclass(frozen=True, slots=True, eq=False)
class Transition:
    """A transition: its arcs, and what must hold (guard), is computed (let), is chosen freely and how long it takes."""

    name: str
    arcs: tuple[Arc, ...]
    guard: tuple[Expression, ...] = ()
    let: Mapping[str, Expression] = field(default_factory=dict)
    free: Mapping[str, Colour] = field(default_factory=dict)
    delay: Expression | None = None
    constants: Mapping[str, Any] = field(default_factory=dict)
    fair: bool | str = False
    where: str | None = None

    def error(self, code: str, what: str, suggestion: str) -> ModelError:
        """An error in the declaration of this transition."""
        return ModelError(
            code, f"transition {self.name!r}: {what}", where=self.where or caller(), suggestion=suggestion
        )


@dataclass(frozen=True, slots=True, eq=False)
class Substitution:
    """A substitution transition: an instance of a module, with a place of the net for each of its ports."""

    name: str
    module: Net
    sockets: Mapping[str, Place]
    where: str | None = None
