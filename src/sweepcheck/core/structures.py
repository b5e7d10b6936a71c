"""Set, Record, Map and arrays of any shape: variables that are made of others.

Like bags and queues they are immutable values outside drafts. Inside an action the parts of a variable that was
declared with one of them are read and changed one by one (`models.structures`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from sweepcheck.core.values import Array, Bag, Composite, Queue, without_hash
from sweepcheck.errors import ModelError, caller, shown
from sweepcheck.text import value_text


class Set(Bag):
    """An immutable set, its elements in a fixed order; as a variable it is changed by `add` and `discard`.

    >>> Set(["b", "a", "b"])
    {'a', 'b'}
    """

    __slots__ = ()

    def __init__(self, elements: Iterable[Hashable] = ()) -> None:
        try:
            once = dict.fromkeys(elements, 1)
        except TypeError as error:
            raise without_hash("a Set", error) from None
        super().__init__(once)

    def including(self, token: Hashable, count: int = 1) -> Bag:
        """A set with this element."""
        return self if not count or token in self else Set((*self, token))

    def excluding(self, token: Hashable, count: int = 1) -> Bag:
        """A set without this element; KeyError when it is not there."""
        if count and token not in self:
            raise KeyError(token)
        return Set(one for one in self if one != token) if count else self

    def __or__(self, other: Any) -> Set:
        return Set((*self, *other)) if _is_set(other, "|") else NotImplemented

    def __and__(self, other: Any) -> Set:
        return Set(one for one in other if one in self) if _is_set(other, "&") else NotImplemented

    def __sub__(self, other: Any) -> Set:
        return Set(one for one in self if one not in other) if _is_set(other, "-") else NotImplemented

    def __rsub__(self, other: Any) -> Set:
        return Set(one for one in other if one not in self) if _is_set(other, "-") else NotImplemented

    def __xor__(self, other: Any) -> Set:
        return (self - other) | (other - self) if _is_set(other, "^") else NotImplemented

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def isdisjoint(self, other: Iterable[Hashable]) -> bool:
        """Whether the set has no element in common with another one."""
        return not any(one in self for one in other)

    def __add__(self, other: Any) -> Any:
        return NotImplemented  # as of Python's sets

    def __le__(self, other: Any) -> bool:
        return all(element in other for element in self)

    def __lt__(self, other: Any) -> bool:
        return len(self) < len(other) and self <= other

    def __ge__(self, other: Any) -> bool:
        return all(element in self for element in other)

    def __gt__(self, other: Any) -> bool:
        return len(self) > len(other) and self >= other

    def __eq__(self, other: object) -> bool:
        if _is_set(other, "=="):
            return len(self) == len(other) and self <= other  # type: ignore[arg-type]
        return False if isinstance(other, Bag) else NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.distinct()))  # that of a frozenset, which it may be equal to
        return self._hash

    def __reduce__(self) -> Any:
        return Set, (self.distinct(),)

    def __repr__(self) -> str:
        return "{" + ", ".join(map(value_text, self)) + "}" if self else "{}"


_SETS = (Set, set, frozenset)

# Operations of Python's own sets, and how the same is said here.
SAID_OTHERWISE = {
    "union": "{set} | other",
    "intersection": "{set} & other",
    "difference": "{set} - other",
    "symmetric_difference": "{set} ^ other",
    "issubset": "{set} <= other",
    "issuperset": "{set} >= other",
    "remove": "{set}.discard(x), or {set}.take(x), which waits until it is there",
    "pop": "{set}.take()",
    "update": "for x in other: {set}.add(x)",
    "difference_update": "for x in other: {set}.discard(x)",
    "copy": "Set({set})",
}


def _is_set(other: object, operator: str) -> bool:
    """Whether this is a set. A list or dict is never meant to be compared or combined with one as it is."""
    if not isinstance(other, list | dict):
        return isinstance(other, _SETS)
    empty = "Set() or set(): {} is an empty dict" if other == {} else None
    written = f"{{{', '.join(map(value_text, other))}}}" if other else "Set()"
    raise ModelError(
        "SC239",
        f"a set stands beside {shown(other)} in `{operator}`, which is no set",
        suggestion=f"write {empty or written}",
    )


class Record(Composite):
    """Named fields, each a value of its own; as a variable its fields are read and assigned one by one.

    >>> Record(pc="start", nr=0)
    Record(pc='start', nr=0)
    """

    __slots__ = ("_fields", "_hash", "_text")
    _fields: dict[str, Any]
    _hash: int | None  # both are asked for again and again where records are the elements of sets
    _text: str | None

    def __init__(self, given: Any = None, /, **values: Any) -> None:
        """A record with these fields, or with those of another one, some of them changed."""
        before = {} if given is None else fields_of(given)
        if before is None:
            raise ModelError(
                "SC111",
                f"a record cannot be made from {shown(given)}",
                where=caller(),
                suggestion="name its fields: Record(pc='start', nr=0)",
            )
        set_plainly = object.__setattr__
        set_plainly(self, "_fields", {**before, **values})
        set_plainly(self, "_hash", None)
        set_plainly(self, "_text", None)

    def __getattr__(self, name: str) -> Any:
        try:
            return self._fields[name]
        except KeyError:
            words = ", ".join(self._fields)
            raise AttributeError(f"the record has no field {name!r}, only {words}", name=name, obj=self) from None

    def __setattr__(self, name: str, value: object) -> None:
        what = f"this record is a value, and replaced: Record(old, {name}=...); Array(..., shape=n) has assignable ones"
        raise AttributeError(what, name=name, obj=self)

    def _entries(self) -> dict[str, Any]:
        return self._fields

    def _with(self, entries: dict[str, Any]) -> Record:
        return Record(None, **entries)

    def __eq__(self, other: object) -> bool:
        given = fields_of(other)
        return NotImplemented if given is None else given == self._fields

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", hash(frozenset(self._fields.items())))  # equal in any order of the fields
        return self._hash  # type: ignore[return-value]

    def __reduce__(self) -> Any:
        return _record, (dict(self._fields),)

    def __repr__(self) -> str:
        if self._text is None:
            words = ", ".join(f"{name}={value_text(value)}" for name, value in self._fields.items())
            object.__setattr__(self, "_text", f"Record({words})")
        return self._text  # type: ignore[return-value]


def _record(values: dict[str, Any]) -> Record:
    return Record(None, **values)


def fields_of(value: Any) -> dict[str, Any] | None:
    """The fields of a record, or of an object that is declared as one: a dataclass whose fields can be assigned."""
    if isinstance(value, Record):
        return value._fields
    if is_dataclass(value) and not isinstance(value, type | Hashable):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    gathered = getattr(type(value), "_gathered", None)  # the record of a state, in an action or predicate
    return fields_of(gathered(value)) if gathered is not None else None


def valued(result: Any) -> Any:
    """What a function of the state gave, with parts of the state as values of their own."""
    if type(result) is tuple:
        return tuple(map(valued, result))
    gathered = getattr(type(result), "_gathered", None)
    return result if gathered is None else gathered(result)


class Map(Composite, Mapping[Any, Any]):
    """A value for each element of a finite set; as a variable its values are read and assigned one by one.

    >>> Map(["a", "b"], 0)
    Map(a: 0, b: 0)
    """

    __slots__ = ("_values",)
    _values: dict[Any, Any]

    def __init__(self, domain: Iterable[Hashable] | Mapping[Any, Any], *default: Any) -> None:
        """`Map(domain, default)`, or `Map({key: value, ...})`; `Map(s.map)` makes a value of a map of a state."""
        gathered = getattr(type(domain), "_gathered", None)
        if gathered is not None and not default:
            domain = gathered(domain)
        if len(default) > 1 or (not default and not isinstance(domain, Mapping)):
            raise ModelError(
                "SC111",
                f"Map was given {shown(domain)} and no value",
                where=caller(),
                suggestion="write Map(domain, value), or Map({key: value, ...})",
            )
        try:
            self._values = (
                dict(domain) if isinstance(domain, Mapping) and not default else dict.fromkeys(domain, *default)
            )
        except TypeError as error:
            raise without_hash("the keys of a Map", error) from None

    def __getitem__(self, key: Any) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))  # equal in any order of the keys

    def _entries(self) -> dict[Any, Any]:
        return self._values

    def _with(self, entries: dict[Any, Any]) -> Map:
        return Map(entries)

    def __repr__(self) -> str:
        return f"Map({', '.join(f'{key_text(key)}: {value_text(value)}' for key, value in self.items())})"


def key_text(key: Any) -> str:
    """The element of a map's domain, as people write it."""
    return key if isinstance(key, str) and key.isidentifier() else value_text(key)


