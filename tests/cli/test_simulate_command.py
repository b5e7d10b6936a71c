"""`sweepcheck simulate`: commands from a pipe, random runs, files, refusals, and a session at a terminal."""

import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time

import jsonschema
import pytest

from sweepcheck.report.json import json_schema

MODEL = """
from sweepcheck import Array, Bag, Model, choose, require

def crossing(n=3, broken=False):
    m = Model("crossing", at=0, bag=Bag())

    @m.action
    def walk(s):
        require(s.at < n)
        s.at += 1

    @m.action
    def pack(s):
        require(len(s.bag) < 2)
        s.bag.add(choose(["hat", "stick"]))

    @m.action
    def random(s):
        require(s.at == n)
        s.at = 0

    @m.action
    def trip(s):
        require(broken and s.at == 2)
        s.at = 1 // 0

    m.initial(at=[0, 1])
    m.progress(lambda s: s.at)
    m.invariant("not over", lambda s: s.at < n)
    m.reachable("packed", lambda s: len(s.bag) == 2)
    return m

def wide(n=300):
    m = Model("wide", left=Bag(range(n)), right=Bag())

    @m.action
    def move(s):
        s.right.add(s.left.take())

    return m

def stuck():
    m = Model("stuck", x=0)
    m.deadlock()
    return m
"""


@pytest.fixture(autouse=True)
def crossing(folder):
    (folder / "crossing.py").write_text(MODEL)


@pytest.fixture
def piped(run, monkeypatch):
    """Run `simulate` with commands from a pipe."""

    def call(commands, *arguments):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in commands)))
        return run("simulate", *arguments)

    return call


CROSSING = ("crossing.py:crossing", "--seed", "5")


