"""`sweepcheck draw`: files, stdout, modules, markings of a trace, refusals."""

import json
import sys

import pytest

NET = """
from sweepcheck import Model, Net

def relay(speed):
    net = Net("relay", speed=speed)
    i, o = net.place("In", int, port="in"), net.place("Out", int, port="out")
    net.transition("Pass", i.take("n"), o.put("n + speed"))
    return net

def chain(first=1, speed=1):
    net = Net("a chain", first=first)
    a, b, c = net.place("A", int, [first]), net.place("B", int), net.place("C", int)
    module = relay(speed)
    net.substitution("One", module, In=a, Out=b)
    net.substitution("Two", module, In=b, Out=c)
    net.invariant("never there", lambda m: not m.C)
    return net

def counter():
    m = Model("counter", n=0)

    @m.action
    def tick(s):
        s.n = 1 - s.n

    return m
"""


@pytest.fixture(autouse=True)
def net_file(folder):
    (folder / "net.py").write_text(NET, encoding="utf-8")


def test_without_options_a_picture_beside(run, folder):
    ended = run("draw", "net.py:chain")
    assert (ended.code, ended.out, ended.err) == (0, "", "drawing written to net.svg\n")
    assert ">One</text>" in (folder / "net.svg").read_text(encoding="utf-8")
    ended = run("draw", "net.py:chain", "--module", "One", "-q")
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    assert ">Pass</text>" in (folder / "net.One.svg").read_text(encoding="utf-8")


def test_output_by_suffix_and_on_stdout(run, folder):
    assert run("draw", "net.py:chain", "-o", "chain.dot").err == "drawing written to chain.dot\n"
    ended = run("draw", "net.py:chain", "--format", "dot")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (folder / "chain.dot").read_text(encoding="utf-8")
    assert ended.out.startswith('digraph "a chain" {\n')
    assert '"A" -> "One"' in ended.out
    assert "first=1" in ended.out
    assert "first=5" in run("draw", "net.py:chain", "-p", "first=5", "--format", "dot").out
    assert run("draw", "net.py:chain", "--format", "svg").out.startswith("<?xml")
    assert "rankdir=LR" in run("draw", "net.py:chain", "--format", "dot", "--direction", "right").out
    flat = run("draw", "net.py:chain", "--flat", "--format", "dot").out
    assert '"A" -> "One.Pass"' in flat
    assert "One: speed=1; Two: speed=1" in flat


def test_all_modules(run, folder):
    ended = run("draw", "net.py:chain", "--all", "pictures", "--format", "dot")
    assert ended.code == 0
    assert ended.err.splitlines() == [
        "a chain written to pictures/a_chain.dot",
        "One written to pictures/a_chain.One.dot",  # tokens of A, which its port stands for
        "Two written to pictures/a_chain.Two.dot",
    ]
    assert sorted(one.name for one in (folder / "pictures").iterdir()) == [
        "a_chain.One.dot",
        "a_chain.Two.dot",
        "a_chain.dot",
    ]
    assert run("draw", "net.py:chain", "--all", "pictures", "-q").err == ""
    assert (folder / "pictures" / "a_chain.svg").exists()


def test_names_that_no_file_can_have(run, folder):
    (folder / "odd.py").write_text(
        "from sweepcheck import Net\nm = Net('m')\nm.transition('T', m.place('P').put())\n"
        "k = Net('k')\nk.transition('T', k.place('P').put('2*()'))\nnet = Net('a/b')\n"
        "net.substitution('x/y', m)\nnet.substitution('x:y', k)\nmodel = net\n",
        encoding="utf-8",
    )
    assert run("draw", "odd.py", "--all", "here", "--format", "dot").code == 0
    assert sorted(one.name for one in (folder / "here").iterdir()) == ["a_b.dot", "a_b.x_y-2.dot", "a_b.x_y.dot"]


def test_the_tokens_after_a_step_of_a_trace(run, folder):
    assert run("check", "net.py:chain", "-p", "first=7", "--trace", "trace.json").code == 1
    steps = len(json.loads((folder / "trace.json").read_text(encoding="utf-8"))["trace"]["steps"])
    assert steps == 2

    def tokens(*options):
        out = run("draw", "net.py:chain", "--trace", "trace.json", "--format", "dot", *options).out
        rows = {name: next(line for line in out.splitlines() if line.startswith(f'    "{name}" [')) for name in "ABC"}
        return [name for name, row in rows.items() if "#1b7f4b" in row], out

    assert tokens("--step", "0")[0] == ["A"]
    assert tokens("--step", "1")[0] == ["B"]
    last, out = tokens()
    assert last == ["C"]
    assert ">1*9<" in out
    assert "first=7" in out, "the parameters of the trace are taken"
    ended = run("draw", "net.py:chain", "--trace", "trace.json", "--step", "3", "--format", "dot")
    assert ended.code == 2
    assert ended.err.startswith("error[SC403]: the trace has no step 3\n  help  it has 2;")
    ended = run("draw", "net.py:chain", "-p", "first=8", "--trace", "trace.json", "--format", "dot")
    assert ended.err.startswith("error[SC502]")


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["net.py:counter"], "SC404", "only nets can be drawn"),
        (["net.py:chain", "--module", "Oen"], "SC403", "did you mean 'One'?"),
        (["net.py:chain", "--module", "One", "--flat"], "SC404", "--module and --flat"),
        (["net.py:chain", "--module", "One", "--all", "x"], "SC404", "--module and --all"),
        (["net.py:chain", "--flat", "--all", "x"], "SC404", "--flat and --all"),
        (["net.py:chain", "-o", "x.dot", "--all", "x"], "SC404", "--output and --all"),
        (["net.py:chain", "-o", "x.dot", "--format", "dot"], "SC404", "--output and --format"),
        (["net.py:chain", "--step", "1"], "SC404", "add --trace"),
        (["net.py:chain", "-o", "x.png"], "SC403", "use .svg or .dot"),
        (["net.py:chain", "-o", "missing/x.dot"], "SC406", "there is no folder missing"),
        (["net.py:chain", "--all", "missing/x"], "SC406", "missing/x"),
        (["net.py:chain", "--trace", "net.py"], "SC501", "net.py"),
        (["nowhere.py"], "SC101", "nowhere.py"),
    ],
)
def test_refusals(run, options, code, words):
    ended = run("draw", *options)
    assert ended.code == 2
    assert ended.err.startswith(f"error[{code}]: ")
    assert words in ended.err


def test_without_the_extra_there_is_dot(run, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    ended = run("draw", "net.py:chain")
    assert ended.code == 2
    assert ended.err.startswith("error[SC405]: SVG needs pygraphviz, which is not installed\n")
    assert 'pip install "pygraphviz>=2.0", or write DOT text: --format dot, or FILE.dot' in ended.err
    assert not (folder / "net.svg").exists()
    assert run("draw", "net.py:chain", "-o", "net.dot").code == 0


def test_nothing_but_the_picture_is_printed(spawn):
    ended = spawn("draw", "net.py:chain", "--format", "svg")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("<?xml")
    assert ended.out.endswith("</svg>\n")
