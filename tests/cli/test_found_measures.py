"""The commands that find measures: what they print, as text and as JSON that the schema knows."""

import json

import jsonschema
import pytest

from sweepcheck.planner import automatic
from sweepcheck.report.json import json_schema

WORK = """
from sweepcheck import Model, require

def work(jobs=6):
    m = Model("work", waiting=jobs, done=0, tool="free")

    @m.action
    def begin(s):
        require(s.tool == "free" and s.waiting > 0)
        s.tool, s.waiting = "taken", s.waiting - 1

    @m.action
    def end(s):
        require(s.tool == "taken")
        s.tool, s.done = "free", s.done + 1

    m.invariant("never more", lambda s: s.done <= jobs)
    m.always_possible("all done", lambda s: s.done == jobs)
    return m

def coin():
    m = Model("coin", up=False)

    @m.action
    def flip(s):
        s.up = not s.up

    m.invariant("either", lambda s: s.up in (True, False))
    return m
"""


@pytest.fixture
def model(folder, monkeypatch) -> str:
    monkeypatch.setattr(automatic, "FIRST_STATES", 1)
    (folder / "work.py").write_text(WORK, encoding="utf-8")
    return str(folder / "work.py")


def test_the_best_candidate_is_a_line_to_paste(run, model, folder) -> None:
    ended = run("progress", model)
    assert ended.code == 0
    line = next(line for line in ended.out.splitlines() if line.startswith("paste")).removeprefix("paste").strip()
    assert line.startswith("m.progress(lambda s: ")
    pasted = WORK.replace("    return m\n", f"    {line}\n    return m\n", 1)
    (folder / "pasted.py").write_text(pasted, encoding="utf-8")
    swept = json.loads(run("explore", str(folder / "pasted.py:work"), "--format", "json").out)
    assert swept["strategy"] == "generalised"
    assert swept["statistics"]["peak"] < 5


def test_the_candidates_as_json(run, model) -> None:
    found = json.loads(run("progress", model, "--seed", "3", "--format", "json").out)["discovery"]
    assert found["seed"] == 3
    assert found["chosen"] == 0
    assert found["candidates"][0]["monotone"] == "observed"


def test_a_run_says_what_was_predicted_and_what_came_true(run, model) -> None:
    ended = run("check", model, "--property", "never more", "--progress", "auto", "--strategy", "sweep")
    assert ended.code == 0
    assert "states sampled" in ended.out
    assert "of the states stored at once, give or take" in ended.out
    assert "; it was" in ended.out


@pytest.mark.parametrize("options", [["--progress", "auto"], ["--measure", "auto"], ["--strategy", "generalised"]])
def test_reports_are_as_the_schema_says(run, model, options) -> None:
    ended = run("check", model, "--property", "never more", *options, "--format", "json")
    report = json.loads(ended.out)
    jsonschema.validate(report, json_schema())
    assert report["discovery"]["candidates"][0]["expression"] == report["measure"]


def test_where_no_measure_is_used_the_report_says_why(run, model) -> None:
    ended = run("check", model, "--progress", "auto")
    assert ended.code == 0
    assert "no measure is used: always_possible 'all done' needs a measure that is proven" in ended.out
    ended = run("check", f"{model}:coin", "--progress", "auto")
    assert ended.code == 0
    assert "no measure is used" in ended.out


def test_learning_on_a_small_instance(run, model) -> None:
    found = json.loads(run("progress", model, "-p", "jobs=9", "--learn-on", "jobs=3", "--format", "json").out)
    assert {one["found_by"] for one in found["discovery"]["candidates"]} == {"learned"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--progress", "auto", "--measure", "done"], "SC404"),
        (["--progress", "auto", "--checkpoint", "somewhere"], "SC404"),
        (["--progress", "auto", "--strategy", "column"], "SC404"),
    ],
)
def test_what_does_not_go_together(run, model, arguments, code) -> None:
    ended = run("check", model, *arguments)
    assert ended.code == 2
    assert f"error[{code}]" in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("command", ["report", "tradeoff"])
def test_other_commands_say_where_measures_are_found(run, model, command) -> None:
    ended = run(command, model, "--measure", "auto")
    assert ended.code == 2
    assert "sweepcheck progress" in ended.err
