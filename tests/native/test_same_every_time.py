"""The same numbers and traces on every run, whatever the hash seed; nothing is left behind."""

import gc
import json
import os
import subprocess
import sys
import sysconfig
import weakref
from typing import Any

import pytest

from sweepcheck import Array, Bag, Model, Queue, SweepcheckError, check, choose, explore, invariant, require
from sweepcheck._core import resident_bytes

# Classes and code are never let go of there, once a second thread has begun.
KEEPS_CODE = bool(sysconfig.get_config_var("Py_GIL_DISABLED")) and sys.version_info < (3, 14)

PROGRAM = """
import json
from sweepcheck import Array, Bag, Model, Queue, check, choose, invariant, deadlock, require

m = Model("words", word="start", bag=Bag(["one", "two"]), line=Queue(["x"], capacity=3), row=Array(["a", "b"]), n=0)

@m.action
def rename(s):
    s.word = choose({"alpha", "beta", "gamma", ("delta", 1)})

@m.action
def swap(s):
    token = s.bag.take()
    s.line.put(token)
    s.bag.add(s.line.get() if s.n % 2 else s.row[0])

@m.action(i=range(2))
def turn(s, i):
    require(s.n < 4)
    s.n += 1
    s.row[i] = choose(frozenset({"a", "b", "c"}))

m.progress(lambda s: s.n)
def usual(s):
    return not (s.word == "gamma" and "x" in s.bag and s.row[1] == "c" and s.n == 3)

asked = [invariant("usual", usual), deadlock()]
result = {}
for strategy in ("full", "sweep"):
    report = check(m, asked, strategy=strategy, engine=ENGINE, keep_going=True)
    found = report.statistics
    verdicts = [str(verdict.status) for verdict in report.verdicts]
    traces = [[str(step.label) for step in verdict.trace.steps] for verdict in report.verdicts if verdict.trace]
    numbers = found.states, found.edges, found.peak, found.layers, found.dead_states
    result[strategy] = [*numbers, verdicts, traces]
print(json.dumps(result))
"""


def run_program(seed: str, engine: str = "native", program: str = PROGRAM) -> tuple[Any, str]:
    ran = subprocess.run(
        [sys.executable, "-c", f"ENGINE = {engine!r}\n{program}"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    return json.loads(ran.stdout), ran.stderr


def test_numbers_and_traces_do_not_depend_on_the_hash_seed() -> None:
    results = [run_program(seed) for seed in ("0", "17", "random")]
    assert all(result == results[0] for result in results)
    assert results[0][0]["full"][-1]  # there is a trace to compare
    expected, _ = run_program("3", "reference")
    for strategy in ("full", "sweep"):
        assert results[0][0][strategy][:6] == expected[strategy][:6]


def test_nothing_is_printed_at_exit() -> None:
    """Objects that outlive the interpreter would be named on stderr."""
    program = """
import json
from sweepcheck import *
m = Model("kept", x=0, b=Bag([1]), a=Array([0]))
kept = []
keeping = getattr(kept, "append")  # whoever reads the code does not see that it changes something

@m.action
def keep(s):
    require(s.x < 3)
    keeping((s, s.b, s.a, s.b.take))
    s.x += 1

@m.action
def fail(s):
    require(s.x == 2)
    1 / 0

for strategy in ("full", "sweep"):
    try:
        explore(m, engine=ENGINE, strategy=strategy, measure=lambda s: s.x)
    except SweepcheckError as error:
        code = error.code
try:
    check(m, [invariant("raises", lambda s: s.nothing)], engine=ENGINE)
except SweepcheckError as error:
    second = error.code
print(json.dumps([code, second, len(kept) > 0]))
"""
    found, printed = run_program("0", program=program)
    assert found == ["SC201", "SC202", True]
    assert printed == ""


def small() -> Model:
    m = Model("small", x=0, b=Bag([1]), q=Queue([0]), a=Array([0, 0]))

    @m.action
    def step(s: Any) -> None:
        require(s.x < 20)
        s.x += 1
        s.b.add(s.x % 3)
        s.q.put(s.b.take())
        s.a[s.x % 2] = s.q.get()

    @m.action
    def pick(s: Any) -> None:
        s.a[0] = choose(range(3))

    return m


def test_repeated_runs_are_the_same() -> None:
    model, asked = small(), [invariant("never", lambda s: s.x < 15 or s.a[0] != 2)]
    reports = [check(model, asked, engine="native") for _ in range(5)]
    first = reports[0].verdicts[0].trace
    assert first is not None
    for report in reports:
        trace = report.verdicts[0].trace
        assert trace == first
        assert report.statistics.states == reports[0].statistics.states


@pytest.mark.skipif(KEEPS_CODE, reason="free-threaded Python 3.13 keeps all classes and code")
def test_runs_leave_nothing_behind() -> None:
    def run() -> None:
        check(small(), [invariant("small", lambda s: s.x < 15)], engine="native")
        explore(small(), engine="native", measure=lambda s: s.x, gc=3)

    for _ in range(10):
        run()
    gc.collect()
    before, objects = resident_bytes(), len(gc.get_objects())
    for _ in range(50):
        run()
    gc.collect()
    assert len(gc.get_objects()) < objects + 500
    if "SWEEPCHECK_SANITIZED" not in os.environ:  # the sanitizer keeps what is freed for a while
        assert resident_bytes() < before + 20 * 2**20


@pytest.mark.skipif(KEEPS_CODE, reason="free-threaded Python 3.13 keeps all classes and code")
def test_functions_and_values_are_let_go() -> None:
    class Value:
        def __eq__(self, other: object) -> bool:
            return isinstance(other, Value)

        def __hash__(self) -> int:
            return 7

    model = Model("held", x=0, v=Value())

    @model.action
    def step(s: Any) -> None:
        require(s.x < 5)
        s.x += 1
        s.v = Value()

    function, value = weakref.ref(step), weakref.ref(model.initial_states()[0][1])  # type: ignore[index]
    check(model, [invariant("small", lambda s: s.x < 3)], engine="native")
    with pytest.raises(SweepcheckError):
        check(model, [invariant("wrong", lambda s: s.nothing)], engine="native")
    del model, step
    gc.collect()
    assert function() is None
    assert value() is None


KEPT = {
    "draft": lambda s: s,
    "bag": lambda s: s.b,
    "queue": lambda s: s.q,
    "array": lambda s: s.a,
    "method": lambda s: s.b.take,
    "iterator": lambda s: iter(s.q),
}
USES = {
    "draft": lambda s: s.x,
    "bag": len,
    "queue": lambda q: q.peek(),
    "array": lambda a: a[0],
    "method": lambda take: take(),
    "iterator": next,
}


@pytest.mark.parametrize("what", KEPT)
@pytest.mark.parametrize("inside", [False, True], ids=["after the run", "in another run"])
def test_what_is_kept_of_a_draft_is_closed(what: str, inside: bool) -> None:
    kept: list[Any] = []
    remember = kept.append
    m = Model("keeper", x=0, b=Bag([1]), q=Queue([0]), a=Array([0]))

    @m.action
    def keep(s: Any) -> None:
        require(s.x < 3)
        if inside and kept:
            USES[what](kept[0])
        remember(KEPT[what](s))
        s.x += 1

    if inside:
        with pytest.raises(SweepcheckError) as caught:
            explore(m, engine="native")
    else:
        explore(m, engine="native")
        assert kept
        with pytest.raises(SweepcheckError) as caught:
            USES[what](kept[0])
        with pytest.raises(SweepcheckError):
            USES[what](kept[-1])
    assert caught.value.code == "SC205"
