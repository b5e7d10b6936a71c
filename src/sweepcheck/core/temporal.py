"""Temporal formulas: what is said of runs (LTL), and of the tree of all runs (CTL).

A tree of operators over propositions. A proposition is what a single position of a run decides: a predicate of its
state, or which action led there. Texts are read in `logic/parsing.py`; in Python, formulas are built with `&`, `|`,
`~`, `>>` (implies) and the functions of `logic/building.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, NoReturn

from sweepcheck.core.model import Label
from sweepcheck.errors import ModelError, caller, shown

MOST_OPERATORS = 2000  # of a formula, repeated ones included
DEEPEST = 150  # operators inside one another
MOST_WRITTEN_OUT = 20_000  # operators of a formula in normal form: some of its parts stand there several times
SHOWN = 60  # characters of a long formula to either side of a place


class Place(NamedTuple):
    """A character of a formula's text."""

    text: str
    at: int

    def moved(self, by: int) -> Place:
        """So many characters further on."""
        return Place(self.text, self.at + by)

    def shown(self) -> tuple[str, str]:
        """The text with a caret under the character, as a value of an error; of a long text, what is around it."""
        line = " ".join(self.text.replace("\t", " ").split("\n"))
        start = max(0, self.at - SHOWN) if len(line) > 2 * SHOWN else 0
        return "formula", f"{line[start : start + 2 * SHOWN]}\n{' ' * (self.at - start)}^"


class Op(StrEnum):
    """What stands at a node, as it is written. `E` and `A` are about the runs that begin in a state."""

    TRUE = "true"
    FALSE = "false"
    PROPOSITION = "proposition"
    NOT = "!"
    AND = "&"
    OR = "|"
    IMPLIES = "->"
    IFF = "<->"
    NEXT = "X"
    EVENTUALLY = "F"
    ALWAYS = "G"
    UNTIL = "U"
    WEAK_UNTIL = "W"
    RELEASE = "R"
    STRONG_RELEASE = "M"
    SOME_RUN = "E"
    EVERY_RUN = "A"


TEMPORAL = frozenset({Op.NEXT, Op.EVENTUALLY, Op.ALWAYS, Op.UNTIL, Op.WEAK_UNTIL, Op.RELEASE, Op.STRONG_RELEASE})
QUANTIFIERS = frozenset({Op.SOME_RUN, Op.EVERY_RUN})
_UNARY = frozenset({Op.NOT, Op.NEXT, Op.EVENTUALLY, Op.ALWAYS}) | QUANTIFIERS


