"""The page: its data tells what the trace tells, nothing in it can act, and readers find their way in a browser."""

import base64
import gzip
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

from sweepcheck import Bag, Limits, Model, Net, Queue, Record, Set, check, colours, explore, require, state_space_report
from sweepcheck.report.findings import Answer
from sweepcheck.report.json import described_trace, json_schema
from sweepcheck.report.page import answers_to_page, state_space_to_page
from sweepcheck.report.typed import typed_text
from sweepcheck.report.view import view_of, view_of_state_space

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
HOSTILE = "</script><img src=x onerror=globalThis.harmed=1><!--\u202e\x1b[31m'\"&"


def counter(top=3, name="counter", variable="n"):
    m = Model(name, **{variable: 0, "log": Queue(), "seen": Set(), "box": Bag(), "pair": Record(a=0, b="x")})

    @m.action
    def tick(s):
        require(getattr(s, variable) < top)
        setattr(s, variable, getattr(s, variable) + 1)
        s.log.put(getattr(s, variable))
        s.seen.add(getattr(s, variable) % 2)
        s.box.add("token")
        s.pair.a = 1

    m.invariant("small", lambda s: getattr(s, variable) < 3)
    m.progress(lambda s: getattr(s, variable))
    return m


def channel():
    net = Net("channel")
    start, between, end = net.place("Start", range(4), [1, 2]), net.place("Between", range(4)), net.place("End")
    net.transition("Send", start.take("x"), between.put("x"))
    net.transition("Receive", between.take("x"), end.put())
    net.invariant("none arrives", lambda s: len(s.End) == 0)
    return net


def clocks():
    net = Net("clocks")
    wait, gone = net.place("Wait", colours.timed(range(3)), [1, 2]), net.place("Gone", colours.timed(range(3)))
    net.transition("Leave", wait.take("x"), gone.put("x"), delay=2)
    net.invariant("one stays", lambda s: len(s.Gone) < 2)
    return net


def lasso(steps):
    m = Model("lasso", n=0, done=False)

    @m.action
    def go(s):
        s.n = s.n + 1 if s.n < steps else steps // 2

    m.always_eventually("done", lambda s: s.done)
    return m


def document(model, **options):
    return view_of([Answer("model.py", check(model, **options))])["runs"][0]


def at(points, step):
    return [value for first, value in zip(points[::2], points[1::2], strict=True) if first <= step][-1]


class TestData:
    def test_change_points_are_the_states(self):
        report = check(counter())
        run = view_of([Answer("model.py", report)])["runs"][0]
        (found,) = run["traces"]
        trace = described_trace(report, report.verdicts[0].trace)
        for number, state in enumerate(trace.states):
            for name, value in state.items():
                assert run["values"][at(found["columns"][name], number)][0] == typed_text(value)
        labels = [found["labels"][one]["text"] for one in found["steps"]]
        assert labels == [step.label for step in trace.steps]
        assert [bool(at(found["holds"]["small"], number)) for number in range(4)] == [True, True, True, False]
        assert found["bad"] == 3

    def test_values_have_parts(self):
        values = {value[0]: value for value in document(counter())["values"]}
        _, kind, parts = values["<1, 2, 3>"]
        assert kind == "queue"
        assert len(parts) == 3
        assert values["2*'token'"][1:] == ["bag", [[document(counter())["values"].index(["'token'"]), 2]]]

    def test_a_long_trace_is_small(self):
        run = document(lasso(4000))
        assert len(json.dumps(run["traces"])) < 200_000

    def test_layers_are_put_together(self):
        report = explore(counter(top=5000), strategy="sweep")
        profile = view_of([Answer("model.py", report)])["runs"][0]["profile"]
        assert profile["of"] == 5001
        assert len(profile["stored"]) <= 2000
        assert max(profile["stored"]) == max(layer.stored for layer in report.profile)

    def test_the_net(self):
        net = document(channel())["net"]
        assert [place["name"] for place in net["places"]] == ["Start", "Between", "End"]
        assert [0, 0, "take", "x"] in net["arcs"]

    def test_what_actions_do_in_the_long_run(self):
        report = state_space_report(channel())
        (run,) = view_of_state_space("model.py", report)["runs"]
        assert {one["action"]: one["behaviour"] for one in run["actions"]} == {"Send": "neither", "Receive": "neither"}

    @pytest.mark.parametrize("model", [counter(), channel(), lasso(6)], ids=["model", "net", "lasso"])
    def test_the_schema(self, model):
        schema = {**json_schema(), "$ref": "#/$defs/view"}
        jsonschema.Draft202012Validator(schema).validate(
            json.loads(json.dumps(view_of([Answer("m.py", check(model))])))
        )


