"""Several models in one call of `check`: each for itself, one summary, and the worst exit code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sweepcheck.cli.options import Run
from sweepcheck.cli.output import print_answers
from sweepcheck.cli.session import BAD_REQUEST, INCONCLUSIVE, INTERRUPTED, Session
from sweepcheck.core.verdict import Status
from sweepcheck.errors import RequestError, StoppedError, SweepcheckError
from sweepcheck.report.findings import Answer
from sweepcheck.report.report import Report
from sweepcheck.report.text import MARKS
from sweepcheck.text import visible

WORSE = (0, INCONCLUSIVE, 1, BAD_REQUEST, INTERRUPTED)
OF_ONE = {"trace_path": "--trace", "trace_dir": "--trace-dir", "plot": "--plot"}  # files that one model writes

Decide = Callable[[Session, Run, dict[str, Any]], Report]


def check_all(session: Session, runs: Sequence[Run], options: dict[str, Any], decide: Decide) -> list[Answer]:
    """What came of each model; an error in one of them does not keep the others from being checked."""
    for name, option in OF_ONE.items():
        if options[name] is not None:
            what = f"{option} is for one model, and {len(runs)} are given"
            raise RequestError("SC404", what, suggestion="check them one by one, or write reports with -o FILE")
    answers: list[Answer] = []
    for run in runs:
        session.subject = run.reference
        if not session.for_machines:
            session.painted(f"{'' if not answers else chr(10)}{visible(run.reference)}")
        try:
            answers.append(Answer(run.reference, decide(session, run, options | {"several": True})))
        except SweepcheckError as error:
            answers.append(Answer(run.reference, error=error))
            session.told(error)
        if exit_code(answers[-1]) == INTERRUPTED:
            break
    if session.for_machines:
        print_answers(session, answers)
    else:
        session.painted(summary(answers, len(runs)))
    return answers


def exit_code(answer: Answer) -> int:
    """The exit code of one model file."""
    if answer.report is not None:
        return answer.report.exit_code
    return INCONCLUSIVE if isinstance(answer.error, StoppedError) else BAD_REQUEST


def worst(answers: Sequence[Answer]) -> int:
    """The exit code of all of them."""
    return max(map(exit_code, answers), key=WORSE.index)


def summary(answers: Sequence[Answer], asked: int) -> str:
    """A line for each model, and how many are well."""
    column = max(len(visible(answer.reference)) for answer in answers)
    rows = [f"{_mark(answer)} {visible(answer.reference):<{column}}  {_words(answer)}" for answer in answers]
    good = sum(exit_code(answer) == 0 for answer in answers)
    left = f", {asked - len(answers)} not looked at" if asked > len(answers) else ""
    return "\n".join(["", *rows, f"{good} of {asked} models: everything holds{left}"])


def _mark(answer: Answer) -> str:
    return {0: MARKS[Status.HOLDS], INCONCLUSIVE: MARKS[Status.INCONCLUSIVE]}.get(exit_code(answer), "✗")


def _words(answer: Answer) -> str:
    """How many properties got which answer."""
    if answer.report is None:
        return f"error {answer.error.code}" if answer.error is not None else "nothing"
    statuses = [verdict.status for verdict in answer.report.verdicts]
    return ", ".join(f"{statuses.count(status)} {status}" for status in Status if status in statuses)
