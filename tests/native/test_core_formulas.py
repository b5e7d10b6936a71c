"""Formulas about tokens and enabled transitions, which the core decides by itself: the same as the reference engine."""

import os
import random
from collections.abc import Callable
from typing import Any

import pytest
from comparing import numbers
from test_counting import random_net

from sweepcheck import Limits, Net, Property, check, colours, invariant, reachable
from sweepcheck.core.formula import All, AtLeast, Not, OneEnabled, OpaqueError, Some, entries
from sweepcheck.core.plan import Tally
from sweepcheck.engines.native import description
from sweepcheck.engines.native.formulas import Positions, nodes_of
from sweepcheck.models.adoption import adopt
from sweepcheck.models.net.system import NetModel
from sweepcheck.queries.contest import token_figures
from sweepcheck.queries.specification import Sweep

SEEDS = range(200 if os.environ.get("SWEEPCHECK_SLOW") else 10)
MOST = Limits(states=20_000)


def formula(model: NetModel, draw: random.Random, depth: int = 2) -> Any:
    kind = draw.randrange(5 if depth else 2)
    if kind == 0:
        return model.enabled(draw.choice(list(model.families())))
    if kind == 1:
        tokens = model.tokens_on(draw.choices(model.variables, k=draw.randint(1, 4)))
        other = model.tokens_on(draw.choices(model.variables, k=draw.randint(0, 2)))
        return AtLeast(tokens + other * draw.choice((-1, -2, 1, 0)), draw.randint(-2, 6))
    parts = tuple(formula(model, draw, depth - 1) for _ in range(draw.randint(1, 3)))
    return Not(parts[0]) if kind == 2 else (All if kind == 3 else Some)(parts)


def asked_of(model: NetModel, seed: int) -> list[Property]:
    draw = random.Random(seed)
    made = [formula(model, draw) for _ in range(6)]
    positions = Positions(model, model.tabulate())
    assert all(nodes_of(one, positions) is not None for one in made)  # none of them is left to Python
    return [(invariant if i % 2 else reachable)(f"f{i}", one) for i, one in enumerate(made)]


def agree(make: Callable[[], Net], seed: int, **options: Any) -> bool:
    found = []
    for engine in ("native", "reference"):
        model = adopt(make())
        assert isinstance(model, NetModel)
        given = {**options, "workers": options.get("workers", 1) if engine == "native" else 1}
        report = check(model, asked_of(model, seed), engine=engine, keep_going=True, trace=False, limits=MOST, **given)
        found.append(numbers(report))
    assert found[0] == found[1], seed
    return len(set(found[0][-1])) > 0  # type: ignore[arg-type]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("coloured", [False, True], ids=["black", "mixed"])
def test_formulas(coloured: bool, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for setting, value in (("SHARE_AFTER", 0), ("SHARE_LEAST", 0), ("BATCH_SIZE", 3)):
        monkeypatch.setattr(description, setting, value)
    for seed in SEEDS:
        agree(lambda s=seed: random_net(s, coloured=coloured, fuel=5), seed, strategy="sweep", workers=workers)


def test_formulas_about_symmetric_nets() -> None:
    for seed in SEEDS:
        agree(lambda s=seed: random_net(s, symmetric=True, fuel=4), seed, strategy="full")


def test_formulas_by_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Transitions that have tables: whether they are enabled is read from these."""
    monkeypatch.setattr(description, "COUNT_DIRECTLY", False)
    for seed in SEEDS:
        agree(lambda s=seed: random_net(s, coloured=True, fuel=4), seed, strategy="full")


def crowd(size: int) -> Net:
    """Any two of some people may meet: a transition with very many bindings."""
    net = Net("crowd")
    idle = net.place("Idle", range(size), range(size))
    met = net.place("Met", (range(size), range(size)))
    net.transition("Meet", idle.take("one"), idle.take("other"), met.put("(one, other)"), guard="one < other")
    net.transition("Part", met.take("(one, other)"), idle.put("one"), idle.put("other"), guard="one + other > 2")
    return net


def test_a_transition_with_many_bindings() -> None:
    found = []
    for engine in ("native", "reference"):
        model = adopt(crowd(6))
        asked = [invariant("can meet", model.enabled("Meet")), reachable("nobody parts", Not(model.enabled("Part")))]
        found.append(numbers(check(model, asked, engine=engine, keep_going=True, trace=False)))
    assert found[0] == found[1]


def test_some_bindings_of_a_transition_are_left_to_python() -> None:
    model = adopt(crowd(3))
    asked = model.enabled("Meet", one=0)
    assert isinstance(asked, OneEnabled)
    with pytest.raises(OpaqueError):
        entries(asked)
    for engine in ("native", "reference"):
        (verdict,) = check(adopt(crowd(3)), [reachable("first", asked)], engine=engine).verdicts
        assert verdict.status == "holds"


def test_timed_transitions_are_left_to_python() -> None:
    net = Net("clock")
    place = net.place("P", colours.timed(None), 1)
    net.transition("Tick", place.take(), place.put("() @+ 2"))
    with pytest.raises(OpaqueError):
        entries(adopt(net).enabled("Tick"))  # type: ignore[arg-type]


def test_token_figures() -> None:
    for seed in SEEDS:
        figures = [
            token_figures(adopt(random_net(seed, coloured=seed % 2 == 0, fuel=5)), engine=engine, strategy="full")[0]
            for engine in ("native", "reference")
        ]
        assert figures[0] == figures[1], seed


def test_tallies_of_tokens_and_of_functions_side_by_side() -> None:
    model = adopt(random_net(3, fuel=5))
    assert isinstance(model, NetModel)
    total = model.tokens_on(model.variables)
    report = Sweep(model, engine="native").run(Tally(total), Tally(lambda m: len(m.P0)), Tally(lambda m: total(m) + 0))
    counted = [dict(one.values) for one in report.tallies]
    assert counted[0] == counted[2]
    assert sum(counted[1].values()) == report.statistics.states
