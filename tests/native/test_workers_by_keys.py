"""Several workers in sweeps by a product measure: one looks states up in the order of their keys, the others expand
those that are next. What comes of it is what one worker finds."""

import os
import signal
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from tests.native.test_sweeps_again import MEASURES, MODELS
from tests.native.test_workers import Seen, answer, by_all, findings, same, shared_from_the_start

from sweepcheck import (
    Limits,
    Model,
    Stop,
    check,
    deadlock,
    explore,
    invariant,
    load,
    product,
    progress,
    reachable,
    require,
)
from sweepcheck._core import resident_bytes
from sweepcheck.core.observer import Snapshot
from sweepcheck.engines.native import description
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.random_networks import DrawnNetwork, networks

__all__ = ["shared_from_the_start"]  # for every test of this file


def voters(count: int = 7, votes: int = 2) -> Model:
    """A measure with as many parts as there are variables: nearly every state has a progress of its own."""
    names = "abcdefghij"[:count]
    m = Model("voters", **dict.fromkeys(names, 0))

    @m.action(name=list(names))
    def step(s: Any, name: str) -> None:
        require(getattr(s, name) < votes)
        setattr(s, name, getattr(s, name) + 1)

    m.progress(product(*(lambda s, name=name: getattr(s, name) for name in names)))
    return m


