"""Bags, queues and arrays as they are, for functions that ask for their type.

The core's own views give objects that note what is asked of them. They answer like the values they stand for, except
to `type`, which asks nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType, MethodType
from typing import Any

from sweepcheck._core import materialise
from sweepcheck.engines.native.arithmetic import outside


class WholeValues:
    """A view that reads the whole value of every variable it is asked for."""

    __slots__ = ("_view",)
    _view: Any

    def __init__(self, view: Any) -> None:
        object.__setattr__(self, "_view", view)

    def __getattr__(self, name: str) -> Any:
        return materialise(getattr(self._view, name))

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._view, name, value)


def or_whole(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function that is given whole values where it fails with the core's own objects.

    `json.dumps(s.array)` takes a tuple, and nothing that only answers like one. What the function itself raises it
    raises again.
    """

    def call(view: Any) -> Any:
        try:
            return function(view)
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - whatever a function in C raises
            return function(WholeValues(view))

    return call


def asks_for_types(function: object) -> bool:
    """Whether a function, or one that it calls, mentions `type`, to which no object can give another answer."""
    return _asks_for_types(function, set())


def _asks_for_types(value: object, seen: set[int]) -> bool:
    if value is type:
        return True
    if id(value) in seen:
        return False
    seen.add(id(value))
    if isinstance(value, FunctionType):
        return any(_asks_for_types(one, seen) for one in outside(value))
    if isinstance(value, MethodType):
        return _asks_for_types(value.__func__, seen)
    if isinstance(value, partial):
        return any(_asks_for_types(one, seen) for one in (value.func, *value.args, *value.keywords.values()))
    return False
