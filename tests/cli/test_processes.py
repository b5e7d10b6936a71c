"""The installed command as a process of its own: exit codes, signals, pipes, streams."""

import os
import pty
import signal
import subprocess
import sys

import pytest

from sweepcheck.planner import ENGINES

ENDLESS = ("check", "counter.py:counter", "-p", "endless=True", "--invariant", "n >= 0")
BROKEN = (
    "import sys, sweepcheck.cli.explore as module\n"
    "def explore(*_, **__): raise ZeroDivisionError('ours')\n"
    "module.explore = explore\n"
    "from sweepcheck.cli.main import main\n"
    "sys.exit(main(sys.argv[1:]))\n"
)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["check", "counter.py:counter"], 0),
        (["check", "counter.py:counter", "--invariant", "n < 2"], 1),
        (["check", "nowhere.py"], 2),
        (["check"], 2),
        (["check", "counter.py:counter", "-p", "bad=1"], 2),
        (["check", "counter.py:counter", "--property", "small", "--max-states", "2"], 3),
        (["explore", "counter.py:counter", "--max-states", "2"], 3),
        (["explore", "counter.py:bare"], 0),
        (["--version"], 0),
        (["check", "--help"], 0),
    ],
)
def test_exit_codes(spawn, arguments, code):
    ended = spawn(*arguments)
    assert ended.code == code
    assert "\x1b" not in ended.out + ended.err


def test_an_error_in_an_action_keeps_the_models_own_traceback(spawn):
    ended = spawn("check", "counter.py:counter", "-p", "bad=1")
    assert "ZeroDivisionError" in ended.err
    assert "raise_here = 1 // (s.n - s.n)" in ended.err
    assert "sweepcheck/" not in ended.err.replace("docs", "")


@pytest.mark.parametrize("shown", [False, True])
def test_an_internal_error_is_not_a_verdict(shown):
    arguments = ["explore", "counter.py", *(["-v"] if shown else [])]
    ended = subprocess.run([sys.executable, "-c", BROKEN, *arguments], capture_output=True, text=True, check=False)
    assert ended.returncode == 70
    assert "internal error: ZeroDivisionError: ours" in ended.stderr
    assert "please report" in ended.stderr
    assert ("Traceback" in ended.stderr) is shown
    environment = {**os.environ, "SWEEPCHECK_DEBUG": "1"}
    ended = subprocess.run(
        [sys.executable, "-c", BROKEN, "explore", "counter.py"],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert "Traceback" in ended.stderr


def started(command, *arguments, **streams):
    """Start the command and wait until its run is under way: jsonl says so with its first line."""
    process = subprocess.Popen([command, *arguments, "--format", "jsonl"], stdout=subprocess.PIPE, text=True, **streams)
    assert '"snapshot"' in process.stdout.readline()
    return process


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "auto"])
def test_ctrl_c_gives_the_partial_report(command, engine):
    process = started(command, *ENDLESS, "--engine", engine)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    events = out.splitlines()
    assert '"status": "inconclusive"' in events[-2]
    assert '"stop": "interrupted"' in events[-1]
    assert '"complete": false' in events[-1]


def test_ctrl_c_while_the_model_is_loaded(command, folder):
    (folder / "slow.py").write_text("import sys, time\nprint('loading', flush=True)\ntime.sleep(600)\n")
    process = subprocess.Popen([command, "check", "slow.py"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "loading\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err


def test_a_reader_that_goes_away_misses_the_result(command):
    process = subprocess.Popen(
        [command, "check", "counter.py:counter", "--invariant", "n < 2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 2
    assert err.startswith("error[SC406]: standard output cannot be written: Broken pipe")


def test_the_module_is_the_command():
    ended = subprocess.run(
        [sys.executable, "-m", "sweepcheck", "check", "counter.py:counter", "--invariant", "n < 2"],
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 1


def test_a_terminal_that_knows_few_characters(spawn):
    ended = spawn("check", "counter.py:counter", PYTHONIOENCODING="ascii")
    assert ended.code == 0
    assert ended.out.startswith("? holds")


def on_a_terminal(command, *arguments, interrupt_at=None, **environment):
    """Run a command with a pseudo-terminal as all its streams; interrupt it when `interrupt_at` shows up."""
    terminal, other = pty.openpty()
    process = subprocess.Popen(
        [command, *arguments],
        stdin=other,
        stdout=other,
        stderr=other,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **environment},
    )
    os.close(other)
    text = b""
    while True:
        try:
            text += os.read(terminal, 65536)
        except OSError:  # the process has closed its end
            break
        if interrupt_at and interrupt_at in text:
            process.send_signal(signal.SIGINT)
            interrupt_at = None
    os.close(terminal)
    return process.wait(), text.decode("utf-8", "replace")


def test_on_a_terminal_there_is_colour_and_a_live_line(command):
    code, text = on_a_terminal(command, *ENDLESS, "-v", interrupt_at=b"explored")
    assert code == 130
    assert "\x1b[1;30;43m? inconclusive" in text
    assert "interrupted after" in text


def test_no_color_means_none(command):
    code, text = on_a_terminal(command, "check", "counter.py:counter", NO_COLOR="1")
    assert code == 0
    assert "\x1b" not in text


def test_errors_in_colour(command):
    code, text = on_a_terminal(command, "check", "nowhere.py")
    assert code == 2
    assert "\x1b[1;31merror[SC101]:" in text
