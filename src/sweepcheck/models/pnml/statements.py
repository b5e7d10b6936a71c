"""Statements of formula files about one state: comparisons of token counts, what is fireable, and deadlock.

They are formulas that engines can look inside, but for products of token counts. In a coloured net a place is the sum
of its tokens, and a transition any binding of it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.counting import TokenNumber
from sweepcheck.core.formula import All, AtLeast, Not, Some

Number = Callable[[Any], int]
Truth = Callable[[Any], object]

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "integer-le": operator.le, "integer-lt": operator.lt, "integer-ge": operator.ge, "integer-gt": operator.gt,
    "integer-eq": operator.eq, "integer-ne": operator.ne,
}  # fmt: skip
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "integer-sum": operator.add, "integer-product": operator.mul, "integer-difference": operator.sub,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Computed:
    """A product of token counts, or what is made of one."""

    function: Callable[[int, int], int]
    parts: tuple[Number, ...]

    def __call__(self, s: Any) -> int:
        total = self.parts[0](s)
        for part in self.parts[1:]:
            total = self.function(total, part(s))
        return total


@dataclass(frozen=True, slots=True)
class Compared:
    """Two numbers compared, one of which is a product."""

    function: Callable[[int, int], bool]
    left: Number
    right: Number

    def __call__(self, s: Any) -> bool:
        return self.function(self.left(s), self.right(s))


def computed(tag: str, parts: tuple[Number, ...]) -> Number:
    """A sum, product or difference: of token counts a sum of these, if nothing but numbers is multiplied."""
    total = parts[0]
    for part in parts[1:]:
        combined = _combined(tag, total, part)
        if combined is None:
            return Computed(ARITHMETIC[tag], parts)
        total = combined
    return total


def _combined(tag: str, left: Number, right: Number) -> TokenNumber | None:
    if not isinstance(left, TokenNumber) or not isinstance(right, TokenNumber):
        return None
    if tag == "integer-product":
        if right.terms:
            left, right = right, left
        return None if right.terms else left * right.constant
    return left + (right if tag == "integer-sum" else right * -1)


def compared(tag: str, left: Number, right: Number) -> Truth:
    """A comparison of two numbers."""
    if not isinstance(left, TokenNumber) or not isinstance(right, TokenNumber):
        return Compared(COMPARISONS[tag], left, right)
    more, less = left + right * -1, right + left * -1
    match tag:
        case "integer-le":
            return AtLeast(less, 0)
        case "integer-lt":
            return AtLeast(less, 1)
        case "integer-ge":
            return AtLeast(more, 0)
        case "integer-gt":
            return AtLeast(more, 1)
        case _:
            equal = All((AtLeast(more, 0), AtLeast(less, 0)))
            return equal if tag == "integer-eq" else Not(equal)


def equivalent(left: Any, right: Any) -> Truth:
    """Both statements, or neither."""
    return Some((All((left, right)), Not(Some((left, right)))))
