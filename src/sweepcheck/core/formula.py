"""Formulas: conditions on variables that say which values are allowed, joined by and, or, not.

They are predicates like any function of a state. Beyond that an engine can look inside them and decide them without
calling Python.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple


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
class Not(Formula):
    """The condition does not hold."""

    part: Formula

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

    parts: tuple[Formula, ...]

    def __call__(self, s: Any) -> bool:
        """See `Formula`."""
        return all(part(s) for part in self.parts)

    def __str__(self) -> str:
        return " and ".join(map(_inner, self.parts)) or "True"


@dataclass(frozen=True, slots=True)
class Some(Formula):
    """At least one of the conditions holds; of none, that is false."""

    parts: tuple[Formula, ...]

    def __call__(self, s: Any) -> bool:
        """See `Formula`."""
        return any(part(s) for part in self.parts)

    def __str__(self) -> str:
        return " or ".join(map(_inner, self.parts)) or "False"


def _inner(part: Formula) -> str:
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
    return part.part if isinstance(part, Not) else Not(part)


class Entry(NamedTuple):
    """A node of a formula as an engine reads it; its parts follow it. `size` counts it and all of them."""

    what: str
    size: int
    variable: str = ""
    values: frozenset[Hashable] = frozenset()


def entries(formula: Formula) -> list[Entry]:
    """A formula as a list, each node before its parts."""
    match formula:
        case Among():
            return [Entry("among", 1, formula.variable, formula.values)]
        case Not():
            below = entries(formula.part)
            return [Entry("not", 1 + len(below)), *below]
        case All() | Some():
            below = [entry for part in formula.parts for entry in entries(part)]
            return [Entry("all" if isinstance(formula, All) else "some", 1 + len(below)), *below]
        case _:
            raise TypeError(f"{formula!r} is no formula")