class TestCommands:
    def test_a_moment(self, piped):
        ended = piped([], *CROSSING)
        assert (ended.code, ended.err) == (0, "")
        assert ended.out == (
            "crossing, n=3 broken=False; seed 5\n"
            "state 0: at=0 bag=empty\n"
            "progress: 0\n"
            "enabled:\n"
            "  1  walk           at: 0 -> 1\n"
            "  2  pack('hat')    bag: empty -> 1*'hat'\n"
            "  3  pack('stick')  bag: empty -> 1*'stick'\n"
            "\n"
        )

    def test_steps_by_number_and_label_quietly(self, piped):
        ended = piped(["1", "pack('h", "", "# a remark", "pack('stick')"], *CROSSING, "-q")
        assert ended.code == 0
        assert ended.out.splitlines()[3:] == [
            "  1  walk  at: 0 -> 1",
            "state 1: at=1 bag=empty",
            "progress: 1",
            "  2  pack('hat')  bag: empty -> 1*'hat'",
            "state 2: at=1 bag=1*'hat'",
            "progress: 1",
            "enabled:",
            "  1  walk           at: 1 -> 2",
            "  2  pack('hat')    bag: 1*'hat' -> 2*'hat'",
            "  3  pack('stick')  bag: + 'stick'",
            "  3  pack('stick')  bag: + 'stick'",
            "state 3: at=1 bag=1*'hat' + 1*'stick'",
            "progress: 1",
            "✓ reached  reachable 'packed'",
        ]

    def test_violations_and_progress_that_goes_back(self, piped):
        ended = piped(["walk", "walk", "walk", "step random"], *CROSSING, "-q")
        assert ended.code == 0
        assert "state 3: at=3 bag=empty\nprogress: 3\n✗ violated  invariant 'not over'\n" in ended.out
        assert ended.out.endswith("progress: 0, which is not at least that of the state before\n")
        assert piped(["walk", "walk", "walk"], *CROSSING).code == 1

    def test_back_and_forth(self, piped):
        ended = piped(["1", "2", "2", "undo", "undo 2", "redo 3", "back 1", "reset", "reset 2"], *CROSSING, "-q")
        places = [line.split(":")[0] for line in ended.out.splitlines() if line.startswith("state")]
        assert places == [f"state {n}" for n in (0, 1, 2, 3, 2, 0, 3, 1, 0, 0)]
        assert "state 0: at=1 bag=empty" in ended.out

    def test_show_trace_and_lists(self, piped):
        ended = piped(
            ["pack('hat')", "1", "show", "trace", "trace 1", "list st", "initial", "initial 1"], *CROSSING, "-q"
        )
        assert ended.out.split("progress: 1\n", 1)[1].splitlines() == [
            "  at   1",
            "  bag  1*'hat'",
            "  0  initial state  at=0 bag=empty",
            "  1  pack('hat')    bag: empty -> 1*'hat'",
            "  2  walk           at: 0 -> 1",
            "  2  walk  at: 0 -> 1",
            "enabled:",
            "  3  pack('stick')  bag: + 'stick'",
            "  1    at=0 bag=empty",
            "  2    at=1 bag=empty",
            "  1    at=0 bag=empty",
        ]

    def test_random_steps(self, piped):
        once, again = (piped(["random\t3", "random"], *CROSSING) for _ in range(2))
        assert once == again
        assert "state 4: " in once.out or "a property is violated" in once.out
        assert "all steps were made" not in once.out
        other = piped(["random 3", "random"], "crossing.py:crossing", "--seed", "6")
        assert other.out.replace("seed 6", "seed 5") != once.out

    def test_run_until(self, piped):
        ended = piped(["run until at == 2"], *CROSSING, "-q")
        assert ended.out.endswith("steps: the condition is met\n") or ended.out.endswith("step: the condition is met\n")
        assert "progress: 2\n" in ended.out
        ended = piped(["run until deadlock"], *CROSSING, "-q")
        assert "✗ violated  invariant 'not over'" in ended.out
        assert ended.out.endswith("steps: a property is violated\n")
        ended = piped(["run until deadlock"], "crossing.py:stuck", "-q")
        assert ended.out.endswith("✗ violated  deadlock\n0 steps: no action is enabled\n")

    def test_long_runs_show_their_end(self, piped):
        ended = piped(["random 50"], "counter.py:counter", "-p", "endless=True", "-p", "top=99", "-q")
        assert "  ... 30 steps before; `trace` shows all\n  31  tick  n: 30 -> 31\n" in ended.out

    def test_many_edges_and_large_bags_stay_readable(self, piped):
        ended = piped(["list 29", "move(17)", "quit", "nonsense"], "crossing.py:wide")
        assert ended.code == 0
        assert "... 280 more; `list` shows all, `list TEXT` those with TEXT in their label" in ended.out
        assert "  300  move(299)  left: - 1*299, right: empty -> 1*299\n" in ended.out
        assert "  1  move(17)  left: - 1*17, right: empty -> 1*17\n" in ended.out
        assert max(map(len, ended.out.splitlines())) < 150
        assert piped(["list"], "crossing.py:wide").out.count("move(") == 320

    def test_help_names_every_command(self, piped):
        from sweepcheck.cli.console import COMMANDS

        shown = piped(["help"], *CROSSING, "-q").out
        assert all(f"\n  {word} " in shown for word in COMMANDS)

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("fly", "'fly' is neither a command nor an enabled edge"),
            ("pack", "'pack' may be any of 2 enabled edges"),
            ("undo", "1 step cannot be undone"),
            ("undo two", "'two' is not a number"),
            ("redo", "1 step cannot be made again"),
            ("back 3", "step 3 does not lie behind"),
            ("reset 3", "there is no initial state number 3"),
            ("9", "there is no edge number 9"),
            ("list nothing", "no enabled edge has 'nothing' in its label"),
            ("run", "is not a command"),
            ("save", "`save` needs a file"),
            ("load", "`load` needs a file"),
        ],
    )
    def test_a_mistake_ends_a_script(self, piped, line, words):
        ended = piped([line, "1"], *CROSSING)
        assert ended.code == 2
        assert ended.err.startswith("error[SC408]: ")
        assert words in ended.err
        assert "state 1" not in ended.out

    def test_numbers_that_are_too_long(self, piped):
        assert piped(["random " + "9" * 5000], *CROSSING).err.startswith("error[SC408]")
        assert piped(["9" * 5000], *CROSSING).err.startswith("error[SC408]")

    def test_what_is_no_text_and_no_input_at_all(self, command):
        simulate = [command, "simulate", *CROSSING]
        ended = subprocess.run(simulate, input=b"\xff\xfe\n", capture_output=True, check=False)
        assert ended.returncode == 2
        assert ended.stderr.startswith(b"error[SC408]")
        closed = subprocess.run(["/bin/sh", "-c", f"{' '.join(simulate)} <&-"], capture_output=True, check=False)
        assert closed.returncode == 0
        assert closed.stdout.startswith(b"crossing, ")

    def test_other_mistakes_keep_their_codes(self, piped):
        assert piped(["run until far > 3"], *CROSSING).err.startswith("error[SC402]")
        assert piped(["save run.txt"], *CROSSING).err.startswith("error[SC403]")
        assert piped(["load nowhere.json"], *CROSSING).err.startswith("error[SC501]")
        assert piped(["1", "1"], *CROSSING, "-p", "broken=True").err.startswith("error[SC201]")


