"""`--trace FILE` and `sweepcheck trace`: saved, shown, replayed, and nothing lost."""

import json

import jsonschema
import pytest

from sweepcheck.report.json import json_schema

VIOLATED = ("check", "counter.py:counter", "-p", "top=4", "--invariant", "n < 2")


@pytest.fixture
def saved(run, folder):
    ended = run(*VIOLATED, "--trace", "trace.json")
    assert ended.code == 1
    assert ended.err == "trace of invariant 'n < 2' written to trace.json\n"
    return folder / "trace.json"


def test_the_file_holds_what_is_needed(saved):
    data = json.loads(saved.read_text())
    jsonschema.validate(data, json_schema() | {"$ref": "#/$defs/saved_trace"})
    assert data["reference"] == "counter.py:counter"
    assert data["parameters"] == {"top": "4", "bad": "None", "endless": "False"}
    assert data["property"] == {"kind": "invariant", "name": "n < 2", "status": "violated"}


def test_show_and_replay(run, saved):
    ended = run("trace", saved, "--model", "counter.py:counter")
    assert ended.code == 0
    assert ended.out.splitlines()[:2] == [
        "counter top=4 bad=None endless=False",
        "a counter-example for invariant 'n < 2', 2 steps: its last state does not satisfy it",
    ]
    assert ended.err == "replayed on counter.py:counter: invariant 'n < 2' is violated\n"


def test_declared_properties_deadlocks_and_lassos_replay(run):
    for asked in (["counter.py:light"], ["counter.py:light", "-p", "stuck=True"], ["counter.py:bare", "--deadlock"]):
        assert run("check", *asked, "--trace", "trace.json").code == 1
        ended = run("trace", "trace.json", "--model", asked[0])
        assert ended.code == 0
        assert ended.err.startswith("replayed on counter.py:")


def test_witnesses_replay(run):
    assert run("check", "counter.py:counter", "--reachable", "n == 2", "--trace", "trace.json").code == 0
    ended = run("trace", "trace.json", "--model", "counter.py:counter")
    assert "a witness for reachable 'n == 2'" in ended.out
    assert "reachable 'n == 2' is shown to hold" in ended.err


def test_forms(run, saved):
    assert run("trace", saved, "--format", "json").json == json.loads(saved.read_text())
    assert run("trace", saved, "--format", "mermaid").out.startswith("sequenceDiagram\n")
    assert "n=1 ticks=0" in run("trace", saved, "--trace-full").out
    assert run("trace", saved, "-q", "--model", "counter.py:counter") == (0, "", "")


def test_without_the_model_it_is_shown_and_says_so(run, saved, folder):
    (folder / "counter.py").rename(folder / "moved.py")
    ended = run("trace", saved)
    assert ended.code == 0
    assert "n: 1 -> 2" in ended.out
    assert "not replayed: counter.py is not here" in ended.err
    assert "replayed on moved.py:counter" in run("trace", saved, "--model", "moved.py:counter").err


def test_a_trace_without_reference(run, saved):
    data = json.loads(saved.read_text())
    saved.write_text(json.dumps(data | {"reference": None}))
    assert "names no model file" in run("trace", saved).err


def test_a_property_that_is_gone(run, saved):
    data = json.loads(saved.read_text())
    data["property"]["name"] = "a name, not an expression"
    saved.write_text(json.dumps(data))
    ended = run("trace", saved, "--model", "counter.py:counter")
    assert "every step is possible; the model declares no invariant 'a name, not an expression'" in ended.err


def test_a_model_that_has_changed(run, saved, folder):
    (folder / "counter.py").write_text((folder / "counter.py").read_text().replace("s.n += 1", "s.n += 2"))
    ended = run("trace", saved, "--model", "counter.py:counter")
    assert ended.code == 2
    assert ended.err.startswith("error[SC502]")
    assert "step 1, tick, is not possible" in ended.err


def test_a_trace_that_decides_nothing(run, saved):
    data = json.loads(saved.read_text())
    data["trace"]["steps"].pop()
    saved.write_text(json.dumps(data))  # one truth too many
    assert run("trace", saved, "--model", "counter.py:counter").err.startswith("error[SC501]")
    data["trace"].update(holds={}, progress=None)
    saved.write_text(json.dumps(data))
    assert run("trace", saved, "--model", "counter.py:counter").err.startswith("error[SC502]")


def test_broken_and_missing_files(run, folder):
    (folder / "broken.json").write_text("{")
    for name in ("broken.json", "missing.json"):
        ended = run("trace", name)
        assert ended.code == 2
        assert ended.err.startswith("error[SC501]")
    assert run("trace", "broken.json", "--format", "json").json["error"]["code"] == "SC501"


class TestNothingIsLost:
    def test_a_file_that_is_no_trace_is_not_overwritten(self, run, folder):
        (folder / "notes.json").write_text('{"my": "notes"}')
        ended = run(*VIOLATED, "--trace", "notes.json")
        assert ended.code == 2
        assert ended.err.startswith("error[SC406]")
        assert (folder / "notes.json").read_text() == '{"my": "notes"}'

    def test_an_older_trace_is_replaced_as_a_whole(self, run, saved):
        before = saved.read_text()
        run("check", "counter.py:counter", "--invariant", "n < 1", "--trace", "trace.json")
        assert saved.read_text() != before
        assert run("trace", saved).code == 0

    def test_no_violation_leaves_the_file_alone(self, run, saved):
        before = saved.read_text()
        ended = run("check", "counter.py:counter", "--invariant", "n < 9", "--trace", "trace.json")
        assert ended.code == 0
        assert "no trace to save: trace.json is not written" in ended.err
        assert saved.read_text() == before

    def test_several_traces_are_several_files(self, run, folder):
        asked = (*VIOLATED, "--invariant", "n < 3", "--keep-going", "--trace", "trace.json")
        assert "written to trace-2.json" in run(*asked).err
        assert run("trace", "trace-2.json").code == 0
        (folder / "trace-2.json").write_text("mine")
        ended = run(*asked)
        assert "error[SC406]: trace-2.json" in ended.err
        assert "✗ violated" in ended.out
        assert (folder / "trace-2.json").read_text() == "mine"

    def test_mermaid_files(self, run, folder):
        assert run(*VIOLATED, "--trace", "trace.mmd").code == 1
        assert (folder / "trace.mmd").read_text().startswith("sequenceDiagram\n")
        assert run(*VIOLATED, "--trace", "trace.mmd").code == 1
        (folder / "other.mmd").write_text("flowchart LR\n")
        assert run(*VIOLATED, "--trace", "other.mmd").code == 2
        (folder / "empty.mmd").touch()
        assert run(*VIOLATED, "--trace", "empty.mmd").code == 1
