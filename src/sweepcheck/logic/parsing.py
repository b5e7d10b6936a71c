"""From the text of a formula to its tree. The grammar is in formula.lark; errors point at the place."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedEOF, UnexpectedInput, UnexpectedToken, VisitError

from sweepcheck.core.temporal import FALSE as NEVER
from sweepcheck.core.temporal import TRUE as EVER
from sweepcheck.core.temporal import About, Op, Temporal, check_size, proposition
from sweepcheck.errors import ModelError, clip

LONGEST = 100_000  # characters
SHOWN = 60  # characters of a long formula to either side of the place
_ADVICE = {
    "=": "compare inside braces: {s.x == 3}",
    "<": "compare inside braces: {s.x < 3}; <> is F",
    ">": "compare inside braces: {s.x > 3}; implies is ->",
    "{": "an expression ends with }, and may hold one more pair of braces",
    "}": "an expression begins with {",
    "*": "compute inside braces: {s.x * 2 == s.y}",
    "+": "compute inside braces: {s.x + s.y == 2}",
    "-": "implies is ->; compute inside braces: {s.x - s.y == 2}",
    "^": "exclusive or is !(p <-> q)",
}
_LATER = "operators: G F X U W R M, E and A, ! & | -> <->; {expression}; last(action)"


def parse(text: str) -> Temporal:
    """The formula that a text means."""
    if len(text) > LONGEST:
        raise ModelError(
            "SC235", f"a formula of {len(text):,} characters is too long", suggestion=f"at most {LONGEST:,} are read"
        )
    try:
        tree: Temporal = _Build().transform(_parser().parse(text))
    except UnexpectedInput as error:
        raise _explained(error, text) from None
    except (RecursionError, VisitError) as error:
        if isinstance(error, VisitError) and not isinstance(error.orig_exc, RecursionError):
            raise
        raise ModelError(
            "SC235", f"{clip(text, 100)!r} is nested too deeply", suggestion="ask for its parts one by one"
        ) from None
    check_size(tree)
    return tree


def is_name(text: str) -> bool:
    """Whether formulas can speak of something by this name."""
    try:
        return parse(text) == proposition(About.NAME, text)
    except ModelError:
        return False


@lru_cache
def _parser() -> Lark:
    grammar = files(__package__).joinpath("formula.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr")


def _explained(error: UnexpectedInput, text: str) -> ModelError:
    if isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        place, found = len(text), "the end"
    else:
        place = error.pos_in_stream or 0
        found = repr(str(error.token) if isinstance(error, UnexpectedToken) else text[place])
    return ModelError(
        "SC235",
        f"{found} was not expected here",
        values=pointed_at(text, place),
        suggestion=_ADVICE.get(text[place : place + 1], _LATER),
    )


def pointed_at(text: str, place: int) -> list[tuple[str, str]]:
    """A text with a caret under one of its characters; of a long one, what is around it."""
    line = " ".join(text.replace("\t", " ").split("\n"))
    start = max(0, place - SHOWN) if len(line) > 2 * SHOWN else 0
    shown = line[start : start + 2 * SHOWN]
    return [("formula", f"{shown}\n{' ' * (place - start)}^")]


@v_args(inline=True)
class _Build(Transformer[Token, Temporal]):
    def true(self) -> Temporal:
        return EVER

    def false(self) -> Temporal:
        return NEVER

    def name(self, token: Token) -> Temporal:
        return proposition(About.NAME, str(token))

    def expression(self, token: Token) -> Temporal:
        return proposition(About.EXPRESSION, str(token)[1:-1].strip())

    def last(self, token: Token) -> Temporal:
        return proposition(About.LAST, str(token).partition("(")[2][:-1].strip())

    def both_at_once(self, token: Token, part: Temporal) -> Temporal:
        return Temporal(Op(token[0]), (Temporal(Op(token[1]), (part,)),))

    def several(self, token: Token, part: Temporal) -> Temporal:
        for sign in reversed(token):
            part = Temporal(Op(sign), (part,))
        return part


def _node(op: Op) -> Any:
    return lambda _, *parts: Temporal(op, parts)


for _name, _op in {
    "iff": Op.IFF,
    "implies": Op.IMPLIES,
    "either": Op.OR,
    "both": Op.AND,
    "until": Op.UNTIL,
    "weak_until": Op.WEAK_UNTIL,
    "release": Op.RELEASE,
    "strong_release": Op.STRONG_RELEASE,
    "negation": Op.NOT,
    "next": Op.NEXT,
    "eventually": Op.EVENTUALLY,
    "always": Op.ALWAYS,
    "some_run": Op.SOME_RUN,
    "every_run": Op.EVERY_RUN,
}.items():
    setattr(_Build, _name, v_args(inline=True)(_node(_op)))
