"""The minimal ones among values of a partial order that come and go.

Each other value has a witness, one that is there and lies strictly below it. A new value is compared with minimal ones
alone, and one whose witness goes is taken for new. So nothing is compared anew for each layer.
"""

from __future__ import annotations

import heapq
from typing import Any

from sweepcheck.core.measure import Measure, Order
from sweepcheck.core.values import sort_key
from sweepcheck.engines.progress import guarded


class Antichain:
    """Values that are there, and which of them are minimal."""

    def __init__(self, measure: Measure, order: Order | None = None) -> None:
        self._leq = (measure.order if order is None else order).leq
        self._guarded = guarded(measure, order).leq
        self._minimal: dict[Any, None] = {}
        self._witness: dict[Any, Any] = {}  # of the others
        self._above: dict[Any, dict[Any, None]] = {}  # the values that a value is the witness of
        self._heap: list[tuple[Any, int, Any]] = []  # minimal values, and some that were
        self._pushed = 0

    def __contains__(self, value: Any) -> bool:
        return value in self._minimal or value in self._witness

    def __len__(self) -> int:
        return len(self._minimal) + len(self._witness)

    def add(self, value: Any) -> None:
        """A value that was not there."""
        below = self._below(value)
        if below is not self:
            self._set_witness(value, below)
            return
        for one in self._those_above(value):
            del self._minimal[one]
            self._set_witness(one, value)
        self._minimal[value] = None
        self._pushed += 1
        heapq.heappush(self._heap, (sort_key(value), self._pushed, value))

    def remove(self, value: Any) -> None:
        """A value that was there."""
        self._minimal.pop(value, None)
        witness = self._witness.pop(value, self)
        if witness is not self:
            del self._above[witness][value]
        for one in self._above.pop(value, ()):
            del self._witness[one]
            self.add(one)

    def least(self) -> Any:
        """Of the minimal values the first in the fixed order of all values: it makes runs repeatable."""
        while self._heap[0][2] not in self._minimal:
            heapq.heappop(self._heap)
        return self._heap[0][2]

    def _set_witness(self, value: Any, witness: Any) -> None:
        self._witness[value] = witness
        self._above.setdefault(witness, {})[value] = None

    def _below(self, value: Any) -> Any:
        """A minimal value strictly below this one; itself stands for none."""
        leq = self._leq
        try:
            found = next((one for one in self._minimal if leq(one, value)), self)
        except Exception:  # noqa: BLE001 - the same comparison raises it again, as an error of the measure
            found = next((one for one in self._minimal if self._guarded(one, value)), self)
        if found is not self:
            self._guarded(found, value)  # and not the other way round
        return found

    def _those_above(self, value: Any) -> list[Any]:
        """The minimal values that lie above this one."""
        leq = self._leq
        try:
            return [one for one in self._minimal if leq(value, one)]
        except Exception:  # noqa: BLE001 - as above
            return [one for one in self._minimal if self._guarded(value, one)]
