"""Queries (paper 1): folds over states, edges and dead states in one sweep, and the standard ones written with them."""

from sweepcheck.core.plan import EdgeView
from sweepcheck.queries.folds import Answer, Fold, explore_dead, explore_edges, explore_states, explore_together
from sweepcheck.queries.formulas import formula_answers
from sweepcheck.queries.specification import Sweep
from sweepcheck.queries.standard import (
    Bounds,
    best_lower,
    best_upper,
    dead_markings,
    dead_transitions,
    home,
    multiset_bounds,
    reachable,
)

Step = EdgeView  # what it was called

__all__ = [
    "Answer",
    "Bounds",
    "EdgeView",
    "Fold",
    "Sweep",
    "best_lower",
    "best_upper",
    "dead_markings",
    "dead_transitions",
    "explore_dead",
    "explore_edges",
    "explore_states",
    "explore_together",
    "formula_answers",
    "home",
    "multiset_bounds",
    "reachable",
]
