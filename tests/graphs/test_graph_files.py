"""State graphs as files: every form can be read again, and no name or value does harm."""

import json
import resource
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from sweepcheck import Limits, Model, choose, explore, load, read_aut, require, state_graph
from sweepcheck.cli.main import cli
from sweepcheck.errors import RequestError
from sweepcheck.report import graph_files
from sweepcheck.report.graph_drawing import graph_to_dot
from sweepcheck.report.json import json_schema

HOSTILE = '<script>alert(1)</script> & "x" \\N \x1b[31m]]> ${x} \u202e'


def hostile() -> Model:
    m = Model(HOSTILE, word=HOSTILE, n=0)

    @m.action
    def act(s: Any) -> None:
        require(s.n < 2)
        what = choose(HOSTILE, "i")
        s.word = what
        s.n += 1

    m.progress(lambda s: s.n)
    m.invariant(HOSTILE, lambda s: s.n < 2)
    return m


def run(*arguments: str) -> int:
    return int(cli.main(list(map(str, arguments)), standalone_mode=False))


def test_aut_can_be_read_by_our_own_front_end(tmp_path: Path) -> None:
    for reference in ("examples/stop_and_wait_net.py", "examples/peterson_broken.py", "examples/water_jugs.py"):
        graph = state_graph(load(reference))
        graph.save(tmp_path / "g.aut")
        again = explore(str(tmp_path / "g.aut"))
        assert again.statistics.states == len(graph)
        lts = read_aut(tmp_path / "g.aut")
        found = Counter((source, event, target) for source in range(len(lts)) for event, target in lts.steps(source))
        wanted = Counter((n, str(label), t) for n in range(len(graph)) for label, t in graph.outgoing(n))
        assert set(found) == set(wanted)


def test_aut_keeps_strange_labels_apart_from_silent_steps(tmp_path: Path) -> None:
    m = Model("silent", n=0)

    @m.action
    def i(s: Any) -> None:
        require(s.n == 0)
        s.n = 1

    state_graph(m).save(tmp_path / "i.aut")
    assert (tmp_path / "i.aut").read_text() == 'des (0, 1, 2)\n(0, "i()", 1)\n'
    graph = state_graph(hostile())
    graph.save(tmp_path / "h.aut")
    assert explore(str(tmp_path / "h.aut")).statistics.states == len(graph)


def test_several_initial_states_are_one_location_more(tmp_path: Path) -> None:
    m = Model("several", n=0)
    m.initial(n=[0, 1])

    @m.action
    def count(s: Any) -> None:
        require(s.n < 2)
        s.n += 1

    state_graph(m).save(tmp_path / "s.aut")
    lines = (tmp_path / "s.aut").read_text().splitlines()
    assert lines[0] == "des (3, 4, 4)"
    assert lines[1:3] == ["(3, i, 0)", "(3, i, 1)"]


def test_json(tmp_path: Path) -> None:
    graph = state_graph(hostile(), limits=Limits(states=4))
    graph.save(tmp_path / "g.json")
    data = json.loads((tmp_path / "g.json").read_text())
    assert data["model"] == HOSTILE
    assert data["complete"] is False
    assert [row["id"] for row in data["states"]] == list(range(4))
    assert data["states"][0] | {"values": None} == {
        "id": 0, "values": None, "initial": True, "explored": True, "dead": False, "violates": [], "progress": 0,
    }  # fmt: skip
    assert data["states"][0]["values"] == {"word": HOSTILE, "n": 0}
    assert len(data["edges"]) == graph.edge_count
    jsonschema.Draft202012Validator({**json_schema(), "$ref": "#/$defs/graph"}).validate(data)
    graph.save(tmp_path / "n.json", labels=["n"])
    assert json.loads((tmp_path / "n.json").read_text())["states"][0]["values"] == {"n": 0}


def test_graphml(tmp_path: Path) -> None:
    graph = state_graph(hostile())
    graph.save(tmp_path / "g.graphml")
    text = (tmp_path / "g.graphml").read_text()
    assert "\x1b" not in text
    assert "<script>" not in text
    root = ET.fromstring(text)
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    assert len(root.findall(".//g:node", space)) == len(graph)
    assert len(root.findall(".//g:edge", space)) == graph.edge_count
    violating = [
        one for one in root.findall(".//g:node", space) if one.find('g:data[@key="violates"]', space) is not None
    ]
    assert len(violating) == sum(bool(graph.violated(state)) for state in graph) > 0


