"""What the conformance kit cannot see of the reference engine: limits of time and memory, interruption, the profile."""

from collections.abc import Iterator
from functools import partial
from itertools import count, pairwise
from pathlib import Path

import pytest

from sweepcheck import (
    Bag,
    Limits,
    Model,
    Status,
    Stop,
    always_possible,
    choose,
    deadlock,
    invariant,
    partial_order,
    reachable,
    require,
)
from sweepcheck import check as check_with
from sweepcheck import explore as explore_with
from sweepcheck.core.observer import Snapshot
from sweepcheck.engines.reference import exploration
from sweepcheck.engines.reference.layers import Unprocessed
from sweepcheck.strategies.collection import LARGEST, SMALLEST, next_interval

check = partial(check_with, engine="reference")
explore = partial(explore_with, engine="reference")


def counter(top: int = 300) -> Model:
    m = Model("counter", n=0)

    @m.action
    def up(s):
        require(s.n < top)
        s.n += 1

    m.progress(lambda s: s.n)
    m.reachable("top", lambda s: s.n == top)
    return m


@pytest.fixture
def every_look_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that moves one second at every look."""
    seconds = count()
    monkeypatch.setattr(exploration.time, "perf_counter", lambda: float(next(seconds)))


@pytest.mark.parametrize("strategy", ["full", "sweep"])
@pytest.mark.usefixtures("every_look_counts")
def test_time_limit(strategy: str) -> None:
    report = check(counter(), strategy=strategy, limits=Limits(seconds=2))
    assert report.stop is Stop.SECONDS
    assert report["top"].status is Status.INCONCLUSIVE
    assert 0 < report.statistics.explored < 300


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_memory_limit(strategy: str) -> None:
    report = check(counter(), strategy=strategy, limits=Limits(memory=1))
    assert report.stop is Stop.MEMORY
    assert report["top"].status is Status.INCONCLUSIVE
    assert report.exit_code == 3


def test_memory_that_suffices() -> None:
    assert explore(counter(), limits=Limits(memory=1 << 50, seconds=3600)).complete


@pytest.mark.parametrize(
    ("raised", "stop", "code"), [(KeyboardInterrupt, Stop.INTERRUPTED, 130), (MemoryError, Stop.MEMORY, 3)]
)
def test_interruption_ends_in_a_partial_report(raised, stop: Stop, code: int) -> None:
    class Watcher:
        def snapshot(self, snapshot: Snapshot) -> None:
            raise raised

    report = check(counter(), observer=Watcher())
    assert report.stop is stop
    assert report["top"].status is Status.INCONCLUSIVE
    assert report.exit_code == code


@pytest.mark.usefixtures("every_look_counts")
def test_snapshots() -> None:
    seen: list[Snapshot] = []

    class Watcher:
        def snapshot(self, snapshot: Snapshot) -> None:
            seen.append(snapshot)

    statistics = explore(counter(), observer=Watcher()).statistics
    assert [one.explored for one in seen] == [0, 64, 128, 192, 256]
    assert [one.progress for one in seen] == [0, 64, 128, 192, 256]
    assert all(one.stored == 1 and one.unprocessed == 1 for one in seen)
    assert all(one.edges == one.explored and one.layers == one.explored for one in seen)
    assert seen[-1].peak == statistics.peak == 2
    assert all(one.memory_bytes > 0 for one in seen)
    assert all(later.seconds > earlier.seconds for earlier, later in pairwise(seen))


def test_snapshots_are_rare() -> None:
    seen: list[Snapshot] = []

    class Watcher:
        def snapshot(self, snapshot: Snapshot) -> None:
            seen.append(snapshot)

    explore(counter(), observer=Watcher())
    assert seen[0].explored == 0
    assert len(seen) < 5


def test_profile_has_one_row_for_each_layer() -> None:
    profile = explore(counter(20)).profile
    assert [layer.progress for layer in profile] == list(range(21))
    assert all(layer.states == 1 for layer in profile)
    assert [layer.stored for layer in profile] == [2] * 20 + [1]


@pytest.mark.parametrize("top", [15, 16, 30, 31, 32, 100])
def test_long_profiles_are_merged(monkeypatch: pytest.MonkeyPatch, top: int) -> None:
    monkeypatch.setattr(exploration, "PROFILE_LENGTH", 8)
    report = explore(counter(top))
    profile = report.profile
    assert report.statistics.layers == top + 1
    assert len(profile) < 16
    assert sum(layer.states for layer in profile) == top + 1
    assert profile[-1].progress == top
    assert len({layer.states for layer in profile[:-1]}) == 1
    assert max(layer.stored for layer in profile) == report.statistics.peak


def squares() -> Model:
    """Progress in one part, and room to move in the other."""
    m = Model("squares", t=0, x=0)

    @m.action
    def move(s):
        s.x = choose(range(10))

    @m.action
    def tick(s):
        require(s.t < 9)
        s.t += 1

    m.progress(lambda s: s.t)
    return m


@pytest.mark.parametrize(("gc", "peak"), [("layer", 20), (1, 20), (1000, 100), ("auto", 100)])
def test_collection_policies(gc: str | int, peak: int) -> None:
    statistics = explore(squares(), gc=gc).statistics
    assert (statistics.states, statistics.edges) == (100, 1090)
    assert statistics.peak == peak


@pytest.mark.parametrize("interval", [1, 2, 7, 30])
def test_an_interval_bounds_the_garbage(interval: int) -> None:
    """Since the last collection at most `interval` - 1 states and those of one expansion were added."""
    assert explore(squares(), gc=interval).statistics.peak <= 20 + interval - 1 + 11


def test_adaptive_interval() -> None:
    assert next_interval(1000, stored=900, reclaimed=100, scarce=False) == 2000  # little was reclaimed
    assert next_interval(1000, stored=300, reclaimed=100, scarce=False) == 1000
    assert next_interval(1000, stored=0, reclaimed=0, scarce=True) == 500
    assert next_interval(SMALLEST, stored=0, reclaimed=0, scarce=True) == SMALLEST
    assert next_interval(LARGEST, stored=900, reclaimed=0, scarce=False) == LARGEST


def test_adaptive_collection_when_memory_is_scarce(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory stays just below its limit: the interval goes down to its smallest value."""
    monkeypatch.setattr(exploration, "resident_bytes", lambda: 99)

    def stored_late(limits: Limits | None) -> int:
        return max(layer.stored for layer in explore(counter(4000), gc="auto", limits=limits).profile[2500:])

    assert stored_late(None) == 1000 + 1
    assert stored_late(Limits(memory=100)) == SMALLEST + 1


