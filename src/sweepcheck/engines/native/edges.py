"""The file of edges: what a sweep leaves behind for the way back, which decides CTL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sweepcheck.core.plan import Plan
from sweepcheck.core.property import Kind
from sweepcheck.engines.native.traces import temporary_file
from sweepcheck.errors import RequestError


@contextmanager
def edge_file(plan: Plan) -> Iterator[str | None]:
    """A file for the edges, whose name the core takes away as soon as it has opened it; None to keep them in memory."""
    if plan.limits.disk == 0 or not any(asked.kind is Kind.CTL for asked in plan.properties):
        yield None
        return
    try:
        number, name = temporary_file(".edges")
        os.close(number)
    except OSError as error:
        raise RequestError(
            "SC406",
            f"the edges that CTL needs cannot be written to the temporary folder: {error.strerror}",
            suggestion="set TMPDIR to another folder, or keep them in memory: --no-disk, Limits(disk=0)",
        ) from None
    try:
        yield name
    finally:
        Path(name).unlink(missing_ok=True)  # where the core did not get to open it


def without_room(error: int, written: int) -> str:
    """Why nothing can be said about a formula whose edges could not be kept; as in errno, or -1 for the limit."""
    why = "the limit on disk was reached" if error < 0 else os.strerror(error)
    more = "a higher --disk-limit" if error < 0 else "another TMPDIR"
    return (
        f"CTL needs the edges of all states, and there was no room for them ({why}, at {written:,} bytes): "
        f"{more} or --no-disk, which keeps them in memory, may help"
    )
