"""Every option of every command, given odd texts: an answer or an error with a code, never a traceback or code 70."""

import re
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from sweepcheck.cli.main import COMMANDS, cli, main

MODEL = """
from enum import Enum
from sweepcheck import Model, Net, require

class Mode(Enum):
    SLOW = 1
    FAST = 2

def counter(top=3, bug=False, rate=0.5, name="x", mode=Mode.SLOW, sizes=(1, 2), most: int | None = None, free=None):
    m = Model("counter", n=0)

    @m.action
    def count(s):
        require(s.n < 3)
        s.n += 1

    m.invariant("small", lambda s: s.n <= 3)
    m.progress(lambda s: s.n)
    return m

def net():
    made = Net("net")
    a, b = made.place("A", int, [1, 2]), made.place("B", int)
    made.transition("Move", a.take("n"), b.put("n"))
    return made
"""
PROCESSES = """
param n = 2
param eager = false
process P(k: 0..n) = when k < n: up -> P(k + 1) [] when k > 0: down -> P(k - 1)
system = left = P(0) || right = P(0)
check deadlock
"""
TEXTS = (
    "", " ", "0", "1", "2", "-1", "+1", "00", "1.5", ".5", "1e3", "1e400", "1E5", "-0", "nan", "inf", "-inf", "1_000",
    "1__0", "_1", "1" * 23, "9" * 400, "9" * 5000, "0x10", "\N{ARABIC-INDIC DIGIT THREE}", "\N{SUPERSCRIPT TWO}",
    "\N{FULLWIDTH DIGIT ONE}", "1k", "1K", "1M", "2G", "9T", "99999999999T", "1Q", "10m", "2h", "1d", "1y", "1 s",
    "1ms", "1e30d", "1e300G", "0.0000001", "1e-9", "true", "false", "None", "n", "n <= 3", "n +", "s", "1 / 0", "n.x",
    "__import__('os')", "lambda: 0", "(" * 300, "n" * 5000, "x=1", "top=1", "top=", "top=1e3", "top=true",
    "bug=false", "bug=maybe", "bug=", "rate=nan", "mode=FAST", "mode=x", "sizes=(1,", "sizes=3", "sizes=(1, 2)",
    "most=None", "most=x", "free=true", "free=[1", "name=12", "=", "==", "=1", "n=-1", "n=10**9", "eager=1", "layer",
    "auto", "full", "sweep", "generalised", "column", "caching", "native", "reference", "text", "json", "jsonl",
    "junit", "scc", "tree", "both", "left=scc", "nobody=scc", "left=", "=scc", ",", "small", "count", "up",
    "up after down", "up before", "after", "\ud800", "\x1b[31m", "a\nb", "ä", "\u202e", "'", '"', "`", "$(x)", "%s",
    "{}", "{0}", "--", "-", "-p", "--help", ".", "..", "/", "/nowhere/at/all", "/dev/null", "nothing.py", "model.py",
    "x" * 300, "a/b/c.json", "out.svg", "out.json", "out.mmd",
)  # fmt: skip
SUBJECTS = ("model.py:counter", "model.py:net", "processes.psl", "model.py", "model.py:nobody", "nothing.psl")


