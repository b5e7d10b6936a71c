"""`sweepcheck convert`: a net written as Python or PNML has the same states, and converting again changes nothing."""

import os
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest
from symmetric_nets import random_symmetric

from sweepcheck import Limits, explore, load
from sweepcheck.cli.main import main
from sweepcheck.errors import SweepcheckError

SEEDS = range(300 if os.environ.get("SWEEPCHECK_SLOW") else 12)

RING = """
from sweepcheck import Net, colours
Process = colours.ordered(colours.values("ada", "bob", "cy"))
Step = colours.ordered(range(4))
net = Net("ring", Process=Process, Step=Step, limit=2)
idle = net.place("Idle", Process, ["ada", "bob", "cy"])
at = net.place("At place", (Process, Step))
turn = net.place("turn", Process, {"ada": 1})
pool = net.place("Pool", initial=2)
seen = net.place("Seen", Process)
net.transition("Start", idle.take("p"), pool.take(), at.put("(p, 0)"), turn.take("p"), turn.put("Process.next(p)"))
net.transition("Go", at.take("(p, n)"), at.put("(p, Step.next(n))"), guard="n < limit and p != 'cy'")
net.transition("Jump", at.take("(p, n)"), at.put("(p, m)"), free={"m": Step}, guard="m > n")
others = seen.put("Process.all_but(p)")
net.transition("End", at.take("(p, 3)"), idle.put("p"), pool.put(), others, seen.inhibit("'ada'"))
low = "not Process.position(q) < Process.position('bob')"
net.transition("Low", seen.take("Process.all()"), turn.test("q"), guard=low)
net.transition("Forget", seen.reset(), turn.test("'cy'"))
"""

PLAIN = """
from sweepcheck import Net
def fork(n=2):
    net = Net("fork.")
    a, b, c = net.place("a", initial=n), net.place("b-1"), net.place("class")
    net.transition("t 1", a.take("2*()"), b.put("2*()"), c.inhibit("2*()"))
    net.transition("u", b.take(), c.put(), a.test())
    net.transition("v", c.take(), a.put(), b.reset())
    return net
"""


def convert(source: Path, target: Path, *more: str) -> Path:
    assert main(["convert", str(source), "-o", str(target), "-q", *more]) == 0
    return target


def counted(path: Path) -> tuple[int | None, int]:
    numbers = explore(load(str(path)), limits=Limits(5000)).statistics
    return numbers.states, numbers.edges


def round_trip(source: Path, folder: Path) -> None:
    """Through PNML and Python and back: the second time nothing changes any more."""
    first = convert(source, folder / "b.pnml")
    python = convert(first, folder / "c.py")
    again = convert(python, folder / "d.pnml")
    last = convert(again, folder / "e.py")
    assert counted(first) == counted(python) == counted(source)
    assert again.read_text() == convert(last, folder / "f.pnml").read_text()
    assert python.read_text().partition("\n")[2] == last.read_text().partition("\n")[2]


@pytest.mark.parametrize("text", [RING, PLAIN], ids=["symmetric", "plain"])
def test_our_nets(text: str, tmp_path: Path) -> None:
    source = tmp_path / "net.py"
    source.write_text(dedent(text), encoding="utf-8")
    round_trip(source, tmp_path)
    assert counted(convert(source, tmp_path / "g.py")) == counted(source)


def test_parameters(tmp_path: Path) -> None:
    source = tmp_path / "net.py"
    source.write_text(dedent(PLAIN), encoding="utf-8")
    larger = convert(source, tmp_path / "b.pnml", "-p", "n=5")
    assert counted(larger) != counted(source)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_pnml(seed: int, tmp_path: Path) -> None:
    source = tmp_path / "a.pnml"
    source.write_text(random_symmetric(Random(seed)).pnml(), encoding="utf-8")
    try:
        load(str(source), unfold=False)
    except SweepcheckError:
        return  # nothing happens in it, or only the unfolded net says what does
    round_trip(source, tmp_path)


REFUSED = {
    "time": 'a = net.place("a", colours.timed(range(3)))\nnet.transition("t", a.put("1 @+ 2"))',
    "a capacity": 'a = net.place("a", capacity=2)\nnet.transition("t", a.put())',
    "a colour without end": 'a = net.place("a", int, [1])\nnet.transition("t", a.take("n"))',
    "tokens that are computed": (
        'a = net.place("a", range(3), [1])\nnet.transition("t", a.take("n"), a.put("(n + 1) % 3"))'
    ),
    "a value that is computed": (
        'a = net.place("a", range(3), [1])\nnet.transition("t", a.take("n"), a.put("m"), let={"m": "n"})'
    ),
    "a choice": 'a = net.place("a", range(3), [1])\nnet.transition("t", a.take("n"), a.put("n if n else {}"))',
    "a condition that is no comparison": (
        'a = net.place("a", range(3), [1])\nnet.transition("t", a.take("n"), guard="n % 2 == 1")'
    ),
    "an inhibitor of any colour": 'a = net.place("a", range(3), [1])\nnet.transition("t", a.inhibit())',
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_pnml_cannot_say(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "net.py"
    source.write_text(f"from sweepcheck import Net, colours\nnet = Net('n')\n{REFUSED[name]}\n", encoding="utf-8")
    assert main(["convert", str(source), "-o", str(tmp_path / "b.pnml")]) == 2
    printed = capsys.readouterr().err
    assert "SC138" in printed
    assert "net.py:" in printed
    if name != "a colour without end":
        assert counted(convert(source, tmp_path / "c.py")) == counted(source)


def test_what_python_cannot_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "net.py"
    body = "net = Net('n', f=lambda n: n)\na = net.place('a', range(3), [1])\nnet.transition('t', a.take('n'))"
    source.write_text(f"from sweepcheck import Net\n{body}\n", encoding="utf-8")
    assert main(["convert", str(source), "-o", str(tmp_path / "c.py")]) == 2
    assert "SC138" in capsys.readouterr().err
    assert main(["convert", str(source), "-o", str(tmp_path / "c.txt")]) == 2
    assert "SC403" in capsys.readouterr().err
    assert main(["convert", str(source), "-o", str(tmp_path / "no" / "c.pnml")]) == 2
    assert "SC406" in capsys.readouterr().err
