"""Report: everything a run found out, as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from sweepcheck.core.model import Label, System
from sweepcheck.core.plan import ActionStatistics, Counted, Layer, Statistics
from sweepcheck.core.verdict import Status, Stop, Verdict
from sweepcheck.errors import RequestError, RequirementError, closest, public, shown
from sweepcheck.report.values import property_text


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The result of `check` or `explore`."""

    system: System
    strategy: str
    collection: str
    measure: str | None
    engine: str
    engine_reason: str
    verdicts: tuple[Verdict, ...]
    statistics: Statistics
    stop: Stop | None
    profile: tuple[Layer, ...]
    trace_file: Path | None = None
    actions: tuple[ActionStatistics, ...] = ()
    tallies: tuple[Counted, ...] = ()
    fair: tuple[Label, ...] = ()
    regressing: tuple[tuple[str, int], ...] = ()  # actions and their regress edges, most first
    strategy_reason: str | None = None
    cache_size: int | None = None
    warnings: tuple[str, ...] = ()  # what makes a verdict worth less than it seems, a line each
    stopped_in: str | None = None  # the function of the model that was running when the run was broken off
    trace_lost: str | None = None  # why traces could not be written

    @property
    def model(self) -> str:
        """The model's name."""
        return self.system.name

    @property
    def parameters(self) -> Mapping[str, object]:
        """What the model was built with."""
        return self.system.parameters

    @property
    def complete(self) -> bool:
        """Whether every reachable state was processed."""
        return self.stop is None

    @property
    def bytes_per_state(self) -> float | None:
        """Bytes that a stored state took when most were stored, tables apart; None where nobody counted them."""
        numbers = self.statistics
        return None if numbers.state_bytes is None or not numbers.peak else numbers.state_bytes / numbers.peak

    @property
    def exit_code(self) -> int:
        """0 all hold exactly, 1 something is violated, 3 inconclusive, 130 interrupted."""
        statuses = {verdict.status for verdict in self.verdicts}
        if Status.VIOLATED in statuses:
            return 1
        if self.stop is Stop.INTERRUPTED:
            return 130
        inconclusive = Status.INCONCLUSIVE in statuses or (not self.verdicts and not self.complete)
        return 3 if inconclusive else 0

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
            suggestion="mend the model or the property; what is inconclusive may need a higher limit",
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
