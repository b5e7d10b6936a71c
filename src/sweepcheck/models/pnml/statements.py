"""Statements of formula files about one state: comparisons of token counts, what is fireable, and deadlock.

They are predicates of a state. In a coloured net a place is the sum of its tokens, and a transition any binding of it.
Objects, not functions within functions: formulas are as deep as their authors like.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "integer-le": operator.le, "integer-lt": operator.lt, "integer-ge": operator.ge, "integer-gt": operator.gt,
    "integer-eq": operator.eq, "integer-ne": operator.ne,
}  # fmt: skip
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "integer-sum": operator.add, "integer-product": operator.mul, "integer-difference": operator.sub,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is written there."""

    number: int

    def __call__(self, _: Any) -> int:
        return self.number


@dataclass(frozen=True, slots=True)
class TokenCount:
    """How many tokens some places hold together."""

    places: tuple[str, ...]

    def __call__(self, s: Any) -> int:
        total = 0
        for place in self.places:
            total += len(s[place])
        return total


@dataclass(frozen=True, slots=True)
class Computed:
    """A sum, product or difference."""

    function: Callable[[int, int], int]
    parts: tuple[Callable[[Any], int], ...]

    def __call__(self, s: Any) -> int:
        total = self.parts[0](s)
        for part in self.parts[1:]:
            total = self.function(total, part(s))
        return total


@dataclass(frozen=True, slots=True)
class Compared:
    """Two numbers compared."""

    function: Callable[[int, int], bool]
    left: Callable[[Any], int]
    right: Callable[[Any], int]

    def __call__(self, s: Any) -> bool:
        return self.function(self.left(s), self.right(s))


@dataclass(frozen=True, slots=True)
class Every:
    """All of the statements; of none, that is true."""

    parts: tuple[Callable[[Any], object], ...]

    def __call__(self, s: Any) -> bool:
        for part in self.parts:  # noqa: SIM110 - a generator would be another frame for each level
            if not part(s):
                return False
        return True


@dataclass(frozen=True, slots=True)
class AtLeastOne:
    """At least one of the statements; of none, that is false."""

    parts: tuple[Callable[[Any], object], ...]

    def __call__(self, s: Any) -> bool:
        for part in self.parts:  # noqa: SIM110
            if part(s):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Opposite:
    """Not the statement."""

    part: Callable[[Any], object]

    def __call__(self, s: Any) -> bool:
        return not self.part(s)


@dataclass(frozen=True, slots=True)
class Equivalent:
    """Both statements, or neither."""

    left: Callable[[Any], object]
    right: Callable[[Any], object]

    def __call__(self, s: Any) -> bool:
        return bool(self.left(s)) is bool(self.right(s))


Statement = Every | AtLeastOne | Opposite | Equivalent | Compared
