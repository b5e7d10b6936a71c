"""The plugin for pytest: models are collected, each property is a test, and a failure shows its trace."""

import re
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
# By the name of its module, whether the entry point is installed or not.
PLUGIN = ("-p", "no:sweepcheck", "-p", "sweepcheck.testing.pytest_plugin", "-p", "no:cacheprovider")

MODEL = """
from sweepcheck import Model, require

def counter(top=2):
    m = Model("counter", n=0)

    @m.action
    def tick(s):
        require(s.n < top)
        s.n += 1

    m.invariant("small", lambda s: s.n < 3)
    m.reachable("top", lambda s: s.n == top)
    return m
"""


@pytest.fixture
def outcome(pytester, monkeypatch):
    # On a build server pytest prints its summary lines whole, elsewhere cut to the terminal's width.
    for name in ("CI", "BUILD_NUMBER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*options, **files):
        for name, text in files.items():
            pytester.path.joinpath(f"{name}.py").write_text(text)
        return pytester.runpytest_inprocess(*PLUGIN, *options)

    return run


def test_files_that_hold_a_model(outcome):
    result = outcome("-v", counter_model=MODEL, other=MODEL)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*counter_model.py::counter_model::small PASSED*", "*::top PASSED*"])


def test_marked_factories_with_parameters(outcome):
    test = """
import pytest
from counter_model import counter

@pytest.mark.sweepcheck(strategy="full")
@pytest.mark.parametrize("top", [1, pytest.param(3), 2])
def counters(top):
    return counter(top)

def test_other():
    pass
"""
    result = outcome("-v", "--strict-markers", "test_counter.py", test_counter=test, counter_model=MODEL)
    result.assert_outcomes(passed=6, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*test_counter.py::counters?top=1?::small PASSED*",
            "*test_counter.py::counters?top=3?::small FAILED*",
            "*a counter-example for invariant 'small', 3 steps*",
            "*  3  tick * n: 2 -> 3",
            "*  looked at * n=3",
        ]
    )


def test_what_is_inconclusive_fails(outcome):
    test = """
import pytest
from counter_model import counter
from sweepcheck import Limits

@pytest.mark.sweepcheck(limits=Limits(states=1), properties=["small"])
def counters():
    return counter()
"""
    result = outcome("test_counter.py", test_counter=test, counter_model=MODEL)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["[?] inconclusive  invariant 'small'  (bounded)*"])


def test_assertions_and_models_without_properties(outcome):
    test = """
import pytest
from sweepcheck import Model

def model(ask):
    m = Model("m", n=0)

    @m.action
    def tick(s):
        assert s.n < 2, "low"
        s.n += 1

    if ask:
        m.invariant("any", lambda s: s.n < 9)
    return m

@pytest.mark.sweepcheck
@pytest.mark.parametrize("ask", [True, False])
def models(ask):
    return model(ask)

@pytest.mark.sweepcheck
def bare():
    return Model("bare", x=0)
"""
    result = outcome("-v", "test_models.py", test_models=test)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*::bare::every state is explored PASSED*", "*assertion *action tick: low*2 steps*"])


def test_models_that_cannot_be_built_or_run(outcome):
    broken = "from sweepcheck import Model\nm = Model('m', x=[])\n"
    raising = MODEL.replace("s.n += 1", "s.n += 1 // (1 - s.n)")
    result = outcome(broken_model=broken, raising_model=raising)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*error?SC111?*"])
    result = outcome("raising_model.py")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*error?SC201?*", "*the way there, 1 step*"])


def test_numbers_go_into_junit_files(outcome, pytester):
    outcome("--junit-xml", "r.xml", counter_model=MODEL)
    assert '<property name="states" value="3"' in pytester.path.joinpath("r.xml").read_text()


def test_other_files_are_models_if_asked(outcome, pytester):
    pytester.makeini("[pytest]\nsweepcheck_files = spec_*.py\n")
    outcome(spec_counter=MODEL, counter_model=MODEL).assert_outcomes(passed=2)


def test_the_page_about_it(outcome, pytester):
    """What the how-to shows is what happens."""
    page = (Path(__file__).parents[2] / "docs/how-to/pytest.md").read_text("utf-8")
    blocks = re.findall(r"```python\n# (\w+)\.py\n(.*?)```", page, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    result = outcome("-p", "no:sugar", **dict(blocks))
    result.stdout.fnmatch_lines([re.sub(r"[\[\]?*]", "?", line) for line in shown.splitlines()[1:] if line != "..."])
