"""The native engine: the loops of the reference engine in C++, on packed states and tabulated actions.

What an action does depends only on what it observed, so the core records that once and afterwards walks a table.
Whatever goes wrong inside a model is run once more in Python: its errors carry code, place and state.
"""

from __future__ import annotations

from functools import cache

from sweepcheck.core.observer import Observer
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.property import Kind
from sweepcheck.core.tabulated import Tabulated
from sweepcheck.engines.progress import parts_of

KINDS = frozenset(Kind)
MOST_TOKENS = 2**32 - 1  # of one bag, as in the core


def obstacle(plan: Plan) -> str | None:
    """Why this engine cannot carry out a plan; None when it can."""
    if (why := _missing()) is not None:
        return why
    if not isinstance(plan.system, Tabulated):
        return "the model gives its successors as a function, which cannot be tabulated"
    if (bag := _overfull(plan.system)) is not None:
        return f"bag {bag!r} holds more than {MOST_TOKENS:,} tokens"
    parts = () if plan.strategy.order != "column" or plan.measure is None else parts_of(plan.measure)
    if any(part.order.rank is None for part in parts):
        return "the column sweep needs components whose order is total, or extended to a total one"
    return None


def run(plan: Plan, observer: Observer) -> Outcome:
    """Carry out a plan. Limits and Ctrl-C end in an outcome too: it says why and how far the run got."""
    from sweepcheck.engines.native.exploration import Exploration, explore  # not where there is no compiled module

    return explore(plan, observer, Exploration.outcome)


@cache
def _missing() -> str | None:
    """Why there is no compiled module; None where there is one. Everything else works without it."""
    try:
        import sweepcheck._core  # noqa: F401
    except ImportError as error:
        return f"its compiled module cannot be loaded ({error}); install a wheel of sweepcheck, or one built here"
    return None


def _overfull(system: Tabulated) -> str | None:
    """A bag with more tokens than can be counted here, if there is one at the start."""
    bags = {variable.name for variable in system.tabulate().variables if variable.kind.is_bag}
    for state in system.initial_states() if bags else ():
        for name, value in system.describe(state).items():
            if name in bags and len(value) > MOST_TOKENS:  # type: ignore[arg-type]  # a Bag
                return name
    return None
