"""A place/transition net as numbers: what engines need to fire its transitions without running any Python.

Places are numbered in the order of `places`. A marking is a count of tokens for each place.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from sweepcheck.core.values import Bag

Weights = tuple[tuple[int, int], ...]  # (place, number of tokens), by place, each place once, each number at least 1


@dataclass(frozen=True, slots=True)
class CountTransition:
    """A transition: enabled if every place of `takes` has as many tokens and every place of `inhibits` has fewer.

    It fires by taking, then emptying the places of `resets`, then putting. `action` is its position in the model.
    """

    action: int
    takes: Weights
    puts: Weights
    inhibits: Weights = ()
    resets: tuple[int, ...] = ()


class ArcKind(IntEnum):
    """What an arc says of its place, in the order in which it is done; the numbers are the core's."""

    TAKE = 0
    PUT = 1
    INHIBIT = 2
    RESET = 3


@dataclass(frozen=True, slots=True)
class CountNet:
    """Places with their initial counts, and transitions by the positions of the model's actions that they are.

    `arcs` has four numbers of 32 bits for each: a transition, a kind, a place, a number of tokens. They are by
    transition, and of each place there is one of a kind at most. Nets have tens of thousands, so they are no objects.
    """

    places: tuple[str, ...]
    initial: tuple[int, ...]
    actions: Sequence[int]
    arcs: bytes = field(repr=False)

    @property
    def transitions(self) -> Iterator[CountTransition]:
        """The transitions one by one."""
        found: list[dict[ArcKind, list[tuple[int, int]]]] = [{kind: [] for kind in ArcKind} for _ in self.actions]
        for transition, kind, place, count in rows(self.arcs):
            found[transition][ArcKind(kind)].append((place, count))
        for action, of in zip(self.actions, found, strict=True):
            takes, puts, inhibits, resets = (tuple(sorted(of[kind])) for kind in ArcKind)
            yield CountTransition(action, takes, puts, inhibits, tuple(place for place, _ in resets))


def rows(arcs: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Numbers of 32 bits by fours."""
    numbers = array("I", arcs)
    return zip(numbers[::4], numbers[1::4], numbers[2::4], numbers[3::4], strict=True)


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
