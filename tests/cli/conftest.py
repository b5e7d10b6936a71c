"""Model files, and three ways to run the command line: in this process, in another one, and as a terminal would."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from sweepcheck.cli.main import main

MODEL = """
from sweepcheck import Model, require

def counter(top=3, bad=None, endless=False):
    m = Model("counter", n=0, ticks=0)

    @m.action
    def tick(s):
        require(endless or s.n < top)
        s.n += 1

    @m.action
    def stumble(s):
        require(s.n == bad)
        raise_here = 1 // (s.n - s.n)

    m.progress(lambda s: s.n, span=(0, top))
    m.invariant("small", lambda s: s.n <= top)
    m.reachable("top", lambda s: s.n == top)
    m.deadlock(final=lambda s: s.n == top)
    return m

def bare():
    return Model("bare", x=0)

def backwards():
    m = Model("backwards", n=3)

    @m.action
    def down(s):
        require(s.n > 0)
        s.n -= 1

    m.progress(lambda s: s.n)
    return m

def light(stuck=False):
    m = Model("light", colour="red")

    @m.action
    def flicker(s):
        require(not stuck)
        s.colour = "amber" if s.colour == "red" else "red"

    m.always_eventually("green", lambda s: s.colour == "green")
    return m
"""


class Ended(NamedTuple):
    """How a call ended."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Each test runs in a folder of its own, with a model in it, and without the settings of whoever runs the tests."""
    (tmp_path / "counter.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "CI", "SWEEPCHECK_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Run a command line in this process."""

    def call(*arguments):
        code = main([str(argument) for argument in arguments])
        return Ended(code, *capsys.readouterr())

    return call


@pytest.fixture
def command():
    """The installed command, as a subprocess would start it."""
    installed = Path(sys.executable).parent / "sweepcheck"
    assert installed.exists(), "the package is not installed"
    return str(installed)


@pytest.fixture
def spawn(command):
    """Run the installed command in another process."""

    def call(*arguments, **environment):
        finished = subprocess.run(
            [command, *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            encoding="utf-8",
            env={**os.environ, **environment},
        )
        return Ended(finished.returncode, finished.stdout, finished.stderr)

    return call
