"""How far to explore: a number of steps, or a condition on states."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

from sweepcheck.core.declaration import amount, check_function
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import System
from sweepcheck.core.plan import Strategy, UpTo
from sweepcheck.core.property import Property
from sweepcheck.errors import RequestError, shown
from sweepcheck.properties.expression import expression

PROGRESS = "progress"  # what an expression calls the progress value, unless the model has a variable of this name
STEPS = re.compile(r"\s*[0-9]{1,30}\s*")


def bound(asked: object, system: System, measure: Measure | None) -> UpTo | None:
    """What was asked for with `up_to`: a number of steps, an expression, or a function of the state."""
    if asked is None:
        return None
    if isinstance(asked, str) and not STEPS.fullmatch(asked):
        return UpTo(asked, predicate=_condition(asked, system, measure))
    if isinstance(asked, str) or type(asked) is int:
        return UpTo(str(asked), depth=amount(int(asked), "a bound of {} steps", least=0))
    if callable(asked):
        check_function(asked, "the bound `up_to`")
        return UpTo(shown(asked), predicate=asked)
    raise RequestError(
        "SC403",
        f"{shown(asked)} is no bound",
        suggestion='give an expression, up_to="clock <= 10", a function of the state, or a number of steps',
    )


def check_bound(up_to: UpTo | None, strategy: Strategy, properties: Sequence[Property]) -> None:
    """Refuse what a part of the state space does not show."""
    if up_to is None:
        return
    if up_to.depth is not None and strategy.order != "found":
        raise RequestError(
            "SC404",
            f"a bound of {up_to.depth} steps cannot be kept with strategy {strategy.name!r},\n"
            "which does not find states by their shortest way",
            suggestion='use strategy="full", or bound a variable, the clock or the progress: up_to="progress <= 10"',
        )
    for asked in properties:
        if not asked.kind.decided_by_states:
            raise RequestError(
                "SC404",
                f"{asked.kind} {asked.name!r} cannot be decided up to a bound: runs go on beyond it",
                suggestion="leave out the bound, or ask for invariants, reachability and deadlock",
            )


def _condition(text: str, system: System, measure: Measure | None) -> Any:
    if measure is None or PROGRESS in (*system.variables, *system.parameters):
        return expression(system, text)
    # The expression is compiled as if the progress value were one more variable.
    extended = SimpleNamespace(variables=(*system.variables, PROGRESS), parameters=system.parameters)
    condition, progress = expression(cast("System", extended), text), measure.function
    return lambda view: condition(_WithProgress(view, progress))


class _WithProgress:
    """The view of a state, with its progress."""

    def __init__(self, view: Any, progress: Any) -> None:
        self._view = view
        self._progress = progress

    def __getattr__(self, name: str) -> Any:
        return self._progress(self._view) if name == PROGRESS else getattr(self._view, name)
