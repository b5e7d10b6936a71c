"""Questions about runs of random symmetric models: over classes they have the answers that the whole graph gives."""

from typing import Any

import pytest
from test_symmetric_models import drawn_model

from sweepcheck import Array, Model, SweepcheckError, always_eventually, check, ctl, leads_to, ltl, require

FORMULAS = [
    ltl("obtains", "G (owned -> F free)"),
    ltl("again", "G F last(act0) -> G F owned"),
    ltl("next", "G (owned -> X (owned | X !owned))"),
    ctl("tree", "AG (EF owned & (owned -> E [owned U free]))"),
    ctl("may stay", "EG !owned"),
    leads_to("level", lambda s: sum(s.at) > 1, lambda s: sum(s.at) <= 1),
]


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("seed", range(100, 107))
def test_answers_are_those_of_the_whole_graph(seed: int, engine: str) -> None:
    model = drawn_model(seed).model
    model.predicate("owned", lambda s: s.owner is not None)
    model.predicate("free", lambda s: s.spare == 0 or len(s.messages) == 0)
    options: dict[str, Any] = {"keep_going": True, "strategy": ("full", "sweep")[seed % 2], "measure": lambda s: 0}
    fair = ["act0 + act1"] if seed % 3 == 0 else []
    reduced = check(model, FORMULAS, engine=engine, fair=fair, **options)
    whole = check(model, FORMULAS, engine="native", fair=fair, equivalence=False, **options)
    for one, other in zip(reduced.verdicts, whole.verdicts, strict=True):  # traces have been replayed on the way
        assert one.status is other.status, one.property.name


def turns(n: int = 3) -> Model:
    m = Model("turns", at=Array([0] * n))

    @m.action(i=range(n))
    def up(s, i):
        require(s.at[i] == 0)
        s.at[i] = 1

    @m.action(i=range(n))
    def down(s, i):
        require(s.at[i] == 1)
        s.at[i] = 0

    m.symmetric(range(n), arrays=["at"])
    return m


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_fairness_to_a_whole_family(engine: str) -> None:
    asked = [always_eventually("all down", lambda s: not any(s.at)), ltl("one up", "G F {sum(s.at) > 0}")]
    for fair in (["up"], ["strong down"]):
        with pytest.raises(SweepcheckError) as caught:
            check(turns(), asked, fair=fair, engine=engine)
        assert caught.value.code == "SC404"
    m = turns()
    m.fair("up", together=True)
    for one, other in zip(
        check(m, asked, keep_going=True, engine=engine).verdicts,
        check(m, asked, keep_going=True, equivalence=False).verdicts,
        strict=True,
    ):
        assert one.status is other.status


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_predicate_that_names_a_member_is_found(engine: str) -> None:
    with pytest.raises(SweepcheckError) as caught:
        check(turns(), [leads_to("first", lambda s: sum(s.at) > 0, lambda s: s.at[0] == 1)], engine=engine)
    assert caught.value.code == "SC232"