def crowd() -> Model:
    """Many states have the same key, and steps lead to more of them."""
    m = Model("crowd", x=0, y=0, z=0)

    @m.action(name=["x", "y", "z"])
    def step(s: Any, name: str) -> None:
        require(getattr(s, name) < 14)
        setattr(s, name, getattr(s, name) + 1)

    m.progress(product(lambda s: s.x // 5, lambda s: s.y // 7))
    return m


def test_they_share() -> None:
    numbers = explore(voters(), strategy="sweep", workers=3).statistics
    assert (numbers.workers, numbers.states, numbers.layers) == (3, 3**7, 3**7)
    assert numbers.scratch_bytes


QUESTIONS: dict[str, Callable[[], list[Any]]] = {
    "nothing": list,
    "holds": lambda: [reachable("end", lambda s: s.a + s.e == 4)],
    "violated": lambda: [invariant("apart", lambda s: (s.a, s.b, s.c, s.g) != (2, 0, 1, 1)), deadlock()],
}


@pytest.mark.parametrize("asked", QUESTIONS)
@pytest.mark.parametrize("strategy", ["sweep", "generalised"])
@pytest.mark.parametrize("gc", ["layer", 100])
def test_questions(strategy: str, asked: str, gc: str | int) -> None:
    same(voters, QUESTIONS[asked], strategy=strategy, gc=gc)


@pytest.mark.parametrize("violated", [(3, 3, 3), (5, 0, 0), (14, 14, 13)])
def test_where_a_run_stops_among_states_with_the_same_key(violated: tuple[int, int, int]) -> None:
    found = same(crowd, lambda: [invariant("apart", lambda s: (s.x, s.y, s.z) != violated)], strategy="sweep")
    assert isinstance(found[0], dict)
    assert found[0]["explored"] < 15**3


@pytest.mark.parametrize("states", [1, 63, 64, 65, 500, 2_000])
@pytest.mark.parametrize("make", [voters, crowd])
def test_a_limit_of_states(make: Callable[[], Model], states: int) -> None:
    numbers = same(make, limits=Limits(states=states), strategy="sweep")[0]
    assert isinstance(numbers, dict)
    assert numbers["states"] == states


BY_KEYS = ("product", "columns", "conditional columns", "many columns")


@pytest.mark.parametrize(("name", "measure"), [(n, m) for n in MODELS for m in MEASURES[n] if m in BY_KEYS])
@pytest.mark.parametrize("strategy", ["generalised", "column"])
def test_steps_back_new_values_and_wider_states(name: str, measure: str, strategy: str) -> None:
    if strategy == "column" and measure == "product":
        return
    numbers = same(MODELS[name], measure=MEASURES[name][measure], strategy=strategy)[0]
    assert isinstance(numbers, dict)
    assert numbers["explored"] > 100


@pytest.mark.parametrize(
    ("model", "parameters"),
    [("two_phase_commit", {"n": 5}), ("master_slave", {"jobs": 8}), ("master_slave_free", {"jobs": 8})],
)
@pytest.mark.parametrize("strategy", [None, "column", "generalised"])
def test_networks_of_processes(model: str, parameters: dict[str, int], strategy: str | None) -> None:
    if strategy == "column" and model != "two_phase_commit":
        strategy = None  # which is this one
    found = same(lambda: load(f"examples/{model}.psl", parameters), strategy=strategy)
    assert isinstance(found[0], dict)


@pytest.mark.parametrize("where", [(1, 0, 0, 0), (2, 2, 2, 2)])
@pytest.mark.parametrize("violated", [(2, 2, 2, 1), (0, 0, 0, 1)])
def test_what_comes_first_an_error_or_a_violation(where: tuple[int, ...], violated: tuple[int, ...]) -> None:
    def broken() -> Model:
        m = voters(4)

        @m.action
        def fail(s: Any) -> None:
            require((s.a, s.b, s.c, s.d) == where)
            raise ValueError("broken")

        return m

    asked = [invariant("apart", lambda s: (s.a, s.b, s.c, s.d) != violated)]
    found = same(broken, lambda: asked, strategy="sweep")
    assert (found[0] == "SC201") == (where < (1, 2, 2, 1) and violated == (2, 2, 2, 1))  # which that one leads to


def test_an_error_of_a_part() -> None:
    measure = product(lambda s: s.x, lambda s: s.y // (12 - s.y), lambda s: s.z)
    assert same(crowd, measure=measure, strategy="generalised")[0] == "SC209"


def climbers() -> Model:
    """Each height has values of its own, and functions are run for them."""
    m = Model("climbers", x=0, y=0, seen=None)

    @m.action(step=[1, 2])
    def go(s: Any, step: int) -> None:
        require(s.x < 30)
        s.x += step
        s.y = (s.y * 3 + step) % 11
        s.seen = Seen(s.x, s.y)

    @m.action
    def turn(s: Any) -> None:
        require(s.y > 4)
        s.y -= 1

    m.progress(product(lambda s: s.x // 3, lambda s: -s.y))
    return m


def test_functions_run_in_the_order_of_one() -> None:
    def run(workers: int) -> tuple[list[object], list[Seen]]:
        model, made = climbers(), dict[Seen, None]()

        def note(value: Seen) -> None:
            made[value] = None

        with patch.object(Seen, "__post_init__", note):
            report = check(model, [deadlock()], strategy="generalised", workers=workers)
        return list(findings(report)), list(made)

    for expected, *found in by_all(run):
        assert len(expected[1]) > 100
        assert found == [expected] * 2


def test_diamonds_are_closed() -> None:
    """About as many edges are not looked up: what was expanded ahead knew a little less."""

    def run(workers: int) -> tuple[list[object], int]:
        report = explore(load("examples/two_phase_commit.psl", {"n": 6}), workers=workers)
        return list(findings(report)), report.outcome.closed_edges

    for (expected, alone), *found in by_all(run):
        for together, closed in found:
            assert together == expected
            assert 0.9 * alone < closed <= alone


@pytest.mark.parametrize(
    ("order", "strategy"), [("product", "sweep"), ("product", "generalised"), ("columns", "column")]
)
def test_random_models(order: str, strategy: str) -> None:
    @settings(max_examples=settings.default.max_examples // 2)
    @given(sources(order, strategy == "sweep"))
    def examples(source: Source) -> None:
        kit = source.case().kit
        asked = [invariant("true", kit["predicate"]), deadlock()]
        same(
            lambda: kit["model"], lambda: asked, measure=kit["measure"], strategy=strategy, limits=Limits(states=3_000)
        )

    examples()


@settings(max_examples=settings.default.max_examples // 2)
@given(networks())
def test_random_networks(drawn: DrawnNetwork) -> None:
    for strategy in ("column", "generalised"):
        same(lambda: drawn.network, strategy=strategy, limits=Limits(states=1_000))


def test_a_column_that_many_share() -> None:
    """One column after the other, each with sweeps of its own: what was put off comes before what was foreseen."""
    measure = product(progress(lambda s: s.x // 5, monotone=True), lambda s: -s.y, lambda s: s.z % 4)
    with patch.object(description, "BATCH_SIZE", 2):
        runs = [answer(lambda n=n: explore(crowd(), measure=measure, strategy="column", workers=n)) for n in (1, 2, 3)]
    assert runs[1:] == [runs[0]] * 2
    numbers = runs[0][0]
    assert isinstance(numbers, dict)
    assert numbers["columns"] == 3
    assert numbers["persistent"]


@pytest.mark.parametrize("workers", [2, 4])
def test_an_interruption(workers: int) -> None:
    """A space that nobody waits for, 3^20 states."""
    interrupted: list[Snapshot] = []

    class Impatient:
        def snapshot(self, snapshot: Snapshot) -> None:
            if snapshot.explored > 50_000 and not interrupted:
                interrupted.append(snapshot)
                os.kill(os.getpid(), signal.SIGINT)

    report = explore(large(), strategy="sweep", workers=workers, limits=Limits(seconds=60), observer=Impatient())
    assert (report.stop, report.statistics.workers) == (Stop.INTERRUPTED, workers)
    assert report.statistics.explored >= interrupted[0].explored


@pytest.mark.parametrize("workers", [2, 4])
def test_a_limit_of_time(workers: int) -> None:
    start = time.monotonic()
    late = explore(large(), strategy="sweep", workers=workers, limits=Limits(seconds=0.5))
    assert (late.stop, late.statistics.workers) == (Stop.SECONDS, workers)
    assert 0.5 <= time.monotonic() - start < 30


@pytest.mark.skipif("SWEEPCHECK_SANITIZED" in os.environ, reason="the sanitizer takes memory of its own")
@pytest.mark.parametrize("workers", [2, 4])
def test_a_limit_of_memory(workers: int) -> None:
    full = explore(
        large(), strategy="sweep", workers=workers, limits=Limits(seconds=60, memory=resident_bytes() + 2**25)
    )
    assert (full.stop, full.statistics.workers) == (Stop.MEMORY, workers)
    assert full.statistics.explored > 10_000


def large() -> Model:
    """Twenty counters, each of which is a part of the measure."""
    m = Model("large", **{f"v{i}": 0 for i in range(20)})

    @m.action(i=range(20))
    def step(s: Any, i: int) -> None:
        require(getattr(s, f"v{i}") < 2)
        setattr(s, f"v{i}", getattr(s, f"v{i}") + 1)

    m.progress(product(*(lambda s, name=f"v{i}": getattr(s, name) for i in range(20))))
    return m
