"""Colours: the kinds of tokens a place may hold.

A colour is written as a Python type (`int`, an `Enum`, a dataclass), a `range`, a set of values, a tuple of colours
(their product), or made by one of the functions below. `contains` decides membership; `values` lists a finite colour,
so that a variable nobody binds can run through it.
"""

from __future__ import annotations

import types
from collections import namedtuple
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from enum import Enum, Flag
from itertools import product as combinations
from typing import Any, Literal, NamedTuple, get_args, get_origin

from sweepcheck.core.values import sort_key, unfit
from sweepcheck.errors import ModelError, caller, shown, told

MOST_VALUES = 10_000  # of a colour that a free variable runs through


@dataclass(frozen=True, slots=True)
class Colour:
    """A set of tokens. `parts` are the colours of a product's or record's components, in order."""

    name: str
    contains: Callable[[Any], bool]
    finite: Callable[[], Iterable[Hashable]] | None = None  # None: too many to list
    parts: tuple[Colour, ...] | None = None
    kinds: frozenset[type] | None = None  # the types of all tokens, where known: two disjoint sets never meet
    timed: bool = False

    def __contains__(self, value: object) -> bool:
        return self.contains(value)

    def __str__(self) -> str:
        return self.name

    def values(self) -> tuple[Hashable, ...] | None:
        """All tokens in a fixed order; None when there are infinitely or too many."""
        if self.finite is None:
            return None
        found: dict[Hashable, None] = {}
        for value in self.finite():
            found[value] = None
            if len(found) > MOST_VALUES:
                return None
        return tuple(found)

    def disjoint(self, other: Colour) -> bool:
        """Whether the two certainly have no token in common."""
        if self.kinds is None or other.kinds is None:
            return False
        return not any(_related(one, two) for one in self.kinds for two in other.kinds)


def _related(one: type, other: type) -> bool:
    numbers = (int, float, complex)  # 1 == 1.0 == True: the same token
    return issubclass(one, other) or issubclass(other, one) or (issubclass(one, numbers) and issubclass(other, numbers))


def colour(given: Any) -> Colour:
    """The colour that a user means."""
    if isinstance(given, Colour):
        return given
    if isinstance(given, Record | Union):
        return given.colour
    if given is None:
        return UNIT
    if isinstance(given, range):
        return Colour(
            f"{given.start}..{given.stop - 1}" if given.step == 1 else repr(given),
            lambda value: type(value) is int and value in given,
            lambda: given,
            kinds=frozenset({int}),
        )
    if isinstance(given, type) and get_origin(given) is None:
        return _of_type(given)
    if get_origin(given) is not None or isinstance(given, types.UnionType):
        return _of_annotation(given)
    if isinstance(given, tuple):
        return product(*given)
    if isinstance(given, set | frozenset):
        return values(*sorted(given, key=sort_key))
    raise _no_colour(given)


def _no_colour(given: object, suggestion: str | None = None) -> ModelError:
    return ModelError(
        "SC120",
        f"{shown(given)} is not a colour",
        where=caller(),
        suggestion=suggestion
        or "a colour is a type, a range, a set of values, a tuple of colours, or one of colours.record, lists, union, "
        "subset, timed",
    )


def _of_type(kind: type) -> Colour:
    if kind is types.NoneType:
        return UNIT
    if kind in (list, set, dict, bytearray):
        raise _no_colour(kind, "tokens are hashable: use colours.lists(element), frozenset or a record")
    if kind is bool:
        return Colour("bool", lambda value: isinstance(value, bool), lambda: (False, True), kinds=frozenset({bool}))
    if kind is int:
        return Colour(
            "int", lambda value: isinstance(value, int) and not isinstance(value, bool), kinds=frozenset({int})
        )
    if kind is float:
        return Colour(
            "float",
            lambda value: isinstance(value, int | float) and not isinstance(value, bool),
            kinds=frozenset({int, float}),
        )
    members = list(kind) if issubclass(kind, Enum) and not issubclass(kind, Flag) else None
    return Colour(
        kind.__name__,
        lambda value: isinstance(value, kind),
        None if members is None else lambda: members,
        kinds=None if kind is object else frozenset({kind}),
    )


def _of_annotation(given: Any) -> Colour:
    origin, arguments = get_origin(given), get_args(given)
    if origin is Literal:
        return values(*arguments)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return lists(arguments[0])
    if origin is tuple:
        return product(*arguments)
    if origin is frozenset:
        element = colour(arguments[0])
        return Colour(
            f"frozenset[{element}]",
            lambda value: isinstance(value, frozenset) and all(one in element for one in value),
            kinds=frozenset({frozenset}),
        )
    if isinstance(given, types.UnionType):
        return _either([colour(one) for one in arguments])
    raise _no_colour(given)


def _either(alternatives: list[Colour]) -> Colour:
    listed = [one.finite for one in alternatives]
    kinds = [one.kinds for one in alternatives]
    return Colour(
        " | ".join(map(str, alternatives)),
        lambda value: any(value in one for one in alternatives),
        None if None in listed else lambda: (value for one in listed if one for value in one()),
        kinds=None if None in kinds else frozenset().union(*(one for one in kinds if one)),
    )


