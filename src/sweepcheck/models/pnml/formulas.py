"""Formula files of the Model Checking Contest: which questions about a net they ask.

Four shapes of temporal formulas are properties of their own: AG p, EF p, AG EF p and AG AF p, and their negations. All
others are formulas of CTL, or of LTL, which the contest writes with one A before everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from pathlib import Path
from typing import Any

from sweepcheck.core.counting import TokenNumber
from sweepcheck.core.formula import FALSE, TRUE, All, Not, Some
from sweepcheck.core.limits import FileLimits
from sweepcheck.core.questions import Question
from sweepcheck.core.temporal import About, Op, Temporal, proposition
from sweepcheck.errors import RequestError, SweepcheckError, closest, public
from sweepcheck.models.markup import Element, Source, Stream
from sweepcheck.models.net.system import NetModel
from sweepcheck.models.pnml.declarations import whole_number
from sweepcheck.models.pnml.statements import ARITHMETIC, COMPARISONS, Number, Truth, compared, computed, equivalent
from sweepcheck.properties import always_eventually, always_possible, ctl, deadlock, invariant, ltl, reachable

JUNCTIONS = ("negation", "conjunction", "disjunction", "implication", "equivalence", "exclusive-disjunction")
PATHS = ("all-paths", "exists-path")
MOMENTS = ("globally", "finally", "next", "until", "weak-until", "release")
STATEMENTS = (*JUNCTIONS, *COMPARISONS, "is-fireable", "is-deadlock", "true", "false")
DUAL = {"all-paths": "exists-path", "exists-path": "all-paths", "globally": "finally", "finally": "globally"}
OPERATORS = {
    "all-paths": Op.EVERY_RUN,
    "exists-path": Op.SOME_RUN,
    "globally": Op.ALWAYS,
    "finally": Op.EVENTUALLY,
    "next": Op.NEXT,
    "negation": Op.NOT,
}
UNDECIDED = "only formulas of CTL, and of LTL with A before them, can be decided"


@public
def read_formulas(path: Path | str, model: Any, limits: FileLimits | None = None) -> tuple[Question, ...]:
    """The questions that a formula file asks about a net, in the order of the file."""
    if not isinstance(model, NetModel):
        raise RequestError(
            "SC411", f"formula files ask about nets, and {model!r} is none", suggestion="give a .pnml file"
        )
    source = Source(Path(path), RequestError, "SC411")
    reader = _Reader(source, model)
    Stream(source, ("property",), ()).read(limits or FileLimits(), reader.begin, reader.end)
    if not reader.questions:
        raise source.wrong("SC411", f"{source.path.name} asks nothing", 1, "give a file with <property> elements")
    if all(one.reason is not None for one in reader.questions):
        first = reader.questions[0]
        raise RequestError(
            "SC412",
            f"no formula of {source.path.name} can be decided; {first.name!r}: {first.reason}",
            where=source.path.name,
            suggestion="ask for reachability (ReachabilityCardinality, ReachabilityFireability), deadlock or bounds",
        )
    return tuple(reader.questions)


@dataclass(frozen=True, slots=True)
class _Temporal:
    """A path quantifier and a moment, and what is said there."""

    paths: str
    moment: str
    inner: Element


class _UndecidedError(Exception):
    """A formula is of none of the four shapes."""


class _Reader:
    """Takes down the questions as they come."""

    def __init__(self, source: Source, model: NetModel) -> None:
        self._source, self._model = source, model
        self.questions: list[Question] = []
        self._names: set[str] = set()
        self._trees = False  # the formula at work is one of CTL

    def begin(self, element: Element, around: list[Element]) -> None:
        """See `Stream`."""
        if around or element.tag != "property-set":
            what = f"{self._source.path.name} is no formula file: <{element.tag}> stands where <property-set> should"
            raise self._wrong(what, element, "give a formula file of the contest")

    def end(self, element: Element, around: list[Element]) -> None:
        """See `Stream`: one property."""
        del around
        name, formula = element.child("id"), element.child("formula")
        called = "" if name is None else " ".join(name.text.split())
        if not called or formula is None or called in self._names:
            raise self._wrong("a property needs an id of its own and a formula", element, "give it both")
        self._names.add(called)
        try:
            question = self._question(called, self._only(formula))
        except _UndecidedError:
            question = self._asked(called, self._only(formula))
        self.questions.append(question)

    def _question(self, name: str, formula: Element) -> Question:
        if formula.tag == "place-bound":
            return Question(name, bound=self._tokens(formula))
        if (found := self._shape(formula, positive=True)) is None:
            (first,) = self._model.initial_states()
            return Question(name, known=bool(self._statement(formula)(self._model.view(first))))
        shape, positive = found
        nested = self._shape(shape.inner, positive)
        if nested is not None:
            return self._nested(name, shape, *nested)
        if (shape.paths, shape.moment) == ("all-paths", "globally"):
            return self._always(name, shape.inner, positive)
        if (shape.paths, shape.moment) == ("exists-path", "finally"):
            return self._sometimes(name, shape.inner, positive)
        raise _UndecidedError

    def _asked(self, name: str, element: Element) -> Question:
        """A formula of LTL or CTL."""
        try:
            self._trees = any(one.tag in PATHS for part in element for one in _all(part)) or element.tag != "all-paths"
            made = self._temporal(element)
            if element.tag == "all-paths" and not self._trees:
                return Question(name, ltl(name, made.parts[0]))
            return Question(name, ctl(name, made))
        except SweepcheckError as error:
            if error.code not in ("SC235", "SC237"):
                raise
            return Question(name, reason=f"{UNDECIDED}: {error.what}")

    def _temporal(self, element: Element) -> Temporal:
        """A formula as a tree; what single states decide is a proposition."""
        if all(one.tag not in (*PATHS, *MOMENTS) for one in _all(element)):
            return proposition(About.FUNCTION, f"<{element.tag}> in line {element.line}", self._statement(element))
        if element.tag == "until":
            parts = [self._temporal(self._only(self._child(element, tag))) for tag in ("before", "reach")]
            return Temporal(Op.UNTIL, tuple(parts))
        if element.tag in PATHS and self._only(element).tag == "next" and self._trees:
            return self._next(element)
        if element.tag in OPERATORS:
            return Temporal(OPERATORS[element.tag], (self._temporal(self._only(element)),))
        if element.tag not in JUNCTIONS:
            raise self._unknown(element, (*STATEMENTS, *PATHS, *OPERATORS))
        parts = [self._temporal(one) for one in element]
        match element.tag:
            case "conjunction":
                return reduce(and_, parts)
            case "disjunction":
                return reduce(or_, parts)
            case "implication":
                return parts[0] >> parts[1]
            case _:
                same = Temporal(Op.IFF, tuple(parts))
                return same if element.tag == "equivalence" else ~same

    def _next(self, element: Element) -> Temporal:
        """EX or AX: for the contest, a dead marking has no next one, so that every AX is true of it and no EX is."""
        said = Temporal(
            OPERATORS[element.tag], (Temporal(Op.NEXT, (self._temporal(self._only(self._only(element))),)),)
        )
        dead = proposition(About.FUNCTION, "deadlock", self._dead())
        return dead | said if element.tag == "all-paths" else ~dead & said

    def _dead(self) -> Truth:
        return Not(Some(tuple(self._model.enabled(one) for one in self._model.families())))

    def _child(self, element: Element, tag: str) -> Element:
        found = element.child(tag)
        if found is None:
            raise self._wrong(f"<{element.tag}> has no <{tag}>", element, "give it <before> and <reach>")
        return found

    def _nested(self, name: str, outer: _Temporal, inner: _Temporal, positive: bool) -> Question:
        """AG EF p or AG AF p; EF AG p is the negation of AG EF not p, and EF EG p that of AG AF not p."""
        negated = (outer.paths, outer.moment) == ("exists-path", "finally")
        if negated:
            outer, inner, positive = _turned(outer), _turned(inner), not positive
        if (outer.paths, outer.moment, inner.moment) != ("all-paths", "globally", "finally"):
            raise _UndecidedError
        if self._shape(inner.inner, positive) is not None:
            raise _UndecidedError
        make = always_possible if inner.paths == "exists-path" else always_eventually
        return Question(name, make(name, self._signed(inner.inner, positive)), negated)

    def _always(self, name: str, inner: Element, positive: bool) -> Question:
        """AG p, or AG not p."""
        if (positive, inner.tag) == (False, "is-deadlock") or (positive and self._is_no_deadlock(inner)):
            return Question(name, deadlock(name))
        return Question(name, invariant(name, self._signed(inner, positive)))

    def _sometimes(self, name: str, inner: Element, positive: bool) -> Question:
        """EF p, or EF not p."""
        if positive and inner.tag == "is-deadlock":
            return Question(name, deadlock(name), negated=True)
        return Question(name, reachable(name, self._signed(inner, positive)))

    def _is_no_deadlock(self, element: Element) -> bool:
        return element.tag == "negation" and self._only(element).tag == "is-deadlock"

    # -- temporal shapes ---------------------------------------------------------------------------------------------

    def _shape(self, element: Element, positive: bool) -> tuple[_Temporal, bool] | None:
        """A temporal formula with its negations inside, and whether what is said inside is meant; None: a statement."""
        while element.tag == "negation":
            element, positive = self._only(element), not positive
        if element.tag in PATHS:
            moment = self._only(element)
            if moment.tag not in DUAL:
                raise _UndecidedError
            found = _Temporal(element.tag, moment.tag, self._only(moment))
            return (found, True) if positive else (_turned(found), False)
        if any(one.tag in (*PATHS, *MOMENTS) for one in _all(element)):
            raise _UndecidedError
        return None

    # -- statements about one state ----------------------------------------------------------------------------------

    def _signed(self, element: Element, positive: bool) -> Truth:
        found = self._statement(element)
        return found if positive else Not(found)

    def _statement(self, element: Element) -> Truth:
        if element.tag in COMPARISONS:
            if len(element.children) != 2:
                raise self._wrong(f"<{element.tag}> compares two numbers", element, "give it two")
            left, right = (self._number(one) for one in element)
            return compared(element.tag, left, right)
        match element.tag:
            case "is-fireable":
                return Some(tuple(self._model.enabled(one) for one in self._nodes(element, "transition")))
            case "is-deadlock":
                return self._dead()
            case "true" | "false":
                return TRUE if element.tag == "true" else FALSE
        if element.tag not in JUNCTIONS:
            raise self._unknown(element, STATEMENTS)
        parts = tuple(self._statement(one) for one in element)
        return self._joined(element, parts)

    def _joined(self, element: Element, parts: tuple[Truth, ...]) -> Truth:
        wanted = {"negation": 1, "implication": 2, "equivalence": 2, "exclusive-disjunction": 2}.get(element.tag)
        if not parts or wanted not in (None, len(parts)):
            raise self._wrong(f"<{element.tag}> has {len(parts)} parts", element, f"give it {wanted or 'two or more'}")
        match element.tag:
            case "negation":
                return Not(parts[0])
            case "conjunction":
                return All(parts)
            case "disjunction":
                return Some(parts)
            case "implication":
                return Some((Not(parts[0]), parts[1]))
            case "equivalence":
                return equivalent(*parts)
            case _:
                return Not(equivalent(*parts))

    def _number(self, element: Element) -> Number:
        if element.tag == "integer-constant":
            return TokenNumber((), whole_number(self._source, element, element.text, signed=True))
        if element.tag == "tokens-count":
            return self._tokens(element)
        if element.tag not in ARITHMETIC or not element.children:
            raise self._unknown(element, ("integer-constant", "tokens-count", *ARITHMETIC))
        return computed(element.tag, tuple(self._number(one) for one in element))

    # -- nodes -------------------------------------------------------------------------------------------------------

    def _tokens(self, element: Element) -> TokenNumber:
        """The tokens on the places that are listed; one that is listed twice counts twice."""
        places = self._nodes(element, "place")
        return self._model.tokens_on(one for place in places for one in self._model.variables_of(place))

    def _nodes(self, element: Element, what: str) -> tuple[str, ...]:
        """The names of the places or transitions that are listed, by their ids or by these names."""
        found = []
        names = self._model.place_names if what == "place" else self._model.families()
        for one in element:
            if one.tag != what:
                raise self._unknown(one, (what,))
            given = " ".join(one.text.split())
            name = self._model.ids.get(given, given)
            if name not in names:
                known = (*(key for key, called in self._model.ids.items() if called in names), *names)
                raise self._wrong(f"the net has no {what} {given!r}", one, closest(given, list(dict.fromkeys(known))))
            found.append(name)
        return tuple(found)  # some files of the contest name none: a sum of nothing is 0

    def _only(self, element: Element) -> Element:
        if len(element.children) != 1:
            raise self._wrong(f"<{element.tag}> holds {len(element.children)} elements", element, "give it exactly one")
        return element.children[0]

    def _unknown(self, element: Element, known: tuple[str, ...]) -> SweepcheckError:
        suggestion = f"only these can be read here: {', '.join(known)}"
        return self._wrong(f"<{element.tag}> is nothing that is known in a formula", element, suggestion)

    def _wrong(self, what: str, element: Element, suggestion: str) -> SweepcheckError:
        return self._source.wrong("SC411", what, element.line, suggestion)


def _turned(found: _Temporal) -> _Temporal:
    """What the negation of a temporal formula says of the negation inside."""
    return _Temporal(DUAL[found.paths], DUAL[found.moment], found.inner)


def _all(element: Element) -> list[Element]:
    """An element and everything inside it."""
    found = [element]
    for one in found:
        found.extend(one.children)
    return found
