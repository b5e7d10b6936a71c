"""Evaluating predicates and measures on a state, with errors a modeller can act on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sweepcheck.core.model import State, System
from sweepcheck.core.property import Property
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.errors import ModelError, place


def evaluate(system: System, function: Callable[[Any], Any], state: State, what: str) -> Any:
    """The function's value in a state; `what` names it in errors."""
    try:
        return function(system.view(state))
    except ModelError as error:
        error.where = error.where or place(function)
        error.values = (("in", what), ("state", show(system, state)), *error.values)
        raise
    except Exception as error:
        if isinstance(error, AttributeError) and isinstance(error.obj, Bag | Queue | Array):
            raise ModelError(
                "SC206",
                f"{what} used {error.name!r} of a {type(error.obj).__name__.lower()}",
                where=place(function),
                values=[("state", show(system, state))],
                suggestion="predicates and measures only read: len, count, in, iteration, peek of a queue",
            ) from error
        raise ModelError(
            "SC209",
            f"{what} raised {type(error).__name__}: {error}",
            where=place(function),
            values=[("state", show(system, state))],
            suggestion="it must have a value in every reachable state",
        ) from error


def satisfies(system: System, asked: Property, state: State) -> bool:
    """Whether a property's predicate holds in a state; a property without one is never satisfied."""
    if asked.predicate is None:
        return False
    return bool(evaluate(system, asked.predicate, state, f"{asked.kind} {asked.name!r}"))


def show(system: System, state: State) -> str:
    """A state on one line."""
    return " ".join(f"{name}={value!r}" for name, value in system.describe(state).items())
