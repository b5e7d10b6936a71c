"""Leads to, AG(p -> AF q): every run that meets a state where p holds meets one where q holds, then or later.

A run violates it if it meets p and from then on never q. So a state has one bit more, by which the product of the model
with it tells whether q is awaited (`product.py`), and the question is whether a run awaits it for ever: always
eventually, it is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sweepcheck.core.model import State
from sweepcheck.core.property import Kind, Property
from sweepcheck.properties.always_eventually import AlwaysEventuallyMonitor
from sweepcheck.properties.product import remembered


def leads_to(name: str, predicate: Callable[[Any], object], goal: Callable[[Any], object]) -> Property:
    """Every state that satisfies the predicate is followed, on every run, by one that satisfies the goal."""
    return Property(Kind.LEADS_TO, name, predicate, goal=goal)


class LeadsToMonitor(AlwaysEventuallyMonitor):
    """Violated by a fair cycle all along which the goal is awaited."""

    def satisfied(self, state: State) -> bool:
        """See `Monitor`."""
        return not remembered(self.system, self.property, state)
