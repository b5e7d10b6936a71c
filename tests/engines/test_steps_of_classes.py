"""Properties of steps under an equivalence: steps of equivalent states lead to the same classes, and say the same."""

import os
from random import Random
from typing import Any

import pytest
from bisimulation import coarsest, key_of, steps
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sweepcheck import Array, Model, Status, SweepcheckError, check, choose, require, step
from sweepcheck.testing.random_models import sources
from sweepcheck.testing.truth import TooLarge, survey

EXAMPLES = 400 if os.environ.get("SWEEPCHECK_SLOW") else 4
each_engine = pytest.mark.parametrize("engine", ["native", "reference"])


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(data=st.data())
@pytest.mark.parametrize(("strategy", "order"), [("full", None), ("sweep", "number"), ("generalised", "number")])
@each_engine
def test_over_a_key(engine: str, strategy: str, order: str | None, data: st.DataObject) -> None:
    source = data.draw(sources(order, True))
    case, other = source.case(), source.case()
    try:
        truth = survey(case.model, most=60)
    except TooLarge:
        assume(False)
    rng = Random(data.draw(st.integers(0, 2**32)))
    share = rng.choice((0.0, 0.02, 0.3))
    number = key_of(truth, {state: number for number, state in enumerate(truth.distance)})
    wrong = {(number(truth.system.view(s)), number(truth.system.view(t)))
             for s in truth.distance for _, t in truth.edges[s] if rng.random() < share}  # fmt: skip

    def allowed(old: Any, new: Any) -> bool:
        return (number(old), number(new)) not in wrong

    kept = [case.measure.function] if case.measure is not None else []
    block = coarsest(truth, *kept, allowed=allowed)
    case.model.equivalence(key_of(truth, block))
    asked = [step("allowed", allowed)]
    options: dict[str, Any] = {"strategy": strategy, "engine": engine}
    report = check(case.model, asked, verify_equivalence=True, **options)
    whole = check(case.model, asked, equivalence=False, **options)
    assert report.verdicts[0].status is whole.verdicts[0].status  # traces have been replayed on the way

    # A coarser key, which forgets what tells allowed steps from others, is always found out.
    coarser = coarsest(truth, *kept)
    known: dict[int, object] = {}
    agrees = all(known.setdefault(coarser[s], said) == said
                 for s in truth.distance for said in [steps(truth, s, coarser, allowed)])  # fmt: skip
    other.model.equivalence(key_of(truth, coarser))
    if agrees:
        assert (
            check(other.model, asked, verify_equivalence=True, **options).verdicts[0].status
            is report.verdicts[0].status
        )
    else:
        with pytest.raises(SweepcheckError) as caught:
            check(other.model, asked, verify_equivalence=True, **options)
        assert caught.value.code == "SC232"


def counting() -> Model:
    """A number that only counts modulo 3, by one or by two."""
    m = Model("counting", n=0)

    @m.action
    def tick(s: Any) -> None:
        require(s.n < 30)
        s.n += choose(1, 2)

    @m.action
    def wrap(s: Any) -> None:
        require(s.n >= 28)
        s.n = s.n % 3

    m.equivalence(lambda s: (s.n % 3, min(s.n, 26)) if s.n >= 26 else s.n % 3)
    return m


@each_engine
def test_what_steps_of_equivalent_states_answer_differently_is_found(engine: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        check(
            counting(), [step("fine", lambda old, new: True), step("small", lambda old, new: new.n < 5)], engine=engine
        )
    told = str(caught.value)
    assert caught.value.code == "SC232"
    assert "steps of two equivalent states answer step 'small' differently" in told
    assert "tick(1) -> n=" in told


def ring(n: int) -> Model:
    m = Model("ring", at=Array([0] * n), last=None)

    @m.action(i=range(n))
    def up(s: Any, i: int) -> None:
        require(s.at[i] < 2)
        s.at[i] += 1
        s.last = i

    m.symmetric(range(n), arrays=["at"], values=["last"])
    return m


@each_engine
def test_symmetric_members(engine: str) -> None:
    asked = [
        step("one more", lambda old, new: sum(new.at) == sum(old.at) + 1),
        step("another one", lambda old, new: new.last != old.last),
        step("by up", lambda old, new, action: action == "up"),
    ]
    report = check(ring(3), asked, engine=engine, keep_going=True)
    assert report.engine == engine
    assert [one.status for one in report.verdicts] == [Status.HOLDS, Status.VIOLATED, Status.HOLDS]
    trace = report["another one"].trace
    assert trace is not None
    assert trace.states[-1][1] == trace.states[-2][1]
    with pytest.raises(SweepcheckError) as caught:
        check(ring(3), [step("first", lambda old, new: new.at[0] == old.at[0])], engine=engine)
    assert caught.value.code == "SC232"


@each_engine
def test_with_a_cut_off(engine: str) -> None:
    m = Model("endless", n=0, low=True)

    @m.action
    def tick(s: Any) -> None:
        s.n += 1

    @m.action
    def turn(s: Any) -> None:
        require(s.n % 4 == 3)
        s.low = not s.low

    m.progress(lambda s: s.n)
    m.cutoff(lambda s: (s.n % 4, s.low))
    asked = [
        step("never back", lambda old, new: new.n >= old.n),
        step("turns once", lambda old, new: old.low or not new.low),
    ]
    report = check(m, asked, engine=engine, keep_going=True)
    assert [one.status for one in report.verdicts] == [Status.HOLDS, Status.VIOLATED]
    assert report.complete
    trace = report["turns once"].trace
    assert trace is not None
    assert [state[1] for state in trace.states][-2:] == [False, True]
