"""`sweepcheck trace`: show a saved trace, and replay it on its model."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from sweepcheck.cli.colour import terminal_width
from sweepcheck.cli.options import ModelReference
from sweepcheck.cli.session import Session, session_of
from sweepcheck.core.model import System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.verdict import Decision
from sweepcheck.engines.replay import replay, walk
from sweepcheck.errors import RequestError, SweepcheckError
from sweepcheck.models.loading import load
from sweepcheck.models.processes.network import Network
from sweepcheck.models.processes.observation import observed
from sweepcheck.properties import deadlock
from sweepcheck.properties.expression import expression
from sweepcheck.properties.never import of_pattern
from sweepcheck.report.mermaid import trace_to_mermaid
from sweepcheck.report.saved import Claim, SavedTrace, path_on, read_trace
from sweepcheck.report.text import evidence_title, run_title
from sweepcheck.report.trace import trace_to_text
from sweepcheck.report.values import property_text


@click.command("trace", short_help="Show a saved trace and replay it.")
@click.argument("path", metavar="FILE.json", type=click.Path(path_type=Path))
@click.option(
    "--model", "reference", metavar="FILE.py[:factory]", type=ModelReference(), help="Replay it on this model."
)
@click.option("--format", "form", type=click.Choice(["text", "json", "mermaid"]), default="text", show_default=True)
@click.option("--trace-full", is_flag=True, help="Print whole states, not only what changes.")
@click.option("-q", "--quiet", is_flag=True, help="Replay only; print nothing but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Tracebacks of internal errors.")
@click.pass_context
def command(
    context: click.Context, path: Path, reference: str | None, form: str, trace_full: bool, quiet: bool, verbose: bool
) -> int:
    """Show a trace saved with `check --trace` or `simulate --save`, and replay it on its model if that can be found.

    \b
    Examples:
      sweepcheck trace trace.json
      sweepcheck trace trace.json --model examples/communication_protocol.py --trace-full
      sweepcheck trace trace.json --format mermaid > trace.mmd

    \b
    Exit codes: 0 shown (and replayed, if the model is there), 2 broken file or a trace the model cannot do.
    """
    session = session_of(context)
    session.format = "json" if form == "json" else "text"
    session.quiet, session.verbose, session.subject = quiet, verbose, str(path)
    saved = read_trace(path)
    outcome = replayed(saved, reference)
    if not quiet:
        show(session, saved, form, trace_full)
        session.note(outcome)
    return 0


def replayed(saved: SavedTrace, reference: str | None) -> str:
    """Replay a trace on the model asked for, or else on the one it names; what became of it, in words."""
    chosen = reference or saved.reference
    if chosen is None:
        return "not replayed: the trace names no model file; give one with --model"
    filename = chosen.partition(".py:")[0] + ".py" if ".py:" in chosen else chosen
    if reference is None and not Path(filename).exists():
        return f"not replayed: {filename} is not here; give the model with --model"
    system = load(chosen, saved.arguments())
    trace, claim = path_on(system, saved.trace), saved.claim
    asked = None if claim is None else property_of(system, claim)
    if claim is None or asked is None:
        walk(system, trace)
        gone = "" if claim is None else f"; the model has no {claim.kind} {claim.name!r} any more"
        return f"replayed on {chosen}: every step is possible{gone}"
    if isinstance(system, Network) and asked.pattern is not None:
        system = system.observing([asked])
        trace = observed(system, trace)
    replay(system, Decision(asked, claim.status, trace.states[-1], trace))
    return f"replayed on {chosen}: {property_text(asked.kind, asked.name)} is {_decided(claim)}"


def property_of(system: System, claim: Claim) -> Property | None:
    """The property a trace is about: a declared one of that kind and name, else the name read as an expression."""
    for declared in system.properties:
        if (declared.kind, declared.name) == (claim.kind, claim.name):
            return declared
    if claim.kind is Kind.DEADLOCK:
        return deadlock(claim.name, final=system.final if isinstance(system, Network) else None)
    for read in (expression, _pattern):
        try:
            found = read(system, claim.name)
        except SweepcheckError:
            continue
        return found if isinstance(found, Property) else Property(claim.kind, claim.name, found)
    return None


def _pattern(system: System, text: str) -> Property:
    """A name that is a pattern of events, as `--never` takes it."""
    if not isinstance(system, Network):
        raise RequestError("SC404", "only networks of processes have events", suggestion="ask for an invariant")
    from sweepcheck.models.processes.parsing import parse_pattern

    found = of_pattern(text, parse_pattern(text))
    system.observing([found])  # which checks that the events are there
    return found


def show(session: Session, saved: SavedTrace, form: str, full: bool) -> None:
    """Print a saved trace."""
    if form == "json":
        session.result(json.dumps(saved.to_json(), indent=2))
    elif form == "mermaid":
        session.result(trace_to_mermaid(saved.trace).rstrip("\n"))
    else:
        given = "".join(f" {name}={text}" for name, text in saved.parameters.items())
        title = run_title(len(saved.trace.steps))
        if saved.claim is not None:
            title = evidence_title(*saved.claim, len(saved.trace.steps))
        width = terminal_width() if sys.stdout.isatty() else None
        session.painted(f"{saved.model}{given}\n{title}\n{trace_to_text(saved.trace, full, width)}")


def _decided(claim: Claim) -> str:
    return "shown to hold" if claim.status == "holds" else "violated"
