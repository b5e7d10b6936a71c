"""The page: its data tells what the trace tells, nothing in it can act, and readers find their way in a browser."""

import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import jsonschema
import pytest
from report_models import lamps

from sweepcheck import (
    LTS,
    Array,
    Bag,
    Limits,
    Map,
    Model,
    Net,
    Network,
    Queue,
    Record,
    Set,
    check,
    choose,
    colours,
    ctl,
    explore,
    invariant,
    ltl,
    require,
    state_space_report,
)
from sweepcheck.cli.main import cli
from sweepcheck.errors import SweepcheckError
from sweepcheck.models.loading import load
from sweepcheck.report.changes import changes, told
from sweepcheck.report.findings import Answer
from sweepcheck.report.itf import saved_to_itf
from sweepcheck.report.json import described_trace, json_schema
from sweepcheck.report.page import answers_to_page, saved_to_page, state_space_to_page, tables_to_page, tradeoff_to_page
from sweepcheck.report.saved import Claim, SavedTrace
from sweepcheck.report.trace_view import Values, _enabled
from sweepcheck.report.tradeoff import Tradeoff
from sweepcheck.report.typed import typed, typed_text
from sweepcheck.report.view import view_of, view_of_state_space, view_of_tradeoff

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


def ending():
    m = Model("ends", n=0)

    @m.action
    def go(s):
        require(s.n < 3)
        s.n += 1

    m.always_eventually("never", lambda s: s.n == 9)
    return m


def workers():
    m = Model("workers", locked=False, at=Array(["out", "out"]))

    @m.action(p=range(2))
    def look(s, p):
        require(s.at[p] == "out")
        s.at[p] = "looked"

    @m.action(p=range(2))
    def enter(s, p):
        require(s.at[p] == "looked" and not (s.locked and p == 5))
        s.at[p] = "in"

    m.invariant("one at a time", lambda s: not (s.at[0] == "in" and s.at[1] == "in"))
    return m


def modules():
    inner = Net("inner")
    come, go = inner.place("Come", range(3), port="in"), inner.place("Go", range(3), port="out")
    inner.transition("Pass", come.take("x"), go.put("x"))
    net = Net("modules")
    first, middle, last = (
        net.place("First", range(3), [1, 2]),
        net.place("Middle", range(3)),
        net.place("Last", range(3)),
    )
    net.substitution("One", inner, Come=first, Go=middle)
    net.substitution("Two", inner, Come=middle, Go=last)
    net.invariant("not all", lambda s: len(s.Last) < 2)
    return net


