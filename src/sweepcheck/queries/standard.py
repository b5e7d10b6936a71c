"""The standard queries, written with the folds: what coloured-net people ask of a state space."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.declaration import check_flag, texts
from sweepcheck.core.plan import Tally
from sweepcheck.core.values import Bag
from sweepcheck.core.verdict import Status
from sweepcheck.errors import RequestError, closest, public
from sweepcheck.properties import always_possible
from sweepcheck.queries.folds import Answer, explore_dead, explore_edges, explore_states
from sweepcheck.queries.specification import Sweep, check_sweep
from sweepcheck.report.report import Report

Function = Callable[[Any], Any]


def reachable(sweep: Sweep, predicate: Function, *, keep: bool = False) -> Answer:
    """Whether some state satisfies the predicate; `keep` stores those that do."""
    check_flag(keep, "keep")
    found = explore_states(
        sweep,
        pred=predicate,
        store=(lambda _: True) if keep else None,
        eval=lambda _: True,
        comb=lambda known, one: known or one,
        init=False,
    )
    # A state that was seen can be reached, whatever was not explored.
    guarantee = found.report.guarantee_of(shown=found.value)
    return Answer(found.value, guarantee, found.stored, found.report)


def best_upper(sweep: Sweep, function: Function) -> Answer:
    """The largest value of a function over all states."""
    return explore_states(sweep, eval=function, init=None, comb=lambda a, b: b if a is None else max(a, b))


def best_lower(sweep: Sweep, function: Function) -> Answer:
    """The smallest value of a function over all states."""
    return explore_states(sweep, eval=function, init=None, comb=lambda a, b: b if a is None else min(a, b))


@dataclass(frozen=True, slots=True)
class Bounds:
    """The best bounds of a place: how many tokens, and how often each, at most and at least."""

    upper: int
    lower: int
    upper_multiset: Bag
    lower_multiset: Bag


@public
def multiset_bounds(sweep: Sweep, places: Iterable[str] | None = None) -> Answer:
    """The best integer and multi-set bounds of places (or bag variables), by name; by default of all."""
    check_sweep(sweep)
    system = sweep.system()
    first = system.describe(system.initial_states()[0])
    bags = [name for name, value in first.items() if isinstance(value, Bag)]
    asked = bags if places is None else list(texts(places, "places", "SC401"))
    for name in asked:
        if name not in bags:
            raise RequestError("SC401", f"the model has no place or bag {name!r}", suggestion=closest(name, bags))
    report = sweep.run(*(Tally(_contents(name)) for name in asked))
    value = {
        name: _bounds([contents for contents, _ in counted.values])
        for name, counted in zip(asked, report.tallies, strict=True)
    }
    return Answer(value, report.guarantee, (), report)


def _contents(name: str) -> Function:
    """The tokens on a place; a name with full stops goes through modules."""

    def contents(state: Any) -> Bag:
        found = state[name] if hasattr(type(state), "__getitem__") else getattr(state, name)
        return Bag(found)

    return contents


def _bounds(seen: list[Bag]) -> Bounds:
    upper: dict[Hashable, int] = {}
    lower: dict[Hashable, int] = dict(seen[0].items())
    for contents in seen:
        counts = dict(contents.items())
        for token, count in counts.items():
            upper[token] = max(upper.get(token, 0), count)
        lower = {token: min(count, counts.get(token, 0)) for token, count in lower.items()}
    sizes = [len(contents) for contents in seen]
    return Bounds(max(sizes), min(sizes), Bag(upper), Bag(lower))


def dead_markings(sweep: Sweep) -> Answer:
    """The number of states without successors; the answer has stored them all."""
    return explore_dead(sweep, init=0, comb=lambda a, b: a + b, eval=lambda _: 1, store=lambda _: True)


def dead_transitions(sweep: Sweep) -> Answer:
    """The names of the transitions (or actions) that never occur, in the order of declaration."""
    check_sweep(sweep)
    system = sweep.system()
    if system.action_functions() is None:
        raise RequestError(
            "SC404",
            "the model gives its successors as a function, and has no list of actions to look through",
            suggestion="write it as a Model or a Net; explore_edges collects the labels that occur",
        )
    alive, report = _occurring(sweep)
    names = dict.fromkeys(one.name for one in system.declared_actions() or ())
    dead = tuple(name for name in names if name not in alive)
    # A run that was cut short may not have come to the place where a transition occurs; that all do, it has seen.
    return Answer(dead, report.guarantee_of(shown=not dead), (), report)


def _occurring(sweep: Sweep) -> tuple[frozenset[str], Report]:
    """The names of the actions that occur; the native engine counts them by itself."""
    if sweep.engine != "reference":
        report = sweep.run()
        if report.actions:
            names = {str(one.label): one.name for one in report.system.declared_actions() or ()}
            return frozenset(names[one.action] for one in report.actions if one.edges), report
    found = explore_edges(sweep, init=frozenset(), comb=lambda a, b: a | {b}, eval=lambda step: step.label.action)
    return found.value, found.report


def home(sweep: Sweep, predicate: Function) -> Answer:
    """Whether a state that satisfies the predicate can be reached from every state (a home predicate, AG EF).

    The value is None when the run ended before that was known.
    """
    check_sweep(sweep)
    report = sweep.run(properties=[always_possible("home", predicate)])
    (verdict,) = report.verdicts
    known = verdict.status is not Status.INCONCLUSIVE
    return Answer(verdict.status is Status.HOLDS if known else None, verdict.guarantee, (), report)
