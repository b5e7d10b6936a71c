"""Which arc is next: of the terms on input and test arcs those that are ready, the cheapest first."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from heapq import heappop, heappush

from sweepcheck.models.net import pattern
from sweepcheck.models.net.inscription import Tokens
from sweepcheck.models.net.names import INPUTS, names
from sweepcheck.models.net.occurrence.inputs import Input, is_known
from sweepcheck.models.net.occurrence.writer import Slot, Writer


class Waiting:
    """The terms that are still to be done.

    A term gets ready, and cheaper, only when a variable that it names is bound, or when nothing is taken any more from
    the place it tests. Only then it is looked at again, so that a transition may have thousands of arcs.
    """

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        arcs = [arc for arc in writer.transition.arcs if arc.kind in INPUTS]
        self._left = dict(enumerate(Input(arc, term) for arc in arcs for term in arc.terms or ()))
        self._ready: list[tuple[int, int, int]] = []  # a heap: what it costs, and its position in the transition
        self._bound = set(writer.bound)
        self._takes: Counter[Slot] = Counter()
        self._tests: defaultdict[Slot, list[int]] = defaultdict(list)
        self._naming: defaultdict[str, list[int]] = defaultdict(list)
        for position, item in self._left.items():
            slot = writer.slots[item.arc.place]
            if item.arc.kind == "take":
                self._takes[slot] += 1
            else:
                self._tests[slot].append(position)
            for name in names((item.term,)):
                self._naming[name].append(position)
        for position in self._left:
            self._look_at(position)

    def __bool__(self) -> bool:
        return bool(self._left)

    def inputs(self) -> list[Input]:
        """All of them."""
        return list(self._left.values())

    def cheapest(self) -> Input | None:
        """The next to be done, which waits no more; None when none is ready."""
        for name in self._writer.bound - self._bound:
            self._bound.add(name)
            for position in self._naming[name]:
                self._look_at(position)
        while self._ready:
            *_, position = heappop(self._ready)
            if position in self._left:  # else it was ready before it got cheaper
                return self._removed(position)
        return None

    def readable(self) -> Input | None:
        """The first test that could be done if it were not for what is still taken from its place."""
        found = (position for position, item in self._left.items() if _is_readable(self._writer, item))
        position = next(found, None)
        return None if position is None else self._removed(position)

    def _removed(self, position: int) -> Input:
        item = self._left.pop(position)
        slot = self._writer.slots[item.arc.place]
        if item.arc.kind == "take":
            self._takes[slot] -= 1
            if not self._takes[slot]:
                for test in self._tests[slot]:
                    self._look_at(test)
        return item

    def _look_at(self, position: int) -> None:
        item = self._left.get(position)
        if item is None or not _is_readable(self._writer, item):
            return
        tests = item.arc.kind == "test" and item.arc not in self._writer.tested
        if not (tests and self._takes[self._writer.slots[item.arc.place]]):  # a test looks at what the takes leave
            heappush(self._ready, (*_cost(self._writer, item), position))


def _is_readable(writer: Writer, item: Input) -> bool:
    """Whether everything is known that a term of an arc needs."""
    term = item.term
    if not isinstance(term, Tokens):
        return writer.knows(names((term,)))
    constants = writer.transition.constants
    needed = pattern.needs(term.token.node, constants)
    if term.coefficient is not None and not isinstance(term.coefficient.node, ast.Constant):
        # It may be zero, and then binds nothing: variables that run freely do so first.
        needed |= term.coefficient.names | (pattern.binds(term.token.node, constants) & set(writer.transition.free))
    return writer.knows(needed)


def _cost(writer: Writer, item: Input) -> tuple[int, int]:
    if writer.slots[item.arc.place].single:
        return 0, 0
    if not isinstance(item.term, Tokens) or is_known(writer, item.term):
        return 1, 0
    return 2, len(pattern.binds(item.term.token.node, writer.transition.constants) - writer.bound)