class TestFiles:
    def test_save_replay_and_load(self, piped, run):
        ended = piped(["1", "pack('hat')", "save run.json"], *CROSSING, "-p", "n=5")
        assert ended.out.endswith("2 steps written to run.json\n")
        shown = run("trace", "run.json", "--model", "crossing.py:crossing")
        assert shown.code == 0
        assert "a simulated run, 2 steps\n" in shown.out
        assert shown.err == "replayed on crossing.py:crossing: every step is possible\n"
        again = piped(["undo"], "crossing.py:crossing", "--replay", "run.json", "-q")
        assert again.out.startswith("crossing, n=5 broken=False; seed ")
        assert "state 2: at=1 bag=1*'hat'\n" in again.out
        assert "state 1: at=1 bag=empty\n" in again.out
        loaded = piped(["1", "load run.json"], *CROSSING, "-q")
        assert "run.json replayed, 2 steps\nstate 2: at=1 bag=1*'hat'\n" in loaded.out

    def test_a_counter_example_can_be_stepped_through(self, run, piped):
        assert run("check", "crossing.py:crossing", "--property", "not over", "--trace", "over.json").code == 1
        ended = piped(["undo"], "crossing.py:crossing", "--replay", "over.json", "-q")
        assert "✗ violated  invariant 'not over'\n" in ended.out
        assert ended.code == 0

    def test_a_trace_of_another_model(self, piped):
        assert piped(["1", "save run.json"], *CROSSING).code == 0
        ended = piped([], "crossing.py:wide", "--replay", "run.json")
        assert ended.err.startswith("error[SC105]")
        assert piped(["load run.json"], "crossing.py:wide").err.startswith("error[SC502]")

    def test_saved_at_the_end(self, piped, folder):
        ended = piped(["1"], *CROSSING, "--save", "end.mmd")
        assert ended.err == "1 step written to end.mmd\n"
        assert (folder / "end.mmd").read_text().startswith("sequenceDiagram\n")
        (folder / "notes.json").write_text("mine")
        assert piped(["1"], *CROSSING, "--save", "notes.json").err.startswith("error[SC406]")
        assert (folder / "notes.json").read_text() == "mine"


