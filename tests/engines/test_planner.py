"""From a request to a plan: the defaults, and every refusal."""

import math
from typing import Any

import pytest

from sweepcheck import (
    Limits,
    Measure,
    Model,
    SweepcheckError,
    always_possible,
    check,
    invariant,
    product,
    progress,
    state_space_report,
)
from sweepcheck.core.plan import CollectionPolicy, Strategy
from sweepcheck.core.request import Request
from sweepcheck.planner import ENGINES, plan
from sweepcheck.strategies import AUTO, COLUMN, DEFAULT_CACHE_SIZE, FULL, GENERALISED, LAYER, STRATEGIES, SWEEP, every


def model(measured: bool = True) -> Model:
    m = Model("m", x=0)
    m.invariant("low", lambda s: s.x < 3)
    m.deadlock()
    if measured:
        m.progress(lambda s: s.x)
    return m


def test_defaults() -> None:
    declared = model()
    decided = plan(declared, Request())
    assert decided.properties == declared.properties
    assert decided.strategy is GENERALISED
    assert decided.strategy_reason is None
    assert decided.measure is declared.measure
    assert decided.gc is LAYER
    assert decided.limits == Limits()
    assert (decided.keep_going, decided.trace, decided.trace_dir) == (False, True, None)
    assert plan(model(measured=False), Request()).strategy is FULL


def test_the_measure() -> None:
    declared = model()
    assert plan(declared, Request(strategy="full")).measure is None
    given = progress(lambda s: -s.x)
    assert plan(declared, Request(measure=given)).measure is given
    function = plan(declared, Request(measure=lambda s: 5)).measure
    assert isinstance(function, Measure)
    assert function.function(None) == 5
    text = plan(declared, Request(measure="x + 1")).measure
    assert text is not None
    assert text.name == "x + 1"
    assert text.function(declared.view((4,))) == 5


def test_the_properties() -> None:
    declared = model()
    own = invariant("own", lambda s: True)

    def names(asked: Any) -> list[str]:
        return [one.name for one in plan(declared, Request(asked)).properties]

    assert names(None) == ["low", "deadlock"]
    assert names(["deadlock", own]) == ["deadlock", "own"]
    assert names("low") == ["low"]
    assert names(own) == ["own"]
    assert names(()) == []


