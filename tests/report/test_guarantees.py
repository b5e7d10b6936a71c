"""An answer that rests on a condition, or is about a constrained system, says so in every form of output."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sweepcheck import (
    Array,
    Guarantee,
    Model,
    Report,
    Status,
    always_possible,
    check,
    explore,
    invariant,
    queries,
    reachable,
    require,
    state_space_report,
)
from sweepcheck.cli.main import main
from sweepcheck.errors import RequirementError
from sweepcheck.report.findings import Answer
from sweepcheck.report.github import answers_to_annotations
from sweepcheck.report.grid import row_of
from sweepcheck.report.html import report_to_html
from sweepcheck.report.json import json_schema
from sweepcheck.report.junit import report_to_junit
from sweepcheck.report.page import answers_to_page
from sweepcheck.report.sarif import answers_to_sarif

ENGINES = ["reference", "native"]
each_engine = pytest.mark.parametrize("engine", ENGINES)
WRONG_KEY = """
from sweepcheck import Model, require


def late(after=5000, low=None):
    m = Model("late", n=0)

    @m.action
    def tick(s):
        require(s.n <= after)
        s.n += 1

    m.equivalence(lambda s: s.n % 2)
    m.deadlock()
    return m


def clock():
    m = Model("clock", n=0)

    @m.action
    def tick(s):
        s.n += 1

    m.constraint("early", lambda s: s.n <= 3)
    m.invariant("low", lambda s: s.n <= 4)
    return m
