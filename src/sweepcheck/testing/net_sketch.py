"""A sketch of a net: everything it consists of as plain data, which knows nothing about how nets are run.

A sketch can be written out as Python source, the way a person would declare the net, and it can be played by anyone who
knows the definition of coloured nets: inscriptions are lists of terms, variables have their colours, and a wildcard is
a variable whose name starts with `w`.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from types import SimpleNamespace
from typing import Any


class Letter(Enum):
    """An enumerated colour."""

    A = "a"
    B = "b"


Pair = namedtuple("Pair", "n f")  # noqa: PYI024 - plays the part of a record


def number(value: Any) -> int:
    """Any token as a number from 0 to 2: a function of the user's that inscriptions call."""
    if isinstance(value, Enum):
        return 2 if value is Letter.B else 1
    if isinstance(value, tuple):
        return sum(map(number, value)) % 3
    return len(value) % 3 if isinstance(value, str) else int(value) % 3


@dataclass(frozen=True)
class Kind:
    """A finite colour: how it is written, all its tokens, and the names of variables of this colour."""

    name: str
    declaration: str
    tokens: tuple[Hashable, ...]
    variables: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return self.name


UNIT = Kind("Unit", "None", ((),))
BIT = Kind("Bit", "range(2)", (0, 1), ("i", "j"))
NUMBER = Kind("Number", "range(3)", (0, 1, 2), ("n", "k"))
LETTER = Kind("Letter", "Letter", tuple(Letter), ("a", "b"))
FLAG = Kind("Flag", "bool", (False, True), ("f", "g"))
WORD = Kind("Word", "{'x', 'yy'}", ("x", "yy"), ("s", "t"))
EVEN = Kind("Even", "colours.subset(range(4), lambda x: x % 2 == 0)", (0, 2), ("e",))
PRODUCT = Kind("Product", "(Number, Letter)", tuple(product(range(3), Letter)), ("p", "q"))
RECORD = Kind(
    "Pair", "colours.record('Pair', n=Bit, f=Flag)", tuple(Pair(*row) for row in product((0, 1), (False, True))), ("r",)
)
UNION = Kind(
    "Message", "colours.union('Message', data=Bit, stop=None)", (("data", 0), ("data", 1), ("stop", ())), ("m",)
)
LIST = Kind("Row", "colours.lists(Bit, 2)", ((), *((x,) for x in (0, 1)), *product((0, 1), repeat=2)), ("row", "tail"))
KINDS = (UNIT, BIT, NUMBER, LETTER, FLAG, WORD, EVEN, PRODUCT, RECORD, UNION, LIST)

# What inscriptions may name beside variables, for those who evaluate them without a net.
CONSTANTS: dict[str, Any] = {
    "Letter": Letter,
    "Pair": Pair,
    "Message": SimpleNamespace(data=lambda value: ("data", value), stop=("stop", ())),
    "number": number,
    "two": 2,
}


@dataclass(frozen=True)
class Term:
    """A number of equal tokens: both are expressions, as is the delay."""

    token: str
    count: str = "1"
    delay: str | None = None


@dataclass(frozen=True)
class Either:
    """One of two multisets."""

    condition: str
    then: tuple[Term, ...]
    otherwise: tuple[Term, ...]


@dataclass(frozen=True)
class ArcSketch:
    """What a transition does with a place. Without terms an inhibitor arc forbids any token; a reset arc has none."""

    kind: str
    place: str
    terms: tuple[Term | Either, ...] | None = None
    delay: str | None = None
    style: str = "sum"  # how the terms are written: sum, dict, function

    def expressions(self) -> Iterator[str]:
        """All expressions on the arc."""
        for term in self.terms or ():
            if isinstance(term, Either):
                yield term.condition
            for one in (term,) if isinstance(term, Term) else (*term.then, *term.otherwise):
                yield from (one.token, one.count)
                yield from () if one.delay is None else (one.delay,)
        yield from () if self.delay is None else (self.delay,)

    def written(self, variables: frozenset[str]) -> str:
        """The arc as source text; `variables` are all that a function may need."""
        if self.terms is None:
            return f"{self.place}.{self.kind}()"
        if self.style == "function":
            used = sorted(variables & names(" ".join(self.expressions())))
            inscription = f"lambda {', '.join(used)}: Bag({_listed(self.terms)})"
        else:
            inscription = repr(_inscription(self.terms, self.style))
        delay = "" if self.delay is None else f", delay={self.delay!r}"
        return f"{self.place}.{self.kind}({inscription}{delay})"


def names(text: str) -> frozenset[str]:
    """All names in an expression: words that are no field, no text and no keyword of a call."""
    return frozenset(re.findall(r"(?<![.'\w])[a-z]\w*\b(?!=[^=])", text))


def _inscription(terms: tuple[Term | Either, ...], style: str) -> str:
    plain = all(isinstance(term, Term) and term.delay is None for term in terms)
    if not terms or (style == "dict" and plain):
        return "{" + ", ".join(f"{_open(one.token)}: {one.count}" for one in terms if isinstance(one, Term)) + "}"
    return " ++ ".join(_term(term, len(terms) > 1) for term in terms)


