"""Signals, time limits and streams that cannot be written: there is a report, or an error that says why not."""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from xml.etree import ElementTree

import pytest

from sweepcheck import Limits, Model, Stop, SweepcheckError, check, explore, load, require
from sweepcheck.errors import StoppedError

STUCK = """
import sys
from sweepcheck import Model, require

def stuck(where="nowhere"):
    m = Model("stuck", n=0)

    def spin(s, here):
        while here == where and s.n == 5:
            pass

    @m.action
    def count(s):
        require(where != "nowhere" or s.n >= 0)
        spin(s, "action")
        if s.n == 100:
            print("at work", file=sys.stderr, flush=True)
        s.n += 1

    @m.action
    def swallow(s):
        require(where == "swallow" and s.n == 5)
        while True:
            try:
                sum(range(10))
            except:
                pass

    m.progress(lambda s: spin(s, "measure") or s.n)
    m.invariant("quick", lambda s: spin(s, "predicate") is None)
    return m

def slow_factory():
    while True:
        pass
"""


@pytest.fixture
def stuck(folder):
    (folder / "stuck.py").write_text(STUCK, encoding="utf-8")
    (folder / "loops.py").write_text("print('loading', flush=True)\nwhile True:\n    pass\n", encoding="utf-8")
    return folder


