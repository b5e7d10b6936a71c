"""Runs of the models behind the tables: what they find, and how long they take beside each other."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from sweepcheck.api import explore
from sweepcheck.core.limits import Limits
from sweepcheck.core.model import System
from sweepcheck.core.verdict import Stop
from sweepcheck.errors import ModelError
from sweepcheck.models.loading import load
from sweepcheck.report.report import Report

Found = TypeVar("Found")
MOST_ROUNDS = 7
ENOUGH_SECONDS = 1.0  # of measured runs together; short ones are repeated until then


class TooLongError(Exception):
    """A row took longer than it may."""


def shipped(name: str) -> Path:
    """The file of a model: as it comes with the package, or among the sources."""
    packed = Path(str(files("sweepcheck").joinpath("examples", name)))
    return packed if packed.is_file() else Path(__file__).parents[3] / "examples" / name


@dataclass(slots=True)
class Bench:
    """Runs the models of the tables.

    `seconds` is how long a row may take, `timed` whether times are measured, `models` a folder with other models.
    """

    seconds: float | None = None
    timed: bool = True
    engine: str = "auto"
    models: Path | None = None
    _end: float | None = None
    _known: dict[Hashable, Any] = field(default_factory=dict)

    def begin_row(self) -> None:
        """The time of a row begins."""
        self._end = None if self.seconds is None else time.perf_counter() + self.seconds

    def load(self, file: str, parameters: Mapping[str, Any]) -> System:
        """The model of a table, by the name of its file."""
        path = shipped(file) if self.models is None else self.models / file
        if not path.is_file():
            what = f"the model of this table, {file!r}, is not there"
            where = "the package" if self.models is None else str(self.models)
            suggestion = "give a folder that has it, or leave out --models; without it, install the package again"
            raise ModelError("SC615", what, where=where, suggestion=suggestion)
        return load(str(path), dict(parameters))

    def limits(self, states: int | None = None) -> Limits:
        """What is left of the time of the row."""
        if self._end is None:
            return Limits(states=states)
        left = self._end - time.perf_counter()
        if left <= 0:
            raise TooLongError
        return Limits(states=states, seconds=left)

    def explore(self, system: System, *, most: int | None = None, **options: Any) -> Report:
        """Explore within the time of the row; only with `most` states it may end before it is complete."""
        return self.whole(explore(system, limits=self.limits(most), engine=self.engine, **options), most)

    def whole(self, report: Report, most: int | None = None) -> Report:
        """A report that may be used: the run was not broken off."""
        if report.stop is Stop.INTERRUPTED:
            raise KeyboardInterrupt
        if report.stop is Stop.SECONDS or (most is None and not report.complete):
            raise TooLongError
        return report

    def in_turns(self, ways: Mapping[str, Callable[[], Found]]) -> tuple[dict[str, Found], dict[str, float]]:
        """What each of several runs found, and its CPU seconds: short ones take turns, and the least counts."""
        found: dict[str, Found] = {}
        least: dict[str, float] = {}
        begin = time.process_time()
        for _ in range(MOST_ROUNDS if self.timed else 1):
            for name, run in ways.items():
                start = time.process_time()
                found[name] = run()
                spent = time.process_time() - start
                least[name] = min(least.get(name, spent), spent)
            if time.process_time() - begin > ENOUGH_SECONDS:
                break
        return found, least

    def once(self, key: Hashable, make: Callable[[], Found]) -> Found:
        """What was made for this key before; papers 0 and 1 have the same rows."""
        if key not in self._known:
            self._known[key] = make()
        kept: Found = self._known[key]
        return kept
