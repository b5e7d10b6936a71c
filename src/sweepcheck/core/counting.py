"""A place/transition net as numbers: what engines need to fire its transitions without running any Python.

Places are numbered in the order of `places`. A marking is a count of tokens for each place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

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
class TokenCounts:
    """Functions of a state: how many equal tokens each place holds at most, and how many tokens there are in all.

    `steady`: no step changes the latter.
    """

    each: tuple[Callable[[Any], int], ...]
    total: Callable[[Any], int]
    steady: bool
