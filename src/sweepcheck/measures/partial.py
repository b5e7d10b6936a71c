"""Partially ordered progress: any hashable values with an order of the user's."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from sweepcheck.core.measure import Measure, Order


def partial_order(
    function: Callable[[Any], Any],
    leq: Callable[[Any, Any], bool] = operator.le,
    *,
    name: str = "progress",
    monotone: bool = False,
) -> Measure:
    """A measure with values ordered by `leq`, which must be reflexive, transitive and antisymmetric.

    The default suits frozensets: one set is below another when it is contained in it. `monotone` claims that no
    step lowers it; a column sweep relies on that and checks it.
    """
    return Measure(function, Order("partial", False, leq, None, lambda _: True), name, monotone=monotone)
