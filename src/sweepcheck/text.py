"""Values as text: the same words in every process, in reports and in errors.

`repr` alone will not do: the order in which a frozenset prints depends on the hash seed of the process, so that one
state would be printed in another way on every run, and a trace saved by one process could not be replayed by another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from numbers import Real
from typing import Any

DECIMAL_BITS = 10_000  # of an integer: Python refuses to write those with more than 4,300 digits as decimals


def value_text(value: Any) -> str:
    """A value as `repr` writes it, on one line, with the elements of sets in a fixed order, however deep inside it.

    Classes of this package say in their `__repr__` how they are written, with this function for their parts.
    """
    return visible(_written(value))


def _written(value: Any) -> str:
    kind = type(value)
    if kind is int:
        return repr(value) if value.bit_length() < DECIMAL_BITS else hex(value)
    if kind is Fraction:
        return f"Fraction({value_text(value.numerator)}, {value_text(value.denominator)})"
    if kind in (frozenset, set):
        return "{" + ", ".join(map(value_text, ordered(value))) + "}"
    if kind is tuple:
        return "(" + ", ".join(map(value_text, value)) + (",)" if len(value) == 1 else ")")
    if kind is list:
        return "[" + ", ".join(map(value_text, value)) + "]"
    if kind is dict:
        return "{" + ", ".join(f"{value_text(key)}: {value_text(one)}" for key, one in value.items()) + "}"
    if isinstance(value, tuple) and getattr(kind.__repr__, "__module__", None) == "collections":  # a named tuple's own
        parts = (f"{name}={value_text(part)}" for name, part in zip(kind._fields, value, strict=True))
        return f"{kind.__name__}({', '.join(parts)})"
    if (
        is_dataclass(value) and not isinstance(value, type) and hasattr(kind.__repr__, "__wrapped__")
    ):  # a dataclass's own
        parts = (f"{one.name}={value_text(getattr(value, one.name))}" for one in fields(value) if one.repr)
        return f"{kind.__qualname__.rpartition('.')[2]}({', '.join(parts)})"
    return repr(value)


def ordered(elements: Iterable[Any]) -> list[Any]:
    """The elements of a set in the order in which they are written."""
    return sorted(elements, key=_order)


def _order(element: Any) -> tuple[Any, ...]:
    """Where an element of a set stands: numbers by size, text, tuples part by part, all else by its words."""
    if isinstance(element, Real) and element == element:  # noqa: PLR0124 - all but NaN, which has no place
        return (0, element)
    if isinstance(element, str):
        return (1, element)
    if isinstance(element, tuple):
        return (2, *map(_order, element))
    return (3, value_text(element))


def visible(text: str) -> str:
    """The text on one line, with everything that cannot be seen written as an escape, as in `repr`.

    A terminal acts upon control characters and a browser reorders what follows some invisible ones, so that a name
    could hide a verdict or pretend to be one. Everything that is shown to people goes through here.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


def visible_lines(text: str) -> str:
    """The same for a text of several lines."""
    return text if text.isprintable() else "\n".join(map(visible, text.split("\n")))
