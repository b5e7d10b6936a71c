"""Properties: what is asked of a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sweepcheck.core.declaration import check_function, check_name


class Kind(StrEnum):
    """The questions that can be asked."""

    INVARIANT = "invariant"
    REACHABLE = "reachable"
    DEADLOCK = "deadlock"
    ALWAYS_POSSIBLE = "always_possible"
    ALWAYS_EVENTUALLY = "always_eventually"

    @property
    def decided_by_states(self) -> bool:
        """Whether single states decide it, whatever else is stored; else it is about paths and cycles."""
        return self in (Kind.INVARIANT, Kind.REACHABLE, Kind.DEADLOCK)


@dataclass(frozen=True, slots=True)
class Property:
    """A named question. For `deadlock` the predicate says which states may be final; elsewhere it is the claim."""

    kind: Kind
    name: str
    predicate: Callable[[Any], object] | None = None

    def __post_init__(self) -> None:
        check_name(self.name, f"a property ({self.kind})")
        if self.predicate is not None or self.kind is not Kind.DEADLOCK:
            check_function(self.predicate, f"the predicate of {self.kind} {self.name!r}")
