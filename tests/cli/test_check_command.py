"""`sweepcheck check`: what is asked, how it is answered, what is refused."""

import json
import os
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from sweepcheck.report.json import json_schema


def test_everything_declared_is_checked(run):
    ended = run("check", "counter.py:counter", "-p", "top=5")
    assert ended.code == 0
    assert ended.out.splitlines()[:3] == [
        "✓ holds  invariant 'small'  (exact)",
        "✓ holds  reachable 'top'  (exact)",
        "✓ holds  deadlock  (exact)",
    ]
    assert "model     counter, top=5 bad=None endless=False" in ended.out
    assert "\x1b" not in ended.out
    assert ended.err == ""


def test_violation(run):
    ended = run("check", "counter.py:counter", "--invariant", "n < 2")
    assert ended.code == 1
    assert "✗ violated  invariant 'n < 2'  (exact)" in ended.out
    assert "  2  tick           n: 1 -> 2" in ended.out


def test_flags_ask_for_nothing_else(run):
    ended = run("check", "counter.py:counter", "--property", "top", "--reachable", "n == 1", "--reachable", "n == 1")
    assert [line.split("  ")[1] for line in ended.out.splitlines()[:2]] == ["reachable 'top'", "reachable 'n == 1'"]
    assert "deadlock" not in ended.out


def test_two_questions_with_the_same_words(run):
    """The pair of properties of paper 4: each has its kind in its name, where the words alone would be one name."""
    asked = ("--always-possible", "n == 3", "--always-eventually", "n == 3", "--reachable", "n == 1")
    ended = run("check", "counter.py:counter", *asked, "--format", "json")
    assert ended.code == 0
    names = [one["name"] for one in ended.json["verdicts"]]
    assert names == ["n == 1", "always_possible: n == 3", "always_eventually: n == 3"]


def test_the_deadlock_flag_means_the_declared_property_if_there_is_one(run):
    assert run("check", "counter.py:counter", "--deadlock").code == 0
    ended = run("check", "counter.py:bare", "--deadlock")
    assert ended.code == 1
    assert "✗ violated  deadlock  (exact)" in ended.out


def test_keep_going_decides_all(run):
    asked = ("--invariant", "n < 2", "--invariant", "ticks == 0")
    assert "? inconclusive  invariant 'ticks == 0'" in run("check", "counter.py:counter", *asked).out
    ended = run("check", "counter.py:counter", *asked, "--keep-going")
    assert ended.code == 1
    assert "✓ holds     invariant 'ticks == 0'  (exact)" in ended.out


def test_strategies_and_collections(run):
    for options in (["--strategy", "full"], ["--strategy", "sweep", "--gc", "2"], ["--gc", "auto"]):
        ended = run("explore", "counter.py:counter", "--format", "json", *options)
        assert ended.code == 0
        assert ended.json["statistics"]["states"] == 4


def test_progress_expression(run):
    ended = run("check", "counter.py:counter", "--progress", "2 * n", "--format", "json")
    assert ended.json["measure"] == "2 * n"


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        (["--max-states", "2"], "the limit on states was reached"),
        (["--time-limit", "0.000001s"], "the time limit was reached"),
        (["--memory-limit", "1k"], "the memory limit was reached"),
    ],
)
def test_limits_are_inconclusive(run, limit, reason):
    ended = run("check", "counter.py:counter", "--property", "small", *limit)
    assert ended.code == 3
    assert ended.out.startswith("? inconclusive  invariant 'small'")
    assert reason in ended.out
    assert "states found so far" in ended.out


def test_quiet_and_verbose(run):
    *verdicts, warning = run("check", "counter.py:counter", "-q").out.splitlines()
    assert (len(verdicts), warning) == (3, "warning: action 'stumble' is never enabled (counter.py:12)")
    assert "progress →" in run("check", "counter.py:counter", "-v").out
    assert "progress →" not in run("check", "counter.py:counter").out


def test_lasso(run):
    ended = run("check", "counter.py:light")
    assert ended.code == 1
    assert "loop starts at step" in ended.out
    assert "this state lasts for ever" in run("check", "counter.py:light", "-p", "stuck=True").out


