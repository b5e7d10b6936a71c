"""What the sites of a run found out, put together as an `Outcome`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sweepcheck.cluster.messages import Found, Summary
from sweepcheck.core.plan import ActionStatistics, Outcome, Shared, Statistics
from sweepcheck.core.property import Kind
from sweepcheck.core.tabulated import is_tabulated
from sweepcheck.core.trace import Trace
from sweepcheck.core.value_texts import text_of, value_of
from sweepcheck.core.verdict import Decision, Status, Stop
from sweepcheck.engines.native.traces import steps

if TYPE_CHECKING:
    from sweepcheck.cluster.driver import Driver

LOST = "a process of the cluster died, and the way to this state with it"


def outcome(driver: Driver, stop: Stop | None, summaries: Sequence[Summary], again: Driver | None) -> Outcome:
    """The result of a run. `again` is one that looked for the ways to what was found, where they were lost."""
    system = driver.plan.system
    assert is_tabulated(system)
    why_lost = next((one.trace_lost for one in summaries if one.trace_lost), LOST if driver.lost_once else None)
    if again is not None and again.found.keys() >= driver.found.keys():
        why_lost = None
    edges, back = (_by_action(summaries, name) for name in ("edges", "regress_edges"))
    counted: Counter[str] = Counter()
    for action, count in zip(system.actions, back, strict=True):
        counted[action.name] += count
    return Outcome(
        decisions=(
            *(_decided(driver, number, again, why_lost) for number in range(len(driver.plan.properties))),
            *driver.assertion,
        ),
        statistics=_statistics(driver, summaries),
        stop=stop,
        profile=tuple(driver.profile),
        trace_file=None,
        actions=tuple(
            ActionStatistics(
                str(action),
                0 if action.function is None else sum(one.evaluations[number] for one in summaries),
                edges[number],
                sum(one.action_seconds[number] for one in summaries),
                all(one.tabulated[number] for one in summaries),
                (),
            )
            for number, action in enumerate(system.actions)
        ),
        regressing=tuple((name, count) for name, count in counted.most_common() if count),
        idle=() if driver.lost_once else tuple(a.label for a, n in zip(system.actions, edges, strict=True) if not n),
        trace_lost=why_lost if driver.plan.trace else None,
        unwritten=() if driver.unwritten is None else (driver.unwritten,),
    )


def _by_action(summaries: Sequence[Summary], name: str) -> list[int]:
    return [sum(counts) for counts in zip(*(getattr(one, name) for one in summaries), strict=True)]


def _statistics(driver: Driver, summaries: Sequence[Summary]) -> Statistics:
    counted, seconds = driver.counted, driver.seconds
    time = driver.sites.count * seconds
    return Statistics(
        states=None if counted.persistent else counted.states,
        edges=counted.edges,
        explored=counted.explored,
        peak=driver.peak,
        layers=len(driver.profile),
        sweeps=driver.sweeps,
        unprocessed=counted.states - counted.explored,
        regress_edges=counted.regress_edges,
        persistent=counted.persistent,
        beyond=counted.beyond,
        outside_edges=counted.outside_edges,
        dead_states=counted.dead_states,
        seconds=seconds,
        memory_bytes=sum(told.memory_bytes for told in driver.told),
        trace_bytes=sum(one.trace_bytes for one in summaries),
        model_seconds=sum(one.model_seconds for one in summaries),
        state_bytes=sum(told.state_bytes for told in driver.told),
        table_bytes=sum(one.table_bytes for one in summaries),
        shared=Shared(
            processes=driver.sites.count,
            steps=driver.steps,
            sent_states=driver.sent_states,
            sent_bytes=driver.sent_bytes,
            efficiency=min(sum(driver.busy) / time, 1.0) if time > 0 else 1.0,
        ),
    )


def _decided(driver: Driver, number: int, again: Driver | None, why_lost: str | None) -> Decision:
    if again is not None:
        found_again = number in again.found
        return _decision(again if found_again else driver, number, found_again)
    return _decision(driver, number, why_lost is None)


def _decision(driver: Driver, number: int, traces: bool) -> Decision:
    asked = driver.plan.properties[number]
    found = driver.found.get(number)
    if found is None:
        return Decision(asked)
    status = Status.HOLDS if asked.kind.holds_by_witness else Status.VIOLATED
    state, cycle = tuple(value_of(found.state)), [tuple(value_of(one)) for one in found.cycle]
    trace = _trace(driver, found) if traces and driver.plan.trace else None
    system = driver.plan.system
    assert is_tabulated(system)
    if trace is not None and (asked.kind is Kind.STEP or asked.kind.shown_by_loops):
        loop = len(trace) if asked.kind.shown_by_loops else None
        further = steps(system, [state, *cycle], found.actions)
        trace = Trace(trace.initial, (*trace.steps, *further), loop)
    return Decision(asked, status, cycle[0] if asked.kind is Kind.STEP else state, trace)


def _trace(driver: Driver, found: Found) -> Trace:
    """The way to a state: back from site to site, and then forward, each site following the edges that it found."""
    system, sites = driver.plan.system, driver.sites
    assert is_tabulated(system)
    pieces: list[tuple[int, tuple[int, ...]]] = []
    at: int | None = found.site
    number = found.number
    while at is not None:
        way = sites.one(at, "way_to", number)
        # The first of these edges was found by whoever has its parent: where that is another site, by that one.
        first, *others = way.edges
        if others:
            pieces.append((at, tuple(others)))
        pieces.append((at if way.site is None else way.site, (first,)))
        at, number = way.site, way.number
    pieces.reverse()
    (_, (root,)), *rest = pieces
    initial: Any = system.initial_states()[root]
    states = [tuple(initial)]
    for where, edges in rest:
        states += [tuple(value_of(one)) for one in sites.one(where, "follow", text_of(states[-1]), edges)]
    return Trace(states[0], steps(system, states))
