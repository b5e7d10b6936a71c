"""Several properties at once, with fairness and measures that may go down: both engines end alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sweepcheck import (
    Model,
    Status,
    SweepcheckError,
    always_eventually,
    always_possible,
    check,
    choose,
    deadlock,
    invariant,
    leads_to,
    ltl,
    reachable,
    require,
    stay,
    step,
)
from sweepcheck.core.property import Property
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.agreement import check_agreement
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.truth import TooLarge, survey

Predicate = Callable[[Any], Any]
FAIR = st.lists(st.sampled_from([None, False, True]), min_size=5, max_size=5)  # of each action: strong or weak, if fair


def questions(predicate: Predicate) -> list[Property]:
    """Questions of all kinds about one predicate; some of them give states a memory."""

    def opposite(s: Any) -> bool:
        return not predicate(s)

    return [
        invariant("invariant", predicate),
        reachable("reachable", opposite),
        deadlock(),
        step("step", lambda old, new: not predicate(old) or predicate(new)),
        always_possible("always possible", predicate),
        always_eventually("always eventually", predicate),
        always_eventually("always eventually not", opposite),
        leads_to("leads to", predicate, opposite),
        leads_to("leads back", opposite, predicate),
        ltl("again and again", "G F last(one)"),
    ]


def made(drawn: Source, fair: list[bool | None]) -> Model:
    model: Model = drawn.case().model
    names = dict.fromkeys(action.name for action in model.actions)
    for name, strong in zip(names, fair, strict=False):
        if strong is not None:
            model.fair(name, strong=strong)
    return model


@pytest.mark.parametrize("order", [None, "number", "lexicographic", "product", "partial"])
@given(
    st.data(),
    FAIR,
    st.lists(st.integers(0, 9), min_size=1, max_size=4, unique=True),
    st.sampled_from([None, "full", "sweep"]),
    st.fixed_dictionaries(
        {"keep_going": st.booleans(), "trace": st.booleans(), "workers": st.sampled_from([1, 1, 2])},
        optional={"table_memory": st.sampled_from([1_000, 1_000_000])},
    ),
)
def test_both_engines_end_alike(
    order: str | None,
    data: st.DataObject,
    fair: list[bool | None],
    chosen: list[int],
    strategy: str | None,
    options: dict[str, Any],
) -> None:
    drawn = data.draw(sources(order, monotone=data.draw(st.booleans())))
    try:
        survey(adopt(drawn.case().model), most=100)
    except TooLarge:
        assume(False)
    asked = questions(drawn.case().kit["predicate"])
    check_agreement(lambda: made(drawn, fair), [asked[n] for n in chosen], strategy if order else None, **options)


def back_and_forth(ways: dict[int, list[int]]) -> Model:
    """A graph whose progress goes down on a step, after one that gives a run something to await."""
    model = Model("back", x=0)

    @model.action(fair="strong")
    def go(s: Any) -> None:
        require(ways[s.x])
        s.x = choose(ways[s.x])

    model.leads_to("answered", lambda s: s.x == 1, lambda s: s.x == 3)
    model.progress(lambda s: s.x)
    return model


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("keep_going", [False, True])
def test_a_step_back_while_something_is_awaited(keep_going: bool, engine: str) -> None:
    """The state that it leaves is one of a product: the way to it is found by a run that remembers as well."""
    model = back_and_forth({0: [1], 1: [2], 2: [0, 3], 3: [3]})
    with pytest.raises(SweepcheckError, match="SC301") as caught:
        check(model, engine=engine, keep_going=keep_going)
    assert [str(step.label) for step in caught.value.trace.steps] == ["go(1)", "go(2)"]


def test_the_second_run_for_a_trace_ends_where_the_state_is_met() -> None:
    """Its rest may be long, or fail: here an action that the first run had no need to try."""
    model = Model("early", x=0)

    @model.action
    def go(s: Any) -> None:
        s.x = {0: 1, 1: 2}[s.x]

    @model.action
    def wait(s: Any) -> None:
        require(s.x == 0)
        stay()

    model.leads_to("answered", lambda s: s.x == 1, lambda s: s.x == 2)
    model.always_eventually("never", lambda s: s.x == 9)
    model.progress(lambda s: s.x)
    reference = check(model, ["never", "answered"], engine="reference").verdicts[0]
    native = check(model, ["never", "answered"], engine="native").verdicts[0]
    assert reference.status is native.status is Status.VIOLATED
    assert native.trace is not None
