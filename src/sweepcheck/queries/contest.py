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
    report = report_on(system, Request((), trace=False, tallies=(Tally(counts.most), Tally(counts.total)), **options))
    most, total = (max(value for value, _ in one.values) for one in report.tallies)
    numbers = report.statistics
    return {
        "STATES": numbers.states or numbers.explored,
        "TRANSITIONS": numbers.edges,
        "MAX_TOKEN_IN_PLACE": most,
        "MAX_TOKEN_PER_MARKING": total,
    }, report
