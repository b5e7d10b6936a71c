"""`sweepcheck explore`: count the states of a model."""

from __future__ import annotations

from typing import Any

import click

from sweepcheck.api import explore
from sweepcheck.cli.formulas import count_for_contest
from sweepcheck.cli.options import gather, loaded, loudness_options, run_options
from sweepcheck.cli.output import as_form, print_report
from sweepcheck.cli.page import Page, page_options
from sweepcheck.cli.session import session_of
from sweepcheck.report.findings import Answer
from sweepcheck.report.plot import check_plot, report_to_plot


@click.command("explore", short_help="Count the states and edges of a model.")
@run_options
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "jsonl", "mcc"]), default="text", show_default=True
)
@page_options
@loudness_options
@click.pass_context
def command(context: click.Context, /, form: str, quiet: bool, verbose: bool, **options: Any) -> int:
    """Count the states and edges of the model in FILE.py without deciding any property.

    \b
    Examples:
      sweepcheck explore examples/communication_protocol.py -p packets=20 -p capacity=3
      sweepcheck explore model.py --strategy full --max-states 1000000
      sweepcheck explore model.py --measure "sent + received" --plot sweep.svg
      sweepcheck explore model.py --profile
      sweepcheck explore model.py --html sweep.html --open
      sweepcheck explore net.pnml --format mcc

    \b
    Exit codes: 0 complete, 2 bad request or model, 3 a limit was reached, 70 internal, 130 interrupted.
    """
    session = session_of(context)
    session.format, session.quiet, session.verbose = form, quiet, verbose
    page = Page.asked(options)
    run = gather(options)
    session.subject = run.reference
    system, run = loaded(run, session)
    if form == "mcc":
        return count_for_contest(session, run, system)
    if run.plot is not None:
        check_plot(run.plot)
    with session.watching(run.live_measure(system)) as observer:
        report = explore(system, observer=observer, **run.options)
    print_report(session, report, picture=True, profile=run.profile)
    page.write(session, lambda: as_form([Answer(run.reference, report)], "html"))
    if run.plot is not None:
        report_to_plot(report, run.plot)
        session.note(f"plot written to {run.plot}")
    return report.exit_code