class Table(Array):
    """An array whose elements are variables of their own, as `Array(element, shape=...)` makes it."""

    __slots__ = ()


def is_made_of_parts(value: object) -> bool:
    """Whether a variable of this value is made of several."""
    return isinstance(value, Table | Record | Map) or (fields_of(value) is not None)


def shaped(element: Any, shape: int | Iterable[int]) -> Array:
    """An array of so many elements, or so many rows of so many; a list gives the elements themselves."""
    lengths = tuple(shape) if isinstance(shape, Iterable) else (shape,)
    if not lengths or any(not isinstance(length, int) or isinstance(length, bool) or length < 0 for length in lengths):
        raise ModelError(
            "SC111",
            f"an array cannot have the shape {shown(shape)}",
            where=caller(),
            suggestion="give lengths: shape=3, shape=(3, 4)",
        )
    rows = element if isinstance(element, list) else [element] * lengths[0]
    if len(rows) != lengths[0]:
        raise ModelError(
            "SC111",
            f"an array of shape {shown(shape)} was given {len(rows)} elements: {shown(rows)}",
            where=caller(),
            suggestion="give as many as the shape says, or one value for all",
        )
    if len(lengths) > 1:
        return Table(shaped(row, lengths[1:]) for row in rows)
    plain = not any(isinstance(one, Bag | Queue | Array) or is_made_of_parts(one) for one in rows)
    return Array(rows) if plain else Table(rows)
