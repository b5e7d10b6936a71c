"""Report: a plan, what came of it, and the verdicts, as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from sweepcheck.core.discovery import Discovery
from sweepcheck.core.fairness import Fairness
from sweepcheck.core.model import System
from sweepcheck.core.plan import (
    ActionStatistics,
    ContentsStatistics,
    Counted,
    Layer,
    MeasureStatistics,
    Outcome,
    Plan,
    Statistics,
)
from sweepcheck.core.verdict import Guarantee, Status, Stop, Verdict, strength
from sweepcheck.errors import RequestError, RequirementError, closest, public, shown
from sweepcheck.report.bound import left_out_by
from sweepcheck.report.classes import given
from sweepcheck.report.values import property_text

_MISSING = "mend the model or the property; what is inconclusive may need a higher limit"
_CONDITIONAL = ",\nand what is conditional becomes exact with verify_equivalence=True (--verify-equivalence)"


def _is_conditional(verdict: Verdict) -> bool:
    return verdict.guarantee is Guarantee.CONDITIONAL


class Concluded(Protocol):
    """Whatever has verdicts on a plan: a report, be it on random walks."""

    @property
    def plan(self) -> Plan: ...
    @property
    def system(self) -> System: ...
    @property
    def verdicts(self) -> tuple[Verdict, ...]: ...


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The result of `check` or `explore`: what was decided before the run, what came of it, and what follows from that.

    `warnings` are what makes a verdict worth less than it seems, a line each.
    """

    plan: Plan
    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    warnings: tuple[str, ...]
    discovery: Discovery | None = None  # the search for a measure, where there was to be one

    # -- what was run -----------------------------------------------------------------------------------------------

    @property
    def system(self) -> System:
        """The model as the engine saw it: a network may have got observers."""
        return self.plan.system

    @property
    def model(self) -> str:
        """The model's name."""
        return self.system.name

    @property
    def parameters(self) -> Mapping[str, object]:
        """What the model was built with."""
        return self.system.parameters

    @property
    def strategy(self) -> str:
        """The name of the strategy."""
        return self.plan.strategy.name

    @property
    def strategy_reason(self) -> str | None:
        """Why this strategy, where it is neither what was asked for nor the usual default."""
        return self.plan.strategy_reason

    @property
    def gc(self) -> str:
        """When states were forgotten: "layer", "auto", after so many new states, or "none"."""
        return str(self.plan.gc) if self.plan.strategy.by_progress else "none"

    @property
    def collection(self) -> str:
        """What `gc` was called."""
        return self.gc

    @property
    def cache_size(self) -> int | None:
        """How many states strategy "caching" kept; None for the others."""
        return self.plan.cache_size

    @property
    def measure(self) -> str | None:
        """The name of the progress measure, if there was one."""
        return None if self.plan.measure is None else self.plan.measure.name

    @property
    def engine(self) -> str:
        """Who ran the loop."""
        return self.plan.engine

    @property
    def engine_reason(self) -> str:
        """Why this engine."""
        return self.plan.engine_reason

    @property
    def noun(self) -> str:
        """What was explored: states, or classes of them."""
        return "states" if self.plan.classes is None else "classes"

    @property
    def paired_with(self) -> tuple[str, ...]:
        """The properties for which states were explored with what was met on the way: one may count repeatedly."""
        return tuple(property_text(one.kind, one.name) for one in self.plan.properties if one.remembers)

    @property
    def fair(self) -> tuple[Fairness, ...]:
        """The actions that no run was allowed to ignore for ever."""
        return self.plan.fair

    # -- what came of it --------------------------------------------------------------------------------------------

    @property
    def statistics(self) -> Statistics:
        """The numbers that are printed."""
        return self.outcome.statistics

    @property
    def stop(self) -> Stop | None:
        """Why the run ended before every reachable state was processed."""
        return self.outcome.stop

    @property
    def profile(self) -> tuple[Layer, ...]:
        """The layers in the order in which they were left."""
        return self.outcome.profile

    @property
    def trace_file(self) -> Path | None:
        """The file of parents, where it was kept."""
        return self.outcome.trace_file

    @property
    def trace_lost(self) -> str | None:
        """Why traces could not be written."""
        return self.outcome.trace_lost

    @property
    def stopped_in(self) -> str | None:
        """The function of the model that was running when the run was broken off."""
        return self.outcome.stopped_in

    @property
    def contents(self) -> tuple[ContentsStatistics, ...]:
        """What bags and queues held that was written down outside of states."""
        return self.outcome.contents

    @property
    def measure_cost(self) -> MeasureStatistics | None:
        """What the measure cost; None where it cost nothing, or nobody counted."""
        return self.outcome.measure

    @property
    def actions(self) -> tuple[ActionStatistics, ...]:
        """What each action cost; empty where the engine does not count it."""
        return tuple(self.outcome.actions)

    @property
    def tallies(self) -> tuple[Counted, ...]:
        """The answers to what a query counted."""
        return self.outcome.tallies

    @property
    def regressing(self) -> tuple[tuple[str, int], ...]:
        """The actions with regress edges and how many, most first."""
        return self.outcome.regressing

    # -- what follows -----------------------------------------------------------------------------------------------

    @property
    def complete(self) -> bool:
        """Whether every reachable state was processed."""
        return self.stop is None

    @property
    def cut_short(self) -> bool:
        """Whether the run ended before every state was processed that the model and its constraints allow."""
        return self.stop not in (None, Stop.CONSTRAINT)

    @property
    def given(self) -> str | None:
        """Which equivalence was declared and not verified, and what of it was compared; None where there is none."""
        return given(self.plan, self.outcome)

    @property
    def guarantee(self) -> Guarantee:
        """How far the numbers of the run, and what follows from all states, can be trusted."""
        return strength(self.stop, self.given)

    def guarantee_of(self, *, shown: bool) -> Guarantee:
        """The same for an answer that some states show by themselves, unless these stand for others."""
        return strength(self.stop, self.given, shown=shown and self.given is None)

    @property
    def within(self) -> tuple[str, ...]:
        """The constraints that left states out, by name."""
        return left_out_by(self.plan, self.outcome)

    @property
    def bytes_per_state(self) -> float | None:
        """Bytes that a stored state took when most were stored, tables apart; None where nobody counted them."""
        numbers = self.statistics
        return None if numbers.state_bytes is None or not numbers.peak else numbers.state_bytes / numbers.peak

    @property
    def exit_code(self) -> int:
        """0 all hold exactly, 1 something is violated, 3 inconclusive or conditional, 130 interrupted."""
        statuses = {verdict.status for verdict in self.verdicts}
        if Status.VIOLATED in statuses:
            return 1
        if self.stop is Stop.INTERRUPTED:
            return 130
        guarantees = {verdict.guarantee for verdict in self.verdicts} or {self.guarantee}
        return 0 if guarantees == {Guarantee.EXACT} else 3

    def __bool__(self) -> bool:
        """Whether every property holds, exactly. A report without properties is neither true nor false."""
        if not self.verdicts:
            raise RequirementError(
                "no property was asked for, so the report is neither true nor false",
                suggestion="ask for a property, or look at report.complete",
            )
        return all(self.verdicts)

    def require(self) -> Self:
        """The report itself if every property holds, exactly; else an AssertionError with the verdicts and traces."""
        if self:
            return self
        from sweepcheck.report.text import brief_text, evidence_text

        missing = [verdict for verdict in self.verdicts if not verdict]
        evidence = filter(None, (evidence_text(self, verdict) for verdict in missing))
        names = ", ".join(property_text(verdict.property.kind, verdict.property.name) for verdict in missing)
        raise RequirementError(
            f"not shown to hold: {names}",
            evidence="\n\n".join((brief_text(self), *evidence)),
            suggestion=_MISSING + (_CONDITIONAL if any(map(_is_conditional, missing)) else ""),
        )

    @public
    def __getitem__(self, name: str) -> Verdict:
        """The verdict on the property with this name."""
        for verdict in self.verdicts:
            if verdict.property.name == name:
                return verdict
        names = [verdict.property.name for verdict in self.verdicts]
        raise RequestError("SC401", f"the report has no property {shown(name)}", suggestion=closest(name, names))

    def to_json(self) -> dict[str, Any]:
        """The report as plain JSON data."""
        from sweepcheck.report.json import report_to_json

        return report_to_json(self)

    def __repr__(self) -> str:
        from sweepcheck.report.text import report_to_text

        return report_to_text(self)

    def _repr_html_(self) -> str:
        from sweepcheck.report.html import report_to_html

        return report_to_html(self)
