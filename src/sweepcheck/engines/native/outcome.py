"""The core's numbers as an `Outcome`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, overload

from sweepcheck._core import ActionResult, Counters, Explorer
from sweepcheck.core.model import Label
from sweepcheck.core.plan import ActionStatistics, ContentsStatistics, Counted, MeasureStatistics, Plan, Statistics
from sweepcheck.core.tabulated import Tabulated
from sweepcheck.engines.native.linear import LinearMeasure
from sweepcheck.engines.tallies import Values


def statistics(plan: Plan, core: Explorer, actions: Sequence[ActionResult]) -> Statistics:
    """The numbers that are printed."""
    counted = core.counters
    found_twice = counted.persistent or counted.evicted or plan.awaits
    if plan.cutoff is not None:
        found_twice = counted.remembered < counted.states
    classes = {} if plan.classes is None else _of_classes(plan, counted, None if found_twice else counted.states)
    return Statistics(
        states=None if found_twice else counted.states,
        edges=counted.edges if plan.classes is None else counted.reduced_edges,
        explored=counted.explored,
        peak=counted.peak,
        layers=counted.layers,
        sweeps=counted.sweeps,
        unprocessed=counted.states - counted.explored,
        regress_edges=sum(action.regress_edges for action in actions),
        persistent=counted.persistent,
        columns=counted.columns,
        evicted=counted.evicted,
        beyond=counted.beyond,
        outside_edges=counted.outside_edges,
        dead_states=counted.dead_states,
        seconds=counted.seconds,
        memory_bytes=counted.memory_bytes,
        trace_bytes=core.trace_bytes,
        edge_bytes=core.edge_bytes,
        model_seconds=counted.model_seconds,
        workers=counted.workers,
        **_shares(counted),
        scratch_bytes=counted.scratch_bytes,
        rewrites=counted.rewrites,
        rewrite_seconds=counted.rewrite_seconds,
        state_bytes=counted.state_bytes,
        table_bytes=counted.table_bytes,
        **classes,
    )


def _of_classes(plan: Plan, counted: Counters, found: int | None) -> dict[str, Any]:
    return {
        "classes": found,
        "labelled_edges": counted.edges,
        "compared": counted.compared,
        "remembered": counted.remembered,
        "skipped": counted.skipped,
        "grows": None if plan.cutoff is None else 2 * counted.raised_at >= counted.explored,
    }


def _shares(counted: Counters) -> dict[str, Any]:
    """What the workers did with their time: what is not shared, one does alone. So is Python, but for functions that
    several threads ran before their turn.
    """
    time = counted.workers * counted.seconds
    if time <= 0:
        return {}
    python = min(counted.model_seconds / time, 1.0)
    in_turn = counted.model_seconds - counted.rehearsed_seconds
    alone = max(counted.seconds - counted.shared_seconds - in_turn, 0.0)
    working = min((counted.worker_seconds + alone) / time, 1.0 - python)
    return {"working": working, "waiting": 1.0 - python - working, "in_python": python}


class ActionCosts(Sequence[ActionStatistics]):
    """What each action cost, made when somebody asks: nets have thousands. Tables known in advance are no runs."""

    def __init__(self, system: Tabulated, results: Sequence[ActionResult]) -> None:
        self._system, self._results = system, results

    @cached_property
    def _all(self) -> tuple[ActionStatistics, ...]:
        return tuple(
            ActionStatistics(
                str(action),
                found.evaluations and (0 if action.function is None else found.evaluations),
                found.edges,
                found.seconds,
                found.tabulated,
                found.observes,
                found.compares,
            )
            for action, found in zip(self._system.actions, self._results, strict=True)
        )

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, at: int) -> ActionStatistics: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[ActionStatistics]: ...
    def __getitem__(self, at: int | slice) -> ActionStatistics | Sequence[ActionStatistics]:
        return self._all[at]


def contents_statistics(core: Explorer) -> tuple[ContentsStatistics, ...]:
    """What lies outside of states."""
    return tuple(
        ContentsStatistics(found.variable, found.contents, found.bytes, found.in_states) for found in core.contents()
    )


def measure_statistics(
    core: Explorer, linear: LinearMeasure | None, obstacle: Callable[[], str | None]
) -> MeasureStatistics | None:
    """What the measure cost: that function of it which ran most often, be it one of several summands."""
    found = core.measure()
    if not found:
        return None
    index, most = max(enumerate(found), key=lambda one: one[1].evaluations)
    why = obstacle() if linear is None else None
    of_sums = linear is not None and bool(linear.arguments[index])
    return MeasureStatistics(most.evaluations, most.bytes, most.observes, linear is not None, why, of_sums)


def idle(plan: Plan, system: Tabulated, results: Sequence[ActionResult]) -> tuple[Label, ...]:
    """The actions without an edge; where states are equivalent, which member of a family acts says nothing."""
    edges = [found.edges for found in results]
    if all(edges):
        return ()
    labels = [action.label if plan.classes is None else Label(action.label.action) for action in system.actions]
    happened = {label for label, count in zip(labels, edges, strict=True) if count}
    return tuple(label for label in dict.fromkeys(labels) if label not in happened)


def regressing(system: Tabulated, results: Sequence[ActionResult]) -> tuple[tuple[str, int], ...]:
    """The names of actions with regress edges and how many, most first."""
    edges: Counter[str] = Counter()
    for number, found in enumerate(results):
        if found.regress_edges:
            edges[system.actions[number].name] += found.regress_edges
    return tuple(edges.most_common())


def tallied(core: Explorer, values: Sequence[Values]) -> tuple[Counted, ...]:
    """The answers to the tallies; `values` are those that each function had."""
    return tuple(
        Counted(tuple(zip(known.values or found.values, found.counts, strict=True)), tuple(found.stored))
        for known, found in zip(values, core.tallies(), strict=True)
    )
