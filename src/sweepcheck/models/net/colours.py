"""Colours: the kinds of tokens a place may hold.

A colour is written as a Python type (`int`, an `Enum`, a dataclass), a `range`, a set of values, a tuple of colours
(their product), or made by one of the functions below. `contains` decides membership; `values` lists a finite colour,
so that a variable nobody binds can run through it.
"""

from __future__ import annotations

import types
import typing
from collections import namedtuple
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from enum import Enum, EnumType, Flag
from functools import lru_cache
from itertools import product as combinations
from typing import Any, Literal, NamedTuple, get_args, get_origin

from sweepcheck.core.value_texts import remember
from sweepcheck.core.values import Bag, alike, sort_key, unfit, unlike
from sweepcheck.errors import ModelError, caller, public, raised_at, shown, told
from sweepcheck.models.symmetry.declaration import index_set
from sweepcheck.models.symmetry.shape import NOWHERE, Anywhere, Either, Elements, Parts, Shape
from sweepcheck.text import value_text

UNHASHABLE = "tokens are hashable: use colours.lists(element), frozenset, a record or a frozen dataclass"
MOST_VALUES = 10_000  # of a colour that a free variable runs through


@dataclass(frozen=True, slots=True)
class Colour:
    """A set of tokens. `parts` are the colours of a product's or record's components, in order.

    `shape` says where members of permutable colours are in a token.
    """

    name: str
    contains: Callable[[Any], bool]
    finite: Callable[[], Iterable[Hashable]] | None = None  # None: too many to list
    parts: tuple[Colour, ...] | None = None
    kinds: frozenset[type] | None = None  # the types of all tokens, where known: two disjoint sets never meet
    timed: bool = False
    shape: Shape = NOWHERE

    def __contains__(self, value: object) -> bool:
        return self.contains(value)

    def __or__(self, other: Any) -> Colour:
        """A token of one colour or the other: `pid | None`."""
        return _either([_part(self), NOTHING if other is None else _part(other)])

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{'timed ' if self.timed else ''}colour {self.name}>"

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

    def token_called(self, name: str) -> str | None:
        """How an inscription writes the token with this name; None when there is no such token."""
        for kind in self.kinds or ():
            if issubclass(kind, Enum) and name in kind.__members__:
                return f"{kind.__name__}.{name}"
        return repr(name) if self.finite is not None and name in self else None

    def disjoint(self, other: Colour) -> bool:
        """Whether the two certainly have no token in common."""
        if self.kinds is None or other.kinds is None:
            return False
        return not any(_related(one, two) for one in self.kinds for two in other.kinds)


def _related(one: type, other: type) -> bool:
    numbers = (int, float, complex)  # 1 == 1.0 == True: the same token
    return issubclass(one, other) or issubclass(other, one) or (issubclass(one, numbers) and issubclass(other, numbers))


@public
def colour(given: Any) -> Colour:
    """The colour that a user means."""
    if isinstance(given, Colour):
        return given
    if isinstance(given, Record | Union | Ordered):
        return given.colour
    if given is None:
        return UNIT
    if given is Any:
        return _of_type(object)
    if isinstance(given, range):
        if not given:
            raise _no_colour(given, "it is empty; range(1, 4) has the numbers 1, 2 and 3")
        return _of_range(given.start, given.stop, given.step)
    if isinstance(given, type) and get_origin(given) is None:
        return _of_plain_type(given) if type(given) in (type, EnumType) else _of_type(given)
    if get_origin(given) is not None or isinstance(given, types.UnionType):
        return _of_annotation(given)
    if isinstance(given, tuple):
        return product(*given)
    if isinstance(given, set | frozenset):
        return values(*sorted(given, key=sort_key))
    if isinstance(given, list):
        raise _no_colour(given, "the colour of certain tokens is a set of them: {'red', 'green'}")
    raise _no_colour(given)


def _no_colour(given: object, suggestion: str | None = None) -> ModelError:
    return _wrong(
        f"{shown(given)} is not a colour",
        suggestion
        or "a colour is a type, a range, a set of values, a tuple of colours, or one of colours.record, lists, union, "
        "subset, timed",
    )


