"""Values as text that means the same in every process, and that never runs code when it is read.

Equal values have equal text, whatever the hash seed: who owns a state depends on it. Numbers, text, tuples, sets, the
structured values of states, enumerations, named tuples and data classes can be written; a class is looked up among the
modules that are loaded already.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import blake2b
from typing import Any

from sweepcheck.core.structures import Map, Record, Set
from sweepcheck.core.values import Array, Bag, Queue

_MADE: dict[tuple[str, tuple[str, ...]], type] = {}  # named tuples that no module has under their name


def remember(kind: type) -> None:
    """Find a class of named tuples by its name and fields from now on."""
    _MADE[kind.__qualname__, kind._fields] = kind  # type: ignore[attr-defined]


class UnportableError(Exception):
    """A value has no text; its message says why."""


def text_of(value: Any) -> str:
    """A value as text."""
    return json.dumps(_data(value), separators=(",", ":"), ensure_ascii=True)


def value_of(text: str) -> Any:
    """The value that a text means; ValueError where it means none."""
    try:
        return _value(json.loads(text))
    except (KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise ValueError(f"{text[:80]!r} is no value: {error}") from None


def digest_of(text: str) -> int:
    """A number of 64 bits for a text, the same everywhere."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def _data(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return ["float", value.hex()]
    if kind is bytes:
        return ["bytes", value.hex()]
    if kind in (tuple, Array):
        return [kind.__name__, *map(_data, value)]
    if kind is Queue:
        return ["Queue", value.capacity, *map(_data, value)]
    if kind in (frozenset, Set):
        return [kind.__name__, *_sorted(map(_data, value))]
    if kind is Bag:
        return ["Bag", *_sorted([_data(token), count] for token, count in value.items())]
    if kind in (Record, Map):
        return [kind.__name__, *_sorted([_data(name), _data(one)] for name, one in value._entries().items())]
    return _of_class(value, kind)


def _sorted(data: Any) -> list[Any]:
    return sorted(data, key=json.dumps)


def _of_class(value: Any, kind: type) -> Any:
    names = getattr(kind, "_fields", ())
    if _MADE.get((kind.__qualname__, names)) is kind:
        return ["made", kind.__qualname__, list(names), *map(_data, value)]
    if _found(kind.__module__, kind.__qualname__) is not kind:
        raise UnportableError(f"its class {kind.__qualname__} is none that another process finds by its name")
    name = [kind.__module__, kind.__qualname__]
    if issubclass(kind, Enum):
        return ["enum", *name, _data(value.value)]
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return ["named", *name, *map(_data, value)]
    if is_dataclass(kind):
        return ["data", *name, *(_data(getattr(value, one.name)) for one in fields(kind))]
    raise UnportableError(f"its class {kind.__qualname__} is no data class, named tuple or enumeration")


def _found(module: str, name: str) -> Any:
    """A class of a module that is loaded; None where there is none."""
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _value(data: Any) -> Any:
    if not isinstance(data, list):
        if data is None or isinstance(data, bool | int | str):
            return data
        raise ValueError(f"{data!r} is no value")
    tag, *rest = data
    return _READERS[tag](rest)


def _all(data: list[Any]) -> list[Any]:
    return [_value(one) for one in data]


def _pairs(data: list[Any]) -> dict[Any, Any]:
    return {_value(first): _value(second) for first, second in data}


def _class(data: list[Any], fits: Callable[[type], bool]) -> Any:
    kind = _found(data[0], data[1])
    if not isinstance(kind, type) or not fits(kind):
        raise ValueError(f"there is no class {data[1]} in {data[0]} whose values can be read")
    return kind


def _made(data: list[Any]) -> Any:
    kind = _class(data, is_dataclass)
    made = object.__new__(kind)
    for field, value in zip(fields(kind), _all(data[2:]), strict=True):
        object.__setattr__(made, field.name, value)
    return made


def _named(data: list[Any]) -> Any:
    kind = _class(data, lambda one: issubclass(one, tuple) and hasattr(one, "_fields"))
    return tuple.__new__(kind, _all(data[2:]))


_READERS: dict[str, Callable[[list[Any]], Any]] = {
    "float": lambda data: float.fromhex(data[0]),
    "bytes": lambda data: bytes.fromhex(data[0]),
    "tuple": lambda data: tuple(_all(data)),
    "Array": lambda data: Array(_all(data)),
    "Queue": lambda data: Queue(_all(data[1:]), data[0]),
    "frozenset": lambda data: frozenset(_all(data)),
    "Set": lambda data: Set(_all(data)),
    "Bag": lambda data: Bag(_pairs(data)),
    "Record": lambda data: Record(**_pairs(data)),
    "Map": lambda data: Map(_pairs(data)),
    "enum": lambda data: _class(data, lambda one: issubclass(one, Enum))(_value(data[2])),
    "named": _named,
    "made": lambda data: tuple.__new__(_MADE[data[0], tuple(data[1])], _all(data[2:])),
    "data": _made,
}