DRAWN = """<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="a"><graphics><position x="10" y="20"/></graphics><initialMarking><text>1</text></initialMarking></place>
<place id="b"><name><text>b</text><graphics><offset x="1" y="1"/></graphics></name>
<graphics><position x="90.5" y="20"/></graphics></place>
<transition id="t"><graphics><position x="50" y="20"/></graphics></transition>
<arc id="x" source="a" target="t"/><arc id="y" source="t" target="b"/></page></net></pnml>
"""


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

    def test_what_each_step_read(self):
        (trace,) = document(workers())["traces"]
        reads = trace["reads"]
        assert [[reads["names"][name] for name in reads["sets"][one]] for one in reads["steps"]] == [
            ["at[0]"],
            ["at[1]"],
            ["at[0]", "locked"],
            ["at[1]", "locked"],
        ]
        assert trace["looked_at"] == ["at[0]", "at[1]"]

    def test_what_is_left_out_is_said(self, monkeypatch):
        assert "omitted" not in document(lasso(8))["traces"][0]
        monkeypatch.setattr("sweepcheck.report.trace_view.MOST_READ", 3)
        (trace,) = document(lasso(8))["traces"]
        assert trace["reads"] is None
        assert trace["omitted"] == ["what each step read, which is looked for along at most 3 steps"]

    def test_what_is_left_out_is_said_in_the_terminal(self, monkeypatch, tmp_path, capsys):
        monkeypatch.setattr("sweepcheck.report.trace_view.MOST_READ", 3)
        page = str(tmp_path / "page.html")
        cli.main(["check", str(ROOT / "examples/peterson_broken.py"), "--html", page, "-q"], standalone_mode=False)
        assert "left out of the page: what each step read" in capsys.readouterr().err

    def test_what_is_written_first_is_not_read(self):
        m = Model("writes", x=1, log=Bag(), row=Array([0, 0]))

        @m.action
        def step(s):
            require(s.row[0] == 0)
            s.x = 2
            s.log.add(s.x)
            s.row[1] = s.x
            s.row[0] = s.row[1]

        m.invariant("never", lambda s: s.x == 1)
        assert document(m)["traces"][0]["reads"]["names"] == ["row[0]"]

    def test_transitions_read_what_they_take(self):
        (trace,) = document(channel())["traces"]
        assert trace["reads"]["names"] == ["Start", "Between"]

    def test_time_passes_before_a_transition_reads(self):
        (trace,) = document(clocks())["traces"]
        assert {trace["reads"]["names"][name] for one in trace["reads"]["sets"] for name in one} == {"Wait"}

    def test_of_very_many_steps_some_are_told(self):
        m = Model("wide", n=0)

        @m.action
        def jump(s):
            n = choose(range(5000))
            if n == 4000:
                raise ValueError("nobody wants to know")
            s.n = n + 1

        report = check(lasso(4))
        trace = replace(report.verdicts[0].trace, initial=m.initial_states()[0], steps=(), loop=None)
        found = _enabled(m, trace)
        assert (len(found["enabled"]["0"]), found["unlisted"]) == (1000, {"0": (0, True)})

    def test_how_a_predicate_is_written(self):
        assert document(counter())["verdicts"][0]["source"].startswith('m.invariant("small", lambda s:')
        assert document(ending())["verdicts"][0]["source"] == 'm.always_eventually("never", lambda s: s.n == 9)'

    def test_a_formula_comes_with_its_propositions(self):
        asked = [ltl("f", "F {s.n > 9}"), invariant("i", lambda s: s.n < 2)]
        first, second = document(lasso(4), properties=asked, keep_going=True)["traces"]
        assert list(first["propositions"]) == ["{s.n > 9}"]
        assert (list(first["holds"]), first["invariants"]) == (["i"], ["i"])
        assert second["propositions"] == {}

    def test_a_small_graph(self):
        graph = document(counter(), keep_going=True)["graph"]
        assert (len(graph["states"]), graph["initial"]) == (4, 1)
        assert [edge[:2] for edge in graph["edges"]] == [[0, 1], [1, 2], [2, 3]]
        assert graph["violates"] == [[], [], [], ["small"]]
        assert graph["traces"] == [[0, 1, 2, 3]]
        assert document(lasso(400))["graph"] is None

    def test_ways_to_explore(self):
        runs = tuple(explore(counter(), strategy=strategy) for strategy in ("full", "sweep"))
        found = view_of_tradeoff("m.py", Tradeoff(runs))
        assert [row["way"] for row in found["tradeoff"]["rows"]] == ["full", "sweep"]
        assert [one["reference"] for one in found["runs"]] == ["m.py, full", "m.py, sweep"]
        assert found["tradeoff"]["rows"][1]["peak"] == runs[1].statistics.peak

    def test_modules_are_pages(self):
        pages = document(modules())["net"]["pages"]
        assert [page["name"] for page in pages] == ["modules", "One", "Two"]
        assert [module["page"] for module in pages[0]["modules"]] == [1, 2]
        assert pages[1]["transitions"] == [0]
        assert pages[0]["transitions"] == []

    def test_positions_of_a_file(self, tmp_path):
        path = tmp_path / "net.pnml"
        path.write_text(DRAWN, encoding="utf-8")
        report = explore(load(str(path), {}))
        (page,) = view_of([Answer("net.pnml", report)])["runs"][0]["net"]["pages"]
        assert page["positions"] == {"p0": [10.0, 20.0], "p1": [90.5, 20.0], "t0": [50.0, 20.0]}
        path.write_text(DRAWN.replace('<position x="50" y="20"/>', '<position x="nan" y="20"/>'), encoding="utf-8")
        assert view_of([Answer("net.pnml", explore(load(str(path), {})))])["runs"][0]["net"]["pages"] == []

    def test_pages_of_cpn_tools(self):
        report = explore(load(str(ROOT / "examples/protocol.cpn"), {}))
        pages = view_of([Answer("protocol.cpn", report)])["runs"][0]["net"]["pages"]
        assert [page["name"] for page in pages] == ["Protocol", "Sender", "Network", "Receiver"]
        assert [module["name"] for module in pages[0]["modules"]] == ["Sender", "Network", "Receiver"]
        assert pages[0]["positions"]["m1"] == [240.0, -40.0]

    def test_the_net(self):
        net = document(channel())["net"]
        assert [place["name"] for place in net["places"]] == ["Start", "Between", "End"]
        assert [0, 0, "take", "x"] in net["arcs"]

    def test_where_actions_are_written(self):
        assert document(counter())["actions"][0]["where"].startswith("test_page.py:")
        assert {one["where"] for one in document(channel())["actions"]} == {None}
        members = document(workers())["actions"]  # of a family
        assert len({one["action"] for one in members}) > len({one["where"] for one in members})
        assert all(one["where"].startswith("test_page.py:") for one in members)

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


