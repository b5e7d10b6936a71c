"""Watching a run: one line that changes on a terminal, one plain line now and then elsewhere.

Both take the stream they write to: the library itself never prints.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any, NamedTuple, Self, TextIO

from sweepcheck.core.measure import Measure
from sweepcheck.core.observer import Snapshot
from sweepcheck.report.json import snapshot_to_json
from sweepcheck.report.values import bytes_text, count_text
from sweepcheck.text import value_text

PLAIN_EVERY = 10.0  # seconds between two plain lines
EVENT_EVERY = 1.0  # seconds between two snapshots written as events;
AT_FIRST = 60.0, 0.25  # for so many seconds, so often: who watches a short run wants to see it move
BAR = 16  # columns of the bar


class Field(NamedTuple):
    """A piece of the line. The higher the rank the sooner it is left out on a narrow terminal."""

    rank: int
    text: str
    style: str = ""


class Estimate:
    """How far a run is along its measure's range, and how long the rest may take.

    Layers differ in size, so the pace of the last third of the run is a better guide than the pace of all of it.
    """

    def __init__(self, measure: Measure | None) -> None:
        self._measure = measure
        self._seen: deque[tuple[float, float]] = deque()
        self.fraction: float | None = None
        self.seconds_left: float | None = None

    def update(self, snapshot: Snapshot) -> None:
        """Take a snapshot into account."""
        known = self._measure is not None and snapshot.progress is not None
        self.fraction = self._measure.fraction(snapshot.progress) if known and self._measure else None
        if self.fraction is None:
            return
        self._seen.append((snapshot.seconds, self.fraction))
        while len(self._seen) > 2 and self._seen[1][0] < snapshot.seconds * 2 / 3:
            self._seen.popleft()
        then, before = self._seen[0]
        pace = (self.fraction - before) / (snapshot.seconds - then) if snapshot.seconds > then else 0.0
        # In the first second the pace is mostly that of starting up.
        self.seconds_left = (1 - self.fraction) / pace if pace > 0 and snapshot.seconds >= 1 else None


def fields(snapshot: Snapshot, estimate: Estimate) -> list[Field]:
    """What is worth knowing about a running exploration, in the order shown."""
    speed = round(snapshot.explored / snapshot.seconds) if snapshot.seconds > 0 else 0
    shown: list[Field] = []
    if estimate.fraction is not None:
        shown.append(Field(1, f"{100 * estimate.fraction:3.0f} %", "bold"))
    if snapshot.sweeps > 1:
        shown.append(Field(3, f"sweep {count_text(snapshot.sweeps)}"))
    if snapshot.progress is not None:
        shown.append(Field(3, f"at {value_text(snapshot.progress)}", "cyan"))
    shown += [
        Field(0, f"{count_text(snapshot.explored)} explored", "bold"),
        Field(2, f"{count_text(snapshot.stored)} stored", "green"),
        Field(4, f"peak {count_text(snapshot.peak)}"),
        Field(7, f"{count_text(snapshot.unprocessed)} to do"),
        Field(6, f"{count_text(speed)}/s"),
        Field(8, bytes_text(snapshot.memory_bytes)),
        Field(2, clock_text(snapshot.seconds), "bold"),
    ]
    if estimate.seconds_left is not None:
        shown.append(Field(5, f"ETA ~{clock_text(estimate.seconds_left)}"))
    return shown


def clock_text(seconds: float) -> str:
    """0:07, 12:34, 1:02:03."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def fit(shown: list[Field], width: int) -> list[Field]:
    """As many fields as fit, the least important left out first."""
    kept = list(shown)
    while len(kept) > 1 and sum(len(field.text) + 2 for field in kept) - 2 > width:
        kept.remove(max(kept, key=lambda field: field.rank))
    return kept


class PlainLines:
    """One line every ten seconds, for logs."""

    def __init__(self, stream: TextIO, measure: Measure | None = None) -> None:
        self._stream = stream
        self._estimate = Estimate(measure)
        self._next = PLAIN_EVERY

    def snapshot(self, snapshot: Snapshot) -> None:
        """See `Observer`."""
        self._estimate.update(snapshot)
        if snapshot.seconds >= self._next:
            self._next = snapshot.seconds + PLAIN_EVERY
            self._stream.write("  ".join(field.text.strip() for field in fields(snapshot, self._estimate)) + "\n")
            self._stream.flush()


class EventLines:
    """Snapshots as JSON lines, one a second, beside whatever else watches."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._next = 0.0

    def snapshot(self, snapshot: Snapshot) -> None:
        """See `Observer`."""
        if snapshot.seconds >= self._next:
            until, often = AT_FIRST
            self._next = snapshot.seconds + (often if snapshot.seconds < until else EVENT_EVERY)
            self._write(json.dumps(snapshot_to_json(snapshot)))


class LiveLine:
    """One line that changes in place and is gone when the run ends."""

    def __init__(self, stream: TextIO, measure: Measure | None = None) -> None:
        from rich.console import Console
        from rich.live import Live

        self._estimate = Estimate(measure)
        self._console = Console(file=stream, highlight=False)
        self._live: Any = Live(
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def snapshot(self, snapshot: Snapshot) -> None:
        """See `Observer`."""
        self._live.update(self._line(snapshot), refresh=True)

    def _line(self, snapshot: Snapshot) -> Any:
        from rich.text import Text

        width = self._console.width - 3  # room for the ^C that a terminal shows, so that it is wiped out too
        line = Text(no_wrap=True, overflow="ellipsis")
        self._estimate.update(snapshot)
        fraction = self._estimate.fraction
        if fraction is not None and width >= 60:
            line.append("━" * round(BAR * fraction), "green")
            line.append("━" * (BAR - round(BAR * fraction)), "bright_black")
            line.append(" ")
        for position, field in enumerate(fit(fields(snapshot, self._estimate), width - len(line))):
            line.append("  " if position else "").append(field.text, field.style)
        return line

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)
