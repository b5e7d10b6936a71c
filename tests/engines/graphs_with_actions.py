"""Small graphs whose edges have actions, as models; and what is true of them, found by looking at every set of states.

Nothing here is shared with the monitors: a run that goes on for ever goes, in the end, through all states of some set
again and again, and a set in which that is possible is looked for among all sets there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from hypothesis import strategies as st

from sweepcheck import Array, Bag, Model, choose, require

ACTIONS = ("a", "b", "c")
MOST = 6  # states
VARIABLES = ("half", "pair", "bag", "layer", "*")  # of which a step may have to change one to count

Edge = tuple[int, str, int]


@dataclass(frozen=True)
class Fair:
    """What runs are fair to, and how it is asked for."""

    actions: tuple[str, ...]
    strong: bool
    of: tuple[str, ...] = ()

    def __str__(self) -> str:
        of = f" of {', '.join(self.of)}" if self.of else ""
        return ("strong " if self.strong else "") + " + ".join(self.actions) + of


@dataclass(frozen=True)
class Drawn:
    """Edges as (source, action, target) from state 0 on; two sets of states, and some of the edges."""

    edges: tuple[Edge, ...]
    first: frozenset[int]
    second: frozenset[int]
    wrong: frozenset[Edge]
    fair: tuple[Fair, ...]
    stuttering: bool = False

    def model(self) -> Model:
        more = {"half": 0, "pair": Array([0, 0]), "bag": Bag()} if any(one.of for one in self.fair) else {}
        m = Model("graph", at=0, layer=self.layers()[0], **more)
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
            if any(one.of for one in self.fair):
                s.half, s.pair[0], s.pair[1] = s.at // 2, s.at % 2, s.at // 3
                if len(s.bag) != (s.at % 3 == 2):
                    (s.bag.take if len(s.bag) else s.bag.add)("token")

        act.__name__ = name
        return act

    def values(self, state: int) -> dict[str, object]:
        """What the variables of the model are in a state."""
        more = {"half": state // 2, "pair": (state % 2, state // 3), "bag": state % 3 == 2}
        return {"*": state, "layer": self.layers()[state], **more}

    def takes(self, fair: Fair, edge: Edge) -> bool:
        """Whether an edge is one of the actions, and changes what it has to change."""
        source, action, target = edge
        before, after = self.values(source), self.values(target)
        return action in fair.actions and (not fair.of or any(before[name] != after[name] for name in fair.of))

    def enables(self, fair: Fair, state: int) -> bool:
        return any(self.takes(fair, edge) for edge in self.out(state))

    def ends(self, state: int) -> bool:
        """Whether a run may end in a state."""
        return not self.out(state) or (self.stuttering and not any(self.enables(one, state) for one in self.fair))

    def out(self, state: int) -> list[Edge]:
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
        """The states that some fair run inside a set meets for ever, be it that it ends."""
        found = {state for state in inside if self.ends(state)}
        for some in chain.from_iterable(combinations(sorted(inside), size) for size in range(1, len(inside) + 1)):
            states = set(some)
            within = [edge for state in states for edge in self.out(state) if edge[2] in states]
            if within and self._connected(states, within) and all(self._is_fair(states, within, one) for one in fair):
                found |= states
        return found

    @staticmethod
    def _connected(states: set[int], within: list[Edge]) -> bool:
        for root in states:
            met = {root}
            while more := {t for s, _, t in within if s in met} - met:
                met |= more
            if met != states:
                return False
        return True

    def _is_fair(self, states: set[int], within: list[Edge], fair: Fair) -> bool:
        if any(self.takes(fair, edge) for edge in within):
            return True
        enabled = [self.enables(fair, state) for state in states]
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
    of = st.lists(st.sampled_from(VARIABLES), max_size=1).map(tuple) | st.just(())
    return Drawn(
        edges,
        draw(st.frozensets(state)),
        draw(st.frozensets(state)),
        draw(st.frozensets(st.sampled_from(edges), max_size=2)),
        tuple(draw(st.lists(st.builds(Fair, group, st.booleans(), of), max_size=3, unique=True))),
        draw(st.booleans()),
    )
