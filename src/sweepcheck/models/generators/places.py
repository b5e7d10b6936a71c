"""Where a process can stop, and which of its local variables matter there.

Two yields are one place if they have the same label and the process goes on at the same point of its code after them:
then nothing can tell them apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from sweepcheck.models.generators.nodes import Condition, End, Forgetting, Node, Pause, resolved
from sweepcheck.models.generators.usage import NOTHING

ENDED = "ended"
Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class Place:
    """A place. `name` is its label or its line; where several have one name, `which` tells them apart.

    `live` are the local variables that may be read from here on, `unset` those of them that may have no value.
    """

    name: str
    which: str | None
    line: int
    first: Node
    live: Names
    unset: Names


@dataclass(frozen=True, slots=True)
class Places:
    """All places of a process: the one where it begins first. `after` says to which a pause leads."""

    every: tuple[Place, ...]
    after: Mapping[Pause, Place]
    live: Mapping[Node, Names]
    assigned: Mapping[Node, Names]

    @property
    def start(self) -> Place:
        """Where the process begins."""
        return self.every[0]


def places(start: Node, given: Names, local: Names) -> Places:
    """The places of a graph. `given` are the local variables that have a value from the beginning."""
    nodes = list(_reachable(resolved(start)))
    live = _live(nodes, local)
    for node in nodes:
        if isinstance(node, Forgetting):
            node.idle = not node.names & live[resolved(node.then)]
    start = resolved(start)
    nodes = list(_reachable(start))
    live, assigned = _live(nodes, local), _assigned(nodes, start, given & local, local)
    found: dict[tuple[str | None, Node], list[Node]] = {}
    # What comes before the first yield is a step of its own only if there is something in it.
    beginning = (start.label, resolved(start.then)) if isinstance(start, Pause) else (None, start)
    found[beginning] = [start] if isinstance(start, Pause) else []
    for node in nodes:
        if isinstance(node, Pause):
            found.setdefault((node.label, resolved(node.then)), []).append(node)
    made = dict(zip(found, _named(found), strict=True))
    settled = {
        (label, first): Place(*made[label, first], first, live[first], live[first] - assigned[first])
        for label, first in found
    }
    after = {node: settled[node.label, resolved(node.then)] for node in nodes if isinstance(node, Pause)}
    return Places(tuple(settled.values()), after, live, assigned)


def _named(found: Mapping[tuple[str | None, Node], list[Node]]) -> Iterator[tuple[str, str | None, int]]:
    """The name, what tells it apart, and the line of each place.

    A place without a label is called by the line where the process goes on.
    """
    labels = Counter(label for label, _ in found)
    taken: set[str] = set()
    for (label, first), pauses in found.items():
        line = pauses[0].line if isinstance(first, End) and pauses else first.line
        if label is not None and labels[label] == 1:
            yield label, None, line
        elif label is None and isinstance(first, End):
            yield ENDED, None, line
        else:
            words = f"line {line}" + "".join(f", called in line {one}" for one in first.called)
            numbered = (f"{words} #{number}" for number in count(2))
            where = words if words not in taken else next(one for one in numbered if one not in taken)
            taken.add(where)
            yield (where, None, line) if label is None else (label, where, line)


def _reachable(start: Node) -> Iterator[Node]:
    seen, waiting = {start}, [start]
    while waiting:
        node = waiting.pop()
        yield node
        for one in reversed(node.next_nodes):
            if one not in seen:
                seen.add(one)
                waiting.append(one)


def until_stable(nodes: list[Node], values: dict[Node, Names], value: Callable[[Node], Names]) -> dict[Node, Names]:
    """Compute the value of every node again until none changes."""
    changed = True
    while changed:
        changed = False
        for node in nodes:
            now = value(node)
            if now != values[node]:
                values[node] = now
                changed = True
    return values


def _live(nodes: list[Node], local: Names) -> dict[Node, Names]:
    """For each node the local variables that may be read, from there on, before they are written."""
    live = dict.fromkeys(nodes, NOTHING)

    def value(node: Node) -> Names:
        after = [live[one] for one in node.next_nodes]
        if isinstance(node, Condition):
            after[0] -= node.binds
        return (NOTHING.union(*after) - node.usage.writes) | (node.usage.reads & local)

    return until_stable(nodes[::-1], live, value)


def _assigned(nodes: list[Node], start: Node, given: Names, local: Names) -> dict[Node, Names]:
    """For each node the local variables that surely have a value when it is come to."""
    before: dict[Node, list[tuple[Node, bool]]] = {node: [] for node in nodes}
    for node in nodes:
        for position, one in enumerate(node.next_nodes):
            before[one].append((node, position == 0))
    assigned = dict.fromkeys(nodes, local)

    def value(node: Node) -> Names:
        ways = [given] if node is start else []
        for one, first in before[node]:
            bound = one.binds if isinstance(one, Condition) and first else NOTHING
            ways.append(((assigned[one] | one.usage.writes | bound) - one.usage.deletes) & local)
        return frozenset.intersection(*ways)

    return until_stable(nodes, assigned, value)
