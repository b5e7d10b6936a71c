"""The way from a place to the next ones: what runs on it, and which variables have to be read from the state first.

A variable is read where the code first needs it, and not before: what a step does not look at does not multiply the
tables of an engine. Only where some ways to a node have written the variable and others have not, it is read at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from sweepcheck.models.generators.nodes import Condition, End, Node, Pause
from sweepcheck.models.generators.places import Names, Place, Places, until_stable
from sweepcheck.models.generators.usage import NOTHING

Before = dict[Node, list[Node]]  # the nodes that lead to each


@dataclass(frozen=True, slots=True)
class Piece:
    """`heads`: the nodes that several ways lead to, each a block of code of its own; the first is where it begins.

    `read` says which variables are read from the state before a node, `changed` which may have been written by then.
    """

    place: Place
    heads: tuple[Node, ...]
    jumps: bool
    read: dict[Node, Names]
    changed: dict[Node, Names]


def piece(place: Place, found: Places) -> Piece:
    """The way from a place to the next ones."""
    nodes = _nodes(place.first)
    before: Before = {node: [] for node in nodes}
    for node in nodes:
        for one in _next(node):
            before[one].append(node)
    changed = _changed(nodes, before)
    # A pause is written wherever it is come to: it is short.
    heads = [one for one in nodes if len(before[one]) + (one is place.first) > 1 and not isinstance(one, Pause | End)]
    others = tuple(one for one in heads if one is not place.first)
    return Piece(place, (place.first, *others), bool(heads), _read(place, before, changed, found), changed)


def _next(node: Node) -> tuple[Node, ...]:
    return () if isinstance(node, Pause) else node.next_nodes


def _nodes(first: Node) -> list[Node]:
    found, waiting = {first: None}, [first]
    while waiting:
        for one in _next(waiting.pop()):
            if one not in found:
                found[one] = None
                waiting.append(one)
    return list(found)


def _changed(nodes: list[Node], before: Before) -> dict[Node, Names]:
    """For each node the variables that may have been written on the way to it."""
    changed = dict.fromkeys(nodes, NOTHING)
    return until_stable(
        nodes, changed, lambda node: NOTHING.union(*(changed[one] | one.usage.changes for one in before[node]))
    )


def _needed(node: Node, place: Place, changed: Names, found: Places) -> Names:
    """The variables whose values a node needs, of those that have one in the place where the step began."""
    if isinstance(node, Pause):  # they are put back into the state
        return place.live & found.after[node].live & changed
    after = [found.live[one] for one in _next(node)]
    if isinstance(node, Condition):
        after[0] -= node.binds
    kept = (node.usage.changes - node.usage.writes) & NOTHING.union(*after)  # it may leave them as they are
    return place.live & (node.usage.reads | kept)


def _read(place: Place, before: Before, changed: dict[Node, Names], found: Places) -> dict[Node, Names]:
    """For each node the variables that are read from the state right before it."""
    nodes = list(before)
    needed = {node: _needed(node, place, changed[node], found) for node in nodes}
    at_once: Names = NOTHING
    while True:
        known = _known(place, before, needed, at_once)
        missing = {node: needed[node] - known[node] for node in nodes}
        unclear = NOTHING.union(*(missing[node] & changed[node] for node in nodes))
        if not unclear:
            return missing | {place.first: missing[place.first] | at_once}
        at_once |= unclear


def _known(place: Place, before: Before, needed: dict[Node, Names], at_once: Names) -> dict[Node, Names]:
    """For each node the variables that surely are variables of the function by then, read or written."""
    nodes = list(before)
    every = NOTHING.union(*needed.values())

    def value(node: Node) -> Names:
        ways = [at_once] if node is place.first else []
        ways += [known[one] | needed[one] | (one.usage.changes & every) for one in before[node]]
        return frozenset.intersection(*ways)

    known = dict.fromkeys(nodes, every)
    return until_stable(nodes, known, value)
