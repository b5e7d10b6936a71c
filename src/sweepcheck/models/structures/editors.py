"""Records, arrays and maps of a state, while an action works on it or a predicate reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from sweepcheck.core.values import Array
from sweepcheck.errors import (
    ModelAttributeError,
    ModelError,
    ModelIndexError,
    ModelKeyError,
    ModelTypeError,
    ModelValueError,
    closest,
    shown,
)

if TYPE_CHECKING:
    from sweepcheck.models.structures.parts import Elements, Fields, Flat, Positions


class RecordEditor:
    """A record: its fields are attributes."""

    __slots__ = ("_at", "_flat", "_part")
    _flat: Flat
    _part: Fields
    _at: Positions

    def __init__(self, flat: Flat, part: Fields, at: Positions) -> None:
        set_plainly = object.__setattr__
        set_plainly(self, "_flat", flat)
        set_plainly(self, "_part", part)
        set_plainly(self, "_at", at)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python's own questions, such as those of copy
            raise AttributeError(name)
        return self._field(name).reach(self._flat, self._at)

    def __setattr__(self, name: str, value: Any) -> None:
        self._field(name).assign(self._flat, self._at, value)

    def __delattr__(self, name: str) -> None:
        raise undeletable(f"field {name!r} of record {self._part.name!r}")

    def __getitem__(self, key: Any) -> Any:
        fields = ", ".join(self._part.parts)
        what = f"record {self._part.name!r} has no element {shown(key)}"
        raise ModelTypeError("SC214", what, suggestion=f"its fields are read and assigned by a dot: {fields}")

    def __setitem__(self, key: Any, value: Any) -> None:
        self[key]

    def _field(self, name: str) -> Any:
        part = self._part.parts.get(name)
        if part is None:
            what = f"record {self._part.name!r} has no field {name!r}"
            raise ModelError("SC202", what, suggestion=closest(name, list(self._part.parts)))
        return part

    def _gathered(self, *_: Any) -> Any:
        """The record as a value of its own."""
        return self._part.value(self._flat, self._at)

    __copy__ = __deepcopy__ = _gathered

    def __reduce_ex__(self, protocol: Any) -> Any:
        return copy, (self._gathered(),)

    def __eq__(self, other: object) -> bool:
        return bool(self._gathered() == _gathered(other))

    def __hash__(self) -> int:  # so that a predicate can look for it in a set; states do not take it (`unfit`)
        return hash(self._gathered())

    def __repr__(self) -> str:
        return repr(self._gathered())


class TableEditor:
    """An array of any shape, a row of one, or a map."""

    __slots__ = ("_at", "_flat", "_part")

    def __init__(self, flat: Flat, part: Elements, at: Positions) -> None:
        self._flat = flat
        self._part = part
        self._at = at

    # -- one element ------------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:  # without detours, since elements are read millions of times
        part = self._part
        if part.positions is not None:
            if part.plain is not None:
                try:
                    return getattr(self._flat, part.plain)[part.positions[key]]
                except (KeyError, TypeError):
                    pass  # for which there is an error below
        elif type(key) is int:
            line = part.line
            if line is not None and 0 <= key < line.lengths[-1]:
                return getattr(self._flat, line.name)[self._at[0] * line.lengths[-1] + key if self._at else key]
        elif type(key) is tuple and (square := part.square) is not None and len(key) == 2:
            (row, column), (rows, columns) = key, square.lengths
            if type(row) is int is type(column) and 0 <= row < rows and 0 <= column < columns:
                return getattr(self._flat, square.name)[row * columns + column]
        elif isinstance(key, slice):
            return tuple(self._element(position) for position in range(len(self))[key])
        found, at = self._found(key)
        return found.reach(self._flat, at)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            raise self._impossible("has no slices that can be assigned", "assign its elements one by one")
        part, at = self._found(key)
        part.assign(self._flat, at, value)

    def __delitem__(self, key: Any) -> None:
        raise undeletable(f"element {shown(key)} of {self._kind} {self._part.name!r}")

    def _found(self, key: Any) -> tuple[Any, Positions]:
        """The part that a key, or several of them, lead to."""
        part: Any = self._part
        if not isinstance(key, tuple) or (part.positions is not None and key in part.positions):
            return part.part, (*self._at, self._position(part, key))
        at = self._at
        for one in key:
            if not hasattr(part, "keys"):
                raise self._impossible(f"has fewer dimensions than {shown(key)} has indices", None)
            at = (*at, self._position(part, one))
            part = part.part
        return part, at

    def _position(self, part: Elements, key: Any) -> int:
        length = len(part.keys)
        if part.positions is not None:
            try:
                return part.positions[key]
            except (KeyError, TypeError):
                keys = ", ".join(map(shown, part.keys[:10])) + (", ..." if length > 10 else "")
                what = f"{shown(key)} is no key of map {part.name!r}"
                raise ModelKeyError("SC207", what, suggestion=f"its keys are {keys}") from None
        if not isinstance(key, int):
            what = f"{shown(key)} is no index of array {part.name!r}"
            raise ModelTypeError("SC207", what, suggestion=f"indices are whole numbers, here from 0 to {length - 1}")
        if not -length <= key < length:
            what = f"index {shown(key)} is outside array {part.name!r} of length {length}"
            raise ModelIndexError("SC207", what, suggestion=f"indices run from 0 to {length - 1}")
        return key % length

    def _positions(self, keys: list[Any]) -> list[int] | None:
        """Where the elements of these keys lie in the first dimension; None if there is a key that it has not."""
        known, length = self._part.positions, len(self)
        try:
            if known is not None:
                return [known[key] for key in keys]
        except (KeyError, TypeError):
            return None
        inside = all(type(key) is int and -length <= key < length for key in keys)
        return [key % length for key in keys] if inside else None

    def _element(self, position: int) -> Any:
        return self._part.part.reach(self._flat, (*self._at, position))

    # -- all of them ------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._part.keys)

    def __iter__(self) -> Iterator[Any]:
        """The elements of an array, the keys of a map."""
        if self._part.positions is not None:
            return iter(self._part.keys)
        return ElementIterator(self)

    def _spans(self) -> dict[str | None, tuple[Any, int, int, int]]:
        """Where plain elements lie side by side (None), or those of each field: array, first, distance, how many."""
        return self._part.spans(self._flat, self._at)

    def __contains__(self, wanted: object) -> bool:
        if self._part.positions is not None:
            return wanted in self._part.positions
        found = self._equal(wanted, counting=False)
        return any(element == wanted for element in self) if found is NotImplemented else bool(found)

    def keys(self) -> tuple[Any, ...]:
        """The keys of a map, the indices of an array."""
        return tuple(self._part.keys)

    def values(self) -> Iterator[Any]:
        """The elements, in the order of the keys."""
        return ElementIterator(self)

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Keys and elements."""
        return zip(self._part.keys, self.values(), strict=True)

    def count(self, wanted: object) -> int:
        """How many elements are equal to this."""
        found = self._equal(wanted, counting=True)
        return sum(1 for element in self.values() if element == wanted) if found is NotImplemented else found

    def _equal(self, wanted: object, counting: bool) -> Any:
        """How many elements are equal to this, or whether any is, where an engine takes that as one question."""
        array, *span = self._spans().get(None, (None, 0, 1, 0))
        equal = getattr(type(array), "_equal", None)
        return NotImplemented if equal is None else equal(array, wanted, counting, *span)

    def index(self, wanted: object) -> Any:
        """The first index, or key, with an element that is equal to this."""
        for key, element in self.items():
            if element == wanted:
                return key
        raise self._impossible(f"has no element {shown(wanted)}", "ask first: x in s.a", ModelValueError)

    def _gathered(self, *_: Any) -> Any:
        """The array or map as a value of its own."""
        return self._part.value(self._flat, self._at)

    __copy__ = __deepcopy__ = _gathered

    def __reduce_ex__(self, protocol: Any) -> Any:
        return copy, (self._gathered(),)

    def __eq__(self, other: object) -> bool:
        return bool(self._gathered() == _gathered(other))

    def __hash__(self) -> int:
        return hash(self._gathered())

    def __repr__(self) -> str:
        return repr(self._gathered())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        key = "i" if self._part.positions is None else "key"
        said = f"its elements are s.{self._part.name}[{key}]"
        raise self._impossible(f"has no operation {name!r}", said, ModelAttributeError)

    @property
    def _kind(self) -> str:
        return "array" if self._part.positions is None else "map"

    def _impossible(self, what: str, suggestion: str | None, error: type[ModelError] = ModelTypeError) -> ModelError:
        return error("SC214", f"{self._kind} {self._part.name!r} {what}", suggestion=suggestion)


