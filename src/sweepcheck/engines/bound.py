"""Which states are explored where a plan has a bound: one outside is found and judged, and its edges not followed."""

from __future__ import annotations

from collections.abc import Callable

from sweepcheck.core.model import State, System
from sweepcheck.core.plan import Bound, Constraint, Plan
from sweepcheck.properties.evaluation import truth


def satisfied(system: System, constraint: Constraint, state: State) -> bool:
    """Whether a state satisfies a constraint."""
    return truth(system, constraint.predicate, state, f"constraint {constraint.name!r}")


def is_inside(system: System, bound: Bound, state: State) -> bool:
    """Whether a state satisfies all constraints."""
    return all(satisfied(system, one, state) for one in bound.conditions)


def follows(plan: Plan) -> Callable[[State, int], bool]:
    """Whether the steps of a state, found after so many others, are followed."""
    bound = plan.bound
    if bound is None:
        return lambda *_: True
    most = bound.depth
    return lambda state, depth: (most is None or depth < most) and is_inside(plan.system, bound, state)
