"""`sweepcheck reproduce`: the tables of the papers, made again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from sweepcheck.cli.options import DURATION, ENGINE_OPTION, loudness_options
from sweepcheck.cli.output import check_output_file
from sweepcheck.cli.page import Page, page_options
from sweepcheck.cli.session import INCONCLUSIVE, Session, session_of
from sweepcheck.cli.tracefile import unwritable
from sweepcheck.core.request import default_of
from sweepcheck.core.writing import write_text
from sweepcheck.errors import RequestError
from sweepcheck.papers import PAPERS, made, tables_of
from sweepcheck.papers.drawing import draw_figure
from sweepcheck.papers.measuring import Bench
from sweepcheck.papers.table import Made
from sweepcheck.papers.tradeoff import FIGURE
from sweepcheck.papers.writing import summary, to_json, to_markdown, to_text
from sweepcheck.report.page import tables_to_page
from sweepcheck.report.plot import check_plot
from sweepcheck.text import visible_lines

ENDINGS = {".txt": "text", ".md": "markdown", ".json": "json"}


@click.command("reproduce", short_help="Make the tables of the papers again.")
@click.argument("paper", type=click.Choice(["all", *PAPERS]), default="all")
@click.option(
    "--rows", type=click.Choice(["all", "small"]), default="all", show_default=True,
    help="Make all rows, or those with at most 30,000 states.",
)  # fmt: skip
@click.option("--time-limit", type=DURATION, metavar="TIME", help="Leave out a row that takes longer than this.")
@click.option("--no-times", is_flag=True, help="Measure no times: each row is run once.")
@click.option(
    "--models", type=click.Path(path_type=Path), metavar="FOLDER",
    help="Take the models from FOLDER, by the names that the tables print: do yours have the published figures?",
)  # fmt: skip
@ENGINE_OPTION
@click.option("--format", "form", type=click.Choice(list(ENDINGS.values())), default="text", show_default=True)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE",
    help=f"Also write the tables to FILE; its name ends in {', '.join(ENDINGS)}.",
)  # fmt: skip
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Draw figure 6 of paper 2, as .svg, .png or .pdf.",
)  # fmt: skip
@page_options
@loudness_options
@click.pass_context
def command(context: click.Context, /, paper: str, form: str, quiet: bool, verbose: bool, **options: Any) -> int:
    """Make the tables of the papers, and figure 6 of paper 2, again: published figures and ours side by side.

    Each figure has a mark: = equal, ~ of a reconstructed model, ○ of a model of our own, ≠ different; below a table is
    said why. Times are ratios, of a sweep to full exploration or as the table says.

    \b
    Examples:
      sweepcheck reproduce
      sweepcheck reproduce paper4 --rows small
      sweepcheck reproduce all --time-limit 10 -o tables.md --plot figure6.svg

    \b
    Exit codes: 0 every difference is explained, 1 one is not, 2 bad request, 3 a row took too long, 70 internal,
    130 interrupted.
    """
    session = session_of(context)
    session.format, session.quiet, session.verbose, session.subject = form, quiet, verbose, paper
    tables, output, plot = tables_of(paper), options["output"], options["plot"]
    if output is not None:
        check_output_file(output, ENDINGS)
    if plot is not None:
        check_plot(plot)
        if FIGURE not in tables or options["no_times"]:
            what = "there is no figure to draw: figure 6 is in paper 2, and needs times"
            raise RequestError("SC404", what, suggestion="ask for paper2 or all, without --no-times")
    page = Page.asked(options)
    engine = options["engine"] or default_of("engine")
    bench = Bench(options["time_limit"], not options["no_times"], engine, options["models"])
    found = []
    for table in tables:
        if not quiet and form == "text":
            session.note(f"{table.full_name}: {table.title}")
        found.append(made(table, bench, options["rows"] == "small"))
    show(session, found, form)
    if output is not None:
        keep(output, as_form(found, ENDINGS[output.suffix]))
    if plot is not None:
        draw_figure(next(one for one in found if one.table is FIGURE), plot)
        session.note(f"plot written to {plot}")
    page.write(session, lambda: tables_to_page(to_json(found), summary(found), to_text(found)))
    return exit_code(found)


def as_form(found: Sequence[Made], form: str) -> str:
    """The tables in one of the forms."""
    if form == "json":
        return json.dumps(to_json(found), indent=2, ensure_ascii=False)
    return to_markdown(found) if form == "markdown" else to_text(found)


def show(session: Session, found: Sequence[Made], form: str) -> None:
    """Print the tables."""
    text = as_form(found, form)
    if form == "text":
        session.painted(text)
    else:
        session.result(text)


def keep(path: Path, text: str) -> None:
    """Write the tables to a file."""
    try:
        write_text(path, visible_lines(text) + "\n")
    except OSError as error:
        raise unwritable(path, str(error.strerror)) from None


def exit_code(found: Sequence[Made]) -> int:
    """1 where a figure differs and nobody knows why; 3 where the time did not do for a row."""
    if any(one.unexplained for one in found):
        return 1
    late = any(row.left_out.startswith("not done") for one in found for row in one.rows)
    return INCONCLUSIVE if late else 0
