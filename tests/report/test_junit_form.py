"""JUnit files keep to what the schemas of Jenkins and of Ant have in common: elements in their places, with the
attributes that either requires and none that one of them does not know.
"""

import re
from xml.etree import ElementTree

import pytest

from sweepcheck import Limits, Model, check, require
from sweepcheck.errors import RequestError
from sweepcheck.report.findings import Answer
from sweepcheck.report.junit import answers_to_junit

TEXT, WHOLE, DECIMAL = r"(?s).*", r"\d+", r"\d+(\.\d+)?"
STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"
COUNTS = dict.fromkeys(("tests", "failures", "errors", "skipped", "id"), WHOLE)
# Element: the attributes that it has, and how often each of its children is there, in their order.
FORM = {
    "testsuites": ({}, {"testsuite": "*"}),
    "testsuite": (
        {"name": r"(?s).+", **COUNTS, "time": DECIMAL, "timestamp": STAMP, "hostname": r"\w+", "package": TEXT},
        {"properties": "1", "testcase": "*", "system-out": "1", "system-err": "1"},
    ),
    "testcase": ({"name": TEXT, "classname": TEXT, "time": DECIMAL}, {"error": "?", "failure": "?"}),
    "properties": ({}, {"property": "*"}),
    "property": ({"name": r"\w+", "value": TEXT}, {}),
    **{outcome: ({"message": TEXT, "type": TEXT}, {}) for outcome in ("error", "failure")},
    **{output: ({}, {}) for output in ("system-out", "system-err")},
}


def keeps_to_the_form(element: ElementTree.Element) -> None:
    attributes, children = FORM[element.tag]
    assert set(element.keys()) == set(attributes), element.tag
    for name, value in element.items():
        assert re.fullmatch(attributes[name], value), (element.tag, name, value)
    places = [list(children).index(child.tag) for child in element]
    assert places == sorted(places)
    for tag, often in children.items():
        found = len(element.findall(tag))
        assert often == "*" or found == 1 or (found == 0 and often == "?"), (element.tag, tag)
    assert len(element) < 2 or element.tag != "testcase"
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
            for counted, outcome in (("failures", "failure"), ("errors", "error")):
                assert int(suite.get(counted)) == len(list(suite.iter(outcome)))
            assert len({case.get("name") for case in cases}) == len(cases)
