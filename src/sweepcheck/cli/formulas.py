"""Formula files, global questions, and the lines that the Model Checking Contest expects as answers."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from sweepcheck.cli.options import Run
from sweepcheck.cli.output import print_report
from sweepcheck.cli.session import INCONCLUSIVE, Session
from sweepcheck.core.model import System
from sweepcheck.core.questions import Answer, Question
from sweepcheck.core.verdict import Guarantee
from sweepcheck.errors import RequestError
from sweepcheck.queries.contest import token_figures
from sweepcheck.queries.formulas import Answers, answer_questions
from sweepcheck.report.report import Report

OTHERS = (
    "names",
    "invariant",
    "reachable",
    "nevers",
    "deadlocks",
    "always_possible",
    "always_eventually",
    "steps",
    "lead_to",
    "ltls",
    "ctls",
    "automata",
)


def answer(session: Session, system: System, run: Run, options: dict[str, Any]) -> int:
    """Answer the questions of a formula file, or global ones, and print the answers."""
    word = "--formulas" if options["formulas"] is not None else "--examination"
    if any(options[name] for name in OTHERS):
        raise RequestError(
            "SC404", f"{word} and properties contradict each other", suggestion="ask for them one after the other"
        )
    for flag, form in (("trace_path", "--trace"), ("plot", "--plot")):
        if options[flag] is not None:
            raise RequestError("SC404", f"{word} and {form} contradict each other", suggestion="give one of them")
    questions = _questions(session, system, options)
    given = {"trace": session.format == "text" and options["formulas"] is not None, **run.options}
    with session.watching(run.live_measure(system)) as observer:
        found = answer_questions(system, questions, observer=observer, **given)
    _print(session, found, run)
    return INCONCLUSIVE if any(one.value is None for one in found.answers) else 0


def _questions(session: Session, system: System, options: dict[str, Any]) -> tuple[Question, ...]:
    from sweepcheck.models.pnml.examinations import global_questions  # few ask for any
    from sweepcheck.models.pnml.formulas import read_formulas

    if options["formulas"] is None:
        return global_questions(options["examinations"], system)
    if options["examinations"]:
        raise RequestError(
            "SC404", "--formulas and --examination contradict each other", suggestion="ask one after the other"
        )
    return read_formulas(options["formulas"], system, session.files)


def _print(session: Session, found: Answers, run: Run) -> None:
    if session.format == "mcc":
        for one in found.answers:
            session.result(contest_line(one, found.report))
    elif session.format == "json":
        listed = [{"name": one.name, "answer": one.value, "reason": one.reason} for one in found.answers]
        session.result(json.dumps({"formulas": listed, "report": found.report.to_json()}, indent=2))
    elif session.format == "text":
        width = max(len(one.name) for one in found.answers)
        rows = [f"{one.name:<{width}}  {'unknown' if one.value is None else one}" for one in found.answers]
        rows = [f"{row}: {one.reason}" if one.reason else row for row, one in zip(rows, found.answers, strict=True)]
        session.painted("\n".join(rows) + "\n")
        single = {one.name for one in found.answers}  # global questions have a part for each place or transition
        shown = tuple(one for one in found.report.verdicts if one.property.name in single)
        print_report(session, replace(found.report, verdicts=shown), profile=run.profile)
    else:
        print_report(session, found.report)


def contest_line(one: Answer, report: Report) -> str:
    """An answer as the contest expects it."""
    return f"FORMULA {one.name} {one}" + ("" if one.value is None else f" TECHNIQUES {techniques(report)}")


def techniques(report: Report) -> str:
    """What the contest calls the ways by which answers are found."""
    words = ["EXPLICIT"]
    words += ["UNFOLDING_TO_PT"] if report.system.representation() is not None else []
    return " ".join([*words, "PARALLEL_PROCESSING" if report.statistics.workers > 1 else "SEQUENTIAL_PROCESSING"])


def count_for_contest(session: Session, run: Run, system: System) -> int:
    """Explore, and print the figures of the examination StateSpace."""
    with session.watching(run.live_measure(system)) as observer:
        figures, report = token_figures(system, observer=observer, **run.options)
    exact = report.complete and report.guarantee is Guarantee.EXACT
    for name, value in figures.items():
        session.result(
            f"STATE_SPACE {name} {value} TECHNIQUES {techniques(report)}"
            if exact
            else f"STATE_SPACE {name} CANNOT_COMPUTE"
        )
    return 0 if exact else INCONCLUSIVE
