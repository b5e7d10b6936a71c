"""How far to explore: the constraints of a model, and what is asked for with `up_to`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sweepcheck.core.declaration import amount, check_predicate
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import System
from sweepcheck.core.plan import Bound, Constraint, Strategy
from sweepcheck.core.request import Request
from sweepcheck.errors import RequestError, shown
from sweepcheck.properties.expression import expression

PROGRESS = "progress"  # what an expression calls the progress value, unless the model has a variable of this name
STEPS = re.compile(r"\s*[-+]?[0-9]{1,30}\s*")
FRACTION = re.compile(r"\s*[-+]?[0-9]*\.[0-9]*\s*")  # which, as a condition, would always be true


def bound(request: Request, system: System, measure: Measure | None) -> Bound | None:
    """Which states are explored; None where all are."""
    asked = request.constraints
    declared = tuple(system.declared_constraints() if asked is None else _constraints(asked, system, measure))
    condition, depth = _up_to(request.up_to, system, measure)
    if condition is None and depth is None:
        return Bound(declared) if declared else None
    text = str(depth) if condition is None else condition.name
    return Bound(declared, text, condition, depth)


def _constraints(asked: object, system: System, measure: Measure | None) -> Iterator[Constraint]:
    """The constraints that stand in the place of the model's."""
    if isinstance(asked, str) or not isinstance(asked, Sequence):
        raise RequestError(
            "SC403",
            f"{shown(asked)} is not a list of constraints",
            suggestion='give expressions or functions of the state: constraints=["clock <= 10"]; [] means none',
        )
    for one in asked:
        if isinstance(one, str):
            yield Constraint(one.strip(), _condition(one, system, measure))
        else:
            check_predicate(one, "a constraint")
            yield Constraint(shown(one), one)


def _up_to(asked: object, system: System, measure: Measure | None) -> tuple[Constraint | None, int | None]:
    """What was asked for with `up_to`: an expression or a function of the state, or a number of steps."""
    if asked is None:
        return None, None
    if isinstance(asked, str) and not STEPS.fullmatch(asked) and not FRACTION.fullmatch(asked):
        return Constraint(asked, _condition(asked, system, measure)), None
    if type(asked) is int or (isinstance(asked, str) and STEPS.fullmatch(asked)):
        return None, amount(int(asked), "a bound of {} steps", least=0)
    if callable(asked):
        check_predicate(asked, "the bound `up_to`")
        return Constraint(shown(asked), asked), None
    raise RequestError(
        "SC403",
        f"{shown(asked)} is no bound",
        suggestion='give an expression, up_to="clock <= 10", a function of the state, or a number of steps',
    )


def check_bound(found: Bound | None, strategy: Strategy) -> None:
    """Refuse a number of steps where states are not found by their shortest way.

    All else goes with a bound: what is found inside is so, be it a cycle, and states outside are neither dead nor the
    end of a run, as their successors are not known.
    """
    if found is None or found.depth is None or strategy.order == "found":
        return
    raise RequestError(
        "SC404",
        f"a bound of {found.depth} steps cannot be kept with strategy {strategy.name!r},\n"
        "which does not find states by their shortest way",
        suggestion='use strategy="full", or bound a variable, the clock or the progress: up_to="progress <= 10"',
    )


def _condition(text: str, system: System, measure: Measure | None) -> Any:
    formula = system.condition(text)
    if formula is not None:
        return formula
    if measure is None or PROGRESS in (*system.variables, *system.parameters):
        return expression(system, text)
    condition, progress = expression(system, text, also=(PROGRESS,)), measure.function
    return lambda view: condition(_WithProgress(view, progress))


class _WithProgress:
    """The view of a state, with its progress."""

    def __init__(self, view: Any, progress: Any) -> None:
        self._view = view
        self._progress = progress

    def __getattr__(self, name: str) -> Any:
        return self._progress(self._view) if name == PROGRESS else getattr(self._view, name)
