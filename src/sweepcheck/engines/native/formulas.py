"""Formulas and numbers of tokens as the core reads them: variables and actions by their positions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from sweepcheck._core import FormulaNode
from sweepcheck.core.counting import TokenNumber
from sweepcheck.core.formula import Formula, OpaqueError, entries
from sweepcheck.core.model import Label
from sweepcheck.core.tabulated import Tables, Tabulated

MOST_COEFFICIENTS = 1 << 30  # of a sum of tokens, so that it stays a number of 64 bits
MOST_INTEGER = 1 << 61


class Node(NamedTuple):
    """A node of a formula; its parts follow it, and `size` counts it and all of them.

    AMONG says of which variable and which of its values, AT_LEAST of which variables and how many tokens, ENABLED which
    actions, all by position.
    """

    what: FormulaNode
    size: int
    variable: int
    values: list[int]
    terms: list[tuple[int, int]]
    least: int
    actions: list[int]


class CountedTokens(NamedTuple):
    """A `TokenNumber`, its variables by position."""

    terms: list[tuple[int, int]]
    constant: int
    most: bool


def nodes_of(formula: Formula, positions: Positions) -> list[Node] | None:
    """A predicate that the core can decide by itself; None where it is about values that are not known in advance."""
    try:
        found = entries(formula)
    except OpaqueError:
        return None
    nodes = []
    for one in found:
        number, all_values = positions.scalars.get(one.variable, (0, ()))
        if one.variable and not all_values:
            return None
        allowed = [position for position, value in enumerate(all_values) if value in one.values]
        tokens = CountedTokens([], 0, False) if one.tokens is None else positions.tokens(one.tokens)
        if tokens is None or tokens.most or abs(one.least) > MOST_INTEGER:
            return None
        actions = sorted(position for label in one.labels for position in positions.actions[label])
        what, least = FormulaNode[one.what.upper()], one.least - tokens.constant
        nodes.append(Node(what, one.size, number, allowed, tokens.terms, least, actions))
    return nodes


class Positions:
    """Where variables and actions stand, for formulas and numbers of tokens."""

    def __init__(self, system: Tabulated, tables: Tables) -> None:
        self._system, self._tables = system, tables

    @cached_property
    def scalars(self) -> dict[str, tuple[int, Sequence[Any]]]:
        """The variables whose values are known in advance, with these."""
        return {one.name: (number, one.values) for number, one in enumerate(self._tables.variables) if one.values}

    @cached_property
    def bags(self) -> dict[str, int]:
        """The variables that hold tokens."""
        return {one.name: number for number, one in enumerate(self._tables.variables) if one.kind.is_bag}

    @cached_property
    def actions(self) -> dict[Label, list[int]]:
        """All actions."""
        found: dict[Label, list[int]] = {}
        for position, action in enumerate(self._system.actions):
            found.setdefault(action.label, []).append(position)
        return found

    def tokens(self, function: object) -> CountedTokens | None:
        """A number of tokens that fits the core's integers; None of any other function."""
        if not isinstance(function, TokenNumber) or any(name not in self.bags for name, _ in function.terms):
            return None
        if sum(abs(one) for _, one in function.terms) > MOST_COEFFICIENTS or abs(function.constant) > MOST_INTEGER:
            return None
        terms = [(self.bags[name], one) for name, one in function.terms]
        return CountedTokens(terms, function.constant, function.most)
