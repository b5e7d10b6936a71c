"""Both engines on one model: what must be the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sweepcheck import Model, Property, Report, SweepcheckError, check

Answer = str | tuple[object, ...]


def numbers(report: Report) -> tuple[object, ...]:
    """What a run found, without what it cost. Where exactly a run stops that was decided early is up to the engine."""
    found = report.statistics
    counts = (found.states, found.edges, found.dead_states, found.explored, found.peak, found.layers)
    verdicts = tuple((verdict.property.name, verdict.status) for verdict in report.verdicts)
    return (*(counts if report.stop is None else ()), report.stop, verdicts)


def answer(model: Model, properties: Sequence[Property] = (), engine: str = "native", **options: Any) -> Answer:
    """The numbers and verdicts of a run, or the code of its error."""
    try:
        report = check(model, properties, engine=engine, **options)
    except SweepcheckError as error:
        return error.code
    return numbers(report)


def same(make: Callable[[], Model], properties: Sequence[Property] = (), **options: Any) -> Answer:
    """The answer of the native engine, which must be that of the reference engine."""
    expected = answer(make(), properties, "reference", **options)
    found = answer(make(), properties, "native", **options)
    assert found == expected
    return found
