"""Both engines on random models with random keys: the same classes, edges, layers, verdicts and traces.

The keys need not be right: then it shows which state stands for a class, and in which order states are met. So what
would be compared before the run is left out, and no action takes any of several tokens, whose order differs.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

from sweepcheck import (
    Array,
    Bag,
    Limits,
    Model,
    Queue,
    Report,
    SweepcheckError,
    always_eventually,
    always_possible,
    check,
    choose,
    deadlock,
    invariant,
    product,
    progress,
    reachable,
    require,
)
from sweepcheck.core.equivalence import Equivalence
from sweepcheck.engines.native import description
from sweepcheck.engines.native.classes import key_parts

SEEDS = 5 * int(os.environ.get("SWEEPCHECK_EXAMPLES", "1"))
FIGURES = ("states", "edges", "explored", "peak", "layers", "sweeps", "dead_states", "regress_edges", "persistent")
FIGURES += ("columns", "compared", "classes", "labelled_edges", "remembered", "skipped", "grows")
WHOLE: Callable[[Any], Any] = lambda s: (s.t, s.a, s.b, s.bag, s.queue, tuple(s.ring))  # noqa: E731
KEYS: tuple[Callable[[Any], Any], ...] = (
    WHOLE,
    lambda s: (s.t, s.a % 2, s.b),
    lambda s: (s.t, (s.a + s.b) % 3, len(s.bag)),
    lambda s: (s.t, s.bag, (s.b, s.ring[0])),
    lambda s: (s.t, Bag(token % 2 for token in s.bag), tuple(s.queue)[:1]),
    lambda s: (s.t * 7 + s.a * 5 + s.b * 3 + len(s.queue)) % 11,
    lambda s: s.t % 5,
)


@pytest.fixture(autouse=True)
def without_comparing_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sweepcheck.engines.native.compares", lambda _: False)
    monkeypatch.setattr("sweepcheck.api.compare_members", lambda _: None)


@pytest.fixture(params=[1, 4], ids="{} workers".format)
def workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Small models have work for several workers too."""
    for name, value in {"SHARE_AFTER": 0, "SHARE_LEAST": 0, "BATCH_SIZE": 3}.items():
        monkeypatch.setattr(description, name, value)
    return int(request.param)


def drawn(seed: int, monotone: bool = True, endless: bool = False) -> Model:
    """A few variables of every kind, and actions that change some of them."""
    chance = random.Random(seed)
    m = Model("drawn", t=0, a=0, b=chance.randrange(3), bag=Bag([1]), queue=Queue([2]), ring=Array([0, 1, 0]))
    m.initial(a=[0, chance.randrange(1, 4)])
    last = 6 + 3 * chance.randrange(3)

    def action(number: int) -> None:
        what, step, other = chance.randrange(6), chance.randrange(1, 3), chance.randrange(3)
        moves = chance.random() < 0.6
        back = not monotone and chance.random() < 0.3

        def act(s: Any) -> None:
            require(endless or s.t < last)
            if what == 0:
                s.a = (s.a + step) % 5
            elif what == 1:
                s.b = choose([other, (s.b + 1) % 4])
            elif what == 2:
                require(len(s.bag) < 3)
                s.bag.add((s.a + other) % 4)
            elif what == 3:
                require(len(s.bag) > 0)
                s.a = s.bag.take(max(s.bag))
            elif what == 4:
                require(len(s.queue) < 3)
                s.queue.put(s.b)
            else:
                s.ring[other] = s.queue.get() % 3
            if back and s.t > 1:
                s.t -= 2
            elif moves:
                s.t += step

        act.__name__ = f"act{number}"
        m.action(act)

    for number in range(chance.randrange(2, 6)):
        action(number)
    return m


def asked(seed: int, cycles: bool = False) -> list[Any]:
    """Questions about the progress, which most keys keep; now and then another one."""
    found = [
        invariant("early", lambda s: s.t != 5),
        reachable("late", lambda s: s.t == 4),
        deadlock("final", final=lambda s: s.t > 2),
    ]
    if seed % 4 == 3:
        found.append(invariant("small", lambda s: s.a < 4))
    if cycles:
        found += [always_possible("again", lambda s: s.t % 3 == 0), always_eventually("ends", lambda s: s.t > 4)]
    return found


def findings(report: Report) -> dict[str, object]:
    """Where a run stops at a limit, how far it got is up to the engine."""
    numbers = asdict(report.statistics)
    complete = report.stop is None
    return {
        "stop": report.stop,
        "layers": [(layer.progress, layer.states) for layer in report.outcome.profile] * complete,
        "idle": report.outcome.idle,
        "verdicts": [(one.property.name, one.status, one.trace) for one in report.verdicts],
        **{name: numbers[name] for name in FIGURES if complete},
    }


