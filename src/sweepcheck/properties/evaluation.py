"""Evaluating predicates and measures on a state, with errors a modeller can act on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sweepcheck.core.advice import advice
from sweepcheck.core.model import State, System
from sweepcheck.core.property import Property
from sweepcheck.core.structures import valued
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.errors import ModelError, RequestError, own_traceback, place, raised_at, shown, told

READING = "predicates and measures only read: len, count, in, iteration, peek of a queue"


def evaluate(system: System, function: Callable[[Any], Any], state: State, what: str) -> Any:
    """The function's value in a state; `what` names it in errors."""
    try:
        return valued(function(system.view(state)))
    except (ModelError, RequestError) as error:
        error.add(("in", what), ("state", show(system, state)), where=raised_at(error, function))
        raise
    except MemoryError:  # the end of a run, and not the function's fault
        raise
    except (Exception, SystemExit) as error:
        where = raised_at(error, function)
        values = [("state", show(system, state)), ("traceback", own_traceback(error))]
        if isinstance(error, AttributeError) and isinstance(error.obj, Bag | Queue | Array):
            forbidden = f"{what} used {error.name!r} of a {type(error.obj).__name__.lower()}"
        elif isinstance(error, TypeError) and "does not support item assignment" in str(error):
            forbidden = f"{what} assigned an element"
        else:
            suggestion = advice(error, system.variables) or "it must have a value in every reachable state"
            raise ModelError(
                "SC209", f"{what} raised {told(error)}", where=where, values=values, suggestion=suggestion
            ) from error
        raise ModelError("SC206", forbidden, where=where, values=values[:1], suggestion=READING) from error


def satisfies(system: System, asked: Property, state: State) -> bool:
    """Whether a property's predicate holds in a state; a property without one is never satisfied."""
    if asked.predicate is None:
        return False
    what = f"{asked.kind} {asked.name!r}"
    value = evaluate(system, asked.predicate, state, what)
    if value is True or value is False:
        return value
    # None is a forgotten return; a function or a generator, always true, is a forgotten call or a forgotten all().
    if value is None or callable(value) or isinstance(value, Iterator):
        raise ModelError(
            "SC210",
            f"{what} returned {shown(value)}, which is neither true nor false",
            where=place(asked.predicate),
            values=[("state", show(system, state))],
            suggestion="return a condition: is a `return`, a call's () or an all(...) missing?",
        )
    return bool(evaluate(system, lambda _: bool(value), state, what))


def show(system: System, state: State) -> str:
    """A state on one line."""
    return " ".join(f"{name}={shown(value)}" for name, value in system.describe(state).items())