@pytest.mark.parametrize(
    ("gc", "policy"),
    [
        ("layer", LAYER),
        ("auto", AUTO),
        (5, every(5)),
        ("2000", CollectionPolicy("interval", 2000)),
    ],
)
def test_the_policy(gc: Any, policy: CollectionPolicy) -> None:
    assert plan(model(), Request(gc=gc)).gc == policy


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Request(["nothing"]), "SC401"),
        (Request([5]), "SC401"),  # type: ignore[list-item]
        (Request(5), "SC401"),  # type: ignore[arg-type]
        (Request(["low", "low"]), "SC401"),
        (Request(["low", invariant("low", lambda s: True)]), "SC401"),
        (Request(measure=5), "SC403"),  # type: ignore[arg-type]
        (Request(measure="unknown"), "SC402"),
        (Request(strategy="sleep"), "SC403"),
        (Request(strategy=5), "SC403"),  # type: ignore[arg-type]
        *((Request(gc=gc), "SC403") for gc in (0, -1, 2.5, "x", "", None, "1.5")),
        *((Request(limits=Limits(states=n)), "SC403") for n in (0, -1, 1.5, "many", math.inf)),
        *((Request(limits=Limits(seconds=n)), "SC403") for n in (0, -1, math.nan, math.inf, "long")),
        *((Request(limits=Limits(memory=n)), "SC403") for n in (0, -1, 0.5)),
        (Request(limits=5), "SC403"),  # type: ignore[arg-type]
        (Request(engine="steam"), "SC403"),
        (Request(trace=False, trace_dir="somewhere"), "SC404"),
    ],
)
def test_refusals(request_: Request, code: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        plan(model(), request_)
    assert caught.value.code == code


def test_strategies_that_may_process_a_state_again() -> None:
    declared = model()
    cyclic = always_possible("again", lambda s: s.x == 0)
    product_measure = product(progress(lambda s: s.x, monotone=True), lambda s: 0)
    assert plan(declared, Request(strategy="caching")).cache_size == DEFAULT_CACHE_SIZE
    assert plan(declared, Request(strategy="caching", cache_size=0)).cache_size == 0
    assert plan(declared, Request(strategy="caching")).measure is None
    assert plan(declared, Request(strategy="column", measure=product_measure)).strategy is COLUMN
    by_default = plan(declared, Request([cyclic]))
    assert by_default.strategy is SWEEP
    assert "again" in (by_default.strategy_reason or "")
    for request, code in (
        (Request(strategy="column"), "SC303"),
        (Request(strategy="column", measure=product(lambda s: 1)), "SC303"),
        (Request([cyclic], strategy="generalised"), "SC404"),
        (Request([cyclic], strategy="column", measure=product_measure), "SC404"),
        (Request([cyclic], strategy="caching"), "SC404"),
        (Request(cache_size=3), "SC404"),
        (Request(strategy="caching", cache_size=-1), "SC403"),
        (Request(strategy="caching", cache_size="many"), "SC403"),  # type: ignore[arg-type]
    ):
        with pytest.raises(SweepcheckError) as caught:
            plan(declared, request)
        assert caught.value.code == code


def test_a_sweep_needs_a_measure() -> None:
    with pytest.raises(SweepcheckError) as caught:
        plan(model(measured=False), Request(strategy="sweep"))
    assert caught.value.code == "SC303"


def test_engines() -> None:
    decided = plan(model(), Request(engine="reference"))
    assert (decided.engine, decided.engine_reason) == ("reference", "asked for")
    assert plan(model(), Request()).engine in ENGINES


class TestCycles:
    """Questions about cycles are refused, with a way out, where a part of a cycle may be forgotten."""

    @pytest.mark.parametrize("strategy", ["generalised", "column", "caching"])
    def test_strategies_that_forget_parts_of_cycles(self, strategy):
        model = walker()
        for ask in (lambda: check(model, strategy=strategy), lambda: state_space_report(model, strategy=strategy)):
            with pytest.raises(SweepcheckError) as caught:
                ask()
            assert caught.value.code == "SC404"
            assert 'strategy="full"' in caught.value.suggestion

    @pytest.mark.parametrize("engine", ["native", "reference"])
    def test_a_measure_that_goes_down(self, engine):
        for ask in (check, state_space_report):
            with pytest.raises(SweepcheckError) as caught:
                ask(walker(), engine=engine)
            assert caught.value.code == "SC301"
            assert 'strategy="full"' in caught.value.suggestion
            assert "generalised" not in caught.value.suggestion
        assert check(walker(), strategy="full", engine=engine).exit_code == 0

    def test_fairness_where_nothing_depends_on_it(self):
        with pytest.raises(SweepcheckError) as caught:
            check(walker(), fair=["step"])
        assert caught.value.code == "SC404"


def walker() -> Model:
    m = Model("walker", at=0)

    @m.action
    def step(s):
        s.at = (s.at + 1) % 3

    m.progress(progress(lambda s: s.at, monotone=True))
    m.always_possible("home", lambda s: s.at == 0)
    return m


def test_cycles_are_decided_only_where_complete_layers_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A depth-first search that forgets nothing processes each state once, and still nobody sees a layer of it."""
    deep = Strategy("deep", order="depth", forgets=False, once=True)
    monkeypatch.setitem(STRATEGIES, "deep", deep)
    asked = always_possible("zero", lambda s: s.x == 0)
    with pytest.raises(SweepcheckError) as refused:
        plan(model(), Request([asked], strategy="deep"))
    assert refused.value.code == "SC404"
    assert plan(model(), Request(["low"], strategy="deep")).strategy is deep
    assert FULL.shows_cycles
    assert SWEEP.shows_cycles
    assert not any(one.shows_cycles for one in (GENERALISED, COLUMN))
