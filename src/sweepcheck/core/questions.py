"""Questions of other tools' files: each with a name, and an answer that is a truth value or a number, not a verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.property import Property


@dataclass(frozen=True, slots=True)
class Question:
    """A question: whether a property holds (or, `negated`, does not), or the largest value of a function (`bound`).

    `known` is the answer where no exploration is needed. `reason` is why nothing here can decide it.
    """

    name: str
    property: Property | None = None
    negated: bool = False
    bound: Callable[[Any], int] | None = None
    known: bool | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question; None with the reason why there is none."""

    name: str
    value: bool | int | None
    reason: str | None = None

    def __str__(self) -> str:
        return "CANNOT_COMPUTE" if self.value is None else str(self.value).upper()