def _wrong(what: str, suggestion: str) -> ModelError:
    return ModelError("SC120", what, where=caller(), suggestion=suggestion)


# Thousands of places may have the same colour: it is one object then, so that transitions between them are alike.
@lru_cache(maxsize=1024)
def _of_range(start: int, stop: int, step: int) -> Colour:
    given = range(start, stop, step)
    least, most = sorted((given[0], given[-1]))

    # The native engine may give numbers that are in question: what is only compared does for all of them. Their class
    # is int, and nobody can tell the two apart by it.
    def contains(value: Any) -> bool:
        if not (value.__class__ == int and least <= value <= most):  # noqa: E721 - `is` would be noticed
            return False
        return step in (1, -1) or (value - least) % step == 0

    return Colour(
        f"{start}..{stop - 1}" if step == 1 else repr(given),
        contains,
        lambda: given,
        kinds=frozenset({int}),
    )


@lru_cache(maxsize=256)
def _of_plain_type(kind: type) -> Colour:
    return _of_type(kind)


def _of_type(kind: type) -> Colour:
    if kind is types.NoneType:
        return UNIT
    if kind.__hash__ is None:
        raise _no_colour(kind, UNHASHABLE)
    try:
        isinstance(None, kind)
    except TypeError as error:
        raise _no_colour(kind, f"it cannot tell what is a token of it: {told(error)}") from None
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
        element = _part(arguments[0])
        return Colour(
            f"frozenset[{element}]",
            lambda value: isinstance(value, frozenset) and all(one in element for one in value),
            kinds=frozenset({frozenset}),
            shape=_elements(element.shape),
        )
    if origin in (types.UnionType, typing.Union):
        return _either([NOTHING if one is types.NoneType else _part(one) for one in arguments])
    raise _no_colour(given, UNHASHABLE if getattr(origin, "__hash__", hash) is None else None)


def _part(given: Any) -> Colour:
    """The colour of a component."""
    found = colour(given)
    if found.timed:
        suggestion = "a stamp belongs to a whole token: colours.timed((int, str)), not (colours.timed(int), str)"
        raise _wrong(f"a component has the timed colour {found}", suggestion)
    return found


def _elements(shape: Shape) -> Shape:
    return Elements(shape) if shape.sets() else NOWHERE


def _components(shapes: Iterable[Shape]) -> Shape:
    found = tuple(shapes)
    return Parts(found) if any(shape.sets() for shape in found) else NOWHERE


def _either(alternatives: list[Colour]) -> Colour:
    for one, other in combinations(alternatives, repeat=2):
        if one.shape.sets() and one is not other and not one.disjoint(other):
            suggestion = "let tokens tell which of the two they are: colours.union(name, a=..., b=...)"
            raise _wrong(f"a token could be of the permutable colour {one} or of {other}", suggestion)
    listed = [one.finite for one in alternatives]
    kinds = [one.kinds for one in alternatives]
    return Colour(
        " | ".join(map(str, alternatives)),
        lambda value: any(value in one for one in alternatives),
        None if None in listed else lambda: (value for one in listed if one for value in one()),
        kinds=None if None in kinds else frozenset().union(*(one for one in kinds if one)),
        shape=_chosen((one.contains, one.shape) for one in alternatives),
    )


def _chosen(alternatives: Iterable[tuple[Callable[[Any], bool], Shape]]) -> Shape:
    found = tuple(alternatives)
    return Either(found) if any(shape.sets() for _, shape in found) else NOWHERE


