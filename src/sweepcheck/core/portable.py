"""Values as data that can be read back: what states are made of, written as JSON and never as code.

Numbers, text, tuples, sets, bags, queues, records and maps are written as what they are. Enumerations, named tuples and
dataclasses are written by the name of their class, which must be there when they are read: in a module that is loaded,
or in an initial state. They are put together from their parts, and none of their functions is run.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from sweepcheck.core.structures import Map, Record, Set
from sweepcheck.core.values import Array, Bag, Composite, Queue, alike, parts_of

Portable = Any  # None, bool, int, float, str, or an object whose first key says what it is
Classes = Mapping[str, type]  # by the name under which they are written
LARGEST = 2**53  # whole numbers beyond it are text


class NotPortableError(ValueError):
    """A value that cannot be written, or data that is no value."""


def classes_in(values: Iterable[Any]) -> dict[str, type]:
    """The classes of values and of their parts."""
    found: dict[str, type] = {}
    for value in values:
        found[_name(type(value))] = type(value)
        found |= classes_in(parts_of(value))
    return found


def portable(value: Any, classes: Classes) -> Portable:
    """A value as data; NotPortableError, with the part that cannot be written, where it is none."""
    kind = type(value)
    if value is None or kind in (bool, str) or (kind is int and -LARGEST < value < LARGEST):
        return value
    if kind is float and math.isfinite(value):
        return value
    writer = _WRITERS.get(kind)
    if writer is not None:
        return writer(value, lambda parts: [portable(part, classes) for part in parts])
    return _of_class(value, classes)


def _of_class(value: Any, classes: Classes) -> Portable:
    """A value of a class that somebody else has written."""
    kind, name = type(value), _name(type(value))
    data: Portable = None
    if _find(name, classes) is kind:
        if isinstance(value, Enum):
            data = {"enum": name, "value": portable(value.value, classes)}
        elif isinstance(value, tuple) and not hasattr(value, "__dict__"):
            data = {"named": name, "parts": [portable(part, classes) for part in tuple(value)]}
        elif is_dataclass(value) and not isinstance(value, tuple | frozenset | int | str | Composite):
            data = {"data": name, "parts": [portable(getattr(value, one.name), classes) for one in fields(value)]}
    if data is None or not _is_back(value, data, classes):
        raise NotPortableError(value)
    return data


def _is_back(value: Any, data: Portable, classes: Classes) -> bool:
    """Whether data is read as the value that it was written for."""
    try:
        back = value_of(data, classes)
    except (NotPortableError, TypeError, ValueError):
        return False
    return bool(back == value) and alike(back, value) and hash(back) == hash(value)


def value_of(data: Portable, classes: Classes) -> Any:
    """The value that data says; NotPortableError where it says none."""
    if data is None or isinstance(data, bool | int | float | str):
        return data
    if not isinstance(data, dict) or not data:
        raise NotPortableError(f"{data!r} is no value")
    key = next(iter(data))
    try:
        return _READERS[key](data, lambda parts: [value_of(part, classes) for part in parts], classes)
    except NotPortableError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise NotPortableError(f"{key!r} says no value: {error}") from None


Parts = Callable[[Iterable[Any]], list[Any]]
_WRITERS: Mapping[type, Callable[[Any, Parts], Portable]] = {
    int: lambda value, _: {"int": hex(value)},
    float: lambda value, _: {"float": value.hex()},
    bytes: lambda value, _: {"bytes": value.hex()},
    Fraction: lambda value, _: {"fraction": [hex(value.numerator), hex(value.denominator)]},
    tuple: lambda value, parts: {"tuple": parts(value)},
    frozenset: lambda value, parts: {"frozenset": parts(value)},
    Bag: lambda value, parts: {"bag": parts(value.distinct()), "counts": [count for _, count in value.items()]},
    Set: lambda value, parts: {"set": parts(value.distinct())},
    Queue: lambda value, parts: {"queue": parts(value), "capacity": value.capacity},
    Array: lambda value, parts: {"array": parts(value)},
    Map: lambda value, parts: {"map": parts(value._entries()), "values": parts(value._entries().values())},
    Record: lambda value, parts: {"record": list(value._entries()), "values": parts(value._entries().values())},
}


def _enum(data: Any, parts: Parts, classes: Classes) -> Any:
    kind = _find(data["enum"], classes)
    if kind is None or not issubclass(kind, Enum):
        raise NotPortableError(f"there is no enumeration {data['enum']!r}")
    return kind(parts([data["value"]])[0])


def _named(data: Any, parts: Parts, classes: Classes) -> Any:
    kind = _find(data["named"], classes)
    if kind is None or not issubclass(kind, tuple):
        raise NotPortableError(f"there is no named tuple {data['named']!r}")
    return tuple.__new__(kind, parts(data["parts"]))


def _data(data: Any, parts: Parts, classes: Classes) -> Any:
    kind = _find(data["data"], classes)
    if kind is None or not is_dataclass(kind):
        raise NotPortableError(f"there is no dataclass {data['data']!r}")
    made = object.__new__(kind)
    for field, part in zip(fields(kind), parts(data["parts"]), strict=True):
        object.__setattr__(made, field.name, part)
    return made


_READERS: Mapping[str, Callable[[Any, Parts, Classes], Any]] = {
    "int": lambda data, _, __: int(data["int"], 16),
    "float": lambda data, _, __: float.fromhex(data["float"]),
    "bytes": lambda data, _, __: bytes.fromhex(data["bytes"]),
    "fraction": lambda data, _, __: Fraction(*(int(one, 16) for one in data["fraction"])),
    "tuple": lambda data, parts, _: tuple(parts(data["tuple"])),
    "frozenset": lambda data, parts, _: frozenset(parts(data["frozenset"])),
    "bag": lambda data, parts, _: Bag(dict(zip(parts(data["bag"]), data["counts"], strict=True))),
    "set": lambda data, parts, _: Set(parts(data["set"])),
    "queue": lambda data, parts, _: Queue(parts(data["queue"]), data["capacity"]),
    "array": lambda data, parts, _: Array(parts(data["array"])),
    "map": lambda data, parts, _: Map(dict(zip(parts(data["map"]), parts(data["values"]), strict=True))),
    "record": lambda data, parts, _: Record(**dict(zip(data["record"], parts(data["values"]), strict=True))),
    "enum": _enum,
    "named": _named,
    "data": _data,
}


def _name(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _find(name: str, classes: Classes) -> type | None:
    """The class of a name, if it is known: nothing is loaded for it."""
    if name in classes:
        return classes[name]
    module, _, path = name.partition(":")
    found: Any = sys.modules.get(module)
    for part in path.split("."):
        found = vars(found).get(part) if hasattr(found, "__dict__") else None
    return found if isinstance(found, type) else None
