"""Sorts: the colours of symmetric nets. All are finite, and their values have an order."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod


@dataclass(frozen=True)
class Sort:
    """A finite set of values; `name` is how the file calls it, or how it would be written."""

    name: str

    @property
    def size(self) -> int:
        """How many values there are; a product may have more than can be listed."""
        return len(self.values)

    @cached_property
    def values(self) -> tuple[Hashable, ...]:
        """All of them, in order."""
        raise NotImplementedError

    @cached_property
    def positions(self) -> dict[Hashable, int]:
        """Where in the order each of them is."""
        return {value: position for position, value in enumerate(self.values)}

    def moved(self, value: Hashable, steps: int) -> Hashable:
        """The value so many steps further, from the last to the first."""
        return self.values[(self.positions[value] + steps) % len(self.values)]


@dataclass(frozen=True)
class Dot(Sort):
    """Black tokens."""

    name: str = "dot"

    @cached_property
    def values(self) -> tuple[Hashable, ...]:
        """See `Sort`."""
        return ((),)


@dataclass(frozen=True)
class Enumeration(Sort):
    """Values that are listed; only in a cyclic one each has a successor. A partition is one, too."""

    listed: tuple[str, ...]
    cyclic: bool = False

    @cached_property
    def values(self) -> tuple[Hashable, ...]:
        """See `Sort`."""
        return self.listed


@dataclass(frozen=True)
class IntRange(Sort):
    """Whole numbers from `start` to `end`."""

    start: int
    end: int

    @property
    def size(self) -> int:
        """See `Sort`."""
        return self.end - self.start + 1

    @cached_property
    def values(self) -> tuple[Hashable, ...]:
        """See `Sort`."""
        return tuple(range(self.start, self.end + 1))


@dataclass(frozen=True)
class Product(Sort):
    """Tuples with a component of each sort."""

    parts: tuple[Sort, ...]

    @property
    def size(self) -> int:
        """See `Sort`."""
        return prod(part.size for part in self.parts)

    @cached_property
    def values(self) -> tuple[Hashable, ...]:
        """See `Sort`."""
        return tuple(product(*(part.values for part in self.parts)))


@dataclass(frozen=True)
class Partition:
    """Which element of a partition each value of a sort belongs to."""

    of: Sort
    elements: Enumeration
    member: dict[Hashable, str] = field(default_factory=dict)


def alike(one: Sort, other: Sort) -> bool:
    """Whether two sorts have the same values, whatever they are called."""
    if isinstance(one, Product) or isinstance(other, Product):
        if not (isinstance(one, Product) and isinstance(other, Product)) or len(one.parts) != len(other.parts):
            return False
        return all(alike(*pair) for pair in zip(one.parts, other.parts, strict=True))
    if isinstance(one, IntRange) and isinstance(other, IntRange):
        return (one.start, one.end) == (other.start, other.end)
    return one is other or (type(one) is type(other) and one.values == other.values)
