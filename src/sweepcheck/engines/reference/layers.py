"""The unprocessed states, one first-in-first-out queue per progress value, and the least of these values."""

from __future__ import annotations

import heapq
from collections import deque
from typing import Any

from sweepcheck.core.measure import Order
from sweepcheck.core.model import State
from sweepcheck.engines.progress import first_minimal, ordering


class Unprocessed:
    """States found and not yet processed, by progress value.

    New states are never below the minimal value, so that it stays minimal until its last state is taken. For the same
    reason nothing leads back to a value once it is done: its states can be deleted there and then.
    """

    def __init__(self, order: Order) -> None:
        self._order = order
        self._queues: dict[Any, deque[State]] = {}
        self._ranks: list[Any] = []  # a heap, where the order has a key that extends it to a total one
        self._least: Any = self  # without such a key: the minimal value, while it has states; itself stands for none

    def __bool__(self) -> bool:
        return bool(self._queues)

    def add(self, value: Any, state: State) -> None:
        """Add a state with its progress value."""
        if value not in self._queues:
            self._queues[value] = deque()
            if self._order.rank is not None:
                with ordering():
                    heapq.heappush(self._ranks, (self._order.rank(value), value))
        self._queues[value].append(state)

    def minimal(self) -> Any:
        """A value with no other unprocessed value strictly below it: the least by rank, else the first that sorts."""
        if self._order.rank is not None:
            return self._ranks[0][1]
        if self._least not in self._queues:
            self._least = first_minimal(self._order, self._queues)
        return self._least

    def take(self, value: Any) -> State:
        """Remove the oldest state with this progress value, which must be the minimal one."""
        queue = self._queues[value]
        state = queue.popleft()
        if not queue:
            del self._queues[value]
            if self._order.rank is not None:
                with ordering():
                    heapq.heappop(self._ranks)
        return state

    def holds(self, value: Any) -> bool:
        """Whether any unprocessed state has this progress value."""
        return value in self._queues