class TestTools:
    def test_the_lock_file_is_whole(self):
        """`npm ci` wants every package that any platform may need, and fails where one is missing."""
        packages = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
        wanted = {name for one in packages.values() for name in one.get("optionalDependencies", {})}
        assert wanted
        assert {name for name in wanted if f"node_modules/{name}" not in packages} == set()
        assert not any("resolved" in one for one in packages.values())


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

    def test_verdicts_are_there_before_the_script(self):
        page = answers_to_page([Answer("model.py", check(counter()))])
        (opening,) = re.findall(r'<pre class="opening">(.*?)</pre>', page, re.DOTALL)
        assert opening.startswith("✗ violated")
        assert page.index(opening) < page.index('id="data"')

    def test_without_scripts_there_is_the_text(self):
        page = answers_to_page([Answer("model.py", check(counter()))])
        (text,) = re.findall(r"<noscript>(.*?)</noscript>", page, re.DOTALL)
        assert "violated" in text
        assert "tick" in text


def formula():
    return check(lasso(3), properties=[ltl("f", "F ({s.n > 9} | G {s.n == 2})")])


def trees():
    return check(lamps(), [ctl("tree", "AG ({s.red == 1} -> EF (EG {s.green == 0} & AX {s.red == 0}))")])


def fair_loop():
    return check(lamps(), [ltl("served", "G ({s.red == 1} -> F {s.green == 1})")])


def network():
    ask = LTS([("idle", "ask", "busy"), ("busy", "answer", "idle")], initial="idle")
    give = LTS([("free", "ask", "taken"), ("taken", "answer", "free")], initial="free")
    made = Network("network", {"asker": ask, "giver": give})
    made.invariant("never busy", lambda s: s.asker == "idle")
    return made


def tables():
    columns = [{"name": "a", "title": "states", "form": "count"}, {"name": "b", "title": "peak", "form": "percent 1"}]
    equal = {"published": 1000, "measured": 1000, "mark": "equal", "reason": None}
    other = {"published": 12.5, "measured": 13.0, "mark": "differs", "reason": HOSTILE}
    none = {"published": 5, "measured": None, "mark": None, "reason": None}
    rows = [
        {"labels": {"size": "small"}, "cells": {"a": equal, "b": other}, "left_out": None},
        {"labels": {"size": HOSTILE}, "cells": {"a": none, "b": none}, "left_out": "large"},
    ]
    head = {"paper": 2, "name": "table 1", "title": HOSTILE, "models": "m.py", "note": HOSTILE}
    return {"tables": [{**head, "columns": columns, "rows": rows}], "unexplained": 0}


def hostile_model():
    """Names and values that would act if any of them became markup."""
    m = Model(
        HOSTILE, n=0, text=HOSTILE, box=Bag(), log=Queue(), pair=Record(a=HOSTILE), many=Array([HOSTILE, "x" * 10_000])
    )

    @m.action(who=("a", HOSTILE))
    def tick(s, who):
        require(s.n < 3)
        s.n += 1
        s.text = f"{HOSTILE}{s.n}"
        s.box.add((who, HOSTILE))
        s.log.put(HOSTILE)
        s.pair.a = f"{s.n}{HOSTILE}"
        s.many[0] = who

    m.invariant(HOSTILE, lambda s: s.n < 2)
    m.invariant("short", lambda s: len(s.log) < 3)
    m.progress(lambda s: s.n)
    return m


