"""What a report says about a bound: how far was explored, and what led further."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sweepcheck.core.plan import Bound, Outcome, Plan
from sweepcheck.core.verdict import Stop
from sweepcheck.report.values import count_text

UNNAMED = re.compile("constraint [0-9]+")  # what a constraint without a name is called


def bound_text(bound: Bound) -> str:
    """How far was explored, as it was asked for."""
    parts = ["where " + " and ".join(one.name for one in bound.constraints)] if bound.constraints else []
    if bound.up_to is not None:
        parts.append(f"up to {bound.up_to}{' steps' if bound.depth is not None else ''}")
    return ", ".join(parts)


def outside_text(outcome: Outcome) -> str:
    """How many edges led to states outside of the constraints; empty where no constraint left any out."""
    numbers = outcome.statistics
    if outcome.stop is not Stop.CONSTRAINT:
        return ""
    edges = f"{count_text(numbers.outside_edges)} edge{'s lead' if numbers.outside_edges != 1 else ' leads'}"
    return f"{edges} outside, to {count_text(numbers.beyond)} state{'s' * (numbers.beyond != 1)}"


def left_out_by(plan: Plan, outcome: Outcome) -> tuple[str, ...]:
    """The constraints that left states out, by name; none where all that can be reached satisfies them."""
    if outcome.stop is not Stop.CONSTRAINT or plan.bound is None:
        return ()
    return tuple(one.name for one in plan.bound.constraints)


def constraints_text(names: Sequence[str]) -> str:
    """Which constraints a system is looked at within."""
    return "within " + " and ".join(name if UNNAMED.fullmatch(name) else f"constraint {name!r}" for name in names)