"""


def late(after: int = 5000) -> Model:
    """A wrong key: the state that stops is one of thousands in its class, and no walk comes so far."""
    m = Model("late", n=0)

    @m.action
    def tick(s):
        require(s.n <= after)
        s.n += 1

    m.equivalence(lambda s: s.n % 2)
    m.deadlock()
    return m


def clock() -> Model:
    m = Model("clock", n=0)

    @m.action
    def tick(s):
        s.n += 1

    m.constraint("early", lambda s: s.n <= 3)
    m.invariant("low", lambda s: s.n <= 4)
    return m


def forms(report: Report) -> dict[str, str]:
    """The report in every form that people or machines read."""
    answer = Answer("model.py", report)
    return {
        "text": repr(report),
        "notebook": report_to_html(report),
        "json": json.dumps(report.to_json(), ensure_ascii=False),
        "junit": report_to_junit(report),
        "sarif": answers_to_sarif([answer]),
        "page": answers_to_page([answer]),
    }


@each_engine
def test_a_key_that_nobody_verified_is_a_condition(engine: str) -> None:
    report = check(late(), engine=engine)
    verdict = report["deadlock"]
    assert (verdict.status, verdict.guarantee) == (Status.HOLDS, Guarantee.CONDITIONAL)
    assert verdict.reason is not None
    assert verdict.reason.startswith("if the declared key is right; ")
    assert "pairs of equivalent states were compared and agreed" in verdict.reason
    assert not verdict
    assert report.exit_code == 3
    assert report.guarantee is Guarantee.CONDITIONAL
    with pytest.raises(RequirementError, match="verify_equivalence=True"):
        report.require()


@each_engine
def test_what_a_wrong_key_makes_of_other_answers(engine: str) -> None:
    """The truth is the other one each time: no answer is called exact."""
    asked = reachable("odd and even", lambda s: s.n % 2 == 5)
    assert check(late(), [asked], engine=engine).verdicts[0].guarantee is Guarantee.CONDITIONAL
    asked = always_possible("even", lambda s: s.n % 2 == 0)
    verdict = check(late(), [asked], engine=engine).verdicts[0]
    assert (verdict.status, verdict.guarantee) == (Status.HOLDS, Guarantee.CONDITIONAL)


@each_engine
def test_that_something_can_be_reached_no_more_is_a_condition_too(engine: str) -> None:
    m = Model("room", inside=False, tries=0)

    @m.action
    def enter(s):
        s.inside = True

    @m.action
    def leave(s):
        require(s.tries == 3000)
        s.inside = False

    @m.action
    def think(s):
        require(s.tries < 3000)
        s.tries += 1

    m.equivalence(lambda s: s.inside)
    verdict = check(m, [always_possible("outside", lambda s: not s.inside)], engine=engine).verdicts[0]
    assert (verdict.status, verdict.guarantee) == (Status.VIOLATED, Guarantee.CONDITIONAL)
    assert verdict.trace is not None
    assert check(m, [invariant("outside", lambda s: not s.inside)], engine=engine).verdicts[0].guarantee == "exact"


@each_engine
def test_verification_makes_it_exact_or_finds_the_mistake(engine: str) -> None:
    with pytest.raises(Exception, match="SC233"):
        check(late(100), verify_equivalence=True, engine=engine)
    m = Model("ring", at=0)

    @m.action
    def pass_on(s):
        s.at = (s.at + 1) % 5

    m.equivalence(lambda s: ())
    m.deadlock()
    report = check(m, verify_equivalence=True, engine=engine)
    assert report["deadlock"].guarantee is Guarantee.EXACT
    assert report["deadlock"].reason is None
    assert (report.exit_code, report.guarantee, bool(report)) == (0, Guarantee.EXACT, True)


@each_engine
def test_a_symmetry_is_verified_however_large_its_classes_are(engine: str) -> None:
    m = Model("six", at=Array(range(6)))

    @m.action(i=range(6), j=range(6))
    def swap(s, i, j):
        require(i != j)
        s.at[i], s.at[j] = s.at[j], s.at[i]

    m.symmetric(range(6), arrays=["at"])
    m.deadlock()
    assert check(m, engine=engine)["deadlock"].guarantee is Guarantee.CONDITIONAL
    report = check(m, verify_equivalence=True, engine=engine)  # 720 states are one class
    assert report.statistics.states == 1
    assert report["deadlock"].guarantee is Guarantee.EXACT


def test_every_form_says_that_it_is_conditional() -> None:
    report = check(late())
    for name, text in forms(report).items():
        assert "conditional" in text, name
        assert "the declared key is right" in text, name
    assert "(exact)" not in repr(report)
    suite = ElementTree.fromstring(report_to_junit(report))[0]
    assert (suite.attrib["failures"], suite.attrib["errors"]) == ("0", "1")
    assert suite.find("testcase/error").attrib["type"] == "conditional"
    result = json.loads(answers_to_sarif([Answer("model.py", report)]))["runs"][0]["results"][0]
    assert (result["kind"], result["level"]) == ("fail", "warning")
    (line,) = answers_to_annotations([Answer("model.py", report)])
    assert line.startswith("::warning")
    row = row_of({}, report)
    assert (row.answer, row.good, row.done) == ("conditional", False, True)


def test_every_form_names_the_constraint() -> None:
    report = check(clock())
    assert (report["low"].guarantee, report["low"].within) == (Guarantee.EXACT, ("early",))
    assert (report.exit_code, bool(report), report.complete) == (0, True, False)
    for name, text in forms(report).items():
        assert "early" in text, name
        assert "1 edge leads outside, to 1 state" in text, name
    assert "(exact, within constraint 'early')" in repr(report)
    verdict = report.to_json()["verdicts"][0]
    assert (verdict["status"], verdict["guarantee"], verdict["within"]) == ("holds", "exact", ["early"])
    assert list(answers_to_annotations([Answer("model.py", report)])) == []
    row = row_of({}, report)
    assert (row.answer, row.stop, row.good) == ("holds", "bounded by a constraint", True)


def test_numbers_are_conditional_as_well() -> None:
    for report in (explore(late()), state_space_report(late()).run):
        assert report.guarantee is Guarantee.CONDITIONAL
        assert report.exit_code == 3
    assert "✓ explored completely (conditional): if the declared key is right; " in repr(explore(late()))
    assert "conditional" in report_to_html(explore(late()))
    assert "conditional" in answers_to_page([Answer("model.py", explore(late()))])
    assert "conditional" in repr(state_space_report(late()))
    sweep = queries.Sweep(late(), strategy="full")
    assert queries.dead_markings(sweep).guarantee is Guarantee.CONDITIONAL
    assert queries.reachable(sweep, lambda s: True).guarantee is Guarantee.CONDITIONAL
    assert queries.home(sweep, lambda s: s.n % 2 == 0).guarantee is Guarantee.CONDITIONAL


def test_the_schema_knows_them() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for report in (check(late()), check(clock()), explore(late())):
        jsonschema.validate(json.loads(json.dumps(report.to_json())), json_schema())


def test_exit_codes_of_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "model.py"
    file.write_text(WRONG_KEY)
    assert main(["check", f"{file}:late", "-q"]) == 3
    assert main(["explore", f"{file}:late", "-q"]) == 3
    assert main(["report", f"{file}:late"]) == 3
    assert main(["check", f"{file}:clock", "-q"]) == 0
    assert main(["explore", f"{file}:clock", "-q"]) == 0
    assert "explored completely within constraint 'early': 5 states, 4 edges" in capsys.readouterr().out
    assert main(["check", f"{file}:late", "-q", "-p", "after=50..60..10"]) == 2
    assert main(["check", f"{file}:late", "-q", "-p", "after=50", "--verify-equivalence"]) == 2