def _term(term: Term | Either, among_others: bool) -> str:
    if isinstance(term, Either):
        text = f"{_inscription(term.then, 'sum')} if {term.condition} else {_inscription(term.otherwise, 'sum')}"
        return f"({text})" if among_others else text
    token = _open(term.token)
    if term.count == "1":
        text = token if re.fullmatch(r"[\w.]+|\(.*\)", token) else f"({token})"
    elif term.count.isdigit():
        text = f"{term.count}*({token})"
    else:
        text = f"{{{token}: {term.count}}}"
        text = f"({text})" if among_others or term.delay else text
    return text if term.delay is None else f"{text} @+ ({term.delay})"


def _open(token: str) -> str:
    return re.sub(r"\bw\d+\b", "_", token)


def _listed(terms: tuple[Term | Either, ...]) -> str:
    """The terms as an expression whose value is a list of tokens."""
    parts = [
        f"[{one.token}] * ({one.count})"
        if isinstance(one, Term)
        else f"({_listed(one.then)} if {one.condition} else {_listed(one.otherwise)})"
        for one in terms
    ]
    return " + ".join(parts) or "[]"


@dataclass(frozen=True)
class TransitionSketch:
    """A transition. `variables` are all that take part in a binding; `let` names follow from them."""

    name: str
    arcs: tuple[ArcSketch, ...]
    variables: dict[str, Kind]
    guard: tuple[str, ...] = ()
    let: dict[str, str] = field(default_factory=dict)
    free: dict[str, Kind] = field(default_factory=dict)
    delay: str | None = None
    guard_style: str = "and"

    def written(self) -> str:
        """The declaration as source text."""
        known = frozenset((*self.variables, *self.let))
        parts = [repr(self.name), *(arc.written(known) for arc in self.arcs)]
        if self.guard:
            parts.append(f"guard={self._guard(known)}")
        if self.let:
            parts.append(f"let={self.let!r}")
        if self.free:
            parts.append("free={" + ", ".join(f"{name!r}: {kind.name}" for name, kind in self.free.items()) + "}")
        if self.delay is not None:
            parts.append(f"delay={self.delay!r}")
        return f"net.transition({', '.join(parts)})"

    def _guard(self, known: frozenset[str]) -> str:
        together = " and ".join(f"({one})" for one in self.guard)
        if self.guard_style == "function":
            return f"lambda {', '.join(sorted(known & names(together)))}: {together}"
        return repr(list(self.guard)) if self.guard_style == "list" else repr(together)


@dataclass(frozen=True)
class PlaceSketch:
    """A place; the tokens of timed places are written with their stamps."""

    name: str
    kind: Kind
    timed: bool = False
    initial: tuple[tuple[Hashable, int], ...] = ()  # token and stamp
    capacity: int | None = None
    port: str | None = None
    fusion: str | None = None

    def written(self) -> str:
        """The declaration as source text."""
        colour = f"colours.timed({self.kind.name})" if self.timed else self.kind.name
        tokens = [written_token(self.kind, token) for token, _ in self.initial]
        if self.timed:
            pairs = zip(self.initial, tokens, strict=True)
            tokens = [text if stamp == 0 else f"at({stamp}, {text})" for (_, stamp), text in pairs]
        parts = [repr(self.name), colour, *([f"[{', '.join(tokens)}]"] if tokens else [])]
        for option in ("capacity", "port", "fusion"):
            given = getattr(self, option)
            parts += [] if given is None else [f"{option}={given!r}"]
        return f"{self.name} = net.place({', '.join(parts)})"


def written_token(kind: Kind, token: Any) -> str:
    """A token as an expression."""
    if kind is UNION:
        return f"Message.data({token[1]})" if token[0] == "data" else "Message.stop"
    if kind is PRODUCT:
        return f"({token[0]}, {token[1]})"
    return str(token) if isinstance(token, Enum | Pair) else repr(token)


@dataclass(frozen=True)
class Use:
    """A substitution transition: a module, and the place that each of its ports is."""

    name: str
    module: str
    sockets: dict[str, str]


@dataclass(frozen=True)
class NetSketch:
    """A net: places, transitions, and modules by name. Modules come before the nets that use them."""

    name: str
    places: tuple[PlaceSketch, ...]
    transitions: tuple[TransitionSketch, ...]
    uses: tuple[Use, ...] = ()
    modules: tuple[NetSketch, ...] = ()

    def module(self, name: str) -> NetSketch:
        """The module of this name."""
        return next(one for one in self.modules if one.name == name)

    def written(self) -> str:
        """Python source that declares the net and all its modules; afterwards `net` is this one."""
        kinds = [f"{kind.name} = {kind.declaration}" for kind in KINDS if kind.name != kind.declaration]
        nets = [one for part in (*self.modules, self) for one in part._lines()]
        return "\n".join([*kinds, *nets]) + "\n"

    def _lines(self) -> list[str]:
        constants = "Letter=Letter, Pair=Pair, Message=Message, number=number, two=2"
        lines = ["", f"net = {self.name} = Net({self.name!r}, {constants})"]
        lines += [place.written() for place in self.places]
        lines += [transition.written() for transition in self.transitions]
        for use in self.uses:
            sockets = "".join(f", {port}={socket}" for port, socket in use.sockets.items())
            lines.append(f"net.substitution({use.name!r}, {use.module}{sockets})")
        return lines
