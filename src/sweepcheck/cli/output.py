"""Reports in the form asked for, on standard output and in files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sweepcheck.cli.colour import terminal_width
from sweepcheck.cli.session import Session
from sweepcheck.cli.tracefile import unwritable
from sweepcheck.core.writing import write_text
from sweepcheck.errors import RequestError
from sweepcheck.report.findings import Answer
from sweepcheck.report.report import Report

FORMS = ("text", "json", "jsonl", "junit", "sarif", "github")
ENDINGS = {".json": "json", ".jsonl": "jsonl", ".xml": "junit", ".sarif": "sarif", ".html": "html", ".txt": "text"}


def print_report(
    session: Session, report: Report, *, full: bool = False, picture: bool = False, profile: bool = False
) -> None:
    """Print a report on standard output."""
    if session.for_machines:
        print_answers(session, [Answer(session.subject, report)])
        return
    from sweepcheck.report.actions import actions_text
    from sweepcheck.report.text import quiet_text, report_to_text

    width = terminal_width() if sys.stdout.isatty() else None
    if session.quiet:
        text = quiet_text(report, full, width) + (f"\n\n{actions_text(report, width)}" if profile else "")
    else:
        picture = picture or session.verbose
        text = report_to_text(report, full, width=width, picture=picture, profile=profile)
    session.painted(text)


def print_answers(session: Session, answers: Sequence[Answer]) -> None:
    """Print what came of one or several model files, in the form for machines that was asked for."""
    session.result(as_form(answers, session.format))


def as_form(answers: Sequence[Answer], form: str) -> str:
    """What came of one or several model files, in one of the forms."""
    match form:
        case "json":
            return json.dumps(_document(answers), indent=2)
        case "jsonl":
            return "\n".join(json.dumps(event) for answer in answers for event in _events(answer))
        case "junit":
            from sweepcheck.report.junit import answers_to_junit

            return answers_to_junit(answers)
        case "sarif":
            from sweepcheck.report.sarif import answers_to_sarif

            return answers_to_sarif(answers)
        case "github":
            from sweepcheck.report.github import answers_to_annotations

            return "\n".join([_plain(answers), *answers_to_annotations(answers)])
        case "html":
            from sweepcheck.report.page import answers_to_page

            return answers_to_page(answers)
    return _plain(answers)


def _document(answers: Sequence[Answer]) -> dict[str, Any]:
    """The report of one file; of several, all of them."""
    from sweepcheck.report.json import SCHEMA

    found = [
        {"error": one.error.to_json()} if one.report is None and one.error is not None else _report(one)
        for one in answers
    ]
    if len(answers) == 1:
        return found[0]
    named = [{"file": one.reference, **data} for one, data in zip(answers, found, strict=True)]
    return {"schema": SCHEMA, "files": named}


def _report(answer: Answer) -> dict[str, Any]:
    return {} if answer.report is None else answer.report.to_json()


def _events(answer: Answer) -> list[dict[str, Any]]:
    from sweepcheck.report.json import report_to_events

    events = [] if answer.report is None else list(report_to_events(answer.report))
    return [*events, {"event": "error", "error": answer.error.to_json()}] if answer.error is not None else events


def _plain(answers: Sequence[Answer]) -> str:
    from sweepcheck.report.text import report_to_text

    texts = [str(one.error) if one.report is None else report_to_text(one.report) for one in answers]
    if len(texts) > 1:
        texts = [f"{one.reference}\n{text}" for one, text in zip(answers, texts, strict=True)]
    return "\n\n".join(texts)


def check_output_file(path: Path, endings: Mapping[str, str]) -> None:
    """Refuse a file whose name says no form, or that could not be written."""
    if path.suffix not in endings:
        what = f"a report cannot be written as {path.name!r}"
        raise RequestError("SC403", what, suggestion=f"use {', '.join(endings)}")
    check_writable(path)


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written, or that is none: it would be replaced by one."""
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise unwritable(path, f"the folder {path.parent} is not there or not writable")
    if path.exists() and not path.is_file():
        raise unwritable(path, "it is no file")


class OutputFile:
    """A file that a report is written to; the end of its name says in which form. Looked at before the run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        check_output_file(path, ENDINGS)

    def write(self, answers: Sequence[Answer]) -> None:
        """Write what came of one or several model files."""
        try:
            write_text(self.path, as_form(answers, ENDINGS[self.path.suffix]) + "\n")
        except OSError as error:
            raise unwritable(self.path, str(error.strerror)) from None
