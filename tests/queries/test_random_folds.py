"""Folds over random models, nets and networks, on both engines: the values that plain loops over the states have."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sweepcheck import queries
from sweepcheck.models.adoption import adopt
from sweepcheck.testing import folds
from sweepcheck.testing.conformance import Nonconformity
from sweepcheck.testing.folds import check_folds
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.random_nets import DrawnNet, nets
from sweepcheck.testing.truth import TooLarge, survey

few = settings(max_examples=max(3, settings.default.max_examples // 20))  # each is explored some hundred times
ENGINES = st.sampled_from([{"engine": "reference"}, {"engine": "native"}, {"engine": "native", "workers": 2}])


def conforms(drawn: Source | DrawnNet, **options: Any) -> None:
    try:
        truth = survey(adopt(drawn.case().model), most=40)
    except TooLarge:
        assume(False)
    check_folds(lambda: drawn.case().model, truth, strategy="full", **options)


@few
@given(sources(), ENGINES)
def test_folds_over_models(drawn: Source, options: dict[str, Any]) -> None:
    conforms(drawn, **options)


@few
@given(nets(), ENGINES)
def test_folds_over_nets(drawn: DrawnNet, options: dict[str, Any]) -> None:
    conforms(drawn, **options)


@pytest.mark.parametrize("strategy", ["generalised", "column", "caching", "sweep", "full"])
@pytest.mark.parametrize("engine", ["reference", "native"])
@few
@given(data=st.data())
def test_what_repetition_does_not_change(engine: str, strategy: str, data: st.DataObject) -> None:
    """Bounds, reachable and dead markings: with every strategy, be the measure monotone or not."""
    order = "columns" if strategy == "column" else "number"
    drawn = data.draw(sources(order, monotone=strategy in ("column", "sweep")))
    case = drawn.case()
    try:
        truth = survey(adopt(case.model), most=80)
    except TooLarge:
        assume(False)
    predicate = case.kit["predicate"]
    sweep = queries.Sweep(case.model, strategy=strategy, engine=engine)
    views = [truth.system.view(state) for state in truth.distance]
    assert queries.best_upper(sweep, repr).value == max(map(repr, views))
    assert queries.best_lower(sweep, repr).value == min(map(repr, views))
    dead = queries.dead_markings(sweep)
    assert dead.value == len(dead.stored) == len(truth.dead)
    met = queries.reachable(sweep, predicate, keep=True)
    assert sorted(map(repr, met.stored)) == sorted(repr(one) for one in views if predicate(one))
    assert met.value is bool(met.stored)


def test_the_kit_notices_a_fold_that_stops_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was once: a comb that gives back what it was given was taken to change nothing."""
    from sweepcheck.queries import folds as queried

    def careless(comb: Any, value: Any, one: Any, count: int) -> Any:
        for _ in range(count):
            following = comb(value, one)
            if following is value:
                break
            value = following
        return value

    monkeypatch.setattr(queried, "_repeated", careless)
    source = Source(
        "m = Model('two', x=0)\n@m.action\ndef go(s):\n    s.x = (s.x + 1) % 3\ndef predicate(s):\n    return s.x\n"
    )
    with pytest.raises(Nonconformity, match="explore_states of a constant"):
        conforms(source, engine="native")
    assert folds.COMBS["append"][0] == []
