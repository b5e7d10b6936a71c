"""Functions that several threads run before their turn: the same numbers, verdicts, traces and errors as in turn.

That is done where Python lets several threads run at once. Here it is done on every Python, from the first states on.
"""

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native.test_workers import answer

from sweepcheck import (
    Array,
    Bag,
    Limits,
    Model,
    Report,
    SweepcheckError,
    check,
    choose,
    explore,
    invariant,
    reachable,
    require,
    stay,
)
from sweepcheck.core.plan import Stop
from sweepcheck.engines.native import description
from sweepcheck.engines.native.outsides import MOST, outsides
from sweepcheck.testing.random_models import Source, sources

NEVER = float("inf")
BATCHES = (1, 3, 64)


@pytest.fixture(autouse=True)
def from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(description, "REHEARSE_FROM", 0.0)


def same(make: Callable[[], Any], properties: Callable[[], list[Any]] = list, **options: Any) -> list[object]:
    """The answer of functions that run in turn, which is that of functions that several threads run before it."""

    def run(workers: int, rehearse_from: float) -> list[object]:
        with patch.object(description, "REHEARSE_FROM", rehearse_from):
            return answer(lambda: check(make(), properties(), engine="native", workers=workers, **options))

    for size in BATCHES:
        with patch.object(description, "BATCH_SIZE", size):
            expected = run(1, NEVER)
            for workers in (2, 3):
                assert run(workers, 0.0) == expected
    return expected


def pegs() -> Model:
    """Solitaire on a triangle: the board is one value."""
    cells = [(row, column) for row in range(4) for column in range(row + 1)]
    jumps = [
        (one, over, to)
        for one in cells
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))
        for over, to in [((one[0] + down, one[1] + right), (one[0] + 2 * down, one[1] + 2 * right))]
        if over in cells and to in cells
    ]
    m = Model("pegs", board=frozenset(cells) - {(1, 0)})

    @m.action
    def jump(s: Any) -> None:
        require(s.board != "given up")
        one, over, to = choose([j for j in jumps if j[0] in s.board and j[1] in s.board and j[2] not in s.board])
        s.board = s.board - {one, over} | {to}

    @m.action
    def give_up(s: Any) -> None:
        require(len(s.board) == 3)
        s.board = "given up"

    m.progress(lambda s: -len(s.board) if isinstance(s.board, frozenset) else 0)
    return m


def heaps(top: int = 4) -> Model:
    """Nim with a tuple of heaps, two choices one after the other, and whose turn it is."""
    m = Model("heaps", heaps=(top, top, top - 1), mover=0, last=None)

    @m.action
    def take(s: Any) -> None:
        at = choose(range(len(s.heaps)))
        count = choose(range(1, s.heaps[at] + 1))
        left = list(s.heaps)
        left[at] -= count
        s.heaps = tuple(left)
        s.mover = 1 - s.mover
        if s.heaps == (0, 0, 0):
            s.last = ("taken by", s.mover)

    @m.action(by=[1, 2])
    def swap(s: Any, by: int) -> None:
        s.heaps = s.heaps[by:] + s.heaps[:by]
        require(s.mover == 0)
        stay()

    return m


@pytest.mark.parametrize("make", [pegs, heaps])
@pytest.mark.parametrize("strategy", ["full", "sweep", "generalised", "caching"])
def test_strategies(make: Callable[[], Model], strategy: str) -> None:
    def asked() -> list[Any]:
        return [
            invariant("long", lambda s: "given" not in s.board if make is pegs else s.heaps != (0, 1, 0)),
            reachable("end", lambda s: len(s.board) == 2 if make is pegs else s.last is not None),
        ]

    measure = {} if make is pegs else {"measure": lambda s: -sum(s.heaps)}
    found = same(make, asked, strategy=strategy, keep_going=True, **measure)
    assert len(found) > 2


@dataclass(frozen=True)
class Seen:
    """A value that can be noted when a function makes it."""

    what: str

    def __post_init__(self) -> None:
        """Nothing, as long as nobody notes it."""


def noted(run: Callable[[], object]) -> dict[str, set[int]]:
    """Which threads made which values during a run."""
    threads: dict[str, set[int]] = {}

    def note(value: Seen) -> None:
        threads.setdefault(value.what, set()).add(threading.get_ident())

    with patch.object(Seen, "__post_init__", note), patch.object(description, "BATCH_SIZE", 64):
        run()
    return threads


def marked() -> Report:
    m = heaps()

    @m.action
    def look(s: Any) -> None:
        require(Seen("action").what == s.last)

    few = invariant("few", lambda s: Seen("invariant").what != s.last)
    return check(m, [few], measure=lambda s: -sum(s.heaps) * len(Seen("m").what), workers=2)


def test_threads_run_functions() -> None:
    threads = noted(lambda: None if marked().statistics.workers == 2 else pytest.fail("one alone"))
    for made_by in (threads["action"], threads["invariant"], threads["m"]):
        assert made_by - {threading.get_ident()}


