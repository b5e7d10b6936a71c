"""Answers to the questions of a formula file: all from one exploration, but for those of LTL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from sweepcheck.api import questions_in, report_on
from sweepcheck.core.model import System
from sweepcheck.core.plan import Counted, Tally
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.questions import Answer, Question
from sweepcheck.core.request import Request
from sweepcheck.core.verdict import Guarantee, Status, Verdict
from sweepcheck.errors import RequestError, public, shown
from sweepcheck.queries.folds import Answer as QueryAnswer
from sweepcheck.queries.specification import Sweep, check_sweep
from sweepcheck.report.report import Report


class Answers(NamedTuple):
    """An answer to each question, and the report on the run they are from."""

    answers: tuple[Answer, ...]
    report: Report


@public
def formula_answers(sweep: Sweep, path: Path | str) -> QueryAnswer:
    """The answers to a formula file of the Model Checking Contest about a net, by the names of its formulas.

    An answer is a truth value, a number where a bound is asked for, or None where it is not known.
    """
    check_sweep(sweep)
    if not isinstance(path, str | Path):
        raise RequestError("SC403", f"{shown(path)} is no path", suggestion='give the path of a file: "questions.xml"')
    system = sweep.system()
    questions = questions_in(path, system)
    chosen = replace(sweep, model=system)
    found = _answers(questions, lambda properties, tallies: chosen.run(*tallies, properties=properties))
    answers = {one.name: one.value for one in found.answers}
    return QueryAnswer(answers, found.report.guarantee, (), found.report)


def answer_questions(system: System, questions: Sequence[Question], **options: Any) -> Answers:
    """Answer all of them. The options are those of `check`."""

    def ask(properties: Sequence[Property], tallies: Sequence[Tally]) -> Report:
        return report_on(system, Request(properties, tallies=tuple(tallies), **{"keep_going": True, **options}))

    return _answers(questions, ask)


def _answers(questions: Sequence[Question], ask: Callable[[Sequence[Property], Sequence[Tally]], Report]) -> Answers:
    """Explore once for all but those of LTL, which are answered one after the other: automata that read along together
    would multiply the states.
    """
    parts = [part for one in questions for part in one.parts()]
    asked = [one.property for one in parts if one.property is not None]
    alone = [one for one in asked if one.kind is Kind.LTL]
    together = [one for one in asked if one.kind is not Kind.LTL]
    bounds = [(one.name, Tally(one.bound, idempotent=True)) for one in parts if one.bound is not None]
    reports = [ask([one], []) for one in alone]
    if together or bounds or not reports:
        reports.append(ask(together, [tally for _, tally in bounds]))
    report = reports[-1]
    verdicts = {verdict.property.name: verdict for one in reports for verdict in one.verdicts}
    counted = dict(zip((name for name, _ in bounds), report.tallies, strict=True))
    return Answers(tuple(_answer(one, verdicts, counted, report) for one in questions), report)


def _answer(one: Question, verdicts: dict[str, Verdict], counted: dict[str, Counted], report: Report) -> Answer:
    for group, decides in ((one.every, False), (one.some, True)):
        if group is not None:
            return _combined(one.name, [_answer(part, verdicts, counted, report) for part in group], decides)
    if one.known is not None:
        return Answer(one.name, one.known)
    if one.bound is not None:
        return _bound(one.name, counted[one.name], report)
    if one.property is None:
        return Answer(one.name, None, one.reason)
    verdict = verdicts[one.name]
    if verdict.guarantee is not Guarantee.EXACT or verdict.within:
        return Answer(one.name, None, verdict.reason)
    return Answer(one.name, (verdict.status is Status.HOLDS) is not one.negated)


def _combined(name: str, answers: Sequence[Answer], decides: bool) -> Answer:
    """The answer to a question of several parts, of which one with the deciding answer is enough."""
    found = next((one for one in answers if one.value is decides), None)
    if found is not None:
        return Answer(name, decides, found.name.removeprefix(f"{name}: "))
    unknown = next((one for one in answers if one.value is None), None)
    return Answer(name, not decides) if unknown is None else Answer(name, None, unknown.reason)


def _bound(name: str, counted: Counted, report: Report) -> Answer:
    """A bound is known when all states are; until then it is only a number that it is at least."""
    if report.complete and report.guarantee is Guarantee.EXACT:
        return Answer(name, max(value for value, _ in counted.values))
    return Answer(name, None, report.given or f"{report.stop}; other states may hold more tokens")