class TestFile:
    def test_nothing_of_the_model_is_markup(self):
        m = counter(name=HOSTILE)
        m.invariant(HOSTILE, lambda s: True)
        page = answers_to_page([Answer("model.py", check(m))])
        assert "<img" not in page
        assert "\x1b" not in page
        assert page.count("</script>") == 2

    def test_the_policy_lets_only_its_script_run(self):
        page = answers_to_page([Answer("model.py", check(counter()))])
        (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
        script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
        hashed = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
        assert len(script) == 1
        assert f"script-src 'sha256-{hashed}'" in policy
        assert policy.startswith("default-src 'none'")

    def test_large_data_is_compressed(self, monkeypatch):
        monkeypatch.setattr("sweepcheck.report.page.LARGE", 50_000)
        page = answers_to_page([Answer("model.py", check(lasso(20)))])
        assert 'type="application/json"' in page
        page = answers_to_page([Answer("model.py", check(lasso(4000)))])
        (data,) = re.findall(r'type="application/gzip">([^<]*)<', page)
        assert json.loads(gzip.decompress(base64.b64decode(data)))["view"] == 1

    def test_without_scripts_there_is_the_text(self):
        page = answers_to_page([Answer("model.py", check(counter()))])
        (text,) = re.findall(r"<noscript>(.*?)</noscript>", page, re.DOTALL)
        assert "violated" in text
        assert "tick" in text


def write_pages(folder):
    """Pages of every kind, and which tabs each of them must have."""
    net_tabs = ["Verdicts", "Trace", "Net", "Actions"]
    hostile = counter(name=HOSTILE)
    hostile.invariant(HOSTILE, lambda s: s.n < 2)
    reports = {
        "violated": (check(counter()), ["Verdicts", "Trace", "Sweep", "Actions"]),
        "net": (check(channel()), net_tabs),
        "timed": (check(clocks()), None),
        "long": (check(lasso(3000)), ["Verdicts", "Trace", "Actions"]),
        "holds": (check(counter(top=2)), ["Verdicts", "Sweep", "Actions"]),
        "stopped": (check(counter(top=9), limits=Limits(states=2)), None),
        "hostile": (check(hostile), ["Verdicts", "Trace", "Sweep", "Actions"]),
    }
    pages = {name: answers_to_page([Answer(f"{name}.py", report)]) for name, (report, _) in reports.items()}
    pages["statespace"] = state_space_to_page("net.py", state_space_report(channel()))
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    wanted = {name: tabs for name, (_, tabs) in reports.items() if tabs is not None}
    (folder / "pages.json").write_text(json.dumps({"pages": {**wanted, "statespace": ["Verdicts", "Net", "Actions"]}}))


@pytest.mark.skipif(not (WEB / "node_modules").is_dir(), reason="the tools of web/ are not installed: npm ci in web/")
class TestBrowser:
    def test_the_page_is_built_from_its_sources(self, tmp_path):
        subprocess.run(["npx", "vite", "build", "--outDir", str(tmp_path)], cwd=WEB, check=True, capture_output=True)
        committed = ROOT / "src/sweepcheck/report/page.html"
        assert (tmp_path / "page.html").read_text("utf-8") == committed.read_text("utf-8")

    @pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no Chromium")
    def test_readers_find_their_way(self, tmp_path):
        write_pages(tmp_path)
        command = ["node", "tests/stories.mjs", shutil.which("chromium"), str(tmp_path)]
        ran = subprocess.run(command, cwd=WEB, check=False, capture_output=True, text=True, timeout=300)
        assert (ran.stdout.strip(), ran.returncode) == ("", 0), ran.stderr
