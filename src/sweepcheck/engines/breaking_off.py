"""Which function of a model was running when a run was broken off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sweepcheck.core.plan import Plan
from sweepcheck.core.tabulated import is_tabulated
from sweepcheck.engines.tallies import WHAT
from sweepcheck.errors import raised_at


def running(broken_off: BaseException, plan: Plan) -> str | None:
    """The function of the model that an exception came out of, with the line it was at; None when it was none."""
    codes = set()
    trace = broken_off.__traceback__
    while trace is not None:
        codes.add(trace.tb_frame.f_code)
        trace = trace.tb_next
    for name, function in functions(plan):
        if getattr(function, "__code__", None) in codes:
            return at(name, function, broken_off)
    return None


def at(name: str, function: Any, broken_off: BaseException) -> str:
    """A function by its name, and the line that it was at."""
    place = raised_at(broken_off, function)
    return name if place is None else f"{name} ({place})"


def functions(plan: Plan) -> Iterator[tuple[str, Any]]:
    """The functions that a plan runs, by the names that a modeller knows them by."""
    for action in plan.system.actions if is_tabulated(plan.system) else ():
        if action.function is not None:
            yield f"action {action.name!r}", action.function
    for asked in plan.properties:
        for predicate in (asked.predicate, asked.goal):
            yield f"{asked.kind} {asked.name!r}", predicate
    if plan.measure is not None:
        for part in plan.measure.parts or (plan.measure,):
            yield "the progress measure", part.function
    for key in () if plan.classes is None else plan.classes.parts:
        yield "the key of the equivalence", key
    if plan.cutoff is not None:
        yield "the predicate `when` of the cut-off", plan.cutoff.when
    for condition in () if plan.bound is None else plan.bound.conditions:
        yield f"constraint {condition.name!r}", condition.predicate
    for tally in plan.tallies:
        yield from zip(WHAT, (tally.function, tally.predicate, tally.store), strict=True)
    successors = getattr(getattr(plan.system, "_model", None), "successors", None)
    yield "successors()", getattr(successors, "__func__", successors)
