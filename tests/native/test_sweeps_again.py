"""Strategies that may process a state more than once: both engines explore, store and keep the same states."""

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from sweepcheck import (
    Array,
    Bag,
    Limits,
    Model,
    Report,
    Stop,
    check,
    explore,
    partial_order,
    product,
    progress,
    reachable,
    require,
)
from sweepcheck.core.observer import Snapshot

ENGINES = ("native", "reference")


def workshop(jobs: int = 5, workers: int = 3) -> Model:
    """Jobs are given to workers, which need three steps each and then start over."""
    m = Model("workshop", given=0, busy=Array([0] * workers))

    @m.action(w=range(workers))
    def give(s: Any, w: int) -> None:
        require(s.given < jobs and s.busy[w] == 0)
        s.given, s.busy[w] = s.given + 1, 1

    @m.action(w=range(workers))
    def work(s: Any, w: int) -> None:
        require(0 < s.busy[w] < 3)
        s.busy[w] = s.busy[w] + 1

    @m.action(w=range(workers))
    def finish(s: Any, w: int) -> None:
        require(s.busy[w] == 3)
        s.busy[w] = 0

    return m


def wide(rounds: int = 1) -> Model:
    """Values and bags that outgrow their fields in mid-run, in a system that starts over."""
    m = Model("wide", round=0, step=0, seen=0, bag=Bag())

    @m.action
    def walk(s: Any) -> None:
        require(s.step < 20)
        s.step += 1
        s.seen = (s.seen * 3 + s.step) % 5003
        if s.step % 4 == 0 and len(s.bag) < 6:
            s.bag.add(s.seen)

    @m.action
    def skip(s: Any) -> None:
        require(s.step == 5)
        s.step += 2

    @m.action
    def again(s: Any) -> None:
        require(s.step == 20 and s.round < rounds)
        s.round, s.step = s.round + 1, 0

    @m.action
    def drop(s: Any) -> None:
        require(len(s.bag) > 4)
        s.bag.take(where=lambda token: token % 2 == 0)

    return m


def lift(floors: int = 6, doors: int = 2) -> Model:
    """Steps that end at the same value from several ones, with and without looking."""
    m = Model("lift", day=0, at=0, door=Array([0] * doors), top=0)

    @m.action
    def up(s: Any) -> None:
        require(s.at < floors)
        s.at += 1
        s.top = max(s.top, s.at)

    @m.action
    def down(s: Any) -> None:
        require(s.top > 1)
        s.at = 0  # from wherever it is, without a look

    @m.action(d=range(doors))
    def slam(s: Any, d: int) -> None:
        require(s.day > d)
        s.door[d], s.at = 0, 1

    @m.action(d=range(doors))
    def open_wider(s: Any, d: int) -> None:
        require(s.door[d] < 2 and s.at % 2 == 0)
        s.door[d] += 1

    @m.action
    def tomorrow(s: Any) -> None:
        require(s.at == floors and s.day < 2)
        s.day, s.at, s.top = s.day + 1, 0, 0

    return m


MODELS = {"workshop": workshop, "wide": wide, "lift": lift}
MEASURES: dict[str, dict[str, Any]] = {
    "workshop": {
        "number": lambda s: sum(s.busy),
        "pair": lambda s: (s.given, sum(s.busy)),
        "product": product(lambda s: s.given, *(lambda s, w=w: s.busy[w] for w in range(3))),
        "columns": product(progress(lambda s: s.given, monotone=True), *(lambda s, w=w: s.busy[w] for w in range(3))),
        "one column each": progress(lambda s: s.given, monotone=True),
    },
    "wide": {
        "number": lambda s: s.step,
        "falling": lambda s: -s.step,
        "product": product(lambda s: -s.step, lambda s: s.seen),
        "columns": product(lambda s: -s.step, progress(lambda s: s.round, monotone=True), lambda s: str(s.seen)),
    },
    "lift": {
        "product": product(lambda s: s.at, lambda s: s.door[0], lambda s: s.door[1]),
        "columns": product(lambda s: s.at, progress(lambda s: s.day, monotone=True), lambda s: s.at + s.door[0]),
        "conditional columns": product(
            progress(lambda s: s.day, monotone=True), lambda s: s.door[0] if s.at else -s.door[1], lambda s: s.top
        ),
        "many columns": product(
            progress(lambda s: s.day, monotone=True),
            *(lambda s, i=i: (s.at * i) % 7 - s.door[i % 2] for i in range(70)),
        ),
    },
}


def numbers(report: Report) -> tuple[object, ...]:
    """All that was counted. The order of actions that went back equally often is up to the engine."""
    found = report.statistics
    counts = (found.states, found.explored, found.edges, found.peak, found.layers, found.sweeps, found.columns)
    profile = [(layer.progress, layer.states, layer.stored) for layer in report.profile]
    return (
        *counts,
        found.persistent,
        found.evicted,
        found.dead_states,
        sorted(report.regressing),
        profile,
        report.stop,
    )


