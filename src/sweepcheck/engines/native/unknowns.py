"""Unknown values: they write down what is computed with them, as trees.

What needs a value there and then, such as an index of a list or the number of turns of a loop, cannot be written down.
A truth value can: the function is run again for either answer (`Paths`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.engines.native.trees import Choice, Constant, NonlinearError, Operation, Size, Tree, Variable

MOST_PATHS = 64  # through one function
MOST_RUNS = 20_000  # in all


class NeedsValueError(NonlinearError):
    """A value is needed that is unknown."""


class LengthError(NeedsValueError):
    """The length of something is needed: Python's own `len` gives numbers only."""

    def __init__(self, length: Unknown) -> None:
        self.length = length


def _refuse(*_: object) -> NoReturn:
    raise NeedsValueError


class Paths:
    """The ways through a function, by the answers that unknown conditions have; and all trees made meanwhile."""

    def __init__(self) -> None:
        self.made: list[Tree] = []
        self._asked: list[dict[Tree, bool]] = [{}]  # the conditions of every function being run, innermost last
        self._answers: list[bool] = []
        self._runs = 0

    def joined(self, function: Callable[[], Any]) -> Any:
        """What a function gives: where it asks for conditions, a choice between what it gives for either answer."""
        return self._joined(function, [], [MOST_PATHS])

    def _joined(self, function: Callable[[], Any], answers: list[bool], left: list[int]) -> Any:
        self._runs += 1
        left[0] -= 1
        if left[0] < 0 or self._runs > MOST_RUNS:
            raise NeedsValueError
        outside, self._answers = self._answers, answers[::-1]
        self._asked.append({})
        try:
            result = function()
        finally:
            asked = list(self._asked.pop().items())
            self._answers = outside
        for last in range(len(asked) - 1, len(answers) - 1, -1):
            before = [answer for _, answer in asked[:last]]
            other = self._joined(function, [*before, False], left)
            result = self._choice(asked[last][0], result, other)
        return result

    def answer(self, condition: Tree) -> bool:
        """Whether a condition holds on the way that is gone now."""
        known = self._asked[-1]
        if len(self._asked) == 1:
            raise NeedsValueError
        if condition not in known:
            known[condition] = self._answers.pop() if self._answers else True
        return known[condition]

    def _choice(self, condition: Tree, yes: Any, no: Any) -> Any:
        if type(yes) is tuple and type(no) is tuple and len(yes) == len(no):
            return tuple(self._choice(condition, one, other) for one, other in zip(yes, no, strict=True))
        return Unknown(Choice(condition, tree_of(yes), tree_of(no)), self)


class Unknown:
    """An unknown value."""

    __slots__ = ("_paths", "_tree")

    def __init__(self, tree: Tree, paths: Paths) -> None:
        self._tree = tree
        self._paths = paths
        if not isinstance(tree, Variable):
            paths.made.append(tree)

    def __getattribute__(self, name: str) -> object:
        raise NeedsValueError

    def __bool__(self) -> bool:
        return paths_of(self).answer(tree_of(self))

    def __contains__(self, value: object) -> bool:
        return bool(_written(self, operator.contains, self, value))

    def __len__(self) -> int:
        raise LengthError(_written(self, len, self))

    def __getitem__(self, index: object) -> Unknown:
        return _written(self, operator.getitem, self, index)

    __str__ = __repr__ = __format__ = __hash__ = __iter__ = __index__ = __int__ = __float__ = _refuse


def _written(unknown: object, function: Callable[..., Any], *operands: object) -> Unknown:
    return Unknown(Operation(function, *map(tree_of, operands)), paths_of(unknown))


def _writing(function: Callable[..., Any], swapped: bool = False) -> Callable[..., Unknown]:
    if swapped:
        return lambda self, other: _written(self, function, other, self)
    return lambda self, *others: _written(self, function, self, *others)


for _name in ("add", "sub", "mul", "floordiv", "truediv", "mod", "pow", "and", "or", "xor", "lshift", "rshift"):
    setattr(Unknown, f"__{_name}__", _writing(getattr(operator, f"__{_name}__")))
    setattr(Unknown, f"__r{_name}__", _writing(getattr(operator, f"__{_name}__"), swapped=True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "invert", "abs"):
    setattr(Unknown, f"__{_name}__", _writing(getattr(operator, f"__{_name}__")))


class UnknownContainer(Unknown):
    """A bag or queue."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> object:
        if name != "count":
            raise NeedsValueError
        return lambda token: _written(self, _count, self, token)

    def __len__(self) -> int:
        variable = tree_of(self)
        assert isinstance(variable, Variable)
        raise LengthError(Unknown(Size(variable), paths_of(self)))


def _count(container: Any, token: Any) -> Any:
    return container.count(token)


class UnknownArray(Unknown):
    """An array, whose length is known."""

    __slots__ = ("_elements",)

    def __init__(self, tree: Variable, length: int, paths: Paths) -> None:
        super().__init__(tree, paths)
        self._elements = [Unknown(Variable(tree.position, tree.name, element), paths) for element in range(length)]

    def __getitem__(self, index: object) -> Any:
        if type(index) is slice:
            return tuple(_elements_of(self)[index])
        return _elements_of(self)[index] if type(index) is int else super().__getitem__(index)

    def __iter__(self) -> Iterator[Unknown]:  # type: ignore[override]
        return iter(_elements_of(self))

    def __reversed__(self) -> Iterator[Unknown]:
        return reversed(_elements_of(self))

    def __len__(self) -> int:
        return len(_elements_of(self))


def _elements_of(array: UnknownArray) -> list[Unknown]:
    found: list[Unknown] = object.__getattribute__(array, "_elements")
    return found


class UnknownState:
    """A view whose variables are unknown."""

    __slots__ = ("_variables",)

    def __init__(self, names: tuple[str, ...], initial: tuple[Any, ...], paths: Paths) -> None:
        self._variables: dict[str, Unknown] = {}
        variables: dict[str, Unknown] = object.__getattribute__(self, "_variables")
        for position, (name, value) in enumerate(zip(names, initial, strict=True)):
            variable = Variable(position, name, is_scalar=not isinstance(value, Array | Bag | Queue))
            if isinstance(value, Array):
                variables[name] = UnknownArray(variable, len(value), paths)
            else:
                variables[name] = (Unknown if variable.is_scalar else UnknownContainer)(variable, paths)

    def __getattribute__(self, name: str) -> object:
        try:
            return object.__getattribute__(self, "_variables")[name]
        except KeyError:
            raise NeedsValueError from None

    __bool__ = __eq__ = __hash__ = __str__ = __repr__ = __format__ = _refuse


def is_unknown(value: object) -> bool:
    """Whether a value is unknown, by its type: it answers no other question."""
    return type(value) in (Unknown, UnknownArray, UnknownContainer)


def paths_of(unknown: object) -> Paths:
    """The ways that an unknown value is part of."""
    found: Paths = object.__getattribute__(unknown, "_paths")
    return found


def tree_of(value: object) -> Tree:
    """What a value is computed by."""
    if is_unknown(value):
        found: Tree = object.__getattribute__(value, "_tree")
        return found
    if type(value) in (bool, bytes, float, int, str, type(None)):
        return Constant(value)
    if type(value) is tuple:
        return Operation(_tuple, *map(tree_of, value))
    raise NeedsValueError


def _tuple(*values: object) -> tuple[object, ...]:
    return values
