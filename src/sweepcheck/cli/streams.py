"""Standard output and standard error, which may be closed, on a full disk, or a pipe that nobody reads any more.

Results go to standard output; one that cannot be written there is an error, never a success that nobody sees. What a
model prints goes to standard error where a machine reads the result.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from sweepcheck.errors import RequestError


def write_result(stream: TextIO, text: str) -> None:
    """Write a result; an error where that is not possible."""
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        discard(stream)
        raise unwritten(str(error.strerror or error)) from None
    except ValueError:
        raise unwritten("it is closed") from None


def write_note(stream: TextIO | None, text: str) -> None:
    """Write what is not a result; where that is not possible there is nobody to tell."""
    if stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except (OSError, ValueError):
        discard(stream)


def discard(stream: TextIO) -> None:
    """Let what is left in a stream go nowhere: Python writes it once more when it exits."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def unwritten(reason: str) -> RequestError:
    """The error for a result that could not be printed."""
    return RequestError(
        "SC406",
        f"standard output cannot be written: {reason}",
        suggestion="the result is lost: write it to a file with room, or read all of it",
    )


class ClosedOutput(io.StringIO):
    """Stands for standard output where there is none (`>&-`)."""

    def write(self, text: str) -> int:
        """Nothing can be written but nothing."""
        if text:
            raise OSError(errno.EBADF, "it is closed")
        return 0


class ModelOutput:
    """Stands for standard output while a command runs: what anything but the command writes goes where it may."""

    def __init__(self, results: TextIO, is_for_machines: Any) -> None:
        self._results = results
        self._is_for_machines = is_for_machines

    def write(self, text: str) -> int:
        """Write to the stream that is right now."""
        return self._stream().write(text)

    def flush(self) -> None:
        """Flush that stream."""
        self._stream().flush()

    def _stream(self) -> TextIO:
        return sys.stderr if self._is_for_machines() and sys.stderr is not None else self._results

    def __getattr__(self, name: str) -> Any:
        return getattr(self._results, name)


@contextmanager
def results_apart(is_for_machines: Any) -> Iterator[TextIO]:
    """Within, only who holds the stream that is handed over writes results for machines."""
    before = sys.stdout
    results: TextIO = ClosedOutput() if before is None else before
    sys.stdout = ModelOutput(results, is_for_machines)
    try:
        yield results
    finally:
        sys.stdout = before