@pytest.mark.parametrize("gc", ["layer", 7])
@pytest.mark.parametrize("strategy", ["generalised", "column"])
@pytest.mark.parametrize(("name", "measure"), [(name, measure) for name in MODELS for measure in MEASURES[name]])
def test_sweeps(name: str, measure: str, strategy: str, gc: str | int) -> None:
    chosen = MEASURES[name][measure]
    if strategy == "column" and not measure.endswith(("columns", "each")):
        return
    if gc != "layer" and name == "wide":
        return  # tokens are taken in another order, on which the peak depends
    reports = [
        explore(MODELS[name](), measure=chosen, strategy=strategy, gc=gc, engine=engine)
        for engine in ("reference", "native")
    ]
    assert numbers(reports[0]) == numbers(reports[1])
    assert reports[1].statistics.explored >= (explore(MODELS[name](), strategy="full").statistics.states or 0)


@pytest.mark.parametrize("cache_size", [100, 250, 400, 10_000])
def test_caches(cache_size: int) -> None:
    ways = [
        explore(workshop(), strategy="caching", cache_size=cache_size, engine=engine, limits=Limits(states=30_000))
        for engine in ("reference", "native")
    ]
    assert numbers(ways[0]) == numbers(ways[1])


def test_growth_in_mid_run() -> None:
    """States get wider while the table they are erased from is empty, or the stack is deep."""
    full = explore(wide(3), strategy="full").statistics
    assert full.states == 362_146
    cached = explore(wide(3), strategy="caching", cache_size=1_000_000, engine="native").statistics
    assert (cached.states, cached.edges, cached.peak) == (full.states, full.edges, full.states)
    measure = MEASURES["wide"]["product"]
    swept = explore(wide(3), measure=measure, strategy="generalised", engine="native").statistics
    assert (swept.explored, swept.edges) == (full.states, full.edges)


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("strategy", ["generalised", "column", "caching"])
def test_traces_of_states_met_again(strategy: str, engine: str, tmp_path: Path) -> None:
    options: dict[str, Any] = (
        {"cache_size": 300} if strategy == "caching" else {"measure": MEASURES["workshop"]["columns"]}
    )
    goal = reachable("all at once", lambda s: s.given == 5 and sum(s.busy) == 9)
    report = check(workshop(), [goal], strategy=strategy, engine=engine, trace_dir=tmp_path, **options)
    trace = report["all at once"].trace
    assert trace is not None
    assert trace.states[-1] == (5, Array([3, 3, 3]))
    assert report.trace_file == tmp_path / "parents.trc"


@pytest.mark.parametrize("strategy", ["generalised", "column", "caching"])
def test_limits(strategy: str) -> None:
    options: dict[str, Any] = (
        {"cache_size": 9} if strategy == "caching" else {"measure": MEASURES["workshop"]["columns"]}
    )
    stopped = explore(workshop(), strategy=strategy, engine="native", limits=Limits(states=77), **options)
    assert stopped.stop is Stop.STATES
    assert stopped.statistics.explored + stopped.statistics.unprocessed == 77
    hurried = explore(workshop(30, 6), strategy=strategy, engine="native", limits=Limits(seconds=0.01), **options)
    assert hurried.stop is Stop.SECONDS


@pytest.mark.parametrize("strategy", ["column", "caching"])
def test_interruption_and_snapshots(strategy: str) -> None:
    started, seen = threading.Event(), []

    class Watcher:
        def snapshot(self, snapshot: Snapshot) -> None:
            seen.append(snapshot)
            started.set()

    def send() -> None:
        started.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    options: dict[str, Any] = (
        {"cache_size": 9} if strategy == "caching" else {"measure": MEASURES["workshop"]["columns"]}
    )
    model = workshop(60, 9 if strategy == "column" else 6)
    report = explore(
        model, strategy=strategy, engine="native", observer=Watcher(), limits=Limits(seconds=60), **options
    )
    thread.join()
    assert report.stop is Stop.INTERRUPTED
    assert seen[-1].explored > 0
    assert isinstance(seen[-1].progress, tuple) is (strategy == "column")


@pytest.mark.parametrize("gc", ["layer", 3])
def test_another_sweep_begins_with_a_least_layer(gc: str | int) -> None:
    """The layer that was processed last may have roots, and not be a least one."""
    m = Model("wheel", x=0, marked=False)

    @m.action
    def mark(s: Any) -> None:
        s.marked = True

    @m.action
    def back(s: Any) -> None:
        s.x = 0

    @m.action
    def turn(s: Any) -> None:
        s.x = (s.x + 1) % 3

    m.initial(x=[0, 1])
    m.progress(partial_order(lambda s: frozenset((2, s.x))))
    native, reference = (explore(m, strategy="generalised", gc=gc, engine=one).statistics for one in ENGINES)
    assert (native.explored, native.edges, native.sweeps) == (reference.explored, reference.edges, reference.sweeps)
    assert (native.peak, native.layers) == (reference.peak, reference.layers)
