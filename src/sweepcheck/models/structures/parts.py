"""What a structured variable consists of: variables that every engine knows.

The numbers and texts in it lie in one array for each field, whatever its shape; every bag, queue and set is a variable
of its own. A part is found by the positions that lead to it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from keyword import iskeyword
from math import prod
from typing import Any, Protocol

from sweepcheck.core.replacing import fitting, not_copied, replace_contents, unfit_for
from sweepcheck.core.structures import Map, Record, Set, fields_of, key_text
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.errors import ModelError, caller
from sweepcheck.models.structures.editors import RecordEditor, ShapedEditor, TableEditor

Positions = tuple[int, ...]
Flat = Any  # a draft or view of an engine, with the variables as they are
Put = Callable[["Scalars | Holder", Positions, Any], None]


class Part(Protocol):
    """A structured variable, or a piece of one."""

    def reach(self, flat: Flat, at: Positions) -> Any:
        """What stands there: a value, or the editor of what is made of several."""

    def assign(self, flat: Flat, at: Positions, value: Any) -> None:
        """Put a value there."""

    def value(self, flat: Flat, at: Positions) -> Any:
        """What stands there, as a value of its own."""

    def spread(self, value: Any, at: Positions, put: Put) -> None:
        """Take a value apart."""

    def described(self, flat: Flat, path: str, at: Positions) -> Iterator[tuple[str, Any]]:
        """What stands there by the words that lead there."""


@dataclass(frozen=True)
class Scalars:
    """Plain values: one variable, or an array of them."""

    name: str
    lengths: tuple[int, ...]

    def reach(self, flat: Flat, at: Positions) -> Any:
        """See `Part`."""
        held = getattr(flat, self.name)
        return held[_position(self.lengths, at)] if self.lengths else held

    def assign(self, flat: Flat, at: Positions, value: Any) -> None:
        """See `Part`."""
        if self.lengths:
            getattr(flat, self.name)[self.position(at)] = value
        else:
            setattr(flat, self.name, value)

    value = reach

    def spread(self, value: Any, at: Positions, put: Put) -> None:
        """See `Part`."""
        if isinstance(value, Bag | Queue | Array) or fields_of(value) is not None:
            raise unfit_for(self.name, value, "a plain value as it was declared with", "let all elements be alike")
        put(self, at, value)

    def described(self, flat: Flat, path: str, at: Positions) -> Iterator[tuple[str, Any]]:
        """See `Part`."""
        yield path, self.reach(flat, at)

    def position(self, at: Positions) -> int:
        """Where in the array."""
        return _position(self.lengths, at)


@dataclass(frozen=True)
class Leaf:
    """Parts of one kind: how they are called together, their variables, and the keys of each dimension."""

    name: str
    variables: tuple[str, ...]
    keys: tuple[Sequence[Hashable], ...]


@dataclass(frozen=True)
class Holder:
    """A bag, queue or set: a variable for each."""

    name: str
    names: tuple[str, ...]
    lengths: tuple[int, ...]
    kind: type

    def reach(self, flat: Flat, at: Positions) -> Any:
        """See `Part`."""
        return getattr(flat, self.names[self.position(at)])

    def assign(self, flat: Flat, at: Positions, value: Any) -> None:
        """See `Part`."""
        replace_contents(self.reach(flat, at), self.kind, self.names[0], value)

    def value(self, flat: Flat, at: Positions) -> Any:
        """See `Part`."""
        return self.kind(self.reach(flat, at))

    def spread(self, value: Any, at: Positions, put: Put) -> None:
        """See `Part`."""
        given = fitting(self.kind, self.names[0], value)
        put(self, at, Set(given) if self.kind is Set else given)

    def described(self, flat: Flat, path: str, at: Positions) -> Iterator[tuple[str, Any]]:
        """See `Part`."""
        yield path, self.reach(flat, at)

    def position(self, at: Positions) -> int:
        """Which of them."""
        return _position(self.lengths, at)


@dataclass(frozen=True)
class Fields:
    """A record: parts by name."""

    name: str
    parts: dict[str, Part]

    def reach(self, flat: Flat, at: Positions) -> Any:
        """See `Part`."""
        return RecordEditor(flat, self, at)

    def assign(self, flat: Flat, at: Positions, value: Any) -> None:
        """See `Part`."""
        given = self._given(value)
        for name, part in self.parts.items():
            part.assign(flat, at, given[name])

    def value(self, flat: Flat, at: Positions) -> Any:
        """See `Part`."""
        return Record(None, **{name: part.value(flat, at) for name, part in self.parts.items()})

    def spread(self, value: Any, at: Positions, put: Put) -> None:
        """See `Part`."""
        given = self._given(value)
        for name, part in self.parts.items():
            part.spread(given[name], at, put)

    def described(self, flat: Flat, path: str, at: Positions) -> Iterator[tuple[str, Any]]:
        """See `Part`."""
        for name, part in self.parts.items():
            yield from part.described(flat, f"{path}.{name}", at)

    def _given(self, value: Any) -> dict[str, Any]:
        if isinstance(value, RecordEditor):
            raise not_copied(self.name, value, "Record(s.x)")
        given = fields_of(value)
        if given is None or given.keys() != self.parts.keys():
            wanted = ", ".join(f"{name}=..." for name in self.parts)
            raise unfit_for(self.name, value, f"a record with the fields {', '.join(self.parts)}", f"Record({wanted})")
        return given


@dataclass(frozen=True)
class Elements:
    """An array or a map: the same part once for each key."""

    name: str
    keys: Sequence[Hashable]
    part: Part
    positions: dict[Hashable, int] | None = field(default=None, compare=False)  # of a map's keys

    @cached_property
    def plain(self) -> str | None:
        """The array in which the values of a map lie at just these positions."""
        alone = isinstance(self.part, Scalars) and len(self.part.lengths) == 1
        return self.part.name if alone and self.positions is not None else None  # type: ignore[attr-defined]

    @cached_property
    def line(self) -> Scalars | None:
        """The plain values that are the elements of an array, or of the rows of one."""
        part = self.part
        return part if isinstance(part, Scalars) and self.positions is None and len(part.lengths) <= 2 else None

    @cached_property
    def square(self) -> Scalars | None:
        """The plain values that are the elements of the rows of an array."""
        inner = self.part.line if isinstance(self.part, Elements) and self.positions is None else None
        return inner if inner is not None and inner.lengths == (len(self.keys), len(self.part.keys)) else None  # type: ignore[attr-defined]

    def reach(self, flat: Flat, at: Positions) -> Any:
        """See `Part`."""
        return (ShapedEditor if self.positions is None else TableEditor)(flat, self, at)

    def assign(self, flat: Flat, at: Positions, value: Any) -> None:
        """See `Part`."""
        for position, element in enumerate(self._given(value)):
            self.part.assign(flat, (*at, position), element)

    def value(self, flat: Flat, at: Positions) -> Any:
        """See `Part`."""
        values = [self.part.value(flat, (*at, position)) for position in range(len(self.keys))]
        return Array(values) if self.positions is None else Map(dict(zip(self.keys, values, strict=True)))

    def spread(self, value: Any, at: Positions, put: Put) -> None:
        """See `Part`."""
        for position, element in enumerate(self._given(value)):
            self.part.spread(element, (*at, position), put)

    def described(self, flat: Flat, path: str, at: Positions) -> Iterator[tuple[str, Any]]:
        """See `Part`: the last dimension of an array of plain values stays one, so that few words tell it."""
        if isinstance(self.part, Scalars) and self.positions is None:
            yield path, self.value(flat, at)
            return
        for position, key in enumerate(self.keys):
            yield from self.part.described(flat, f"{path}[{key_text(key)}]", (*at, position))

    def spans(self, flat: Flat, at: Positions) -> dict[str | None, tuple[Any, int, int, int]]:
        """Where its elements lie: of plain ones under None, of records under the names of their plain fields."""
        fields = self.part.parts.items() if isinstance(self.part, Fields) else [(None, self.part)]
        return {
            name: (getattr(flat, part.name), part.position((*at, 0)), 1, len(self.keys))
            for name, part in fields
            if isinstance(part, Scalars)
        }

    def _given(self, value: Any) -> list[Any]:
        if isinstance(value, TableEditor):
            raise not_copied(self.name, value, "list(s.x)" if self.positions is None else "Map(s.x)")
        if self.positions is not None and isinstance(value, Map | dict) and value.keys() == self.positions.keys():
            return [value[key] for key in self.keys]
        if self.positions is None and isinstance(value, tuple | list) and len(value) == len(self.keys):
            return list(value)
        kind = "a map with the same keys" if self.positions is not None else f"an array of {len(self.keys)} elements"
        raise unfit_for(self.name, value, kind, "Map({...})" if self.positions is not None else "Array([...])")


def part_of(name: str, value: Any, lengths: tuple[int, ...] = (), keys: tuple[str, ...] = ("",)) -> Part:
    """The part that a declared value stands for. `keys` are the words for all positions that lead to it."""
    given = fields_of(value)
    if given is not None:
        _check_fields(name, given)
        return Fields(name, {each: part_of(f"{name}.{each}", one, lengths, keys) for each, one in given.items()})
    if isinstance(value, Map | Array):
        domain = tuple(value) if isinstance(value, Map) else range(len(value))
        words = tuple(f"{word}[{key_text(key)}]" for word in keys for key in domain)
        elements = iter(value.values() if isinstance(value, Map) else value)
        first = next(elements, None)
        if not domain:
            raise _empty(name)
        part = part_of(name, first, (*lengths, len(domain)), words)  # that the others are alike shows when it is spread
        positions = {key: position for position, key in enumerate(domain)} if isinstance(value, Map) else None
        return Elements(name, domain, part, positions)
    kind = next((kind for kind in (Set, Bag, Queue) if isinstance(value, kind)), None)
    if kind is not None:
        return Holder(name, tuple(f"{name}{word}" for word in keys), lengths, kind)
    return Scalars(name, lengths)


def leaves_of(part: Part, keys: tuple[Sequence[Hashable], ...] = ()) -> Iterator[Leaf]:
    """The parts that a part consists of, those of one kind together."""
    if isinstance(part, Elements):
        yield from leaves_of(part.part, (*keys, part.keys))
    elif isinstance(part, Fields):
        for each in part.parts.values():
            yield from leaves_of(each, keys)
    elif isinstance(part, Holder | Scalars):
        yield Leaf(part.name, part.names if isinstance(part, Holder) else (part.name,), keys)


def _position(lengths: tuple[int, ...], at: Positions) -> int:
    if len(at) == 1:  # most are
        return at[0]
    found = 0
    for length, position in zip(lengths, at, strict=True):
        found = found * length + position
    return found


def size_of(part: Scalars) -> int:
    """How many values lie there."""
    return prod(part.lengths)


def _check_fields(name: str, fields: Iterable[str]) -> None:
    for one in fields:
        if not one.isidentifier() or one.startswith("_") or iskeyword(one):
            what = f"a field of {name!r} cannot be called {one!r}"
            raise ModelError(
                "SC110",
                what,
                where=caller(),
                suggestion="use a word that is none of Python's own, without an underscore first",
            )


def _empty(name: str) -> ModelError:
    what = f"variable {name!r} has no elements"
    return ModelError("SC111", what, where=caller(), suggestion="give it at least one, or leave the variable out")
