"""The sweep specification (paper 1): a model, the measure, when to collect, when to stop, and a log of collections."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from sweepcheck.api import as_system, report_on
from sweepcheck.core.declaration import check_function, check_predicate
from sweepcheck.core.limits import Limits
from sweepcheck.core.model import System
from sweepcheck.core.observer import Collected, Observer, Silence
from sweepcheck.core.plan import Tally
from sweepcheck.core.property import Property
from sweepcheck.core.request import Options, Request, refusing
from sweepcheck.errors import RequestError, public, shown
from sweepcheck.properties.expression import expression
from sweepcheck.report.report import Report
from sweepcheck.report.values import json_value


@refusing
@dataclass(frozen=True, slots=True)
class Sweep(Options):
    """What a query sweeps through, and how: a model, and the options of `explore`.

    `measure` is by default the model's own; without any, everything is stored. Every collection is written to the file
    `log`, one JSON object a line. After `limits.seconds` (for short: `seconds`) the run ends, and the answer says that
    it is not about all states.
    """

    model: Any
    _: KW_ONLY
    log: Path | str | None = None
    seconds: float | None = None

    def system(self) -> System:
        """The model as the engines see it."""
        return as_system(self.model)

    @public
    def run(self, *tallies: Tally, properties: Sequence[Property] = ()) -> Report:
        """Explore once, counting and deciding on the way."""
        for tally in tallies:
            check_function(tally.function, "the function of a query")
            for predicate in (tally.predicate, tally.store):
                if predicate is not None:
                    check_predicate(predicate, "the predicate of a query")
        system = self.system()
        if self.log is None:
            return self._run(system, tallies, properties, self.observer)
        if self.observer is not None:
            raise RequestError("SC404", "a log and an observer were given", suggestion="give one of the two")
        with CollectionLog(Path(self.log)) as log:
            return self._run(system, tallies, properties, log)

    def _run(
        self,
        system: System,
        tallies: tuple[Tally, ...],
        properties: Sequence[Property],
        observer: Observer | None,
    ) -> Report:
        options = {one.name: getattr(self, one.name) for one in fields(Options)}
        if self.strategy is None:  # both meet every state once: counts and sums are exact
            measured = self.measure is not None or system.measure is not None
            if self.equivalence and system.declared_cutoff() is not None:  # a sweep may meet a class twice
                measured = False
            options["strategy"] = "sweep" if measured else "full"
        if self.seconds is not None:
            if self.limits is not None:
                raise RequestError("SC404", "both limits and seconds were given", suggestion="give one of the two")
            options["limits"] = Limits(seconds=self.seconds)
        options["observer"] = observer
        return report_on(system, Request(properties, keep_going=True, tallies=tallies, **options))


def valuation(system: System, given: Callable[[Any], Any] | str) -> Callable[[Any], Any]:
    """A function of the state that was given, or the one that a text means: an expression, as for `measure`."""
    return expression(system, given) if isinstance(given, str) else given


def condition(system: System, given: Callable[[Any], object] | str) -> Callable[[Any], object]:
    """The same for a predicate; about a network, a text may be a formula of its own language."""
    found = system.condition(given) if isinstance(given, str) else None
    return valuation(system, given) if found is None else found


def check_sweep(given: object) -> None:
    """Refuse what is not the specification of a sweep."""
    if not isinstance(given, Sweep):
        raise RequestError("SC403", f"{shown(given)} is not a sweep", suggestion="write queries.Sweep(model)")


class CollectionLog(Silence):
    """Writes one line of JSON per collection; every line is complete as soon as it is written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        try:
            self._file = self._path.open("w", encoding="utf-8", buffering=1)
        except OSError as error:
            raise self._unwritten(error) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            with suppress(OSError):  # every line was written at once; what was refused then is refused now
                self._file.close()

    def collected(self, collected: Collected) -> None:
        """Write a collection down."""
        assert self._file is not None
        row = {
            "seconds": round(collected.seconds, 6),
            "progress": json_value(collected.progress),
            "stored_before": collected.before,
            "stored_after": collected.after,
            "explored": collected.explored,
            "memory_bytes": collected.memory_bytes,
        }
        try:
            self._file.write(json.dumps(row) + "\n")
        except OSError as error:
            raise self._unwritten(error) from None

    def _unwritten(self, error: OSError) -> RequestError:
        what = f"{self._path} cannot be written: {error.strerror}"
        return RequestError("SC406", what, suggestion="give another path for the log")
