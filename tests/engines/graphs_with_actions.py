"""Small graphs whose edges have actions, as models; and what is true of them, found by looking at every set of states.

Nothing here is shared with the monitors: a run that goes on for ever goes, in the end, through all states of some set
again and again, and a set in which that is possible is looked for among all sets there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from hypothesis import strategies as st

from sweepcheck import Model, choose, require

ACTIONS = ("a", "b", "c")
MOST = 6  # states


@dataclass(frozen=True)
class Fair:
    """What runs are fair to, and how it is asked for."""

    actions: tuple[str, ...]
    strong: bool

    def __str__(self) -> str:
        return ("strong " if self.strong else "") + " + ".join(self.actions)


@dataclass(frozen=True)
class Drawn:
    """Edges as (source, action, target) from state 0 on; two sets of states, and some of the edges."""

    edges: tuple[tuple[int, str, int], ...]
    first: frozenset[int]
    second: frozenset[int]
    wrong: frozenset[tuple[int, str, int]]
    fair: tuple[Fair, ...]

    def model(self) -> Model:
        m = Model("graph", at=0, layer=self.layers()[0])
        for name in ACTIONS:
            m.action(self._action(name))
        return m

    def _action(self, name: str):
        targets = {s: [t for one, action, t in self.edges if (one, action) == (s, name)] for s in range(MOST)}
        layers = self.layers()

        def act(s) -> None:
            require(targets[s.at])
            s.at = choose(targets[s.at])
            s.layer = layers[s.at]

        act.__name__ = name
        return act

    def out(self, state: int) -> list[tuple[int, str, int]]:
        return [edge for edge in self.edges if edge[0] == state]

    def reach(self, roots: Iterable[int], inside: set[int]) -> set[int]:
        found = set(roots) & inside
        while more := {t for s in found for _, _, t in self.out(s) if t in inside} - found:
            found |= more
        return found

    def layers(self) -> list[int]:
        """A number for each state that no edge lowers: how many states cannot be reached from it any more."""
        everything = set(range(MOST))
        return [MOST - len(self.reach([state], everything)) for state in range(MOST)]

    @property
    def reachable(self) -> set[int]:
        return self.reach([0], set(range(MOST)))

    # -- runs without end ----------------------------------------------------------------------------------------------

    def lasting(self, inside: set[int], fair: Sequence[Fair]) -> set[int]:
        """The states that some fair run inside a set meets for ever, be it that it stutters."""
        found = {state for state in inside if not self.out(state)}
        for some in chain.from_iterable(combinations(sorted(inside), size) for size in range(1, len(inside) + 1)):
            states = set(some)
            within = [edge for state in states for edge in self.out(state) if edge[2] in states]
            if within and self._connected(states, within) and all(self._is_fair(states, within, one) for one in fair):
                found |= states
        return found

    @staticmethod
    def _connected(states: set[int], within: list[tuple[int, str, int]]) -> bool:
        for root in states:
            met = {root}
            while more := {t for s, _, t in within if s in met} - met:
                met |= more
            if met != states:
                return False
        return True

    def _is_fair(self, states: set[int], within: list[tuple[int, str, int]], fair: Fair) -> bool:
        if any(action in fair.actions for _, action, _ in within):
            return True
        enabled = [any(action in fair.actions for _, action, _ in self.out(state)) for state in states]
        return not (any(enabled) if fair.strong else all(enabled))

    def leads(self, since: frozenset[int], until: frozenset[int]) -> bool:
        """Whether every fair run that meets one set meets the other, then or later."""
        avoiding = set(range(MOST)) - until
        forever = self.lasting(avoiding & self.reachable, self.fair)
        return not self.reach(since & self.reachable, avoiding) & forever


@st.composite
def drawn_graphs(draw) -> Drawn:
    state = st.integers(0, MOST - 1)
    edge = st.tuples(state, st.sampled_from(ACTIONS), state)
    edges = tuple(draw(st.lists(edge, min_size=1, max_size=12, unique=True)))
    group = st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=2, unique=True).map(tuple)
    return Drawn(
        edges,
        draw(st.frozensets(state)),
        draw(st.frozensets(state)),
        draw(st.frozensets(st.sampled_from(edges), max_size=2)),
        tuple(draw(st.lists(st.builds(Fair, group, st.booleans()), max_size=3, unique=True))),
    )