def broken_off(command, number, *arguments, environment=None, **options):
    """How a command ends that gets a signal as soon as it says something on standard error."""
    process = subprocess.Popen(
        [command, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
        **options,
    )
    first = process.stderr.readline()
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, first + err


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_end_in_a_report(command, stuck, number, engine):
    temporary = stuck / "temporary"
    temporary.mkdir()
    code, out, _ = broken_off(
        command, number, "check", "stuck.py:stuck", "--engine", engine, "--format", "json",
        environment={"TMPDIR": str(temporary)},
    )  # fmt: skip
    assert code == 130
    report = json.loads(out)
    assert (report["complete"], report["stop"]) == (False, "interrupted")
    assert report["verdicts"][0]["status"] == "inconclusive"
    assert report["statistics"]["explored"] > 0
    assert list(temporary.iterdir()) == []


def test_a_signal_in_other_forms(command, stuck):
    code, out, _ = broken_off(command, signal.SIGTERM, "check", "stuck.py:stuck", "--format", "junit")
    assert code == 130
    assert ElementTree.fromstring(out).find("testsuite").get("tests") == "1"
    code, out, _ = broken_off(command, signal.SIGTERM, "check", "stuck.py:stuck")
    assert code == 130
    assert "interrupted after" in out


def test_nothing_is_left_behind_by_a_killed_process(command, stuck):
    temporary = stuck / "temporary"
    temporary.mkdir()
    code, _, _ = broken_off(command, signal.SIGKILL, "check", "stuck.py:stuck", environment={"TMPDIR": str(temporary)})
    assert code == -signal.SIGKILL
    assert list(temporary.iterdir()) == []


def test_a_signal_while_the_file_is_loaded(command, stuck):
    code, out, err = broken_off(command, signal.SIGTERM, "check", "loops.py", "--format", "json")
    assert code == 130
    assert json.loads(out)["error"]["code"] == "SC216"
    assert err.startswith("loading\n")


def test_a_signal_that_is_ignored_stays_so(command, stuck):
    """As with `nohup`."""
    code, _, _ = broken_off(
        command, signal.SIGHUP, "explore", "stuck.py:stuck", "--time-limit", "3",
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    assert code == 3


@pytest.mark.parametrize("reference", ["loops.py", "stuck.py:slow_factory"])
def test_a_time_limit_reaches_into_loading(run, stuck, reference):
    ended = run("check", reference, "--time-limit", "0.2", "--format", "json")
    assert ended.code == 3
    assert ended.json["error"]["code"] == "SC216"
    assert ended.json["error"]["where"].startswith(reference.partition(":")[0])


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize(
    ("where", "named"),
    [
        ("action", "action 'count'"),
        ("swallow", "action 'swallow'"),
        ("measure", "the progress measure"),
        ("predicate", "invariant 'quick'"),
    ],
)
def test_a_time_limit_reaches_into_the_model(stuck, where, named, engine):
    model = load("stuck.py:stuck", {"where": where})  # before: it may take its time on a busy machine
    report = check(model, engine=engine, limits=Limits(seconds=0.5))
    assert (report.exit_code, report.stop) == (3, Stop.SECONDS)
    assert report.stopped_in.startswith(f"{named} (stuck.py:")
    assert report.to_json()["stopped_in"] == report.stopped_in
    assert f" in {named} (stuck.py:" in repr(report)


def test_a_time_limit_reaches_into_other_threads():
    import threading

    m = Model("stuck", n=0)

    @m.action
    def spin(s):
        while s.n == 0:
            pass

    reports = []
    thread = threading.Thread(target=lambda: reports.append(explore(m, limits=Limits(seconds=0.1))))
    thread.start()
    thread.join(60)
    assert reports[0].stop is Stop.SECONDS


def test_nothing_is_raised_after_a_run():
    m = Model("quick", n=0)

    @m.action
    def count(s):
        require(s.n < 3)
        s.n += 1

    for _ in range(20):
        with suppress(StoppedError):  # on a busy machine time may be up before the run begins
            assert explore(m, limits=Limits(seconds=0.01)).stop in (None, Stop.SECONDS)
    end = time.perf_counter() + 0.3
    while time.perf_counter() < end:
        pass


# -- what is printed ---------------------------------------------------------------------------------------------------

LOUD = """
from sweepcheck import Model, require
print("loaded")
m = Model("loud", n=0)
@m.action
def count(s):
    print("counting")
    require(s.n < 3)
    s.n += 1
m.invariant("small", lambda s: print("looking") or s.n < 9)
"""


@pytest.mark.parametrize("form", ["json", "jsonl", "junit"])
def test_what_a_model_prints_is_not_in_the_result(run, folder, form):
    (folder / "loud.py").write_text(LOUD, encoding="utf-8")
    ended = run("check", "loud.py", "--format", form)
    assert ended.code == 0
    assert not any(word in ended.out for word in ("loaded", "counting", "looking"))
    assert all(word in ended.err for word in ("loaded", "counting", "looking"))
    if form == "json":
        assert ended.json["complete"]
    before = sys.stdout
    run("check", "loud.py", "--format", form)
    assert sys.stdout is before


@pytest.mark.parametrize(
    "arguments",
    [["check", "counter.py:counter"], ["--help"], ["--version"], ["check", "counter.py:counter", "--format", "json"]],
)
@pytest.mark.parametrize("target", ["full", "closed"])
def test_a_result_that_cannot_be_written(command, arguments, target):
    if target == "full" and not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    redirected = ">/dev/full" if target == "full" else ">&-"
    ended = subprocess.run(
        ["sh", "-c", f'"$0" "$@" {redirected}', command, *arguments], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr.startswith("error[SC406]: standard output cannot be written")


def test_notes_that_cannot_be_written(command):
    ended = subprocess.run(
        ["sh", "-c", '"$0" check counter.py:counter 2>&-', command], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0
    assert ended.stdout.startswith("✓ holds")


# -- traces that cannot be written -------------------------------------------------------------------------------------


def wide():
    m = Model("wide", x=0, y=0)

    @m.action
    def right(s):
        require(s.x < 150)
        s.x += 1

    @m.action
    def up(s):
        require(s.y < 150)
        s.y += 1

    m.invariant("not there", lambda s: (s.x, s.y) != (150, 150))
    return m


@pytest.fixture
def small_files():
    """No file may grow beyond some bytes: the operating system's word for a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("kept", [False, True])
def test_a_run_goes_on_without_traces(small_files, tmp_path, engine, kept):
    report = check(wide(), engine=engine, trace_dir=tmp_path / "traces" if kept else None)
    verdict = report["not there"]
    assert (verdict.status, verdict.guarantee) == ("violated", "exact")
    assert verdict.trace is None
    assert verdict.witness == (150, 150)
    assert "large" in report.trace_lost
    assert report.to_json()["trace_lost"] == report.trace_lost
    assert "given up" in repr(report)
    assert report.trace_file is None


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_run_with_room_keeps_its_traces(engine):
    report = check(wide(), engine=engine)
    assert report.trace_lost is None
    assert len(report["not there"].trace) == 300


def test_a_temporary_folder_that_is_not_there(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    for engine in ("native", "reference"):
        with pytest.raises(SweepcheckError, match="SC406"):
            check(wide(), engine=engine)


@pytest.mark.parametrize("form", ["json", "junit"])
def test_a_trace_that_cannot_be_saved_leaves_one_answer_and_no_file(run, small_files, folder, form):
    asked = ("check", "counter.py:counter", "-p", "top=200", "--invariant", "n < 200")
    ended = run(*asked, "--trace", "trace.json", "--format", form)
    assert ended.code == 2
    assert ended.err.startswith("error[SC406]: trace.json cannot be written")
    if form == "json":
        assert ended.json["verdicts"][0]["status"] == "violated"
    else:
        assert ElementTree.fromstring(ended.out).find("testsuite").get("failures") == "1"
    assert sorted(os.listdir(folder)) == ["counter.py"]
