"""Progress measures computed from a component's graph (paper 2, section 5).

- *scc*: a location's progress is its strongly connected component, ordered by reachability. Monotone, and the finest
  measure that is.
- *tree*: progress is the location itself, ordered as ancestors in a depth-first spanning tree. Steps that are not down
  the tree go back: regress edges.
- *both*: strongly connected components, and the spanning tree inside those that have several locations.

Progress values are numbers: the position of a component in a topological order, the position of a location in the
preorder of the tree. Their natural order extends the partial one, so the least number is always a minimal value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sweepcheck.errors import RequestError, closest, shown
from sweepcheck.properties.scc import sccs

KINDS = ("scc", "tree", "both")
AUTO = "auto"  # of each component what its graph is good for
ONE_KIND = re.compile(r"\s*(?:[\w.]+\s*(=)\s*)?([^\W\d]\w*)\s*")  # a kind, or `component=kind`
MOST_EXACT = 4096  # components whose reachability is kept exactly; more are ordered by their position alone

Targets = Sequence[Sequence[int]]  # of each location's steps, in order


@dataclass(frozen=True, slots=True)
class Ranking:
    """Progress for every location of a graph, and the order on progress values.

    `above` says for each value, as the bits of a number, which ones it is at most; None is the natural order.
    """

    values: tuple[int, ...]
    above: tuple[int, ...] | None
    monotone: bool

    def leq(self, one: int, other: int) -> bool:
        """Whether one progress value is at most another."""
        return one <= other if self.above is None else bool(self.above[one] >> other & 1)


class Shape:
    """The strongly connected components and the depth-first tree of a component's graph, numbered."""

    def __init__(self, targets: Targets, initial: int) -> None:
        self.targets = targets
        self.initial = initial

    @cached_property
    def component_of(self) -> tuple[int, ...]:
        """The strongly connected component of each location, numbered in topological order."""
        roots = [self.initial, *(location for location in range(len(self.targets)) if location != self.initial)]
        found = list(sccs(roots, lambda location: self.targets[location]))  # type: ignore[call-overload]
        numbers = [0] * len(self.targets)
        for position, members in enumerate(reversed(found)):
            for location in members:
                numbers[location] = position  # type: ignore[call-overload]
        return tuple(numbers)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many locations each strongly connected component has."""
        counted = [0] * (max(self.component_of, default=-1) + 1)
        for number in self.component_of:
            counted[number] += 1
        return tuple(counted)

    @cached_property
    def tree(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Per location its position in the preorder of the spanning tree, and the last position below it."""
        first, last = [-1] * len(self.targets), [0] * len(self.targets)
        position = 0
        for root in (self.initial, *range(len(self.targets))):
            if first[root] >= 0:
                continue
            first[root] = position
            position += 1
            path = [(root, iter(self.targets[root]))]
            while path:
                location, pending = path[-1]
                child = next((target for target in pending if first[target] < 0), None)
                if child is None:
                    last[location] = position - 1
                    path.pop()
                else:
                    first[child] = position
                    position += 1
                    path.append((child, iter(self.targets[child])))
        return tuple(first), tuple(last)

    def rankings(self, kind: str) -> tuple[Ranking, ...]:
        """The measures of a kind: *both* is a monotone one and a finer one that is not."""
        if kind == "scc":
            return (self.scc_ranking(),)
        return (self.tree_ranking(),) if kind == "tree" else (self.scc_ranking(), self.fine_ranking())

    def scc_ranking(self) -> Ranking:
        """Strongly connected components ordered by reachability."""
        return Ranking(self.component_of, self._reachability(), True)

    def _reachability(self) -> tuple[int, ...] | None:
        """Per strongly connected component those that can be reached from it, as bits; None if all later ones are."""
        count = len(self.sizes)
        following: list[set[int]] = [set() for _ in range(count)]
        for location, number in enumerate(self.component_of):
            following[number].update(self.component_of[target] for target in self.targets[location])
        if count > MOST_EXACT or all(number + 1 in following[number] for number in range(count - 1)):
            return None
        above = [0] * count
        for number in reversed(range(count)):
            above[number] = 1 << number
            for other in following[number] - {number}:
                above[number] |= above[other]
        return tuple(above)

    def tree_ranking(self) -> Ranking:
        """Locations ordered as ancestors in the spanning tree."""
        first, last = self.tree
        count = len(first)
        if all(last[location] == count - 1 for location in range(count)):
            return Ranking(first, None, self._monotone(first, None))
        if count > MOST_EXACT:
            return Ranking(first, None, False)
        above = [0] * count
        for location in range(count):
            above[first[location]] = (1 << (last[location] + 1)) - (1 << first[location])
        return Ranking(first, tuple(above), self._monotone(first, above))

    def fine_ranking(self) -> Ranking:
        """Locations ordered by reachability between strongly connected components and by the tree inside them.

        The tree of the whole graph serves: a strongly connected component is one piece of it.
        """
        first, last = self.tree
        count = len(first)
        order = sorted(range(count), key=lambda location: (self.component_of[location], first[location]))
        value = [0] * count
        for position, location in enumerate(order):
            value[location] = position
        reach = self._reachability()
        if count > MOST_EXACT:
            return Ranking(tuple(value), None, False)
        members: list[int] = [0] * len(self.sizes)
        for location in range(count):
            members[self.component_of[location]] |= 1 << value[location]
        beyond = [
            sum(
                members[other]
                for other in range(number + 1, len(members))
                if reach is None or reach[number] >> other & 1
            )
            for number in range(len(members))
        ]
        above = [0] * count
        for location in order:
            mine = self.component_of[location]
            inside = [
                o for o in order if self.component_of[o] == mine and first[location] <= first[o] <= last[location]
            ]
            above[value[location]] = beyond[mine] | sum(1 << value[o] for o in inside)
        return Ranking(tuple(value), tuple(above), self._monotone(value, above))

    def _monotone(self, values: Sequence[int], above: Sequence[int] | None) -> bool:
        ranking = Ranking(tuple(values), None if above is None else tuple(above), False)
        return not self.regress_edges(ranking)

    def regress_edges(self, ranking: Ranking) -> int:
        """How many steps go back."""
        value = ranking.values
        return sum(
            not ranking.leq(value[location], value[target])
            for location, targets in enumerate(self.targets)
            for target in targets
        )

    def advise(self) -> tuple[str, str]:
        """The kind of measure to take, and why."""
        locations, count = len(self.targets), len(self.sizes)
        largest = max(self.sizes, default=0)
        if largest <= 1:
            return "scc", "no location can be met twice: monotone and as fine as can be"
        if count == 1:
            return "tree", "strongly connected: no other measure tells its locations apart"
        if 2 * count >= locations:
            return "scc", f"monotone, and {count} components for {locations} locations are fine enough"
        return "both", f"the largest of {count} components has {largest} of {locations} locations; a tree splits it"


