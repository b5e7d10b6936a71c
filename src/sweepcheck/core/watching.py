"""An array that notes which of its elements are read: what explains an answer or a step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Self

from sweepcheck.core.values import Array


class WatchedArray(Array):
    """An array that notes which of its elements are read."""

    _note: Callable[[int], None]

    def __new__(cls, values: Array, note: Callable[[int], None]) -> Self:
        made = super().__new__(cls, values)
        made._note = note
        return made

    def __getitem__(self, position: Any) -> Any:
        found = super().__getitem__(position)
        for one in range(*position.indices(len(self))) if isinstance(position, slice) else [position]:
            self._note(one)
        return found

    def __iter__(self) -> Iterator[Any]:
        return (self[position] for position in range(len(self)))


def _of_all(name: str) -> Callable[..., Any]:
    """A method of tuples that reads every element."""
    method = getattr(tuple, name)

    def call(array: WatchedArray, *arguments: Any) -> Any:
        return method(tuple(array), *arguments)

    return call


_COMPARING = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
for _name in (*_COMPARING, "__contains__", "__hash__", "__add__", "__mul__", "__rmul__", "__repr__", "count", "index"):
    setattr(WatchedArray, _name, _of_all(_name))
