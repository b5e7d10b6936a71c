"""Bag, Queue and Array: the structured values of a state.

They are immutable values outside drafts: hashable, comparable, printable. Inside an action a variable declared
with one of them is read and changed through the draft (`models.actions.draft`).
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator
from copy import copy
from dataclasses import fields, is_dataclass
from datetime import datetime, time
from decimal import Decimal
from enum import Enum, Flag
from functools import lru_cache
from numbers import Real
from operator import is_
from types import EllipsisType, NoneType
from typing import TYPE_CHECKING, Any, Self

from sweepcheck.errors import ModelError, caller, shown, told
from sweepcheck.text import value_text

SortKey = tuple[Any, ...]
MOST_TOKENS = sys.maxsize  # what len() can say


def sort_key(value: object) -> SortKey:
    """A key that puts any hashable values into one fixed order, whatever the hash seed.

    Numbers come first, then text, then everything else by type. Different values may share a key (two classes with the
    same words in their `repr`), so equality never depends on it.
    """
    if isinstance(value, Real):
        return (0, value)
    if isinstance(value, str):
        return (1, value)
    if value is None:
        return (2,)
    if isinstance(value, tuple):
        return (3, *map(sort_key, value))
    if isinstance(value, Flag):  # a combination of flags is no member of its class
        return (4, type(value).__qualname__, value.value)
    if isinstance(value, Enum):
        return (4, type(value).__qualname__, list(type(value)).index(value))
    if isinstance(value, frozenset | set):
        return (5, *sorted(map(sort_key, value)))
    if is_dataclass(value) and not isinstance(value, type):
        return (6, type(value).__qualname__, *(sort_key(getattr(value, f.name)) for f in fields(value)))
    if isinstance(value, Bag):
        return (7, *((sort_key(token), count) for token, count in value.items()))
    if isinstance(value, Composite):
        return (8, type(value).__qualname__, *map(sort_key, value._names_and_values()))
    return (9, type(value).__qualname__, repr(value))


class Composite:
    """A record or a map: values by name, whose order is shown and does not count."""

    __slots__ = ()

    def _entries(self) -> dict[Any, Any]:
        raise NotImplementedError

    def _with(self, entries: dict[Any, Any]) -> Any:
        """The same with other values."""
        raise NotImplementedError

    def _names_and_values(self) -> tuple[Any, ...]:
        """Each name and then its value, in the fixed order of the names."""
        entries = sorted(self._entries().items(), key=lambda entry: sort_key(entry[0]))
        return tuple(one for pair in entries for one in pair)


def unfit(value: Any) -> str | None:
    """Why a value cannot be part of a state; None when it can."""
    kind: Any = type(value)
    if kind in _PLAIN or value is BLACK:
        return None
    if hasattr(kind, "_gathered"):
        return f"is a part of the state (a {kind.__name__}) and no value of its own"
    try:
        hash(value)
        if value != value:  # noqa: PLR0124 - what this asks
            return "does not equal itself, so that a state with it would never be recognised again"
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a __hash__ or __eq__ of the user's may raise
        return f"cannot be hashed ({error})" if isinstance(error, TypeError) else f"cannot be compared ({told(error)})"
    if _compares_by_identity(kind):
        return "equals nothing but itself, so that a state with it would never be recognised again"
    for part in parts_of(value):
        if (why := unfit(part)) is not None:
            return why if why.startswith("holds") else f"holds {shown(part)}, which {why}"
    return None


_PLAIN = frozenset({int, str, bool, bytes, NoneType})  # always fit, and most values are of these types
BLACK = ()  # the token that is only counted: there is one such object, and nets of thousands of places ask for it


def alike(one: Any, other: Any) -> bool:
    """Whether two equal values are the same in every respect: of one type, down to their parts.

    2 equals 2.0 and True equals 1, but an action may tell them apart. Values of a user's own class are alike if they
    are equal: what its `__eq__` leaves out does not count.
    """
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if issubclass(kind, tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if issubclass(kind, frozenset | Bag):  # a bag's tokens with one sort key have no order
        partners = {part: part for part in parts_of(other)}
        return all(part in partners and alike(part, partners[part]) for part in parts_of(one))
    if issubclass(kind, _TOLD_BY_WORDS):
        return repr(one) == repr(other)
    return all(map(alike, parts_of(one), parts_of(other)))


def settled(value: Any) -> Any:
    """The value with its sets made anew from their elements in the fixed order; itself where that changes nothing.

    Equal sets may give their elements in different orders, depending on how they were made: {0, 8} and {8, 0} do. An
    action that takes the first would do something else in equal states.
    """
    if type(value) in _PLAIN:
        return value
    parts = tuple(parts_of(value))
    kept = tuple(map(settled, parts))
    if type(value) is frozenset:
        kept = tuple(_sorted_set(kept))
    return value if all(map(is_, kept, parts)) else made_of(value, kept)


def _sorted_set(elements: tuple[Any, ...]) -> frozenset[Any]:
    try:
        return frozenset(sorted(elements, key=sort_key))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - whatever a __repr__ or __lt__ of the user's may raise: there is no fixed order
        return frozenset(elements)


def made_of(value: Any, parts: tuple[Any, ...]) -> Any:
    """A value equal to this one, with these parts; of a kind that cannot be made this way the value itself."""
    kind = type(value)
    if kind is frozenset:
        return _sorted_set(parts)
    if kind is tuple or kind is Array:
        return kind(parts)
    if kind is Queue:
        return Queue(parts, value.capacity)
    if issubclass(kind, Bag):
        return kind(dict(zip(parts, (count for _, count in value.items()), strict=True)))
    if isinstance(value, Composite):
        kept = dict(zip(parts[::2], parts[1::2], strict=True))
        return value._with({name: kept[name] for name in value._entries()})
    if issubclass(kind, tuple) and hasattr(kind, "_make"):  # a named tuple
        return kind._make(parts)
    if is_dataclass(kind) and not issubclass(kind, tuple | frozenset):
        made = copy(value)
        for field, part in zip((field for field in fields(kind) if field.compare), parts, strict=True):
            object.__setattr__(made, field.name, part)
        return made
    return value


def unlike(what: str, first: object, second: object) -> ModelError:
    """The error for something that was given two equal values which are not alike."""
    return ModelError(
        "SC215",
        f"{what} was given {shown(second)}, and has had {shown(first)}, which is equal and not alike",
        values=[(type(one).__name__, shown(one)) for one in (first, second)],
        suggestion="let equal values be alike, of one type: int(x), bool(x), float(x), x // 2 instead of x / 2",
    )


# Their equality leaves something out: the sign of zero, trailing zeros, a step that is never taken, a time zone.
_TOLD_BY_WORDS = (float, complex, Decimal, range, datetime, time)


def parts_of(value: Any) -> Iterable[Any]:
    """The values inside a value that its equality looks at, as far as that can be known."""
    if isinstance(value, Bag):
        return value.distinct()
    if isinstance(value, tuple | frozenset):
        return value
    if isinstance(value, Composite):
        return value._names_and_values()
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in fields(value) if field.compare]
    return ()


@lru_cache(maxsize=4096)
def _compares_by_identity(kind: type) -> bool:
    """Whether two objects of a kind are never equal; true of functions, generators and most hand-written classes."""
    plain: Any = object
    inherited = getattr(kind, "__eq__") is plain.__eq__  # noqa: B009 - mypy knows better than object
    return inherited and not issubclass(kind, type | NoneType | EllipsisType | Enum)


def _same(one: Hashable, other: Hashable) -> Hashable:
    """The first of two equal tokens, if a bag can hold them as one."""
    if alike(one, other):
        return one
    raise ValueError(f"a bag cannot hold both {shown(one)} and {shown(other)}, which are equal and not alike")


# What changes a variable that is a bag, set or queue; the value that it has is asked for them by mistake.
CHANGES = frozenset({"add", "append", "clear", "discard", "get", "pop", "popleft", "put", "remove", "take", "update"})


def _no_attribute(value: object, name: str) -> AttributeError:
    """Why a bag or queue lacks an attribute: for one that would change it, where such a bag or queue is to be had."""
    kind = type(value).__name__
    what = f"a {kind.lower()} has no operation {name!r}"
    if name in CHANGES:
        what += (
            f": this {kind.lower()} is a value; a variable can be changed, and so can elements of Array(..., shape=n)"
        )
    return AttributeError(what, name=name, obj=value)


def without_hash(what: str, error: TypeError) -> Exception:
    """The error for a structure that was given something without a hash; any other mistake as it is."""
    if not str(error).startswith("unhashable"):
        return error
    what = f"{what} was given something that cannot be hashed ({error})"
    return ModelError("SC203", what, where=caller(), suggestion="use a tuple for a list, a frozenset for a set")


class Bag:
    """An immutable multiset: distinct tokens in a fixed order, each with a count.

    >>> Bag(["a", "b", "a"])
    2*'a' + 1*'b'
    >>> Bag(["a"]) + Bag(["b", "b"]) - Bag(["a"])
    2*'b'
    """

    __slots__ = ("_hash", "_items", "_size")
    _items: tuple[tuple[Hashable, int], ...]
    _size: int
    _hash: int | None

    def __init__(self, tokens: Iterable[Hashable] | dict[Hashable, int] = ()) -> None:
        pairs = tokens.items() if isinstance(tokens, dict) else ((token, 1) for token in tokens)
        self._set(_sorted(pairs))

    def _set(self, items: tuple[tuple[Hashable, int], ...]) -> None:
        self._items = items
        self._size = sum(count for _, count in items)
        self._hash = None
        if self._size > MOST_TOKENS:
            raise ValueError(f"a bag cannot hold {self._size:,} tokens, only {MOST_TOKENS:,}")

    @classmethod
    def _of(cls, items: tuple[tuple[Hashable, int], ...]) -> Bag:
        bag = cls.__new__(cls)
        bag._set(items)
        return bag

    def items(self) -> tuple[tuple[Hashable, int], ...]:
        """The distinct tokens with their counts, in the fixed order."""
        return self._items

    def distinct(self) -> tuple[Hashable, ...]:
        """The distinct tokens, in the fixed order."""
        return tuple([token for token, _ in self._items])

    @property
    def token(self) -> Hashable:
        """The only token of a bag that holds exactly one."""
        if self._size != 1:
            raise ValueError(f"token is asked of a bag with {self._size} tokens: {self!r}")
        return self._items[0][0]

    if not TYPE_CHECKING:  # a checker of types would believe that there is everything

        def __getattr__(self, name):
            raise _no_attribute(self, name)

    def _position(self, token: object) -> int | None:
        for index, (other, _) in enumerate(self._items):
            if other is token or other == token:
                return index
        return None

    def count(self, token: Hashable) -> int:
        """How many times the bag holds `token`."""
        index = self._position(token)
        return 0 if index is None else self._items[index][1]

    # Not called add and remove: `s.array[0].add(x)` would make a new bag, drop it and say nothing.
    def including(self, token: Hashable, count: int = 1) -> Bag:
        """A bag with `token` added `count` times."""
        if not isinstance(count, int) or count < 0:
            raise ValueError(f"cannot add {token!r} {count} times")
        if count == 0:
            return self
        items, index = self._items, self._position(token)
        if index is not None:
            other, present = items[index]
            return Bag._of((*items[:index], (_same(other, token), present + count), *items[index + 1 :]))
        index = bisect_right(items, sort_key(token), key=lambda item: sort_key(item[0]))
        return Bag._of((*items[:index], (token, int(count)), *items[index:]))

    def excluding(self, token: Hashable, count: int = 1) -> Bag:
        """A bag with `token` removed `count` times; KeyError when there are fewer."""
        if not isinstance(count, int) or count < 0:
            raise ValueError(f"cannot remove {token!r} {count} times")
        if count == 0:
            return self
        items, index = self._items, self._position(token)
        if index is None or items[index][1] < count:
            raise KeyError(token)
        other, present = items[index]
        left = ((other, present - count),) if present > count else ()
        return Bag._of((*items[:index], *left, *items[index + 1 :]))

    def __add__(self, other: Bag) -> Bag:
        if not isinstance(other, Bag):
            return NotImplemented
        return Bag._of(_sorted((*self._items, *other._items)))

    def __sub__(self, other: Bag) -> Bag:
        """What is left when each token of `other` is removed as often as it can be."""
        if not isinstance(other, Bag):
            return NotImplemented
        removed = dict(other._items)
        left = ((token, count - removed.get(token, 0)) for token, count in self._items)
        return Bag._of(tuple((token, count) for token, count in left if count > 0))

    def __le__(self, other: Bag) -> bool:
        if not isinstance(other, Bag):
            return NotImplemented
        counts = dict(other._items)
        return all(counts.get(token, 0) >= count for token, count in self._items)

    def __len__(self) -> int:
        return self._size

    def __contains__(self, token: object) -> bool:
        return self._position(token) is not None

    def __iter__(self) -> Iterator[Hashable]:
        for token, count in self._items:
            for _ in range(count):
                yield token

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bag):
            return NotImplemented
        if self._items == other._items:
            return True
        # Tokens with one sort key stand in the order they came in, which is no part of a bag's value.
        return self._size == other._size and hash(self) == hash(other) and set(self._items) == set(other._items)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._items))
        return self._hash

    def __reduce__(self) -> tuple[type[Bag], tuple[dict[Hashable, int]]]:
        return Bag, (dict(self._items),)  # another process hashes text differently

    def __repr__(self) -> str:
        return " + ".join(f"{count}*{value_text(token)}" for token, count in self._items) or "empty"


def _sorted(pairs: Iterable[tuple[Hashable, int]]) -> tuple[tuple[Hashable, int], ...]:
    """Tokens with their counts, equal ones as one, in the fixed order."""
    held: dict[Hashable, tuple[Hashable, int]] = {}
    for token, count in pairs:
        if not isinstance(count, int) or count < 0:
            raise ValueError(f"a bag cannot hold {shown(count)} times {shown(token)}")
        if count:
            first, before = held.get(token, (token, 0))
            held[token] = (_same(first, token), before + int(count))
    return tuple(sorted(held.values(), key=lambda item: sort_key(item[0])))


class Queue(tuple[Hashable, ...]):
    """An immutable first-in-first-out queue: the first element is the next to leave.

    `capacity` belongs to the declaration of a variable: `put` is disabled when that many elements wait.
    """

    capacity: int | None

    def __new__(cls, elements: Iterable[Hashable] = (), capacity: int | None = None) -> Self:
        if capacity is not None and (not isinstance(capacity, int) or capacity < 0):
            raise ValueError(f"capacity must be a whole number, not {capacity!r}")
        queue = super().__new__(cls, elements)
        queue.capacity = capacity
        if capacity is not None and len(queue) > capacity:
            raise ValueError(f"{len(queue)} elements in a queue of capacity {capacity}")
        return queue

    if not TYPE_CHECKING:  # a checker of types would believe that there is everything

        def __getattr__(self, name):
            raise _no_attribute(self, name)

    def peek(self) -> Hashable:
        """The next element to leave."""
        if not self:
            raise IndexError("peek() on an empty queue")
        return self[0]

    def __repr__(self) -> str:
        return "<" + ", ".join(map(value_text, self)) + ">"


class Array(tuple[Hashable, ...]):
    """An immutable array of fixed length; as a variable its elements are read and assigned one by one.

    `Array(element, shape=3)` or `Array(element, shape=(3, 4))` has that element everywhere; it may be a bag, a
    queue, a set or a record too, and each is changed on its own then.
    """

    __slots__ = ()

    def __new__(cls, elements: Any = (), *, shape: int | Iterable[int] | None = None) -> Self:
        if shape is None:
            return super().__new__(cls, elements)
        from sweepcheck.core.structures import shaped

        made: Self = shaped(elements, shape)  # type: ignore[assignment]
        return made

    def __repr__(self) -> str:
        return "[" + ", ".join(map(value_text, self)) + "]"
