"""A symmetry as plain data for engines that have the values of variables one by one, not states."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from sweepcheck.core.equivalence import SymmetricPart, Symmetry
from sweepcheck.core.values import Array, Bag, Queue, SortKey
from sweepcheck.models.structures.parts import Leaf
from sweepcheck.models.symmetry.shape import Anywhere, Elements, Indexed, IndexSet, Nowhere, Parts, Shape


class ShapeNaming:
    """What the values of a variable say of members, by a shape. See `Naming`."""

    def __init__(self, shape: Shape, sets: Sequence[IndexSet]) -> None:
        self._shape = shape
        self._sets = sets
        self._masks: dict[SortKey, int] = {}

    def named(self, value: Any) -> list[tuple[int, int]]:
        """The members that a value names, each by the number of its set and its position."""
        found = self._shape.named(value)
        return [(number, at) for number, one in enumerate(self._sets) for at in range(len(one)) if (one, at) in found]

    def renamed(self, value: Any, to: Sequence[int]) -> Any:
        """The value when these are at other positions."""
        return self._shape.renamed(value, self._numbered(value, to))

    def masked(self, value: Any, marks: Sequence[int]) -> int:
        """A number for the value in which these are known by marks alone."""
        return self._masks.setdefault(self._shape.masked(value, self._numbered(value, marks)), len(self._masks))

    def _numbered(self, value: Any, numbers: Sequence[int]) -> dict[IndexSet, list[int]]:
        """Numbers for the members that a value names; what the others have makes no difference to it."""
        given = {one: list(range(len(one))) for one in self._sets}
        for (number, position), wanted in zip(self.named(value), numbers, strict=True):
            given[self._sets[number]][position] = wanted
        return given


class _MisfitError(Exception):
    """A shape that an array does not have: what is wrong is said when its first state is looked at."""


def symmetry(
    shapes: Mapping[str, Shape], leaves: Mapping[str, Leaf], values: Mapping[str, Hashable], sets: Sequence[IndexSet]
) -> Symmetry | None:
    """The symmetry of variables with these shapes and values, `leaves` being arrays that are made of several.

    None where members are known by their place in a queue, or a bag is to have elements.
    """
    found: list[SymmetricPart] = []
    try:
        for name, shape in shapes.items():
            leaf = leaves.get(name, Leaf(name, (name,), ()))
            found += _parts(shape, leaf, values[leaf.variables[0]], sets)
    except _MisfitError:
        return None
    return Symmetry(tuple((len(one), one.rotation) for one in sets), tuple(found))


def _parts(shape: Shape, leaf: Leaf, first: Hashable, sets: Sequence[IndexSet]) -> Iterator[SymmetricPart]:
    """The parts of an array, or of what is none, whose first variable has this value."""
    lengths = tuple(map(len, leaf.keys))
    cells = [(variable, 0) for variable in leaf.variables]
    if isinstance(first, Array):
        lengths = lengths or (len(first),)
        cells = [(leaf.variables[0], at) for at in range(len(first))]
    namings: dict[int, ShapeNaming] = {}  # by shape: what is known of values is known of all elements
    for axes, inner in _pieces(shape, lengths):
        told = inner
        if isinstance(first, Bag | Queue):
            if not isinstance(inner, Nowhere | Elements | Anywhere):
                raise _MisfitError
            told = _element(inner)
        by = tuple(sets.index(axis) for axis in axes if isinstance(axis, IndexSet))
        if not by and not told.sets():
            continue
        naming = namings.setdefault(id(inner), ShapeNaming(told, sets)) if told.sets() else None
        ranges = [range(len(axis)) if isinstance(axis, IndexSet) else (axis,) for axis in axes]
        yield SymmetricPart(tuple(cells[_position(at, lengths)] for at in product(*ranges)), by, naming, cells[0])


def _pieces(shape: Shape, lengths: Sequence[int]) -> Iterator[tuple[tuple[IndexSet | int, ...], Shape]]:
    """An array of these lengths as pieces whose elements have one shape: for each dimension a set, or a position."""
    if not lengths:
        yield (), shape
    elif isinstance(shape, Indexed):
        if len(shape.by) != lengths[0]:
            raise _MisfitError
        for axes, inner in _pieces(shape.element, lengths[1:]):
            yield (shape.by, *axes), inner
    else:
        rows = shape.shapes if isinstance(shape, Parts) else [_element(shape)] * lengths[0]
        if len(rows) != lengths[0]:
            raise _MisfitError
        for at, row in enumerate(rows):
            for axes, inner in _pieces(row, lengths[1:]):
                yield (at, *axes), inner


def _element(shape: Shape) -> Shape:
    return shape.shape if isinstance(shape, Elements) else shape


def _position(at: Sequence[int], lengths: Sequence[int]) -> int:
    position = 0
    for one, length in zip(at, lengths, strict=True):
        position = position * length + one
    return position
