"""Choices that go straight into the state, and that nobody looks at: all combinations of them at once.

`for i in range(9): s.level[i] = choose(range(4))` gives 262,144 states. The function need not run for each: it runs
once, with a mark in the place of each choice, and the states are the combinations. It is given up when the function
reads a variable with a mark in it, or makes another choice after one, whose order would be another one then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import product
from operator import itemgetter
from types import CodeType
from typing import Any, NoReturn

from sweepcheck.core.values import Array
from sweepcheck.models.actions.choice import OFFERS
from sweepcheck.models.actions.draft import Choices, Draft, admitted

Row = tuple[Any, ...]


class LookedAtError(BaseException):  # passes through any `except Exception` of the function's
    """Ends a run that has looked at a choice that was left open."""


class Mark:
    """Stands for a choice; `found` are its alternatives."""

    __slots__ = ("found",)

    def __init__(self, found: tuple[Hashable, ...]) -> None:
        self.found = found

    def __eq__(self, other: object) -> bool:
        return type(other) is Mark and self.found == other.found

    __hash__ = None  # type: ignore[assignment]


class _Met(dict[Any, Any]):
    """The values that a variable was ever given: with a mark all that it stands for."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def get(self, value: Any, default: Any = None) -> Any:
        """See `dict`."""
        if type(value) is Mark:
            value.found = tuple([admitted(one, self._name, self) for one in value.found])
            return value
        return super().get(value, default)


class OpenValues(list[Any]):
    """Values of which those with a mark are not to be read; `marks` are those that were made, in their order."""

    __slots__ = ("looked_at", "marks")

    def __init__(self, values: Sequence[Any]) -> None:
        super().__init__(values)
        self.marks: list[Mark] = []
        self.looked_at = False

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        if _is_open(value):
            self.look()
        return value

    def look(self) -> NoReturn:
        """Give up, also if somebody catches everything."""
        self.looked_at = True
        raise LookedAtError


def _is_open(value: Any) -> bool:
    return type(value) is Mark or (type(value) is Array and Mark in map(type, value))


def leaving_open(draft: type[Draft], code: CodeType, calls: frozenset[int]) -> type[Draft]:
    """Drafts that leave the choices open that these calls in a function's code make."""

    class Open(draft):  # type: ignore[misc, valid-type]
        __slots__ = ()
        _met = tuple(_Met(name) for name in draft._names)

        def __init__(self, values: Sequence[Any], choices: Choices) -> None:
            super().__init__(values, choices)
            self._values = OpenValues(values)  # type: ignore[misc]

        def _choose(self, alternatives: tuple[Any, ...], distinct: Callable[[Any], tuple[Hashable, ...]]) -> Any:
            del distinct
            frame = sys._getframe(2)
            offered = alternatives[0] if len(alternatives) == 1 else alternatives
            found = OFFERS.distinct(offered, frame, self)
            if not found or frame.f_code is not code or frame.f_lasti not in calls:
                return self._pick(found, None)
            self._values.marks.append(Mark(found))
            return self._values.marks[-1]

        def _pick(self, alternatives: tuple[Hashable, ...], name: str | None) -> Any:
            if self._values.marks:
                self._values.look()
            return super()._pick(alternatives, name)

    return Open


def combinations(values: Any) -> Iterator[Row]:
    """The states that these values stand for, in the order of the choices."""
    if values.looked_at:
        raise LookedAtError
    if not (marks := values.marks):
        return iter([tuple(values)])
    at: dict[int, int] = {id(mark): position for position, mark in enumerate(marks)}
    fixed: list[Any] = []  # what is no choice comes after all that are

    def place(one: Any) -> int:
        if type(one) is not Mark:
            fixed.append(one)
        return at[id(one)] if type(one) is Mark else len(marks) + len(fixed) - 1

    places = [list(map(place, value)) if type(value) is Array and _is_open(value) else place(value) for value in values]
    return _rows(places, [mark.found for mark in marks], tuple(fixed))


def _rows(places: list[Any], choices: list[tuple[Hashable, ...]], fixed: Row) -> Iterator[Row]:
    """The states whose values, and elements of arrays, are found in these places of what was chosen and is fixed."""
    # One more place than needed: of a single one a getter gives no tuple.
    arrays = [(index, itemgetter(*one, 0)) for index, one in enumerate(places) if isinstance(one, list)]
    values = itemgetter(*(0 if isinstance(one, list) else one for one in places), 0)
    for chosen in product(*choices):
        everything = chosen + fixed
        row = list(values(everything)[:-1])
        for index, elements in arrays:
            row[index] = tuple.__new__(Array, elements(everything)[:-1])
        yield tuple(row)
