"""Totally ordered progress: numbers, text, and tuples of these compared lexicographically."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sweepcheck.core.measure import LEXICOGRAPHIC, Measure


def progress(
    function: Callable[[Any], Any],
    *,
    span: tuple[Any, Any] | None = None,
    name: str = "progress",
    monotone: bool = False,
) -> Measure:
    """A measure whose values are numbers, text, or tuples of these, compared lexicographically.

    `span`, the first and the last value, lets a run say how far it is. `monotone` claims that no step lowers it; a
    column sweep relies on that and checks it.
    """
    return Measure(function, LEXICOGRAPHIC, name, span, monotone)
