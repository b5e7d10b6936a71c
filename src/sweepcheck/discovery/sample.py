"""Samples: states, what they were made from, and how that changed their features.

A class is one way in which an edge changes the features, its delta. All that a prediction needs of an edge into a
sampled state is its class, so that states with the same classes form a group.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from random import Random

from sweepcheck.core.graph import Graph
from sweepcheck.discovery.features import Features
from sweepcheck.discovery.token_game import Counts, Delta, TokenGame


class Classes:
    """Deltas by number, with the actions that make them and how often they were met."""

    def __init__(self, deltas: Iterable[Delta] = ()) -> None:
        self.deltas: list[Delta] = []
        self.actions: list[set[str]] = []
        self.met: list[int] = []
        self._numbers: dict[Delta, int] = {}
        for delta in deltas:
            self.number(delta)

    def number(self, delta: Delta, action: str | None = None) -> int:
        """The number of a delta."""
        number = self._numbers.setdefault(delta, len(self.deltas))
        if number == len(self.deltas):
            self.deltas.append(delta)
            self.actions.append(set())
            self.met.append(0)
        if action is not None:
            self.actions[number].add(action)
            self.met[number] += 1
        return number


class Sample:
    """States by the values of their features, in groups of those that edges of the same classes lead to."""

    def __init__(self, points: Sequence[tuple[Sequence[int], frozenset[int]]], width: int) -> None:
        self.size = len(points)
        self.columns: list[list[tuple[int, int]]] = [[] for _ in range(width)]  # per feature (point, value)
        groups: dict[frozenset[int], list[int]] = {}
        for at, (values, classes) in enumerate(points):
            for feature, value in enumerate(values):
                if value:
                    self.columns[feature].append((at, value))
            groups.setdefault(classes, []).append(at)
        self.groups = [(tuple(sorted(classes)), members) for classes, members in groups.items()]


def change(before: Sequence[int], after: Sequence[int]) -> Delta:
    """What an edge did to the features."""
    return tuple((at, b - a) for at, (a, b) in enumerate(zip(before, after, strict=True)) if a != b)


Point = tuple[tuple[int, ...], frozenset[int]]


def points_of_graph(graph: Graph, features: Features, classes: Classes, most: int, random: Random) -> list[Point]:
    """States of a graph, each as likely as any other, with all their predecessors in it."""
    count = len(graph.first) - 1
    chosen = range(count) if count <= most else sorted(random.sample(range(count), most))
    into: dict[int, list[tuple[int, int]]] = {number: [] for number in chosen}  # states and which edge of theirs
    source, ends = 0, graph.first
    for edge, target in enumerate(graph.targets):
        while ends[source + 1] <= edge:
            source += 1
        if target in into and target != source:
            into[target].append((source, edge - ends[source]))
    values: dict[int, tuple[int, ...]] = {}

    def read(number: int) -> tuple[int, ...]:
        if number not in values:
            values[number] = features.of(graph.state(number))
        return values[number]

    found = []
    for number, sources in into.items():
        met = set()
        for one, edge in sources:
            met.add(classes.number(change(read(one), read(number)), graph.labels(one)[edge].action))
        found.append((read(number), frozenset(met)))
    return found


def points_of_states(game: TokenGame, states: Sequence[Counts], numbers: Sequence[int]) -> list[Point]:
    """Markings with the transitions that may have led there; `numbers` are the classes of the transitions."""
    known = game.well_known()
    return [
        (counts, frozenset(numbers[transition] for transition in game.predecessors(counts, known))) for counts in states
    ]


# -- states to sample --------------------------------------------------------------------------------------------------


def walked(game: TokenGame, steps: int, random: Random) -> list[Counts]:
    """The markings of random walks that begin anew where they end, or when they get long."""
    found, counts, length = [game.initial], game.initial, 16
    left = length
    for _ in range(steps):
        offered = list(game.successors(counts))
        left -= 1
        if not offered or left <= 0:
            counts, length = game.initial, min(4096, 2 * length) if left <= 0 else length
            left = length
            continue
        counts = random.choice(offered)[1]
        game.see(counts)
        found.append(counts)
    return found


def particles(
    game: TokenGame, begin: Sequence[Counts], population: int, steps: int, random: Random
) -> list[tuple[float, Counts]]:
    """Markings with the logarithms of their weights: together they weigh every reachable marking alike.

    A particle goes to a successor with probability 1 by the number of its predecessors, so that as many particles are
    expected in a marking as backward walks from it begin: one. Where a particle has more or less than one successor
    on average, there are more or fewer of them; the weight keeps account when their number is brought back.
    """
    known = game.well_known()
    ways: dict[Counts, list[tuple[Counts, float]]] = {}
    indegree: dict[Counts, int] = {}

    def share(counts: Counts) -> float:
        if counts not in indegree:
            indegree[counts] = max(1, len({game.kinds[one] for one in game.predecessors(counts, known)}))
        return 1.0 / indegree[counts]

    living, weight = random.choices(begin, k=population), -math.log(population)
    found = [(weight, counts) for counts in living]
    for _ in range(steps):
        children: list[Counts] = []
        for counts in living:
            if counts not in ways:
                targets = {after for _, after in game.successors(counts)} - {counts}
                ways[counts] = [(after, share(after)) for after in sorted(targets)]
            total = sum(part for _, part in ways[counts])
            born = int(total) + (random.random() < total - int(total))
            if born:
                options = ways[counts]
                children += random.choices([o for o, _ in options], [part for _, part in options], k=born)
        if not children:
            break
        weight += math.log(len(children) / population)
        living = random.choices(children, k=population) if len(children) != population else children
        found += [(weight, counts) for counts in living]
        for counts in living:
            game.see(counts)
    return found


def drawn(weighted: Sequence[tuple[float, Counts]], most: int, random: Random) -> list[Counts]:
    """Markings by their weights; a heavy one stands for others that were not met, and may come several times."""
    top = max(weight for weight, _ in weighted)
    weights = [math.exp(weight - top) for weight, _ in weighted]
    return [counts for _, counts in random.choices(weighted, weights, k=most)]
