"""The native engine: the loops of the reference engine in C++, on packed states and tabulated actions.

What an action does depends only on what it observed, so the core records that once and afterwards walks a table.
Whatever goes wrong inside a model is run once more in Python: its errors carry code, place and state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sweepcheck.core.equivalence import Equivalence
from sweepcheck.core.observer import Observer
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.property import Kind
from sweepcheck.core.tabulated import Tabulated, is_tabulated
from sweepcheck.core.values import Bag
from sweepcheck.engines.progress import parts_of

MISSING: str | None = None  # why there is no compiled module; everything else works without it
try:
    from sweepcheck._core import MOST_TOKENS
    from sweepcheck.engines.native.comparing import compare as compare
    from sweepcheck.engines.native.exploration import Exploration, explore
    from sweepcheck.engines.native.walks import walk as walk
except ImportError as error:
    if error.name != "sweepcheck._core":
        raise
    MISSING = f"its compiled module cannot be loaded ({error}); install a wheel of sweepcheck, or build it by pip"

KINDS = frozenset(Kind)


def obstacle(plan: Plan) -> str | None:
    """Why this engine cannot carry out a plan; None when it can."""
    if MISSING is not None:
        return MISSING
    if (why := _unable_with_classes(plan)) is not None:
        return why
    if not is_tabulated(plan.system):
        return "the model gives its successors as a function, which cannot be tabulated"
    if getattr(plan.system, "takes_early", False):
        return "some arcs take tokens before they are ready"
    if (bag := _overfull(plan.system)) is not None:
        return f"bag {bag!r} holds more than {MOST_TOKENS:,} tokens"
    parts = () if plan.strategy.order != "column" or plan.measure is None else parts_of(plan.measure)
    if any(part.order.rank is None for part in parts):
        return "the column sweep needs components whose order is total, or extended to a total one"
    return None


def _unable_with_classes(plan: Plan) -> str | None:
    if plan.classes is None:
        return None
    if plan.survey:
        return "it reports on states, not on classes of them"
    if plan.classes.canonical is not None:
        return _unable_with_canonical(plan.classes)
    if plan.strategy.order == "depth":
        return "its cache holds states, not classes of them"
    if plan.cutoff is not None and plan.measure is not None and not plan.measure.order.total:
        return "a cut-off needs a measure whose order is total"
    return None


def _unable_with_canonical(classes: Equivalence) -> str | None:
    if classes.parts:
        return "it tells classes by a key or by canonical states, not by a key of canonical states"
    if classes.symmetry is None:
        return "members of a symmetric set are known by their places in a bag or queue"
    return None


def compares(plan: Plan) -> bool:
    """Whether this engine compares members of classes before a run: on a walk without a bound, in one process."""
    canonical = plan.classes is not None and plan.classes.canonical is not None
    walks = not plan.verify_equivalence and plan.bound is None
    return canonical and walks and plan.engine == "native" and plan.cluster is None


def run(plan: Plan, observer: Observer) -> Outcome:
    """Carry out a plan. Limits and Ctrl-C end in an outcome too: it says why and how far the run got."""
    return explore(plan, observer, Exploration.outcome)


def _overfull(system: Tabulated) -> str | None:
    """A bag with more tokens than can be counted here, if there is one at the start."""
    states: Sequence[Any] = system.initial_states()
    places = [place for place, value in enumerate(states[0]) if isinstance(value, Bag)]
    if not places:
        return None
    bags = {id(state[place]): state[place] for state in states for place in places}  # most hold one of a few
    crowded = {at for at, bag in bags.items() if len(bag) > MOST_TOKENS}
    for state in states if crowded else ():
        for place in places:
            if id(state[place]) in crowded:
                return system.variables[place]
    return None
