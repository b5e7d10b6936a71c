"""Several questions at once, on one engine and on the reference engine: verdicts or the code of an error, and the same.

    check_agreement(make_model, properties, keep_going=False, workers=2)

For models whose measure may go down, with fairness and traces: whatever a run is asked, it ends with the reference
engine's verdicts or with the code of its error, and never in any other way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sweepcheck.api import check
from sweepcheck.core.property import Property
from sweepcheck.core.verdict import Status
from sweepcheck.errors import SweepcheckError
from sweepcheck.testing.conformance import Nonconformity

Verdicts = dict[str, Status]
ON_THE_WAY = frozenset({"SC301", "SC304"})  # errors of a step: a run may end before it comes to that


def check_agreement(
    model: Callable[[], Any], properties: Sequence[Property], strategy: str | None = None, **options: Any
) -> None:
    """Raise `Nonconformity` unless the native engine says what the reference engine says.

    `options` are those of `check` for the native engine. The reference engine decides every property, where it can.
    """
    true = _ended(model, properties, strategy=strategy, engine="reference", keep_going=True, trace=False)
    found = _ended(model, properties, strategy=strategy, engine="native", **options)
    if isinstance(found, str):
        early = isinstance(true, str) and true in ON_THE_WAY
        if found == true or (early and found in ON_THE_WAY):
            return
    elif isinstance(true, str):  # a violation ended the run before the step that is an error
        if true in ON_THE_WAY and not options.get("keep_going") and _ended_early(found, properties):
            return
    else:
        wrong = {name for name, status in found.items() if status not in (true[name], Status.INCONCLUSIVE)}
        undecided = {name for name, status in found.items() if status is not true[name]}
        if not wrong and not (undecided and options.get("keep_going")):
            return
    raise Nonconformity(f"the native engine says {found}, the reference engine {true} ({strategy=}, {options})")


def _ended_early(found: Verdicts, properties: Sequence[Property]) -> bool:
    """Whether what was found ends a run: a violation, or all that was asked."""
    return Status.VIOLATED in found.values() or Status.INCONCLUSIVE not in found.values() or not properties


def _ended(model: Callable[[], Any], properties: Sequence[Property], **options: Any) -> Verdicts | str:
    """The verdicts, or the code of the error. A violation has a trace where traces are made."""
    try:
        report = check(model(), properties, **options)
    except SweepcheckError as error:
        return error.code
    except Exception as error:
        raise Nonconformity(f"the {options['engine']} engine raised {error!r} ({options})") from error
    for verdict in report.verdicts:
        shown = verdict.status is Status.VIOLATED and not verdict.property.kind.holds_by_witness
        if shown and options.get("trace", True) and verdict.trace is None:
            raise Nonconformity(f"{verdict.property.name!r} is violated, and there is no trace ({options})")
    return {verdict.property.name: verdict.status for verdict in report.verdicts}
