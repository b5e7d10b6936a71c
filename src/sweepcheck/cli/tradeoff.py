"""`sweepcheck tradeoff`: time against space, for several ways to explore one model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from sweepcheck.api import explore
from sweepcheck.cli.options import (
    DURATION,
    ENGINE_OPTION,
    MODEL_OPTIONS,
    WORKERS_OPTION,
    exploration_options,
    loudness_options,
    typed,
)
from sweepcheck.cli.page import Page, page_options
from sweepcheck.cli.session import Session, session_of
from sweepcheck.core.limits import Limits
from sweepcheck.core.model import System
from sweepcheck.core.request import Request
from sweepcheck.core.verdict import Stop
from sweepcheck.errors import RequestError
from sweepcheck.models.parameters import parse_parameters
from sweepcheck.planner import plan
from sweepcheck.report.page import tradeoff_to_page
from sweepcheck.report.plot import check_plot
from sweepcheck.report.report import Report
from sweepcheck.report.tradeoff import Tradeoff, tradeoff_to_json, tradeoff_to_plot, tradeoff_to_text, way_text

SHARES = (1.0, 0.75, 0.5, 0.25, 0.1)  # of all states: the cache sizes that are tried
PATIENCE = 20.0  # times the full exploration: so long may any other run take
SHORTEST = 1.0  # seconds, at least

model_options = partial(exploration_options, options=MODEL_OPTIONS)


@click.command("tradeoff", short_help="Compare time and space of several ways to explore a model.")
@model_options
@click.option(
    "--cache-size", "sizes", type=click.IntRange(min=0), multiple=True, metavar="N",
    help="Try caching with N states; repeatable.  [default: 100, 75, 50, 25 and 10 % of the states]",
)  # fmt: skip
@click.option(
    "--time-limit", type=DURATION, metavar="TIME",
    help="Stop each run after this time.  [default: twenty times the full exploration]",
)  # fmt: skip
@ENGINE_OPTION
@WORKERS_OPTION
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Draw time over stored states, as .svg, .png or .pdf.",
)  # fmt: skip
@page_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@loudness_options
@click.pass_context
def command(context: click.Context, /, form: str, quiet: bool, verbose: bool, **options: Any) -> int:
    """Explore the model in FILE several times: storing everything, sweeping by its progress measure, and depth first
    with caches of several sizes. Print how long each took and how much it stored (paper 2, figure 6).

    \b
    Examples:
      sweepcheck tradeoff examples/stop_and_wait.py -p packets=20
      sweepcheck tradeoff model.py --measure "sent" --cache-size 1000 --cache-size 100 --plot tradeoff.svg

    \b
    Exit codes: 0 done, 2 bad request or model, 3 the full exploration was stopped, 70 internal, 130 interrupted.
    """
    session = session_of(context)
    session.format, session.quiet, session.verbose = form, quiet, verbose
    session.subject = options["reference"]
    if options["plot"] is not None:
        check_plot(options["plot"])
    page = Page.asked(options)
    system = session.load(options["reference"], parse_parameters(options["parameters"]))
    runs: list[Report] = []
    for run in ways(session, system, options):
        runs.append(run)
        if run.stop is Stop.INTERRUPTED or not runs[0].complete:
            break
    found = Tradeoff(tuple(runs))
    if form == "json":
        session.result(json.dumps(tradeoff_to_json(found), indent=2))
    else:
        session.painted(tradeoff_to_text(found))
    if options["plot"] is not None:
        tradeoff_to_plot(found, options["plot"])
        session.note(f"plot written to {options['plot']}")
    page.write(session, lambda: tradeoff_to_page(options["reference"], found))
    if runs[-1].stop is Stop.INTERRUPTED:
        return 130
    return 0 if found.full.complete else 3


def ways(session: Session, system: System, options: dict[str, Any]) -> Iterator[Report]:
    """Run after run: full first, which says how many states there are and how long the others may take."""
    asked = typed(options)
    measure = asked.pop("measure", None)

    def run(strategy: str, limit: float | None, **chosen: Any) -> Report:
        chosen |= {"strategy": strategy, "limits": Limits(seconds=limit)}
        if strategy not in ("full", "caching"):
            chosen["measure"] = measure
        with session.watching(None) as observer:
            report = explore(system, observer=observer, **(asked | chosen))
        if not session.quiet and session.format == "text":
            session.note(f"{way_text(report)}: {report.statistics.seconds:.2f} s")
        return report

    limit: float | None = options["time_limit"]
    full = run("full", limit)
    yield full
    if limit is None:
        limit = max(SHORTEST, PATIENCE * full.statistics.seconds)
    for strategy in sweeps(system, measure):
        yield run(strategy, limit)
    states = full.statistics.states or 0
    sizes = options["sizes"] or dict.fromkeys(int(states * share) for share in SHARES)
    for size in sizes:
        yield run("caching", limit, cache_size=size)


def sweeps(system: System, measure: str | None) -> Iterator[str]:
    """The strategies that the model's measure, or the one given, is good for."""
    for strategy in ("generalised", "column"):
        try:
            plan(system, Request((), measure=measure, strategy=strategy, trace=False))
        except RequestError as error:
            if error.code != "SC303":
                raise
        else:
            yield strategy
