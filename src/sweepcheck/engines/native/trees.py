"""What a measure computes, as trees: written down by running it on unknown values, evaluated on any state later.

A tree is equal to another one that computes the same in the same way. Its hash is made once: trees may be deep.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from types import NoneType
from typing import Any

_PLAIN = (bool, bytes, float, int, str, NoneType)


class NonlinearError(Exception):
    """The measure, or a value it is to count with, is not of this kind."""


class Tree:
    """A computation. `key` tells it from others of its class; `parts` are the trees that it begins with."""

    __slots__ = ("_hash", "key", "parts")

    def __init__(self, key: Any, *parts: Tree) -> None:
        self.key = key
        self.parts = parts
        self._hash: int = hash((type(self), key, *(part._hash for part in parts)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or not isinstance(other, Tree) or self._hash != other._hash:
            return False
        return bool(self.key == other.key and self.parts == other.parts)

    def evaluate(self, view: Any) -> Any:
        """Its value in a state, which an engine's view shows."""
        raise NotImplementedError

    def reachable(self) -> Iterator[Tree]:
        """All trees in it, with repetition, itself first."""
        waiting = [self]
        while waiting:
            tree = waiting.pop()
            yield tree
            waiting.extend(tree.parts)


class Constant(Tree):
    """A value that does not depend on the state. 1, 1.0 and True are different ones."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        super().__init__((type(value), value if type(value) in _PLAIN else id(value)))
        self.value = value

    def evaluate(self, view: Any) -> Any:  # noqa: ARG002 - it is the same in all
        """The constant."""
        return self.value


class State(Tree):
    """The whole state, as the measure sees it."""

    __slots__ = ("shown",)

    def __init__(self, shown: Callable[[Any], Any]) -> None:
        super().__init__("state")
        self.shown = shown

    def evaluate(self, view: Any) -> Any:
        """What the measure is given."""
        return self.shown(view)


class Variable(Tree):
    """A variable by position and name; of an array one element, or all of it (None). A scalar has one value."""

    __slots__ = ("element", "is_scalar", "name", "position")

    def __init__(self, position: int, name: str, element: int | None = None, is_scalar: bool = True) -> None:
        super().__init__((position, element))
        self.position, self.name, self.element, self.is_scalar = position, name, element, is_scalar

    def evaluate(self, view: Any) -> Any:
        """Its value."""
        value = getattr(view, self.name)
        return value if self.element is None else value[self.element]


class Size(Tree):
    """How many tokens or elements a bag or queue has."""

    __slots__ = ("variable",)

    def __init__(self, variable: Variable) -> None:
        super().__init__(variable.position, variable)
        self.variable = variable

    def evaluate(self, view: Any) -> Any:
        """The number."""
        return len(self.variable.evaluate(view))


class Operation(Tree):
    """A function of trees; the last of them are given by these names."""

    __slots__ = ("function", "names")

    def __init__(self, function: Callable[..., Any], *parts: Tree, names: tuple[str, ...] = ()) -> None:
        super().__init__((function, names), *parts)
        self.function, self.names = function, names

    def evaluate(self, view: Any) -> Any:
        """What the function gives."""
        values = [part.evaluate(view) for part in self.parts]
        split = len(values) - len(self.names)
        return self.function(*values[:split], **dict(zip(self.names, values[split:], strict=True)))


class Choice(Tree):
    """One of two trees, as a condition says; the other one is not evaluated."""

    __slots__ = ()

    def __init__(self, condition: Tree, yes: Tree, no: Tree) -> None:
        super().__init__("choice", condition, yes, no)

    def evaluate(self, view: Any) -> Any:
        """The value of the tree that is chosen."""
        condition, yes, no = self.parts
        return yes.evaluate(view) if condition.evaluate(view) else no.evaluate(view)


class Total(Tree):
    """A sum of whole numbers, in any order."""

    __slots__ = ("sum",)

    def __init__(self, of: Sum) -> None:
        super().__init__((of.constant, tuple(of.terms.values())), *of.terms)
        self.sum = of

    def evaluate(self, view: Any) -> Any:
        """The sum; other numbers, whose sums may depend on the order, are not added up."""
        total = self.sum.constant
        for tree, coefficient in self.sum.terms.items():
            value = tree.evaluate(view)
            if type(value) not in (int, bool):
                raise NonlinearError
            total += coefficient * value
        return total


class Sum:
    """A constant plus trees with coefficients."""

    __slots__ = ("constant", "terms")

    def __init__(self, constant: int = 0, terms: dict[Tree, int] | None = None) -> None:
        self.constant = constant
        self.terms = {} if terms is None else terms

    def add(self, other: Sum, factor: int = 1) -> None:
        """So many of another one. A term with coefficient 0 stays: it must be a number all the same."""
        self.constant += factor * other.constant
        for tree, coefficient in other.terms.items():
            self.terms[tree] = self.terms.get(tree, 0) + factor * coefficient

    def without(self, terms: dict[Tree, int]) -> Sum:
        """The rest of it."""
        return Sum(self.constant, {tree: c for tree, c in self.terms.items() if tree not in terms})


def sum_of(tree: Tree) -> Sum:
    """A tree as a sum of trees that are none."""
    total = Sum()
    waiting = [(tree, 1)]  # with a loop: sums of large arrays are deep
    while waiting:
        one, factor = waiting.pop()
        split = list(_split(one))
        if split:
            waiting.extend((part, factor * times) for part, times in reversed(split))
        elif isinstance(one, Constant) and (type(one.value) is int or (type(one.value) is bool and one is not tree)):
            total.add(Sum(int(one.value)), factor)
        elif isinstance(one, Choice):
            total.add(_chosen(one), factor)
        else:
            total.add(Sum(0, {one: 1}), factor)
    return total


def _split(tree: Tree) -> Iterator[tuple[Tree, int]]:
    """The summands of an operation that is a sum; none of any other tree."""
    numbers = (int, bool)
    if not isinstance(tree, Operation) or any(
        isinstance(one, Constant) and type(one.value) not in numbers for one in tree.parts
    ):
        return
    if tree.function in (operator.add, operator.sub):
        yield tree.parts[0], 1
        yield tree.parts[1], 1 if tree.function is operator.add else -1
    elif tree.function in (operator.neg, operator.pos):
        yield tree.parts[0], -1 if tree.function is operator.neg else 1
    elif tree.function is operator.mul:
        for one, other in (tree.parts, tree.parts[::-1]):
            if isinstance(other, Constant):
                yield one, other.value
                return


def _chosen(tree: Choice) -> Sum:
    """What both sides of a choice have in common, and the choice between the rest of them."""
    condition, *sides = tree.parts
    yes, no = map(sum_of, sides)
    common = {one: c for one, c in yes.terms.items() if no.terms.get(one) == c}
    if not common:
        return Sum(0, {tree: 1})
    rest = Choice(condition, Total(yes.without(common)), Total(no.without(common)))
    return Sum(0, {**common, rest: 1})
