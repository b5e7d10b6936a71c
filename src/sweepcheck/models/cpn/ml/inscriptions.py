"""Inscriptions: what stands at arcs, places and transitions, typed, as Python and as terms that bind tokens.

An inscription is typed as a token, else as a multiset, else as a timed multiset, in this order. So `[]` is one token
where tokens are lists, and no token elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sweepcheck.models.cpn.ml import syntax
from sweepcheck.models.cpn.ml.colours import Colour
from sweepcheck.models.cpn.ml.inference import Inference
from sweepcheck.models.cpn.ml.scope import Binding
from sweepcheck.models.cpn.ml.source import Where
from sweepcheck.models.cpn.ml.spelling import CLOCK
from sweepcheck.models.cpn.ml.syntax import Expr
from sweepcheck.models.cpn.ml.trees import walk
from sweepcheck.models.cpn.ml.types import PLAIN, UNIT, Type, actual, listed, text, timed
from sweepcheck.models.cpn.ml.writing import Writer


@dataclass(frozen=True, slots=True)
class Term:
    """Equal tokens, as Python: how many (None: one), the token, and its delay."""

    count: str | None
    token: str
    delay: str | None = None


@dataclass(frozen=True, slots=True)
class Either:
    """One of two multisets."""

    condition: str
    then: Terms
    otherwise: Terms


Terms = tuple[Term | Either, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a guard; `defines` are variables that it gives values to, with what they are equal to."""

    python: str
    names: frozenset[str]
    defines: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Code:
    """A code segment: the variables it reads, those it gives values to, and Python for the tuple of these values."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    python: str


@dataclass(frozen=True, slots=True)
class Inscription:
    """An inscription, ready to be used; names are those of Python."""

    text: str
    where: Where
    kind: str
    python: str
    names: frozenset[str] = frozenset()
    draws: frozenset[str] = frozenset()  # the random functions that it may draw from
    terms: Terms | None = None
    conditions: tuple[Condition, ...] = ()
    code: Code | None = None
    uses_clock: bool = False
    run: Callable[[Mapping[str, Any]], Any] = field(default=lambda _: None, repr=False)

    def evaluate(self, binding: Mapping[str, Any]) -> Any:
        """Its value, given a value for each of its names."""
        return self.run(binding)


@dataclass(slots=True)
class Reading:
    """One inscription while it is read: `extract` makes a function of lines that an expression cannot hold."""

    inference: Inference
    writer: Writer
    extract: Callable[[list[str], str, list[str]], str]
    at_start: bool = False  # an initial marking: its times count from 0

    # -- texts -------------------------------------------------------------------------------------------------------

    def inline(self, node: Expr, *, token: bool = False) -> str:
        """An expression as one expression of Python."""
        lines: list[str] = []
        write = self.writer.token if token else self.writer.expression
        found = write(node, lines)
        if not lines:
            return found
        return self.extract(lines, found, sorted(self.names(node)) + [CLOCK] * self.is_clocked(node))

    def names(self, node: Expr) -> frozenset[str]:
        """The variables of the net in an expression, as Python spells them."""
        return frozenset(binding.python for binding in bindings(node) if binding.kind == "variable")

    def is_clocked(self, node: Expr) -> bool:
        """Whether an expression asks for the time."""
        stamps = (isinstance(one, syntax.Apply) and _operator(one) == "@" for one in walk(node))
        return not self.at_start and (any(one.clocked for one in bindings(node)) or any(stamps))

    # -- multisets ---------------------------------------------------------------------------------------------------

    def mode(self, node: Expr, colour: Colour) -> str:
        """What an inscription at a place of a colour is: token, ms, tms, timed (one token with its time) or number."""
        self.inference.colour = colour.type
        found = self.inference.infer(node)
        unifier = self.inference.world.unifier
        ways: list[tuple[str, Type]] = [("token", colour.type), ("ms", listed(colour.type))]
        ways += [("tms", listed(timed(colour.type))), ("timed", timed(colour.type))]
        if actual(colour.type) is UNIT:
            ways.append(("number", PLAIN["int"]))
        for mode, wanted in ways:
            if unifier.possible(found, wanted):
                if mode in ("tms", "timed") and not colour.timed:
                    raise self.inference.error(
                        f"a token of colour set {colour.name} gets a time", node.at, f"declare {colour.name} timed"
                    )
                return mode
        raise self.inference.error(
            f"this has type {text(found)}, and tokens of colour set {colour.name} have type {text(colour.type)}",
            node.at,
        )

    def whole(self, node: Expr, mode: str, colour: Colour) -> str:
        """Python for the whole multiset: a Bag; of a timed place a tuple of (token, delay)."""
        lines: list[str] = []
        found = self.writer.expression(node, lines)
        if mode == "token":
            found = f"({found},)"
        elif mode == "number":
            found = f"times({found}, ())"
        elif mode == "timed":
            found = f"({found},)"
        if not colour.timed:
            found = f"Bag({found})"
        elif mode not in ("tms", "timed"):
            found = f"delayed({found}, 0)"
        if not lines:
            return found
        return self.extract(lines, found, sorted(self.names(node)) + [CLOCK] * self.is_clocked(node))

    def terms(self, node: Expr, mode: str) -> Terms | None:
        """The multiset as a sum of tokens; None where it is none."""
        if mode == "token":
            return (Term(None, self.inline(node, token=True)),)
        if mode == "number":
            count = self.inline(node)
            return () if count == "0" else (Term(None if count == "1" else count, "()"),)
        return self._token(node, None) if mode == "timed" else self._sum(node)

    def _sum(self, node: Expr) -> Terms | None:
        match node:
            case syntax.Typed():
                return self._sum(node.body)
            case syntax.Name(name="empty" | "nil"):
                return ()
            case syntax.ListOf():
                return self._joined([self._token(item, None) for item in node.items])
            case syntax.If():
                then, otherwise = self._sum(node.then), self._sum(node.otherwise)
                if then is None or otherwise is None:
                    return None
                return (Either(self.inline(node.condition), then, otherwise),)
            case syntax.Apply(argument=syntax.Record(fields=((_, left), (_, right)))):
                return self._operation(node, left, right)
        return None

    def _operation(self, node: syntax.Apply, left: Expr, right: Expr) -> Terms | None:
        match _operator(node):
            case "++" | "+++":
                return self._joined([self._sum(left), self._sum(right)])
            case "`":
                count = self.inline(left)
                return () if count == "0" else self._token(right, None if count == "1" else count)
            case "@+" | "@++" | "@@":
                inner = self._token(left, None) if node.note == "token" else self._sum(left)
                delay = self.inline(right)
                return None if inner is None else tuple(_later(term, delay) for term in inner)
        return None

    def _token(self, node: Expr, count: str | None) -> Terms:
        match node:
            case syntax.Apply(argument=syntax.Record(fields=((_, token), (_, time)))) if _operator(node) == "@":
                delay = self.inline(time) if self.at_start else f"{self.inline(time)} - {CLOCK}"
                return (Term(count, self.inline(token, token=True), delay),)
        return (Term(count, self.inline(node, token=True)),)

    def _joined(self, parts: list[Terms | None]) -> Terms | None:
        found: list[Term | Either] = []
        for part in parts:
            if part is None:
                return None
            found += part
        return tuple(found)

    # -- guards ------------------------------------------------------------------------------------------------------

    def conditions(self, node: Expr) -> Iterator[Condition]:
        """A condition, or those that `andalso` joins or two tuples are compared by."""
        match node:
            case syntax.Logic(operator="andalso"):
                yield from self.conditions(node.left)
                yield from self.conditions(node.right)
                return
            case syntax.Typed():
                yield from self.conditions(node.body)
                return
            case syntax.Apply(
                function=syntax.Name() as name,
                argument=syntax.Record(fields=((_, syntax.Record() as one), (_, syntax.Record() as other))),
            ) if _operator(node) == "=" and one.fields:
                others = dict(other.fields)
                for label, part in one.fields:
                    pair = syntax.Record(part.at, (("1", part), ("2", others[label])))
                    yield from self.conditions(syntax.Apply(node.at, name, pair))
                return
        yield Condition(self._condition_text(node), self.names(node), tuple(self._defined(node)))

    def _condition_text(self, node: Expr) -> str:
        match node:
            case syntax.Apply(argument=syntax.Record(fields=((_, left), (_, right)))) if _operator(node) == "=":
                return f"{self.inline(left)} == {self.inline(right)}"
        return self.inline(node)

    def _defined(self, node: Expr) -> Iterator[tuple[str, str]]:
        match node:
            case syntax.Apply(argument=syntax.Record(fields=((_, left), (_, right)))) if _operator(node) == "=":
                for one, other in ((left, right), (right, left)):
                    yield from self._defined_by(one, self.inline(other), self.names(other))

    def _defined_by(self, node: Expr, value: str, names: frozenset[str]) -> Iterator[tuple[str, str]]:
        if isinstance(node, syntax.Name) and node.binding is not None and node.binding.kind == "variable":
            if node.binding.python not in names:
                yield node.binding.python, value
        elif isinstance(node, syntax.Record):
            for place, (_, part) in enumerate(sorted(node.fields)):
                yield from self._defined_by(part, f"{value}[{place}]", names)


def _operator(node: syntax.Apply) -> str:
    """The operator of the library that is applied; nothing where it is none."""
    head = node.function
    is_library = isinstance(head, syntax.Name) and head.binding is not None and head.binding.value is not None
    return head.name if is_library and isinstance(head, syntax.Name) else ""


def _later(term: Term | Either, delay: str) -> Term | Either:
    if isinstance(term, Either):
        then, otherwise = (tuple(_later(one, delay) for one in side) for side in (term.then, term.otherwise))
        return Either(term.condition, then, otherwise)
    return Term(term.count, term.token, delay if term.delay is None else f"{term.delay} + {delay}")


def bindings(node: Any) -> Iterator[Binding]:
    """The meanings of all names in an expression."""
    for one in walk(node):
        if isinstance(one, syntax.Name) and one.binding is not None:
            yield one.binding
