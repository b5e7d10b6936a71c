"""What properties and the progress measure say along a trace, state by state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sweepcheck.core.measure import Measure
from sweepcheck.core.model import System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.trace import Trace
from sweepcheck.engines.progress import progress_of
from sweepcheck.errors import SweepcheckError
from sweepcheck.properties.evaluation import satisfies
from sweepcheck.report.trace import DescribedTrace
from sweepcheck.report.typed import Typed, typed

OF_NO_STATE = (Kind.DEADLOCK, Kind.ASSERTION)  # about what can happen next: their predicates say nothing of most states


def with_truths(
    described: DescribedTrace, system: System, trace: Trace, properties: Sequence[Property], measure: Measure | None
) -> DescribedTrace:
    """A described trace with the truth of each property's predicate, and the progress, in each of its states."""
    holds = {}
    for asked in properties:
        truths = None if asked.kind in OF_NO_STATE else _truths(system, asked, trace)
        if truths is not None:
            holds[asked.name] = truths
    return replace(described, holds=holds, progress=None if measure is None else _progress(system, measure, trace))


def _truths(system: System, asked: Property, trace: Trace) -> tuple[bool, ...] | None:
    """None where the predicate fails in a state: a run that ended before did not ask it there."""
    try:
        return tuple(satisfies(system, asked, state) for state in trace.states)
    except SweepcheckError:
        return None


def _progress(system: System, measure: Measure, trace: Trace) -> tuple[Typed, ...] | None:
    try:
        return tuple(typed(progress_of(system, measure, state)) for state in trace.states)
    except SweepcheckError:
        return None
