"""A report as JUnit XML, for continuous integration: one test case per property.

Violated is a failure with the trace as its text. Inconclusive and conditional are errors with the reason: a skipped
case would let a build pass that has shown nothing. Warnings are the output of the suite. The form is one that the
schemas of Jenkins and of Ant both allow: where the one leaves something out that the other requires, it is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sweepcheck.core.verdict import Guarantee, Status, Verdict
from sweepcheck.errors import SweepcheckError
from sweepcheck.report.findings import Answer
from sweepcheck.report.report import Report
from sweepcheck.report.text import evidence_text, verdict_text, warnings_text
from sweepcheck.report.values import parameters_text, property_text
from sweepcheck.text import visible_lines


def answers_to_junit(answers: Iterable[Answer]) -> str:
    """One test suite for each model file: a report, or an error."""
    root = Element("testsuites")
    for answer in answers:
        if answer.report is not None:
            cases = [_case(answer.report, verdict) for verdict in answer.report.verdicts]
            _add_suite(root, answer.report.model, cases, answer.report)
        if answer.error is not None:
            _add_suite(root, answer.reference, [_failed(answer.error, answer.reference)])
    return _written(root)


def report_to_junit(report: Report) -> str:
    """The report as one test suite."""
    return answers_to_junit([Answer(report.model, report)])


def error_to_junit(error: SweepcheckError, name: str) -> str:
    """A request that could not be carried out, as a suite with one error."""
    return answers_to_junit([Answer(name, error=error)])


def _add_suite(root: Element, name: str, cases: list[Element], report: Report | None = None) -> None:
    """A suite with its cases: what it says of itself stands before them, its output after them."""
    suite = SubElement(root, "testsuite", name=_clean(name) or "model", package="", id=str(len(root)))
    suite.attrib |= {"tests": str(len(cases)), "skipped": "0"}
    for counted, outcome in (("failures", "failure"), ("errors", "error")):
        suite.set(counted, str(sum(case.find(outcome) is not None for case in cases)))
    seconds = 0 if report is None else report.statistics.seconds
    # The host is none of the reader's business; the schema's word for one that is not known is "localhost".
    suite.attrib |= {"time": f"{seconds:.3f}", "timestamp": _now(), "hostname": "localhost"}
    facts = SubElement(suite, "properties")
    for fact, value in () if report is None else _facts(report):
        SubElement(facts, "property", name=fact, value=_clean(value))
    suite.extend(cases)
    SubElement(suite, "system-out").text = _clean(warnings_text(report)) if report is not None else None
    SubElement(suite, "system-err")


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    for name in ("states", "edges", "explored", "peak", "layers", "sweeps"):
        yield name, str(getattr(report.statistics, name))
    yield "complete", str(report.complete).lower()
    yield "guarantee", str(report.guarantee)
    yield "parameters", parameters_text(report.parameters)


def _failed(error: SweepcheckError, name: str) -> Element:
    case = Element("testcase", name=_clean(name), classname="sweepcheck", time="0")
    SubElement(case, "error", type=error.code, message=_clean(error.what)).text = _clean(str(error))
    return case


def _case(report: Report, verdict: Verdict) -> Element:
    name = _clean(property_text(verdict.property.kind, verdict.property.name))
    # All properties are decided in one run, so no single one of them has a time of its own.
    case = Element("testcase", name=name, classname=_clean(report.model), time="0")
    if verdict.status is Status.INCONCLUSIVE:
        SubElement(case, "error", type="inconclusive", message=_clean(f"inconclusive: {verdict.reason}"))
    elif verdict.status is Status.VIOLATED:
        failure = SubElement(case, "failure", type=str(verdict.property.kind), message=_clean(verdict_text(verdict)))
        failure.text = _clean(evidence_text(report, verdict) or "no reachable state satisfies it")
    elif verdict.guarantee is not Guarantee.EXACT:
        SubElement(case, "error", type=str(verdict.guarantee), message=_clean(verdict_text(verdict)))
    elif verdict.within:
        SubElement(case, "system-out").text = _clean(verdict_text(verdict))
    return case


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _written(root: Element) -> str:
    """As text of ASCII alone, other characters as references: true to its first line in whatever encoding it goes."""
    indent(root)
    written: bytes = tostring(root, encoding="us-ascii")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + written.decode("ascii")


def _clean(text: str) -> str:
    """Text without control characters: XML has no way to write most of them at all."""
    return visible_lines(text)
