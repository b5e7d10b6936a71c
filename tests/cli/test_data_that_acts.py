"""Files of data do nothing: whatever a trace, a network or an .aut file says, no Python of theirs is run."""

import json
import os
import pty
import subprocess
import sys

import pytest

from sweepcheck import load
from sweepcheck.cli.tracefile import read_trace
from sweepcheck.errors import SweepcheckError
from sweepcheck.models.processes.networkfile import read_network
from sweepcheck.properties.restricted import restricted

ACT = "__import__('pathlib').Path('acted').touch() or True"
CELL = 'des (0, 2, 2)\n(0, "put", 1)\n(1, "get", 0)\n'


@pytest.fixture
def trace(run, folder):
    """A saved trace, and a way to change it."""
    assert run("check", "counter.py:counter", "--invariant", "n < 2", "--trace", "trace.json").code == 1

    def change(**entries):
        data = json.loads((folder / "trace.json").read_text())
        (folder / "trace.json").write_text(json.dumps(data | entries))

    return change


def claim(name, kind="invariant", status="violated"):
    return {"kind": kind, "name": name, "status": status}


@pytest.mark.parametrize("kind", ["invariant", "reachable", "always_possible", "always_eventually", "deadlock"])
def test_the_name_of_a_property_is_never_run(run, folder, trace, kind):
    trace(property=claim(ACT, kind))
    run("trace", "trace.json", "--model", "counter.py:counter")
    run("trace", "trace.json")
    run("simulate", "counter.py:counter", "--replay", "trace.json", "--random", "0")
    run("check", "counter.py:counter", "--invariant", "n < 1", "--trace", "trace.json")
    assert not (folder / "acted").exists()


def test_what_cannot_be_read_is_said(run, trace):
    trace(property=claim(ACT))
    ended = run("trace", "trace.json", "--model", "counter.py:counter")
    assert ended.code == 0
    assert "every step is possible; the model declares no invariant" in ended.err
    assert "Python in a file is not run" in ended.err


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("invariant", "holds"),
        ("invariant", "inconclusive"),
        ("deadlock", "holds"),
        ("always_possible", "holds"),
        ("always_eventually", "holds"),
        ("reachable", "violated"),
        ("reachable", "inconclusive"),
    ],
)
def test_a_trace_that_claims_what_no_trace_shows(run, trace, kind, status):
    trace(property=claim("n == 2", kind, status))
    ended = run("trace", "trace.json", "--model", "counter.py:counter")
    assert (ended.code, ended.out) == (2, "")
    assert f"no trace shows that {kind} is {status}" in ended.err


def test_a_trace_shows_no_more_than_its_steps(run, trace):
    trace(property=claim("n == 3", "always_possible"))  # which holds: the state at the end is just not there yet
    ended = run("trace", "trace.json", "--model", "counter.py:counter")
    assert ended.code == 0
    assert "violated" not in ended.err
    assert "only `sweepcheck check` can tell" in ended.err


def test_a_deadlock_of_another_name_is_not_asked_without_the_final_states(run, folder, trace):
    assert run("check", "counter.py:counter", "--reachable", "n == 3", "--trace", "trace.json").code == 0
    trace(property=claim("stuck", "deadlock"))  # the model allows its last state to be final
    ended = run("trace", "trace.json", "--model", "counter.py:counter")
    assert ended.code == 0
    assert "the model declares no deadlock 'stuck'" in ended.err


FAIR = """
from sweepcheck import Model

def fair():
    m = Model("fair", x=0, y=0)
    @m.action
    def wait(s):
        s.y = 1 - s.y
    @m.action(fair=True)
    def go(s):
        s.x = 1
    m.always_eventually("gone", lambda s: s.x == 1)
    return m
"""


def test_a_loop_that_is_not_fair_is_said_to_be_so(run, folder):
    (folder / "fair.py").write_text(FAIR)
    assert run("check", "fair.py").code == 0
    assert run("check", "fair.py", "--no-fairness", "--trace", "trace.json").code == 1
    ended = run("trace", "trace.json", "--model", "fair.py")
    assert ended.code == 0
    assert "violated only if any run counts (--no-fairness): the loop ignores go" in ended.err


def test_parameters_are_literals(run, folder, trace):
    trace(parameters={"top": ACT, "bad": "[" * 100_000, "endless": "0" * 100_000})
    assert run("trace", "trace.json", "--model", "counter.py:counter").code == 0
    assert not (folder / "acted").exists()


