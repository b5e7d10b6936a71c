"""Progress measures: a function from states to progress values, and the order on these values (paper 0, def. 1)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from sweepcheck.core.declaration import check_flag, check_function, check_name
from sweepcheck.errors import ModelError, caller, public, shown


@dataclass(frozen=True, slots=True)
class Order:
    """An order on progress values.

    `rank`, where given, is a key whose natural order extends `leq` to a total one: it lets a queue find a minimal
    value without comparing all pairs. `admits` says whether a value belongs to the order at all.
    """

    name: str
    total: bool
    leq: Callable[[Any, Any], bool]
    rank: Callable[[Any], Any] | None
    admits: Callable[[Any], bool]


def _ordered_by_python(value: object) -> bool:
    """Only values that Python orders totally: a set compares with `<=` too, but two sets need not be comparable."""
    if isinstance(value, tuple):
        return all(map(_ordered_by_python, value))
    if isinstance(value, Real):
        return value == value  # noqa: PLR0124 - not-a-number is comparable with nothing
    return isinstance(value, str | bytes)


LEXICOGRAPHIC = Order("total", True, operator.le, lambda value: value, _ordered_by_python)


def product_order(orders: Sequence[Order]) -> Order:
    """The order of tuples that compares part by part (paper 2, definition 4).

    Where all parts have a rank, the lexicographic order of the ranks extends it: its least value is a minimal one.
    """
    leqs = tuple(order.leq for order in orders)
    ranks = tuple(order.rank for order in orders)

    def leq(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
        return all(below(a, b) for below, a, b in zip(leqs, one, other, strict=True))

    def rank(value: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(key(part) for key, part in zip(ranks, value, strict=True) if key is not None)

    def admits(value: Any) -> bool:
        return len(value) == len(orders) and all(o.admits(part) for o, part in zip(orders, value, strict=True))

    return Order("product", False, leq, None if None in ranks else rank, admits)


@dataclass(frozen=True, slots=True)
class Measure:
    """A progress measure. `span`, the first and last value where known, turns progress into a percentage.

    `monotone` claims that no edge lowers it. A product has `parts`, and its values are tuples of theirs.
    """

    function: Callable[[Any], Any]
    order: Order = LEXICOGRAPHIC
    name: str = "progress"
    span: tuple[Any, Any] | None = None
    monotone: bool = False
    parts: tuple[Measure, ...] = ()

    @public
    def __post_init__(self) -> None:
        parts: object = self.parts
        fits = isinstance(parts, tuple) and all(isinstance(one, Measure) for one in parts)
        if not fits or not isinstance(self.order, Order):
            raise ModelError(
                "SC117",
                f"a measure has an order and a tuple of measures, not {shown(self.order)} and {shown(parts)}",
                where=caller(),
                suggestion="use progress(...), partial_order(...) or product(...)",
            )
        check_function(self.function, "the progress measure")
        check_name(self.name, "a progress measure")
        check_flag(self.monotone, "monotone", "SC117")
        if self.span is not None and not (isinstance(self.span, tuple) and len(self.span) == 2):
            raise ModelError(
                "SC117",
                f"the span of the progress measure is {shown(self.span)}",
                where=caller(),
                suggestion="give the first and the last progress value: span=(0, 10)",
            )

    @property
    def components(self) -> tuple[Measure, ...]:
        """What `parts` was called."""
        return self.parts

    def fraction(self, value: Any) -> float | None:
        """How far along the span a value lies, between 0 and 1; None when that is not known."""
        if self.span is None:
            return None
        first, last = (bound if isinstance(bound, tuple) else (bound,) for bound in self.span)
        parts = value if isinstance(value, tuple) else (value,)
        result, share = 0.0, 1.0
        for low, part, high in zip(first, parts, last, strict=False):
            if not all(isinstance(number, Real) for number in (low, part, high)):
                return None
            share /= float(high - low) + 1.0
            result += float(part - low) * share
        return min(1.0, max(0.0, result))
