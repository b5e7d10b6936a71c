"""A place/transition net as numbers: what engines need to fire its transitions without running any Python.

Places are numbered in the order of `places`. A marking is a count of tokens for each place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sweepcheck.core.values import Bag

Weights = tuple[tuple[int, int], ...]  # (place, number of tokens), by place, each place once, each number at least 1


@dataclass(frozen=True, slots=True)
class CountTransition:
    """A transition: enabled if every place of `takes` has as many tokens and every place of `inhibits` has fewer.

    It fires by taking, then emptying the places of `resets`, then putting.
    """

    name: str
    takes: Weights
    puts: Weights
    inhibits: Weights = ()
    resets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CountNet:
    """Places with their initial counts, and transitions in the order in which edges are listed."""

    places: tuple[str, ...]
    initial: tuple[int, ...]
    transitions: tuple[CountTransition, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class TokenNumber:
    """A number of tokens, as a function of what predicates are given that engines can look inside.

    It is `constant` and what the variables of `terms` hold, each counted so often; or, `most`, how many equal tokens
    one of them holds, and at least `constant`. `flat` gives the variables as engines know them.
    """

    terms: tuple[tuple[str, int], ...]
    constant: int = 0
    most: bool = False
    flat: Callable[[Any], Any] = field(default=lambda view: view, compare=False, repr=False)

    def __call__(self, s: Any) -> int:
        view = self.flat(s)
        if self.most:
            held = (_counts(getattr(view, name)) for name, _ in self.terms)
            return max((max(counts) for counts in held if counts), default=self.constant)
        total = self.constant
        for name, coefficient in self.terms:
            total += coefficient * len(getattr(view, name))
        return total

    def __mul__(self, factor: int) -> TokenNumber:
        terms = tuple((name, coefficient * factor) for name, coefficient in self.terms)
        return TokenNumber(terms, self.constant * factor, flat=self.flat)

    def __add__(self, other: TokenNumber) -> TokenNumber:
        sums: dict[str, int] = {}
        for name, coefficient in (*self.terms, *other.terms):
            sums[name] = sums.get(name, 0) + coefficient
        terms = tuple((name, coefficient) for name, coefficient in sums.items() if coefficient)
        return TokenNumber(terms, self.constant + other.constant, flat=self.flat if self.terms else other.flat)


def _counts(held: Any) -> list[int]:
    """How often each token is there; a view of an engine's can only list them all."""
    return [count for _, count in held.items()] if isinstance(held, Bag) else list(Counter(held).values())


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """How many equal tokens a place holds at most, and how many tokens there are in all."""

    most: TokenNumber
    total: TokenNumber
