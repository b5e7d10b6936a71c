"""Inscriptions in CPN ML as inscriptions of a net: Python expressions over the variables, each made once."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from sweepcheck.core.stamps import At
from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError
from sweepcheck.models.cpn.document import Written
from sweepcheck.models.cpn.ml import Colour, Inscription, Ml, Term, Where
from sweepcheck.models.cpn.ml import Either as MlEither
from sweepcheck.models.net.inscription import Computed, Either, Expression, Multiset, Tokens, free_names

# What inscriptions call to take the times off a multiset, and to make tokens that wait; no name of CPN ML is like them.
UNTIMED, WAITING = "_untimed", "_waiting"


def untimed(tokens: Iterable[tuple[Hashable, int]]) -> Bag:
    """The tokens of a timed multiset, which has no times: what an input arc asks for."""
    pairs = list(tokens)
    if any(wait for _, wait in pairs):
        raise ModelError(
            "SC146",
            "the times on an input arc are computed with its tokens, which cannot be explored",
            suggestion="write @+ with a constant behind all of the tokens",
        )
    return Bag([token for token, _ in pairs])


def waiting(tokens: Iterable[tuple[Hashable, int]]) -> Bag:
    """The tokens of a timed multiset, each with how long it waits: what an output arc makes."""
    return Bag([At(token, wait) for token, wait in tokens])


@dataclass(slots=True)
class Inscriptions:
    """The inscriptions of one file. Equal ones are one object, so that transitions that are alike are seen to be."""

    ml: Ml
    constants: dict[str, Any] = field(default_factory=lambda: {UNTIMED: untimed, WAITING: waiting})  # what they call
    draws: frozenset[str] = frozenset()  # the random functions that any of them draws from
    _read: dict[Hashable, Inscription] = field(default_factory=dict)
    _expressions: dict[tuple[str, str], Expression] = field(default_factory=dict)
    _multisets: dict[tuple[int, str], Multiset] = field(default_factory=dict)

    def read(self, written: Written, where: Where, of: Colour | None, kind: str) -> Inscription:
        """A text of the file, typed."""
        key = written.text, id(of), kind
        if key in self._read:
            return self._read[key]
        found = self.ml.inscription(written.text, where, of, kind)
        self.constants.update(self.ml.namespace)  # what is written down as a function of its own
        self.draws |= found.draws
        self._read[key] = found
        return found

    def expression(self, python: str, text: str | None = None) -> Expression:
        """An expression of a net; `text` is how the file has it."""
        key = python, python if text is None else text
        if key not in self._expressions:
            node = ast.parse(python.strip(), mode="eval").body
            self._expressions[key] = Expression(key[1].strip(), node, free_names(node))
        return self._expressions[key]

    def constant(self, python: str) -> object:
        """The value of an expression; None where it depends on a binding, or on chance."""
        node = self.expression(python)
        if not node.names <= self.constants.keys() | set(dir(builtins)):
            return None
        return eval(compile(ast.Expression(node.node), "<time>", "eval"), dict(self.constants))

    def multiset(self, found: Inscription, kind: str, timed: bool) -> Multiset:
        """What stands on an arc of a kind, take or put, to a place that is timed or not."""
        key = id(found), kind
        if key not in self._multisets:
            if found.terms is not None:
                self._multisets[key] = tuple(self._term(one, kind) for one in found.terms)
            else:
                word = "" if not timed else UNTIMED if kind == "take" else WAITING
                self._multisets[key] = (Computed(self.expression(f"{word}({found.python})")),)
        return self._multisets[key]

    def _term(self, term: Term | MlEither, kind: str) -> Tokens | Either:
        if isinstance(term, MlEither):
            then, otherwise = (tuple(self._term(one, kind) for one in side) for side in (term.then, term.otherwise))
            one, other = _only(then), _only(otherwise)
            if one is not None and other is not None:  # a token either way
                return Tokens(self.expression(f"({one.code} if ({term.condition}) else {other.code})"))
            return Either(self.expression(term.condition), then, otherwise)
        count = None if term.count is None else self.expression(term.count)
        delay = None if term.delay is None or kind == "take" else self.expression(term.delay)
        return Tokens(self.expression(term.token), count, delay)


def _only(terms: Multiset) -> Expression | None:
    """The token, where there is always one, and without a time."""
    one = terms[0] if len(terms) == 1 else None
    return one.token if isinstance(one, Tokens) and one.coefficient is None and one.delay is None else None


def delays(terms: Iterable[Term | MlEither]) -> list[str]:
    """When the tokens of each term may be taken; "0" where nothing is said."""
    found = []
    for term in terms:
        if isinstance(term, MlEither):
            found += [*delays(term.then), *delays(term.otherwise)]
        else:
            found.append(term.delay or "0")
    return found
