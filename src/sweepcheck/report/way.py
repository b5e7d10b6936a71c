"""The way to where a model failed, told with the error."""

from __future__ import annotations

from sweepcheck.core.model import System
from sweepcheck.core.trace import Trace
from sweepcheck.errors import SweepcheckError
from sweepcheck.report.json import described_to_json
from sweepcheck.report.trace import describe_trace, trace_to_text
from sweepcheck.report.values import steps_text


def with_way(system: System, error: SweepcheckError) -> SweepcheckError:
    """The error with the path that an engine found to it, as text and as data."""
    if isinstance(error.trace, Trace) and error.trace.steps and error.path is None:
        described = describe_trace(system, error.trace)
        title = f"the way there, {steps_text(len(error.trace))}"
        error.way = lambda width: f"{title}\n{trace_to_text(described, width=width)}"
        error.path = described_to_json(described)
    return error
