"""Counting values over all edges, and for the reference engine over all states; the native one counts those itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from copy import deepcopy
from typing import Any

from sweepcheck.core.model import Label, State, System
from sweepcheck.core.plan import Counted, EdgeView, Tally
from sweepcheck.core.values import alike
from sweepcheck.errors import ModelError, SweepcheckError, own_traceback, place, shown, told
from sweepcheck.properties.evaluation import evaluate, show

WHAT = ("the fold's eval", "the fold's pred", "the fold's store")  # as errors name the functions of a tally


def kept(value: Any) -> Any:
    """A value of a fold's eval as it is kept: it needs its state no longer, and nobody else can change it."""
    if isinstance(value, Iterator) or (callable(value) and not isinstance(value, type)):
        raise _unkept(value)
    try:
        return deepcopy(value)
    except (SweepcheckError, MemoryError):
        raise
    except Exception as error:
        raise _unkept(value) from error


def _unkept(value: Any) -> ModelError:
    return ModelError(
        "SC209",
        f"{WHAT[0]} gave {shown(value)}, which cannot be kept until all values are combined",
        suggestion="give a number, text, tuple, list or set: is a call's (), a sum(...) or a tuple(...) missing?",
    )


def value_in(system: System, function: Callable[[Any], Any], state: State) -> Any:
    """The value of a fold's eval in a state."""
    value = evaluate(system, function, state, WHAT[0])
    try:
        return kept(value)
    except ModelError as error:
        raise error.add(("state", show(system, state)), where=place(function)) from error.__cause__


class Values:
    """Values in the order they were met, those that are equal and alike once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[Hashable, list[int]] = {}  # of values that are equal

    def number(self, value: Any) -> int:
        """The number of a value; a new one gets the next."""
        try:
            equal = self._numbers.setdefault(value, [])
        except TypeError:  # a list, say: among those with the same words
            equal = self._numbers.setdefault((type(value), repr(value)), [])
        for number in equal:
            if alike(self.values[number], value) and self.values[number] == value:
                return number
        equal.append(len(self.values))
        self.values.append(value)
        return equal[-1]


class Counting:
    """One tally while a run goes on."""

    def __init__(self, tally: Tally, system: System) -> None:
        self.tally = tally
        self._system = system
        self._values = Values()
        self._counts: list[int] = []
        self._kept: list[State] = []
        self.stored: set[State] = set()  # those of them that the engine has stored as well

    def see(self, state: State) -> None:
        """Count a state."""
        self._count(state, lambda function, what: self._in_state(function, state, what))

    def see_edge(self, source: State, label: Callable[[], Label], target: State) -> bool:
        """Count an edge, whose label is found when it is asked for; whether its target is kept."""
        step = EdgeView(self._system.view(source), label, self._system.view(target))
        return self._count(target, lambda function, what: _on_edge(function, step, what))

    def _in_state(self, function: Callable[[Any], Any], state: State, what: str) -> Any:
        if what == WHAT[0]:
            return value_in(self._system, function, state)
        return evaluate(self._system, function, state, what)

    def _count(self, state: State, value_of: Callable[[Callable[[Any], Any], str], Any]) -> bool:
        """Count a state or an edge to it; whether the state is kept."""
        tally = self.tally
        if tally.predicate is not None and not value_of(tally.predicate, WHAT[1]):
            return False
        number = self._values.number(value_of(tally.function, WHAT[0]))
        if number == len(self._counts):
            self._counts.append(0)
        self._counts[number] += 1
        if tally.store is None or not value_of(tally.store, WHAT[2]):
            return False
        self._kept.append(state)
        self.stored.add(state)
        return True

    def let_go(self, state: State) -> bool:
        """The engine deletes a state; whether it is kept here."""
        kept = state in self.stored
        self.stored.discard(state)
        return kept

    def counted(self) -> Counted:
        """The result so far."""
        return Counted(tuple(zip(self._values.values, self._counts, strict=True)), tuple(self._kept))


def _on_edge(function: Callable[[Any], Any], step: EdgeView, what: str) -> Any:
    try:
        value = function(step)
        return kept(value) if what == WHAT[0] else value
    except (SweepcheckError, MemoryError):
        raise
    except Exception as error:
        raise ModelError(
            "SC209",
            f"{what} raised {told(error)}",
            where=place(function),
            values=[("edge", str(step.label)), ("traceback", own_traceback(error))],
            suggestion="it must have a value for every edge",
        ) from error
