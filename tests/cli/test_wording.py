"""Errors name arguments to those who call the library, and options to those who type commands."""

import json

import pytest

from sweepcheck import SweepcheckError, check, explore, load
from sweepcheck.cli.wording import in_options

MODEL = """
from sweepcheck import Model

def toggle(start):
    m = Model("toggle", n=start)

    @m.action
    def flip(s):
        s.n = 1 - s.n

    m.invariant("p", lambda s: s.n < 1)
    m.invariant("q", lambda s: True)
    return m
"""


@pytest.fixture
def model(folder) -> str:
    (folder / "toggle.py").write_text(MODEL, encoding="utf-8")
    return str(folder / "toggle.py")


# Arguments of the library, options that say the same, the code, and what each is told.
CASES = [
    ({"strategy": "column"}, ["--strategy", "column"], "SC303", 'strategy="full"', "--strategy full"),
    ({"cache_size": 3}, ["--cache-size", "3"], "SC404", 'strategy="caching"', "--strategy caching"),
    ({"measure": "scc"}, ["--measure", "scc"], "SC404", "measure=...", "--measure EXPR"),
    (
        {"strategy": "sweep", "measure": "n"},
        ["--strategy", "sweep", "--measure", "n"],
        "SC301",
        'strategy="generalised"',
        "--strategy generalised",
    ),
]


@pytest.mark.parametrize(("arguments", "options", "code", "said", "typed"), CASES)
def test_one_error_in_two_wordings(arguments, options, code, said, typed, run, model) -> None:
    with pytest.raises(SweepcheckError) as caught:
        explore(load(model, {"start": 0}), **arguments)
    assert caught.value.code == code
    assert said in caught.value.suggestion
    assert "--" not in str(caught.value)
    ended = run("explore", model, "-p", "start=0", *options)
    assert (ended.code, f"error[{code}]" in ended.err) == (2, True)
    assert typed in ended.err
    assert said not in ended.err
    machine = json.loads(run("explore", model, "-p", "start=0", *options, "--format", "json").out)
    assert typed in machine["error"]["help"]


def test_parameters(run, model) -> None:
    with pytest.raises(SweepcheckError) as caught:
        load(model)
    assert caught.value.suggestion == 'give it: load(..., {"start": ...})'
    assert "give it: -p start=VALUE" in run("explore", model).err


def test_reports_name_both(run, model) -> None:
    reason = check(load(model, {"start": 1}))["q"].reason
    assert "keep_going=True (--keep-going)" in str(reason)
    assert "--max-states, Limits(states=...)" in run("explore", model, "-p", "start=0", "--max-states", "1").out


def test_nothing_else_is_touched() -> None:
    advice = "declare m.progress(...); did you mean 'trace'?"
    assert in_options(advice) == advice
    assert in_options(None) is None
