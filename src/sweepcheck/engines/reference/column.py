"""Algorithm D: the compositional column sweep (paper 2, figure 5).

The monotone components of a product measure cut the state space into columns. A column, once left, is never entered
again, so the persistent states in it need not be kept for ever: a generalised sweep is made inside each column.
"""

from __future__ import annotations

from typing import Any

from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Edge, State
from sweepcheck.core.plan import CollectionPolicy
from sweepcheck.engines.progress import broken_claim, guarded, progress_of
from sweepcheck.engines.reference.collector import Nodes
from sweepcheck.engines.reference.exploration import Exploration
from sweepcheck.engines.reference.generalised import Sweeps
from sweepcheck.engines.reference.layers import Unprocessed
from sweepcheck.measures.product import columns


def column_sweep(exploration: Exploration, measure: Measure, gc: CollectionPolicy) -> None:
    """Process every reachable state at least once, column by column: procedure Sweep of figure 5."""
    system, cut = exploration.system, columns(measure)
    across = guarded(measure, cut.across)
    global_unprocessed: dict[Any, Nodes] = {}
    order_of_columns = Unprocessed(measure, across)  # the columns of the states above, each as one entry

    def waiting(value: Any) -> Nodes:
        """The unprocessed states of the column that a value lies in."""
        column = cut.column(value)
        if column not in global_unprocessed:
            global_unprocessed[column] = {}
            order_of_columns.add(column, column)
        return global_unprocessed[column]

    def elsewhere(s: State, value: Any, edge: Edge, next_value: Any) -> Nodes | None:
        here, there = cut.column(value), cut.column(next_value)
        if here == there:
            return None
        if not across.leq(here, there):
            raise broken_claim(system, s, value, edge, next_value)
        order_of_columns.check(here, there)
        return waiting(next_value)

    column_sweeps = Sweeps(exploration, measure, guarded(measure, cut.within), gc, elsewhere)
    for position, initial in enumerate(system.initial_states()):
        value = progress_of(system, measure, initial)
        waiting(value).setdefault(value, {})[initial] = exploration.found(initial, edge=position)
    while order_of_columns:
        column = order_of_columns.take(order_of_columns.minimal())
        exploration.columns += 1
        column_sweeps.run(global_unprocessed.pop(column))
        order_of_columns.leave(column)
        for states in column_sweeps.persistent.values():
            exploration.forgotten(states)