def answer(model: Model, properties: list[Any], **options: Any) -> object:
    try:
        return findings(check(model, properties, keep_going=True, limits=Limits(states=2000), **options))
    except SweepcheckError as error:
        return error.code


def agree(model: Model, properties: list[Any], number: int, **options: Any) -> object:
    expected = answer(model, properties, engine="reference", **options)
    assert answer(model, properties, engine="native", workers=number, **options) == expected
    return expected


@pytest.mark.parametrize("key", KEYS, ids=range(len(KEYS)))
@pytest.mark.parametrize("strategy", ["full", "sweep", "generalised", "column"])
def test_classes(strategy: str, key: Callable[[Any], Any], workers: int) -> None:
    found = []
    for seed in range(SEEDS):
        model = drawn(seed, monotone=strategy != "generalised")
        if strategy == "column":
            model.progress(product(progress(lambda s: s.t, monotone=True), lambda s: s.b))
        elif strategy != "full":
            model.progress(lambda s: s.t)
        model.equivalence(key)
        cycles = strategy in ("full", "sweep") and key is WHOLE  # a wrong key may show cycles that no run has
        gc = 5 if seed % 2 else "layer"
        found.append(agree(model, asked(seed, cycles), workers, strategy=strategy, gc=gc))
    assert any(isinstance(one, dict) for one in found) or key is KEYS[5]  # which forgets too much for any measure


@pytest.mark.parametrize("when", [None, lambda s: s.a == 0, lambda s: False], ids=["all", "some", "none"])
@pytest.mark.parametrize("monotone", [True, False])
def test_cut_off(monotone: bool, when: Callable[[Any], object] | None, workers: int) -> None:
    ended = 0
    for seed in range(SEEDS):
        model = drawn(seed, monotone, endless=True)
        model.progress(lambda s: s.t)
        model.cutoff(lambda s: (s.t % 3, s.a, s.b, len(s.bag)), when=when)
        gc = 5 if seed % 2 and monotone else "layer"
        found = agree(model, [reachable("b", lambda s: s.b == 3)], workers, gc=gc)
        ended += isinstance(found, dict) and found["stop"] is None
    assert ended or when is not None


def test_a_key_is_taken_apart() -> None:
    four = 4

    def written(s: Any) -> object:
        """It may say what it is for."""
        return s.a % four, (s.b, len(s.bag))

    keys = [written, lambda s: (s.a % four, s.b), lambda s: (*s.ring, s.a), lambda s: s.a, KEYS[1]]
    assert [len(key_parts(Equivalence((key,)))) for key in keys] == [3, 2, 1, 1, 3]
    first, *_ = key_parts(Equivalence((written,)))
    view = type("View", (), {"a": 7})
    assert first(view) == 3


def test_keys_of_the_same_code_have_what_is_around_them() -> None:
    def modulo(n: int) -> Callable[[Any], object]:
        return lambda s: (s.a % n, s.b)

    view = type("View", (), {"a": 7})
    assert [key_parts(Equivalence((modulo(n),)))[0](view) for n in (4, 3)] == [3, 1]


def test_equivalent_states_that_differ_are_shown() -> None:
    def model() -> Model:
        m = Model("fork", n=0)

        @m.action
        def step(s: Any) -> None:
            require(s.n == 0)
            s.n = choose([1, 5])

        return m

    asks = model()
    asks.equivalence(lambda s: s.n % 4)
    assert agree(asks, [invariant("small", lambda s: s.n < 4)], 1) == "SC232"
    moves = model()
    moves.equivalence(lambda s: s.n % 4)
    moves.progress(lambda s: s.n)
    assert agree(moves, [], 1, strategy="sweep") == agree(moves, [], 1, strategy="generalised") == "SC231"
    raises = model()
    raises.equivalence(lambda s: [s.n])
    assert agree(raises, [], 1) == "SC230"


def test_a_cycle_of_classes_is_a_real_run() -> None:
    m = Model("counter", n=0, twice=0)

    @m.action
    def step(s: Any) -> None:
        s.n = (s.n + 1) % 8

    m.equivalence(lambda s: s.n % 4)
    (verdict,) = check(m, [always_eventually("four", lambda s: s.n < 0)], engine="native").verdicts
    assert verdict.trace is not None
    assert verdict.trace.loop is not None
    assert verdict.trace.states[verdict.trace.loop] == verdict.trace.states[-1]
    assert agree(m, [always_possible("again", lambda s: s.n % 4 == 3)], 1)


@pytest.mark.parametrize("key", [lambda s: s.last, lambda s: (s.last, s.n)], ids=["whole", "part"])
def test_none_may_be_a_key_and_a_part_of_one(key: Callable[[Any], Any]) -> None:
    m = Model("counter", n=0, last=None)

    @m.action
    def step(s: Any) -> None:
        require(s.n < 3)
        s.last, s.n = s.n, s.n + 1

    m.equivalence(key)
    assert isinstance(agree(m, [], 1), dict)
