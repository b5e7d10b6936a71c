"""Declarations of colour sets, as `building` makes them: the kind, and what the kind needs."""

from __future__ import annotations

from typing import Any

from lark import Token

from sweepcheck.models.cpn.ml import syntax
from sweepcheck.models.cpn.ml.source import Text
from sweepcheck.models.cpn.ml.syntax import Expr


class ColsetBuilder:
    """The rules for colour sets."""

    source: Text

    def colour(self, at: int, name: Token, colset: Any, timed: Token | None, *declared: Token | None) -> Any:
        kind, *parts = colset
        words = tuple(str(word) for word in declared if word is not None)
        return syntax.Colset(at, str(name), kind, tuple(parts), timed is not None, words)

    def unit_colours(self, at: int, name: Token | None) -> Any:  # noqa: ARG002
        return "unit", None if name is None else str(name)

    def bool_colours(self, at: int, *names: Token | None) -> Any:  # noqa: ARG002
        return ("bool", *(str(name) for name in names if name is not None))

    def number_colours(self, at: int, kind: Token, limits: Any) -> Any:  # noqa: ARG002
        return kind.type.lower().rstrip("_"), limits

    def string_colours(self, at: int, *limits: Any) -> Any:  # noqa: ARG002
        return ("string", *(one for one in limits if one is not None))

    def enum_colours(self, at: int, *names: Token) -> Any:  # noqa: ARG002
        return ("enum", *map(str, names))

    def index_colours(self, at: int, name: Token, limits: Any) -> Any:  # noqa: ARG002
        return "index", str(name), limits

    def product_colours(self, at: int, *names: Token) -> Any:  # noqa: ARG002
        return ("product", *map(str, names))

    def record_colours(self, at: int, *names: Token) -> Any:  # noqa: ARG002
        return ("record", *zip(map(str, names[::2]), map(str, names[1::2]), strict=True))

    def list_colours(self, at: int, name: Token, limits: Any) -> Any:  # noqa: ARG002
        return "list", str(name), limits

    def union_colours(self, at: int, *parts: Any) -> Any:
        alternatives, signs = parts[::2], parts[1::2]
        if any(str(sign) != "+" for sign in signs):
            raise self.source.error("SC140", "the alternatives of a union are separated by +", at)
        return ("union", *alternatives)

    def alternative(self, at: int, name: Token, colour: Token | None) -> Any:  # noqa: ARG002
        return str(name), None if colour is None else str(colour)

    def subset_by(self, at: int, name: Token, predicate: Expr) -> Any:  # noqa: ARG002
        return "subset by", str(name), predicate

    def subset_with(self, at: int, name: Token, values: Expr) -> Any:  # noqa: ARG002
        return "subset with", str(name), values

    def alias_colours(self, at: int, name: Token) -> Any:  # noqa: ARG002
        return "alias", str(name)

    def limits(self, at: int, first: Expr, last: Expr | None) -> Any:  # noqa: ARG002
        return first, last
