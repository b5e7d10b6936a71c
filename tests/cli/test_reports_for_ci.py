"""Reports for continuous integration: SARIF, annotations, files, several models in one call."""

import errno
import json
from xml.etree import ElementTree

import jsonschema
import pytest

from sweepcheck.cli import output
from sweepcheck.core.property import Kind
from sweepcheck.report.json import json_schema
from sweepcheck.report.sarif import ABOUT

HOSTILE = "100%,a:b\r\n::error::own\x1b[2J</script>"

# The part of SARIF 2.1.0 that is written here: what the standard requires of it, and nothing beside.
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
PLACE = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {
        "message": TEXT,
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation", "region"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri"],
                    "properties": {"uri": {"pattern": "^[A-Za-z0-9._~%/-]+$"}},
                },
                "region": {"type": "object", "properties": {"startLine": {"type": "integer", "minimum": 1}}},
            },
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
}
RESULT = {
    "type": "object",
    "required": ["ruleId", "ruleIndex", "kind", "level", "message", "locations"],
    "properties": {
        "kind": {"enum": ["pass", "fail"]},
        "level": {"enum": ["none", "warning", "error"]},
        "message": TEXT,
        "locations": {"type": "array", "items": PLACE},
    },
    "if": {"properties": {"kind": {"const": "pass"}}},
    "then": {"properties": {"level": {"const": "none"}}},
}
SARIF = {
    "type": "object",
    "required": ["version", "runs", "$schema"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "tool": {"type": "object", "required": ["driver"]},
                    "results": {"type": "array", "items": RESULT},
                },
            },
        },
    },
}


@pytest.fixture
def hostile(folder):
    text = f"""
from sweepcheck import Model
HOSTILE = {HOSTILE!r}
m = Model(HOSTILE, x="")
@m.action
def go(s):
    s.x = HOSTILE
m.invariant(HOSTILE, lambda s: not s.x)
"""
    (folder / "hostile.py").write_text(text)
    return folder


