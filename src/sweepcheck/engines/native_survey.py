"""The findings of a state space report as the native core counted them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sweepcheck._core import Explorer
from sweepcheck.core.survey import ActionBehaviour, Bounds, Components, Fairness, Survey, value_bounds
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.models.actions.model import Model
from sweepcheck.models.processes.network import Network


def findings(system: Model | Network, explorer: Explorer, whole: bool) -> Survey:
    """What the core found out; `whole` says that every reachable state was processed."""
    counted = explorer.survey()
    components = None
    if whole:
        arcs = explorer.counters()["edges"] - counted["edges_inside"]
        home = (counted["home_states"], counted["home"])
        components = Components(counted["components"], arcs, counted["terminal"], *home, counted["cycles"])
    edges = (row[1] for row in explorer.action_counters())
    rows = zip(system.actions, edges, counted["actions"], strict=True)
    return Survey(
        bounds=tuple(_bounds(system, counted["bounds"])),
        components=components,
        dead=tuple(counted["dead"]),
        actions=tuple(
            ActionBehaviour(
                str(action),
                taken,
                live if whole else None,
                _fairness(*kinds) if whole and counted["cycles"] else None,
            )
            for action, taken, (live, *kinds) in rows
        ),
    )


def _fairness(impartial: bool, fair: bool, just: bool) -> Fairness:
    if impartial:
        return Fairness.IMPARTIAL
    if fair:
        return Fairness.FAIR
    return Fairness.JUST if just else Fairness.NONE


def _bounds(system: Model | Network, counted: list[Any]) -> Iterator[Bounds]:
    rows = iter(counted)
    initial: Any = system.initial_states()[0]
    for name, value in zip(system.variables, initial, strict=True):
        if isinstance(value, Array):
            yield from (value_bounds(f"{name}[{position}]", next(rows) or ()) for position in range(len(value)))
            continue
        row = next(rows)
        if row is None:  # no state was processed
            yield Bounds(name)
        elif isinstance(value, Bag | Queue):
            lower, upper, tokens = row
            least, most = (Bag({token[0]: token[k] for token in tokens if token[k]}) for k in (1, 2))
            yield Bounds(name, lower, upper, *((least, most) if isinstance(value, Bag) else ()))
        elif isinstance(system, Model) and system.kinds.get(name) == "single":
            yield Bounds(name, 1, 1, Bag(row if len(row) == 1 else ()), Bag(row))
        else:
            yield value_bounds(name, row)