@dataclass(frozen=True, slots=True)
class Temporal:
    """A node and its parts; `place` is where it was read, which makes no difference to what it says."""

    op: Op
    parts: tuple[Temporal, ...] = ()
    place: Place | None = field(default=None, compare=False, kw_only=True)

    def __and__(self, other: object) -> Temporal:
        return Temporal(Op.AND, (self, formula(other)))

    def __or__(self, other: object) -> Temporal:
        return Temporal(Op.OR, (self, formula(other)))

    def __rshift__(self, other: object) -> Temporal:
        return Temporal(Op.IMPLIES, (self, formula(other)))

    def __invert__(self) -> Temporal:
        return Temporal(Op.NOT, (self,))

    def __bool__(self) -> NoReturn:
        raise ModelError(
            "SC237",
            f"the formula {shown(self)} is neither true nor false: it is about runs",
            where=caller(),
            suggestion="join formulas with & | ~ >> instead of and, or, not, if; leave comparisons inside predicates",
        )

    def __str__(self) -> str:
        if self.op in (Op.TRUE, Op.FALSE):
            return str(self.op)
        if self.op in _UNARY:
            inner = _inner(self.parts[0])
            joined = self.op is Op.NOT or (self.op in QUANTIFIERS and self.parts[0].op in TEMPORAL)
            if self.op in QUANTIFIERS and self.parts[0].op in TEMPORAL and len(self.parts[0].parts) == 1:
                return f"{self.op}{self.parts[0].op} {_inner(self.parts[0].parts[0])}"
            return f"{self.op}{inner}" if joined else f"{self.op} {inner}"
        return f" {self.op} ".join(map(_inner, self.parts))

    def __repr__(self) -> str:
        return f"<formula {self}>"

    def walk(self) -> Iterator[Temporal]:
        """The node and all below it, each as often as it stands there."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.parts)


def _inner(part: Temporal) -> str:
    alone = part.op in (Op.TRUE, Op.FALSE, Op.PROPOSITION) or part.op in _UNARY
    return str(part) if alone else f"({part})"


class About(StrEnum):
    """What a proposition is given by."""

    NAME = "name"  # a predicate that the model declares, or a variable
    EXPRESSION = "expression"  # Python, in braces
    LAST = "last"  # an action: the step just taken was one of it
    FUNCTION = "function"  # a function of the state


@dataclass(frozen=True, slots=True, eq=False)
class Proposition(Temporal):
    """What a position of a run decides by itself. `function` is its predicate, where it is known."""

    about: About = About.NAME
    text: str = ""
    function: Callable[[Any], object] | None = None
    actions: tuple[Label, ...] = ()  # of `last`, where they are known

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Proposition):
            return NotImplemented
        return (self.about, self.text, self.function) == (other.about, other.text, other.function)

    def __hash__(self) -> int:
        return hash((self.about, self.text, self.function))

    def __call__(self, s: Any) -> object:
        """Whether it holds in a state: a declared predicate can stand wherever a function of the state can."""
        if self.function is None:
            raise TypeError(f"{self} is not a function of the state")
        return self.function(s)

    def __str__(self) -> str:
        match self.about:
            case About.EXPRESSION:
                return f"{{{self.text}}}"
            case About.LAST:
                return f"last({self.text})"
            case _:
                return self.text

    def __repr__(self) -> str:
        return f"<proposition {self}>"


def proposition(
    about: About, text: str, function: Callable[[Any], object] | None = None, place: Place | None = None
) -> Proposition:
    """A proposition."""
    return Proposition(Op.PROPOSITION, (), about, text, function, place=place)


TRUE, FALSE = Temporal(Op.TRUE), Temporal(Op.FALSE)


def formula(given: object) -> Temporal:
    """What was given as a formula: one, a truth value, or a function of the state."""
    if isinstance(given, Temporal):
        return given
    if isinstance(given, bool):
        return TRUE if given else FALSE
    if callable(given) and not isinstance(given, type):
        return proposition(About.FUNCTION, getattr(given, "__name__", "a function"), given)
    raise ModelError(
        "SC237",
        f"{shown(given)} is no formula",
        where=caller(),
        suggestion='write it as text, "G (waiting -> F served)", or build it: G(waiting >> F(served))',
    )


# How often normal forms (`logic/normal.py`) have the sides of an operator, be it right below E or A.
_REPEATED: dict[Op | tuple[Op | None, Op], tuple[int, int]] = {
    Op.IFF: (2, 2),
    Op.WEAK_UNTIL: (1, 2),
    Op.STRONG_RELEASE: (1, 2),
    (Op.SOME_RUN, Op.WEAK_UNTIL): (2, 1),
    (Op.SOME_RUN, Op.RELEASE): (1, 3),
    (Op.EVERY_RUN, Op.UNTIL): (1, 3),
    (Op.EVERY_RUN, Op.STRONG_RELEASE): (2, 1),
}


def _repeated(above: Op | None, op: Op) -> tuple[int, int]:
    return _REPEATED.get((above, op)) or _REPEATED.get(op, (1, 1))


def check_size(given: Temporal) -> None:
    """Refuse a formula that is too large to be worked with."""
    level: list[tuple[Temporal, Op | None, int]] = [(given, None, 1)]  # with what is above, and how often it is written
    depth = count = written_out = 0
    while level:
        depth, count = depth + 1, count + len(level)
        written_out += sum(times for _, _, times in level)
        if depth > DEEPEST or count > MOST_OPERATORS or written_out > MOST_WRITTEN_OUT:
            why = f"more than {MOST_OPERATORS} operators, or more than {DEEPEST} inside one another"
            if depth <= DEEPEST and count <= MOST_OPERATORS:
                why = f"more than {MOST_WRITTEN_OUT:,} operators in normal form: <-> W M AU ER repeat what they join"
            raise ModelError(
                "SC235",
                f"the formula has {why}",
                where=caller(),
                values=[] if level[0][0].place is None else [level[0][0].place.shown()],
                suggestion="ask for its parts one by one, or give parts of states a predicate of their own",
            )
        level = [
            (part, node.op, times * again)
            for node, above, times in level
            for part, again in zip(node.parts, _repeated(above, node.op), strict=False)
        ]


def propositions(given: Temporal) -> tuple[Proposition, ...]:
    """The propositions of a formula, in the order in which they stand there first."""
    return tuple(dict.fromkeys(node for node in given.walk() if isinstance(node, Proposition)))


def is_state_formula(given: Temporal) -> bool:
    """Whether single positions decide it."""
    return all(node.op not in TEMPORAL and node.op not in QUANTIFIERS for node in given.walk())


def place_of(node: Temporal, given: Temporal) -> Place:
    """Where a node of a formula stands: in the text that was read or, of one that was built, in what it is shown as."""
    if node.place is not None:
        return node.place
    here = proposition(About.NAME, "\0")

    def marked(one: Temporal) -> Temporal:
        return here if one is node else Temporal(one.op, tuple(map(marked, one.parts))) if one.parts else one

    return Place(str(given), str(marked(given)).index(here.text))
