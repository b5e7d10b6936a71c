"""One call of the command line: what goes to which stream, in which form, and how it ends."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import TextIO

import click

from sweepcheck.cli.colour import terminal_width
from sweepcheck.cli.streams import write_note, write_result
from sweepcheck.cli.wording import in_options
from sweepcheck.core.limits import FileLimits
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import System
from sweepcheck.core.observer import Observer, Silence
from sweepcheck.errors import RequestError, SweepcheckError
from sweepcheck.text import visible_lines

NOTES = 3  # of a file, that are told unasked
BAD_REQUEST, INCONCLUSIVE, INTERNAL, INTERRUPTED = 2, 3, 70, 130


@dataclass(slots=True)
class Session:
    """Results go to stdout, everything else to stderr."""

    format: str = "text"
    subject: str = "sweepcheck"  # the model or file the call is about, for error reports
    quiet: bool = False
    verbose: bool = False
    files: FileLimits = field(default_factory=FileLimits)  # what the files that are read may ask for
    unfold: bool | None = None  # whether coloured nets of PNML files are unfolded; None: what is likely to be faster
    time_equivalence: bool = False  # whether states of files of CPN Tools are equivalent at any time
    results: TextIO | None = None  # where results go; None: standard output
    answered: bool = False  # whether a result was printed: a file of JSON or XML holds one document

    @property
    def for_machines(self) -> bool:
        """Whether a machine reads the result, so that nothing else may stand on standard output."""
        return self.format != "text"

    def load(self, reference: str, parameters: Mapping[str, object] | None = None) -> System:
        """The model in a file, within the limits of this call."""
        from sweepcheck.models.loading import load

        chosen = {"unfold": self.unfold, "time_equivalence": self.time_equivalence}
        system = load(reference, parameters, limits=self.files, **chosen)  # type: ignore[arg-type]
        if not (self.quiet or self.for_machines):
            self._notes(system.notes)
        return system

    def _notes(self, notes: Sequence[str]) -> None:
        shown = notes if self.verbose else notes[:NOTES]
        for note in shown:
            self.note(f"note: {note}")
        if len(notes) > len(shown):
            self.note(f"note: and {len(notes) - len(shown)} more; -v shows all")

    def result(self, text: str) -> None:
        """Print a result; what a terminal would act upon is written as an escape, whoever made the text.

        One that cannot be printed, or that nobody reads any more (`| head`), is an error.
        """
        self._print(visible_lines(text))

    def _print(self, text: str) -> None:
        self.answered = True
        write_result(self.results if self.results is not None else sys.stdout, text + "\n")

    def painted(self, text: str) -> None:
        """Print a result for people, in colour on a terminal."""
        text = visible_lines(text)
        if sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ:
            from sweepcheck.cli.colour import coloured

            text = coloured(text)
        self._print(text)

    def note(self, text: str) -> None:
        """Say something that is not a result."""
        self._say(visible_lines(text))

    def _say(self, text: str) -> None:
        write_note(sys.stderr, text.rstrip("\n") + "\n")

    def failed(self, error: SweepcheckError) -> None:
        """Render an error for people, and in the form asked for also for machines."""
        error.suggestion = in_options(error.suggestion)
        with suppress(RequestError):  # it may be that standard output cannot be written
            self._failed_for_machines(error)
        self.told(error)

    def told(self, error: SweepcheckError) -> None:
        """Render an error for people."""
        error.suggestion = in_options(error.suggestion)
        text = error.text(terminal_width() if sys.stderr is not None and sys.stderr.isatty() else None)
        if sys.stderr is not None and sys.stderr.isatty() and "NO_COLOR" not in os.environ:
            from sweepcheck.cli.colour import coloured

            text = coloured(text)
        self._say(text)

    def _failed_for_machines(self, error: SweepcheckError) -> None:
        if self.format == "jsonl":
            self.result(json.dumps({"event": "error", "error": error.to_json()}))
        elif self.answered:
            return  # the exit code and standard error tell what came after the answer
        elif self.format == "json":
            self.result(json.dumps({"error": error.to_json()}, indent=2))
        elif self.format == "junit":
            from sweepcheck.report.junit import error_to_junit

            self.result(error_to_junit(error, self.subject))
        elif self.format in ("sarif", "github"):
            from sweepcheck.cli.output import as_form
            from sweepcheck.report.findings import Answer

            self.result(as_form([Answer(self.subject, error=error)], self.format))

    def watching(self, measure: Measure | None) -> AbstractContextManager[Observer]:
        """The observer for a run: events, the live line, plain lines, or nothing."""
        from sweepcheck.report.live import EventLines, LiveLine, PlainLines

        if self.format == "jsonl":
            return nullcontext(EventLines(self.result))
        if self.quiet:
            return nullcontext(Silence())
        if sys.stderr is None:
            return nullcontext(Silence())
        plain = not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"
        if plain or "NO_COLOR" in os.environ or "CI" in os.environ:
            return nullcontext(PlainLines(sys.stderr, measure))
        return LiveLine(sys.stderr, measure)


def session_of(context: click.Context) -> Session:
    """The session of a running command."""
    return context.ensure_object(Session)
