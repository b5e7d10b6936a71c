"""Automata that have seen enough at some point, as those of formulas that a finite run can break: one way for each run.

A set of states stands for all of those in which an automaton can be (the subset construction), so that each state of a
model is met once with each set, and not once with each of its members.
"""

from __future__ import annotations

from collections.abc import Iterator

from sweepcheck.core.automaton import Automaton, AutomatonEdge
from sweepcheck.logic.reduction import accepting_states

Members = frozenset[int]

MOST_EDGES = 4_000


def with_one_way(given: Automaton) -> Automaton:
    """An automaton that accepts the same and never has a choice, if that needs no more states; else the given one."""
    enough = _seen_enough(given)
    if not enough or not accepting_states(given) <= enough:
        return given
    last: Members = frozenset(enough)  # whatever comes then is accepted
    start = _joined(frozenset(given.initial), last)
    numbers: dict[Members, int] = {start: 0}
    waiting = [start]
    marks = max(given.marks, 1)
    made: list[tuple[AutomatonEdge, ...]] = []
    for members in waiting:
        if members == last:
            made.append((AutomatonEdge(0, 0, numbers[last], (1 << marks) - 1),))
            continue
        found = []
        for needs, forbids, targets in _splits(given, members):
            then = _joined(targets, last)
            if then not in numbers:
                numbers[then] = len(numbers)
                waiting.append(then)
            found.append(AutomatonEdge(needs, forbids, numbers[then]))
        made.append(tuple(found))
        if len(numbers) > given.size or len(found) > MOST_EDGES // given.size:
            return given
    return Automaton(given.propositions, (0,), tuple(made), marks)


def _seen_enough(given: Automaton) -> set[int]:
    """The states that accept whatever comes, by staying."""
    return {
        state
        for state, of in enumerate(given.edges)
        if any(edge == AutomatonEdge(0, 0, state, given.all_marks) for edge in of)
    }


def _joined(members: Members, last: Members) -> Members:
    """One member that has seen enough is enough."""
    return last if members & last else members


def _splits(given: Automaton, members: Members) -> Iterator[tuple[int, int, Members]]:
    """The letters, by what has to be known of them to tell where they lead; those that lead nowhere are left out."""
    edges = [edge for member in sorted(members) for edge in given.edges[member]]
    waiting = [(0, 0)]
    while waiting:
        needs, forbids = waiting.pop()
        possible = [edge for edge in edges if not edge.needs & forbids and not edge.forbids & needs]
        open_bits = 0
        for edge in possible:
            open_bits |= (edge.needs & ~needs) | (edge.forbids & ~forbids)
        if open_bits:
            bit = open_bits & -open_bits
            waiting += [(needs, forbids | bit), (needs | bit, forbids)]
        elif possible:
            yield needs, forbids, frozenset(edge.target for edge in possible)