def test_a_decided_run_ends_early() -> None:
    report = check(counter(), [reachable("two", lambda s: s.n == 2)], keep_going=True)
    assert report.stop is Stop.DECIDED
    assert report.statistics.states == 3
    assert report["two"].status is Status.HOLDS


def test_the_first_violation_ends_the_run_unless_told_otherwise() -> None:
    asked = [invariant("low", lambda s: s.n < 2), invariant("lower", lambda s: s.n < 4), deadlock()]
    report = check(counter(), asked)
    assert report.stop is Stop.VIOLATION
    assert [verdict.status for verdict in report.verdicts] == ["violated", "inconclusive", "inconclusive"]
    report = check(counter(), asked, keep_going=True)
    assert report.stop is Stop.DECIDED
    assert [verdict.status for verdict in report.verdicts] == ["violated"] * 3
    assert [len(verdict.trace or ()) for verdict in report.verdicts] == [2, 4, 300]


def test_traces_are_optional() -> None:
    report = check(counter(), [invariant("low", lambda s: s.n < 2)], trace=False)
    assert report["low"].witness == (2,)
    assert report["low"].trace is None
    assert report.statistics.trace_bytes == 0
    assert report.trace_file is None


def test_the_parent_file_can_be_kept(tmp_path: Path) -> None:
    report = check(counter(), trace_dir=tmp_path)
    assert report.trace_file == tmp_path / "parents.trc"
    assert report.trace_file.stat().st_size == report.statistics.trace_bytes


def test_two_properties_that_one_layer_decides() -> None:
    """Both are decided by the same deleted layer, one after the other."""
    m = squares()
    asked = [always_possible("nowhere", lambda s: s.x == 10), always_possible("never", lambda s: s.t == 10)]
    report = check(m, asked, keep_going=True)
    assert [verdict.status for verdict in report.verdicts] == ["violated", "violated"]


def test_an_impure_successor_function_is_found_out() -> None:
    """The second time it is asked, a state has lost its successors."""

    class Forgetting:
        asked: set[int] = set()  # noqa: RUF012

        def initial(self) -> int:
            return 0

        def successors(self, state: int) -> Iterator[tuple[str, int]]:
            if state not in self.asked and state < 5:
                self.asked.add(state)
                yield "up", state + 1

    with pytest.raises(Exception, match="SC213"):
        check(Forgetting(), [invariant("low", lambda s: s < 3)])


def test_a_partial_order_without_rank_takes_a_minimal_value() -> None:
    m = Model("sets", seen=frozenset(), bag=Bag())

    @m.action(i=range(4))
    def see(s, i):
        require(i not in s.seen)
        s.seen |= {i}

    report = explore(m, measure=partial_order(lambda s: s.seen))
    assert (report.statistics.states, report.statistics.edges, report.statistics.layers) == (16, 32, 16)
    order = [layer.progress for layer in report.profile]
    assert all(not later < earlier for i, earlier in enumerate(order) for later in order[i:])


def test_the_minimal_value_is_looked_for_among_all() -> None:
    measure = partial_order(lambda s: s)
    unprocessed = Unprocessed(measure, measure.order)
    for value in (frozenset({1, 2}), frozenset({3, 4}), frozenset({1}), frozenset({2, 3})):
        unprocessed.add(value, "state")
    assert unprocessed.minimal() == frozenset({1})


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_actions_are_run_again_where_that_was_asked_for(strategy: str) -> None:
    """A pure model passes; one that counts its own calls is found out, although no single step shows it."""
    assert explore(counter(20), strategy=strategy, verify_actions=True).statistics.states == 21

    class Calls:
        number = 0

    m = counter(20)

    @m.action
    def drift(s):
        setattr(Calls, "number", Calls.number + 1)  # noqa: B010 - an assignment would be refused
        require(s.n < 20)
        s.n = min(20, s.n + Calls.number)

    with pytest.raises(Exception, match="SC213"):
        explore(m, strategy=strategy, verify_actions=True)
