"""Values, labels and numbers as text and as JSON data.

`repr` alone will not do: the order in which a frozenset prints depends on the hash seed of the process, and a trace
saved by one process is replayed by another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from sweepcheck.core.model import Label
from sweepcheck.core.property import Kind
from sweepcheck.core.values import Array, Bag, Queue, sort_key
from sweepcheck.errors import visible
from sweepcheck.models.net.colours import Tagged
from sweepcheck.models.net.time import At

KIB = 1024


def value_text(value: Any) -> str:
    """A value as `repr` writes it, with the elements of sets in a fixed order, on one line."""
    return visible(_written(value))


def _written(value: Any) -> str:
    kind = type(value)
    if kind in (frozenset, set):
        return "{" + ", ".join(value_text(element) for element in sorted(value, key=sort_key)) + "}"
    if kind is tuple:
        return "(" + ", ".join(map(value_text, value)) + (",)" if len(value) == 1 else ")")
    if kind is At:
        return f"{value_text(value.token)}@{value.time}"
    if kind is Tagged and value.value != ():
        return f"{value.tag}({value_text(value.value)})"
    if isinstance(value, tuple) and getattr(kind.__repr__, "__module__", None) == "collections":  # a named tuple's own
        parts = (f"{name}={value_text(part)}" for name, part in zip(kind._fields, value, strict=True))
        return f"{kind.__name__}({', '.join(parts)})"
    if kind is Bag:
        return " + ".join(f"{count}*{value_text(token)}" for token, count in value.items()) or "empty"
    if kind is Queue:
        return "<" + ", ".join(map(value_text, value)) + ">"
    if kind is Array:
        return "[" + ", ".join(map(value_text, value)) + "]"
    if is_dataclass(value) and not isinstance(value, type) and value.__dataclass_params__.repr:  # type: ignore[attr-defined]
        parts = (f"{f.name}={value_text(getattr(value, f.name))}" for f in fields(value) if f.repr)
        return f"{kind.__qualname__.rpartition('.')[2]}({', '.join(parts)})"
    return repr(value)


def label_text(label: Label) -> str:
    """An edge's label: the action with its parameters and choices."""
    action = visible(label.action)
    if not label.arguments:
        return action
    words = (value_text(value) if name is None else f"{name}={value_text(value)}" for name, value in label.arguments)
    return f"{action}({', '.join(words)})"


def property_text(kind: Kind, name: str) -> str:
    """A property by kind and name; the kind alone where the name says no more."""
    return str(kind) if name == kind else f"{kind} {name!r}"


def parameters_text(parameters: Mapping[str, object]) -> str:
    """A model's parameters on one line."""
    return " ".join(f"{visible(name)}={value_text(value)}" for name, value in parameters.items())


def json_value(value: Any) -> Any:
    """A value as JSON data; what JSON cannot hold becomes text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return value if math.isfinite(value) else repr(value)
    if type(value) in (tuple, list):
        return [json_value(element) for element in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: json_value(element) for key, element in value.items()}
    return value_text(value)


def count_text(count: int) -> str:
    """12,345."""
    return f"{count:,}"


def steps_text(count: int) -> str:
    """1 step, 12,345 steps."""
    return f"{count:,} step{'' if count == 1 else 's'}"


def percent_text(part: int, whole: int) -> str:
    """10.5 %; small shares keep two digits."""
    share = 100 * part / whole if whole else 0.0
    return f"{share:.2g} %" if 0 < share < 1 else f"{share:.1f} %"


def bytes_text(size: int) -> str:
    """1.5 GiB."""
    amount = float(size)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if amount < KIB:
            return f"{size} B" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= KIB
    return f"{amount:.1f} TiB"


def seconds_text(seconds: float) -> str:
    """0.42 s, 12.3 s, 4:05 min, 2:03:04 h."""
    if seconds < 1:
        return f"{seconds:.2f} s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02} h" if hours else f"{minutes}:{rest:02} min"
