"""Traces as files: read with an error for all that can be wrong, and written (`check --trace`, `simulate --save`) at no
cost of anything that was there before.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from sweepcheck.core.files import NotTextError, read_text
from sweepcheck.core.limits import FileLimits
from sweepcheck.core.writing import write_text
from sweepcheck.errors import RequestError, TraceError
from sweepcheck.models.parameters import Written
from sweepcheck.report.itf import saved_to_itf
from sweepcheck.report.mermaid import trace_to_mermaid
from sweepcheck.report.report import Concluded
from sweepcheck.report.saved import MISREAD, SavedTrace, parse_trace, saved_trace
from sweepcheck.report.values import property_text, steps_text

ITF = ".itf.json"  # the ending of files in the Informal Trace Format


def read_trace(path: Path, limits: FileLimits | None = None) -> SavedTrace:
    """Read a trace file; everything that is wrong with it is one error."""
    try:
        return parse_trace(read_text(path, limits or FileLimits()))
    except OSError as error:
        reason = f"{path} cannot be read: {error.strerror}"
    except NotTextError:
        reason = f"{path} is not a text file"
    except json.JSONDecodeError as error:
        reason = f"{path} is not JSON: {error}"
    except MISREAD as error:
        reason = f"{path} is not a trace of sweepcheck: {type(error).__name__} {error}"
    raise TraceError("SC501", reason, suggestion="give a file written by `check --trace` or `simulate --save`")


def saved_parameters(saved: SavedTrace) -> dict[str, object]:
    """The parameters, to build the model again; those that cannot be read back keep their default."""
    return {name: Written(text, saved=True) for name, text in saved.parameters.items()}


class TraceFile:
    """Where traces go: the first to the path itself, others beside it with a number (`trace-2.json`).

    Looked at before the run, so that a long run does not end in a path that cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        if path.suffix not in (".json", ".mmd"):
            suggestion = "use .json, .itf.json or .mmd"
            raise RequestError("SC403", f"a trace cannot be written as {path.name!r}", suggestion=suggestion)
        if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
            raise unwritable(path, f"the folder {path.parent} is not there or not writable")
        if path.exists() and not _is_a_trace(path):
            raise unwritable(path, "it exists and is not a trace")

    def save(self, report: Concluded, reference: str) -> Iterator[str]:
        """Write every trace of the report; what was written where, line by line."""
        found = [verdict for verdict in report.verdicts if verdict.trace is not None]
        if not found:
            yield f"no trace to save: {self._path} is not written"
        for number, verdict in enumerate(found, start=1):
            path = self._path if number == 1 else _numbered(self._path, number)
            if number > 1 and path.exists() and not _is_a_trace(path):
                raise unwritable(path, "it exists and is not a trace")
            _write(path, saved_trace(report, verdict, reference))
            yield f"trace of {property_text(verdict.property.kind, verdict.property.name)} written to {path}"

    def write(self, saved: SavedTrace) -> str:
        """Write one trace; what was written where."""
        _write(self._path, saved)
        return f"{steps_text(len(saved.trace.steps))} written to {self._path}"


def _ending(path: Path) -> str:
    """What the form of a trace is told by."""
    return ITF if path.name.endswith(ITF) else path.suffix


def _numbered(path: Path, number: int) -> Path:
    ending = _ending(path)
    return path.with_name(f"{path.name.removesuffix(ending)}-{number}{ending}")


def _is_a_trace(path: Path) -> bool:
    """Whether a file is one of ours, or empty, and may be replaced."""
    try:
        if not path.is_file():  # a pipe or a device is nobody's trace
            return False
        if not path.stat().st_size:
            return True
        if path.suffix == ".mmd":
            with path.open(encoding="utf-8") as file:
                return file.read(20).startswith("sequenceDiagram")
        if _ending(path) == ITF:
            return bool(json.loads(read_text(path, FileLimits()))["#meta"]["format"] == "ITF")
        read_trace(path)
    except (OSError, UnicodeDecodeError, NotTextError, TraceError, RequestError, *MISREAD):
        return False
    return True


def trace_as(saved: SavedTrace, form: str) -> str:
    """The text of a trace as json, itf or mermaid."""
    if form == "mermaid":
        return trace_to_mermaid(saved.trace)
    return json.dumps(saved_to_itf(saved) if form == "itf" else saved.to_json(), indent=2) + "\n"


def _write(path: Path, saved: SavedTrace) -> None:
    try:
        write_text(path, trace_as(saved, {ITF: "itf", ".mmd": "mermaid"}.get(_ending(path), "json")))
    except OSError as error:
        raise unwritable(path, str(error.strerror)) from None


def unwritable(path: Path, reason: str) -> RequestError:
    """The error for a file that cannot be written."""
    return RequestError("SC406", f"{path} cannot be written: {reason}", suggestion="choose another file")
