"""Counting values over all states, for the reference engine; the native one counts in its core."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from sweepcheck.core.model import State, System
from sweepcheck.core.plan import Counted, Tally
from sweepcheck.core.values import alike
from sweepcheck.properties.evaluation import evaluate

WHAT = ("the fold's eval", "the fold's pred", "the fold's store")  # as errors name the functions of a tally


class Values:
    """Values in the order they were met, those that are alike once; what cannot be hashed is like nothing else."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[Hashable, list[int]] = {}  # of values that are equal

    def number(self, value: Any) -> int:
        """The number of a value; a new one gets the next."""
        try:
            equal = self._numbers.setdefault(value, [])
        except TypeError:
            equal = []
        for number in equal:
            if alike(self.values[number], value):
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
        self._stored: list[State] = []

    def see(self, state: State) -> None:
        """Count a state."""
        tally = self.tally
        if not self._holds(tally.predicate, state, WHAT[1]):
            return
        number = self._values.number(evaluate(self._system, tally.function, state, WHAT[0]))
        if number == len(self._counts):
            self._counts.append(0)
        self._counts[number] += 1
        if tally.store is not None and self._holds(tally.store, state, WHAT[2]):
            self._stored.append(state)

    def _holds(self, predicate: Callable[[Any], Any] | None, state: State, what: str) -> bool:
        return predicate is None or bool(evaluate(self._system, predicate, state, what))

    def counted(self) -> Counted:
        """The result so far."""
        return Counted(tuple(zip(self._values.values, self._counts, strict=True)), tuple(self._stored))