def test_trace_full_and_no_trace(run):
    asked = ("check", "counter.py:counter", "--invariant", "n < 2")
    assert "n=2 ticks=0" in run(*asked, "--trace-full").out
    ended = run(*asked, "--no-trace")
    assert "(no trace was kept)\n  n=2 ticks=0" in ended.out


def test_trace_dir_is_kept(run, folder):
    ended = run("check", "counter.py:counter", "--trace-dir", folder / "kept")
    assert (folder / "kept" / "parents.trc").exists()
    assert str(folder / "kept" / "parents.trc") in ended.out


class TestFormats:
    def test_json_is_one_valid_object(self, run):
        import jsonschema

        for arguments in (["counter.py:counter"], ["counter.py:light"], ["counter.py:counter", "--max-states", "2"]):
            ended = run("check", *arguments, "--format", "json")
            jsonschema.validate(ended.json, json_schema())

    def test_json_lines(self, run):
        import jsonschema

        ended = run("check", "counter.py:counter", "--format", "jsonl", "--engine", "reference")
        events = [json.loads(line) for line in ended.out.splitlines()]
        for event in events:
            jsonschema.validate(event, json_schema() | {"$ref": "#/$defs/event"})
        assert [event["event"] for event in events] == ["snapshot", "verdict", "verdict", "verdict", "statistics"]

    def test_junit(self, run):
        ended = run("check", "counter.py:counter", "--invariant", "n < 2", "--format", "junit")
        suite = ElementTree.fromstring(ended.out).find("testsuite")
        assert suite.get("failures") == "1"
        assert "n: 1 -> 2" in suite.find("testcase/failure").text

    @pytest.mark.parametrize("form", ["json", "jsonl"])
    def test_errors_as_json(self, run, form):
        ended = run("check", "nowhere.py", "--format", form)
        assert ended.code == 2
        assert ended.json["error"]["code"] == "SC101"
        assert ended.err.startswith("error[SC101]")

    def test_junit_is_what_its_first_line_says_in_any_encoding(self, command, folder):
        model = (
            "from sweepcheck import Model\nm = Model('n\u00e9', x=0)\nm.invariant('\u2713\u00e9', lambda s: s.x == 1)\n"
        )
        (folder / "accents.py").write_text(model, encoding="utf-8")
        for encoding in ("latin-1", "ascii", "utf-8"):
            ended = subprocess.run(
                [command, "check", "accents.py", "--format", "junit"],
                capture_output=True,
                check=False,
                env={**os.environ, "PYTHONIOENCODING": encoding},
            )
            case = ElementTree.fromstring(ended.stdout).find("testsuite/testcase")
            assert (case.get("classname"), case.get("name")) == ("n\u00e9", "invariant '\u2713\u00e9'")

    def test_errors_as_junit(self, run):
        ended = run("check", "nowhere.py", "--format", "junit")
        assert ElementTree.fromstring(ended.out).find("testsuite").get("name") == "nowhere.py"


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (["nowhere.py"], "SC101"),
            (["counter.py"], None),
            (["counter.py:nothing"], "SC104"),
            (["counter.py:counter", "-p", "up=3"], "SC105"),
            (["counter.py:counter", "-p", "up"], "SC105"),
            (["counter.py:counter", "-p", "bad=1"], "SC201"),
            (["counter.py:backwards", "--deadlock", "--strategy", "sweep"], "SC301"),
            (["counter.py:light", "--strategy", "column"], "SC303"),
            (["counter.py:bare"], "SC401"),
            (["counter.py:counter", "--property", "smal"], "SC401"),
            (["counter.py:counter", "--invariant", "m < 3"], "SC402"),
            (["counter.py:counter", "--invariant", "n <"], "SC402"),
            (["counter.py:counter", "--gc", "often"], "SC403"),
            (["counter.py:counter", "--plot", "sweep.txt"], "SC403"),
            (["counter.py:counter", "--trace", "trace.txt"], "SC403"),
            (["counter.py:counter", "--trace", "t.json", "--no-trace"], "SC404"),
            (["counter.py:counter", "--trace", "missing/t.json"], "SC406"),
            (["counter.py:counter", "--plot", "missing/t.svg"], "SC406"),
        ],
    )
    def test_codes(self, run, arguments, code):
        ended = run("check", *arguments)
        if code is None:
            assert ended.code == 0  # the function named like the file is meant
            return
        assert ended.code == 2
        assert ended.err.startswith(f"error[{code}]")
        assert ended.out == ""
        assert "Traceback" not in ended.err.replace("traceback", "")

    def test_no_property_says_what_to_do(self, run):
        ended = run("check", "counter.py:bare")
        for word in ("m.invariant", "--invariant", "--reachable", "--deadlock", "sweepcheck explore"):
            assert word in ended.err

    def test_missing_matplotlib_names_the_extra(self, run, monkeypatch):
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        ended = run("check", "counter.py:counter", "--plot", "sweep.svg")
        assert ended.code == 2
        assert "error[SC405]" in ended.err
        assert 'pip install "matplotlib>=3.8"' in ended.err

    @pytest.mark.parametrize(
        "arguments",
        [
            ["check"],
            ["check", "counter.py", "--time-limit", "soon"],
            ["check", "counter.py", "--time-limit", "0"],
            ["check", "counter.py", "--time-limit", "1.2.3"],
            ["check", "counter.py", "--memory-limit", "5 apples"],
            ["check", "counter.py", "--max-states", "0"],
            ["check", "counter.py", "--strategy", "guess"],
            ["check", "counter.py", "--engine", "steam"],
            ["check", "counter.py", "--format", "prose"],
            ["chek", "counter.py"],
        ],
    )
    def test_usage(self, run, arguments):
        ended = run(*arguments)
        assert ended.code == 2
        assert "Usage:" in ended.err


