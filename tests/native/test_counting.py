"""Transitions that only count black tokens, which the core fires by itself: the same as by their functions."""

import os
import random
from collections.abc import Callable, Iterator
from itertools import product as every
from typing import Any
from unittest.mock import patch

import pytest
from comparing import numbers

from sweepcheck import (
    Limits,
    Net,
    Report,
    SweepcheckError,
    always_possible,
    check,
    colours,
    deadlock,
    explore,
    invariant,
    product,
    progress,
)
from sweepcheck.core.counting import CountTransition
from sweepcheck.engines.native import description
from sweepcheck.models.adoption import adopt

SEEDS = range(30 * int(os.environ.get("SWEEPCHECK_SLOW", "0") == "1") + 12)
MOST = Limits(states=400)  # of nets that grow without end


def random_net(
    seed: int, *, coloured: bool = False, fuel: int = 0, timed: bool = False, symmetric: bool = False
) -> Net:
    """Places with up to five tokens, and arcs of every kind; some nets have other tokens too.

    With `fuel` every transition fires on some, and what was fired is counted: no step goes back.
    """
    draw = random.Random(seed)
    net = Net("random")
    count = draw.choice((2, 3, 4, 6, 9))
    places = [
        net.place(f"P{i}", initial=draw.choice((0, 0, 1, 2, 5)), capacity=draw.choice((None, None, 5, 7)))
        for i in range(count)
    ]
    other = net.place("Other", range(3), [0, 1]) if coloured else None
    tank, used = (net.place("Tank", initial=fuel), net.place("Used")) if fuel else (None, None)
    clocked = net.place("Clocked", colours.timed(int), [0, 1]) if timed else None
    alike = net.place("Alike", colours.permutable(range(3)), range(3)) if symmetric else None
    chosen = net.place("Chosen", alike.colour) if alike is not None else None
    for t in range(draw.randint(2, 7)):
        arcs = [
            _arc(draw, kind, draw.choice(places)) for kind in draw.choices(KINDS, weights=OFTEN, k=draw.randint(1, 5))
        ]
        arcs.append(draw.choice(places).take())
        if other is not None and draw.randrange(3) == 0:
            arcs += [other.take("n"), other.put("(n + 1) % 3")]
        if tank is not None and used is not None:
            arcs += [tank.take(), used.put()]
        if clocked is not None and t % 2:
            arcs += [clocked.take("n"), clocked.put(f"n @+ {t}")]
        if alike is not None and chosen is not None and t % 2:
            source, target = (alike, chosen) if t % 4 == 1 else (chosen, alike)
            arcs += [source.take("who"), target.put("who")]
        net.transition(f"T{t}", *arcs, fair=draw.randrange(4) == 0)
    if timed:
        net.time_equivalence()
    net.progress((lambda m: len(m.Used)) if fuel else (lambda m: len(m.P0)))
    return net


KINDS, OFTEN = ("take", "put", "test", "inhibit", "reset"), (5, 8, 2, 2, 1)


def _arc(draw: random.Random, kind: str, place: Any) -> Any:
    if kind == "reset" or (kind == "inhibit" and draw.randrange(2)):
        return getattr(place, kind)()
    return getattr(place, kind)(draw.choice(("()", "()", "()", "2*()", "3*()", "5*()", "() ++ 2*()")))


def findings(report: Report) -> Iterator[object]:
    """What a run found, its traces, and how often each transition fired."""
    yield numbers(report)
    if report.stop is not None:
        return
    yield [(one.action, one.edges) for one in report.outcome.actions]
    for verdict in report.verdicts:
        steps = verdict.trace.steps if verdict.trace is not None else ()
        yield [(str(step.label), step.state) for step in steps]


def answer(run: Callable[[], Report]) -> list[object]:
    try:
        return list(findings(run()))
    except SweepcheckError as error:
        return [error.code]


def by_functions(run: Callable[[], Report]) -> list[object]:
    """The same from tables of what the functions of the transitions did."""
    with patch.object(description, "COUNT_DIRECTLY", False):
        return answer(run)


@pytest.mark.parametrize("coloured", [False, True], ids=["black", "mixed"])
def test_both_engines_agree(coloured: bool) -> None:
    for seed in SEEDS:
        expected, found = (
            explore(random_net(seed, coloured=coloured), engine=engine, limits=MOST, strategy="full")
            for engine in ("reference", "native")
        )
        assert numbers(found) == numbers(expected), seed


def used(m: Any) -> int:
    return len(m.Used)


def held(m: Any) -> int:
    return len(m.P1)


STRATEGIES: dict[str, dict[str, Any]] = {
    "full": {},
    "generalised": {},
    "generalised, now and then": {"gc": 20},
    "caching": {"cache_size": 50},
}


