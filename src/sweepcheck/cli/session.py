"""One call of the command line: what goes to which stream, in which form, and how it ends."""

from __future__ import annotations

import json
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import click

from sweepcheck.cli.wording import in_options
from sweepcheck.core.limits import FileLimits
from sweepcheck.core.measure import Measure
from sweepcheck.core.observer import Observer, Silence
from sweepcheck.errors import SweepcheckError
from sweepcheck.text import visible_lines

BAD_REQUEST, INTERNAL, INTERRUPTED = 2, 70, 130


@dataclass(slots=True)
class Session:
    """Results go to stdout, everything else to stderr."""

    format: str = "text"
    subject: str = "sweepcheck"  # the model or file the call is about, for error reports
    quiet: bool = False
    verbose: bool = False
    files: FileLimits = field(default_factory=FileLimits)  # what the files that are read may ask for

    def result(self, text: str) -> None:
        """Print a result; what a terminal would act upon is written as an escape, whoever made the text."""
        self._print(visible_lines(text))

    def _print(self, text: str) -> None:
        """A reader that has gone away (`| head`) does not change how the run ends."""
        try:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            # Python flushes stdout once more when it exits; give it a place to write to.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def painted(self, text: str) -> None:
        """Print a result for people, in colour on a terminal."""
        text = visible_lines(text)
        if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
            from sweepcheck.cli.colour import coloured

            text = coloured(text)
        self._print(text)

    def note(self, text: str) -> None:
        """Say something that is not a result."""
        self._say(visible_lines(text))

    def _say(self, text: str) -> None:
        try:
            sys.stderr.write(text.rstrip("\n") + "\n")
            sys.stderr.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())

    def failed(self, error: SweepcheckError) -> None:
        """Render an error for people, and in the form asked for also for machines."""
        error.suggestion = in_options(error.suggestion)
        if self.format == "json":
            self.result(json.dumps({"error": error.to_json()}, indent=2))
        elif self.format == "jsonl":
            self.result(json.dumps({"event": "error", "error": error.to_json()}))
        elif self.format == "junit":
            from sweepcheck.report.junit import error_to_junit

            self.result(error_to_junit(error, self.subject))
        text = str(error)
        if sys.stderr.isatty() and "NO_COLOR" not in os.environ:
            from sweepcheck.cli.colour import coloured

            text = coloured(text)
        self._say(text)

    def watching(self, measure: Measure | None) -> AbstractContextManager[Observer]:
        """The observer for a run: events, the live line, plain lines, or nothing."""
        from sweepcheck.report.live import EventLines, LiveLine, PlainLines

        if self.format == "jsonl":
            return nullcontext(EventLines(self.result))
        if self.quiet:
            return nullcontext(Silence())
        plain = not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"
        if plain or "NO_COLOR" in os.environ or "CI" in os.environ:
            return nullcontext(PlainLines(sys.stderr, measure))
        return LiveLine(sys.stderr, measure)


def session_of(context: click.Context) -> Session:
    """The session of a running command."""
    return context.ensure_object(Session)
