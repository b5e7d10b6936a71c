"""`sweepcheck trace`: show a saved trace, and replay it on a model.

A trace is a file of data that anybody may have written, and a model in Python is run when it is loaded. So the model
that a trace names is loaded only if the user gives it, or says yes to it; an expression in a trace is read by rules
of our own and never handed to Python.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Any

import click

from sweepcheck.cli.colour import terminal_width
from sweepcheck.cli.options import ModelReference, file_options
from sweepcheck.cli.page import Page, page_options
from sweepcheck.cli.session import Session, session_of
from sweepcheck.cli.tracefile import read_trace, saved_parameters, trace_as
from sweepcheck.core.fairness import Runs, resolved
from sweepcheck.core.formula import Formula
from sweepcheck.core.model import System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.trace import Trace
from sweepcheck.core.verdict import Decision
from sweepcheck.engines.replay import fails, ignores, replay, walk
from sweepcheck.errors import RequestError, SweepcheckError, TraceError
from sweepcheck.properties import deadlock, of_kind
from sweepcheck.properties.never import of_pattern
from sweepcheck.properties.product import ends_in, product
from sweepcheck.properties.propositions import understood
from sweepcheck.properties.restricted import restricted
from sweepcheck.report.page import saved_to_page
from sweepcheck.report.saved import Claim, SavedTrace, path_on
from sweepcheck.report.text import evidence_title, run_title
from sweepcheck.report.trace import trace_to_text
from sweepcheck.report.values import property_text
from sweepcheck.text import visible

STUTTERING = Runs(stuttering=True)  # whether the run that was saved counts, the answer says


@click.command("trace", short_help="Show a saved trace and replay it.")
@click.argument("path", metavar="FILE.json", type=click.Path(path_type=Path))
@click.option(
    "--model", "reference", metavar="FILE.py[:factory]", type=ModelReference(),
    help="Replay it on this model.  [default: the one the trace names, after asking at a terminal]",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "itf", "mermaid"]), default="text", show_default=True
)
@click.option(
    "--trace-full", is_flag=True, help="Print every step of a long trace, each with the whole state after it."
)
@page_options
@click.option("-q", "--quiet", is_flag=True, help="Replay only; print nothing but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Tracebacks of internal errors.")
@file_options
@click.pass_context
def command(
    context: click.Context,
    /,
    path: Path,
    reference: str | None,
    form: str,
    trace_full: bool,
    quiet: bool,
    verbose: bool,
    **options: Any,
) -> int:
    """Show a trace saved with `check --trace` or `simulate --save`, and replay it on a model.

    A model in Python is run when it is loaded, so the one that the trace names is loaded only after asking. Where
    nobody can be asked, give it with --model; without it the trace is shown as it was saved.

    \b
    Examples:
      sweepcheck trace trace.json
      sweepcheck trace trace.json --model model.py
      sweepcheck trace trace.json --model examples/communication_protocol.py --trace-full
      sweepcheck trace trace.json --format mermaid > trace.mmd
      sweepcheck trace trace.json --format itf > trace.itf.json
      sweepcheck trace trace.json --html trace.html

    \b
    Exit codes: 0 shown (and replayed, if there is a model), 2 broken file or a trace the model cannot do.
    """
    session, page = session_of(context), Page.asked(options)
    session.format = "json" if form in ("json", "itf") else "text"
    session.quiet, session.verbose, session.subject = quiet, verbose, str(path)
    saved = read_trace(path, session.files)
    chosen, why_not = (reference, "") if reference is not None else named_model(saved, path)
    if chosen is None and quiet:
        raise TraceError("SC503", f"{path} cannot be replayed: {why_not}", suggestion="give the model: --model FILE.py")
    outcome = f"not replayed: {why_not}" if chosen is None else replayed(saved, chosen, session)
    if not quiet:
        show(session, saved, form, trace_full)
        session.note(outcome)
    page.write(session, lambda: saved_to_page(saved))
    return 0


def named_model(saved: SavedTrace, path: Path) -> tuple[str | None, str]:
    """The model that a trace names, if it is there and may be loaded; else None, and why not."""
    if saved.reference is None:
        return None, "the trace names no model file; give one with --model"
    filename, factory = saved.reference, ""
    if ".py:" in filename:
        filename, _, factory = filename.rpartition(":")
    places = (Path(filename), path.parent / Path(filename).name)
    there = [place for place in places if os.path.isfile(place)]  # takes any name, also those that no file can have
    if not there:
        return None, f"{visible(filename)} is not here; give the model with --model"
    found = f"{there[0]}:{factory}" if factory else str(there[0])
    question = f"The trace names the model {visible(found)}. Replaying it runs that file; do you trust it?"
    if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        if click.confirm(question, err=True):
            return found, ""
        return None, "the model was not to be run"
    return None, f"no model was given; if you trust {visible(found)}, add --model {visible(shlex.quote(found))}"


def replayed(saved: SavedTrace, chosen: str, session: Session) -> str:
    """Replay a trace on a model; what became of it, in words."""
    system = session.load(chosen, saved_parameters(saved))
    trace, claim = path_on(system, saved.trace), saved.claim
    if claim is not None and claim.kind is Kind.ASSERTION:
        walk(system, trace)
        fate = "fails" if fails(system, trace.states[-1]) else "does not fail any more"
        return f"replayed on {chosen}: {property_text(claim.kind, claim.name)} {fate} at the end"
    asked = None if claim is None else property_of(system, claim)
    if claim is None or asked is None:
        walk(system, trace, STUTTERING)
        open_question = "" if claim is None else f"; {_undecided(claim)}"
        return f"replayed on {chosen}: every step is possible{open_question}"
    system = system.prepared([asked])
    asked = understood(system, asked)
    system = product(system, [asked])
    trace = system.followed(trace)
    replay(system, Decision(asked, claim.status, trace.states[-1], trace), STUTTERING)
    return f"replayed on {chosen}: {property_text(asked.kind, asked.name)} {_decided(system, claim.kind, trace)}"


def property_of(system: System, claim: Claim) -> Property | None:
    """The property a trace is about: a declared one of that kind and name, else one that its name can be read as.

    The name comes from a file: it is read as a condition, a pattern of events or a restricted expression, and None is
    the answer if it is none of them.
    """
    for declared in system.properties:
        if (declared.kind, declared.name) == (claim.kind, claim.name):
            return declared
    if claim.kind is Kind.DEADLOCK:
        if any(declared.kind is Kind.DEADLOCK for declared in system.properties):
            return None  # another name: the states that the model allows to be final may be others too
        return system.completed(deadlock(claim.name))
    if claim.kind in (Kind.STEP, Kind.LEADS_TO) or claim.kind.has_formula:
        return None  # they are about two conditions, or two states, or runs
    for read in (_condition, restricted, _pattern):
        try:
            found = read(system, claim.name)
        except SweepcheckError:
            continue
        return found if isinstance(found, Property) else of_kind(claim.kind, claim.name, found)
    return None


def _condition(system: System, text: str) -> Formula:
    """A name that compares components with locations."""
    found = system.condition(text)
    if found is None:
        raise RequestError("SC402", f"{text!r} is no condition on components", suggestion="compare them with locations")
    return found


def _pattern(system: System, text: str) -> Property:
    """A name that is a pattern of events, as `--never` takes it."""
    found = of_pattern(text, system.pattern(text))
    system.prepared([found])  # which checks that the events are there
    return found


def show(session: Session, saved: SavedTrace, form: str, full: bool) -> None:
    """Print a saved trace."""
    if form != "text":
        session.result(trace_as(saved, form).rstrip("\n"))
    else:
        given = "".join(f" {visible(name)}={visible(text)}" for name, text in saved.parameters.items())
        title = run_title(len(saved.trace.steps))
        if saved.claim is not None:
            title = evidence_title(*saved.claim, len(saved.trace.steps))
        width = terminal_width() if sys.stdout.isatty() else None
        session.painted(f"{visible(saved.model)}{given}\n{title}\n{trace_to_text(saved.trace, full, width)}")


def _undecided(claim: Claim) -> str:
    """What to do about a property that the model does not declare and that cannot be read from the file."""
    asked = property_text(claim.kind, claim.name)
    return f"the model declares no {asked}, and Python in a file is not run: ask `sweepcheck check` again"


def _decided(system: System, kind: Kind, trace: Trace) -> str:
    """What a trace that was replayed shows, and no more than that."""
    if kind.holds_by_witness:
        return "is shown to hold"
    if kind is Kind.ALWAYS_POSSIBLE:
        return "is not satisfied at the end; that it is no longer possible then, only `sweepcheck check` can tell"
    declared = [one for names in system.declared_fairness() for one in resolved(system, names)]
    ignored = [one for one in declared if kind.shown_by_loops and ignores(system, trace, one)]
    if ignored:
        return f"is violated only if any run counts (--no-fairness): the loop ignores {visible(ignored[0].name)}"
    if trace.loop == len(trace.steps) and not (system.declared_stuttering() or ends_in(system, trace.states[-1])):
        return "is violated only if a run may end in any state (--stuttering)"
    return "is violated"