@pytest.mark.parametrize("below", [0, 1 << 14], ids=["in two pieces", "rewritten"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_numbers_and_traces_are_those_of_functions(strategy: str, below: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(description, "REWRITE_BELOW", below)
    asked = [invariant("few", lambda m: len(m.P1) < 4), deadlock()]
    options = {"strategy": strategy.partition(",")[0], "engine": "native", **STRATEGIES[strategy]}
    for seed, coloured in every(SEEDS, (False, True)):

        def run(s: int = seed, c: bool = coloured) -> Report:
            return check(random_net(s, coloured=c), asked, limits=Limits(states=1000), **options)

        assert answer(run) == by_functions(run), (seed, coloured)


def test_cycles_are_those_of_functions() -> None:
    for seed in SEEDS:

        def run(s: int = seed) -> Report:
            asked = [always_possible("empty", lambda m: len(m.P1) == 0)]
            return check(random_net(s), asked, engine="native", limits=Limits(states=1000), strategy="full")

        assert answer(run) == by_functions(run), seed


MIXED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "sweep": ({"fuel": 6}, {"strategy": "sweep"}),
    "sweep, mixed": ({"fuel": 5, "coloured": True}, {"strategy": "sweep", "gc": 10}),
    "column": ({"fuel": 5}, {"strategy": "column", "measure": product(progress(used, monotone=True), held)}),
    "timed": ({"fuel": 4, "timed": True}, {"strategy": "full"}),
    "timed sweep": ({"fuel": 4, "timed": True}, {"strategy": "sweep"}),
    "symmetric": ({"fuel": 5, "symmetric": True}, {"strategy": "full"}),
    "symmetric sweep": ({"fuel": 5, "symmetric": True}, {"strategy": "sweep"}),
}


@pytest.mark.parametrize("name", MIXED)
@pytest.mark.parametrize("workers", [1, 2])
def test_together_with_everything_else(name: str, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweeps, columns, time and symmetry: by functions it is the same, and the reference engine counts as much."""
    for setting, value in (("SHARE_AFTER", 0), ("SHARE_LEAST", 0), ("BATCH_SIZE", 3)):
        monkeypatch.setattr(description, setting, value)
    kind, options = MIXED[name]
    asked = [invariant("few", lambda m: len(m.P1) < 4)]
    complete = 0
    for seed in SEEDS[::2]:

        def run(engine: str = "native", s: int = seed) -> Report:
            given = {"limits": Limits(states=3000), "keep_going": True, **options}
            given["workers"] = workers if engine == "native" else 1
            return check(random_net(s, **kind), asked, engine=engine, **given)

        found = answer(run)
        assert found == by_functions(run), seed
        if workers == 1 and isinstance(found[0], tuple) and len(found) > 1:
            assert numbers(run("reference")) == found[0], seed
            complete += 1
    assert workers > 1 or complete > 2


@pytest.mark.parametrize("strategy", ["full", "generalised"])
def test_two_workers(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(description, "SHARE_AFTER", 0)
    monkeypatch.setattr(description, "SHARE_LEAST", 0)
    monkeypatch.setattr(description, "BATCH_SIZE", 3)
    asked = [invariant("few", lambda m: len(m.P1) < 4)]
    for seed in SEEDS[::2]:

        def run(workers: int, s: int = seed) -> list[object]:
            options = {"engine": "native", "limits": Limits(states=1000), "strategy": strategy}
            return answer(lambda: check(random_net(s, coloured=s % 4 == 0), asked, workers=workers, **options))

        assert run(1) == run(2), seed


def test_successors_are_compared_with_the_functions() -> None:
    for seed in SEEDS[::3]:
        report = explore(random_net(seed), engine="native", verify_actions=True, limits=MOST, strategy="full")
        assert report.statistics.states


def rings(count: int, length: int) -> Net:
    """Rings of places with one token each: length^count states."""
    net = Net("rings")
    for r in range(count):
        places = [net.place(f"R{r}P{i}", initial=int(i == 0)) for i in range(length)]
        for i, place in enumerate(places):
            net.transition(f"R{r}T{i}", place.take(), places[(i + 1) % length].put())
    return net


@pytest.mark.parametrize(("count", "length"), [(2, 150), (3, 30), (5, 8)])
@pytest.mark.parametrize("below", [0, 1 << 14])
def test_many_places_that_are_first_marked_late(
    count: int, length: int, below: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(description, "REWRITE_BELOW", below)
    report = explore(rings(count, length), engine="native")
    assert report.statistics.states == length**count
    assert report.statistics.edges == count * length**count
    assert [action.evaluations for action in report.actions] == [0] * (count * length)


@pytest.mark.parametrize("workers", [1, 2])
def test_counts_that_grow_for_long(workers: int) -> None:
    net = Net("growing")
    source, left, right = net.place("Source", initial=199), net.place("Left"), net.place("Right")
    net.transition("ToLeft", source.take(), left.put())
    net.transition("ToRight", source.take(), right.put())
    net.transition("Join", left.take("3*()"), right.take("2*()"), source.put("5*()"))
    report = explore(net, engine="native", workers=workers)
    assert report.statistics.states == 200 * 201 // 2


def test_too_many_tokens() -> None:
    net = Net("crowd")
    place, go = net.place("Place"), net.place("Go", initial=3)
    net.transition("Add", go.take(), place.put(f"{2**31}*()"))
    with pytest.raises(SweepcheckError) as native:
        explore(net, engine="native")
    with patch.object(description, "COUNT_DIRECTLY", False), pytest.raises(SweepcheckError) as tables:
        explore(net, engine="native")
    assert (native.value.code, str(native.value)) == (tables.value.code, str(tables.value))


def test_what_counts() -> None:
    net = Net("kinds", two=2)
    a, b, c = net.place("A", initial=2), net.place("B", capacity=3), net.place("C", int, [1])
    net.transition("Plain", a.take("2*()"), b.put())
    net.transition("Tested", a.take(), a.test(), b.inhibit("2*()"), b.reset())
    net.transition("Coloured", c.take("n"), c.put("n"))
    net.transition("Guarded", a.take(), guard="two > 1")
    net.transition("Variable", a.take("x"), b.put("x"))
    found = adopt(net).count_net()
    assert found is not None
    assert (found.places, found.initial) == (("A", "B"), (2, 0))
    assert tuple(found.transitions) == (
        CountTransition(0, ((0, 2),), ((1, 1),), ((1, 3),)),
        CountTransition(1, ((0, 2),), ((0, 1),), ((1, 2),), (1,)),
    )
