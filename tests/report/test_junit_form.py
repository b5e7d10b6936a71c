"""JUnit files keep to what their readers agree on: which elements stand where, with which attributes and order."""

import re
from xml.etree import ElementTree

import pytest

from sweepcheck import Limits, Model, check, require
from sweepcheck.errors import RequestError
from sweepcheck.report.findings import Answer
from sweepcheck.report.junit import answers_to_junit

TEXT, WHOLE, DECIMAL = r"(?s).*", r"\d+", r"\d+(\.\d+)?"
OUTCOME = {"message": TEXT, "type": TEXT}
COUNTS = {"tests": WHOLE, "failures": WHOLE, "errors": WHOLE, "skipped": WHOLE, "time": DECIMAL}
# Element: attributes that it must have, those it may have, and its children in their order.
FORM = {
    "testsuites": ({}, {**COUNTS, "name": TEXT}, ["testsuite"]),
    "testsuite": (
        {"name": TEXT, "tests": WHOLE},
        {**COUNTS, "timestamp": TEXT, "hostname": TEXT},
        ["properties", "testcase", "system-out", "system-err"],
    ),
    "testcase": (
        {"name": TEXT, "classname": TEXT},
        {"time": DECIMAL, "file": TEXT, "line": WHOLE, "assertions": WHOLE},
        ["skipped", "error", "failure", "system-out", "system-err"],
    ),
    "properties": ({}, {}, ["property"]),
    "property": ({"name": TEXT, "value": TEXT}, {}, []),
    **{outcome: ({}, OUTCOME, []) for outcome in ("skipped", "error", "failure")},
    **{output: ({}, {}, []) for output in ("system-out", "system-err")},
}


def keeps_to_the_form(element: ElementTree.Element) -> None:
    required, optional, children = FORM[element.tag]
    assert set(required) <= set(element.keys()), element.tag
    for name, value in element.items():
        assert re.fullmatch({**optional, **required}[name], value), (element.tag, name, value)
    places = [children.index(child.tag) for child in element]
    assert places == sorted(places)
    for child in element:
        keeps_to_the_form(child)


def counter(name: str) -> Model:
    m = Model(name, n=0)

    @m.action
    def tick(s):
        require(s.n < 9)
        s.n += 1

    m.invariant('small <&> "quoted" \x1b[2J', lambda s: s.n < 5)
    m.reachable("nine", lambda s: s.n == 9)
    m.always_possible("nine again", lambda s: s.n == 9)
    return m


@pytest.mark.parametrize("limit", [None, 3])
def test_reports_and_errors(limit):
    name = "counter <&> ]]> \x00"
    report = check(counter(name), keep_going=True, limits=Limits(states=limit))
    error = RequestError("SC401", "there is no <such> thing ]]>")
    answers = [Answer("a.py", report), Answer("b.py", error=error), Answer("c.py", check(counter("c"), []))]
    for given in (answers, answers[:1], answers[1:2]):
        root = ElementTree.fromstring(answers_to_junit(given))
        keeps_to_the_form(root)
        for suite in root.iter("testsuite"):
            cases = list(suite.iter("testcase"))
            assert int(suite.get("tests")) == len(cases)
            for counted, outcome in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                assert int(suite.get(counted, 0)) == len(list(suite.iter(outcome)))
            assert len({case.get("name") for case in cases}) == len(cases)
