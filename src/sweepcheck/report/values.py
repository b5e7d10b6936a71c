"""Labels, parameters and numbers as text, and values as JSON data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sweepcheck.core.model import Label
from sweepcheck.core.plan import Shared, Statistics
from sweepcheck.core.property import Kind
from sweepcheck.text import DECIMAL_BITS, value_text, visible

KIB = 1024


def label_text(label: Label) -> str:
    """An edge's label: the action with its parameters and choices."""
    return visible(str(label))


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
    if isinstance(value, int):
        return value if value.bit_length() < DECIMAL_BITS else value_text(value)
    if isinstance(value, float):
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


def workers_text(numbers: Statistics) -> str:
    """81 % working, 12 % waiting, 7 % in Python; nothing where the time was too short to be measured."""
    shares = {"working": numbers.working, "waiting": numbers.waiting, "in Python": numbers.in_python}
    return ", ".join(f"{100 * share:.0f} % {name}" for name, share in shares.items() if share is not None)


def shared_text(shared: Shared) -> str:
    """81 % working, 1,203 supersteps, 9,120,004 states sent, 14.1 B each."""
    each = f", {shared.sent_bytes / shared.sent_states:.1f} B each" if shared.sent_states else ""
    return (
        f"{100 * shared.efficiency:.0f} % working, {count_text(shared.steps)} supersteps, "
        f"{count_text(shared.sent_states)} states sent{each}"
    )


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
