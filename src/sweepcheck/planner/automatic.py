"""Requests that leave the measure to be found: a short plain exploration first, then a search, then the run.

The search is `discovery`'s; here it is said when there is one, what is explored before it, and what follows from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

from sweepcheck.core.declaration import MOST_AMOUNT, amount
from sweepcheck.core.discovery import Candidate, Discovery, Monotone
from sweepcheck.core.limits import Limits
from sweepcheck.core.model import System
from sweepcheck.core.plan import Statistics
from sweepcheck.core.request import Request
from sweepcheck.core.verdict import Stop
from sweepcheck.discovery import measure_of
from sweepcheck.errors import RequestError, shown
from sweepcheck.measures.computed import AUTO, KINDS
from sweepcheck.strategies import FULL, GENERALISED, STRATEGIES, SWEEP

FIRST_STATES = 1_000_000  # explored plainly before a search begins, or for so many seconds
FIRST_SECONDS = 5.0
MOST_SEARCHED = 20.0  # seconds, where nobody says how long
SHARE_SEARCHED = 0.05  # of a time limit
COMPARED_STATES = 1_000_000  # explored by each measure that can be computed, or for as many seconds
GRAPH_STATES = 20_000  # kept with their edges, to learn how these change a state


def is_automatic(system: System, request: Request) -> bool:
    """Whether a measure is to be found: asked for, or needed by a strategy and not there."""
    if request.measure == AUTO:
        return system.measure_for(AUTO, needed=False) is None
    if request.measure is not None or request.strategy not in (SWEEP.name, GENERALISED.name):
        return False
    return system.measure_for(None, needed=True) is None


def computed_requests(system: System, request: Request) -> tuple[Request, ...]:
    """Where `auto` means measures that are computed: a short run by each kind of them, to be compared."""
    if request.measure != AUTO or system.measure_for(AUTO, needed=False) is None:
        return ()
    first = replace(graph_request(request), graph=False, strategy=None)
    limits = Limits(states=COMPARED_STATES, seconds=FIRST_SECONDS)
    return tuple(replace(first, measure=kind, limits=limits) for kind in (AUTO, *KINDS))


def better(one: Statistics, other: Statistics) -> bool:
    """Whether a run is to be preferred: memory counts most, and work half as much."""
    return one.peak * sqrt(one.explored) < other.peak * sqrt(other.explored)


def check_automatic(request: Request) -> None:
    """Refuse what a search does not go with."""
    for given, option, why in (
        (request.checkpoint, "checkpoint", "a run that goes on has to have the same measure again"),
        (request.cluster, "cluster", "the processes of a cluster have to have the same measure"),
    ):
        if given is not None:
            raise RequestError(
                "SC404",
                f"a measure that is found does not go with {option}=: {why}",
                suggestion="find one first with `sweepcheck progress`, and give it: measure=...",
            )
    if request.strategy is not None and request.strategy not in (FULL.name, SWEEP.name, GENERALISED.name):
        known = STRATEGIES if isinstance(request.strategy, str) else ()
        if request.strategy in known:
            raise RequestError(
                "SC404",
                f"a measure that is found is a sum, which strategy {request.strategy!r} has no use for",
                suggestion='leave the strategy out, or use strategy="sweep" or strategy="generalised"',
            )
    check_search(request.seed, request.progress_budget)


def check_search(seed: object, seconds: object) -> None:
    """Refuse a seed that is no whole number, and a budget that is no time."""
    if type(seed) is not int:
        raise RequestError("SC403", f"{shown(seed)} is not a seed", suggestion="give a whole number")
    if seconds is not None and not (type(seconds) is float and 0 < seconds <= MOST_AMOUNT):
        amount(seconds, "a search of {} seconds", "number")


def first_request(request: Request) -> Request:
    """The short plain exploration before a search."""
    given = _limits(request)
    states = FIRST_STATES if given.states is None else min(given.states, FIRST_STATES)
    seconds = FIRST_SECONDS if given.seconds is None else min(given.seconds, FIRST_SECONDS)
    limits = replace(given, states=states, seconds=seconds)
    return replace(request, measure=None, strategy=FULL.name, limits=limits, spill=None)


def _limits(request: Request) -> Limits:
    return request.limits if isinstance(request.limits, Limits) else Limits()


def was_enough(request: Request, stop: Stop | None) -> bool:
    """Whether the short exploration came to an end of its own, or to a limit of the user's."""
    given = _limits(request)
    if stop is Stop.STATES:
        return given.states is not None and given.states <= FIRST_STATES
    if stop is Stop.SECONDS:
        return given.seconds is not None and given.seconds <= FIRST_SECONDS
    return True


def graph_request(request: Request) -> Request:
    """What is explored to see how edges change states."""
    return Request(
        (),
        trace=False,
        graph=True,
        strategy=FULL.name,
        limits=Limits(states=GRAPH_STATES, seconds=FIRST_SECONDS),
        engine=request.engine,
        workers=request.workers,
        up_to=request.up_to,
        constraints=request.constraints,
        table_memory=request.table_memory,
    )


def seconds_to_search(request: Request) -> float:
    """What was asked for; else a share of the time limit, and no more than a while."""
    if request.progress_budget is not None:
        return float(request.progress_budget)
    seconds = _limits(request).seconds
    return MOST_SEARCHED if seconds is None else min(MOST_SEARCHED, SHARE_SEARCHED * seconds)


def with_measure(system: System, request: Request, found: Discovery, spent: float) -> Request:
    """The run that follows a search; `spent` seconds of its time are gone."""
    given = _limits(request)
    if given.seconds is not None:
        request = replace(request, limits=replace(given, seconds=max(given.seconds - spent, 1e-3)))
    if found.chosen is None or request.strategy == FULL.name:
        return replace(request, measure=None, strategy=FULL.name)
    return replace(
        request, measure=measure_of(system, found.chosen), strategy=request.strategy or _strategy(found.chosen)
    )


def _strategy(chosen: Candidate) -> str:
    """A sweep relies on a proof; one that goes back, or may, is generalised."""
    return SWEEP.name if chosen.monotone is Monotone.PROVEN else GENERALISED.name


def without_search(reason: str, candidates: Sequence[Candidate] = ()) -> Discovery:
    """Nothing was looked for."""
    return Discovery(tuple(candidates), None, 0, 0.0, 0, 0, 0, reason)
