"""Answers to the questions of a formula file, all from one exploration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sweepcheck.api import report_on
from sweepcheck.core.model import System
from sweepcheck.core.plan import Counted, Tally
from sweepcheck.core.property import Kind
from sweepcheck.core.questions import Answer, Question
from sweepcheck.core.request import Request
from sweepcheck.core.verdict import Guarantee, Status, Verdict, strength
from sweepcheck.report.report import Report


class Answers(NamedTuple):
    """An answer to each question, and the report on the run they are from."""

    answers: tuple[Answer, ...]
    report: Report


def answer_questions(system: System, questions: Sequence[Question], **options: Any) -> Answers:
    """Explore once, and answer all of them. The options are those of `check`.

    Those of LTL are answered one after the other: automata that read along together would multiply the states.
    """
    properties = [one.property for one in questions if one.property is not None and one.property.kind is not Kind.LTL]
    bounds = [one for one in questions if one.bound is not None]
    tallies = tuple(Tally(one.bound) for one in bounds if one.bound is not None)
    report = report_on(system, Request(properties, tallies=tallies, **{"keep_going": True, **options}))
    verdicts = {one.property.name: one for one in report.verdicts}
    for one in questions:
        if one.property is not None and one.property.kind is Kind.LTL:
            report = report_on(system, Request([one.property], **{"keep_going": True, **options}))
            verdicts[one.name] = report.verdicts[0]
    counted = dict(zip((one.name for one in bounds), report.tallies, strict=True))
    return Answers(tuple(_answer(one, verdicts, counted, report) for one in questions), report)


def _answer(one: Question, verdicts: dict[str, Verdict], counted: dict[str, Counted], report: Report) -> Answer:
    if one.known is not None:
        return Answer(one.name, one.known)
    if one.bound is not None:
        return _bound(one.name, counted[one.name], report)
    if one.property is None:
        return Answer(one.name, None, one.reason)
    verdict = verdicts[one.name]
    if verdict.status is Status.INCONCLUSIVE:
        return Answer(one.name, None, verdict.reason)
    return Answer(one.name, (verdict.status is Status.HOLDS) is not one.negated)


def _bound(name: str, counted: Counted, report: Report) -> Answer:
    """A bound is known when all states are; until then it is only a number that it is at least."""
    if strength(report.stop) is Guarantee.EXACT:
        return Answer(name, max(value for value, _ in counted.values))
    return Answer(name, None, f"{report.stop}; other states may hold more tokens")
