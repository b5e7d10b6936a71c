"""Products of measures, compared part by part, and the columns they make (paper 2, sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sweepcheck.core.declaration import check_function
from sweepcheck.core.measure import Measure, Order, product_order
from sweepcheck.errors import public


@public
def product(*parts: Measure | Callable[[Any], Any], name: str = "progress") -> Measure:
    """A measure that is below another when every part is: processes that progress independently.

    A part is a function of the state, or a measure. Parts that no step lowers are declared as such,
    `progress(..., monotone=True)`: a column sweep (strategy "column") sweeps along these and, for each combination of
    their values, over the others. Among minimal values the lexicographically least is explored first.
    """
    for position, one in enumerate(parts, start=1):
        if not isinstance(one, Measure):
            check_function(one, f"part {position} of the progress measure")
    measures = tuple(
        one if isinstance(one, Measure) else Measure(one, name=f"part {position}")
        for position, one in enumerate(parts, start=1)
    )
    functions = tuple(part.function for part in measures)
    order = product_order([part.order for part in measures])
    monotone = all(part.monotone for part in measures)
    return Measure(lambda s: tuple(function(s) for function in functions), order, name, None, monotone, measures)


@dataclass(frozen=True, slots=True)
class Columns:
    """A measure cut in two: its monotone parts, whose values name a column, and the others."""

    column: Callable[[Any], tuple[Any, ...]]  # that a progress value lies in
    across: Order  # on columns
    within: Order  # on progress values, by the other parts alone


def columns(measure: Measure) -> Columns:
    """The columns of a measure. One without parts is a product of itself."""
    parts = measure.parts or (measure,)
    column = _choice(measure, [i for i, part in enumerate(parts) if part.monotone])
    height = _choice(measure, [i for i, part in enumerate(parts) if not part.monotone])
    across = product_order([part.order for part in parts if part.monotone])
    heights = product_order([part.order for part in parts if not part.monotone])
    rank = heights.rank
    within = replace(
        heights,
        leq=lambda one, other: heights.leq(height(one), height(other)),
        rank=None if rank is None else lambda value: rank(height(value)),
    )
    return Columns(column, across, within)


def _choice(measure: Measure, indices: Sequence[int]) -> Callable[[Any], tuple[Any, ...]]:
    """The function that keeps some parts of a progress value."""
    if not measure.parts:
        return (lambda value: (value,)) if indices else lambda _: ()
    return lambda value: tuple(value[i] for i in indices)