@pytest.fixture(autouse=True, scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A folder with a model of each kind; what a command writes goes there."""
    home = tmp_path_factory.mktemp("options")
    (home / "model.py").write_text(MODEL)
    (home / "processes.psl").write_text(PROCESSES)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        patch.setenv("NO_COLOR", "1")
        patch.setattr("webbrowser.open", lambda _address: False)
        if find_spec("uvicorn") is not None:  # a server would wait for somebody
            patch.setattr("uvicorn.Server.run", lambda _server, sockets: None)
        yield


def options_of(command: str) -> list[click.Option]:
    """The options of a command, apart from help."""
    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    return [one for one in found.params if isinstance(one, click.Option) and one.name != "help"]


LIMITED = {"check", "explore", "report", "tradeoff"}  # commands that explore, and so can be told to stop
NEEDED = {"compile": ["-o", "compiled"], "simulate": ["--random", "3"], "draw": ["--format", "dot"]}


def ends_well(arguments: list[str]) -> str | None:
    """What is wrong with how a call ends; None if nothing is."""

    @click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
    def call() -> None:
        raise SystemExit(main(arguments))

    ended = CliRunner().invoke(call, [], input="")
    if ended.exception is not None and not isinstance(ended.exception, SystemExit):
        return f"{arguments}: {ended.exception!r}"
    if ended.exit_code not in (0, 1, 2, 3) or "Traceback" in ended.stderr.partition("error[")[0]:
        return f"{arguments}: exit code {ended.exit_code}: {ended.stderr[:500]}"
    if ended.exit_code == 2 and "error[SC" not in ended.output and not re.search("Error:|Usage:", ended.stderr):
        return f"{arguments}: exit code 2 without a reason: {ended.output[:500]}"
    return None


def call_of(command: str, subject: str, option: click.Option, text: str) -> list[str]:
    """A command line with one option that has an odd value."""
    if command in ("trace", "completion"):
        return [command, text, *([option.opts[-1]] if option.is_flag else [option.opts[-1], text])]
    given = [option.opts[-1]] if option.is_flag else [option.opts[-1], text]
    needed = [] if option.opts[-1] in NEEDED.get(command, []) or "-o" in option.opts else NEEDED.get(command, [])
    stop = ["--time-limit", "5"] if command in LIMITED and option.name != "time_limit" else []
    return [command, subject, *needed, *stop, *given]


EVERY_OPTION = [(command, option) for command in COMMANDS for option in options_of(command)]


@pytest.mark.parametrize(("command", "option"), EVERY_OPTION, ids=lambda one: one if isinstance(one, str) else one.name)
@settings(max_examples=settings.default.max_examples // 10)
@given(subject=st.sampled_from(SUBJECTS), text=st.one_of(st.sampled_from(TEXTS), st.text(max_size=12)))
def test_one_odd_option(command: str, option: click.Option, subject: str, text: str) -> None:
    assert ends_well(call_of(command, subject, option, text)) is None


@pytest.mark.parametrize("command", COMMANDS)
@settings(max_examples=settings.default.max_examples // 10)
@given(data=st.data())
def test_several_odd_options(command: str, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(options_of(command) or [click.Option(["--none"])]), max_size=3))
    arguments = [command, data.draw(st.sampled_from((*SUBJECTS, *TEXTS)))]
    for option in chosen:
        arguments += call_of(command, "", option, data.draw(st.sampled_from(TEXTS)))[2:]
    assert ends_well(arguments) is None


@settings(max_examples=settings.default.max_examples // 2)
@given(st.lists(st.one_of(st.sampled_from((*COMMANDS, *TEXTS)), st.text(max_size=6)), max_size=4))
def test_any_words(words: list[str]) -> None:
    short = {"explore": ["--max-states", "1"], "reproduce": ["--models", "nowhere"]}  # what would take long otherwise
    assert ends_well([*words, *(short.get(words[0], []) if words else [])]) is None


BROKE = [
    ["--max-states", "1" * 23],
    ["--max-states", "9" * 5000],
    ["--max-states", "\N{ARABIC-INDIC DIGIT THREE}"],
    ["--time-limit", "1e300"],
    ["--time-limit", "9" * 400],
    ["--time-limit", "\N{ARABIC-INDIC DIGIT THREE}"],
    ["--memory-limit", "1" * 23],
    ["--memory-limit", "1e300G"],
    ["--memory-limit", "0.0001"],
    ["--table-memory", "1" * 23],
    ["--table-memory", "0.1"],
    ["--workers", "9" * 5000],
    ["--workers", "\N{SUPERSCRIPT TWO}"],
    ["--gc", "1" * 23],
    ["--gc", "9" * 5000],
    ["--gc", "\N{SUPERSCRIPT TWO}"],
    ["--gc", ""],
    ["--strategy", "caching", "--cache-size", "1" * 23],
    ["-p", "bug=maybe"],
    ["-p", "top=" + "9" * 5000],
    ["--measure", "\ud800"],
    ["--invariant", "\ud800"],
    ["--reachable", "(" * 300],
    ["--measure", "scc"],
    ["--trace-dir", "\x00"],
    ["--trace-dir", "x" * 300],
    ["--trace", "\ud800.json"],
    ["--plot", "\ud800.svg"],
    ["--fair", "\ud800"],
]


@pytest.mark.parametrize("options", BROKE, ids=lambda options: options[-2] + " " + ascii(options[-1])[:20])
def test_what_broke_before(options: list[str]) -> None:
    assert ends_well(["check", "model.py:counter", *options]) is None


@pytest.mark.parametrize(
    "options",
    [
        *([name, text]
          for name in ("--max-states", "--time-limit", "--memory-limit", "--table-memory", "--gc", "--workers")
          for text in ("", "-1", "nan", "inf", "1" * 23 + "0" * 20, "\N{SUPERSCRIPT TWO}", "x", "0")),
        *(["--strategy", "caching", "--cache-size", text] for text in ("", "-1", "nan", "1" * 23, "x")),
    ],
    ids=lambda options: options[-2] + " " + ascii(options[-1])[:20],
)  # fmt: skip
def test_an_amount_that_is_none_is_refused(options: list[str]) -> None:
    assert main(["check", "model.py:counter", *options]) == 2


def test_the_folder_is_used() -> None:
    assert Path("model.py").exists()