def values(*tokens: Hashable) -> Colour:
    """The colour of exactly these tokens."""
    if not tokens:
        raise _no_colour(set(), "a colour has at least one token")
    for token in tokens:
        if (why := unfit(token)) is not None:
            raise _no_colour(token, f"a token must be a value; this one {why}")
    members = frozenset(tokens)
    return Colour(
        "{" + ", ".join(map(repr, tokens)) + "}",
        lambda value: _hashable(value) and value in members,
        lambda: tokens,
        kinds=frozenset(map(type, tokens)),
    )


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


UNIT = Colour("unit", lambda value: value == (), lambda: ((),), kinds=frozenset({tuple}))  # the black token


def product(*parts: Any) -> Colour:
    """Tuples with one component of each colour."""
    if len(parts) < 2:
        raise _no_colour(parts, "a product has two components or more")
    components = tuple(map(colour, parts))
    return Colour(
        "(" + ", ".join(map(str, components)) + ")",
        lambda value: type(value) is tuple and _fits(value, components),
        _all(components, tuple),
        components,
        frozenset({tuple}),
    )


def _fits(value: tuple[Any, ...], components: tuple[Colour, ...]) -> bool:
    return len(value) == len(components) and all(one in part for one, part in zip(value, components, strict=True))


def _all(components: tuple[Colour, ...], make: Callable[[Any], Hashable]) -> Callable[[], Iterable[Hashable]] | None:
    lists_ = [one.finite for one in components]
    if None in lists_:
        return None
    return lambda: (make(row) for row in combinations(*(one() for one in lists_ if one is not None)))


class Record:
    """A colour of named tuples, and the function that makes one: `Packet(number=1, data="a")`."""

    def __init__(self, name: str, parts: dict[str, Any]) -> None:
        if not parts:
            raise _no_colour(name, "a record has at least one field: record('Packet', number=int)")
        try:
            made: Any = namedtuple(name, parts)  # type: ignore[misc]  # noqa: PYI024 - fields known only now
        except (ValueError, TypeError) as error:
            raise _no_colour(name, f"names of records and fields are Python names: {told(error)}") from None
        self.type: Any = made
        components = tuple(map(colour, parts.values()))
        self.colour = Colour(
            name,
            lambda value: isinstance(value, self.type) and _fits(value, components),
            _all(components, lambda row: self.type(*row)),
            components,
            frozenset({self.type}),
        )

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.type(*arguments, **named)

    def __repr__(self) -> str:
        return self.colour.name


def record(name: str, /, **parts: Any) -> Record:
    """A colour of records: `Packet = record("Packet", number=int, data=str)`."""
    return Record(name, parts)


class Tagged(NamedTuple):
    """A token of a union: which alternative it is, and its value."""

    tag: str
    value: Any

    def __repr__(self) -> str:
        return self.tag if self.value == () else f"{self.tag}({self.value!r})"


class Union:
    """A colour of alternatives told apart by a tag: `Message.data(3)`, `Message.stop`."""

    def __init__(self, name: str, alternatives: dict[str, Any]) -> None:
        if not alternatives:
            raise _no_colour(name, "a union has at least one alternative: union('Message', data=int, stop=None)")
        self.alternatives = {tag: colour(given) for tag, given in alternatives.items()}
        parts = self.alternatives
        finite = [one.finite for one in parts.values()]

        def listed() -> Iterable[Hashable]:
            return (Tagged(tag, value) for tag, one in parts.items() for value in one.finite())  # type: ignore[misc]

        self.colour = Colour(
            name,
            lambda value: isinstance(value, Tagged) and value.tag in parts and value.value in parts[value.tag],
            None if None in finite else listed,
            kinds=frozenset({Tagged}),
        )

    def __getattr__(self, tag: str) -> Any:
        if tag.startswith("__") or tag not in self.alternatives:
            raise AttributeError(f"union {self.__dict__.get('colour')} has no alternative {tag!r}")
        if self.alternatives[tag] is UNIT:
            return Tagged(tag, ())
        return lambda value: Tagged(tag, value)

    def __repr__(self) -> str:
        return self.colour.name


def union(name: str, /, **alternatives: Any) -> Union:
    """A colour of alternatives: `Message = union("Message", data=int, stop=None)`; `None` for one without a value."""
    return Union(name, alternatives)


def lists(element: Any, most: int | None = None) -> Colour:
    """Tuples of any length, at most `most`, of tokens of one colour."""
    inner = colour(element)

    def listed() -> Iterable[Hashable]:
        return (row for length in range((most or 0) + 1) for row in combinations(inner.finite(), repeat=length))  # type: ignore[misc]

    return Colour(
        f"lists of {inner}" if most is None else f"lists of at most {most} {inner}",
        lambda value: (
            type(value) is tuple and (most is None or len(value) <= most) and all(one in inner for one in value)
        ),
        None if most is None or inner.finite is None else listed,
        kinds=frozenset({tuple}),
    )


def subset(whole: Any, allowed: Callable[[Any], object], name: str | None = None) -> Colour:
    """The tokens of a colour that a function allows."""
    inner = colour(whole)
    if not callable(allowed):
        raise _no_colour(allowed, "a subset is given by a function: subset(int, lambda x: x > 0)")
    finite = inner.finite
    return Colour(
        name or f"part of {inner}",
        lambda value: value in inner and bool(allowed(value)),
        None if finite is None else lambda: (value for value in finite() if allowed(value)),
        inner.parts,
        inner.kinds,
    )


def timed(given: Any) -> Colour:
    """The colour with a time stamp on every token."""
    inner = colour(given)
    return Colour(inner.name, inner.contains, inner.finite, inner.parts, inner.kinds, timed=True)
