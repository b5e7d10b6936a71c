"""The file of edges: what a sweep leaves behind for the way back, which decides CTL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp

from sweepcheck.core.plan import Plan
from sweepcheck.core.property import Kind
from sweepcheck.engines.parents import writing
from sweepcheck.errors import RequestError


@contextmanager
def edge_file(plan: Plan) -> Iterator[str | None]:
    """A file for the edges, whose name the core takes away as soon as it has opened it; None to keep them in memory."""
    if plan.limits.disk == 0 or not any(asked.kind is Kind.CTL for asked in plan.properties):
        yield None
        return
    with writing(None):
        number, name = mkstemp(prefix="sweepcheck-", suffix=".edges")
        os.close(number)
    try:
        yield name
    finally:
        Path(name).unlink(missing_ok=True)  # where the core did not get to open it


def without_room(plan: Plan, error: int, written: int) -> RequestError:
    """The error for edges that could not be kept."""
    why = "the limit on disk is reached" if error < 0 else os.strerror(error)
    return RequestError(
        "SC416",
        f"CTL needs the edges of all states, and there is no room for them: {why} at {written:,} bytes",
        values=[("limit", "none" if plan.limits.disk is None else f"{plan.limits.disk:,} bytes")],
        suggestion="raise the limit (--disk-limit, Limits(disk=...)), set TMPDIR to a larger disk,\n"
        "or keep them in memory: --no-disk, Limits(disk=0)",
    )