@public
def values(*tokens: Hashable) -> Colour:
    """The colour of exactly these tokens."""
    if not tokens:
        raise _wrong("an empty set is not a colour", "a colour has at least one token")
    for token in tokens:
        if (why := unfit(token)) is not None:
            raise _wrong(f"{shown(token)} cannot be a token: it {why}", UNHASHABLE)
    members: dict[Hashable, Hashable] = {}
    for token in tokens:
        if not alike(first := members.setdefault(token, token), token):
            raise unlike("a colour", first, token).add(where=caller())
    return Colour(
        "{" + ", ".join(map(value_text, tokens)) + "}",
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


NOTHING = Colour("None", lambda value: value is None, lambda: (None,), kinds=frozenset({types.NoneType}))
UNIT = Colour("unit", lambda value: value == (), lambda: ((),), (), frozenset({tuple}))  # the black token


@public
def product(*parts: Any) -> Colour:
    """Tuples with one component of each colour."""
    if len(parts) < 2:
        raise _no_colour(parts, "a product has two components or more")
    components = tuple(map(_part, parts))
    return Colour(
        "(" + ", ".join(map(str, components)) + ")",
        lambda value: type(value) is tuple and _fits(value, components),
        _all(components, tuple),
        components,
        frozenset({tuple}),
        shape=_components(one.shape for one in components),
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
            raise _wrong(f"record {name!r} has no field", "write record('Packet', number=int)")
        try:
            made: Any = namedtuple(name, parts)  # type: ignore[misc]  # noqa: PYI024 - fields known only now
        except (ValueError, TypeError) as error:
            raise _wrong(f"record {name!r} is not possible: {told(error)}", "use Python names") from None
        self.type: Any = made
        remember(made)
        components = tuple(map(_part, parts.values()))
        self.colour = Colour(
            name,
            lambda value: isinstance(value, self.type) and _fits(value, components),
            _all(components, lambda row: self.type(*row)),
            components,
            frozenset({self.type}),
            shape=_components(one.shape for one in components),
        )

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.type(*arguments, **named)

    def __repr__(self) -> str:
        return self.colour.name


@public
def record(name: str, /, **parts: Any) -> Record:
    """A colour of records: `Packet = record("Packet", number=int, data=str)`."""
    return Record(name, parts)


class Tagged(NamedTuple):
    """A token of a union: which alternative it is, and its value."""

    tag: str
    value: Any

    def __repr__(self) -> str:
        return self.tag if self.value == () else f"{self.tag}({value_text(self.value)})"


def _tagged(tag: str) -> Callable[[Any], bool]:
    return lambda value: value.tag == tag


class Union:
    """A colour of alternatives told apart by a tag: `Message.data(3)`, `Message.stop`."""

    def __init__(self, name: str, alternatives: dict[str, Any]) -> None:
        if not alternatives:
            raise _wrong(f"union {name!r} has no alternative", "write union('Message', data=int, stop=None)")
        self.alternatives = {tag: _part(given) for tag, given in alternatives.items()}
        parts = self.alternatives
        finite = [one.finite for one in parts.values()]

        def listed() -> Iterable[Hashable]:
            return (Tagged(tag, value) for tag, one in parts.items() for value in one.finite())  # type: ignore[misc]

        self.colour = Colour(
            name,
            lambda value: isinstance(value, Tagged) and value.tag in parts and value.value in parts[value.tag],
            None if None in finite else listed,
            kinds=frozenset({Tagged}),
            shape=_chosen((_tagged(tag), _components((NOWHERE, one.shape))) for tag, one in parts.items()),
        )

    def __getattr__(self, tag: str) -> Any:
        if tag.startswith("__") or tag not in self.alternatives:
            raise AttributeError(f"union {self.__dict__.get('colour')} has no alternative {tag!r}")
        if self.alternatives[tag] is UNIT:
            return Tagged(tag, ())
        return lambda value: Tagged(tag, value)

    def __repr__(self) -> str:
        return self.colour.name


@public
def union(name: str, /, **alternatives: Any) -> Union:
    """A colour of alternatives: `Message = union("Message", data=int, stop=None)`; `None` for one without a value."""
    return Union(name, alternatives)


class Ordered:
    """A finite colour and the order of its tokens: `Process.next(p)`, `Process.position(p)`, `Process.all_but(p)`."""

    def __init__(self, of: Colour, tokens: tuple[Hashable, ...]) -> None:
        self.colour = of
        self._tokens = tokens
        self._positions = {token: position for position, token in enumerate(tokens)}

    def next(self, token: Hashable) -> Hashable:
        """The token after this one; after the last comes the first."""
        return self._tokens[(self.position(token) + 1) % len(self._tokens)]

    def previous(self, token: Hashable) -> Hashable:
        """The token before this one; before the first comes the last."""
        return self._tokens[self.position(token) - 1]

    def position(self, token: Hashable) -> int:
        """How many tokens come before this one."""
        return self._positions[token]

    def all(self) -> Bag:
        """Every token once."""
        return Bag(self._tokens)

    def all_but(self, *tokens: Hashable) -> Bag:
        """Every token once, without these different ones."""
        left = self.all()
        for token in tokens:
            left = left.excluding(token)
        return left

    def __repr__(self) -> str:
        return self.colour.name


@public
def ordered(given: Any) -> Ordered:
    """A finite colour whose tokens inscriptions can count on in order: `Process = ordered(range(5))`.

    Give it to the net as a constant, `Net("ring", Process=Process)`; then `Process.next(p)` is the token after p.
    """
    of = _part(given)
    tokens = of.values()
    if tokens is None:
        raise _wrong(f"colour {of} has infinitely or too many values", "give a finite one: a range, a set of values")
    return Ordered(of, tokens)


@public
def lists(element: Any, most: int | None = None) -> Colour:
    """Tuples of any length, at most `most`, of tokens of one colour."""
    inner = _part(element)
    if most is not None and (type(most) is not int or most < 0):
        raise _wrong(f"a list cannot have at most {shown(most)} elements", "give a whole number: lists(int, most=3)")

    def listed() -> Iterable[Hashable]:
        return (row for length in range((most or 0) + 1) for row in combinations(inner.finite(), repeat=length))  # type: ignore[misc]

    return Colour(
        f"lists of {inner}" if most is None else f"lists of at most {most} {inner}",
        lambda value: (
            type(value) is tuple and (most is None or len(value) <= most) and all(one in inner for one in value)
        ),
        None if most is None or inner.finite is None else listed,
        kinds=frozenset({tuple}),
        shape=_elements(inner.shape),
    )


@public
def subset(whole: Any, allowed: Callable[[Any], object], name: str | None = None) -> Colour:
    """The tokens of a colour that a function allows."""
    inner = colour(whole)
    if not callable(allowed):
        raise _wrong(f"{shown(allowed)} is not a function", "write subset(int, lambda x: x > 0)")
    finite, words = inner.finite, name or f"part of {inner}"

    def allows(value: Any) -> bool:
        try:
            return bool(allowed(value))
        except Exception as error:
            raise ModelError(
                "SC120",
                f"the function of colour {words} raised {told(error)} for {shown(value)}",
                where=raised_at(error, allowed),
                suggestion="it must say of every token of the whole colour whether it belongs to the subset",
            ) from error

    return Colour(
        words,
        lambda value: value in inner and allows(value),
        None if finite is None else lambda: filter(allows, finite()),
        inner.parts,
        inner.kinds,
        inner.timed,
        inner.shape,
    )


@public
def timed(given: Any) -> Colour:
    """The colour with a time stamp on every token."""
    return replace(colour(given), timed=True)


@public
def permutable(given: Any, *, rotation: bool = False) -> Colour:
    """A colour whose tokens nobody can tell apart: processes, sites. States that differ in their names only are one.

    All tokens may change names, or with `rotation` be moved on as in a ring, in the order of the colour's values. Give
    the colour a name of its own and use it, alone or inside others, wherever tokens of it are: another call makes
    another colour.
    """
    inner = _part(given)
    tokens = inner.values()
    if tokens is None or inner.shape.sets():
        raise _wrong(
            f"colour {inner} cannot be permutable: "
            + ("it has infinitely or too many values" if tokens is None else "part of it is already"),
            "give a finite colour: a range, a set of values, an Enum; permutable colours can be parts of others",
        )
    return replace(inner, shape=Anywhere((index_set(tokens, rotation),)))


def how_to_time(place: str, of: Colour) -> str:
    """How to write a place of this colour with time stamps."""
    inner = "None" if of.contains is UNIT.contains else of.name if of.name.isidentifier() else "..."
    return f"give the place a timed colour: net.place({place!r}, colours.timed({inner}))"
