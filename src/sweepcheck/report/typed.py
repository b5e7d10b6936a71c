"""Values of states as JSON data that keeps what they are: whole numbers, tuples, sets, bags, queues, records.

All that is shown of a state is made from this form, so that a trace read from a file is shown, compared and exported as
one of a model is. Its text is the one that `value_text` writes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from sweepcheck.core.stamps import At
from sweepcheck.core.structures import Map, Record, key_text
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.models.net.colours import Tagged
from sweepcheck.text import ordered, value_text, visible

Typed = Any  # None, bool, int, float, str, a list of these (an array), or an object with one of the keys in `_WRITERS`
LARGEST = 2**53  # whole numbers beyond it are text: most readers of JSON would round them


def typed(value: Any) -> Typed:
    """A value as JSON data; one of a class that is not known here is its text."""
    kind = type(value)
    if value is None or kind in (bool, str):
        return value
    if kind is int:
        return value if -LARGEST < value < LARGEST else {"int": value_text(value)}
    if kind is float and math.isfinite(value):
        return value
    if isinstance(value, Bag):
        return _bag_or_set(value)
    if kind in (frozenset, set):
        return {"set": _all(ordered(value))}
    if isinstance(value, tuple):
        return _sequence(value)
    if kind is Map:
        return {"map": [[typed(key), typed(one)] for key, one in value.items()]}
    if kind is Record:
        return {"record": {name: typed(one) for name, one in value._entries().items()}, "type": "Record"}
    if is_dataclass(value) and not isinstance(value, type) and hasattr(kind.__repr__, "__wrapped__"):
        shown = {one.name: typed(getattr(value, one.name)) for one in fields(value) if one.repr}
        return {"record": shown, "type": kind.__qualname__.rpartition(".")[2]}
    return {"text": value_text(value)}


def _bag_or_set(value: Bag) -> Typed:
    if type(value) is Bag:
        return {"bag": [[typed(token), count] for token, count in value.items()]}
    return {"set": _all(value.distinct())}


def _sequence(value: tuple[Any, ...]) -> Typed:
    kind = type(value)
    if isinstance(value, Array):
        return _all(value)
    if kind is tuple:
        return {"tuple": _all(value)}
    if kind is Queue:
        return {"queue": _all(value)}
    if isinstance(value, At):
        return {"token": typed(value.token), "time": value.time}
    if isinstance(value, Tagged):
        return {"tag": value.tag, "value": typed(value.value)}
    if getattr(kind.__repr__, "__module__", None) == "collections":  # a named tuple's own
        names: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
        return {"record": dict(zip(names, _all(value), strict=True)), "type": kind.__name__}
    return {"text": value_text(value)}


def _all(values: Iterable[Any]) -> list[Typed]:
    return [typed(one) for one in values]


def typed_text(value: Typed) -> str:
    """The text of a value, as `value_text` writes the value itself."""
    if isinstance(value, dict):
        return _WRITERS[next(iter(value))](value)
    return f"[{_listed(value)}]" if isinstance(value, list) else visible(repr(value))


def _listed(values: Iterable[Typed]) -> str:
    return ", ".join(map(typed_text, values))


def _tuple(value: dict[str, Typed]) -> str:
    parts = value["tuple"]
    return f"({_listed(parts)}{',' if len(parts) == 1 else ''})"


def _record(value: dict[str, Typed]) -> str:
    parts = (f"{name}={typed_text(one)}" for name, one in value["record"].items())
    return visible(f"{value['type']}({', '.join(parts)})")


def _map(value: dict[str, Typed]) -> str:
    return "Map(" + ", ".join(f"{typed_key(key)}: {typed_text(one)}" for key, one in value["map"]) + ")"


def _tag(value: dict[str, Typed]) -> str:
    return visible(value["tag"] if value["value"] == {"tuple": []} else f"{value['tag']}({typed_text(value['value'])})")


def typed_key(key: Typed) -> str:
    """An element of a map's domain, as people write it."""
    return key_text(key) if isinstance(key, str) else typed_text(key)


_WRITERS: Mapping[str, Callable[[dict[str, Typed]], str]] = {
    "bag": lambda value: " + ".join(f"{count}*{typed_text(token)}" for token, count in value["bag"]) or "empty",
    "queue": lambda value: f"<{_listed(value['queue'])}>",
    "set": lambda value: "{" + _listed(value["set"]) + "}",
    "tuple": _tuple,
    "record": _record,
    "map": _map,
    "tag": _tag,
    "token": lambda value: f"{typed_text(value['token'])}@{value['time']}",
    "int": lambda value: visible(value["int"]),
    "text": lambda value: visible(value["text"]),
}


def checked(value: Any) -> Typed:
    """Data from a file, if it is a value as `typed` makes them; else an error of the kind that data raises."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return [checked(one) for one in value]
    key = next(iter(value.keys()), None)
    if key in ("queue", "set", "tuple"):
        return {key: [checked(one) for one in _list(value[key])]}
    if key == "bag":
        return {key: [[checked(token), _count(count)] for token, count in _list(value[key])]}
    if key == "map":
        return {key: [[checked(name), checked(one)] for name, one in _list(value[key])]}
    if key == "record":
        return {key: {name: checked(one) for name, one in value[key].items()}, "type": word(value["type"])}
    if key == "tag":
        return {key: word(value[key]), "value": checked(value["value"])}
    if key == "token":
        return {key: checked(value[key]), "time": _count(value["time"])}
    if key in ("int", "text"):
        return {key: word(value[key])}
    raise ValueError(f"{key!r} is no kind of value")


def word(value: Any) -> str:
    """Text from a file."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is not a list")
    return value


def _count(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is not a whole number")
    return value
