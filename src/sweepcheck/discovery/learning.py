"""What is learned of a model before measures are tried: its features, how edges change them, and samples of states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from sweepcheck.core.graph import Graph
from sweepcheck.core.model import State, System
from sweepcheck.discovery.features import Features, count_features, features_of
from sweepcheck.discovery.prediction import Formula, progress_of_points
from sweepcheck.discovery.rays import rays
from sweepcheck.discovery.sample import (
    Classes,
    Sample,
    drawn,
    particles,
    points_of_graph,
    points_of_states,
    walked,
)
from sweepcheck.discovery.token_game import Counts, TokenGame

MOST_POINTS = 1200  # in a sample
WALKED = 2000  # steps of random walks
MOST_LOOKED_AT = 400  # states whose features are compared
FIRINGS = 300_000  # transitions that particles may look at
POPULATION, STEPS = 60, 120  # of particles
MOST_PARTICLES = 3_000


@dataclass(frozen=True, slots=True)
class Learned:
    """Features, classes, a sample to search with and samples to score with.

    `complete`: the classes are all that there can be, so that what none of them lowers is proven to be monotone.
    """

    features: Features
    classes: Classes
    complete: bool
    samples: tuple[Sample, ...]  # the first to search with

    @property
    def searching(self) -> Sample:
        """The sample to search with."""
        return self.samples[0]

    @property
    def scoring(self) -> tuple[Sample, ...]:
        """The samples to score with."""
        return self.samples[1:] or self.samples

    @property
    def sampled(self) -> int:
        """How many states there are in all samples."""
        return sum(sample.size for sample in self.samples)

    def span(self, formula: Formula) -> int:
        """From the least to the largest value met."""
        sums = progress_of_points(self.searching, formula.weights)
        return max(sums) - min(sums)


def learned(system: System, graph: Graph | None, random: Random) -> Learned:
    """From a net's transitions, or from the edges that were met."""
    net, declared = system.count_net(), system.declared_actions()
    if net is not None and declared and len(net.actions) == len(declared):
        game = TokenGame(net)
        if not game.resets and all(_is_written(place) for place in net.places):
            return _from_net(system, net.places, game, graph, random)
    return _from_graph(system, graph, random)


def _is_written(place: str) -> bool:
    """Whether an expression can name a place."""
    return all(part.isidentifier() for part in place.split("."))


def _from_net(system: System, places: Sequence[str], game: TokenGame, graph: Graph | None, random: Random) -> Learned:
    """The transitions are all that can happen, and say which markings may come before one."""
    classes, numbers = Classes(), []
    actions = system.declared_actions() or ()
    for delta, action in zip(game.deltas, game.actions, strict=True):
        numbers.append(classes.number(delta, actions[action].name))
    walks = walked(game, WALKED, random)
    prefix = _prefix(system, places, graph, random)
    for counts in prefix:
        game.see(counts)
    width, samples, once = len(places), [], bool(rays(game.deltas))
    for _ in range(2):
        weighted = _particles(game, [game.initial] if once else walks, random)
        samples.append(points_of_states(game, drawn(weighted, MOST_POINTS, random), numbers))
    return Learned(count_features(places), classes, True, tuple(Sample(points, width) for points in samples))


def _particles(game: TokenGame, begin: Sequence[Counts], random: Random) -> list[tuple[float, Counts]]:
    """Markings to draw from, with weights.

    Where some transition can fire only so often, particles go from the one marking to begin with to the end, more of
    them where that is near, and weights tell how many markings there are at each distance. Where all can be undone, a
    population goes on from where random walks were, until it has forgotten that: it is what weights would make of it.
    """
    steps = max(20, FIRINGS // (POPULATION * len(game.deltas)))
    if len(begin) > 1:
        found = particles(game, begin, POPULATION, min(10 * STEPS, steps), random)
        return [(0.0, counts) for _, counts in found[len(found) // 2 :]]
    found = particles(game, begin, POPULATION, min(steps, STEPS), random)
    depth = len(found) // POPULATION
    population = min(MOST_PARTICLES, FIRINGS // (depth * len(game.deltas)))
    return particles(game, begin, population, depth, random) if population > 2 * POPULATION else found


def _prefix(system: System, places: Sequence[str], graph: Graph | None, random: Random) -> list[tuple[int, ...]]:
    """Markings that were explored plainly, each as likely as any other."""
    if graph is None:
        return []
    at = [system.variables.index(place) for place in places]
    states = [graph.state(number) for number in _some(graph, MOST_POINTS, random)]
    return [tuple(len(state[one]) for one in at) for state in states]  # type: ignore[index]


def _some(graph: Graph, most: int, random: Random) -> list[int]:
    count = len(graph.first) - 1
    return list(range(count)) if count <= most else sorted(random.sample(range(count), most))


def _from_graph(system: System, graph: Graph | None, random: Random) -> Learned:
    """The edges that were met: what none of them lowers is observed to be monotone, and no more."""
    if graph is None or len(graph.first) < 3:
        return Learned(Features(()), Classes(), False, ())
    met: list[State] = [graph.state(number) for number in _some(graph, MOST_LOOKED_AT, random)]
    features, classes = features_of(system, met), Classes()
    samples = [points_of_graph(graph, features, classes, MOST_POINTS, random) for _ in range(2)]
    return Learned(features, classes, False, tuple(Sample(points, len(features)) for points in samples))
