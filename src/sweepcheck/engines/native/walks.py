"""Random walks by the core: it goes on with many at once, from tables, and remembers the way of each."""

from __future__ import annotations

from contextlib import suppress

from sweepcheck._core import Explorer, Failure, WalkSettings, Way
from sweepcheck.core.model import State
from sweepcheck.core.observer import Silence
from sweepcheck.core.plan import Plan
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.running import current
from sweepcheck.core.tabulated import is_tabulated
from sweepcheck.core.verdict import Decision, Status, Stop
from sweepcheck.core.walking import MOST_DISTINCT, Walked, Walking
from sweepcheck.engines.assertions import failed_assertion
from sweepcheck.engines.native.exploration import Exploration, explore
from sweepcheck.engines.native.failures import explain
from sweepcheck.engines.shortening import shortened
from sweepcheck.errors import SweepcheckError

_LAST = Property(Kind.DEADLOCK, "the last state of a walk")


def walk(plan: Plan, asked: Walking) -> Walked:
    """Make random walks."""
    chosen = WalkSettings()
    chosen.walks, chosen.depth, chosen.seed = asked.walks, asked.depth, asked.seed & (1 << 64) - 1
    chosen.together, chosen.most_distinct = asked.together, MOST_DISTINCT
    return explore(plan, Silence(), lambda exploration: _walked(plan, exploration, chosen))


def _walked(plan: Plan, exploration: Exploration, chosen: WalkSettings) -> Walked:
    core = exploration.core
    ended = exploration.ended(lambda settings: core.walk(settings, chosen))
    assertion: tuple[Decision, ...] = ()
    if isinstance(ended, Failure):
        ended, assertion = _failed(plan, core, ended)
    found = core.walked
    decisions = []
    for one, way in zip(plan.properties, found.decided, strict=True):
        status = Status.HOLDS if one.kind.holds_by_witness else Status.VIOLATED
        decisions.append(Decision(one) if way is None else _decision(plan, one, status, _states(core, way)))
    return Walked(
        (*decisions, *assertion),
        found.walks,
        found.steps,
        found.longest,
        found.dead_ends,
        found.left,
        found.distinct,
        found.counts_all,
        core.counters.seconds,
        ended,
    )


def _failed(plan: Plan, core: Explorer, failure: Failure) -> tuple[Stop | None, tuple[Decision, ...]]:
    """A function of the model failed: an assertion of it is what was looked for."""
    assert is_tabulated(plan.system)
    try:
        return explain(plan, plan.system, failure)[0], ()
    except SweepcheckError as error:
        asked = failed_assertion(plan, error)
        way = None if failure.state is None else core.way_to(failure.state)
        if way is None:
            raise
        if asked is None:
            with suppress(SweepcheckError):
                error.trace = shortened(plan.system, _LAST, _states(core, way))
            raise
        return Stop.ASSERTION, (_decision(plan, asked, Status.VIOLATED, _states(core, way)),)


def _decision(plan: Plan, asked: Property, status: Status, states: list[State]) -> Decision:
    return Decision(asked, status, states[-1], shortened(plan.system, asked, states))


def _states(core: Explorer, way: Way) -> list[State]:
    """The states along a way."""
    token = current.set(core.chooser)
    try:
        return core.follow(way.root, way.edges)
    finally:
        current.reset(token)
