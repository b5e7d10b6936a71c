"""A sweep that ends where it meets a class again (paper 3, figure 3): for systems without end.

`nodes` holds classes, as printed. A measure that goes down on a step costs no state: what lies behind may be met and
explored again, so that a run through such a step may have no end, where classes are not remembered.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from sweepcheck.core.equivalence import CutOff
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import State
from sweepcheck.core.plan import CollectionPolicy
from sweepcheck.engines.progress import guarded, progress_of
from sweepcheck.engines.reference.classes import Classes
from sweepcheck.engines.reference.collector import Collector, Nodes
from sweepcheck.engines.reference.exploration import Exploration
from sweepcheck.engines.reference.layers import Unprocessed
from sweepcheck.properties.evaluation import evaluate

WHEN = "the predicate `when` of the cut-off"


def sweep_with_cutoff(
    exploration: Exploration, measure: Measure, gc: CollectionPolicy, cutoff: CutOff, classes: Classes
) -> None:
    """Process a state of every class, least progress first, until no class is new. States are members of classes."""
    system, order = exploration.system, guarded(measure)
    nodes: Nodes = {}
    stored: dict[State, int] = {}  # the classes in `nodes`, whatever the progress of their members, with their numbers
    unprocessed = Unprocessed(measure, order)
    collector = Collector(exploration, gc)
    exploration.sweeps = 1

    def add(state: State, value: Any, parent: int | None, position: int) -> None:
        nodes.setdefault(value, {})[state] = stored[state] = exploration.found(state, parent, position)
        unprocessed.add(value, state)
        if cutoff.when is None or evaluate(system, cutoff.when, state, WHEN):
            classes.remembered[state] = None

    for position, initial in enumerate(system.initial_states()):
        add(initial, progress_of(system, measure, initial), None, position)
    processed: Counter[Any] = Counter()  # states of each layer, which may be entered again
    while unprocessed:
        exploration.progress = value = unprocessed.minimal()
        classes.reach(value, order)
        s = unprocessed.take(value)
        for position, edge in enumerate(exploration.expand(s, stored[s])):
            successor = edge.target
            next_value = progress_of(system, measure, successor)
            if not order.leq(value, next_value):
                exploration.regressed(edge)
            if successor in stored:
                continue
            if successor in classes.remembered:
                classes.skipped += 1
                continue
            if next_value in collector.done:  # the layer is entered again, and not done any more
                collector.done.remove(next_value)
            add(successor, next_value, stored[s], position)
        processed[value] += 1
        if not unprocessed.holds(value):
            exploration.layer_left(value, processed.pop(value))
            collector.done.append(value)
        if collector.is_due():
            collect(collector, nodes, stored)
    collect(collector, nodes, stored)


def collect(collector: Collector, nodes: Nodes, stored: dict[State, int]) -> None:
    """Delete the layers that are done, and the classes in them."""
    for value in collector.done:
        for state in nodes[value]:
            del stored[state]
    collector.collect(nodes)
