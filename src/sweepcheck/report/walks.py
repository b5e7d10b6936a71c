"""What random walks found, as one frozen value, as text and as JSON data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sweepcheck.core.model import System
from sweepcheck.core.plan import Plan
from sweepcheck.core.verdict import Status, Stop, Verdict
from sweepcheck.core.walking import Walked, Walking
from sweepcheck.errors import RequestError, closest, public, shown
from sweepcheck.folding import fold
from sweepcheck.report.json import verdict_to_json
from sweepcheck.report.text import evidence_text, verdict_text
from sweepcheck.report.values import count_text, json_value, seconds_text, steps_text

FAST = 0.01  # seconds: of shorter runs no speed is told


@dataclass(frozen=True, slots=True, repr=False)
class WalkReport:
    """The result of `random_walks`: what was found, which a walk shows, and how much was looked at.

    A violation that was found is one. That none was found proves nothing: the verdict is inconclusive, and *sampled*.
    """

    plan: Plan
    asked: Walking
    walked: Walked
    verdicts: tuple[Verdict, ...]

    @property
    def system(self) -> System:
        """The model as the engine saw it."""
        return self.plan.system

    @property
    def model(self) -> str:
        """The model's name."""
        return self.system.name

    @property
    def seed(self) -> int:
        """The seed that makes the same walks again."""
        return self.asked.seed

    @property
    def stop(self) -> Stop | None:
        """Why not all walks were made; None if they were."""
        return self.walked.stop

    @property
    def exit_code(self) -> int:
        """1 something is violated, 0 every property is shown to hold by a witness, 3 inconclusive, 130 interrupted."""
        statuses = {verdict.status for verdict in self.verdicts}
        if Status.VIOLATED in statuses:
            return 1
        if self.stop is Stop.INTERRUPTED:
            return 130
        return 0 if statuses == {Status.HOLDS} else 3

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
        walked = self.walked
        return {
            "model": self.model,
            "parameters": {name: json_value(value) for name, value in self.system.parameters.items()},
            "engine": self.plan.engine,
            "seed": self.seed,
            "walks": walked.walks,
            "depth": self.asked.depth,
            "steps": walked.steps,
            "longest": walked.longest,
            "dead_ends": walked.dead_ends,
            "left": walked.left,
            "distinct_states": walked.distinct,
            "distinct_states_complete": walked.counts_all,
            "seconds": walked.seconds,
            "stop": None if self.stop is None else str(self.stop),
            "verdicts": [verdict_to_json(self, verdict) for verdict in self.verdicts],
        }

    def __repr__(self) -> str:
        return walks_to_text(self)


def walks_text(asked: Walking, walked: Walked) -> str:
    """Which walks were made: 10,000 walks of up to 200 steps."""
    noun = "walk" if walked.walks == 1 else "walks"
    return f"{count_text(walked.walks)} {noun} of up to {steps_text(asked.depth)}"


def walks_to_text(report: WalkReport, full: bool = False, width: int | None = None, *, brief: bool = False) -> str:
    """The verdicts, what shows them, and how much was looked at; `brief` leaves the last out."""
    column = max((len(verdict.status) for verdict in report.verdicts), default=0)
    lines = [verdict_text(verdict, column) for verdict in report.verdicts]
    if not lines:
        lines = [f"? no property was asked for: {walks_text(report.asked, report.walked)}"]
    if report.stop is not None:
        lines.append(f"  {report.stop}")
    parts = [fold("\n".join(lines), width)]
    parts += [text for verdict in report.verdicts if (text := evidence_text(report, verdict, full, width))]
    if not brief:
        parts.append(fold(_numbers(report), width))
    return "\n\n".join(parts)


def _numbers(report: WalkReport) -> str:
    walked = report.walked
    more = "" if walked.counts_all else "more than "
    speed = f" ({count_text(round(walked.steps / walked.seconds))} a second)" if walked.seconds > FAST else ""
    rows = [
        f"walks           {count_text(walked.walks)}, the longest of {steps_text(walked.longest)}",
        f"steps           {count_text(walked.steps)}",
        f"states          {more}{count_text(walked.distinct)} distinct ones",
        f"dead ends       {count_text(walked.dead_ends)}",
        f"time            {seconds_text(walked.seconds)}{speed}",
        f"engine          {report.plan.engine}",
        f"seed            {report.seed}",
    ]
    if walked.left:
        rows.insert(4, f"left            {count_text(walked.left)} walks ended outside of the bound")
    return "\n".join(rows)
