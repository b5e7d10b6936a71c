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
from sweepcheck.properties.product import true_of
from sweepcheck.properties.propositions import propositions_of
from sweepcheck.report.trace import DescribedTrace
from sweepcheck.report.typed import Typed, typed

OF_NO_STATE = (
    Kind.DEADLOCK,
    Kind.ASSERTION,
    Kind.LTL,
    Kind.CTL,
)  # about what can happen next: their predicates say nothing of most states


def with_truths(
    described: DescribedTrace, system: System, trace: Trace, properties: Sequence[Property], measure: Measure | None
) -> DescribedTrace:
    """A described trace with the truth of each property's predicate, and the progress, in each of its states."""
    holds = {}
    for asked in properties:
        truths = None if asked.kind in OF_NO_STATE else _truths(system, asked, trace)
        if truths is not None:
            holds[asked.name] = truths
        if asked.kind.has_formula:
            holds |= propositions_along(system, asked, trace)
    return replace(described, holds=holds, progress=None if measure is None else _progress(system, measure, trace))


def propositions_along(system: System, asked: Property, trace: Trace) -> dict[str, tuple[bool, ...]]:
    """For each proposition of a formula, where it is true along a trace."""
    labels = [None, *(step.label for step in trace.steps)]
    try:
        return {
            str(one): tuple(
                true_of(system, asked, one, state, label) for state, label in zip(trace.states, labels, strict=True)
            )
            for one in propositions_of(asked)
        }
    except SweepcheckError:
        return {}


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