def sarif(text):
    data = json.loads(text)
    jsonschema.Draft202012Validator(SARIF).validate(data)
    (run,) = data["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in run["results"])
    return run


class TestSarif:
    def test_a_result_for_each_property_and_the_trace_as_a_flow(self, run):
        ended = run("check", "counter.py:counter", "--invariant", "n < 2", "--property", "small", "--format", "sarif")
        assert ended.code == 1
        small, low = sarif(ended.out)["results"]
        assert (small["kind"], small["level"]) == ("fail", "warning")
        assert (low["ruleId"], low["level"]) == ("invariant", "error")
        (flow,) = low["codeFlows"]
        steps = flow["threadFlows"][0]["locations"]
        assert [one["location"]["message"]["text"] for one in steps] == ["1. tick", "2. tick"]
        place = steps[0]["location"]["physicalLocation"]
        assert place == {"artifactLocation": {"uri": "counter.py"}, "region": {"startLine": 7}}
        assert small["locations"][0]["physicalLocation"]["region"]["startLine"] == 18
        assert "codeFlows" not in small

    def test_errors(self, run):
        ended = run("check", "counter.py:counter", "-p", "bad=1", "--format", "sarif")
        assert ended.code == 2
        found = sarif(ended.out)
        assert found["results"][0]["ruleId"] == "SC201"
        assert found["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 15
        assert not found["invocations"][0]["executionSuccessful"]

    def test_hostile_names(self, run, hostile):
        ended = run("check", "hostile.py", "--format", "sarif")
        assert ended.code == 1
        assert "\x1b" not in ended.out
        assert "\\x1b[2J" in sarif(ended.out)["results"][0]["message"]["text"]


class TestAnnotations:
    def test_what_is_not_shown_to_hold(self, run):
        ended = run("check", "counter.py:counter", "--invariant", "n < 2", "--property", "small", "--format", "github")
        assert ended.code == 1
        warning, error = (line for line in ended.out.splitlines() if line.startswith("::"))
        assert warning.startswith(
            "::warning file=counter.py,line=18,title=? inconclusive  invariant 'small'  (bounded)%3A"
        )
        assert error.startswith("::error file=counter.py,line=1,title=✗ violated  invariant 'n < 2'  (exact)::")
        assert "%0A  1  tick" in error
        assert ended.out.startswith("? inconclusive")

    def test_no_name_adds_a_command(self, run, hostile):
        ended = run("check", "hostile.py", "--format", "github")
        commands = [line for line in ended.out.splitlines() if line.lstrip().startswith("::")]
        assert len(commands) == 1
        assert "\x1b" not in ended.out
        title = commands[0].split("title=", 1)[1].split("::", 1)[0]
        assert ":" not in title
        assert "," not in title


class TestFiles:
    def test_every_form_by_the_end_of_its_name(self, run, folder):
        names = ["r.json", "r.jsonl", "r.xml", "r.sarif", "r.html", "r.txt"]
        options = [word for name in names for word in ("-o", name)]
        ended = run("check", "counter.py:counter", "--invariant", "n < 2", *options)
        assert ended.code == 1
        assert ended.out.startswith("✗ violated")
        assert ended.err.count("report written to") == 6
        data = json.loads((folder / "r.json").read_text())
        jsonschema.Draft202012Validator(json_schema()).validate(data)
        assert [json.loads(line)["event"] for line in (folder / "r.jsonl").read_text().splitlines()] == [
            "verdict",
            "statistics",
        ]
        assert ElementTree.parse(folder / "r.xml").getroot()[0].get("failures") == "1"
        sarif((folder / "r.sarif").read_text())
        assert (folder / "r.html").read_text().startswith("<!doctype html>")
        assert (folder / "r.txt").read_text().startswith("✗ violated")
        assert not list(folder.glob(".r.*"))

    def test_the_page_of_every_command(self, run, folder, monkeypatch):
        shown = []
        monkeypatch.setattr("webbrowser.open", lambda address: shown.append(address) or True)
        run("check", "counter.py:counter", "--invariant", "n < 2", "--trace", "t.json", "--html", "check.html")
        run("explore", "counter.py:counter", "--html", "explore.html", "--open")
        run("report", "counter.py:counter", "--html", "report.html")
        run("trace", "t.json", "--html", "trace.html")
        for name in ("check", "explore", "report", "trace"):
            page = (folder / f"{name}.html").read_text()
            assert 'id="data"' in page, name
            assert "counter" in page, name
        assert [address.rpartition("/")[2] for address in shown] == ["explore.html"]
        ended = run("explore", "counter.py:counter", "--html", "nowhere/x.html")
        assert ended.code == 2
        assert "SC406" in ended.err

    def test_one_that_cannot_be_written_takes_no_other_with_it(self, run, folder, monkeypatch):
        write_text = output.write_text

        def full(path, text):
            if path.name == "r.xml":
                raise OSError(errno.ENOSPC, "No space left on device")
            write_text(path, text)

        monkeypatch.setattr(output, "write_text", full)
        ended = run("check", "counter.py:counter", "--invariant", "n < 2", "-o", "r.xml", "-o", "r.json")
        assert ended.code == 2
        assert "violated" in ended.out
        assert "error[SC406]: r.xml cannot be written: No space left on device" in ended.err
        assert (folder / "r.json").exists()

    def test_also_when_the_model_is_wrong(self, run, folder):
        ended = run("check", "counter.py:counter", "-p", "bad=1", "-o", "r.xml", "-o", "r.html")
        assert ended.code == 2
        assert ElementTree.parse(folder / "r.xml").find(".//error").get("type") == "SC201"
        assert "SC201" in (folder / "r.html").read_text()

    def test_hostile_names_in_a_page(self, run, hostile):
        run("check", "hostile.py", "-o", "r.html")
        text = (hostile / "r.html").read_text()
        assert text.count("</script>") == 2  # the data, and the page's own
        assert "\x1b" not in text

    @pytest.mark.parametrize(
        ("name", "code"), [("r.doc", "SC403"), ("nowhere/r.json", "SC406"), ("folder.json", "SC406")]
    )
    def test_looked_at_before_the_run(self, run, folder, name, code):
        (folder / "folder.json").mkdir()
        ended = run("check", "counter.py:counter", "-o", name)
        assert ended.code == 2
        assert "holds" not in ended.out
        assert code in ended.err or name == "folder.json"


class TestSeveral:
    def test_one_summary_and_the_worst_exit_code(self, run):
        ended = run("check", "counter.py:counter", "counter.py:light", "-q")
        assert ended.code == 1
        assert ended.out.splitlines()[-3:] == [
            "✓ counter.py:counter  3 holds",
            "✗ counter.py:light    1 violated",
            "1 of 2 models: everything holds",
        ]
        assert run("check", "counter.py:counter", "counter.py:counter", "-q").code == 0

    def test_an_error_does_not_stop_the_others(self, run):
        ended = run("check", "counter.py:nothing", "counter.py:light", "-q")
        assert ended.code == 2
        assert ended.err.startswith("error[SC104]")
        assert "✗ counter.py:nothing  error SC104" in ended.out
        assert "✗ counter.py:light    1 violated" in ended.out

    @pytest.mark.parametrize("form", ["json", "junit", "sarif", "jsonl"])
    def test_one_document(self, run, form):
        ended = run("check", "counter.py:counter", "counter.py:nothing", "counter.py:light", "--format", form)
        assert ended.code == 2
        if form == "json":
            data = json.loads(ended.out)
            assert [one["file"] for one in data["files"]] == [
                "counter.py:counter",
                "counter.py:nothing",
                "counter.py:light",
            ]
            schema = json_schema() | {"$ref": "#/$defs/several"}
            jsonschema.Draft202012Validator(schema).validate(data)
        elif form == "junit":
            assert [suite.get("errors") for suite in ElementTree.fromstring(ended.out)] == ["0", "1", "0"]
        elif form == "sarif":
            assert [one["ruleId"] for one in sarif(ended.out)["results"]].count("SC104") == 1
        else:
            events = [json.loads(line)["event"] for line in ended.out.splitlines()]
            assert events.count("statistics") == 2
            assert events.count("error") == 1

    @pytest.mark.parametrize("options", [["--trace", "t.json"], ["--plot", "p.svg"], ["--trace-dir", "d"]])
    def test_files_of_one_model_are_refused(self, run, options):
        ended = run("check", "counter.py:counter", "counter.py:light", *options)
        assert (ended.code, ended.err.split("]")[0]) == (2, "error[SC404")


def test_quietly_the_verdicts_and_what_shows_them(run):
    ended = run("check", "counter.py:counter", "--invariant", "n < 2", "-q")
    assert "a counter-example for invariant 'n < 2', 2 steps" in ended.out
    assert "  2  tick " in ended.out
    assert "states" not in ended.out.replace("its last state", "")


def test_every_kind_of_property_has_a_rule() -> None:
    assert set(ABOUT) == set(Kind)
