"""Properties: what is asked of a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """The questions that can be asked."""

    INVARIANT = "invariant"
    REACHABLE = "reachable"
    DEADLOCK = "deadlock"
    ALWAYS_POSSIBLE = "always_possible"
    ALWAYS_EVENTUALLY = "always_eventually"


@dataclass(frozen=True, slots=True)
class Property:
    """A named question. For `deadlock` the predicate says which states may be final; elsewhere it is the claim."""

    kind: Kind
    name: str
    predicate: Callable[[Any], object] | None = None
