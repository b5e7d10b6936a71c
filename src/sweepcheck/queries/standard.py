"""The standard queries, written with the folds: what coloured-net people ask of a state space."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from sweepcheck.core.declaration import check_flag, texts
from sweepcheck.core.plan import Tally
from sweepcheck.core.values import Bag
from sweepcheck.core.verdict import Status
from sweepcheck.errors import RequestError, closest, public
from sweepcheck.properties import always_possible
from sweepcheck.queries.folds import Answer, Fold, Over, folded
from sweepcheck.queries.specification import Sweep, check_sweep, condition
from sweepcheck.report.report import Report

Function = Callable[[Any], Any] | str


def reachable(sweep: Sweep, predicate: Function, *, keep: bool = False) -> Answer:
    """Whether some state satisfies the predicate; `keep` stores those that do."""
    check_flag(keep, "keep")
    some = Fold(
        pred=predicate,
        store=(lambda _: True) if keep else None,
        eval=lambda _: True,
        comb=lambda known, one: known or one,
        init=False,
    )
    found = folded(sweep, some, idempotent=True)
    # A state that was seen can be reached, whatever was not explored.
    guarantee = found.report.guarantee_of(shown=found.value)
    return Answer(found.value, guarantee, found.stored, found.report)


def best_upper(sweep: Sweep, function: Function) -> Answer:
    """The largest value of a function over all states."""
    largest = Fold(eval=function, init=None, comb=lambda a, b: b if a is None else max(a, b))
    return folded(sweep, largest, idempotent=True)


def best_lower(sweep: Sweep, function: Function) -> Answer:
    """The smallest value of a function over all states."""
    smallest = Fold(eval=function, init=None, comb=lambda a, b: b if a is None else min(a, b))
    return folded(sweep, smallest, idempotent=True)


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
    meant = {name: system.variable_called(name) for name in asked}
    for name in meant.values():
        if name not in bags:
            raise RequestError("SC401", f"the model has no place or bag {name!r}", suggestion=closest(name, bags))
    report = sweep.run(*(Tally(_contents(name), idempotent=True) for name in meant.values()))
    value = {
        name: _bounds([contents for contents, _ in counted.values])
        for name, counted in zip(asked, report.tallies, strict=True)
    }
    return Answer(value, report.guarantee, (), report)


def _contents(name: str) -> Callable[[Any], Any]:
    """The tokens on a place; a name with full stops goes through modules."""

    def contents(state: Any) -> Bag:
        found = state[name] if hasattr(type(state), "__getitem__") else getattr(state, name)
        return Bag(found)

    return contents


def _bounds(seen: list[Bag]) -> Bounds:
    if not seen:  # a limit ended the run before the first state
        return Bounds(0, 0, Bag(), Bag())
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
    every = Fold(init=None, comb=lambda a, _: a, eval=lambda _: None, store=lambda _: True, over=Over.DEAD)
    found = folded(sweep, every, idempotent=True)
    return replace(found, value=len(found.stored))


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
    labels = Fold(init=frozenset(), comb=lambda a, b: a | {b}, eval=lambda step: step.label.action, over=Over.EDGES)
    found = folded(sweep, labels, idempotent=True)
    return found.value, found.report


def home(sweep: Sweep, predicate: Function) -> Answer:
    """Whether a state that satisfies the predicate can be reached from every state (a home predicate, AG EF).

    The value is None when the run ended before that was known.
    """
    check_sweep(sweep)
    report = sweep.run(properties=[always_possible("home", condition(sweep.system(), predicate))])
    (verdict,) = report.verdicts
    known = verdict.status is not Status.INCONCLUSIVE
    return Answer(verdict.status is Status.HOLDS if known else None, verdict.guarantee, (), report)
