"""`sweepcheck conform`: logs of a real system against a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from sweepcheck.cli.options import DURATION, ENGINE_OPTION, MEMORY, MODEL_OPTIONS, WORKERS_OPTION, gather, loaded
from sweepcheck.cli.session import session_of
from sweepcheck.cli.several import WORSE
from sweepcheck.conformance import Conformance, conform
from sweepcheck.conformance.logs import KIND
from sweepcheck.conformance.text import conformance_to_json, conformance_to_text, headline


@click.command("conform", short_help="Find out whether a model explains logs of the real system.")
@MODEL_OPTIONS[0]
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="LOG...")
@MODEL_OPTIONS[1]
@click.option(
    "--event-field", default=KIND, show_default=True, metavar="NAME", help="The field with the kind of event."
)
@click.option("--ignore", multiple=True, metavar="KIND", help="Leave out events of this kind; repeatable.")
@click.option("--run", "trace", is_flag=True, help="Also print a run of the model that explains the log.")
@click.option("--max-states", type=click.IntRange(min=1), metavar="N", help="Stop when N states have been found.")
@click.option("--time-limit", type=DURATION, metavar="TIME", help="Stop after this time: seconds, or 10m, 2h.")
@click.option("--memory-limit", type=MEMORY, metavar="SIZE", help="Stop when this much memory is resident.")
@ENGINE_OPTION
@WORKERS_OPTION
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Print verdicts, and what is wrong, only.")
@click.pass_context
def command(context: click.Context, /, logs: tuple[Path, ...], form: str, quiet: bool, **options: Any) -> int:
    """Find out whether some run of the model in FILE.py explains each LOG.

    A log is a file of one JSON object a line (.ndjson, .jsonl), or .csv with a line of names. Steps whose actions call
    observe(...) or are declared with @m.observed are events; all others are hidden, and any number of them may lie
    between two events. Memory is that of a few positions, however long the log is.

    \b
    Examples:
      sweepcheck conform model.py service.ndjson
      sweepcheck conform model.py logs/*.ndjson --ignore heartbeat
      sweepcheck conform model.py service.csv --event-field type --run

    \b
    Exit codes: 0 every log is explained, 1 one is not, 2 bad request, model or log, 3 inconclusive, 130 interrupted.
    """
    session = session_of(context)
    session.format, session.quiet = form, quiet
    asked = {name: options.pop(name) for name in ("event_field", "ignore", "trace")}
    run = gather({**options, "measures": (), "progress": None})
    session.subject = run.reference
    system, run = loaded(run, session)
    found: list[Conformance] = []
    for log in logs:
        found.append(conform(system, log, **asked, **run.options))
        if form == "text":
            brief = quiet or len(logs) > 1
            session.painted(conformance_to_text(found[-1], brief))
    if form == "json":
        session.result(json.dumps([conformance_to_json(one) for one in found], indent=2))
    elif len(found) > 1:
        session.painted("\n".join(["", *map(headline, found)]))
    return max((one.report.exit_code for one in found), key=WORSE.index)
