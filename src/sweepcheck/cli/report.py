"""`sweepcheck report`: the state space report of a model."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from sweepcheck.api import state_space_report
from sweepcheck.cli.colour import terminal_width
from sweepcheck.cli.options import exploration_options, gather, loaded
from sweepcheck.cli.page import Page, page_options
from sweepcheck.cli.session import session_of
from sweepcheck.report.page import state_space_to_page
from sweepcheck.report.state_space import state_space_to_text


@click.command("report", short_help="Print the state space report of a model.")
@exploration_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@page_options
@click.option("-q", "--quiet", is_flag=True, help="No live line.")
@click.pass_context
def command(context: click.Context, /, form: str, quiet: bool, **options: Any) -> int:
    """Print the state space report of the model in FILE.py, as CPN Tools does.

    Counts, strongly connected components, best bounds of every variable, home states, dead states, and what every
    action does in the long run: dead, live, impartial, fair, just. One exploration; with a progress measure a sweep.

    \b
    Examples:
      sweepcheck report examples/communication_protocol.py
      sweepcheck report model.py -p n=5 --format json

    \b
    Exit codes: 0 complete, 2 bad request or model, 3 a limit was reached, 70 internal, 130 interrupted.
    """
    session = session_of(context)
    session.format, session.quiet = form, quiet
    page = Page.asked(options)
    run = gather(options)
    session.subject = run.reference
    system, run = loaded(run, session)
    with session.watching(run.live_measure(system)) as observer:
        report = state_space_report(system, observer=observer, **run.options)
    if form == "json":
        session.result(json.dumps(report.to_json(), indent=2))
    else:
        session.painted(state_space_to_text(report, terminal_width() if sys.stdout.isatty() else None))
    page.write(session, lambda: state_space_to_page(run.reference, report))
    return report.exit_code
