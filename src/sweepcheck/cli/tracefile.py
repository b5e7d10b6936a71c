"""`--trace FILE`: the traces of a report as files, none of which costs anything that was there before."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sweepcheck.core.verdict import Verdict
from sweepcheck.errors import RequestError, TraceError
from sweepcheck.report.mermaid import trace_to_mermaid
from sweepcheck.report.report import Report
from sweepcheck.report.saved import read_trace, saved_trace
from sweepcheck.report.trace import describe_trace
from sweepcheck.report.values import property_text


class TraceFile:
    """Where traces go: the first to the path itself, others beside it with a number (`trace-2.json`).

    Looked at before the run, so that a long run does not end in a path that cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        if path.suffix not in (".json", ".mmd"):
            raise RequestError("SC403", f"a trace cannot be written as {path.name!r}", suggestion="use .json or .mmd")
        if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
            raise _unwritable(path, f"the folder {path.parent} is not there or not writable")
        if path.exists() and not _is_a_trace(path):
            raise _unwritable(path, "it exists and is not a trace")

    def save(self, report: Report, reference: str) -> Iterator[str]:
        """Write every trace of the report; what was written where, line by line."""
        found = [verdict for verdict in report.verdicts if verdict.trace is not None]
        if not found:
            yield f"no trace to save: {self._path} is not written"
        for number, verdict in enumerate(found, start=1):
            path = self._path if number == 1 else self._path.with_stem(f"{self._path.stem}-{number}")
            if number > 1 and path.exists() and not _is_a_trace(path):
                raise _unwritable(path, "it exists and is not a trace")
            _write(path, self._text(report, verdict, reference))
            yield f"trace of {property_text(verdict.property.kind, verdict.property.name)} written to {path}"

    def _text(self, report: Report, verdict: Verdict, reference: str) -> str:
        if verdict.trace is not None and self._path.suffix == ".mmd":
            return trace_to_mermaid(describe_trace(report.system, verdict.trace))
        return json.dumps(saved_trace(report.system, verdict, reference).to_json(), indent=2) + "\n"


def _is_a_trace(path: Path) -> bool:
    """Whether a file is one of ours, or empty, and may be replaced."""
    try:
        if not path.stat().st_size:
            return True
        if path.suffix == ".mmd":
            return path.read_text(encoding="utf-8").startswith("sequenceDiagram")
        read_trace(path)
    except (OSError, UnicodeDecodeError, TraceError):
        return False
    return True


def _write(path: Path, text: str) -> None:
    """All of it or nothing: written beside the place and then moved there."""
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
            file.write(text)
        Path(file.name).replace(path)
    except OSError as error:
        raise _unwritable(path, str(error.strerror)) from None


def _unwritable(path: Path, reason: str) -> RequestError:
    return RequestError("SC406", f"{path} cannot be written: {reason}", suggestion="choose another file for --trace")
