"""`compile`, `progress`, and what `check` and `explore` take for processes."""

import json

import pytest

DOORS = """
param n = 2
process Door(i) = open.i -> Opened(i)
process Opened(i) = close.i -> Door(i)
process Porter(k: 0..n) = when k < n: any i in 1..n: open.i -> Porter(k + 1)
system "doors" = (all i in 1..n: door(i) = Door(i)) || porter = Porter(0)
check never "closed twice": close.1 after close.1 without open.1
check deadlock
"""


@pytest.fixture(autouse=True)
def doors(folder):
    (folder / "doors.psl").write_text(DOORS, encoding="utf-8")


def test_compile_writes_files_and_says_who_does_what(run, folder):
    ended = run("compile", "doors.psl", "-p", "n=1", "-o", "out")
    assert ended.code == 0
    assert "open.1                   door_1, porter" in ended.out
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["door_1.aut", "doors.network", "porter.aut"]
    assert "3 files written to out; check out/doors.network" in ended.err
    one, other = (run("check", path, *given, "--keep-going") for path, given in (
        ("doors.psl", ["-p", "n=1"]), ("out/doors.network", [])))  # fmt: skip
    assert one.code == other.code == 1
    assert one.out.splitlines()[:2] == other.out.splitlines()[:2]
    assert run("compile", "doors.psl", "-o", "out", "-q").out == ""


def test_compile_needs_a_network(run):
    ended = run("compile", "counter.py:counter", "-o", "out")
    assert ended.code == 2
    assert ended.err.startswith("error[SC404]")
    (ended,) = [run("compile", "doors.psl", "-o", "doors.psl/x")]
    assert ended.code == 2
    assert ended.err.startswith("error[SC406]")


def test_an_event_that_is_refused_for_ever_is_told(run, folder):
    (folder / "gate.psl").write_text("process P = a -> b -> P system = P || gate = P alphabet {c}\n")
    assert "never possible, because a component refuses it for ever: c" in run("compile", "gate.psl", "-o", "out").out


def test_progress_says_what_can_be_had(run):
    ended = run("progress", "doors.psl")
    assert ended.code == 0
    assert "door_1 ... door_2          2      2           1        2        1        1  tree" in ended.out
    assert "door_1 ... door_2: tree, strongly connected: no other measure tells its locations apart" in ended.out
    rows = json.loads(run("progress", "doors.psl", "--format", "json", "--measure", "door_2=scc").out)["components"]
    assert [row["kind"] for row in rows] == ["tree", "scc", "scc"]
    assert (rows[2]["locations"], rows[2]["components"], rows[2]["tree_regress"]) == (3, 3, 0)


def test_progress_draws(run, folder):
    ended = run("progress", "doors.psl", "--draw", "pictures")
    assert "3 graphs written to pictures" in ended.err
    text = (folder / "pictures" / "door_1.dot").read_text(encoding="utf-8")
    assert 'label="Opened(1)\\n1"' in text
    assert "style=dashed" in text
    assert text.count("->") == 2
    assert "style=dashed" not in (folder / "pictures" / "porter.dot").read_text(encoding="utf-8")


def test_pictures_need_an_extra(run, folder, monkeypatch):
    monkeypatch.setattr("sweepcheck.cli.progress.can_draw", lambda: False)
    ended = run("progress", "doors.psl", "--draw", "pictures")
    assert ended.code == 0
    assert 'pip install "pygraphviz>=2.0"' in ended.err
    assert not list((folder / "pictures").glob("*.svg"))
    assert "pip install" not in run("progress", "doors.psl", "--draw", "pictures", "-q").err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["explore", "doors.psl", "--measure", "sc"], "SC403", "'sc'"),
        (["progress", "doors.psl", "--measure", "sc"], "SC403", "'sc'"),
        (["explore", "doors.psl", "--measure", "dor=scc"], "SC403", "'dor'"),
        (["explore", "doors.psl", "--measure", "scc", "--progress", "1"], "SC404", "contradict"),
        (["explore", "counter.py:counter", "--measure", "scc"], "SC404", "has none"),
        (["check", "doors.psl", "--never", "opn"], "SC612", "'opn'"),
        (["check", "doors.psl", "--never", "open after"], "SC601", "end of the file"),
        (["check", "counter.py:counter", "--never", "tick"], "SC404", "about events"),
        (["check", "doors.psl", "--invariant", "door_1 == 'Dor(1)'"], "SC402", "no location 'Dor(1)'"),
        (["explore", "doors.psl", "-p", "m=1"], "SC105", "'m'"),
        (["explore", "doors.psl", "-p", "n=x"], "SC105", "'x'"),
    ],
)
def test_mistakes(run, arguments, code, words):
    ended = run(*arguments)
    assert ended.code == 2
    assert ended.err.startswith(f"error[{code}]")
    assert words in ended.err


def test_conditions_speak_of_components(run):
    assert run("check", "doors.psl", "--invariant", "porter in ('Porter(0)', 'Porter(1)', 'Porter(2)')").code == 0
    assert run("check", "doors.psl", "--reachable", "door_1[:4] == door_2[:4]").code == 0
    assert run("check", "doors.psl", "--never", "close.1 before open.1").code == 0
    ended = run("check", "doors.psl", "--never", "close after open.2")
    assert ended.code == 1
    assert "observer_close_after_open_2: 'watching' -> 'violated'" in ended.out
