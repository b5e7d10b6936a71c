"""Assigning to a bag, set, queue or array of a draft as a whole: its contents are replaced, one by one."""

from __future__ import annotations

from typing import Any

from sweepcheck.core.structures import Set
from sweepcheck.core.values import Array, Queue
from sweepcheck.errors import ModelError, shown

_WRITTEN: dict[type, str] = {Array: "list(s.x)"}


def replace_contents(held: Any, kind: type, name: str, value: Any) -> None:
    """Give a structure of a draft the contents of a value; `held` is the editor that some engine has for it."""
    contents = fitting(kind, name, value, len(held) if kind is Array else 0)
    if kind is Array:
        for position, element in enumerate(contents):
            held[position] = element
        return
    tokens = tuple(contents)
    held.clear()
    put = held.put if kind is Queue else held.add
    for token in tokens:
        put(token)


def fitting(kind: type, name: str, value: Any, length: int = 0) -> Any:
    """A value that a structure of this kind can take the contents of; refused where it is none."""
    if kind is Array:
        if isinstance(value, tuple | list) and len(value) == length:
            return value
    elif isinstance(value, kind) or (kind is Set and isinstance(value, set | frozenset)):
        return value
    if type(value).__name__.endswith("Editor"):  # every engine has its own
        raise not_copied(name, value, _WRITTEN.get(kind, f"{kind.__name__}(s.x)"))
    wanted = f"an array of {length} elements" if kind is Array else f"a {kind.__name__.lower()}"
    raise unfit_for(name, value, wanted, f"{kind.__name__}({'[...]' if kind is Array else '...'})")


def unfit_for(name: str, value: Any, wanted: str, suggestion: str) -> ModelError:
    """The error for a value that a structured variable cannot have."""
    what = f"variable {name!r} was given {shown(value)}, which is not {wanted}"
    return ModelError("SC111", what, suggestion=suggestion)


def not_copied(name: str, value: Any, copy: str) -> ModelError:
    """The error for a part of the state that is assigned to another one.

    It would be read when it is assigned, not where it is written: in `s.a, s.b = s.b, s.a` after `s.a` has changed.
    """
    what = f"{name!r} was given {shown(value)}, which is a part of the state and not a value of its own"
    return ModelError("SC203", what, suggestion=f"assign a copy: {copy}")
