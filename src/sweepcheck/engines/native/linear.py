"""Measures that are sums: found by running the measure once on variables that only know how to be added up.

Most measures are a number, or a tuple of numbers compared lexicographically, each a sum of variables with whole
coefficients: `(s.sender, s.receiver)`, `sum(s.count)`. The native engine computes and orders such values itself. Only
a measure whose code shows that it does nothing behind the variables' backs (`arithmetic`) is run this way: then what it
made of unknown variables is what it makes of any whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

from sweepcheck.core.measure import Measure
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.engines.native.arithmetic import is_arithmetic

MOST_COMPONENTS = 4  # as in native/include/sweep/linear.hpp
MOST_SUM = (1 << 63) - 1  # what the core computes with

Reading = Callable[[Callable[[Any], Any]], Callable[[Any], Any]]


class NonlinearError(Exception):
    """The measure, or a value it is to count with, is not of this kind."""


def _refuse(*_: object) -> NoReturn:
    raise NonlinearError


@dataclass(frozen=True, slots=True)
class Sum:
    """A constant plus variables (by position and element) with coefficients."""

    constant: int = 0
    terms: dict[tuple[int, int], int] = field(default_factory=dict)

    def plus(self, other: Sum) -> Sum:
        """Both together."""
        terms = dict(self.terms)
        for variable, coefficient in other.terms.items():
            terms[variable] = terms.get(variable, 0) + coefficient
        return Sum(self.constant + other.constant, terms)

    def times(self, factor: int) -> Sum:
        """So many of it. A variable with coefficient 0 stays: it must be a number all the same."""
        return Sum(self.constant * factor, {variable: c * factor for variable, c in self.terms.items()})


class _Refusing:
    """What every Python object can do, and no unknown value can."""

    __slots__ = ()
    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __contains__ = __hash__ = __str__ = __repr__ = __format__ = _refuse

    def __getattribute__(self, name: str) -> object:
        raise NonlinearError


class Unknown(_Refusing):
    """A sum of unknown numbers."""

    __slots__ = ("_sum",)

    def __init__(self, known: Sum) -> None:
        self._sum = known

    def __add__(self, other: object) -> Unknown:
        return Unknown(sum_of(self).plus(sum_of(other)))

    def __mul__(self, factor: object) -> Unknown:
        if type(factor) is not int:
            raise NonlinearError
        return Unknown(sum_of(self).times(factor))

    def __sub__(self, other: object) -> Unknown:
        return Unknown(sum_of(self).plus(sum_of(other).times(-1)))

    def __rsub__(self, other: object) -> Unknown:
        return Unknown(sum_of(other).plus(sum_of(self).times(-1)))

    def __neg__(self) -> Unknown:
        return Unknown(sum_of(self).times(-1))

    def __pos__(self) -> Unknown:
        return self

    __radd__, __rmul__ = __add__, __mul__


def sum_of(value: object) -> Sum:
    """The sum that a value of the measure is."""
    if type(value) is Unknown:
        found: Sum = object.__getattribute__(value, "_sum")
        return found
    if type(value) is int:
        return Sum(value)
    raise NonlinearError


class _Elements(_Refusing):
    """An array of unknowns."""

    __slots__ = ("_elements",)

    def __init__(self, variable: int, length: int) -> None:
        self._elements = [Unknown(Sum(0, {(variable, element): 1})) for element in range(length)]

    def __getitem__(self, index: int) -> Unknown:
        if type(index) is not int:
            raise NonlinearError
        return _elements_of(self)[index]

    def __iter__(self) -> Iterator[Unknown]:
        return iter(_elements_of(self))

    def __len__(self) -> int:
        return len(_elements_of(self))


def _elements_of(array: _Elements) -> list[Unknown]:
    found: list[Unknown] = object.__getattribute__(array, "_elements")
    return found


class _Unknowns(_Refusing):
    """A view whose variables are unknown."""

    __slots__ = ("_variables",)

    def __init__(self, names: tuple[str, ...], initial: tuple[Any, ...]) -> None:
        self._variables: dict[str, object] = {}
        variables: dict[str, object] = object.__getattribute__(self, "_variables")
        for position, (name, value) in enumerate(zip(names, initial, strict=True)):
            if isinstance(value, Array):
                variables[name] = _Elements(position, len(value))
            elif not isinstance(value, Bag | Queue):
                variables[name] = Unknown(Sum(0, {(position, 0): 1}))

    def __getattribute__(self, name: str) -> object:
        try:
            return object.__getattribute__(self, "_variables")[name]
        except KeyError:
            raise NonlinearError from None


@dataclass(frozen=True, slots=True)
class LinearMeasure:
    """A measure as sums; `single` when its value is a number and not a tuple."""

    components: tuple[Sum, ...]
    single: bool

    @property
    def most_number(self) -> int:
        """The largest number, and the least with a minus sign, whose sums are all within what the core computes with.

        It is negative when even the constants are not.
        """
        return min(
            (MOST_SUM - abs(one.constant)) // max(1, sum(map(abs, one.terms.values()))) for one in self.components
        )

    def plain_variable(self, component: int) -> int | None:
        """The position of the scalar variable that a component is, if it is one and nothing else."""
        found = self.components[component]
        if found.constant == 0 and list(found.terms.values()) == [1]:
            return next(iter(found.terms))[0]
        return None


def linear(
    measure: Measure, names: tuple[str, ...], initial: tuple[Any, ...], reading: Reading = lambda function: function
) -> LinearMeasure | None:
    """The measure as sums of variables; None when it is anything else. `reading` is as in `Model.reading`."""
    if not is_arithmetic(measure.function, names):
        return None
    try:
        value = reading(measure.function)(_Unknowns(names, initial))
        single = type(value) is not tuple
        found = LinearMeasure(tuple(map(sum_of, (value,) if single else value)), single)
    except Exception:  # noqa: BLE001 - whatever it tried to do with an unknown, it is not a sum
        return None
    return found if 1 <= len(found.components) <= MOST_COMPONENTS and found.most_number > 0 else None
