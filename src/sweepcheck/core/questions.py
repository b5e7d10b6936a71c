"""Questions of other tools' files: each with a name, and an answer that is a truth value or a number, not a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.property import Property


@dataclass(frozen=True, slots=True)
class Question:
    """A question: whether a property holds (or, `negated`, does not), or the largest value of a function (`bound`).

    It may be whether the answer to `every` one of some questions is true, or to `some` of them. `known` is the answer
    where no exploration is needed. `reason` is why nothing here can decide it.
    """

    name: str
    property: Property | None = None
    negated: bool = False
    bound: Callable[[Any], int] | None = None
    known: bool | None = None
    reason: str | None = None
    every: tuple[Question, ...] | None = None
    some: tuple[Question, ...] | None = None

    def parts(self) -> Iterator[Question]:
        """The questions that it is made of: itself, or what its parts are made of."""
        if self.every is None and self.some is None:
            yield self
        for one in (*(self.every or ()), *(self.some or ())):
            yield from one.parts()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question; None with the reason why there is none."""

    name: str
    value: bool | int | None
    reason: str | None = None

    def __str__(self) -> str:
        return "CANNOT_COMPUTE" if self.value is None else str(self.value).upper()