class ShapedEditor(TableEditor):
    """An array of any shape, or a row of one: what is compared or put together are values of its own."""

    __slots__ = ()

    def __lt__(self, other: Any) -> Any:
        return self._gathered() < _valued(other)

    def __le__(self, other: Any) -> Any:
        return self._gathered() <= _valued(other)

    def __gt__(self, other: Any) -> Any:
        return self._gathered() > _valued(other)

    def __ge__(self, other: Any) -> Any:
        return self._gathered() >= _valued(other)

    def __add__(self, other: Any) -> Any:
        return self._gathered() + _valued(other)

    def __radd__(self, other: Any) -> Any:
        return other + self._gathered()

    def __mul__(self, times: Any) -> Any:
        return self._gathered() * times

    __rmul__ = __mul__


Sequence.register(ShapedEditor)  # so that `match` takes it apart


class ElementIterator:
    """Goes through the elements of an array. Whoever meets it before it has begun may ask what it goes through."""

    __slots__ = ("_next", "_table")

    def __init__(self, table: TableEditor) -> None:
        self._table = table
        self._next = 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._next >= len(self._table):
            raise StopIteration
        self._next += 1
        return self._table._element(self._next - 1)

    def _source(self) -> TableEditor | None:
        return None if self._next else self._table

    def _spans(self) -> dict[str | None, tuple[Any, int, int, int]]:
        """See `TableEditor`."""
        return {} if self._next else self._table._spans()

    def close(self) -> None:
        """Come to the end, as whoever goes through all elements does."""
        self._next = len(self._table)


def undeletable(what: str) -> ModelError:
    """The error for a `del`."""
    return ModelAttributeError(
        "SC204",
        f"{what} cannot be deleted",
        suggestion="it is there in every state; assign a value that means nothing, such as None",
    )


def _gathered(other: Any) -> Any:
    """What an array, a map or a record is compared with, as a value; rows may be written as lists."""
    if isinstance(other, list):
        return Array(map(_gathered, other))
    return _valued(other)


def _valued(other: Any) -> Any:
    return other._gathered() if isinstance(other, RecordEditor | TableEditor) else other
