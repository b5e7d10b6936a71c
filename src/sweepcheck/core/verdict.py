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

    exact: true of every reachable state, or of every one within the constraints that the verdict names. conditional:
    that, if an equivalence that was declared and not verified is right. bounded: true of all that was explored, and the
    exploration was cut short. sampled: true of the states that random walks met. none: nothing can be said.
    """

    EXACT = "exact"
    CONDITIONAL = "conditional"
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
    """The answer to one property, its strength, what shows it, and the reason: why it is not exact, or what is false in
    the state that shows it. `within` are the constraints that left states out. `parts` is what the trace shows of the
    parts of a formula of CTL.
    """

    property: Property
    status: Status
    guarantee: Guarantee
    reason: str | None = None
    witness: State | None = None
    trace: Trace | None = None
    parts: tuple[PartTruth, ...] = ()
    within: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether the property holds, exactly."""
        return self.status is Status.HOLDS and self.guarantee is Guarantee.EXACT


@dataclass(frozen=True, slots=True)
class Terms:
    """What answers about all states are subject to.

    `given` says which equivalence was declared and not verified, and what was compared. `within` are the constraints
    that left states out, `outside` says how many edges led to such states; of random walks, which these were.
    """

    given: str | None = None
    within: tuple[str, ...] = ()
    outside: str = ""


NO_TERMS = Terms()


def strength(stop: Stop | None, given: str | None = None, *, shown: bool = False) -> Guarantee:
    """How far what a run found can be trusted: the only place where a guarantee is given.

    What a replayed trace shows to be so (`shown`) is exact whatever else was or was not explored. All else is exact
    when every state that the model and its constraints allow was processed, on the condition of what is `given`. If
    not, it is about those that were processed, or about a sample of them.
    """
    if shown:
        return Guarantee.EXACT
    if stop is None or stop is Stop.CONSTRAINT:
        return Guarantee.EXACT if given is None else Guarantee.CONDITIONAL
    return Guarantee.SAMPLED if stop is Stop.WALKS else Guarantee.BOUNDED


def conclude(decision: Decision, stop: Stop | None, terms: Terms = NO_TERMS) -> Verdict:
    """The verdict on one property.

    A state that decides a property (a violation, a witness) does so whatever else was or was not explored. Without
    one, only a run that processed every state it was to explore may conclude, and a run that was cut short never does.
    Where a bound left some out, all cycles of those inside were looked at: no violation is as much as with states.
    """
    asked = decision.property
    if decision.status is Status.INCONCLUSIVE:
        return Verdict(asked, decision.status, Guarantee.NONE, decision.remark)
    if decision.status is not None:
        return _decided(decision, decision.status, terms)
    guarantee = strength(stop, terms.given)
    if stop is Stop.CONSTRAINT and not asked.kind.of_runs:
        reason = f"{stop}: {terms.outside}; no violation within, and what lies outside may matter"
        return Verdict(asked, Status.INCONCLUSIVE, Guarantee.BOUNDED, reason)
    if stop is None or stop is Stop.CONSTRAINT:
        unseen = Status.VIOLATED if asked.kind.holds_by_witness else Status.HOLDS
        if stop is None:
            return Verdict(asked, unseen, guarantee, terms.given)
        return Verdict(asked, unseen, guarantee, _within(asked, terms), within=terms.within)
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
        return Verdict(asked, Status.INCONCLUSIVE, guarantee, f"{seen} in {terms.outside}")
    return Verdict(asked, Status.INCONCLUSIVE, guarantee, f"{stop}; {seen} among the states explored")


def _decided(decision: Decision, status: Status, terms: Terms) -> Verdict:
    """What a state decides: of states that stand for others only on a condition, unless a trace shows all of it."""
    shown = terms.given is None or _shows_all(decision)
    reasons = filter(None, (decision.remark, None if shown else terms.given))
    return Verdict(
        decision.property,
        status,
        strength(None, terms.given, shown=shown),
        "; ".join(reasons) or None,
        decision.witness,
        decision.trace,
        decision.parts,
    )


def _shows_all(decision: Decision) -> bool:
    """Whether a replayed trace is all the evidence there is: a way to a state, or to a loop that closes."""
    kind, trace = decision.property.kind, decision.trace
    if trace is None or not kind.of_runs:  # that something can no longer be reached, no run shows
        return False
    if kind.decided_by_states:
        return True
    return trace.loop is not None and trace.states[-1] == trace.states[trace.loop]


def _within(asked: Property, terms: Terms) -> str:
    """What an answer says of a system that constraints made smaller."""
    ends = "" if asked.kind.decided_by_states else ", and only runs that stay within are asked about"
    return f"{terms.outside}{ends}{f'; {terms.given}' if terms.given is not None else ''}"
