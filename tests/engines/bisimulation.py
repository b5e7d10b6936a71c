"""The coarsest equivalence of a small explicit graph that keeps what is asked, and keys made from it.

Naive partition refinement: nothing is shared with the engines.
"""

from collections.abc import Callable, Hashable
from typing import Any

from sweepcheck.core.model import State
from sweepcheck.testing.truth import Truth

Allowed = Callable[[Any, Any], bool]  # of a step, by the views of both its ends


def everything(_old: Any, _new: Any) -> bool:
    return True


def steps(
    truth: Truth, state: State, block: dict[State, Hashable], allowed: Allowed = everything
) -> frozenset[tuple[str, Hashable, bool]]:
    """What a state can do, by action and block, and whether that is allowed."""
    view = truth.system.view
    return frozenset(
        (label.action, block[target], allowed(view(state), view(target))) for label, target in truth.edges[state]
    )


def coarsest(truth: Truth, *kept: Callable[[Any], Hashable], allowed: Allowed = everything) -> dict[State, int]:
    """The block of every state: equal in the functions that are kept, and able to do the same into the same blocks."""
    views = {state: truth.system.view(state) for state in truth.distance}
    block: dict[State, Hashable] = {state: tuple(f(view) for f in kept) for state, view in views.items()}
    while True:
        finer = {state: (block[state], steps(truth, state, block, allowed)) for state in block}
        numbers = {value: number for number, value in enumerate(dict.fromkeys(finer.values()))}
        if len(numbers) == len(set(block.values())):
            return {state: numbers[value] for state, value in finer.items()}
        block = {state: numbers[value] for state, value in finer.items()}


def is_consistent(truth: Truth, block: dict[State, Hashable], *kept: Callable[[Any], Hashable]) -> bool:
    """Whether all states of a block can do the same, and agree in the functions that are kept."""
    known: dict[Hashable, object] = {}
    for state, where in block.items():
        view = truth.system.view(state)
        seen = steps(truth, state, block), tuple(f(view) for f in kept)
        if known.setdefault(where, seen) != seen:
            return False
    return True


def key_of(truth: Truth, block: dict[State, Hashable]) -> Callable[[Any], Hashable]:
    """The block as a function of a view with its variables as engines have them."""
    names = truth.system.variables

    def key(s: Any) -> Hashable:
        flat = s._flat if type(s).__name__ == "Face" else s
        return block[tuple(getattr(flat, name) for name in names)]

    return key


class Blocks:
    """The quotient as a plain object: its states are blocks, its labels actions."""

    def __init__(self, truth: Truth, block: dict[State, int]) -> None:
        self.roots = list(dict.fromkeys(block[state] for state in truth.system.initial_states()))
        self.arrows: dict[int, dict[tuple[str, int], None]] = {number: {} for number in block.values()}
        for state, where in block.items():
            for label, target in truth.edges[state]:
                self.arrows[where][label.action, block[target]] = None

    def initial(self) -> list[int]:
        return list(self.roots)

    def successors(self, state: int):
        yield from self.arrows[state]

    @property
    def count_of_edges(self) -> int:
        return sum(map(len, self.arrows.values()))