# -- kinds as text: `scc`, `voter=scc, master=tree` --------------------------------------------------------------------


def are_kinds(text: str) -> bool:
    """Whether a text names kinds of computed measures, and is no expression."""
    return all(one.rpartition("=")[2].strip() in (*KINDS, AUTO) for one in text.split(","))


def meant_as_kinds(text: str, names: Iterable[str]) -> bool:
    """Whether a text names kinds, or looks as if it should: no word of it is one of the names of an expression."""
    found = [ONE_KIND.fullmatch(one) for one in text.split(",")]
    if are_kinds(text) or not all(found):
        return are_kinds(text)
    known = set(names)
    return any(one is not None and (one[1] or near_kind(one[2])) and one[2] not in known for one in found)


def near_kind(word: str) -> bool:
    """Whether a word is a kind, or nearly one."""
    from difflib import get_close_matches

    return bool(get_close_matches(word, (*KINDS, AUTO), 1))


def check_words(kinds: Mapping[str, str]) -> None:
    """Refuse kinds that do not exist."""
    for kind in kinds.values():
        if not isinstance(kind, str) or kind not in (*KINDS, AUTO):
            raise RequestError("SC403", f"there is no measure {shown(kind)}", suggestion=closest(kind, (*KINDS, AUTO)))


def parse_kinds(texts: Iterable[str]) -> dict[str, str]:
    """`--measure` texts: `scc` for all components, `voter=scc` for one or a family; several with commas."""
    kinds: dict[str, str] = {}
    for text in texts:
        for one in text.split(","):
            component, _, kind = one.rpartition("=")
            kinds[component.strip()] = kind.strip()
    return kinds
