"""The unprocessed states, one first-in-first-out queue per progress value, and the least of these values."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Collection
from typing import Any

from sweepcheck.core.measure import Order
from sweepcheck.core.model import State
from sweepcheck.engines.progress import ordering


class Unprocessed:
    """States found and not yet processed, by progress value."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._queues: dict[Any, deque[State]] = {}
        self._ranks: list[Any] = []  # a heap, where the order has a key that extends it to a total one

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
        """A value with no other unprocessed value strictly below it; the first found where there are several."""
        if self._order.rank is not None:
            return self._ranks[0][1]
        values = iter(self._queues)
        least = next(values)
        for value in values:
            if value != least and self._order.leq(value, least):
                least = value
        return least

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

    def values(self) -> Collection[Any]:
        """The distinct progress values of unprocessed states; of a total order the least one stands for all."""
        return (self.minimal(),) if self._order.total and self._queues else self._queues
