"""The search: samples, then rays, cuts and climbing, then the candidates that are left, scored on samples kept back."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from sweepcheck.core.discovery import ActionProgress, Candidate, Discovery, Monotone
from sweepcheck.core.graph import Graph
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import System
from sweepcheck.discovery.climbing import Climber, combined
from sweepcheck.discovery.learning import Learned, learned
from sweepcheck.discovery.prediction import Formula, Weights, curve, predicted, prediction
from sweepcheck.discovery.rays import Cone, is_monotone, rays
from sweepcheck.discovery.wording import formula_text
from sweepcheck.properties.expression import expression

ATTEMPTS = 1000  # changes that a climb tries
STARTS = 40  # uneven combinations of rays that are compared before the best one climbs
MOST_CUTS = 64  # classes that are freed one at a time
BANDS = (3, 4, 6, 10)
NEARLY = 0.02  # of all states: within it the simpler candidate is preferred
SHOWN = 8  # candidates told


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known before the search: the part of the graph that there was time for, and candidates of an instance.

    With candidates that were learned on another instance of the model nothing else is looked for.
    """

    graph: Graph | None = None
    learned: tuple[Candidate, ...] = ()


def search(system: System, seen: Seen, *, seed: int, seconds: float, demanding: str | None = None) -> Discovery:
    """Look for a measure for so many seconds of a processor, so that other programs at work change nothing.

    `demanding` is what needs one that is proven to be monotone, if anything does.
    """
    started = time.process_time()
    random = Random(seed)
    known = learned(system, seen.graph, random)
    trials = Trials(known, random, started + seconds)
    if seen.learned:
        trials.take(seen.learned)
    else:
        trials.look()
    candidates = sorted(map(trials.candidate, trials.found()), key=_rank)
    chosen, reason = _chosen(candidates, demanding)
    return Discovery(
        tuple(candidates[:SHOWN]),
        chosen,
        seed,
        time.process_time() - started,
        known.sampled,
        len(known.features),
        len(known.classes.deltas),
        reason,
    )


def measure_of(system: System, candidate: Candidate) -> Measure:
    """The measure that a candidate stands for."""
    function = expression(system, candidate.expression)
    return Measure(function, name=candidate.expression, monotone=candidate.monotone is Monotone.PROVEN)


def _rank(candidate: Candidate) -> tuple[float, int]:
    """Least peak first; what is proven is worth some states, and so is what goes back on fewer actions."""
    bonus = {Monotone.PROVEN: 2.5 * NEARLY, Monotone.OBSERVED: NEARLY, Monotone.NO: 0.0}[candidate.monotone]
    return candidate.peak - bonus + 0.1 * NEARLY * len(candidate.going_back), len(candidate.expression)


def _chosen(candidates: Sequence[Candidate], demanding: str | None) -> tuple[Candidate | None, str | None]:
    """The candidate to use, or why none is."""
    if not candidates:
        return None, "no candidate was found: no feature of the states changes in one direction more than in others"
    if demanding is not None:
        proven = [one for one in candidates if one.monotone is Monotone.PROVEN]
        if not proven:
            return None, f"{demanding} needs a measure that is proven never to go down, and none was found"
        return proven[0], None
    best = candidates[0]
    if best.pays:
        return best, None
    return (
        None,
        f"no measure is predicted to pay: the best, {best.expression}, would store {best.peak:.0%} of the states",
    )


