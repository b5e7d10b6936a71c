"""From words to syntax trees. The grammar is in ml.lark; operators are put in order here, by their precedence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.lexer import Lexer

from sweepcheck.errors import ModelError
from sweepcheck.models.cpn.ml import syntax
from sweepcheck.models.cpn.ml.building import Builder
from sweepcheck.models.cpn.ml.lexing import words
from sweepcheck.models.cpn.ml.precedence import Fixities
from sweepcheck.models.cpn.ml.source import Text

# Operators: how strongly they bind, and whether from the right.
FIXITIES: dict[str, tuple[int, bool]] = {
    **dict.fromkeys(("*", "/", "div", "mod"), (7, False)),
    **dict.fromkeys(("+", "-", "^"), (6, False)),
    **dict.fromkeys(("::", "^^"), (5, True)),
    **dict.fromkeys(("=", "<>", "<", ">", "<=", ">="), (4, False)),
    **dict.fromkeys((":=", "o"), (3, False)),
    "before": (0, False),
    # those of CPN Tools
    "@": (9, False),
    "`": (8, False),
    **dict.fromkeys(("@+", "@++", "@@", "**", "//", "%"), (7, False)),
    **dict.fromkeys(("++", "--", "+++", "---"), (6, False)),
    **dict.fromkeys(("==", "<><>", "!=", "<<", ">>", "<<=", ">>=", "<<==", ">>=="), (3, False)),
}
DELAYS = ("@+", "@++", "@@")
MOST_DEEP = 1000  # nodes within nodes
STARTS = ("declarations", "exp", "guard", "code", "type")
_SPOKEN = {
    "EQUALS": "=", "DARROW": "=>", "ARROW": "->", "BAR": "|", "COLON": ":", "STAR": "*", "LPAR": "(", "RPAR": ")",
    "LSQB": "[", "RSQB": "]", "LBRACE": "{", "RBRACE": "}", "COMMA": ",", "SEMI": ";", "DOTS": "...", "DOTDOT": "..",
    "WILD": "_", "ID": "a name", "SYMBOL": "an operator", "INT": "a number", "HEX": "a number", "REAL": "a number",
    "STRING": "a text", "CHAR": "a character", "SELECT": "#label", "TYVAR": "a type variable", "$END": "the end",
}  # fmt: skip
_ADVICE = {
    "&&": "write andalso", "||": "write orelse", "&": "write andalso",
    "else": "if needs then and else", "-": "a negative number is ~1",
}  # fmt: skip


class _Words(Lexer):
    """Hands the words on as they are."""

    def __init__(self, lexer_conf: Any) -> None:
        del lexer_conf

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]
        yield from data


@lru_cache
def _parser() -> Lark:
    grammar = files(__package__).joinpath("ml.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=_Words, start=list(STARTS), propagate_positions=True)


class Parser:
    """Reads texts of one document, whose declarations may bring operators of their own."""

    def __init__(self) -> None:
        self.fixities = dict(FIXITIES)

    def declarations(self, source: Text) -> tuple[syntax.Declaration, ...]:
        """A block of declarations."""
        found: tuple[syntax.Declaration, ...] = self._read("declarations", source)
        return found

    def expression(self, source: Text, *, weak_times: bool = False) -> syntax.Expr:
        """One expression; with `weak_times`, delays belong to all that stands before them."""
        fixities = {**self.fixities, **dict.fromkeys(DELAYS, (-1, False))} if weak_times else self.fixities
        found: syntax.Expr = self._read("exp", source, fixities)
        return found

    def guard(self, source: Text) -> tuple[syntax.Expr, ...]:
        """The conditions of a guard."""
        found: tuple[syntax.Expr, ...] = self._read("guard", source)
        return found

    def code(self, source: Text) -> syntax.CodeSegment:
        """A code segment."""
        found: syntax.CodeSegment = self._read("code", source)
        return found

    def type(self, source: Text) -> syntax.TypeNode:
        """A type."""
        found: syntax.TypeNode = self._read("type", source)
        return found

    def _read(self, start: str, source: Text, fixities: Fixities | None = None) -> Any:
        tokens = list(words(source, code=start == "code"))
        try:
            tree: Tree[Any] = _parser().parse(tokens, start)
        except UnexpectedInput as error:
            raise _explained(error, source) from None
        found = _built(tree, Builder(self.fixities if fixities is None else fixities, source))
        _check_depth(found, source)
        return found


def _built(tree: Tree[Any], builder: Builder) -> Any:
    """The node of a tree, from its leaves up: a stack instead of recursion, so that no text is too deep."""
    done: list[Any] = []
    waiting: list[tuple[Any, bool]] = [(tree, False)]
    while waiting:
        node, ready = waiting.pop()
        if not isinstance(node, Tree):
            done.append(node)
        elif not ready:
            waiting.append((node, True))
            waiting += [(child, False) for child in reversed(node.children)]
        else:
            size = len(node.children)
            parts = done[len(done) - size :]
            del done[len(done) - size :]
            build: Callable[..., Any] = getattr(builder, str(node.data))
            done.append(build(getattr(node.meta, "start_pos", 0), *parts))
    return done[0]


def _check_depth(found: Any, source: Text) -> None:
    """Refuse trees that are deeper than anybody writes: all that follows goes down into them."""
    parts = (
        found if isinstance(found, tuple) else (found.action,) if isinstance(found, syntax.CodeSegment) else (found,)
    )
    level: list[syntax.Node] = [part for part in parts if part is not None]
    for _ in range(MOST_DEEP):
        level = [inner for node in level for inner in syntax.inside(node)]
        if not level:
            return
    raise source.error("SC140", "the text is nested too deeply", level[0].at, "give parts of it names of their own")


def _explained(error: UnexpectedInput, source: Text) -> ModelError:
    token = error.token if isinstance(error, UnexpectedToken) else None
    names: set[str] = getattr(error, "accepts", None) or getattr(error, "expected", None) or set()
    expected = sorted(map(_spoken, names))
    few = f"expected: {', '.join(expected)}" if len(expected) <= 4 else None
    if token is None or token.type == "$END":
        return source.error("SC140", "the text ends too early", len(source.text.rstrip()), few)
    advice = _ADVICE.get(str(token), few)
    return source.error("SC140", f"{str(token)!r} was not expected here", token.start_pos or 0, advice)


def _spoken(terminal: str) -> str:
    return _SPOKEN.get(terminal.strip("_"), terminal.lower().strip("_"))
