"""The conformance kit on random nets, with and without time and modules: every engine, strategy and policy."""

from typing import Any

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from sweepcheck.core.plan import CollectionPolicy
from sweepcheck.core.request import Request
from sweepcheck.engines import native, reference
from sweepcheck.models.adoption import adopt
from sweepcheck.planner import plan
from sweepcheck.testing.conformance import Run, check_engine
from sweepcheck.testing.random_nets import MEASURES, DrawnNet, nets
from sweepcheck.testing.truth import TooLarge, survey

ENGINES: dict[str, Run] = {"reference": reference.run, "native": native.run}
# The kit runs an engine often for each example; nets are not made smaller, which takes minutes and gains little.
FEWER = settings(max_examples=settings.default.max_examples // 5, phases=[Phase.generate])
POLICIES: tuple[Any, ...] = ("layer", 1, 3, CollectionPolicy("auto", interval=2))


def conforms(name: str, drawn: DrawnNet, **options: Any) -> None:
    case = drawn.case()
    system = adopt(case.model)
    assume(name == "reference" or native.obstacle(plan(system, Request())) is None)
    try:
        truth = survey(system, most=40)
    except TooLarge:
        assume(False)
    check_engine(ENGINES[name], **case.kit, truth=truth, engine=name, **options)


@pytest.mark.parametrize("timed", [False, True], ids=["untimed", "timed"])
@pytest.mark.parametrize("engine", ENGINES)
def test_full(engine: str, timed: bool) -> None:
    @FEWER
    @given(st.booleans().flatmap(lambda modules: nets(timed=timed, modules=modules)))
    def examples(drawn: DrawnNet) -> None:
        conforms(engine, drawn, strategy="full")

    examples()


@pytest.mark.parametrize("timed", [False, True], ids=["untimed", "timed"])
@pytest.mark.parametrize("engine", ENGINES)
def test_sweep(engine: str, timed: bool) -> None:
    """Every order and policy; some measures go down on some edges, and exactly those are rejected."""

    @FEWER
    @given(st.data())
    def examples(data: st.DataObject) -> None:
        modules = data.draw(st.booleans())
        order = data.draw(st.sampled_from(sorted(MEASURES)))
        drawn = data.draw(nets(timed=timed, modules=modules, order=order))
        conforms(engine, drawn, strategy="sweep", gc=data.draw(st.sampled_from(POLICIES)))

    examples()
