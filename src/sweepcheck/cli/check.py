"""`sweepcheck check`: decide properties of a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from sweepcheck.api import check
from sweepcheck.cli.formulas import answer
from sweepcheck.cli.options import FOLDER, MEMORY, Run, check_options, gather, loaded, loudness_options
from sweepcheck.cli.output import FORMS, OutputFile, as_form, print_report
from sweepcheck.cli.page import Page, page_options
from sweepcheck.cli.session import Session, session_of
from sweepcheck.cli.several import check_all, exit_code, worst
from sweepcheck.cli.tracefile import TraceFile
from sweepcheck.cli.words import property_words
from sweepcheck.core.automaton import Automaton
from sweepcheck.core.files import NotTextError, read_text
from sweepcheck.core.limits import FileLimits
from sweepcheck.core.model import System
from sweepcheck.core.property import Kind, Property
from sweepcheck.errors import ModelError, RequestError, SweepcheckError
from sweepcheck.logic.hoa import read_hoa
from sweepcheck.properties import (
    always_eventually,
    always_possible,
    ctl,
    deadlock,
    invariant,
    leads_to,
    ltl,
    reachable,
    step,
)
from sweepcheck.properties.expression import expression, step_expression
from sweepcheck.properties.ltl import never_accepted
from sweepcheck.properties.never import of_pattern
from sweepcheck.report.findings import Answer
from sweepcheck.report.plot import check_plot, report_to_plot
from sweepcheck.report.report import Report

EXPRESSION_FLAGS = (invariant, reachable, always_possible, always_eventually)  # --invariant EXPR, and so on


@click.command("check", short_help="Decide properties of a model.")
@check_options
@click.option(
    "--property", "names", multiple=True, metavar="NAME", shell_complete=property_words,
    help="Check this declared property; repeatable.",
)  # fmt: skip
@click.option("--invariant", multiple=True, metavar="EXPR", help="Every reachable state satisfies EXPR.")
@click.option("--reachable", multiple=True, metavar="EXPR", help="Some reachable state satisfies EXPR.")
@click.option(
    "--never", "nevers", multiple=True, metavar="EVENTS",
    help="These events never come (processes): \"a\", \"a after b\", \"a after b without c\", \"a before b\".",
)  # fmt: skip
@click.option("--deadlock", "deadlocks", is_flag=True, help="No state is stuck, save those declared to be final.")
@click.option(
    "--always-possible",
    multiple=True,
    metavar="EXPR",
    help="From every state one that satisfies EXPR can be reached (AG EF).",
)
@click.option(
    "--always-eventually",
    multiple=True,
    metavar="EXPR",
    help="From every state every run meets one that satisfies EXPR (AG AF).",
)
@click.option(
    "--leads-to",
    "lead_to",
    multiple=True,
    metavar="P ~> Q",
    help="Every state that satisfies P is followed, on every run, by one that satisfies Q: AG(P -> AF Q).",
)
@click.option(
    "--step", "steps", multiple=True, metavar="EXPR",
    help="Every step satisfies EXPR, Python over `old`, `new` and `action`: \"new.clock >= old.clock\".",
)  # fmt: skip
@click.option(
    "--ltl", "ltls", multiple=True, metavar="FORMULA", help='Every run satisfies it: "G (waiting -> F served)".'
)
@click.option(
    "--ctl", "ctls", multiple=True, metavar="FORMULA",
    help="Every initial state satisfies it: \"AG (sent -> EF received)\".",
)  # fmt: skip
@click.option(
    "--never-hoa", "automata", multiple=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.hoa",
    help="No run is accepted by the automaton in FILE.hoa.",
)  # fmt: skip
@click.option(
    "--disk-limit", type=MEMORY, metavar="SIZE",
    help="Let the temporary file of edges that CTL needs take this much: bytes, or 500M, 2G.",
)  # fmt: skip
@click.option("--no-disk", is_flag=True, help="Keep these edges in memory.")
@click.option(
    "--fair",
    multiple=True,
    metavar="ACTION",
    help='No run ignores ACTION for ever while it stays enabled; "strong ACTION": nor if it is again and again; '
    '"A + B": both together; "A of x, y": only steps that change x or y count, of "*" those that change anything; '
    "repeatable. Replaces what the model declares.",
)
@click.option("--no-fairness", is_flag=True, help="Any run counts, whatever the model declares to be fair.")
@click.option(
    "--stuttering/--no-stuttering", default=None,
    help="A run may end in any state, unless fairness forbids it; deadlocks are as before.  [default: as declared]",
)  # fmt: skip
@click.option(
    "--keep-going", is_flag=True, default=None, help="Do not stop at the first violation: decide every property."
)
@click.option(
    "--trace", "trace_path", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Save the trace: as .json (for `sweepcheck trace`), for tools of others (.itf.json), or as a Mermaid "
    "diagram (.mmd).",
)  # fmt: skip
@click.option("--trace-full", is_flag=True, help="Print every step of long traces, each with the whole state after it.")
@click.option(
    "--shorten", is_flag=True, default=None,
    help="Explore again, breadth first, for the shortest trace to a state that decides the same property.",
)  # fmt: skip
@click.option(
    "--fewest-switches", is_flag=True,
    help="Look for the trace in which another process, module or member of a family takes over least often.",
)  # fmt: skip
@click.option(
    "--formulas", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.xml",
    help="Answer the questions of a formula file of the Model Checking Contest, about a net of a PNML file.",
)  # fmt: skip
@click.option(
    "--examination", "examinations", multiple=True,
    type=click.Choice(
        ["ReachabilityDeadlock", "QuasiLiveness", "StableMarking", "Liveness", "OneSafe", "GlobalProperties"]
    ),
    help="Answer a global question of the Model Checking Contest about a net, or all of them; repeatable.",
)  # fmt: skip
@click.option("--no-trace", is_flag=True, help="Keep no trace: a little faster, and no file grows.")
@click.option(
    "--trace-dir", type=FOLDER, metavar="DIR",
    help="Keep the file of parents here.  [default: a temporary folder]",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice([*FORMS, "mcc"]), default="text", show_default=True)
@click.option(
    "-o", "--output", "outputs", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", multiple=True,
    help="Also write the report to FILE: .json, .jsonl, .xml (JUnit), .sarif, .html or .txt; repeatable.",
)  # fmt: skip
@page_options
@loudness_options
@click.pass_context
def command(context: click.Context, /, form: str, quiet: bool, verbose: bool, **options: Any) -> int:
    """Decide properties of the model in FILE.py, or in each of several files.

    Without --property, --invariant, --reachable, --never, --deadlock, --step, --always-possible, --always-eventually,
    --leads-to, --ltl, --ctl or --never-hoa every property that the model declares is checked; with any of them, only
    what they ask for.

    \b
    Examples:
      sweepcheck check examples/communication_protocol.py --keep-going
      sweepcheck check protocol.py -p packets=20 --invariant "receiver <= packets + 1"
      sweepcheck check model.py:factory --deadlock --trace stuck.json
      sweepcheck check model.py --always-eventually "delivered" --fair deliver
      sweepcheck check model.py --leads-to "waiting ~> served" --fair "strong serve"
      sweepcheck check model.py --ltl "G F {s.turn == 0}" --ctl "AG (waiting -> EF served)"
      sweepcheck check system.psl --never "commit after abort"
      sweepcheck check models/*.py --time-limit 10m --memory-limit 2G -o report.xml -o report.sarif
      sweepcheck check net.pnml --invariant "enabled('Send') or len(Wait) > 0"
      sweepcheck check examples/protocol.cpn --invariant "size(Protocol'A) <= 2"
      sweepcheck check net.pnml --formulas ReachabilityCardinality.xml --format mcc
      sweepcheck check net.pnml --examination GlobalProperties --format mcc

    FILE.py holds a model, or a function that returns one; name it if there are several. In its place may stand a
    process file (.psl), a network (.network), an LTS (.aut), a Petri net (.pnml) or a file of CPN Tools (.cpn).
    Expressions are Python over the model's variables (the places of a net, the components of a network) and parameters,
    for files of CPN Tools also CPN ML; enabled("send", 2) says whether an action is. A formula file asks questions, and
    FALSE is an answer: only what has none makes the exit code 3.

    \b
    Exit codes: 0 all hold exactly, 1 violated, 2 bad request or model, 3 inconclusive or conditional, 70 internal,
    130 interrupted.
    Of several files the worst, in the order 0, 3, 1, 2, 130.
    """
    session = session_of(context)
    session.format, session.quiet, session.verbose = form, quiet, verbose
    options["fair"] = asked_fairness(options["fair"], options["no_fairness"])
    options["trace"] = False if options["no_trace"] else None
    if options["trace_path"] is not None and options["no_trace"]:
        raise RequestError("SC404", "--trace and --no-trace contradict each other", suggestion="give one of them")
    if options["fewest_switches"]:
        if options["shorten"]:
            raise RequestError("SC404", "--shorten and --fewest-switches contradict each other", suggestion="give one")
        options["shorten"] = "switches"
    outputs = [OutputFile(path) for path in options["outputs"]]
    page = Page.asked(options)
    references: tuple[str, ...] = options.pop("references")
    runs = [gather({**options, "reference": reference}) for reference in references]
    if options["formulas"] is not None or options["examinations"]:
        refuse_one_folder(options)
        if len(runs) > 1 or outputs:
            raise RequestError(
                "SC404", "questions of the contest are for one net, without -o", suggestion="ask one after the other"
            )
        session.subject = runs[0].reference
        return answer(session, *loaded(runs[0], session), options)
    if form == "mcc":
        raise RequestError(
            "SC404",
            "--format mcc prints answers to questions of the contest",
            suggestion="add --formulas FILE.xml, or --examination GlobalProperties",
        )
    if len(runs) > 1:
        refuse_one_folder(options)
        answers = check_all(session, runs, options, decide)
        write_all(session, outputs, page, answers)
        return worst(answers)
    session.subject = runs[0].reference
    try:
        found = Answer(runs[0].reference, decide(session, runs[0], options))
    except SweepcheckError as error:
        write_all(session, outputs, page, [Answer(runs[0].reference, error=error)])
        raise
    write_all(session, outputs, page, [found])
    return exit_code(found)


def decide(session: Session, run: Run, options: dict[str, Any]) -> Report:
    """Check what can be checked before the run, run, print, save."""
    system, run = loaded(run, session)
    properties = asked_properties(system, options, session.files)
    trace_file = None if options["trace_path"] is None else TraceFile(options["trace_path"])
    if run.plot is not None:
        check_plot(run.plot)
    with session.watching(run.live_measure(system)) as observer:
        report = check(system, properties, observer=observer, **run.options)
    # Printed first: whatever goes wrong with a file afterwards, the answer is not lost.
    if not options.get("several") or not session.for_machines:
        print_report(session, report, full=options["trace_full"], profile=run.profile)
    if trace_file is not None:
        for line in trace_file.save(report, run.reference):
            session.note(line)
    if run.plot is not None:
        report_to_plot(report, run.plot)
        session.note(f"plot written to {run.plot}")
    return report


def write_all(session: Session, outputs: Sequence[OutputFile], page: Page, answers: Sequence[Answer]) -> None:
    """Write the report files that were asked for, and the page. One that cannot be written takes no other with it."""
    errors: list[SweepcheckError] = []
    for output in outputs:
        try:
            output.write(answers)
            session.note(f"report written to {output.path}")
        except SweepcheckError as error:
            errors.append(error)
    reports = [one.report for one in answers if one.report is not None]
    page.write(session, lambda: as_form(answers, "html"), reports)
    if errors:
        raise errors[0]


def refuse_one_folder(options: dict[str, Any]) -> None:
    """A folder of checkpoints is for one run."""
    if options["checkpoint"] is not None:
        raise RequestError(
            "SC418",
            "--checkpoint is for one model",
            suggestion="check one after the other, each with a folder of its own",
        )


def asked_fairness(actions: tuple[str, ...], none: bool) -> tuple[str, ...] | None:
    """The actions that runs are fair to; None, which means those that the model declares, without any flag."""
    if actions and none:
        raise RequestError("SC404", "--fair and --no-fairness contradict each other", suggestion="give one of them")
    return actions if actions or none else None


def predicate(system: System, text: str) -> Callable[[Any], object]:
    """An expression over the model's variables; of a network's, a formula where it is one."""
    found = system.condition(text)
    return expression(system, text) if found is None else found


def sides(system: System, text: str) -> tuple[Callable[[Any], object], Callable[[Any], object]]:
    """What leads to what, as `P ~> Q` says it."""
    before, arrow, after = text.partition("~>")
    if not arrow or "~>" in after:
        raise RequestError(
            "SC402", f"{text!r} does not say what leads to what", suggestion='write --leads-to "waiting ~> served"'
        )
    return predicate(system, before.strip()), predicate(system, after.strip())


def read_automaton(path: Path, limits: FileLimits) -> Automaton:
    """The automaton in a file."""
    try:
        return read_hoa(read_text(path, limits), path.name)
    except (OSError, NotTextError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ModelError("SC238", f"{path} cannot be read: {reason}", suggestion="give a file in HOA") from None


def told_apart(asked: list[Property | str]) -> list[Property | str]:
    """The same properties; of those that ask different things with the same words, each has its kind in its name."""
    names = Counter(one if isinstance(one, str) else one.name for one in asked)
    return [
        one if isinstance(one, str) or names[one.name] == 1 else replace(one, name=f"{one.kind}: {one.name}")
        for one in asked
    ]


def asked_properties(system: System, options: dict[str, Any], files: FileLimits) -> list[Property | str] | None:
    """The properties asked for by flags; None, which means all declared ones, without any flag."""
    asked: list[Property | str] = list(dict.fromkeys(options["names"]))
    for make in EXPRESSION_FLAGS:
        asked += [make(text, predicate(system, text)) for text in dict.fromkeys(options[make.__name__])]
    asked += [leads_to(text, *sides(system, text)) for text in dict.fromkeys(options["lead_to"])]
    asked += [ltl(text, text) for text in dict.fromkeys(options["ltls"])]
    asked += [ctl(text, text) for text in dict.fromkeys(options["ctls"])]
    asked += [never_accepted(str(path), read_automaton(path, files)) for path in dict.fromkeys(options["automata"])]
    asked += [step(text, step_expression(system, text)) for text in dict.fromkeys(options["steps"])]
    asked += [of_pattern(text, system.pattern(text)) for text in dict.fromkeys(options["nevers"])]
    if options["deadlocks"]:
        declared = [one for one in system.properties if one.kind is Kind.DEADLOCK and one.name not in asked]
        asked += declared or [deadlock()]
    if asked:
        return told_apart(asked)
    if not system.properties:
        raise RequestError(
            "SC401",
            f"the model {system.name!r} declares no property, and none is asked for",
            suggestion="declare one, as in m.invariant(name, predicate), or ask with --invariant EXPR,\n"
            "--reachable EXPR or --deadlock; to count states only: sweepcheck explore",
        )
    return None
