"""A state as predicates and measures read it: its variables by name.

The native engine has views of its own, which note what is asked of them. A deep copy of any view, `KeptView`, outlives
the function that was given the view, and equals other copies by its values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sweepcheck.core.running import state_text, unknown_variable
from sweepcheck.errors import ModelError


class View:
    """A state as predicates and measures read it."""

    __slots__ = ("_values",)
    _names: tuple[str, ...] = ()
    _values: tuple[Any, ...]

    def __init__(self, values: tuple[Any, ...]) -> None:
        object.__setattr__(self, "_values", values)

    def __setattr__(self, name: str, value: object) -> None:
        raise ModelError(
            "SC206",
            f"{name!r} was assigned in a predicate or measure",
            suggestion="predicates and measures only read; change the state in an action",
        )

    def __getattr__(self, name: str) -> Any:
        raise unknown_variable(name, self._names)

    def __deepcopy__(self, memo: object) -> KeptView:
        return KeptView(self._values, self._names)

    def __repr__(self) -> str:
        return state_text(self, self._names)

    __hash__ = None  # type: ignore[assignment]


class KeptView(View):
    """A view that a fold keeps, as a value."""

    __slots__ = ("_names",)

    def __init__(self, values: tuple[Any, ...], names: tuple[str, ...]) -> None:
        super().__init__(values)
        object.__setattr__(self, "_names", names)

    def __getattr__(self, name: str) -> Any:
        if name in self._names:
            return self._values[self._names.index(name)]
        return super().__getattr__(name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeptView) and (self._names, self._values) == (other._names, other._values)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self._values)

    def __deepcopy__(self, memo: object) -> KeptView:
        return self


def kept(values: Mapping[str, Any]) -> KeptView:
    """A view of the native engine as a value; it shows no variables that were added for what is asked."""
    shown = {name: value for name, value in values.items() if not name.startswith("\0")}
    return KeptView(tuple(shown.values()), tuple(shown))


def view_class(names: Sequence[str]) -> type[View]:
    """The view class for variables with these names."""

    def reader(index: int) -> property:
        return property(lambda view: view._values[index])

    descriptors: dict[str, Any] = {"__slots__": (), "_names": tuple(names)}
    descriptors.update((name, reader(index)) for index, name in enumerate(names))
    return type("View", (View,), descriptors)
