"""Properties: what is asked of a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sweepcheck.core.automaton import Automaton, Reader
from sweepcheck.core.declaration import check_name, check_predicate, check_step_function, check_truth
from sweepcheck.core.recurrence import Recurrence
from sweepcheck.core.temporal import Temporal
from sweepcheck.errors import ModelError, caller, public, shown


class Kind(StrEnum):
    """The questions that can be asked."""

    INVARIANT = "invariant"
    REACHABLE = "reachable"
    DEADLOCK = "deadlock"
    STEP = "step"
    ALWAYS_POSSIBLE = "always_possible"
    ALWAYS_EVENTUALLY = "always_eventually"
    LEADS_TO = "leads_to"
    LTL = "ltl"
    CTL = "ctl"
    ASSERTION = "assertion"  # an `assert` in an action: asked by the model itself, and told of when it fails

    @property
    def decided_by_states(self) -> bool:
        """Whether single states, or steps, decide it, whatever else is stored; else it is about paths and cycles."""
        return self in (Kind.INVARIANT, Kind.REACHABLE, Kind.DEADLOCK, Kind.STEP, Kind.ASSERTION)

    @property
    def of_runs(self) -> bool:
        """Whether it says something of every state, step or run by itself, not of what can be reached from a state."""
        return self not in (Kind.ALWAYS_POSSIBLE, Kind.CTL)

    @property
    def about_fair_runs(self) -> bool:
        """Whether it depends on which runs are fair."""
        return self in (Kind.ALWAYS_EVENTUALLY, Kind.LEADS_TO, Kind.LTL, Kind.CTL)

    @property
    def shown_by_loops(self) -> bool:
        """Whether a run that ends in a loop shows that it is violated."""
        return self in (Kind.ALWAYS_EVENTUALLY, Kind.LEADS_TO, Kind.LTL)

    @property
    def has_formula(self) -> bool:
        """Whether a temporal formula says what is asked."""
        return self in (Kind.LTL, Kind.CTL)

    @property
    def holds_by_witness(self) -> bool:
        """Whether what is found shows that it holds; else it shows that it is violated."""
        return self is Kind.REACHABLE


VIOLATED = "violated"  # the location of an observer that has seen its pattern


def observer_name(name: str) -> str:
    """The component that watches events for the property of this name."""
    return "observer_" + re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")


def names_for(event: str) -> Iterator[str]:
    """Every name that stands for an event, the longest first: `yes.3`, `yes`."""
    while event:
        yield event
        event = event.rpartition(".")[0]


def stand_for(names: Container[str], event: str) -> bool:
    """Whether one of the names stands for the event."""
    return any(name in names for name in names_for(event))


@dataclass(frozen=True, slots=True)
class Pattern:
    """Events that must not come: none of `events` at all; with `after`, none once one of these has come, unless one of
    `without` came in between; with `before`, none until one of these has come.
    """

    events: tuple[str, ...]
    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Property:
    """A named question. For `deadlock` the predicate says which states may be final; elsewhere it is the claim.

    Of `step` it is about both ends of a step. Of `leads_to` it says where something begins that `goal` ends.
    A question about events has a pattern: the model then gets an observer of them, whose location the predicate reads.
    Of `ltl` and `ctl` the formula is the claim, or that no run is accepted by the automaton. `reader` reads runs, where
    it matters what they have met; else `recurrence` says which loops violate it.
    """

    kind: Kind
    name: str
    predicate: Callable[[Any], object] | None = None
    pattern: Pattern | None = None
    goal: Callable[[Any], object] | None = None
    formula: Temporal | None = None
    automaton: Automaton | None = None
    reader: Reader | None = None
    recurrence: Recurrence | None = None

    @property
    def remembers(self) -> bool:
        """Whether it depends on what a run has met before: states have a memory of it then."""
        return self.kind is Kind.LEADS_TO or self.reader is not None

    @public
    def __post_init__(self) -> None:
        if not isinstance(self.kind, Kind) or not isinstance(self.pattern, Pattern | None):
            raise ModelError(
                "SC117",
                f"a property has a kind and perhaps a pattern, not {shown(self.kind)} and {shown(self.pattern)}",
                where=caller(),
                suggestion="use invariant(...), reachable(...), deadlock(...) and the like",
            )
        check_name(self.name, f"a property ({self.kind})")
        if self.kind.has_formula:
            if not isinstance(self.formula, Temporal) and not isinstance(self.automaton, Automaton):
                raise ModelError(
                    "SC117",
                    f"{self.kind} {self.name!r} has no formula",
                    where=caller(),
                    suggestion='use ltl("name", "G (p -> F q)"), ctl("name", "AG EF p")',
                )
            return
        if self.kind is Kind.STEP:
            check_step_function(self.predicate, f"the predicate of {self.kind} {self.name!r}")
            check_truth(self.predicate, f"the predicate of {self.kind} {self.name!r}")
            return
        if self.goal is not None or self.kind is Kind.LEADS_TO:
            check_predicate(self.goal, f"the goal of {self.kind} {self.name!r}")
        if self.predicate is not None or self.kind not in (Kind.DEADLOCK, Kind.ASSERTION):
            check_predicate(self.predicate, f"the predicate of {self.kind} {self.name!r}")