def test_drawings_are_harmless(tmp_path: Path) -> None:
    pytest.importorskip("pygraphviz")
    graph = state_graph(hostile())
    graph.save(tmp_path / "g.svg")
    text = (tmp_path / "g.svg").read_text(encoding="utf-8")
    assert "<script" not in text
    assert "\x1b" not in text
    words = [element.text or "" for element in ET.fromstring(text).iter("{http://www.w3.org/2000/svg}text")]
    assert any("<script>alert(1)</script>" in word for word in words)


def test_marks_and_columns() -> None:
    m = Model("marks", n=0, up=0)

    @m.action
    def rise(s: Any) -> None:
        require(s.up < 2)
        s.up += 1

    @m.action
    def fall(s: Any) -> None:
        require(s.up == 1)
        s.up = 0
        s.n = 1

    m.progress(lambda s: s.up)
    m.invariant("low", lambda s: s.n == 0)
    m.step("never falls", lambda old, new: new.up >= old.up)
    text = graph_to_dot(state_graph(m), ["up"])
    lines = {line.split(" [")[0].strip(): line for line in text.splitlines() if line.startswith("  s")}
    assert "penwidth=2.2" in lines["s0"]
    assert 'label="up=0"' in lines["s0"]
    assert "violates low" in next(line for line in lines.values() if "up=0\\nviolates" in line)
    assert next(line for line in text.splitlines() if "rank=same" in line).startswith("  { rank=same; p0; s0; ")
    assert "style=dashed" in next(line for line in text.splitlines() if 'label="fall"' in line)
    assert "penwidth=2" in next(line for line in text.splitlines() if 'label="fall"' in line)
    assert sum("peripheries=2" in line for line in lines.values()) == 2  # at the top, with n and without
    cut = graph_to_dot(state_graph(m, up_to=1), None)
    assert "dashed" in cut
    assert "explored up to the bound" in cut


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "g.dot"
    model = "examples/stop_and_wait.py"
    assert run("explore", model, "-p", "packets=1", "--graph", target, "--graph-labels", "sender,receiver") == 0
    captured = capsys.readouterr()
    assert "20 states" not in captured.err
    assert f"graph written to {target}" in captured.err
    assert 'label="sender=1\\nreceiver=1"' in target.read_text()
    assert run("explore", model, "--graph", target, "--max-states", "30") == 3
    assert "the limit on states was reached" in target.read_text()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--graph", "g.png"], "SC614"),
        (["--graph", "g.svg"], "SC613"),
        (["--graph", "g.svg", "--max-states", "5000"], "SC613"),
        (["--graph", "g.dot", "-p", "packets=1", "--graph-labels", "sendr"], "SC403"),
        (["--graph-labels", "sender"], "SC404"),
        (["--graph", "g.dot", "--plot", "p.svg"], "SC404"),
        (["--graph", "g.dot", "--strategy", "sweep"], "SC417"),
        (["--graph", "nowhere/g.json", "-p", "packets=1"], "SC406"),
        (["--graph", "nowhere/g.dot", "-p", "packets=1"], "SC406"),
    ],
)
def test_mistakes(arguments: list[str], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Path("examples/stop_and_wait.py").resolve()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RequestError, match=code):
        run("explore", str(model), *arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".json", ".aut", ".graphml"])
def test_a_full_disk_leaves_the_counts_and_the_file_of_before(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / f"g{suffix}"
    target.write_text("of before")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(RequestError, match="SC406"):
            run("explore", "examples/stop_and_wait.py", "-p", "packets=4", "--graph", target)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "explored completely" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    assert target.read_text() == "of before"


def test_data_forms_have_a_limit_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_files, "MOST_DATA", 30)
    with pytest.raises(RequestError, match="more than 30 states"):
        run("explore", "examples/stop_and_wait.py", "--graph", str(tmp_path / "g.json"))