def test_limits_with_units(run, monkeypatch):
    from sweepcheck.cli import check as module

    seen = []

    def spy(*_, limits, **__):
        seen.append(limits)
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "check", spy)
    for time, memory in (("90", "1000"), ("1.5h", "500M"), ("10m", "2GiB"), ("1e2 s", "1kb")):
        assert run("check", "counter.py", "--time-limit", time, "--memory-limit", memory).code == 130
    assert [limits.memory for limits in seen] == [1000, 500 << 20, 2 << 30, 1024]
    for limits, seconds in zip(seen, (90, 5400, 600, 100), strict=True):  # less what it took to load the file
        assert seconds - 20 < limits.seconds < seconds


def test_checkpoints_as_often_as_possible(run, folder):
    ended = run("check", "counter.py:counter", "--checkpoint", "run", "--checkpoint-every", "0", "-q")
    assert ended.code == 0
    assert (folder / "run").is_dir()


def test_plot(run, folder):
    ended = run("check", "counter.py:counter", "--plot", "sweep.svg")
    assert ended.code == 0
    assert ended.err == "plot written to sweep.svg\n"
    assert (folder / "sweep.svg").read_text().startswith("<?xml")


def test_questions_about_cycles(run, folder):
    (folder / "shop.py").write_text(
        "from sweepcheck import Model, require\n"
        "m = Model('shop', waiting=True, light=True)\n"
        "@m.action(fair=True)\ndef serve(s):\n    require(s.waiting)\n    s.waiting = False\n"
        "@m.action\ndef switch(s):\n    s.light = not s.light\n"
    )
    asked = ("check", "shop.py", "-q", "--always-eventually", "not waiting")
    assert run(*asked).code == 0
    assert run(*asked, "--no-fairness").code == 1
    assert run(*asked, "--fair", "switch").code == 1
    assert run(*asked, "--fair", "switch", "--fair", "serve").code == 0
    assert "weak, of serve" in run("check", "shop.py", "--always-eventually", "not waiting").out
    report = json.loads(run(*asked, "--format", "json").out)
    assert report["fair"] == ["serve"]
    assert run("check", "shop.py", "-q", "--always-possible", "not waiting").code == 0
    assert run("check", "shop.py", "-q", "--always-possible", "waiting").code == 1
    assert "[SC404]" in run(*asked, "--fair", "serve", "--no-fairness").err
    assert "[SC404]" in run("check", "shop.py", "--always-possible", "waiting", "--fair", "serve").err
    assert "[SC407]" in run(*asked, "--fair", "serv").err
