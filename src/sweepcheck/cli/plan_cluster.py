"""`sweepcheck plan-cluster`: what a run of very many states would need of every process."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from typing import Any

import click

from sweepcheck.cli.options import MODEL_OPTIONS, Amount, exploration_options, gather, loaded, loudness_options
from sweepcheck.cli.session import session_of
from sweepcheck.cluster.driver import run
from sweepcheck.cluster.forecast import FEWEST, MOST, SENT_LATELY, Figures, Forecast, figures, forecast, sites_for
from sweepcheck.cluster.local import LocalSites
from sweepcheck.cluster.owners import deciding
from sweepcheck.core.request import Request
from sweepcheck.planner import plan
from sweepcheck.planner.sharing import MOST_PROCESSES, refuse_unshared
from sweepcheck.report.values import bytes_text, count_text, seconds_text
from sweepcheck.strategies import STRATEGIES

FEWER = "It has too little work for more of them, which may send more than is worked out here: a larger instance tells."
COUNT = Amount("a number of states", {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}, "1e9 or 500M")
MOST_STATES = 10**15

model_options = partial(exploration_options, options=MODEL_OPTIONS)


@click.command("plan-cluster", short_help="Estimate what a run of very many states would need.")
@model_options
@click.option("--strategy", type=click.Choice(list(STRATEGIES)), help="As of `sweepcheck explore`.")
@click.option("--states", type=COUNT, default=1e9, metavar="N", help="How many states to plan for.  [default: 1e9]")
@click.option(
    "--processes", type=click.IntRange(min=1, max=MOST_PROCESSES), default=16, show_default=True, metavar="N",
    help="How many processes are to share them.",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@loudness_options
@click.pass_context
def command(context: click.Context, /, form: str, quiet: bool, verbose: bool, **options: Any) -> int:
    """Explore a small instance of the model in FILE, shared by sites in this process, and work out from its figures
    what each process of a cluster needs for N states: memory, disk, network and time. There are as many sites as
    processes, 16 at most, if the instance has work for them; else fewer, and what more would send is an estimate.

    \b
    Examples:
      sweepcheck plan-cluster examples/stop_and_wait.py -p packets=20 --states 1e9 --processes 32

    \b
    Exit codes: 0 done, 2 bad request or model, 70 internal, 130 interrupted.
    """
    session = session_of(context)
    session.format, session.quiet, session.verbose = form, quiet, verbose
    states, processes = min(int(options["states"]), MOST_STATES), options["processes"]
    asked = gather({**options, "processes": None})
    session.subject = asked.reference
    system, asked = loaded(asked, session)
    request = Request((), **{name: asked.options[name] for name in ("measure", "strategy") if name in asked.options})
    decided = plan(system, request)
    refuse_unshared(decided, request)
    with session.watching(asked.live_measure(system)) as observer:
        owner = deciding(decided, processes)
        few = min(FEWEST, processes)
        shared = run(decided, observer, LocalSites(decided, few, owner))
        if (sites := sites_for(shared, processes)) > few:
            shared = run(decided, observer, LocalSites(decided, sites, owner))
        small = figures(shared)
    found = forecast(small, states, processes)
    if form == "json":
        session.result(json.dumps({"figures": asdict(small), "forecast": found.to_json()}, indent=2))
    else:
        session.result(forecast_text(small, found))
    return 0


def forecast_text(small: Figures, found: Forecast) -> str:
    """The forecast with its arithmetic."""
    n, p = count_text(found.states), count_text(found.processes)
    stored = f"{n} states x {100 * small.stored:.3g} % stored at once / {p}"
    lately = f", and {SENT_LATELY:.0%} for those sent lately"
    rows = [
        (
            "memory", bytes_text(round(found.memory)),
            f"{stored} x {small.bytes:.1f} B" + (lately if found.processes > 1 else ""),
        ),
        (
            "disk", bytes_text(round(found.disk)),
            f"{stored} x {small.sent_bytes:.1f} B, and {n} x {small.trace_bytes:.2g} B of parents / {p}",
        ),
        (
            "network", bytes_text(round(found.network)),
            f"{n} states, each sent {found.sent:.2f} times, x {small.sent_bytes:.1f} B / {p}",
        ),
        ("time", seconds_text(found.seconds), f"{n} states x {1e6 * small.seconds:.3g} us / {p}, if nobody waits"),
    ]  # fmt: skip
    width = max(len(value) for _, value, _ in rows)
    lines = [f"{n} states, shared by {p} processes; each of them needs", ""]
    lines += [f"  {name:<7}  {value:>{width}}  = {how}" for name, value, how in rows]
    lines += [
        "",
        f"from {count_text(small.states)} states of this instance, shared by {small.sites} sites:",
        f"a state has {small.edges:.2f} edges, and was sent {small.sent:.2f} times.",
        *([FEWER] if small.sites < min(found.processes, MOST) else []),
        "A larger instance may store another share of its states at once, and have wider ones: compare two instances.",
    ]
    return "\n".join(lines)
