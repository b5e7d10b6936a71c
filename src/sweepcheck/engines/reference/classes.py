"""What a run over classes keeps account of: whether their states agree, and what a cut-off remembers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from sweepcheck.core.equivalence import Equivalence
from sweepcheck.core.measure import Order
from sweepcheck.core.model import Edge, State
from sweepcheck.core.plan import Plan
from sweepcheck.core.survey import Survey
from sweepcheck.engines.agreement import Agreement
from sweepcheck.engines.reference.quotient import Member, by_action, unwrapped


class Classes:
    """The classes of one run. States are members of them."""

    def __init__(self, plan: Plan, equivalence: Equivalence) -> None:
        self.remembered: dict[State, None] = {}
        self.skipped = 0
        self.agreement = Agreement(plan, equivalence)
        self._cut_off = plan.cutoff is not None
        self._labelled_edges = 0
        self._explored = 0
        self._highest: Any = None
        self._raised_at = 0  # how many states had been explored when progress was highest for the first time

    def processed(self, edges: Sequence[Edge]) -> tuple[Edge, ...]:
        """A state was processed: its edges in the reduced graph."""
        self._explored += 1
        self._labelled_edges += len(edges)
        self.see(target for _, target in edges)
        return by_action(edges)

    def see(self, states: Iterable[State]) -> None:
        """Compare states with the one that stands for their class."""
        for member in states:
            assert isinstance(member, Member)
            self.agreement.see(member.key, member.state)

    def forgotten(self, states: Collection[State]) -> int:
        """These classes are stored no more; how many of them are remembered."""
        gone = [state for state in states if state not in self.remembered]
        self.agreement.forget([member.key for member in gone if isinstance(member, Member)])
        return len(states) - len(gone)

    def reach(self, progress: Any, order: Order) -> None:
        """A state of this progress is next."""
        if self._explored == 0 or not order.leq(progress, self._highest):
            self._highest, self._raised_at = progress, self._explored

    def findings(self, survey: Survey) -> Survey:
        """What a survey of classes shows of states."""
        found = survey.components
        components = None if found is None else replace(found, home=unwrapped(found.home))
        dead = tuple(map(unwrapped, survey.dead))
        return replace(survey.without(self.agreement.differing), components=components, dead=dead)

    def statistics(self, found: int | None) -> dict[str, Any]:
        """The figures, with the number of classes where each was found once."""
        return {
            "classes": found,
            "labelled_edges": self._labelled_edges,
            "compared": self.agreement.compared,
            "remembered": len(self.remembered),
            "skipped": self.skipped,
            "grows": 2 * self._raised_at >= self._explored if self._cut_off else None,
        }
