"""Why a formula of CTL is true or false, from what the core has of its nodes and of the edges after a run."""

from __future__ import annotations

from functools import lru_cache

from sweepcheck._core import Explorer
from sweepcheck.core.temporal import Temporal
from sweepcheck.properties.ctl import claim, tree_nodes
from sweepcheck.properties.explanation import Explanation, Way, truth_of

MOST_STEPS = 2_000  # of a run that explains: each of its states is found by a walk from an initial one


class NumberedWays:
    """What is true of states, by their numbers."""

    def __init__(self, core: Explorer, tree: int, formula: Temporal) -> None:
        self._core, self._tree = core, tree
        self._nodes = {node: number for number, node in enumerate(tree_nodes(formula))}
        self._known = lru_cache(maxsize=1)(lambda at: dict(zip(self._nodes, core.tree_truths(tree, at), strict=True)))

    def holds(self, node: Temporal, at: int) -> bool:
        """See `Ways`."""
        return truth_of(node, self._known(at))

    def way(self, node: Temporal, at: int) -> Way[int] | None:
        """See `Ways`."""
        found = self._core.tree_way(self._tree, self._nodes[node], at)
        if not found.is_known or len(found.path) + len(found.cycle) > MOST_STEPS:
            return None
        return Way(found.path, found.cycle if found.lasts else None, found.actions)


def explained(core: Explorer, tree: int, formula: Temporal, number: int) -> Explanation[int]:
    """Why the claim of a formula is true or false in a state, by numbers of states."""
    return Explanation(NumberedWays(core, tree, formula), claim(formula), number)
