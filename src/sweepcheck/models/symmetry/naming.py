"""A symmetry as plain data for engines that have the values of variables one by one, not states."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from sweepcheck.core.equivalence import Symmetry
from sweepcheck.core.values import Array, Bag, Queue, SortKey
from sweepcheck.models.symmetry.shape import Anywhere, Elements, Indexed, IndexSet, Shape


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


def symmetry(shapes: Mapping[str, Shape], values: Mapping[str, Hashable], sets: Sequence[IndexSet]) -> Symmetry | None:
    """The symmetry of variables with these shapes and values; None where members are known by their place in an array.

    That is so where an array has another shape for each of its elements.
    """
    indexed: dict[str, int] = {}
    naming: dict[str, ShapeNaming] = {}
    for name, shape in shapes.items():
        inner: Shape | None = shape
        if isinstance(values[name], Array) and isinstance(shape, Indexed):
            indexed[name], inner = sets.index(shape.by), shape.element
        elif isinstance(values[name], Array | Bag | Queue):
            inner = shape.shape if isinstance(shape, Elements) else shape if isinstance(shape, Anywhere) else None
        if inner is None:
            return None
        if inner.sets():
            naming[name] = ShapeNaming(inner, sets)
    return Symmetry(tuple((len(one), one.rotation) for one in sets), indexed, naming)