class TestTheModelThatATraceNames:
    @pytest.fixture(autouse=True)
    def planted(self, folder, trace):
        (folder / "planted.py").write_text("from pathlib import Path\nPath('acted').touch()\n" + OTHER)
        trace(reference="planted.py:counter")

    def test_it_is_not_run_unasked(self, run, folder):
        ended = run("trace", "trace.json")
        assert ended.code == 0
        assert "n: 1 -> 2" in ended.out
        assert ended.err == (
            "not replayed: no model was given; if you trust planted.py:counter, add --model planted.py:counter\n"
        )
        assert not (folder / "acted").exists()

    def test_quietly_that_is_an_error(self, run, folder):
        ended = run("trace", "trace.json", "-q")
        assert ended.code == 2
        assert ended.err.startswith("error[SC503]")
        assert not (folder / "acted").exists()

    @pytest.mark.parametrize("answer", ["y", "n", ""])
    def test_at_a_terminal_it_is_asked_for(self, folder, answer):
        printed = at_a_terminal(answer, "trace", "trace.json")
        assert "The trace names the model planted.py:counter. Replaying it runs that file; do you trust it?" in printed
        assert (folder / "acted").exists() is (answer == "y")
        assert ("replayed on planted.py:counter" if answer == "y" else "not replayed: ") in printed

    @pytest.mark.parametrize("reference", ["a" * 5000 + ".py", "zero\0byte.py:x", "/", "..", "", "x.py:", ":", "\n.py"])
    def test_no_name_is_too_odd(self, run, trace, reference):
        trace(reference=reference)
        ended = run("trace", "trace.json")
        assert ended.code == 0
        assert "not replayed: " in ended.err

    def test_it_may_lie_beside_the_trace(self, run, folder):
        (folder / "elsewhere").mkdir()
        (folder / "trace.json").rename(folder / "elsewhere" / "trace.json")
        (folder / "planted.py").rename(folder / "elsewhere" / "planted.py")
        assert "--model elsewhere/planted.py:counter" in run("trace", "elsewhere/trace.json").err
        assert not (folder / "acted").exists()


OTHER = """
from sweepcheck import Model
def counter(top=3, bad=None, endless=False):
    m = Model("counter", n=0, ticks=0)
    @m.action
    def tick(s):
        s.n += 1
    return m
"""


def at_a_terminal(answer, *arguments):
    """What is printed at a terminal where somebody gives an answer."""
    terminal, other = pty.openpty()
    started = subprocess.Popen(
        [sys.executable, "-m", "sweepcheck", *arguments],
        stdin=other, stdout=other, stderr=other, env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    os.close(other)
    os.write(terminal, f"{answer}\n".encode())
    printed = b""
    try:
        while piece := os.read(terminal, 4096):
            printed += piece
    except OSError:  # the other end is closed
        pass
    started.wait()
    os.close(terminal)
    return printed.decode()


class TestRestrictedExpressions:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("n < 2", True),
            ("s.n < 2 and state.ticks == 0", True),
            ("n == top - 2 * 1 // 1 + 0", True),
            ("0 <= n <= top <= 2", False),
            ("not (n in (1, 2)) or n not in [3] or n in {1}", True),
            ("(n or 7) == 1 and (n and 7) == 7", True),
            ("max(n, ticks, abs(-4)) == 4 and len((1, 2)) == 2", True),
            ("bad is None and (5, 6)[n] == 6", True),
            ("n / 2 == 0.5 and n % 2 == 1", True),
        ],
    )
    def test_a_small_part_of_python_is_known(self, text, value):
        system = load("counter.py:counter")
        assert restricted(system, text)(system.view((1, 0))) is value

    @pytest.mark.parametrize(
        "text",
        [
            ACT, "(lambda: n)()", "n.__class__", "s._values", "[x for x in (1, 2)]", "all(x for x in (1,))",
            "f'{n}'", "print(n)", "len.__self__", "n if n else 1", "2 ** n", "n << 9", "(n := 1)", "x", "exec", "n()",
            "s.n.bit_length()", "max(1, key=len)", "max(*(1, 2))", "(1, 2)[0:1]", "b'n'", "1j", "...", "~n", "",
            "-" * 3000 + "1", "(" * 60 + "n" + ")" * 60 + " < 1" * 700, "not " * 100 + "n", "n\0", "'\x1b' in n(",
        ],
    )  # fmt: skip
    def test_everything_else_is_refused(self, text):
        with pytest.raises(SweepcheckError) as raised:
            restricted(load("counter.py:counter"), text)
        assert raised.value.code == "SC402"

    @pytest.mark.parametrize("text", ["'x' * 9999999999 == 1", "'%9999999999d' % n == 1", "[0] * 9999999999 == n"])
    def test_only_numbers_are_worked_with(self, text):
        system = load("counter.py:counter")
        with pytest.raises(TypeError, match="is not a number"):
            restricted(system, text)(system.view((1, 0)))


