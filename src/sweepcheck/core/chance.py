"""Chance: explored, a random value is every value that it may have; simulated, it is one, drawn as it is distributed.

A model that draws asks here which of the two is meant, and writes down what it drew for the label of the edge.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from random import Random

from sweepcheck.errors import ModelError

# Where random values come from while one path is simulated; None: every value is explored.
source: ContextVar[Random | None] = ContextVar("source", default=None)
# The random values of the run in progress, as people read them; None where nobody asks for its label.
drawn: ContextVar[list[str] | None] = ContextVar("drawn", default=None)


@contextmanager
def drawing(numbers: Random) -> Iterator[None]:
    """Within this, random values are drawn from these numbers."""
    token = source.set(numbers)
    try:
        yield
    finally:
        source.reset(token)


def labelled(notes: list[str]) -> tuple[tuple[str | None, Hashable], ...]:
    """What was drawn, as a label has it; a draw that nothing asked about is left out."""
    return tuple((f"random{number}", Outcome(text)) for number, text in enumerate(notes, 1) if text)


class OutsideError(ModelError):
    """A random value is needed where no transition occurs: in a constant, an initial marking or a question."""

    def __init__(self) -> None:
        what = "a random value is needed where no transition occurs: in a value, an initial marking or a question"
        super().__init__("SC142", what, suggestion="let a transition draw it, or write a constant")


class Outcome(str):
    """A random value in a label: a text that is shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)