def test_functions_run_in_turn_on_a_python_with_a_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(description, "REHEARSE_FROM", None)
    monkeypatch.setattr("sys._is_gil_enabled", lambda: True, raising=False)
    assert set().union(*noted(marked).values()) == {threading.get_ident()}


def test_the_same_parents(tmp_path: Path) -> None:
    def parents(workers: int, rehearse_from: float) -> bytes:
        folder = tmp_path / f"{workers} {rehearse_from}"
        with patch.object(description, "REHEARSE_FROM", rehearse_from):
            report = check(pegs(), [], strategy="sweep", workers=workers, trace_dir=folder)
        assert report.outcome.trace_file is not None
        return report.outcome.trace_file.read_bytes()

    assert parents(1, NEVER) == parents(2, 0.0) == parents(3, 0.0)


@given(sources())
def test_random_models(source: Source) -> None:
    same(
        lambda: source.case().model,
        lambda: [reachable("that", source.case().predicate)],
        limits=Limits(states=2_000),
    )


WHOLE = st.one_of(
    st.integers(-1, 3),
    st.booleans(),
    st.text("ab", max_size=2),
    st.tuples(st.integers(0, 2), st.booleans()),
    st.frozensets(st.integers(0, 3), max_size=3),
)


@given(st.lists(WHOLE, min_size=2, max_size=8), st.data())
def test_random_values_in_one_piece(values: list[Any], data: st.DataObject) -> None:
    """Values that equal each other and are not alike, as 1 and True, are refused as they are in turn."""
    edges = data.draw(st.lists(st.lists(st.integers(0, len(values) - 1), max_size=3), min_size=1, max_size=6))

    def make() -> Model:
        m = Model("values", at=values[0], before="", count=0)

        @m.action
        def go(s: Any) -> None:
            there = edges[(s.count + len(repr(s.at))) % len(edges)]
            at = choose(range(len(there)))
            s.before, s.at = s.at, values[there[at]]
            s.count = (s.count + 1) % 5

        @m.action
        def back(s: Any) -> None:
            require(s.before not in ("", s.at))
            s.at = s.before
            s.at = (s.at, s.count) if isinstance(s.at, str) else s.at
            if isinstance(s.at, tuple):
                s.before = s.at[0]

        return m

    same(make, lambda: [invariant("few", lambda s: s.count < 4 or s.at != values[-1])], limits=Limits(states=300))


# -- what cannot be said before its turn -------------------------------------------------------------------------------


def test_variables_that_hold_many_values() -> None:
    """A function asks for one, and would go on with whatever it gets."""

    def make() -> Model:
        m = Model("several", at=(0, 0), row=Array([0, 1, 2]), bag=Bag([1]))

        @m.action
        def go(s: Any) -> None:
            try:
                step = len(s.bag) + s.row[s.at[0] % 3]
            except RuntimeError:
                step = 7
            s.at = ((s.at[0] + step) % 11, (s.at[1] + 1) % 4)

        @m.action
        def write(s: Any) -> None:
            s.row[s.at[1] % 3] = s.at[0] % 3

        return m

    same(make)


@pytest.mark.parametrize("wrong", [[1], {2: 3}, 0.5, float("nan"), iter(())])
def test_values_that_cannot_be_kept(wrong: object) -> None:
    """A function may go on after one of them is refused."""

    def make(goes_on: bool) -> Model:
        m = Model("wrong", at=(0,), other=())

        @m.action
        def go(s: Any) -> None:
            s.at = ((s.at[0] + 1) % 40,)
            if s.at[0] == 20:
                try:
                    s.other = (wrong,)
                except Exception:
                    if not goes_on:
                        raise
                    s.other = "refused"

        return m

    for goes_on in (True, False):
        same(lambda: make(goes_on))  # noqa: B023


@pytest.mark.parametrize("both_new", [False, True])
def test_equal_values_that_are_not_alike(both_new: bool) -> None:
    """Met in one of many states: nobody would come across it by running functions again."""

    def make() -> Model:
        m = Model("alike", at=(0, 1))

        @m.action
        def go(s: Any) -> None:
            n = s.at[0] + 1
            require(n < 1000)
            if n < 300:
                s.at = (n, 1)
            else:
                s.at = (1000 if both_new else 7, (1, True)[choose(range(2))])

        return m

    assert same(make)[0] == "SC215"


