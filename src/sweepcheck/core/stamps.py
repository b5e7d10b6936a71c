"""Tokens with a time stamp: relative to the clock in states, absolute wherever people read them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from sweepcheck.core.values import Bag
from sweepcheck.text import value_text


class Stamped(NamedTuple):
    """A token of a timed place in a state: `wait` is its stamp minus the clock."""

    value: Hashable
    wait: int


class At(NamedTuple):
    """A token with its absolute time stamp, as people write and read it."""

    token: Hashable
    time: int

    def __repr__(self) -> str:
        return f"{value_text(self.token)}@{self.time}"


def without_stamps(tokens: Bag) -> Bag:
    """What the tokens are, whenever they are ready."""
    counts: dict[Hashable, int] = {}
    for token, count in tokens.items():
        value = token.token if isinstance(token, At) else token
        counts[value] = counts.get(value, 0) + count
    return Bag(counts)
