"""`--html FILE` and `--open`: the page about a result, for people who want to look into it."""

from __future__ import annotations

import os
import tempfile
import webbrowser
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sweepcheck.cli.output import check_writable
from sweepcheck.cli.session import Session
from sweepcheck.cli.tracefile import unwritable
from sweepcheck.core.writing import write_text

if TYPE_CHECKING:
    from sweepcheck.report.report import Report

HTML = click.option(
    "--html", "html", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Write a page to FILE that shows the result in a browser: the trace step by step, the sweep, the net.",
)  # fmt: skip
OPEN = click.option("--open", "open_page", is_flag=True, help="Show that page in the browser.")


def page_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The two options, for the commands that have a result to look into."""
    return HTML(OPEN(command))


@dataclass(frozen=True, slots=True)
class Page:
    """Where the page goes, if one is asked for, and whether it is shown. Looked at before the run."""

    path: Path | None
    shown: bool

    @staticmethod
    def asked(options: dict[str, Any]) -> Page:
        """What was typed; taken out of the options."""
        path, shown = options.pop("html"), options.pop("open_page")
        if path is not None:
            check_writable(path)
        return Page(path, shown)

    def write(self, session: Session, text: Callable[[], str], reports: Iterable[Report] = ()) -> None:
        """Write the page and show it, as far as that was asked for; and say what it leaves out of these reports."""
        if self.path is None and not self.shown:
            return
        path = self.path
        if path is None:
            handle, name = tempfile.mkstemp(prefix="sweepcheck-", suffix=".html")
            os.close(handle)
            path = Path(name)
        try:
            write_text(path, text())
        except OSError as error:
            raise unwritable(path, str(error.strerror)) from None
        session.note(f"page written to {path}")
        from sweepcheck.report.trace_view import omitted

        traces = (verdict.trace for report in reports for verdict in report.verdicts if verdict.trace is not None)
        for missing in dict.fromkeys(one for trace in traces for one in omitted(trace)):
            session.note(f"left out of the page: {missing}")
        if self.shown and not webbrowser.open(path.absolute().as_uri()):
            session.note("no browser could be started: open the file yourself")
