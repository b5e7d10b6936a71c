"""Formulas: conditions on what variables hold and which actions are enabled, joined by and, or, not.

They are predicates like any function of a state. Beyond that an engine can look inside them and decide them without
calling Python.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from sweepcheck.core.counting import TokenNumber
from sweepcheck.core.model import Label


class Formula:
    """A condition on a state; called with a view of it, like any predicate."""

    __slots__ = ()

    def __call__(self, s: Any) -> bool:
        """Whether the condition holds."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Among(Formula):
    """A variable has one of these values."""

    variable: str
    values: frozenset[Hashable]

    def __call__(self, s: Any) -> bool:
        """See `Formula`."""
        return getattr(s, self.variable) in self.values

    def __str__(self) -> str:
        listed = sorted(map(repr, self.values))
        if len(listed) == 1:
            return f"{self.variable} == {listed[0]}"
        return f"{self.variable} in ({', '.join(listed)})" if listed else "False"


@dataclass(frozen=True, slots=True)
class AtLeast(Formula):
    """There are so many tokens, or more."""

    tokens: TokenNumber
    least: int

    def __call__(self, s: Any) -> bool:
        """See `Formula`."""
        return self.tokens(s) >= self.least


class OneEnabled(Formula):
    """One of some actions is enabled."""

    __slots__ = ()

    def labels(self) -> frozenset[Label] | None:
        """Which actions, with all their edges; None where it is about some of these alone, or engines cannot tell."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Not(Formula):
    """The condition does not hold."""

    part: Callable[[Any], object]

    def __call__(self, s: Any) -> bool:
        """See `Formula`."""
        return not self.part(s)

    def __str__(self) -> str:
        if isinstance(self.part, Among) and len(self.part.values) == 1:
            return f"{self.part.variable} != {next(iter(self.part.values))!r}"
        return f"not {_inner(self.part)}"


@dataclass(frozen=True, slots=True)
class All(Formula):
    """Every one of the conditions holds; of none, that is true."""

    parts: tuple[Callable[[Any], object], ...]

    def __call__(self, s: Any) -> bool:
        """See `Formula`."""
        for part in self.parts:  # noqa: SIM110 - a generator would be another frame for each level
            if not part(s):
                return False
        return True

    def __str__(self) -> str:
        return " and ".join(map(_inner, self.parts)) or "True"


@dataclass(frozen=True, slots=True)
class Some(Formula):
    """At least one of the conditions holds; of none, that is false."""

    parts: tuple[Callable[[Any], object], ...]

    def __call__(self, s: Any) -> bool:
        """See `Formula`."""
        for part in self.parts:  # noqa: SIM110
            if part(s):
                return True
        return False

    def __str__(self) -> str:
        return " or ".join(map(_inner, self.parts)) or "False"


def _inner(part: object) -> str:
    return str(part) if isinstance(part, Among | Not) or not str(part).count(" ") else f"({part})"


TRUE, FALSE = All(()), Some(())


def conjunction(parts: Iterable[Formula]) -> Formula:
    """All of them, without those that say nothing."""
    kept = tuple(part for part in parts if part != TRUE)
    if FALSE in kept:
        return FALSE
    return kept[0] if len(kept) == 1 else All(kept)


def disjunction(parts: Iterable[Formula]) -> Formula:
    """At least one of them, without those that never hold."""
    kept = tuple(part for part in parts if part != FALSE)
    if TRUE in kept:
        return TRUE
    return kept[0] if len(kept) == 1 else Some(kept)


def negation(part: Formula) -> Formula:
    """The opposite."""
    if part in (TRUE, FALSE):
        return FALSE if part == TRUE else TRUE
    return part.part if isinstance(part, Not) and isinstance(part.part, Formula) else Not(part)


class Entry(NamedTuple):
    """A node of a formula as an engine reads it; its parts follow it. `size` counts it and all of them."""

    what: str
    size: int
    variable: str = ""
    values: frozenset[Hashable] = frozenset()
    tokens: TokenNumber | None = None
    least: int = 0
    labels: frozenset[Label] = frozenset()


class OpaqueError(Exception):
    """A part of a formula is a function that engines cannot look inside."""


def entries(formula: Callable[[Any], object]) -> list[Entry]:
    """A formula as a list, each node before its parts; `OpaqueError` where some part of it can only be called."""
    match formula:
        case Among():
            return [Entry("among", 1, formula.variable, formula.values)]
        case AtLeast():
            return [Entry("at_least", 1, tokens=formula.tokens, least=formula.least)]
        case OneEnabled() if (labels := formula.labels()) is not None:
            return [Entry("enabled", 1, labels=labels)]
        case Not():
            below = entries(formula.part)
            return [Entry("not", 1 + len(below)), *below]
        case All() | Some():
            below = [entry for part in formula.parts for entry in entries(part)]
            return [Entry("all" if isinstance(formula, All) else "some", 1 + len(below)), *below]
        case _:
            raise OpaqueError