def hostile_net():
    name = "".join(one for one in HOSTILE if one.isprintable()).replace(".", "")  # the names that a net takes
    net = Net(HOSTILE)
    start, end = net.place(f"Start{name}", {HOSTILE, "b"}, [HOSTILE]), net.place(f"End{name}", {HOSTILE, "b"})
    net.transition(f"Go{name}", start.take("x"), end.put("x"))
    net.invariant(HOSTILE, lambda s: len(getattr(s, f"End{name}")) == 0)
    return net


@dataclass(frozen=True)
class Letter:
    tag: str
    value: object


def kinds():
    """A value of each kind that has a form of its own in files for other tools."""
    m = Model(
        "kinds",
        none=None,
        half=0.5,
        big=2**90,
        text="\ud800",
        pair=(1, "a"),
        letter=Letter("a", None),
        rec=Map({"k": 0}),
    )

    @m.action(who=("x", None))
    def first(s, who):
        require(s.none is None)
        s.none = Record(a=who)

    @m.action
    def second(s):
        require(s.none is not None)
        s.letter = Letter("b", choose({1, 2}))
        s.rec["k"] = -1

    m.invariant("none", lambda s: s.rec["k"] == 0)
    return m


def union():
    message = colours.union("Message", data=range(3), pair=tuple[int, int], stop=None)
    net = Net("union")
    here = net.place("Here", message, [message.data(1), message.pair((1, 2)), message.stop])
    net.transition("Go", here.take("m"), net.place("#meta", message).put("m"))
    net.invariant("some wait", lambda s: len(s.Here) > 0)
    return net


def saved(name, report):
    verdict = report.verdicts[0]
    claim = Claim(verdict.property.kind, verdict.property.name, verdict.status)
    return SavedTrace(report.model, f"{name}.py", {}, claim, described_trace(report, verdict.trace))


SAVED = ["violated", "long", "empty", "timed", "kinds", "union", "hostile"]  # traces saved by the page and from here


def write_pages(folder):
    """Pages of every kind, and which tabs each of them must have."""
    with_net = ["Verdicts", "Trace", "Net", "Actions", "Graph"]
    plain = ["Verdicts", "Trace", "Actions", "Graph"]
    reports = {
        "violated": (check(counter()), ["Verdicts", "Trace", "Sweep", "Actions", "Graph"]),
        "net": (check(channel()), with_net),
        "timed": (check(clocks()), with_net),
        "modules": (check(modules()), ["Verdicts", "Trace", "Lanes", "Net", "Actions", "Graph"]),
        "network": (check(network()), plain),
        "long": (check(lasso(3000)), ["Verdicts", "Trace", "Actions"]),
        "formula": (formula(), plain),
        "trees": (trees(), plain),
        "fair": (fair_loop(), plain),
        "empty": (check(ending()), plain),
        "holds": (check(counter(top=2)), ["Verdicts", "Sweep", "Actions", "Graph"]),
        "stopped": (check(counter(top=9), limits=Limits(states=2)), ["Verdicts", "Actions", "Graph"]),
        "hostile": (
            check(hostile_model(), keep_going=True),
            ["Verdicts", "Trace", "Lanes", "Sweep", "Actions", "Graph"],
        ),
        "hostile_net": (check(hostile_net()), ["Verdicts", "Trace", "Net", "Actions", "Graph"]),
        "workers": (check(workers()), ["Verdicts", "Trace", "Lanes", "Actions", "Graph"]),
        "kinds": (check(kinds()), ["Verdicts", "Trace", "Lanes", "Actions", "Graph"]),
        "union": (check(union()), with_net),
    }
    pages = {name: answers_to_page([Answer(f"{name}.py", report)]) for name, (report, _) in reports.items()}
    pages["statespace"] = state_space_to_page("net.py", state_space_report(channel()))
    ways = [{"strategy": "full"}, {"strategy": "sweep"}, {"strategy": "caching", "cache_size": 2}]
    pages["tradeoff"] = tradeoff_to_page("m.py", Tradeoff(tuple(explore(counter(), **way) for way in ways)))
    pages["tables"] = tables_to_page(tables(), HOSTILE, HOSTILE)
    pages["saved"] = saved_to_page(saved("violated", reports["violated"][0]))
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    for name in SAVED:
        (folder / f"{name}.itf.json").write_text(json.dumps(saved_to_itf(saved(name, reports[name][0]))))
    wanted = {name: tabs for name, (_, tabs) in reports.items() if tabs is not None}
    wanted |= {"statespace": ["Verdicts", "Net", "Actions", "Graph"], "tables": ["Tables"]}
    wanted |= {"tradeoff": ["Trade-off", "Verdicts", "Actions", "Graph"], "saved": ["Verdicts", "Trace"]}
    (folder / "pages.json").write_text(json.dumps({"pages": wanted, "saved": SAVED}))


