"""What was found about a model file, with places: the common ground of SARIF and of annotations in a review."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from sweepcheck.core.property import Property
from sweepcheck.core.verdict import Status, Verdict
from sweepcheck.errors import SweepcheckError
from sweepcheck.report.report import Report
from sweepcheck.report.text import evidence_text, verdict_text
from sweepcheck.report.values import label_text


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one model file: a report, or the error that is there in its place."""

    reference: str
    report: Report | None = None
    error: SweepcheckError | None = None

    @property
    def file(self) -> str:
        """The file, without the name of a factory."""
        return re.sub(r"(?<=\.py):\w*$", "", self.reference)


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file, which is named as seen from the folder where the command runs."""

    file: str
    line: int = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """One answer to one question. `rule` is the kind of property, or the code of an error."""

    rule: str
    status: Status | None  # None: an error
    shown: bool  # to hold, exactly
    title: str
    text: str
    place: Place
    steps: tuple[tuple[str, Place], ...] = ()


def findings(answer: Answer) -> Iterator[Finding]:
    """All that a report says of its properties, or the error."""
    if answer.error is not None:
        place = _within(answer, answer.error.where)
        yield Finding(answer.error.code, None, False, answer.error.what, str(answer.error), place)
    for verdict in answer.report.verdicts if answer.report is not None else ():
        yield _finding(answer, answer.report, verdict)


def _finding(answer: Answer, report: Report | None, verdict: Verdict) -> Finding:
    assert report is not None
    asked, title = verdict.property, verdict_text(verdict)
    evidence = "" if verdict.status is Status.HOLDS else evidence_text(report, verdict)
    steps = verdict.trace.steps if verdict.trace is not None and verdict.status is Status.VIOLATED else ()
    return Finding(
        str(asked.kind),
        verdict.status,
        bool(verdict),
        title,
        f"{title}\n\n{evidence}" if evidence else title,
        place_of(answer, asked),
        tuple((label_text(step.label), _within(answer, report.system.locate(step.label))) for step in steps),
    )


def place_of(answer: Answer, asked: Property) -> Place:
    """Where a property is asked: at its predicate, else in the model's file."""
    return _declared(answer, asked) or _within(answer, asked.name)


def _declared(answer: Answer, asked: Property) -> Place | None:
    """Where a property's predicate is written, if that is in the model's file or beside it."""
    code = getattr(asked.predicate, "__code__", None)
    if code is None:
        return None
    path = Path(code.co_filename)
    if not path.is_file() or path.resolve().parent != Path(answer.file).resolve().parent:
        return None
    return Place((PurePath(answer.file).parent / path.name).as_posix(), code.co_firstlineno)


def _within(answer: Answer, where: str | None) -> Place:
    """The line that `model.py:12, action up` names, if it is one of the model's file; else its first."""
    name = PurePath(answer.file).name
    named = re.match(rf"{re.escape(name)}:(\d{{1,9}})", where or "")
    return Place(PurePath(answer.file).as_posix(), max(int(named[1]), 1) if named else 1)
