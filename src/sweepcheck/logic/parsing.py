"""From the text of a formula to its tree. The grammar is in formula.lark; errors point at the place."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, v_args
from lark.exceptions import UnexpectedEOF, UnexpectedInput, UnexpectedToken
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive

from sweepcheck.core.temporal import About, Op, Place, Temporal, check_size, proposition
from sweepcheck.errors import ModelError, caller

LONGEST = 100_000  # characters
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
    "(": "names have no arguments: {f(s.x)} is an expression, and last(action) is about a step",
    '"': "names stand by themselves; texts belong inside braces: {s.x == 'a'}",
}
_OPENING = {")": "(", "]": "["}
_LATER = "operators: G F X U W R M, E and A, ! & | -> <->; {expression}; last(action)"


def parse(text: str) -> Temporal:
    """The formula that a text means."""
    if len(text) > LONGEST:
        raise ModelError(
            "SC235",
            f"a formula of {len(text):,} characters is too long",
            where=caller(),
            suggestion=f"at most {LONGEST:,} are read",
        )
    try:
        tree: Temporal = _Build(text).transform(_parser().parse(text))
    except UnexpectedInput as error:
        raise _explained(error, text) from None
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
    return Lark(grammar, parser="lalr", propagate_positions=True)


def _explained(error: UnexpectedInput, text: str) -> ModelError:
    at_end = isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END")
    place = len(text) if at_end else error.pos_in_stream or 0
    found = str(error.token) if isinstance(error, UnexpectedToken) else text[place : place + 1]
    what = f"{'the end' if at_end else repr(found)} was not expected here"
    opened = _opened(text[:place])
    if at_end and opened and isinstance(error, UnexpectedToken) and error.expected & {"RPAR", "RSQB"}:
        place = opened[-1]
        what = f"{text[place]!r} is never closed"
    elif found in _OPENING and _OPENING[found] not in (text[one] for one in opened[-1:]):
        what = f"{found!r} closes nothing" if not opened else f"{found!r} cannot close {text[opened[-1]]!r}"
    return ModelError(
        "SC235",
        what,
        where=caller(),
        values=[Place(text, place).shown()],
        suggestion=_ADVICE.get(text[place : place + 1], _LATER) if not at_end else _LATER,
    )


def _opened(text: str) -> list[int]:
    """The places of parentheses that are still open where a text ends; what stands in braces has its own."""
    found: list[int] = []
    for one in re.finditer(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|[\[\]()]", text):
        if one[0] in _OPENING.values():
            found.append(one.start())
        elif one[0] in _OPENING and found:
            found.pop()
    return found


@v_args(inline=True, meta=True)
class _Build(Transformer_NonRecursive[Token, Temporal]):
    """Builds the tree, without recursion: how deep it may be is said afterwards. `[]` is an operator, and a pair."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def _proposition(self, about: About, token: Token, text: str) -> Temporal:
        return proposition(about, text, place=Place(self.text, token.start_pos or 0))

    def name(self, _: Meta, token: Token) -> Temporal:
        return self._proposition(About.NAME, token, str(token))

    def expression(self, _: Meta, token: Token) -> Temporal:
        return self._proposition(About.EXPRESSION, token, token[1:-1].replace("\n", " ").strip())

    def last(self, _: Meta, token: Token) -> Temporal:
        return self._proposition(About.LAST, token, token.partition("(")[2][:-1].strip())

    def between(self, _: Meta, left: Temporal, token: Token, right: Temporal) -> Temporal:
        return Temporal(Op(token), (left, right), place=Place(self.text, token.start_pos or 0))

    def several(self, _: Meta, token: Token, part: Temporal) -> Temporal:
        for number, sign in reversed(list(enumerate(token, token.start_pos or 0))):
            part = Temporal(Op(sign), (part,), place=Place(self.text, number))
        return part


def _node(op: Op) -> Any:
    return lambda self, meta, *parts: Temporal(op, parts, place=Place(self.text, getattr(meta, "start_pos", 0)))


for _name, _op in {
    "true": Op.TRUE,
    "false": Op.FALSE,
    "iff": Op.IFF,
    "implies": Op.IMPLIES,
    "either": Op.OR,
    "both": Op.AND,
    "negation": Op.NOT,
    "next": Op.NEXT,
    "eventually": Op.EVENTUALLY,
    "always": Op.ALWAYS,
    "some_run": Op.SOME_RUN,
    "every_run": Op.EVERY_RUN,
}.items():
    setattr(_Build, _name, v_args(inline=True, meta=True)(_node(_op)))
