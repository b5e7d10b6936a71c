"""Products of totally ordered measures, compared component by component (paper 2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sweepcheck.core.declaration import check_function
from sweepcheck.core.measure import LEXICOGRAPHIC, Measure, Order


def _leq(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def product(*functions: Callable[[Any], Any], name: str = "progress") -> Measure:
    """A measure that is below another when every component is: processes that progress independently."""
    for position, function in enumerate(functions, start=1):
        check_function(function, f"component {position} of the progress measure")
    # The lexicographic order extends the componentwise one, so its least value is always a minimal one.
    order = Order("product", False, _leq, lambda value: value, LEXICOGRAPHIC.admits)
    return Measure(lambda s: tuple(function(s) for function in functions), order, name)