NETWORK = 'name = "n"\n[[component]]\nname = "c"\nfile = "cell.aut"\n'


@pytest.mark.parametrize(
    "more",
    [
        f'[[property]]\nkind = "invariant"\nname = "p"\ncondition = {json.dumps(ACT)}\n',
        f'measure = {json.dumps(ACT)}\n',
        f"[[property]]\nkind = {json.dumps(ACT)}\nname = 'p'\n",
        f'locations = [{json.dumps(ACT)}, "b"]\n',
    ],
)  # fmt: skip
def test_nothing_in_a_network_file_is_run(run, folder, more):
    (folder / "cell.aut").write_text(CELL)
    (folder / "n.network").write_text(NETWORK + more)
    for command in ("check", "explore", "progress"):
        run(command, "n.network")
    run("explore", "n.network", "--strategy", "generalised")
    assert not (folder / "acted").exists()


@pytest.mark.parametrize("label", [ACT, "../../x", "<img src=x onerror=alert(1)>", "$(touch acted)", "`touch acted`"])
def test_nothing_in_an_aut_file_is_run(run, folder, label):
    (folder / "cell.aut").write_text(f'des (0, 1, 1)\n(0, "{label}", 0)\n')
    assert run("explore", "cell.aut").code == 0
    assert run("progress", "cell.aut", "--draw", "drawn").code == 0
    assert run("compile", "cell.aut", "-o", "compiled").code == 0
    assert run("simulate", "cell.aut", "--random", "3", "--save", "run.json").code == 0
    assert run("trace", "run.json", "--model", "cell.aut").code == 0
    assert not (folder / "acted").exists()
    assert sorted(path.name for path in folder.iterdir() if path.suffix != ".pyc") == sorted(
        ["cell.aut", "compiled", "counter.py", "drawn", "run.json"]
    )


def test_a_network_and_a_trace_do_not_even_import(folder, trace):
    """Readers load nothing that the file could name."""
    (folder / "cell.aut").write_text(CELL)
    (folder / "n.network").write_text(NETWORK)
    before = set(sys.modules)
    read_network(folder / "n.network")
    read_trace(folder / "trace.json")
    assert {name for name in set(sys.modules) - before if not name.startswith("sweepcheck")} <= set(
        sys.stdlib_module_names
    )


class TestOptions:
    """The limits on files reach every command that reads one."""

    COMMANDS = (
        ["check", "--deadlock"], ["explore"], ["report"], ["simulate", "--random", "1"], ["progress"], ["tradeoff"],
        ["compile", "-o", "compiled"],
    )  # fmt: skip

    @pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
    def test_every_command_takes_them(self, run, folder, command):
        (folder / "cell.aut").write_text(CELL)
        (folder / "below").mkdir()
        (folder / "below" / "n.network").write_text(NETWORK.replace("cell.aut", "../cell.aut"))
        name, *options = command
        assert "error[SC608]" in run(name, "below/n.network", *options).err
        assert "error[SC" not in run(name, "below/n.network", *options, "--allow-outside").err
        assert "error[SC607]" in run(name, "below/n.network", *options, "--allow-outside", "--max-size", "3").err
        assert "error[SC410]" in run(name, "cell.aut", *options, "--max-file-size", "9").err
        (folder / "two.psl").write_text("process P = a -> P system = all i in 1..2: p(i) = P")
        assert "error[SC607]" in run(name, "two.psl", *options, "--max-components", "1").err

    def test_traces_and_drawings_take_them(self, run, folder, trace):
        assert "error[SC410]" in run("trace", "trace.json", "--max-file-size", "9").err
        assert "error[SC410]" in run("draw", "counter.py:counter", "--max-file-size", "9").err
        few = ("--trace", "trace.json", "--max-file-size", "9")
        assert "error[SC410]" in run("draw", "counter.py:counter", *few).err
        assert "error[SC410]" in run("simulate", "counter.py:counter", "--replay", "trace.json", *few[2:]).err