@pytest.mark.skipif(not (WEB / "node_modules").is_dir(), reason="the tools of web/ are not installed: npm ci in web/")
class TestBrowser:
    def test_the_page_is_built_from_its_sources(self, tmp_path):
        subprocess.run(["npx", "vite", "build", "--outDir", str(tmp_path)], cwd=WEB, check=True, capture_output=True)
        committed = ROOT / "src/sweepcheck/report/page.html"
        assert (tmp_path / "page.html").read_text("utf-8") == committed.read_text("utf-8")

    @pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no Chromium")
    def test_readers_find_their_way(self, tmp_path):
        write_pages(tmp_path)
        themes = "both" if os.environ.get("SWEEPCHECK_SLOW") else "one"
        command = ["node", "tests/stories.mjs", shutil.which("chromium"), str(tmp_path), themes]
        ran = subprocess.run(command, cwd=WEB, check=False, capture_output=True, text=True, timeout=300)
        assert (ran.stdout.strip(), ran.returncode) == ("", 0), ran.stderr

    def test_changes_are_told_as_the_command_line_tells_them(self, tmp_path):
        numbers = Random(7)
        values, cases = Values(), []
        while len(cases) < 1500:
            old = drawn_value(numbers, 3)
            new = changed_value(numbers, old)
            found = changes({"x": typed(old)}, {"x": typed(new)})
            texts = {"texts": [change.text() for change in found], "told": told(found)}
            cases.append({"old": values.add(typed(old)), "now": values.add(typed(new)), **texts})
        path = tmp_path / "changes.json"
        path.write_text(json.dumps({"values": values.entries, "cases": cases}), encoding="utf-8")
        command = ["npx", "vitest", "run", "--no-color", "tests/diffs.test.mjs"]
        ran = subprocess.run(
            command, cwd=WEB, check=False, capture_output=True, text=True, env={**os.environ, "CHANGES": str(path)}
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr


def drawn_value(numbers, depth):
    """A value of any kind, some of them long."""
    atoms = [0, 1, 2, "a", "b", "a longer text, with a comma", None, True, ("p", 1)]
    if depth == 0 or numbers.random() < 0.3:
        return numbers.choice(atoms)
    parts = [drawn_value(numbers, depth - 1) for _ in range(numbers.randrange(5))]
    if numbers.random() < 0.2:
        return Array(numbers.choice(atoms[:2]) for _ in range(numbers.randrange(4, 30)))
    made = [Array, tuple, frozenset, Queue, Bag, lambda some: Record(**{f"f{at}": one for at, one in enumerate(some)})]
    try:
        return numbers.choice(made)(parts)
    except (TypeError, ValueError, SweepcheckError):  # what cannot be together in a bag
        return tuple(parts)


def changed_value(numbers, old):
    """A value that a step may have made of another one."""
    if isinstance(old, Array) and len(old) and numbers.random() < 0.5:  # many elements alike
        other = numbers.choice([lambda: "new", lambda: numbers.randrange(9)])
        return Array(numbers.choice([one, one, other()]) for one in old)
    if isinstance(old, tuple | Queue) and numbers.random() < 0.7:
        parts = [*old][numbers.randrange(2) :] + [drawn_value(numbers, 1) for _ in range(numbers.randrange(3))]
        return type(old)(parts)
    return drawn_value(numbers, 2)
