"""Models as tests of pytest: one test for each property, and the trace where a test fails.

Collected are files that end in `_model.py` (the ini option `sweepcheck_files` says otherwise), and functions that
return a model and are marked with `@pytest.mark.sweepcheck`; `@pytest.mark.parametrize` gives their parameters. The
options of the mark are those of `check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from sweepcheck.api import as_system, check, explore
from sweepcheck.core.model import System
from sweepcheck.core.property import Kind
from sweepcheck.core.verdict import Status, Verdict
from sweepcheck.errors import SweepcheckError
from sweepcheck.models.loading import load
from sweepcheck.report.report import Report
from sweepcheck.report.text import brief_text, evidence_text, verdict_text, warnings_text
from sweepcheck.text import value_text, visible

MARK = "sweepcheck"
EXPLORED = "every state is explored"  # the test of a model without properties
COUNTED = ("states", "edges", "explored", "peak")  # numbers that go with each test, into JUnit files too


def pytest_addoption(parser: pytest.Parser) -> None:
    """The ini option that says which files are models."""
    parser.addini("sweepcheck_files", "glob patterns of files that hold a model", type="args", default=["*_model.py"])


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    config.addinivalue_line(
        "markers", f"{MARK}(**options): the function returns a model; each of its properties is a test. See check()."
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file that holds a model."""
    patterns = parent.config.getini("sweepcheck_files")
    if any(file_path.match(pattern) for pattern in patterns) and not file_path.name.startswith("test_"):
        return ModelFile.from_parent(parent, path=file_path)
    return None


def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> list[pytest.Collector] | None:
    """A function that is marked: a collector for each combination of its parameters."""
    marks = getattr(obj, "pytestmark", None)
    if not isinstance(marks, list) or not callable(obj):
        return None
    mine = next((mark for mark in marks if mark.name == MARK), None)
    if mine is None:
        return None
    return [
        ModelCollector.from_parent(collector, name=name + ident, build=_building(obj, given), options=dict(mine.kwargs))
        for ident, given in _combinations(marks)
    ]


def _building(factory: Callable[..., Any], given: Mapping[str, Any]) -> Callable[[], System]:
    return lambda: as_system(factory(**given))


def _combinations(marks: Iterable[pytest.Mark]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What `parametrize` says, as the end of a name and as arguments."""
    grids = [list(_rows(*mark.args, **mark.kwargs)) for mark in marks if mark.name == "parametrize"]
    for chosen in product(*grids):
        given = {name: value for row in chosen for name, value in row.items()}
        words = ",".join(f"{name}={visible(value_text(value))}" for name, value in given.items())
        yield (f"[{words}]" if words else ""), given


def _rows(names: str | Iterable[str], values: Iterable[Any], **_: Any) -> Iterator[dict[str, Any]]:
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    for one in values:
        row = one.values if hasattr(one, "marks") else one if len(names) > 1 else (one,)
        yield dict(zip(names, row, strict=True))


class NotShownError(Exception):
    """A property does not hold, or was not decided; the message has all there is to say."""


class ModelCollector(pytest.Collector):
    """A model: its tests are its properties. They are decided in one run, when the first of them is asked for."""

    def __init__(self, *, build: Callable[[], System], options: dict[str, Any], **given: Any) -> None:
        super().__init__(**given)
        self._build = build
        self._options = options

    def collect(self) -> Iterator[pytest.Item]:
        """One test for each property that is asked: those of the mark, else all that the model declares."""
        try:
            asked = self._options.get("properties") or self.system.properties
        except SweepcheckError as error:
            raise self.CollectError(str(error)) from None
        names = [one if isinstance(one, str) else one.name for one in asked]
        for name in names or [EXPLORED]:
            yield PropertyTest.from_parent(self, name=visible(name), asked=name if names else None)

    @cached_property
    def system(self) -> System:
        """The model."""
        return self._build()

    @cached_property
    def report(self) -> Report:
        """What came of it, with an answer to every property."""
        if not self._options.get("properties") and not self.system.properties:
            return explore(self.system, **self._options)
        return check(self.system, **{"keep_going": True, **self._options})

    def repr_failure(self, excinfo: Any) -> Any:  # type: ignore[override]
        """Errors of a model in their own words."""
        return str(excinfo.value) if isinstance(excinfo.value, self.CollectError) else super().repr_failure(excinfo)


class ModelFile(pytest.File):
    """A file that holds a model, or a function that makes one from its defaults."""

    def collect(self) -> Iterator[pytest.Collector]:
        """The model."""
        build = _loading(self.path)
        yield ModelCollector.from_parent(self, name=self.path.stem, build=build, options={})


def _loading(path: Path) -> Callable[[], System]:
    return lambda: load(str(path))


class PropertyTest(pytest.Item):
    """A test that passes if a property holds, exactly."""

    parent: ModelCollector

    def __init__(self, *, asked: str | None, **given: Any) -> None:
        super().__init__(**given)
        self._asked = asked

    def runtest(self) -> None:
        """Look at the report; what it says is told with the test."""
        report = self.parent.report
        self.user_properties += [(name, getattr(report.statistics, name)) for name in COUNTED]
        if report.warnings:
            self.add_report_section("call", "sweepcheck", warnings_text(report))
        if self._asked is None:
            if report.exit_code:
                raise NotShownError("\n\n".join([brief_text(report), *self._assertions(report)]))
            return
        verdict = report[self._asked]
        if not verdict:
            raise NotShownError("\n\n".join([verdict_text(verdict), *self._shown(report, verdict)]))

    def _shown(self, report: Report, verdict: Verdict) -> Iterator[str]:
        """What shows a verdict; of one that an assertion forestalled, what shows that."""
        if verdict.status is Status.INCONCLUSIVE:
            yield from self._assertions(report)
        elif evidence := evidence_text(report, verdict, width=self._width):
            yield evidence

    def _assertions(self, report: Report) -> Iterator[str]:
        for verdict in report.verdicts:
            if verdict.property.kind is Kind.ASSERTION:
                yield evidence_text(report, verdict, width=self._width)

    @property
    def _width(self) -> int:
        return self.config.get_terminal_writer().fullwidth

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """The verdict and the trace; errors of a model in their own words."""
        known = isinstance(excinfo.value, NotShownError | SweepcheckError)
        return str(excinfo.value) if known else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the model is written, and what is tested."""
        return self.path, None, f"{self.parent.name}: {self.name}"
