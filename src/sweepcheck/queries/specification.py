"""The sweep specification (paper 1): a model, the measure, when to collect, when to stop, and a log of collections."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from sweepcheck.api import as_system, carry_out
from sweepcheck.core.declaration import check_function
from sweepcheck.core.limits import Limits
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import System
from sweepcheck.core.observer import Collected, Silence
from sweepcheck.core.plan import Tally
from sweepcheck.core.property import Property
from sweepcheck.errors import RequestError, public, shown
from sweepcheck.planner import Request
from sweepcheck.report.report import Report
from sweepcheck.report.values import json_value


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a query sweeps through, and how.

    `measure` is by default the model's own; without any, everything is stored. `gc` is "layer", "auto" or a number of
    new states. Every collection is written to the file `log`, one JSON object a line. After `seconds` the run ends,
    and the answer says that it is not about all states.
    """

    model: Any
    measure: Measure | Callable[[Any], Any] | str | None = None
    gc: str | int = "layer"
    log: Path | str | None = None
    seconds: float | None = None
    engine: str = "auto"

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
                    check_function(predicate, "the predicate of a query")
        system = self.system()
        measured = self.measure is not None or system.measure is not None
        request = Request(
            properties=properties,
            measure=self.measure,
            strategy="sweep" if measured else "full",  # both meet every state once: counts and sums are exact
            gc=self.gc,
            limits=Limits(seconds=self.seconds),
            engine=self.engine,
            keep_going=True,
            tallies=tallies,
        )
        if self.log is None:
            return carry_out(system, request, Silence())
        with CollectionLog(Path(self.log)) as log:
            return carry_out(system, request, log)


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
