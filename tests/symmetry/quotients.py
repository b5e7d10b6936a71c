"""The quotient of a whole state space by a group, made by trying every renaming: what a reduced run must find."""

from collections.abc import Callable, Hashable
from itertools import permutations
from typing import Any, NamedTuple

from sweepcheck.core.model import System


class Quotient(NamedTuple):
    states: int
    classes: int
    triples: int  # class, action, class
    dead: int


def renamings(n: int, rotation: bool) -> list[tuple[int, ...]]:
    """All of them, as the new name of each member."""
    if rotation:
        return [tuple((at + shift) % n for at in range(n)) for shift in range(n)]
    return list(permutations(range(n)))


def quotient(system: System, orbit: Callable[[Any], frozenset[Hashable]]) -> Quotient:
    """The reachable classes, where `orbit` gives all states of the class of one."""
    waiting = list(system.initial_states())
    known = {state: orbit(state) for state in waiting}
    triples, dead = set(), set()
    for state in waiting:  # grows while it is walked
        edges = system.edges(state)
        if not edges:
            dead.add(known[state])
        for edge in edges:
            if edge.target not in known:
                known[edge.target] = orbit(edge.target)
                waiting.append(edge.target)
            triples.add((known[state], edge.label.action, known[edge.target]))
    return Quotient(len(waiting), len(set(known.values())), len(triples), len(dead))
