"""What a state space report says about a model beyond counting: bounds, components, and actions in the long run.

The words are those of Jensen and Kristensen (*Coloured Petri Nets*, 2009, chapters 8 and 9), with variables for places,
states for markings and actions for transitions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from sweepcheck.core.model import State, System
from sweepcheck.core.values import Array, Bag

DEAD_SHOWN = 10  # dead states that are kept to be shown


class Fairness(StrEnum):
    """How often infinite runs take an action; each kind implies the next.

    impartial: infinitely often in every run. fair: in every run in which it is enabled infinitely often. just: in
    every run in which it is enabled from some point on for ever. none: not even that.
    """

    IMPARTIAL = "impartial"
    FAIR = "fair"
    JUST = "just"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a variable, or one element of an array, held.

    `lower` and `upper` are best integer bounds: of a bag's or queue's size, or of values that are all whole numbers.
    `lower_bag` and `upper_bag` are best multi-set bounds: the least and the greatest count of every token. `values`
    is the number of distinct values of any other variable.
    """

    variable: str
    lower: int | None = None
    upper: int | None = None
    lower_bag: Bag | None = None
    upper_bag: Bag | None = None
    values: int | None = None


@dataclass(frozen=True, slots=True)
class Components:
    """The graph of strongly connected components.

    Its arcs are the edges that lead from one component to another. A terminal component leads to none. If there is
    only one, its states are the home states, which can be reached from everywhere; `home` is one of them. Of several
    there is no home state.
    """

    nodes: int
    arcs: int
    terminal: int
    home_states: int
    home: State | None
    infinite_runs: bool


@dataclass(frozen=True, slots=True)
class ActionBehaviour:
    """One action: its edges, whether it is live (an edge of it can be reached from every state), and its fairness.

    `live` is None when the exploration ended early, `fairness` also when no run is infinite.
    """

    action: str
    edges: int
    live: bool | None = None
    fairness: Fairness | None = None

    @property
    def dead(self) -> bool:
        """Whether it never happens."""
        return self.edges == 0


@dataclass(frozen=True, slots=True)
class Survey:
    """The findings. `components` is None when the exploration ended early; `dead` are the first few dead states.

    `differing` are the variables in which equivalent states differ: of these there are only bounds of how much they
    hold, where that is known.
    """

    bounds: tuple[Bounds, ...]
    components: Components | None
    dead: tuple[State, ...]
    actions: tuple[ActionBehaviour, ...]
    differing: tuple[str, ...] = ()

    def sized(self, sizes: Mapping[str, Collection[int]]) -> Survey:
        """The findings with how much these variables held, where that was counted by itself."""
        bounds = tuple(
            one if one.variable not in sizes else replace(one, lower=min(found), upper=max(found))
            for one in self.bounds
            for found in (sizes.get(one.variable, ()),)
        )
        return replace(self, bounds=bounds)

    def without(self, differing: Mapping[str, bool]) -> Survey:
        """The findings without the bounds of variables that equivalent states differ in. Where these do not differ in
        how much there is of it, that is kept.
        """
        known = [(one, differing.get(one.variable.partition("[")[0])) for one in self.bounds]
        bounds = (
            one if in_size is None else replace(one, lower_bag=None, upper_bag=None, values=None)
            for one, in_size in known
            if not in_size
        )
        return replace(self, bounds=tuple(bounds), differing=tuple(sorted({*self.differing, *differing})))


def value_bounds(variable: str, values: Collection[object]) -> Bounds:
    """The bounds of a variable that is neither a bag nor a queue. Truth values are no numbers."""
    numbers = [value for value in values if type(value) is int]
    if numbers and len(numbers) == len(values):
        return Bounds(variable, min(numbers), max(numbers), values=len(values))
    return Bounds(variable, values=len(values))


def parts(system: System, state: State) -> Iterator[tuple[str, object]]:
    """The variables of a state, and the elements of its arrays, by the names that people know them by."""
    for name, value in system.describe(state).items():
        if isinstance(value, Array):
            yield from ((f"{name}[{position}]", element) for position, element in enumerate(value))
        else:
            yield name, value
