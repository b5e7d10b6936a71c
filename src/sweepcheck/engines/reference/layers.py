"""The unprocessed states, one first-in-first-out queue per progress value, and the least of these values."""

from __future__ import annotations

import heapq
from collections import deque
from typing import Any

from sweepcheck.core.measure import Measure, Order
from sweepcheck.core.model import State
from sweepcheck.engines.antichain import Antichain
from sweepcheck.engines.progress import disorder, ordering


class Unprocessed:
    """States found and not yet processed, by progress value.

    New states are never below the minimal value, so that it stays minimal until its last state is taken. For the same
    reason nothing leads back to a value once it is done: its states can be deleted there and then.
    """

    def __init__(self, measure: Measure, order: Order) -> None:
        self._measure = measure
        self._order = order
        self._left: dict[Any, None] = {}  # values that are done; without a rank
        self._queues: dict[Any, deque[State]] = {}
        self._ranks: list[Any] = []  # a heap, where the order has a key that extends it to a total one
        self._waiting = Antichain(measure, order)  # without such a key

    def __bool__(self) -> bool:
        return bool(self._queues)

    def add(self, value: Any, state: State) -> None:
        """Add a state with its progress value."""
        if value not in self._queues:
            self._queues[value] = deque()
            if self._order.rank is None:
                self._waiting.add(value)
            else:
                with ordering():
                    heapq.heappush(self._ranks, (self._order.rank(value), value))
        self._queues[value].append(state)

    def minimal(self) -> Any:
        """A value with no other unprocessed value strictly below it: the least by rank, else the first that sorts."""
        if self._order.rank is not None:
            return self._ranks[0][1]
        return self._waiting.least()

    def take(self, value: Any) -> State:
        """Remove the oldest state with this progress value, which must be the minimal one."""
        queue = self._queues[value]
        state = queue.popleft()
        if not queue:
            del self._queues[value]
            if self._order.rank is None:
                self._waiting.remove(value)
            else:
                with ordering():
                    heapq.heappop(self._ranks)
        return state

    def leave(self, value: Any) -> None:
        """No unprocessed state has this value any more, and by the order none will."""
        if self._order.rank is None:
            self._left[value] = None

    def check(self, value: Any, next_value: Any) -> None:
        """Look at an edge that goes up, or stays: if the value it leads to was left before, the order is none."""
        if next_value in self._left:
            raise disorder(self._measure, self._order, next_value, {**self._left, **self._queues, value: None})

    def holds(self, value: Any) -> bool:
        """Whether any unprocessed state has this progress value."""
        return value in self._queues
