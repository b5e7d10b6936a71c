"""Always possible (AG EF, home predicate): every terminal component contains a state that satisfies the predicate.

Paper 0, section 5, and paper 4, proposition 2. With a monotone measure every component lies inside one layer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sweepcheck.core.model import State
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.verdict import Status
from sweepcheck.properties.monitor import Monitor, Sighting
from sweepcheck.properties.scc import sccs


def always_possible(name: str, predicate: Callable[[Any], object]) -> Property:
    """From every reachable state a state that satisfies the predicate can be reached."""
    return Property(Kind.ALWAYS_POSSIBLE, name, predicate)


class AlwaysPossibleMonitor(Monitor):
    """Violated by a terminal component in which no state satisfies the predicate."""

    def on_complete(self, states: Sequence[State]) -> Sighting | None:
        """See `Monitor`."""

        def targets(state: State) -> list[State]:
            return [edge.target for edge in self.system.edges(state)]

        bad: set[State] = set()
        for scc in sccs(states, targets):
            inside = set(scc)
            terminal = all(target in inside for state in scc for target in targets(state))
            if terminal and not any(map(self.satisfied, scc)):
                bad |= inside
        # Of all states of bad components, the one found first has the shortest way to it.
        return next((Sighting(Status.VIOLATED, state) for state in states if state in bad), None)
