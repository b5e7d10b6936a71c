"""The figures of the examination StateSpace of the Model Checking Contest."""

from __future__ import annotations

from typing import Any

from sweepcheck.api import report_on
from sweepcheck.core.model import System
from sweepcheck.core.plan import Tally
from sweepcheck.core.request import Request
from sweepcheck.errors import RequestError
from sweepcheck.report.report import Report


def token_figures(system: System, **options: Any) -> tuple[dict[str, int], Report]:
    """States, edges, and the most tokens that a place and a marking hold, each colour of a place by itself."""
    counts = system.token_counts()
    if counts is None:
        raise RequestError(
            "SC404",
            f"{system.name!r} is no net without time: nobody can count its tokens",
            suggestion="give a .pnml file, or leave out --format mcc",
        )
    first = system.view(system.initial_states()[0])
    asked = [*counts.each, *([] if counts.steady else [counts.total])]
    report = report_on(system, Request((), trace=False, tallies=tuple(map(Tally, asked)), **options))
    most = [max(value for value, _ in one.values) for one in report.tallies]
    total = counts.total(first) if counts.steady else most.pop()
    numbers = report.statistics
    return {
        "STATES": numbers.states or numbers.explored,
        "TRANSITIONS": numbers.edges,
        "MAX_TOKEN_IN_PLACE": max(most, default=min(1, total)),
        "MAX_TOKEN_PER_MARKING": total,
    }, report
