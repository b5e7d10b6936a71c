"""Runs of classes: what leads to what, LTL and CTL say of a quotient what they say of the whole graph."""

import os
from random import Random
from typing import Any

import pytest
from bisimulation import coarsest, key_of
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from temporal_truth import random_ctl, random_long_run, random_ltl

from sweepcheck import Model, SweepcheckError, always_eventually, check, ctl, leads_to, ltl, require
from sweepcheck.core.property import Kind, Property
from sweepcheck.testing.random_models import sources
from sweepcheck.testing.truth import TooLarge, survey

EXAMPLES = 400 if os.environ.get("SWEEPCHECK_SLOW") else 3


def asked_of(rng: Random, actions: list[str]) -> list[Property]:
    """A question of each kind about p and q, which the model declares."""
    last = f"last({rng.choice(actions)})"
    return [
        Property(Kind.LTL, "random run", formula=random_ltl(rng, rng.choice((1, 2, 2)), with_last=False)),
        Property(Kind.CTL, "random tree", formula=random_ctl(rng, rng.choice((1, 2, 3)))),
        Property(Kind.LTL, "long run", formula=random_long_run(rng, rng.choice((1, 2)), with_last=False)),
        ltl("obtains", "G (p -> F q)"),
        ltl("next", rng.choice([f"G ({last} -> X F q)", f"G F {last} -> G F p", f"F G !{last}"])),
    ]


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(data=st.data())
@pytest.mark.parametrize(("strategy", "order"), [("full", None), ("sweep", "number")])
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_over_a_key(engine, strategy, order, data) -> None:
    case = data.draw(sources(order, True)).case()
    try:
        truth = survey(case.model, most=60)
    except TooLarge:
        assume(False)
    rng = Random(data.draw(st.integers(0, 2**32)))
    chosen = {state: rng.random() < 0.4 for state in truth.distance}
    marked = key_of(truth, chosen)
    kept = [lambda s: bool(case.predicate(s)), marked] + ([case.measure.function] if case.measure is not None else [])
    case.model.equivalence(key_of(truth, coarsest(truth, *kept)))
    case.model.predicate("p", case.predicate)
    case.model.predicate("q", marked)
    asked = asked_of(rng, sorted({action.name for action in case.model.actions}))
    single = [action.name for action in case.model.actions if not action.label.arguments]
    fair = rng.sample(single, min(len(single), rng.randrange(2)))
    options: dict[str, Any] = {"strategy": strategy, "keep_going": True, "fair": fair}
    reduced = check(case.model, asked, engine=engine, verify_equivalence=rng.random() < 0.5, **options)
    whole = check(case.model, asked, engine="reference", equivalence=False, **options)
    for one, other in zip(reduced.verdicts, whole.verdicts, strict=True):  # traces have been replayed on the way
        assert one.status is other.status, one.property


def counting(bound: int = 6) -> Model:
    """A number that only counts modulo 3."""
    m = Model("counting", n=0, up=True)

    @m.action
    def tick(s):
        s.n = (s.n + 1) % bound

    @m.action(i=range(2))
    def turn(s, i):
        require(s.n % 3 == i)
        s.up = not s.up

    m.equivalence(lambda s: (s.n % 3, s.up))
    return m


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("which", range(5))
def test_a_predicate_that_equivalent_states_answer_differently_is_found(engine: str, which: int) -> None:
    below, zero = lambda s: s.n < 3, lambda s: s.n % 3 == 0
    m = counting()
    m.predicate("below", below)
    asked = [
        leads_to("goal", zero, below),
        leads_to("start", below, zero),
        ltl("ltl", "G F (below & X below)"),
        ltl("long run", "G F {s.n % 3 == 0} -> G F below"),
        ctl("ctl", "AG (below -> EX EX EX !below)"),
    ][which]
    with pytest.raises(SweepcheckError) as caught:
        check(m, [asked], engine=engine)
    assert caught.value.code == "SC232"


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_loop_of_classes_is_shown_as_a_run(engine: str) -> None:
    m = counting()
    report = check(m, [leads_to("down", lambda s: s.n % 3 == 1, lambda s: not s.up)], engine=engine)
    (verdict,) = report.verdicts
    assert not verdict
    assert verdict.trace is not None
    states = verdict.trace.states
    assert verdict.trace.loop is not None
    assert states[-1] == states[verdict.trace.loop]
    assert all(up for _, up, *_ in states[verdict.trace.loop :])
    assert report.statistics.classes is None  # classes are counted once for each memory


def code_of(model: Model, asked: Property, **options: Any) -> str:
    with pytest.raises(SweepcheckError) as caught:
        check(model, [asked], **options)
    return caught.value.code


def test_what_classes_do_not_show_is_refused() -> None:
    assert code_of(counting(), ltl("member", "G F last(turn(i=0))")) == "SC415"
    m = counting()
    m.cutoff(lambda s: s.n % 3)
    m.progress(lambda s: s.n)
    assert code_of(m, leads_to("later", lambda s: s.n == 1, lambda s: s.n == 2), strategy="sweep") == "SC404"


def test_of_which_member_acts_classes_by_a_key_tell_as_much_as_is_compared() -> None:
    verdict = check(counting(), [always_eventually("down", lambda s: not s.up)], fair=["turn"]).verdicts[0]
    whole = check(counting(), [always_eventually("down", lambda s: not s.up)], fair=["turn"], equivalence=False)
    assert verdict.status is whole.verdicts[0].status
