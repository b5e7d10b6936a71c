"""Verdicts and how strong they are. One function decides the strength; nothing else may say "exact"."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sweepcheck.core.model import State
from sweepcheck.core.property import Property
from sweepcheck.core.temporal import Temporal
from sweepcheck.core.trace import Trace


class Status(StrEnum):
    """The answer to a property."""

    HOLDS = "holds"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"


class Guarantee(StrEnum):
    """How far an answer can be trusted.

    exact: true of every reachable state. bounded: true of all that was explored, and the exploration was cut
    short. sampled: true of the states that random walks met. none: nothing can be said.
    """

    EXACT = "exact"
    BOUNDED = "bounded"
    SAMPLED = "sampled"
    NONE = "none"


class Stop(StrEnum):
    """Why a run ended before every reachable state was processed."""

    DECIDED = "every property is decided"
    VIOLATION = "a property is violated"
    ASSERTION = "an assertion failed"
    STATES = "the limit on states was reached"
    SECONDS = "the time limit was reached"
    MEMORY = "the memory limit was reached"
    DISK = "no room was left on the disk"
    BOUND = "explored up to the bound that was asked for"
    CONSTRAINT = "bounded by a constraint"
    INTERRUPTED = "interrupted"
    WALKS = "only random walks were made"

    @property
    def is_bound(self) -> bool:
        """Whether all that was to be explored was."""
        return self in (Stop.BOUND, Stop.CONSTRAINT)


@dataclass(frozen=True, slots=True)
class PartTruth:
    """What a trace shows of a part of a formula: whether it is true at a position, or `for_ever` from there on."""

    part: Temporal
    value: bool
    position: int
    for_ever: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What an engine found out about one property: its answer, the state that shows it, and the way there.

    `status` is None when no state decided the property; then the end of the run does, unless it is inconclusive
    whatever the end, as `remark` says. `trace` is None when no trace was asked for. `remark` says more about that
    state, `parts` the same of a formula as data.
    """

    property: Property
    status: Status | None = None
    witness: State | None = None
    trace: Trace | None = None
    remark: str | None = None
    parts: tuple[PartTruth, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one property, its strength, what shows it, and the reason where it is not exact, what it rests
    on where not every state was looked at, or what is false in the state that shows it. `parts` is what the trace shows
    of the parts of a formula of CTL.
    """

    property: Property
    status: Status
    guarantee: Guarantee
    reason: str | None = None
    witness: State | None = None
    trace: Trace | None = None
    parts: tuple[PartTruth, ...] = ()

    def __bool__(self) -> bool:
        """Whether the property holds, exactly."""
        return self.status is Status.HOLDS and self.guarantee is Guarantee.EXACT


def strength(stop: Stop | None, *, shown: bool = False) -> Guarantee:
    """How far what a run found can be trusted: the only place where a guarantee is given.

    What a state or a step shows to be so (`shown`) is exact whatever else was or was not explored. All else is exact
    when every reachable state was processed, and else about those that were, or about a sample of them.
    """
    if shown or stop is None:
        return Guarantee.EXACT
    return Guarantee.SAMPLED if stop is Stop.WALKS else Guarantee.BOUNDED


def conclude(decision: Decision, stop: Stop | None, given: str | None = None, outside: str = "") -> Verdict:
    """The verdict on one property. `given` is what an answer about all states takes for granted, if anything;
    `outside` is what is known of the states that constraints left out; of random walks, which these were.

    A state that decides a property (a violation, a witness) does so whatever else was or was not explored. Without
    one, only a run that processed every reachable state may conclude, and a run that was cut short never does. Where a
    bound left some out, all cycles of those inside were looked at: no violation is as much as with states.
    """
    asked = decision.property
    if decision.status is Status.INCONCLUSIVE:
        return Verdict(asked, decision.status, Guarantee.NONE, decision.remark)
    if decision.status is not None:
        shown = strength(stop, shown=True)
        remark, parts = decision.remark, decision.parts
        return Verdict(asked, decision.status, shown, remark, decision.witness, decision.trace, parts)
    guarantee = strength(stop)
    if stop is None:
        unseen = Status.VIOLATED if asked.kind.holds_by_witness else Status.HOLDS
        return Verdict(asked, unseen, guarantee, given)
    if stop is Stop.VIOLATION:
        reason = "the run ended at the first violation; keep_going=True (--keep-going) decides every property"
        return Verdict(asked, Status.INCONCLUSIVE, guarantee, reason)
    if not asked.kind.decided_by_states and stop is Stop.WALKS:
        reason = "it is about cycles, and walks look at states and steps; `check` decides it"
        return Verdict(asked, Status.INCONCLUSIVE, Guarantee.NONE, reason)
    if not asked.kind.decided_by_states and not stop.is_bound:
        return Verdict(asked, Status.INCONCLUSIVE, Guarantee.NONE, f"{stop} before the end of the exploration")
    seen = "no witness" if asked.kind.holds_by_witness else "no violation"
    if stop is Stop.WALKS:
        return Verdict(asked, Status.INCONCLUSIVE, guarantee, f"{seen} in {outside}")
    return Verdict(asked, Status.INCONCLUSIVE, guarantee, f"{stop}{outside}; {seen} among the states explored")
