"""`sweepcheck explore`: count the states of a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from sweepcheck.api import explore, state_graph
from sweepcheck.cli.formulas import count_for_contest
from sweepcheck.cli.options import Run, gather, loaded, loudness_options, run_options
from sweepcheck.cli.output import as_form, print_report
from sweepcheck.cli.page import Page, page_options
from sweepcheck.cli.session import Session, session_of
from sweepcheck.core.limits import Limits
from sweepcheck.core.model import System
from sweepcheck.errors import RequestError
from sweepcheck.report.findings import Answer
from sweepcheck.report.graph_files import check_path, check_size
from sweepcheck.report.plot import check_plot, report_to_plot


@click.command("explore", short_help="Count the states and edges of a model.")
@run_options
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "jsonl", "mcc"]), default="text", show_default=True
)
@page_options
@click.option(
    "--graph", "graph_file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Write the states and edges as a picture (.svg, .dot), or as data (.json, .aut, .graphml).",
)  # fmt: skip
@click.option("--graph-labels", metavar="NAME,...", help="The variables to show in the graph.  [default: all of them]")
@loudness_options
@click.pass_context
def command(
    context: click.Context,
    /,
    form: str,
    quiet: bool,
    verbose: bool,
    graph_file: Path | None,
    graph_labels: str | None,
    **options: Any,
) -> int:
    """Count the states and edges of the model in FILE.py without deciding any property.

    \b
    Examples:
      sweepcheck explore examples/communication_protocol.py -p packets=20 -p capacity=3
      sweepcheck explore model.py --strategy full --max-states 1000000
      sweepcheck explore model.py --measure "sent + received" --plot sweep.svg
      sweepcheck explore model.py --profile
      sweepcheck explore model.py --html sweep.html --open
      sweepcheck explore model.py --graph states.svg --graph-labels x,y
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
    if graph_file is not None:
        return explore_graph(session, run, system, graph_file, graph_labels)
    if graph_labels is not None:
        raise RequestError("SC404", "--graph-labels goes with a graph", suggestion="add --graph FILE.svg")
    if form == "mcc":
        return count_for_contest(session, run, system)
    if run.plot is not None:
        check_plot(run.plot)
    with session.watching(run.live_measure(system)) as observer:
        report = explore(system, observer=observer, **run.options)
    print_report(session, report, picture=True, profile=run.profile)
    page.write(session, lambda: as_form([Answer(run.reference, report)], "html"), [report])
    if run.plot is not None:
        report_to_plot(report, run.plot)
        session.note(f"plot written to {run.plot}")
    return report.exit_code


def explore_graph(session: Session, run: Run, system: System, file: Path, labels: str | None) -> int:
    """Explore everything, and write the graph. It ends when there are more states than such a file may have."""
    for given, name in ((run.plot, "--plot"), (session.format == "mcc" or None, "--format mcc")):
        if given is not None:
            raise RequestError("SC404", f"--graph and {name} contradict each other", suggestion="give one of them")
    most = check_path(file)
    limits = run.options.get("limits", Limits())
    bounded = limits.states is not None and limits.states <= most
    options = run.options if bounded else {**run.options, "limits": replace(limits, states=most + 1)}
    with session.watching(run.live_measure(system)) as observer:
        graph = state_graph(system, observer=observer, **options)
    check_size(graph, file, most)
    # Printed first: whatever goes wrong with the file, what was counted is not lost.
    print_report(session, graph.report, picture=True, profile=run.profile)
    graph.save(file, labels)
    session.note(f"graph written to {file}")
    return graph.report.exit_code
