"""Runs in several Python threads at once: each finds what it would find alone, whichever Python it is.

An ordinary Python is made to change threads as often as it can, in the middle of functions; a free-threaded one runs
them at the same time.
"""

import json
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.test_workers import answer

from sweepcheck import Array, Bag, Model, Queue, Set, check, choose, deadlock, invariant, require
from sweepcheck.testing.random_models import Source, sources

FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


@pytest.fixture(autouse=True)
def change_threads_often() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def at_once(runs: list[Callable[[], Any]]) -> list[Any]:
    """What these come to, each in a thread of its own; all begin together."""
    begin = threading.Barrier(len(runs))

    def run(one: Callable[[], Any]) -> Any:
        begin.wait()
        return one()

    with ThreadPoolExecutor(len(runs)) as threads:
        return list(threads.map(run, runs))


def post(top: int, words: tuple[str, ...]) -> Model:
    """Every kind of variable, choices of every kind, values that are new again and again, and folds."""
    m = Model("post", n=0, word=words[0], bag=Bag([0]), line=Queue(capacity=3), row=Array([0] * 10), met=Set([0]))

    @m.action
    def send(s: Any) -> None:
        require(s.n < top and sum(s.row) < top)
        s.n += 1
        s.bag.add(s.n % 3)
        s.row[s.n % 10] = s.n % 2

    @m.action
    def pass_on(s: Any) -> None:
        token = s.bag.take()
        s.line.put((token, s.word))
        s.met.add(token)

    @m.action
    def receive(s: Any) -> None:
        token, word = s.line.get()
        s.word = choose([one for one in words if one != word])
        s.bag.add(token)
        require(s.bag.count(token) < 2)

    m.progress(lambda s: s.n)
    return m


def board(size: int) -> Model:
    """A value in one piece, of which the table of an action soon grows no more."""
    m = Model("board", pegs=frozenset(range(1, size)))

    @m.action
    def jump(s: Any) -> None:
        pegs = s.pegs
        one, step = choose([(i, d) for i in range(size) for d in (1, -1, 4, -4) if i in pegs and i + d in pegs])
        to = one + 2 * step
        require(0 <= to < size and to not in pegs)
        s.pegs = pegs - {one, one + step} | {to}

    return m


def looked_at(model: Model, strategy: str = "full", workers: int = 1) -> list[object]:
    few = invariant("few", lambda s: s.n < 4 or s.word != "b") if model.name == "post" else deadlock()
    return answer(lambda: check(model, [few], engine="native", strategy=strategy, workers=workers, keep_going=True))


MADE: dict[str, Callable[[], Model]] = {
    "small": lambda: post(4, ("a", "b", "c")),
    "large": lambda: post(6, ("b", "a")),
    "board": lambda: board(14),
}


@pytest.mark.parametrize("workers", [1, 2])
def test_runs_at_once_find_what_they_find_alone(workers: int) -> None:
    runs = [
        (lambda make=make, strategy=strategy: looked_at(make(), strategy, workers))
        for name, make in MADE.items()
        for strategy in (("full", "sweep") if name != "board" else ("full",))
    ]
    alone = [run() for run in runs]
    assert all(len(found) > 3 for found in alone)  # none has ended with an error
    for _ in range(3):
        assert at_once(runs) == alone


def test_a_model_may_be_explored_by_several_threads_at_once() -> None:
    model = post(5, ("a", "b", "c"))
    runs = [lambda: looked_at(model, "full"), lambda: looked_at(model, "sweep")] * 2
    alone = [run() for run in runs]
    for _ in range(3):
        assert at_once(runs) == alone


@settings(max_examples=5)
@given(st.lists(sources("number"), min_size=2, max_size=2))
def test_random_models_at_once(drawn: list[Source]) -> None:
    def run(source: Source) -> list[object]:
        kit = source.case().kit
        asked = [invariant("true", kit["predicate"]), deadlock()]
        return answer(lambda: check(kit["model"], asked, measure=kit["measure"], engine="native", workers=1))

    runs = [lambda source=source: run(source) for source in drawn]
    assert at_once(runs * 2) == [run() for run in runs] * 2


FIRST = """
import json, sys, threading
from sweepcheck import Array, Bag, Model, Queue, choose, explore, require
sys.setswitchinterval(1e-6)
begin, found = threading.Barrier(8), []

def run(top):
    m = Model("first", n=0, bag=Bag([1]), line=Queue(), row=Array([0, 0]))

    @m.action
    def step(s):
        require(s.n < 3)
        s.n += 1
        s.bag.add(s.n)
        s.line.put(s.bag.take())
        s.row[choose(range(2))] = s.line.get()
        require(s.bag == s.bag and s.row == s.row and len(s.line) == 0)

    begin.wait()
    found.append(explore(m, engine="native", workers=1).statistics.states)

threads = [threading.Thread(target=run, args=(3,)) for _ in range(8)]
for one in threads: one.start()
for one in threads: one.join()
enabled = getattr(sys, "_is_gil_enabled", lambda: True)()
print(json.dumps([sorted(set(found)), len(found), enabled]))
"""


def test_the_first_runs_of_a_process_may_begin_at_once() -> None:
    """And the module leaves a free-threaded Python as it is."""
    ran = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=True)
    found, runs, lock = json.loads(ran.stdout)
    assert (len(found), runs) == (1, 8)
    assert lock is not FREE_THREADED
    assert ran.stderr == ""
