"""The state space as a graph: what an engine hands over when it is asked to keep all of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sweepcheck.core.model import Label, State


class Graph(Protocol):
    """States by number, in the order found, and the edges of each one after the other.

    `first` has for every state the number of its first edge, and at its end how many there are; `targets` has for every
    edge the number of the state it leads to. `unexplored` are the states whose edges were not followed.
    """

    first: Sequence[int]
    targets: Sequence[int]
    unexplored: Sequence[int]
    initial: Sequence[int]

    def state(self, number: int) -> State:
        """The state with this number; where states are equivalent, the one that stands for its class."""

    def number(self, state: State) -> int | None:
        """The number of a state, or of the one that stands for its class; None if it was not found."""

    def labels(self, number: int) -> Sequence[Label]:
        """The labels of a state's edges, in the order of `targets`."""
