"""Findings as SARIF 2.1.0, which code scanning reads: a result for each property, with its trace as a code flow."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from typing import Any
from urllib.parse import quote

from sweepcheck.core.property import Kind
from sweepcheck.core.verdict import Status
from sweepcheck.errors import CODES
from sweepcheck.report.findings import Answer, Finding, Place, findings
from sweepcheck.text import visible, visible_lines

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {Status.VIOLATED: "error", Status.INCONCLUSIVE: "warning", Status.HOLDS: "warning", None: "error"}
MOST_STEPS = 1000  # of a trace: readers refuse files with very many locations
ABOUT = {
    Kind.INVARIANT: "Every reachable state satisfies it.",
    Kind.REACHABLE: "Some reachable state satisfies it.",
    Kind.DEADLOCK: "No state is stuck, save those that may be final.",
    Kind.STEP: "Every step satisfies it.",
    Kind.ALWAYS_POSSIBLE: "From every state one that satisfies it can be reached.",
    Kind.ALWAYS_EVENTUALLY: "From every state every run meets one that satisfies it.",
    Kind.LEADS_TO: "Every run that meets a state of the one kind meets one of the other, then or later.",
    Kind.LTL: "Every run satisfies the formula.",
    Kind.CTL: "Every initial state satisfies the formula, which is about the tree of runs.",
    Kind.ASSERTION: "What an action asserts is true whenever it happens.",
}


def answers_to_sarif(answers: Sequence[Answer]) -> str:
    """One run with all that was found about some model files."""
    found = [finding for answer in answers for finding in findings(answer)]
    rules = list(dict.fromkeys(finding.rule for finding in found))
    run = {
        "tool": {"driver": {"name": "sweepcheck", "version": _version(), "rules": [_rule(rule) for rule in rules]}},
        "invocations": [{"executionSuccessful": all(answer.error is None for answer in answers)}],
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, rules.index(finding.rule)) for finding in found],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # is slow to load

    try:
        return version("sweepcheck")
    except PackageNotFoundError:  # it runs from its sources
        return "0"


def _rule(name: str) -> dict[str, Any]:
    about = CODES.get(name) or ABOUT[Kind(name)]
    return {"id": name, "shortDescription": {"text": about}}


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "kind": "pass" if finding.shown else "fail",  # only a failure may have a level
        "level": "none" if finding.shown else LEVELS[finding.status],
        "message": {"text": visible_lines(finding.text)},
        "locations": [_location(finding.place)],
    }
    if finding.steps:
        flow = [_step(number, *step) for number, step in islice(enumerate(finding.steps, start=1), MOST_STEPS)]
        result["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    return result


def _step(number: int, label: str, place: Place) -> dict[str, Any]:
    return {
        "executionOrder": number,
        "location": {**_location(place), "message": {"text": visible(f"{number}. {label}")}},
    }


def _location(place: Place) -> dict[str, Any]:
    uri = quote(visible(place.file))
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": place.line}}}
