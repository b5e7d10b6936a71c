"""Measures that are sums: found by running the measure once on variables that only know how to be added up.

Most measures are a number, or a tuple of numbers compared lexicographically, each a sum of variables with whole
coefficients: `(s.sender, s.receiver)`, `sum(s.count)`. The native engine computes and orders such values itself. A
measure that does anything else with a variable (compares it, tests it, takes its length) is not of this kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

from sweepcheck.core.values import Array, Bag, Queue

MOST_COMPONENTS = 4  # as in native/include/sweep/linear.hpp
MOST_COEFFICIENT = 1 << 16


class NonlinearError(Exception):
    """The measure, or a value it is to count with, is not of this kind."""


def _refuse(*_: object) -> NoReturn:
    raise NonlinearError


@dataclass(frozen=True, eq=False)
class Sum:
    """A constant plus variables (by position and element) with coefficients."""

    constant: int = 0
    terms: dict[tuple[int, int], int] = field(default_factory=dict)

    def __add__(self, other: object) -> Sum:
        added = _as_sum(other)
        terms = dict(self.terms)
        for variable, coefficient in added.terms.items():
            terms[variable] = terms.get(variable, 0) + coefficient
        return Sum(self.constant + added.constant, terms)

    def __mul__(self, factor: object) -> Sum:
        if type(factor) is not int or abs(factor) > MOST_COEFFICIENT:
            raise NonlinearError
        return Sum(self.constant * factor, {variable: c * factor for variable, c in self.terms.items()})

    def __sub__(self, other: object) -> Sum:
        return self + _as_sum(other) * -1

    def __rsub__(self, other: object) -> Sum:
        return self * -1 + other

    def __neg__(self) -> Sum:
        return self * -1

    def __pos__(self) -> Sum:
        return self

    __radd__, __rmul__ = __add__, __mul__
    # What every Python object can do, but no sum of unknowns can.
    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __hash__ = __str__ = __repr__ = __format__ = _refuse


def _as_sum(value: object) -> Sum:
    if isinstance(value, Sum):
        return value
    if type(value) is int and abs(value) < 1 << 40:
        return Sum(value)
    raise NonlinearError


class _Elements:
    """An array of unknowns."""

    def __init__(self, variable: int, length: int) -> None:
        self._elements = [Sum(0, {(variable, element): 1}) for element in range(length)]

    def __getitem__(self, index: int) -> Sum:
        if type(index) is not int:
            raise NonlinearError
        return self._elements[index]

    def __iter__(self) -> Iterator[Sum]:
        return iter(self._elements)

    def __len__(self) -> int:
        return len(self._elements)


class _Unknowns:
    """A view whose variables are unknown."""

    def __init__(self, names: tuple[str, ...], initial: tuple[Any, ...]) -> None:
        for position, (name, value) in enumerate(zip(names, initial, strict=True)):
            if isinstance(value, Array):
                self.__dict__[name] = _Elements(position, len(value))
            elif not isinstance(value, Bag | Queue):
                self.__dict__[name] = Sum(0, {(position, 0): 1})


@dataclass(frozen=True, slots=True)
class LinearMeasure:
    """A measure as sums; `single` when its value is a number and not a tuple."""

    components: tuple[Sum, ...]
    single: bool

    def plain_variable(self, component: int) -> int | None:
        """The position of the scalar variable that a component is, if it is one and nothing else."""
        found = self.components[component]
        if found.constant == 0 and list(found.terms.values()) == [1]:
            return next(iter(found.terms))[0]
        return None


def linear(function: Callable[[Any], Any], names: tuple[str, ...], initial: tuple[Any, ...]) -> LinearMeasure | None:
    """The measure as sums of variables; None when it is anything else."""
    try:
        value = function(_Unknowns(names, initial))
        single = not isinstance(value, tuple)
        components = tuple(map(_as_sum, (value,) if single else value))
    except Exception:  # noqa: BLE001 - whatever it tried to do with an unknown, it is not a sum
        return None
    if not 1 <= len(components) <= MOST_COMPONENTS:
        return None
    if any(abs(c) > MOST_COEFFICIENT for one in components for c in one.terms.values()):
        return None
    return LinearMeasure(components, single)
