"""Evaluating predicates and measures on a state, with errors a modeller can act on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sweepcheck.core.advice import CHANGES, advice
from sweepcheck.core.declaration import holds_truths, takes_action
from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.property import Property
from sweepcheck.core.structures import SAID_OTHERWISE, valued
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.errors import ModelError, RequestError, own_traceback, place, raised_at, shown, told

READING = "predicates and measures only read: len, count, in, iteration, peek of a queue"


def evaluate(
    system: System, function: Callable[..., Any], state: State, what: str, after: tuple[State, str] | None = None
) -> Any:
    """The function's value in a state; `what` names it in errors.

    A function of a step gets the state before it too, and its action if it wants it: `after` has both.
    """
    try:
        if after is None:
            return valued(function(system.view(state)))
        return valued(
            function(system.view(after[0]), system.view(state), *(after[1:] if takes_action(function) else ()))
        )
    except (ModelError, RequestError) as error:
        error.add(("in", what), *_shown(system, state, after), where=raised_at(error, function))
        raise
    except MemoryError:  # the end of a run, and not the function's fault
        raise
    except (Exception, SystemExit) as error:
        where = raised_at(error, function)
        values = [*_shown(system, state, after), ("traceback", own_traceback(error))]
        said_otherwise = isinstance(error, AttributeError) and error.name in SAID_OTHERWISE.keys() - CHANGES
        if isinstance(error, AttributeError) and isinstance(error.obj, Bag | Queue | Array) and not said_otherwise:
            forbidden = f"{what} used {error.name!r} of a {type(error.obj).__name__.lower()}"
        elif isinstance(error, TypeError) and "does not support item assignment" in str(error):
            forbidden = f"{what} assigned an element"
        else:
            suggestion = advice(error, system.variables) or "it must have a value in every reachable state"
            raise ModelError(
                "SC209", f"{what} raised {told(error)}", where=where, values=values, suggestion=suggestion
            ) from error
        raise ModelError("SC206", forbidden, where=where, values=values[:-1], suggestion=READING) from error


def _shown(system: System, state: State, after: tuple[State, str] | None) -> list[tuple[str, str]]:
    if after is None:
        return [("state", show(system, state))]
    return [("before", show(system, after[0])), ("after", f"{show(system, state)}   by {after[1]}")]


def satisfies(system: System, asked: Property, state: State) -> bool:
    """Whether a property's predicate holds in a state; a property without one is never satisfied."""
    return asked.predicate is not None and truth(system, asked.predicate, state, f"{asked.kind} {asked.name!r}")


def allows(system: System, asked: Property, state: State, edge: Edge) -> bool:
    """Whether a property of steps holds of one."""
    assert asked.predicate is not None
    after = (state, edge.label.action)
    return truth(system, asked.predicate, edge.target, f"{asked.kind} {asked.name!r}", after)


def truth(
    system: System, predicate: Callable[..., object], state: State, what: str, after: tuple[State, str] | None = None
) -> bool:
    """Whether a predicate holds in a state, or of the step to it; `what` names it in errors."""
    value = evaluate(system, predicate, state, what, after)
    if value is True or value is False:
        return value
    # None is a forgotten return; a function is a forgotten call; a generator or a list of truths a forgotten all().
    if value is None or callable(value) or isinstance(value, Iterator) or holds_truths(value):
        raise ModelError(
            "SC210",
            f"{what} returned {shown(value)}, which is neither true nor false",
            where=place(predicate),
            values=_shown(system, state, after),
            suggestion="return a condition: is a `return`, a call's () or an all(...) missing?",
        )
    return bool(evaluate(system, lambda *_: bool(value), state, what))


def show(system: System, state: State) -> str:
    """A state on one line."""
    return " ".join(f"{name}={shown(value)}" for name, value in system.describe(state).items())
