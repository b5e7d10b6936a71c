"""conform(): is there a run of a model that explains a log? And where not, how far one gets and why no further."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from sweepcheck.api import as_system, check
from sweepcheck.conformance.diagnosis import Refusal, refusals
from sweepcheck.conformance.logs import KIND, Log, events_of, read_log
from sweepcheck.core.model import State
from sweepcheck.core.request import CheckOptions
from sweepcheck.core.trace import Trace
from sweepcheck.core.verdict import Status, Verdict
from sweepcheck.errors import RequestError, public
from sweepcheck.models.actions.logged import POSITION, LoggedModel
from sweepcheck.queries import Sweep, explore_states
from sweepcheck.report.report import Report

REFUSED = ("measure", "strategy", "up_to", "constraints", "equivalence", "verify_equivalence", "cluster", "gc")


@dataclass(frozen=True, slots=True)
class Conformance:
    """What came of a log. `explained` events have an explanation; of the next one there is none.

    `states` are all states that the model may be in before that event, `refusals` what refused its actions there.
    """

    log: Log
    report: Report
    explained: int
    states: tuple[State, ...] = ()
    refusals: tuple[Refusal, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Holds: some run of the model explains the whole log. Violated: none does."""
        (verdict,) = self.report.verdicts
        return verdict

    @property
    def run(self) -> Trace | None:
        """A run that explains the log, hidden steps filled in, where one was asked for."""
        return self.verdict.trace

    @property
    def event(self) -> Mapping[str, Any] | None:
        """The first event without an explanation."""
        return None if self.verdict.status is not Status.VIOLATED else self.log.events[self.explained]

    def __bool__(self) -> bool:
        return bool(self.verdict)

    def described(self, state: State) -> dict[str, object]:
        """A state by the variables of the model."""
        known = self.report.system.describe(state)
        return {name: value for name, value in known.items() if name != POSITION}

    def common(self) -> dict[str, object]:
        """The variables that have one value in all states before the first event without an explanation."""
        described = [self.described(state) for state in self.states]
        if not described:
            return {}
        first = described[0]
        return {name: value for name, value in first.items() if all(one.get(name) == value for one in described)}


@public
def conform(
    model: Any,
    log: Log | str | Path | Iterable[Mapping[str, Any]],
    *,
    event_field: str = KIND,
    ignore: Collection[Hashable] = (),
    trace: bool = False,
    **options: Any,
) -> Conformance:
    """Look for a run of the model that explains a log: events as mappings in their order, or a file of them.

    Steps of actions that are observed (`observe(...)`, `@m.observed`) are events, all others are hidden: any number of
    them may lie between two events. Without either in the model every action is observed under its name, with its
    parameters as fields. `event_field` has the kind of an event; events of a kind in `ignore` are left out. `trace`
    keeps the run that explains the log. The other options are those of `check`.
    """
    system = as_system(model)
    known = {one.name for one in fields(CheckOptions)} - {*REFUSED, "properties", "trace"}
    for name in options:
        if name not in known:
            raise RequestError(
                "SC404", f"conform() has no option {name!r}",
                suggestion="a log is swept along its events; limits, workers and the like are those of check()",
            )  # fmt: skip
    events = _kept(read_log(log) if isinstance(log, str | Path) else _given(log), event_field, ignore)
    logged = system.with_log(events_of(events.events, event_field))
    if logged is None:
        raise RequestError(
            "SC706",
            f"model {system.name!r} cannot be compared with a log",
            suggestion="write it with sweepcheck.Model: there actions say what a log shows of them",
        )
    report = check(logged, strategy="sweep", trace=trace, equivalence=False, **options)
    assert isinstance(logged, LoggedModel)
    return _concluded(logged, events, report, options)


def _given(log: Log | Iterable[Mapping[str, Any]]) -> Log:
    return log if isinstance(log, Log) else Log(tuple(log))


def _kept(log: Log, event_field: str, ignored: Collection[Hashable]) -> Log:
    """A log without the events that are to be ignored."""
    if not ignored:
        return log
    kept = [at for at, event in enumerate(log.events) if event.get(event_field) not in ignored]
    lines = [log.lines[at] for at in kept] if log.lines else [at + 1 for at in kept]
    return Log([log.events[at] for at in kept], log.name, lines)


def _concluded(model: LoggedModel, log: Log, report: Report, options: Mapping[str, Any]) -> Conformance:
    (verdict,) = report.verdicts
    if verdict.status is Status.HOLDS:
        return Conformance(log, report, len(log))
    # Every position that is reached is a layer of its own.
    reached = max((report.statistics.layers or 1) - 1, 0)
    if verdict.status is not Status.VIOLATED:
        return Conformance(log, report, reached)
    states = _states_at(model, reached, options)
    return Conformance(log, report, reached, states, tuple(refusals(model, states)))


def _states_at(model: LoggedModel, position: int, options: Mapping[str, Any]) -> tuple[State, ...]:
    """The states of the model when so many events have been explained."""
    sweep = Sweep(model, strategy="sweep", **{name: options[name] for name in ("engine", "workers") if name in options})
    found = explore_states(
        sweep, init=0, comb=lambda a, b: a + b, eval=lambda _: 1, pred=lambda s: s.log == position, store=lambda _: True
    )
    return tuple(state for counted in found.report.tallies for state in counted.stored)
