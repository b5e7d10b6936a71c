"""Which variables decide who owns a state: few that seldom change, so that most steps stay where they begin.

Some states of each level of a breadth-first exploration give a sample of edges, with the fields that each of them
changes, and of pairs of states in one layer, with the fields in which they agree. The fewer fields count, the fewer
edges lead to another site; but where many states of a layer agree in them, some site owns too much of it. What is least
is the time that both together cost.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from math import sqrt
from random import Random
from typing import Any

from sweepcheck.core.plan import Plan
from sweepcheck.core.tabulated import VariableKind, is_tabulated
from sweepcheck.engines.progress import progress_of
from sweepcheck.errors import SweepcheckError

Field = tuple[int, int]  # a variable by its number, and the element of an array
Mask = int  # a set of fields, by their positions

STATES, WIDTH, FOUND = 6000, 48, 12_000  # of the sample: its states, those of one level, and its edges
SECONDS = 4.0  # that it may take of a slow model; as a rule it is over in one, so that a busy machine changes nothing
PAIRS, EDGES = 2000, 4000  # that are looked at
CANDIDATES = 64  # fields that change least
SENDING = 2.0  # what it costs to send what an edge leads to, where to find it costs 1


def deciding(plan: Plan, sites: int) -> tuple[Field, ...]:
    """The fields that decide who of so many owns a state; none where it is better that all of them do."""
    if sites == 1:
        return ()
    sample = Sample(plan)
    best, least = 0, sample.cost(-1, sites)
    chosen, candidates = 0, sample.candidates()
    while candidates:
        field = min(candidates, key=lambda one: sample.cost(chosen | one, sites))
        candidates.remove(field)
        chosen |= field
        cost = sample.cost(chosen, sites)
        if cost < least:
            best, least = chosen, cost
    return tuple(field for i, field in enumerate(sample.fields) if best >> i & 1)


class Sample:
    """Of some states of each level: which fields the edges change, and in which two states of a layer agree."""

    def __init__(self, plan: Plan) -> None:
        system = plan.system
        assert is_tabulated(system)
        self._plan = plan
        self._kinds = [one.kind for one in system.tabulate().variables]
        self.fields: Sequence[Field] = ()
        self._changed: list[Mask] = []
        random = Random(0)
        layers: dict[Hashable, list[list[Any]]] = {}
        with suppress(SweepcheckError):  # of the model: the run will meet it as well
            for level, states in enumerate(self._levels(random)):
                for state, parts in states:
                    layers.setdefault(self._layer(state, level), []).append(parts)
        self._changed = random.sample(self._changed, min(EDGES, len(self._changed)))
        self._agree = self._pairs(random, [states for states in layers.values() if len(states) > 1])

    def _layer(self, state: Any, level: int) -> Hashable:
        measure = self._plan.measure
        return level if measure is None else progress_of(self._plan.system, measure, state)

    def _levels(self, random: Random) -> Iterator[list[tuple[Any, list[Any]]]]:
        system = self._plan.system
        until, left = time.thread_time() + SECONDS, STATES
        found = {state: self._parts(state) for state in system.initial_states()}
        seen = set(found)
        while found and left > 0 and len(self._changed) < FOUND and time.thread_time() < until:
            level = random.sample(list(found.items()), min(WIDTH, len(found)))
            left -= len(level)
            yield level
            found = {}
            for state, parts in level:
                for edge in system.edges(state):
                    after = self._parts(edge.target)
                    self._changed.append(_mask(one != other for one, other in zip(parts, after, strict=True)))
                    if edge.target not in seen:
                        seen.add(edge.target)
                        found[edge.target] = after

    def _parts(self, state: Any) -> list[Any]:
        found: list[Any] = []
        for kind, value in zip(self._kinds, state, strict=True):
            found += value if kind is VariableKind.ARRAY else (value,)
        if not self.fields:
            lengths = (len(v) if k is VariableKind.ARRAY else 1 for k, v in zip(self._kinds, state, strict=True))
            self.fields = [(number, i) for number, length in enumerate(lengths) for i in range(length)]
        return found

    @staticmethod
    def _pairs(random: Random, layers: Sequence[Sequence[list[Any]]]) -> list[Mask]:
        if not layers:
            return []
        drawn = random.choices(layers, [len(states) * (len(states) - 1) for states in layers], k=PAIRS)
        pairs = (random.sample(states, 2) for states in drawn)
        return [_mask(one == other for one, other in zip(*pair, strict=True)) for pair in pairs]

    def candidates(self) -> list[Mask]:
        """Fields that change, those that change least."""
        counts: Counter[Mask] = Counter()
        for mask in self._changed:
            counts.update(1 << i for i in range(len(self.fields)) if mask >> i & 1)
        return [field for field, _ in reversed(counts.most_common())][:CANDIDATES]

    def cost(self, fields: Mask, sites: int) -> float:
        """The time that a run takes if these fields decide: 1 if all sites have the same work, and nothing is sent."""
        whole = fields == -1
        agree = 0 if whole else sum(mask & fields == fields for mask in self._agree)
        uneven = 0.0 if whole else sqrt((sites - 1) * (agree + 1) / (len(self._agree) + 1))  # of a site's share
        leave = sum(mask & fields != 0 for mask in self._changed) / max(1, len(self._changed))
        return (1 + uneven) * (1 + SENDING * leave * (1 - 1 / sites))


def _mask(bits: Iterable[bool]) -> Mask:
    return sum(1 << i for i, bit in enumerate(bits) if bit)