@pytest.mark.parametrize("where", [(2, 0), (3, 3), (11, 11)])
@pytest.mark.parametrize("violated", [(2, 1), (4, 2), (99, 0)])
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_what_comes_first_an_error_or_a_violation(
    where: tuple[int, int], violated: tuple[int, int], strategy: str
) -> None:
    """Functions are run in states that are never reached in turn: what they raise there is not shown."""

    def make() -> Model:
        m = Model("grid", at=(0, 0))

        @m.action(by=[(1, 0), (0, 1)])
        def go(s: Any, by: tuple[int, int]) -> None:
            if s.at == where:
                raise ValueError("broken")
            s.at = (s.at[0] + by[0], s.at[1] + by[1])
            require(sum(s.at) < 20)

        m.progress(lambda s: sum(s.at) if s.at != (5, 5) else 1 // 0)
        return m

    same(make, lambda: [invariant("apart", lambda s: s.at != violated)], strategy=strategy)


def test_an_action_that_is_no_function_of_the_state() -> None:
    tick = count().__next__
    m = Model("impure", at=(0, 0))

    @m.action
    def go(s: Any) -> None:
        at = s.at
        require(at[0] < 400 and tick() % 97 != 50)
        s.at = choose([(at[0] + 1, at[1]), (at[0], (at[1] + 1) % 200)])

    with pytest.raises(SweepcheckError) as raised:
        check(m, [], workers=2, verify_actions=True)
    assert raised.value.code == "SC213"


def test_a_measure_that_cannot_count() -> None:
    """A sum is computed by the core as long as all values are numbers."""

    def make() -> Model:
        m = Model("sum", at=(0,), n=0)

        @m.action
        def go(s: Any) -> None:
            require(s.at[0] < 9)
            s.at = (s.at[0] + 1,)
            s.n = s.at[0] if s.at[0] < 6 else float(s.at[0])

        m.progress(lambda s: s.n)
        return m

    same(make, strategy="sweep")


# -- what functions find around them -----------------------------------------------------------------------------------

DEPTH: ContextVar[int] = ContextVar("DEPTH", default=3)


def test_the_context_of_whoever_began_the_run() -> None:
    m = Model("context", at=(0, 0))

    @m.action
    def go(s: Any) -> None:
        s.at = ((s.at[0] + choose(1, 2)) % 50, 0)
        require(s.at[0] < DEPTH.get())

    token = DEPTH.set(17)
    try:
        assert check(m, [], workers=2).statistics.states == 17
    finally:
        DEPTH.reset(token)


def test_a_run_within_a_function() -> None:
    def inner(n: int) -> int:
        m = Model("inner", at=(n,))

        @m.action
        def down(s: Any) -> None:
            require(s.at[0] > 0)
            s.at = (s.at[0] - 1,)

        return check(m, [], workers=2).statistics.states

    m = Model("outer", at=(0, 1))

    @m.action
    def go(s: Any) -> None:
        require(s.at[0] < 8)
        s.at = (s.at[0] + 1, inner(s.at[0]))

    assert check(m, [], workers=2).statistics.states == 9


def test_what_functions_have_from_outside() -> None:
    table, other = [(1, 2), (3, 4)], {"a": frozenset({5})}

    def helper() -> object:
        return table

    def function(given: object = other) -> object:
        return helper(), given

    found = {id(one) for one in outsides([function])}
    assert {id(table), id(table[0]), id(other), id(other["a"]), id(helper)} <= found
    assert len(outsides([list(range(2 * MOST))])) >= MOST


# -- runs that are ended -----------------------------------------------------------------------------------------------


def endless(stuck: Callable[[], Any], after: int = 300) -> Model:
    m = Model("endless", at=(0, 0))

    @m.action
    def go(s: Any) -> None:
        s.at = (s.at[0] + choose(1, 2), 0)
        if s.at[0] == after:
            stuck()

    return m


def for_ever() -> None:
    while True:
        pass


@pytest.fixture
def threads() -> Iterator[None]:
    """No thread is left behind."""
    if not Path("/proc/self/task").exists():
        pytest.skip("nobody says how many threads there are")

    def count() -> int:
        return len(os.listdir("/proc/self/task"))

    before, patience = count(), time.monotonic() + 5
    yield
    while count() > before and time.monotonic() < patience:  # the one that watched the clock ends by itself,
        gc.collect()  # others with the engine
        time.sleep(0.01)
    assert count() <= before


@pytest.mark.usefixtures("threads")
def test_ctrl_c_in_a_function_that_never_ends() -> None:
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    report = explore(endless(for_ever), workers=2)
    assert report.stop is Stop.INTERRUPTED
    assert report.statistics.states > 100
    assert time.monotonic() - start < 5


@pytest.mark.usefixtures("threads")
def test_a_limit_of_time() -> None:
    start = time.monotonic()
    report = explore(endless(for_ever), workers=2, limits=Limits(seconds=0.4))
    assert report.stop is Stop.SECONDS
    assert time.monotonic() - start < 5


class RungError(Exception):
    """What the handler of a signal raises."""


@pytest.mark.usefixtures("threads")
def test_the_handler_of_a_signal_raises_an_error() -> None:
    def ring(number: int, frame: object) -> None:
        raise RungError

    before = signal.signal(signal.SIGUSR1, ring)
    try:
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
        with pytest.raises(SweepcheckError) as raised:
            explore(endless(lambda: sum(range(3 * 10**7))), workers=2)
        assert isinstance(raised.value.__cause__, RungError)
    finally:
        signal.signal(signal.SIGUSR1, before)


@pytest.mark.usefixtures("threads")
def test_a_limit_of_states() -> None:
    numbers = same(lambda: endless(lambda: None), limits=Limits(states=500))[0]
    assert isinstance(numbers, dict)
    assert numbers["states"] == 500
