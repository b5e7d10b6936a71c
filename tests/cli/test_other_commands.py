"""`explore`, `completion`, `--help`, `--version`, and the demo."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sweepcheck
from sweepcheck.cli import demo
from sweepcheck.cli.main import COMMANDS
from sweepcheck.cli.session import Session
from sweepcheck.errors import SweepcheckError

ROOT = Path(__file__).parents[2]


def test_explore_prints_statistics_only(run):
    ended = run("explore", "counter.py:counter")
    assert ended.code == 0
    assert ended.out.startswith("✓ explored completely\n")
    assert "progress →" in ended.out
    assert "holds" not in ended.out
    assert run("explore", "counter.py:counter", "-q").out == "✓ explored completely: 4 states, 3 edges, peak 2\n"


ENDLESS = """
from sweepcheck import Model
m = Model("endless", n=0)
@m.action
def count(s):
    s.n += 1
m.progress(lambda s: s.n)
m.cutoff(lambda s: s.n % 4, when=lambda s: s.n % 4 == 0)
m.invariant("positive", lambda s: s.n >= 0)
"""


def test_an_endless_model_by_classes_or_up_to_a_bound(run, tmp_path):
    file = tmp_path / "endless.py"
    file.write_text(ENDLESS)
    ended = run("check", str(file))
    assert ended.code == 3
    assert "(conditional): if the declared key is right; " in ended.out
    assert "remembered" in ended.out
    assert run("check", str(file), "-q").out.startswith("✓ holds  invariant 'positive'  (conditional): if the decl")
    counted = run("explore", str(file), "-q")
    assert counted.code == 3
    assert counted.out.startswith("✓ explored completely (conditional): if the declared key is right; ")
    whole = run("explore", str(file), "--format", "json", "--strategy", "full", "--no-equivalence", "--up-to", "5")
    assert whole.code == 3
    found = json.loads(whole.out)
    assert (found["statistics"]["states"], found["statistics"]["beyond"], found["up_to"]) == (6, 1, "5")
    assert found["equivalence"] is None
    bounded = run("check", str(file), "--up-to", "progress < 3")
    assert bounded.code == 3
    assert "explored up to progress < 3: 3 classes explored, 1 found beyond" in bounded.out
    assert json.loads(run("report", str(file), "--format", "json").out)["differing"] == ["n"]


def test_the_state_space_report(run):
    ended = run("report", "counter.py:counter")
    assert ended.code == 0
    assert "     Nodes:  4\n     Arcs:   3\n" in ended.out
    assert "No infinite occurrence sequences." in ended.out
    assert json.loads(run("report", "counter.py:counter", "--format", "json").out)["components"]["nodes"] == 4
    assert run("report", "counter.py:counter", "--max-states", "2").code == 3
    assert run("report", "counter.py:nobody").code == 2


def test_the_profile_of_the_actions(run):
    for command in ("explore", "check"):
        ended = run(command, "counter.py:counter", "--profile", "--engine", "native")
        assert ended.code == 0
        assert "what the actions cost, most expensive first\n" in ended.out
        assert "  tick  " in ended.out
        assert "\nadvice\n" in ended.out
    assert "most expensive first" not in run("explore", "counter.py:counter").out
    quiet = run("explore", "counter.py:counter", "--profile", "-q", "--engine", "native")
    assert quiet.out.startswith("✓ explored completely: 4 states, 3 edges, peak 2\n\nwhat the actions cost")
    ended = run("explore", "counter.py:counter", "--profile", "--engine", "reference")
    assert "counted by the native engine only" in ended.out


def test_the_engine_taken_is_told(run):
    assert "engine    native (" in run("explore", "counter.py:counter").out
    assert "engine    reference (asked for)" in run("explore", "counter.py:counter", "--engine", "reference").out


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_actions_are_verified(run, folder, engine):
    (folder / "impure.py").write_text(
        "from itertools import count\nfrom sweepcheck import Model, require\n"
        "calls = [count()]\nm = Model('impure', x=0, y=0)\n"
        "@m.action\ndef right(s):\n    require(s.x < 9)\n    s.x += 1 + next(calls[0]) % 2\n"
        "@m.action\ndef up(s):\n    require(s.y < 9)\n    s.y += 1\n"
        "m.invariant('small', lambda s: s.y < 10)\n",
        encoding="utf-8",
    )
    for command in ("check", "explore"):
        ended = run(command, "impure.py", "--verify-actions", "--engine", engine)
        assert ended.code == 2
        assert ended.err.startswith("error[SC213]: action 'right' did something else when it was run again")
        assert run(command, "counter.py:counter", "--verify-actions", "--engine", engine).code == 0


@pytest.mark.parametrize(
    ("option", "given", "expected"),
    [("table_memory", ["500M", "1"], [500 << 20, 1]), ("workers", ["2", "auto"], [2, "auto"])],
)
def test_what_was_typed_is_handed_over(run, monkeypatch, option, given, expected):
    from sweepcheck.cli import explore as module

    seen = []

    def spy(*_, **options):
        seen.append(options.get(option))
        raise KeyboardInterrupt

    name = f"--{option.replace('_', '-')}"
    assert run("explore", "counter.py:counter", name, given[0]).code == 0
    monkeypatch.setattr(module, "explore", spy)
    for typed in ([], *([name, text] for text in given)):
        assert run("explore", "counter.py", *typed).code == 130
    assert seen == [None, *expected]  # what was not typed is not handed over: the default has one home


@pytest.mark.parametrize("command", ["check", "explore", "report", "tradeoff"])
def test_workers(run, command):
    assert run(command, "counter.py:counter", "--workers", "2").code == 0
    ended = run(command, "counter.py:counter", "--workers", "many")
    assert ended.code == 2
    assert "'many' is no number of threads; write 1 to 256, or auto" in ended.err


def test_explore_as_json_with_a_plot(run, folder):
    ended = run("explore", "counter.py:counter", "--format", "json", "--plot", "sweep.png", "--strategy", "sweep")
    assert ended.json["verdicts"] == []
    assert ended.json["statistics"]["states"] == 4
    assert (folder / "sweep.png").exists()


def test_explore_json_lines(run):
    last = run("explore", "counter.py:counter", "--format", "jsonl").out.splitlines()[-1]
    assert last.startswith('{"event": "statistics"')


def test_the_published_example(run):
    """Paper 4, table 1, first row; the larger rows are golden tests of the examples."""
    protocol = ROOT / "examples" / "communication_protocol.py"
    ended = run("explore", protocol, "-p", "packets=5", "-p", "capacity=2", "--strategy", "sweep", "--format", "json")
    assert ended.json["statistics"]["states"] == 447
    assert ended.json["statistics"]["edges"] == 1186
    assert {"explored", "layers", "sweeps", "seconds", "memory_bytes"} <= ended.json["statistics"].keys()


def test_version(run):
    assert run("--version").out == f"sweepcheck {sweepcheck.__version__}\n"


def test_light_commands_load_nothing_heavy():
    script = (
        "import sys\nfrom sweepcheck.cli.main import main\nmain(['--version'])\n"
        "print({'rich', 'numpy', 'matplotlib', 'sweepcheck.cli.check'} & set(sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "set()"


def test_help_has_examples_and_exit_codes(run):
    for arguments in ([], *([name] for name in COMMANDS)):
        ended = run(*arguments, "--help")
        assert ended.code == 0
        assert "Usage: sweepcheck" in ended.out
    assert "130  interrupted" in run("--help").out
    for option in ("--invariant", "--keep-going", "--trace-dir", "--memory-limit", "--gc"):
        assert option in run("check", "--help").out


def test_no_arguments_is_a_question_for_help(run):
    ended = run()
    assert ended.code == 2
    assert "Usage: sweepcheck" in ended.err


def test_a_misspelt_command(run):
    assert "there is no command 'chek'; did you mean 'check'?" in run("chek", "counter.py").err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run, shell):
    ended = run("completion", shell)
    assert ended.code == 0
    assert "_SWEEPCHECK_COMPLETE" in ended.out
    interpreter = shutil.which(shell)
    if interpreter is not None:
        subprocess.run([interpreter, "-n"], input=ended.out, text=True, check=True)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("sweepcheck e", ["plain,explore", "plain,explain"]),
        ("sweepcheck check --stra", ["plain,--strategy"]),
        ("sweepcheck check --strategy s", ["plain,sweep"]),
        ("sweepcheck check examples/c", ["file,examples/c"]),
    ],
)
def test_completions(spawn, words, expected):
    place = str(len(words.split()) - 1)
    ended = spawn(_SWEEPCHECK_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=place)
    assert ended.out.splitlines() == expected


class TestDemo:
    @pytest.fixture
    def small(self, folder, monkeypatch):
        """The demo beside the examples, on a protocol small enough for a test."""
        (folder / "examples").symlink_to(ROOT / "examples")
        original = demo.load
        monkeypatch.setattr(
            demo, "load", lambda path, given: original(path, given | {"packets": 5} if given else given)
        )
        return folder

    def test_it_shows_what_it_promises(self, small, capsys):
        assert demo.main() == 0
        out = capsys.readouterr().out
        for text in ("✓ holds", "35.1 %", "progress →", "✗ violated  invariant 'mutual exclusion'", "worker:waiting"):
            assert text in out
        assert (small / "demo" / "sweep.svg").exists()
        assert max(len(line) for line in out.splitlines() if not line.startswith("a counter-example")) <= 100

    def test_without_matplotlib_it_goes_on(self, small, capsys, monkeypatch):
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        assert demo.main() == 0
        assert "(no demo/sweep.svg: a plot needs matplotlib" in capsys.readouterr().err

    def test_elsewhere_it_says_where_to_run_it(self, capsys):
        assert demo.main() == 2
        assert "run it from the root of the project" in capsys.readouterr().err

    def test_interrupted(self, small, capsys, monkeypatch):
        def interrupted(*_, **__):
            raise KeyboardInterrupt

        monkeypatch.setattr(demo, "demonstrate", interrupted)
        assert demo.main() == 130


def test_a_session_that_nobody_reads(monkeypatch):
    """Both streams gone: that a result is lost is an error, that a note is lost is not."""
    import os

    class Gone:
        def write(self, _):
            raise BrokenPipeError

        def fileno(self):
            return spare

    reader, spare = os.pipe()
    monkeypatch.setattr(sys, "stdout", Gone())
    monkeypatch.setattr(sys, "stderr", Gone())
    session = Session()
    with pytest.raises(SweepcheckError, match="SC406"):
        session.result("lost")
    session.note("lost")
    os.close(reader)
    os.close(spare)
