"""A report in the form asked for."""

from __future__ import annotations

import json
import sys

from sweepcheck.cli.colour import terminal_width
from sweepcheck.cli.session import Session
from sweepcheck.report.report import Report


def print_report(
    session: Session, report: Report, *, full: bool = False, picture: bool = False, profile: bool = False
) -> None:
    """Print a report on stdout."""
    if session.format == "json":
        session.result(json.dumps(report.to_json(), indent=2))
    elif session.format == "jsonl":
        from sweepcheck.report.json import report_to_events

        for event in report_to_events(report):
            session.result(json.dumps(event))
    elif session.format == "junit":
        from sweepcheck.report.junit import report_to_junit

        session.result(report_to_junit(report))
    else:
        from sweepcheck.report.actions import actions_text
        from sweepcheck.report.text import brief_text, report_to_text

        width = terminal_width() if sys.stdout.isatty() else None
        if session.quiet:
            text = brief_text(report) + (f"\n\n{actions_text(report, width)}" if profile else "")
        else:
            picture = picture or session.verbose
            text = report_to_text(report, full, width=width, picture=picture, profile=profile)
        session.painted(text)
