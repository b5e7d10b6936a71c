"""Where the members of an index set are inside a value: as values of their own, or as positions of an array.

A shape does two things with a value: gives every member another name (`renamed`), and makes a key of it in which
members are told apart by their marks alone (`masked`), so that it is the same whatever they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from typing import Any, Protocol

from sweepcheck.core.values import Bag, SortKey, made_of, parts_of, sort_key
from sweepcheck.errors import ModelError, shown
from sweepcheck.text import value_text

MEMBER = 9  # what the key of a member begins with; those of other values begin with less


@dataclass(frozen=True, eq=False)
class IndexSet:
    """Members that may change their names, all with all, or by `rotation` only; each is known by its position."""

    members: tuple[Hashable, ...]
    rotation: bool = False
    positions: Mapping[Hashable, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", {member: position for position, member in enumerate(self.members)})

    def position(self, value: Hashable) -> int | None:
        """Which member a value is; none if it only equals one, as True equals 1."""
        found = self.positions.get(value)
        return found if found is not None and type(self.members[found]) is type(value) else None

    def __len__(self) -> int:
        return len(self.members)

    def __str__(self) -> str:
        listed = self.members if len(self.members) <= 5 else (*self.members[:2], ..., self.members[-1])
        return "{" + ", ".join("..." if one is ... else value_text(one) for one in listed) + "}"


Renaming = Mapping[IndexSet, Sequence[int]]  # the position that each position becomes
Marks = Mapping[IndexSet, Sequence[int]]  # by position


class Shape(Protocol):
    """Where members are in a value."""

    def renamed(self, value: Any, renaming: Renaming) -> Any:
        """The value when members are called otherwise."""

    def masked(self, value: Any, marks: Marks) -> SortKey:
        """A key of the value that knows members by their marks."""

    def named(self, value: Any) -> set[tuple[IndexSet, int]]:
        """The members that `renamed` and `masked` look up, by position."""

    def sets(self) -> frozenset[IndexSet]:
        """The index sets whose members may be there."""


def _key(value: Any, part_key: Callable[[Any], SortKey]) -> SortKey:
    """The key of a value with parts, made from theirs, in the manner of `sort_key`."""
    if isinstance(value, Bag):
        return (7, *sorted((part_key(token), count) for token, count in value.items()))
    if isinstance(value, frozenset):
        return (5, *sorted(map(part_key, value)))
    if isinstance(value, tuple):
        return (3, *map(part_key, value))
    if is_dataclass(value):
        return (6, type(value).__qualname__, *map(part_key, parts_of(value)))
    return sort_key(value)


def _remade(value: Any, parts: tuple[Any, ...]) -> Any:
    """The value with other parts."""
    made = made_of(value, parts)
    if made is value and parts != tuple(parts_of(value)):
        raise ModelError(
            "SC118",
            f"members of a symmetric set are inside {shown(value)}, and another {type(value).__name__} cannot be made",
            suggestion="keep members in tuples, named tuples, frozensets, frozen dataclasses, bags, queues and arrays",
        )
    return made


def _of_length(value: Any, length: int) -> tuple[Any, ...]:
    """The value, if it is a tuple as it was described."""
    if isinstance(value, tuple) and len(value) == length:
        return value
    raise ModelError(
        "SC118",
        f"{shown(value)} was to be a tuple of {length}, as the declaration of a symmetry says",
        suggestion="say where members are in all values that the variable has, or list its name: values=[...]",
    )


@dataclass(frozen=True, slots=True)
class Nowhere:
    """No member is in the value."""

    def renamed(self, value: Any, renaming: Renaming) -> Any:
        """See `Shape`."""
        del renaming
        return value

    def masked(self, value: Any, marks: Marks) -> SortKey:
        """See `Shape`."""
        del marks
        return sort_key(value)

    def named(self, value: Any) -> set[tuple[IndexSet, int]]:
        """See `Shape`."""
        del value
        return set()

    def sets(self) -> frozenset[IndexSet]:
        """See `Shape`."""
        return frozenset()


NOWHERE = Nowhere()


@dataclass(frozen=True, slots=True)
class Anywhere:
    """The value, and every part of it at any depth, is a member if it is one of a set; the sets have none in common."""

    of: tuple[IndexSet, ...]

    def _member(self, value: Any) -> tuple[IndexSet, int] | None:
        for one in self.of:
            position = one.position(value)
            if position is not None:
                return one, position
        return None

    def renamed(self, value: Any, renaming: Renaming) -> Any:
        """See `Shape`."""
        found = self._member(value)
        if found is not None:
            one, position = found
            return one.members[renaming[one][position]]
        parts = tuple(parts_of(value))
        return _remade(value, tuple(self.renamed(part, renaming) for part in parts)) if parts else value

    def masked(self, value: Any, marks: Marks) -> SortKey:
        """See `Shape`."""
        found = self._member(value)
        if found is not None:
            one, position = found
            return (MEMBER, self.of.index(one), marks[one][position])
        return _key(value, lambda part: self.masked(part, marks))

    def named(self, value: Any) -> set[tuple[IndexSet, int]]:
        """See `Shape`."""
        found = self._member(value)
        return {found} if found is not None else set().union(*(self.named(part) for part in parts_of(value)))

    def sets(self) -> frozenset[IndexSet]:
        """See `Shape`."""
        return frozenset(self.of)


@dataclass(frozen=True, slots=True)
class Elements:
    """All that a bag, queue, array, set or tuple holds has one shape."""

    shape: Shape

    def renamed(self, value: Any, renaming: Renaming) -> Any:
        """See `Shape`."""
        return _remade(value, tuple(self.shape.renamed(part, renaming) for part in parts_of(value)))

    def masked(self, value: Any, marks: Marks) -> SortKey:
        """See `Shape`."""
        return _key(value, lambda part: self.shape.masked(part, marks))

    def named(self, value: Any) -> set[tuple[IndexSet, int]]:
        """See `Shape`."""
        return set().union(*(self.shape.named(part) for part in parts_of(value)))

    def sets(self) -> frozenset[IndexSet]:
        """See `Shape`."""
        return self.shape.sets()


@dataclass(frozen=True, slots=True)
class Parts:
    """Each component of a tuple or record has a shape of its own."""

    shapes: tuple[Shape, ...]

    def renamed(self, value: Any, renaming: Renaming) -> Any:
        """See `Shape`."""
        paired = zip(self.shapes, _of_length(value, len(self.shapes)), strict=True)
        return _remade(value, tuple(shape.renamed(part, renaming) for shape, part in paired))

    def masked(self, value: Any, marks: Marks) -> SortKey:
        """See `Shape`."""
        paired = zip(self.shapes, _of_length(value, len(self.shapes)), strict=True)
        return (3, *(shape.masked(part, marks) for shape, part in paired))

    def named(self, value: Any) -> set[tuple[IndexSet, int]]:
        """See `Shape`."""
        paired = zip(self.shapes, _of_length(value, len(self.shapes)), strict=True)
        return set().union(*(shape.named(part) for shape, part in paired))

    def sets(self) -> frozenset[IndexSet]:
        """See `Shape`."""
        return frozenset().union(*(shape.sets() for shape in self.shapes))


@dataclass(frozen=True, slots=True)
class Either:
    """The shape is that of the first alternative which the value belongs to."""

    alternatives: tuple[tuple[Callable[[Any], bool], Shape], ...]

    def _of(self, value: Any) -> tuple[int, Shape]:
        for number, (contains, shape) in enumerate(self.alternatives):
            if contains(value):
                return number, shape
        return len(self.alternatives), NOWHERE

    def renamed(self, value: Any, renaming: Renaming) -> Any:
        """See `Shape`."""
        return self._of(value)[1].renamed(value, renaming)

    def masked(self, value: Any, marks: Marks) -> SortKey:
        """See `Shape`."""
        number, shape = self._of(value)
        return (number, shape.masked(value, marks))

    def named(self, value: Any) -> set[tuple[IndexSet, int]]:
        """See `Shape`."""
        return self._of(value)[1].named(value)

    def sets(self) -> frozenset[IndexSet]:
        """See `Shape`."""
        return frozenset().union(*(shape.sets() for _, shape in self.alternatives))


@dataclass(frozen=True, slots=True)
class Indexed:
    """An array with an element for each member, in the order of members; each element has a shape."""

    by: IndexSet
    element: Shape

    def renamed(self, value: Any, renaming: Renaming) -> Any:
        """See `Shape`."""
        moved: list[Any] = [None] * len(self.by)
        for part, to in zip(_of_length(value, len(self.by)), renaming[self.by], strict=True):
            moved[to] = self.element.renamed(part, renaming)
        return _remade(value, tuple(moved))

    def masked(self, value: Any, marks: Marks) -> SortKey:
        """See `Shape`."""
        paired = zip(marks[self.by], _of_length(value, len(self.by)), strict=True)
        return (3, *sorted((mark, self.element.masked(part, marks)) for mark, part in paired))

    def named(self, value: Any) -> set[tuple[IndexSet, int]]:
        """See `Shape`."""
        inside = (self.element.named(part) for part in _of_length(value, len(self.by)))
        return {(self.by, position) for position in range(len(self.by))}.union(*inside)

    def sets(self) -> frozenset[IndexSet]:
        """See `Shape`."""
        return self.element.sets() | {self.by}
