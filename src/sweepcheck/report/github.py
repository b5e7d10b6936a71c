"""Findings as workflow commands of GitHub Actions, which shows them beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sweepcheck.core.verdict import Status
from sweepcheck.report.findings import Answer, findings
from sweepcheck.text import visible, visible_lines

COMMANDS = {Status.VIOLATED: "error", Status.INCONCLUSIVE: "warning", Status.HOLDS: "warning", None: "error"}


def answers_to_annotations(answers: Sequence[Answer]) -> Iterator[str]:
    """A line for each property that is not shown to hold, and for each error and warning."""
    for answer in answers:
        for finding in findings(answer):
            if not finding.shown:
                command = COMMANDS[finding.status]
                yield _annotation(command, finding.place.file, finding.place.line, finding.title, finding.text)
        for warning in answer.report.warnings if answer.report is not None else ():
            yield _annotation("warning", answer.file, 1, "sweepcheck", warning)


def _annotation(command: str, file: str, line: int, title: str, text: str) -> str:
    """What ends a property or a line there is written as an escape, so that no name can add a command of its own."""
    fields = {"file": file, "line": str(line), "title": title}
    given = ",".join(f"{name}={_property(visible(value))}" for name, value in fields.items())
    return f"::{command} {given}::{_data(visible_lines(text))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
