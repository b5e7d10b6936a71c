"""What an LTL formula says of a run that ends in a loop: by its definition, position by position.

Nothing here knows of automata: every lasso that an engine finds is judged by it before anybody sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_

from sweepcheck.core.automaton import Automaton
from sweepcheck.core.temporal import Op, Proposition, Temporal

Letter = frozenset[Proposition]  # what is true at a position


def holds(given: Temporal, word: Sequence[Letter], loop: int) -> bool:
    """Whether a formula is true of the run with these letters, of which the last leads back to position `loop`."""
    known: dict[Temporal, list[bool]] = {}
    for node in reversed(list(given.walk())):
        if node not in known:
            known[node] = _values(node, word, loop, [known[part] for part in node.parts])
    return known[given][0]


def _values(  # noqa: PLR0912 - one branch for each operator
    node: Temporal, word: Sequence[Letter], loop: int, parts: list[list[bool]]
) -> list[bool]:
    """Where a node is true, from where its parts are."""
    size = len(word)
    match node.op:
        case Op.TRUE | Op.FALSE:
            return [node.op is Op.TRUE] * size
        case Op.PROPOSITION:
            return [node in letter for letter in word]
        case Op.NOT:
            return [not value for value in parts[0]]
        case Op.NEXT:
            return [*parts[0][1:], parts[0][loop]]
        case Op.EVENTUALLY:
            return _recurred(size, loop, False, lambda at, later: parts[0][at] or later)
        case Op.ALWAYS:
            return _recurred(size, loop, True, lambda at, later: parts[0][at] and later)
    one, other = parts
    match node.op:
        case Op.AND:
            return [a and b for a, b in zip(one, other, strict=True)]
        case Op.OR:
            return [a or b for a, b in zip(one, other, strict=True)]
        case Op.IMPLIES:
            return [not a or b for a, b in zip(one, other, strict=True)]
        case Op.IFF:
            return [a is b for a, b in zip(one, other, strict=True)]
        case Op.UNTIL | Op.WEAK_UNTIL:
            weak = node.op is Op.WEAK_UNTIL
            return _recurred(size, loop, weak, lambda at, later: other[at] or (one[at] and later))
        case Op.RELEASE | Op.STRONG_RELEASE:
            weak = node.op is Op.RELEASE
            return _recurred(size, loop, weak, lambda at, later: other[at] and (one[at] or later))
        case _:
            raise TypeError(f"{node} is not LTL")


def _recurred(size: int, loop: int, first: bool, step: Callable[[int, bool], bool]) -> list[bool]:
    """The values that each position has by its own and by the next one's: from the last one backwards, twice.

    `first` is what is taken for granted beyond: false for what must come one day, true for what may last for ever.
    """
    values = [first] * size
    for _ in range(2):
        later = values[loop]
        for at in reversed(range(size)):
            later = values[at] = step(at, later)
    return values


def accepts(automaton: Automaton, word: Sequence[Letter], loop: int) -> bool:
    """Whether an automaton has an accepting run on such a word: one that comes back to where it was with all marks."""
    letters = [sum(1 << n for n, one in enumerate(automaton.propositions) if one in letter) for letter in word]
    following = [*range(1, len(word)), loop]
    edges: dict[tuple[int, int], list[tuple[tuple[int, int], int]]] = {}
    waiting = [(0, state) for state in automaton.initial]
    while waiting:
        at, state = waiting.pop()
        if (at, state) not in edges:
            read = [edge for edge in automaton.edges[state] if edge.reads(letters[at])]
            edges[at, state] = [((following[at], edge.target), edge.marks) for edge in read]
            waiting += [target for target, _ in edges[at, state]]
    reach = {node: _reached(node, edges) for node in edges}
    for node in edges:
        inside = {other for other in reach[node] if node in reach[other]}
        marks = [mark for other in inside for target, mark in edges[other] if target in inside]
        if inside and reduce(or_, marks, 0) == automaton.all_marks:
            return True
    return False


Node = tuple[int, int]


def _reached(start: Node, edges: dict[Node, list[tuple[Node, int]]]) -> set[Node]:
    found: set[Node] = set()
    waiting = [target for target, _ in edges[start]]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += [target for target, _ in edges[node]]
    return found
