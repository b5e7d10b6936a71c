"""Files for other tools keep to the rules of their formats, for reports and traces of every kind.

The official schemas are not part of this repository. Where a folder has them, SWEEPCHECK_SCHEMAS names it: then what is
written is held against sarif-schema-2.1.0.json (OASIS), junit-10.xsd (Jenkins) and JUnit.xsd (Ant, by Windy Road), and
traces of other tools (*.itf.json) against the rules for traces that are used here.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from itf_rules import keeps_to_itf
from report_models import ferry_model, light_model
from test_junit_form import keeps_to_the_form
from test_page import HOSTILE, channel, clocks, hostile_model, hostile_net, kinds, network, union

from sweepcheck import Bag, Limits, Model, check, ctl, ltl, require
from sweepcheck.core.verdict import Status
from sweepcheck.errors import RequestError
from sweepcheck.report.findings import Answer
from sweepcheck.report.itf import saved_to_itf
from sweepcheck.report.junit import answers_to_junit
from sweepcheck.report.sarif import answers_to_sarif
from sweepcheck.report.saved import saved_trace

SCHEMAS = Path(os.environ.get("SWEEPCHECK_SCHEMAS", "/nonexistent"))
ODD = f"{HOSTILE}\ud800\ufffe]]>\x00"


def odd_model():
    """Names and values that formats have no way to write, or take for something else."""
    m = Model("", text="", log=Bag())

    @m.action(who=("x", None))
    def go(s, who):
        require(s.text == "")
        s.text = ODD
        s.log.add((ODD, who))

    m.invariant(ODD, lambda s: not s.text)
    return m


def answers():
    """What may come of a request: each status, kind of property and kind of model, errors, and nothing at all."""
    trees = [ctl("t", "AG EF {colour == 'green'}"), ctl("b", "EG AF EX {asked}"), ltl("l", "G F {colour == 'amber'}")]
    yield from (
        Answer(f"{name}.py", report)
        for name, report in {
            "ferry": check(ferry_model(), keep_going=True),
            "ferry holds": check(ferry_model(capacity=3), ["not crowded"]),
            "ferry stopped": check(ferry_model(), limits=Limits(states=2)),
            "lasso": check(light_model()),
            "lasso without end": check(light_model(stuck=True)),
            "formulas": check(light_model(), trees, keep_going=True),
            "net": check(channel()),
            "timed net": check(clocks()),
            "union": check(union()),
            "network": check(network()),
            "hostile": check(hostile_model(), keep_going=True),
            "hostile net": check(hostile_net()),
            "odd": check(odd_model()),
            "kinds": check(kinds()),
            "nothing asked": check(ferry_model(), []),
        }.items()
    )
    yield Answer(f"dir with space/{ODD}.py", error=RequestError("SC401", ODD, where=ODD))
    yield Answer("bare.py:factory", error=RequestError("SC401", "there is none", where="bare.py:12"))


@pytest.fixture(scope="module")
def documents():
    """Files about nothing, about each answer, and about all of them."""
    found = list(answers())
    return [[], *([one] for one in found), found]


def traces(found):
    for answer in found:
        for verdict in () if answer.report is None else answer.report.verdicts:
            if verdict.status is Status.VIOLATED and verdict.trace is not None:
                yield json.loads(json.dumps(saved_to_itf(saved_trace(answer.report, verdict, answer.reference))))


def official(name):
    if not (SCHEMAS / name).is_file():
        pytest.skip(f"SWEEPCHECK_SCHEMAS names no folder with {name}")
    return SCHEMAS / name


def test_traces(documents):
    found = list(traces(documents[-1]))
    assert len(found) > 10
    assert any("loop" in trace for trace in found)
    for trace in found:
        keeps_to_itf(trace)


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("vars", ["x", "x"]),
        ("vars", ["x", "y"]),
        ("vars", ["#x"]),
        ("loop", 1),
        ("states", []),
        ("states", [{"x": None}]),
        ("states", [{"x": 0.5}]),
        ("states", [{"x": {"#bigint": "1.0"}}]),
        ("states", [{"x": {"#map": [["a", "b"], ["a", "c"]]}}]),
        ("states", [{"x": {"#set": ["a"], "b": "c"}}]),
        ("states", [{"x": {"#other": "a"}}]),
        ("states", [{"x": "a", "y": "b"}]),
        ("other", []),
    ],
)
def test_rules_for_traces_are_kept_by_some_and_not_by_others(part, wrong):
    right = {"#meta": {}, "vars": ["x"], "states": [{"#meta": {"index": 0}, "x": {"#tup": []}}]}
    keeps_to_itf(right)
    with pytest.raises((AssertionError, ValueError)):
        keeps_to_itf({**right, part: wrong})


def test_rules_for_traces_are_kept_by_other_tools():
    found = sorted(SCHEMAS.glob("*.itf.json"))
    if not found:
        pytest.skip("SWEEPCHECK_SCHEMAS names no folder with *.itf.json")
    for path in found:
        keeps_to_itf(json.loads(path.read_text("utf-8")))


def test_junit(documents):
    for given in documents:
        keeps_to_the_form(ElementTree.fromstring(answers_to_junit(given)))


@pytest.mark.parametrize("name", ["junit-10.xsd", "JUnit.xsd"])
def test_junit_by_its_schemas(name, documents, tmp_path):
    schema = official(name)
    if shutil.which("xmllint") is None:
        pytest.skip("there is no xmllint")
    for number, given in enumerate(documents):
        (tmp_path / f"{number}.xml").write_text(answers_to_junit(given), encoding="utf-8")
    command = ["xmllint", "--noout", "--schema", str(schema), *map(str, tmp_path.glob("*.xml"))]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_sarif_by_its_schema(documents):
    schema = json.loads(official("sarif-schema-2.1.0.json").read_text("utf-8"))
    validator = jsonschema.validators.validator_for(schema)
    for given in documents:
        validator(schema, format_checker=validator.FORMAT_CHECKER).validate(json.loads(answers_to_sarif(given)))
