"""A report as JUnit XML, for continuous integration: one test case per property.

Violated is a failure with the trace as its text. Inconclusive is an error with the reason: a skipped case would let a
build pass that has shown nothing. Warnings are the output of the suite.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sweepcheck.core.verdict import Status, Verdict
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
            _add_report(root, answer.report)
        if answer.error is not None:
            _add_error(root, answer.error, answer.reference)
    return _written(root)


def report_to_junit(report: Report) -> str:
    """The report as one test suite."""
    return answers_to_junit([Answer(report.model, report)])


def error_to_junit(error: SweepcheckError, name: str) -> str:
    """A request that could not be carried out, as a suite with one error."""
    return answers_to_junit([Answer(name, error=error)])


def _add_report(root: Element, report: Report) -> None:
    statuses = [verdict.status for verdict in report.verdicts]
    suite = {
        "name": report.model,
        "tests": str(len(statuses)),
        "failures": str(statuses.count(Status.VIOLATED)),
        "skipped": "0",
        "errors": str(statuses.count(Status.INCONCLUSIVE)),
        "time": f"{report.statistics.seconds:.3f}",
    }
    element = _suite(root, suite)
    facts = SubElement(element, "properties")
    for name in ("states", "edges", "explored", "peak", "layers", "sweeps"):
        SubElement(facts, "property", name=name, value=str(getattr(report.statistics, name)))
    SubElement(facts, "property", name="complete", value=str(report.complete).lower())
    SubElement(facts, "property", name="parameters", value=_clean(parameters_text(report.parameters)))
    for verdict in report.verdicts:
        _case(element, report, verdict)
    if report.warnings:
        SubElement(element, "system-out").text = _clean(warnings_text(report))


def _add_error(root: Element, error: SweepcheckError, name: str) -> None:
    element = _suite(root, {"name": name, "tests": "1", "failures": "0", "skipped": "0", "errors": "1"})
    case = SubElement(element, "testcase", name=_clean(name), classname="sweepcheck")
    SubElement(case, "error", type=error.code, message=_clean(error.what)).text = _clean(str(error))


def _case(suite: Element, report: Report, verdict: Verdict) -> None:
    name = _clean(property_text(verdict.property.kind, verdict.property.name))
    # All properties are decided in one run, so no single one of them has a time of its own.
    case = SubElement(suite, "testcase", name=name, classname=_clean(report.model), time="0")
    if verdict.status is Status.INCONCLUSIVE:
        SubElement(case, "error", type="inconclusive", message=_clean(f"inconclusive: {verdict.reason}"))
    elif verdict.status is Status.VIOLATED:
        failure = SubElement(case, "failure", type=str(verdict.property.kind), message=_clean(verdict_text(verdict)))
        failure.text = _clean(evidence_text(report, verdict) or "no reachable state satisfies it")


def _suite(root: Element, attributes: dict[str, str]) -> Element:
    return SubElement(root, "testsuite", {name: _clean(value) for name, value in attributes.items()})


def _written(root: Element) -> str:
    """As text of ASCII alone, other characters as references: true to its first line in whatever encoding it goes."""
    indent(root)
    written: bytes = tostring(root, encoding="us-ascii")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + written.decode("ascii")


def _clean(text: str) -> str:
    """Text without control characters: XML has no way to write most of them at all."""
    return visible_lines(text)