class Trials:
    """Formulas tried on the sample to search with."""

    def __init__(self, known: Learned, random: Random, deadline: float) -> None:
        self._known, self._random, self._deadline = known, random, deadline
        self._deltas = known.classes.deltas
        self._found: dict[Formula, str] = {}

    def found(self) -> Sequence[Formula]:
        """All candidates so far."""
        return [one for one in self._found if one.weights]

    def take(self, candidates: Sequence[Candidate]) -> None:
        """Candidates of another instance, where this one has all of their features."""
        numbers = {one.text: at for at, one in enumerate(self._known.features.all)}
        for one in candidates:
            if self._known.samples and all(text in numbers for text, _ in one.terms):
                self._add(Formula.of({numbers[text]: weight for text, weight in one.terms}, one.band), "learned")

    def look(self) -> None:
        """Every way of finding candidates, one after the other."""
        if not self._known.samples or not self._deltas:
            return
        monotone = rays(self._deltas)
        if monotone:
            self._add(combined(monotone, [1] * len(monotone)), "rays")
            self._add(self._uneven(monotone, True), "cone")
        for formula, cut in self._cuts(len(monotone)):
            self._add(formula, cut)
        for formula in self._least(2):
            self._add(self._climbed(formula), "climb")
        self._add(self._climbed(Formula(())), "climb")
        for formula in self._least(2):
            self._bands(formula)

    def _add(self, formula: Formula, found_by: str) -> None:
        self._found.setdefault(formula, found_by)

    @property
    def _late(self) -> bool:
        return time.process_time() > self._deadline

    def _score(self, formula: Formula) -> float:
        return predicted(self._known.searching, formula, self._deltas)

    def _least(self, count: int) -> list[Formula]:
        """The best so far."""
        return sorted(self._found, key=self._score)[:count]

    def _uneven(self, directions: Sequence[Weights], monotone: bool) -> Formula:
        """A combination with coefficients that differ: nearly one order after another."""
        count, best = len(directions), None
        climber = self._climber(directions, monotone)
        for number in range(STARTS):
            if self._late:
                break
            base = (1.0, 1.2, 1.5, 2.0, 3.0)[number % 5]
            order = list(range(count))
            self._random.shuffle(order)
            start = [0] * count
            for position, at in enumerate(order):
                start[at] = min(1000, round(base**position))
            climber.start(start)
            if best is None or climber.cost < best[0]:
                best = climber.cost, start
        climber.start(best[1] if best is not None else [1] * count)
        self._climb(climber)
        return climber.formula()

    def _climber(self, directions: Sequence[Weights], monotone: bool, band: int = 1) -> Climber:
        return Climber(self._known.searching, self._deltas, directions, monotone, band)

    def _climb(self, climber: Climber) -> None:
        """Change after change; the clock is looked at now and then."""
        for _ in range(ATTEMPTS // 100):
            if self._late:
                break
            climber.climb(100, self._random)
        climber.simplify()

    def _cuts(self, monotone: int) -> Iterator[tuple[Formula, str]]:
        """Measures that a single class may lower: the best few."""
        tried: list[tuple[float, int, Formula]] = []
        if Cone(self._deltas).is_simple:  # no two classes have to do with each other: freeing one changes nothing
            return
        order = sorted(range(len(self._deltas)), key=lambda one: (self._known.classes.met[one], one))
        for freed in order[:MOST_CUTS]:
            if self._late:
                break
            found = rays(self._deltas, [freed])
            if len(found) > monotone:
                formula = combined(found, [1] * len(found))
                tried.append((self._score(formula), freed, formula))
        for _, _, formula in sorted(tried, key=lambda one: one[:2])[:3]:
            yield formula, "cut"

    def _climbed(self, start: Formula) -> Formula:
        """A formula changed feature by feature."""
        width = len(self._known.features)
        climber = self._climber([{at: 1} for at in range(width)], False)
        given = dict(start.weights)
        climber.start([given.get(at, 0) for at in range(width)])
        self._climb(climber)
        return climber.formula()

    def _bands(self, formula: Formula) -> None:
        """The range of a formula cut into a few bands: only what lies just below a border is gone back to."""
        span = self._known.span(formula)
        for count in BANDS:
            width = span // count
            if width > 1 and not self._late:
                self._add(replace(formula, band=width), "bands")

    def candidate(self, formula: Formula) -> Candidate:
        """What is known and predicted of a formula."""
        known = self._known
        told = prediction(known.scoring, formula, self._deltas)
        monotone = self._monotone(formula)
        return Candidate(
            expression=formula_text(formula, known.features),
            found_by=self._found[formula],
            monotone=monotone,
            peak=told.peak,
            error=told.error,
            work=1.0 if monotone is not Monotone.NO else 2.0,
            going_back=self._going_back(formula),
            curve=tuple(curve(known.scoring[0], formula, self._deltas)),
            terms=tuple((known.features.all[at].text, weight) for at, weight in formula.weights),
            band=formula.band,
        )

    def _monotone(self, formula: Formula) -> Monotone:
        if not is_monotone(dict(formula.weights), self._deltas):
            return Monotone.NO
        return Monotone.PROVEN if self._known.complete else Monotone.OBSERVED

    def _going_back(self, formula: Formula) -> tuple[ActionProgress, ...]:
        """The actions that lower it, most often first."""
        raised: dict[str, int] = {}
        lowered: dict[str, int] = {}
        classes = self._known.classes
        for delta, actions, met in zip(classes.deltas, classes.actions, classes.met, strict=True):
            change = formula.raised(delta)
            for action in actions:
                side = raised if change > 0 else lowered if change < 0 else {}
                side[action] = side.get(action, 0) + met
        total = sum(classes.met) or 1
        found = [ActionProgress(one, raised.get(one, 0) / total, count / total) for one, count in lowered.items()]
        return tuple(sorted(found, key=lambda one: (-one.lowers, one.action)))
