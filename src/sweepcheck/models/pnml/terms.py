"""Terms: what stands on arcs, in guards and in initial markings of symmetric nets.

`Term` stands for tokens, `Condition` for a truth value. Both can be evaluated under a binding of their variables.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Union

from sweepcheck.models.pnml.sorts import Dot, Partition, Sort

Binding = Mapping[str, Hashable]
Tokens = Counter[Hashable]


class SubtractionError(Exception):
    """More tokens are subtracted than there are."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, by its name in the net."""

    name: str
    sort: Sort

    def value(self, binding: Binding) -> Hashable:
        """Its value."""
        return binding[self.name]


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that is written there."""

    constant: Hashable
    sort: Sort

    def value(self, _: Binding) -> Hashable:
        """The constant."""
        return self.constant


@dataclass(frozen=True, slots=True)
class Moved:
    """The successor (`steps` 1) or predecessor (-1) of a value in a cyclic enumeration."""

    of: Term
    steps: int

    @property
    def sort(self) -> Sort:
        """That of the value."""
        return self.of.sort

    def value(self, binding: Binding) -> Hashable:
        """The value so many steps further."""
        return self.sort.moved(value_of(self.of, binding), self.steps)


@dataclass(frozen=True, slots=True)
class ElementOf:
    """The element of a partition that a value belongs to."""

    of: Term
    partition: Partition

    @property
    def sort(self) -> Sort:
        """The elements."""
        return self.partition.elements

    def value(self, binding: Binding) -> Hashable:
        """The element."""
        return self.partition.member[value_of(self.of, binding)]


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A tuple; where a component stands for several tokens, so does the tuple."""

    parts: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class All:
    """Every value of a sort, once."""

    sort: Sort


@dataclass(frozen=True, slots=True)
class Several:
    """So many times the tokens of a term."""

    count: int
    of: Term

    @property
    def sort(self) -> Sort:
        """That of the tokens."""
        return self.of.sort


@dataclass(frozen=True, slots=True)
class Sum:
    """The tokens of all parts together; of none, no token."""

    parts: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class Difference:
    """The tokens of the first part without those of the second."""

    whole: Term
    removed: Term

    @property
    def sort(self) -> Sort:
        """That of the tokens."""
        return self.whole.sort


Term = Union[Variable, Constant, Moved, ElementOf, TupleOf, All, Several, Sum, Difference]  # noqa: UP007 - recursive
BLACK = Constant((), Dot())


def value_of(term: Term, binding: Binding) -> Hashable:
    """The one value that a term stands for."""
    if isinstance(term, TupleOf):
        return tuple(value_of(part, binding) for part in term.parts)
    assert isinstance(term, Variable | Constant | Moved | ElementOf)
    return term.value(binding)


def is_value(term: Term) -> bool:
    """Whether a term always stands for exactly one token."""
    if isinstance(term, TupleOf):
        return all(map(is_value, term.parts))
    return isinstance(term, Variable | Constant | Moved | ElementOf)


def tokens(term: Term, binding: Binding) -> Tokens:
    """The tokens that a term stands for."""
    match term:
        case All():
            return Counter(dict.fromkeys(term.sort.values, 1))
        case Several():
            return Counter({token: term.count * count for token, count in tokens(term.of, binding).items()})
        case Sum():
            total: Tokens = Counter()
            for part in term.parts:
                total.update(tokens(part, binding))
            return total
        case Difference():
            left = tokens(term.whole, binding)
            left.subtract(tokens(term.removed, binding))
            if any(count < 0 for count in left.values()):
                raise SubtractionError
            return +left
        case TupleOf() if not is_value(term):
            found: Tokens = Counter()
            for row in product(*(tokens(part, binding).items() for part in term.parts)):
                count = 1
                for _, times in row:
                    count *= times
                found[tuple(token for token, _ in row)] += count
            return found
        case _:
            return Counter({value_of(term, binding): 1})


def variables(term: Term | Condition) -> Iterator[Variable]:
    """The variables of a term or condition, as often as they occur."""
    match term:
        case Variable():
            yield term
        case Moved() | ElementOf() | Several():
            yield from variables(term.of)
        case TupleOf() | Sum() | Junction():
            for part in term.parts:
                yield from variables(part)
        case Difference():
            yield from variables(term.whole)
            yield from variables(term.removed)
        case Negation():
            yield from variables(term.part)
        case Comparison():
            yield from variables(term.left)
            yield from variables(term.right)


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two values of one sort, compared by their positions in it; or two numbers."""

    symbol: str  # of COMPARISONS
    left: Term
    right: Term

    def holds(self, binding: Binding) -> bool:
        """Whether it is so."""
        left, right = value_of(self.left, binding), value_of(self.right, binding)
        if self.symbol in ("==", "!="):
            return (left == right) is (self.symbol == "==")
        if not isinstance(left, int) or not isinstance(right, int):  # ranges are compared whatever else they hold
            left, right = self.left.sort.positions[left], self.left.sort.positions[right]
        return COMPARISONS[self.symbol](left, right)


@dataclass(frozen=True, slots=True)
class Junction:
    """All of the conditions (`and`), or at least one of them (`or`)."""

    word: str
    parts: tuple[Condition, ...]

    def holds(self, binding: Binding) -> bool:
        """Whether they are so."""
        return (all if self.word == "and" else any)(part.holds(binding) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Negation:
    """The condition is not so."""

    part: Condition

    def holds(self, binding: Binding) -> bool:
        """Whether it is not."""
        return not self.part.holds(binding)


Condition = Union[Comparison, Junction, Negation]  # noqa: UP007 - recursive


def conjuncts(condition: Condition | None) -> list[Condition]:
    """The conditions that must all hold."""
    if condition is None:
        return []
    if isinstance(condition, Junction) and condition.word == "and":
        return [one for part in condition.parts for one in conjuncts(part)]
    return [condition]
