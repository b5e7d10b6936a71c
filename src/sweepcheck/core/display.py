"""What notebooks show of an object: whoever knows how it looks registers a writer for its class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

WRITERS: dict[type, Callable[[Any], str]] = {}


class Displayed:
    """An object that a notebook shows as HTML. The core and the models do not know how they look; reports do."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        write = next((WRITERS[kind] for kind in type(self).__mro__ if kind in WRITERS), None)
        return None if write is None else write(self)
