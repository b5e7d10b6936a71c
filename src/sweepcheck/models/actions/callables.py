"""What can be an action beside a function: a method of an object, a `functools.partial`; and what it is called."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial, wraps
from types import FunctionType
from typing import Any

from sweepcheck.errors import ModelError, caller, place, shown

LAMBDA = "<lambda>"


def plain(given: Any) -> Any:
    """A method or partial as a function, which is what engines look into; all else as it is."""
    if isinstance(given, FunctionType) or not (isinstance(given, partial) or inspect.ismethod(given)):
        return given

    @wraps(given, assigned=(), updated=())
    def action(s: Any, **parameters: Any) -> object:
        return given(s, **parameters)

    return action


def written(given: Any) -> Any:
    """The function that was written, of whatever was given."""
    while isinstance(given, partial):
        given = given.func
    return given


def name_of(given: Any, name: object) -> str:
    """What an action is called: as it was said, or as its function."""
    if name is None:
        return str(getattr(written(given), "__name__", type(given).__name__))
    if not isinstance(name, str) or not name.isprintable() or not name.strip(" ()") or set(name) & set("()"):
        raise ModelError(
            "SC113",
            f"an action cannot be called {shown(name)}",
            where=place(written(given)) or caller(),
            suggestion='give a name without brackets: m.action(f, name="step 1"); brackets hold parameters in labels',
        )
    return name


def is_lambda(given: Callable[..., object]) -> bool:
    """Whether a function has no name of its own."""
    return getattr(written(given), "__name__", None) == LAMBDA
