"""`sweepcheck simulate --walks N`: look for violations by random walks."""

from __future__ import annotations

import json
import sys
from typing import Any

from sweepcheck.api import random_walks
from sweepcheck.cli.colour import terminal_width
from sweepcheck.cli.session import Session
from sweepcheck.cli.tracefile import TraceFile
from sweepcheck.core.limits import Limits
from sweepcheck.errors import RequestError
from sweepcheck.folding import fold
from sweepcheck.models.parameters import parse_parameters
from sweepcheck.report.values import parameters_text
from sweepcheck.report.walks import walks_to_text
from sweepcheck.text import visible

ALONE = {"most": "--random", "replay": "--replay", "initial": "--initial"}
WITH_WALKS = {
    "depth": "--depth",
    "properties": "--property",
    "engine": "--engine",
    "workers": "--workers",
    "time_limit": "--time-limit",
    "keep_going": "--keep-going",
}


def check_walks(options: dict[str, Any]) -> None:
    """Refuse options of walks without any, and those of a single run with them."""
    walks = options["walks"] is not None
    for name, flag in (ALONE if walks else WITH_WALKS).items():
        if options[name] is not None and options[name] is not False and options[name] != ():
            what = f"--walks and {flag} contradict each other" if walks else f"{flag} goes with random walks"
            suggestion = "give one of them" if walks else "add --walks N"
            raise RequestError("SC404", what, suggestion=suggestion)


def walk(session: Session, options: dict[str, Any]) -> int:
    """Make the walks, print what they found, and save its trace."""
    file = None if options["save"] is None else TraceFile(options["save"])
    system = session.load(options["reference"], parse_parameters(options["parameters"]))
    given = {name: options[name] for name in ("depth", "seed", "engine", "workers") if options[name] is not None}
    if options["properties"]:
        given["properties"] = options["properties"]
    if options["time_limit"] is not None:
        given["limits"] = Limits(seconds=options["time_limit"])
    report = random_walks(system, walks=options["walks"], keep_going=options["keep_going"], **given)
    width = terminal_width() if sys.stdout.isatty() else None
    if session.format == "json":
        session.result(json.dumps(report.to_json(), indent=2))
    else:
        parameters = f", {parameters_text(system.parameters)}" if system.parameters else ""
        session.result(fold(f"{visible(system.name)}{parameters}; seed {report.seed}", width))
        session.result(walks_to_text(report, width=width, brief=session.quiet))
    if file is not None:
        for line in file.save(report, options["reference"]):
            session.note(line)
    return report.exit_code