class TestRandom:
    def test_the_steps_and_why_they_ended(self, run):
        ended = run("simulate", "counter.py:counter", "--random", "9", "--seed", "1")
        assert (ended.code, ended.err) == (0, "")
        assert ended.out == (
            "counter, top=3 bad=None endless=False; seed 1\n"
            "  0  initial state  n=0 ticks=0\n"
            "  1  tick           n: 0 -> 1\n"
            "  2  tick           n: 1 -> 2\n"
            "  3  tick           n: 2 -> 3\n"
            "✓ reached  reachable 'top'\n"
            "a simulated run, 3 steps: no action is enabled\n"
        )
        quiet = run("simulate", "counter.py:counter", "--random", "2", "-q")
        assert quiet.out.endswith("\na simulated run, 2 steps: all steps were made\n")

    def test_a_violation_is_exit_code_1(self, run):
        ended = run("simulate", *CROSSING, "--random", "999", "-q", "--save", "run.json")
        assert ended.code == 1
        assert "✗ violated  invariant 'not over'\n" in ended.out
        assert ended.out.endswith(": a property is violated\n")
        assert run("trace", "run.json").code == 0

    def test_json_is_a_trace_that_can_be_replayed(self, run, folder):
        ended = run("simulate", *CROSSING, "--random", "4", "--format", "json")
        data = ended.json
        jsonschema.validate(data, json_schema() | {"$ref": "#/$defs/simulation"})
        assert data["seed"] == 5
        assert data["end"] in ("all steps were made", "a property is violated")
        assert data["progress"] == int(data["trace"]["steps"][-1]["state"]["at"])
        (folder / "run.json").write_text(ended.out)
        assert run("trace", "run.json").code == 0

    def test_json_from_commands(self, piped):
        data = piped(["1", "show", "list"], *CROSSING, "--format", "json").json
        assert [step["label"] for step in data["trace"]["steps"]] == ["walk"]
        assert data["end"] is None
        assert data["enabled"] == ["walk", "pack('hat')", "pack('stick')"]
        assert data["violated"] == []

    def test_a_model_that_fails_is_shown_with_the_way_there(self, run):
        ended = run("simulate", *CROSSING, "-p", "broken=True", "--random", "99")
        assert ended.code == 2
        assert ended.err.startswith("error[SC201]")
        assert "at: 1 -> 2" in ended.out

    def test_where_it_starts(self, run):
        assert "initial state  at=1" in run("simulate", *CROSSING, "--initial", "2", "--random", "0").out
        assert run("simulate", *CROSSING, "--initial", "3", "--random", "1").err.startswith("error[SC408]")
        ended = run("simulate", *CROSSING, "--initial", "2", "--replay", "run.json")
        assert ended.err.startswith("error[SC404]")

    def test_ctrl_c_keeps_the_steps(self, command):
        arguments = ["simulate", "counter.py:counter", "-p", "endless=True", "-p", "top=1e9", "--random", str(10**9)]
        process = subprocess.Popen(
            [command, *arguments, "-q", "--save", "run.json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout.readline().startswith("counter, ")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert out.endswith(("steps: interrupted\n", "step: interrupted\n"))
        assert "written to run.json" in err


CTRL_C, CTRL_D = b"\x03", b"\x04"


def test_ctrl_c_ends_a_script(command):
    simulate = [command, "simulate", "counter.py:counter", "-p", "endless=True", "-p", "top=1e9", "-q"]
    process = subprocess.Popen(
        simulate, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    process.stdin.write("run until False\nshow\n")
    assert process.stdout.readline().startswith("counter, ")
    assert process.stdout.readline().startswith("state 0")
    assert process.stdout.readline().startswith("progress")
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == ("", "interrupted\n")


def conversation(command, *turns):
    """Type lines at a pseudo-terminal, each after the prompt has come; what was to be seen."""
    terminal, other = pty.openpty()
    process = subprocess.Popen(
        command, stdin=other, stdout=other, stderr=other, env={**os.environ, "TERM": "dumb", "NO_COLOR": "1"}
    )
    os.close(other)
    seen, waiting, turn, silences = b"", list(turns), b"", 0
    while silences < 30:
        if not select.select([terminal], [], [], 2)[0]:
            silences += 1
            if turn == CTRL_C:  # it came after the prompt was written and before the line was waited for
                process.send_signal(signal.SIGINT)
            continue
        try:
            seen += os.read(terminal, 65536)
        except OSError:  # the process has closed its end
            break
        if waiting and seen.endswith(b"> "):
            turn = waiting.pop(0)
            if turn == CTRL_C:  # it is not the terminal of that process, so the signal has to be sent
                process.send_signal(signal.SIGINT)
            else:
                os.write(terminal, turn)
    os.close(terminal)
    assert not waiting
    return process.wait(timeout=60), seen.decode().replace("\r", "")


class TestAtATerminal:
    def test_a_session(self, command):
        simulate = [command, "simulate", *CROSSING, "-q"]
        code, seen = conversation(simulate, b"nonsense\n", b"wal\t\n", b"undo\n", CTRL_D)
        assert code == 0
        assert "2 initial states; `reset N` starts in one of them:\n  1    at=0 bag=empty\n" in seen
        assert "error[SC408]: 'nonsense' is neither a command nor an enabled edge\n" in seen
        assert "state 1: at=1 bag=empty\n" in seen
        assert seen.count("state 0: at=0 bag=empty\n") == 2

    def test_ctrl_c_at_the_prompt(self, command, folder):
        code, seen = conversation([command, "simulate", *CROSSING, "--save", "run.json"], b"1\n", CTRL_C)
        assert code == 130
        assert "interrupted\n" in seen
        assert "Traceback" not in seen
        assert len(json.loads((folder / "run.json").read_text())["trace"]["steps"]) == 1

    def test_json_is_not_for_people(self, command):
        code, seen = conversation([command, "simulate", *CROSSING, "--format", "json"])
        assert code == 2
        assert "error[SC404]" in seen
