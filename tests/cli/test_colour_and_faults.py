"""Colour changes no character, and whatever goes wrong inside ends as what it is."""

import io
import re
import sys

import pytest

from sweepcheck.cli import check as check_module
from sweepcheck.cli.colour import coloured
from sweepcheck.cli.options import DURATION
from sweepcheck.cli.session import Session
from sweepcheck.core.observer import Silence
from sweepcheck.report.live import EventLines, LiveLine, PlainLines

TEXT = """\
✗ violated      invariant 'x'  (exact)
✓ holds         deadlock  (exact)
? inconclusive  reachable 'y'  (bounded): the time limit was reached
  stopped early (the time limit was reached) after 1.0 s

a counter-example for invariant 'x', 2 steps: its last state does not satisfy it
  0  initial state  x=[red] y='[/]'
  1  set(x=1)       x: 0 -> 1
     loop starts at step 1: and so on
  states found so far  12  not necessarily all
state 3: x=1 progress: no
enabled:
  1  Sender.go(on=True)
      x: 1 -> 2
error[SC101]: what
  help  do that
"""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_colour_changes_no_character():
    painted = coloured(TEXT)
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == TEXT
    for words in ("\x1b[1;31m✗ violated\x1b[0m", "\x1b[1;30;43m? inconclusive\x1b[0m", "\x1b[36mset(x=1)\x1b[0m"):
        assert words in painted
    for words in ("\x1b[1mstate 3:\x1b[0m x", "\x1b[1menabled:\x1b[0m", "\x1b[36mSender.go(on=True)\x1b[0m\n"):
        assert words in painted


@pytest.mark.parametrize(
    ("settings", "terminal", "kind"),
    [
        ({}, True, LiveLine),
        ({"NO_COLOR": "1"}, True, PlainLines),
        ({"CI": "true"}, True, PlainLines),
        ({"TERM": "dumb"}, True, PlainLines),
        ({}, False, PlainLines),
    ],
)
def test_who_watches(monkeypatch, settings, terminal, kind):
    monkeypatch.setenv("TERM", "xterm")
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stderr", Terminal() if terminal else io.StringIO())
    with Session().watching(None) as observer:
        assert isinstance(observer, kind)
    with Session(quiet=True).watching(None) as observer:
        assert isinstance(observer, Silence)
    with Session(format="jsonl").watching(None) as observer:
        assert isinstance(observer, EventLines)


@pytest.mark.parametrize("loud", [(), ("-v",)])
def test_our_own_faults(run, monkeypatch, loud):
    def broken(*_, **__):
        raise KeyError("lost")

    monkeypatch.setattr(check_module, "check", broken)
    ended = run("check", "counter.py", *loud)
    assert ended.code == 70
    assert ended.out == ""
    assert "internal error: KeyError: 'lost'" in ended.err
    assert ("Traceback" in ended.err) is bool(loud)


def test_an_interruption_outside_the_engine(run, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(check_module, "check", interrupted)
    ended = run("check", "counter.py")
    assert ended.code == 130
    assert ended.err.strip() == "interrupted"


def test_memory_that_runs_out_outside_the_engine(run, monkeypatch):
    def large(*_, **__):
        raise MemoryError

    monkeypatch.setattr(check_module, "check", large)
    ended = run("check", "counter.py")
    assert ended.code == 3
    assert "error[SC216]: memory ran out" in ended.err


def test_amounts_may_be_numbers():
    assert DURATION.convert(5, None, None) == 5.0
