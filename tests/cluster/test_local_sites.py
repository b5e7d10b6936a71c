"""A run that several sites share, against the truth about random models: the answers stay the same."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sweepcheck.cluster import driver
from sweepcheck.cluster.local import LocalSites
from sweepcheck.cluster.owners import Field, Sample
from sweepcheck.core.observer import Observer
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.property import Kind
from sweepcheck.engines import native
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.conformance import check_engine
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.random_nets import DrawnNet, nets
from sweepcheck.testing.truth import TooLarge, survey

few = settings(max_examples=max(5, settings.default.max_examples // 5))  # each is explored a dozen times
OF_STATES = frozenset(kind for kind in Kind if kind.decided_by_states)
OF_LAYERS = OF_STATES | {Kind.ALWAYS_POSSIBLE, Kind.ALWAYS_EVENTUALLY}  # where a layer is left for good


def some_fields(plan: Plan, seed: int) -> list[Field]:
    """Any fields may decide who owns a state: those that are chosen for speed, or these, or none, which means all."""
    fields = Sample(plan).fields
    return Random(seed).sample(fields, seed % (len(fields) + 1))


def shared_by(sites: int, seed: int) -> Callable[[Plan, Observer], Outcome]:
    def run(plan: Plan, observer: Observer) -> Outcome:
        if plan.limits.states is not None:  # which the driver looks at after supersteps, and the kit after every state
            return native.run(plan, observer)
        return driver.run(plan, observer, LocalSites(plan, sites, some_fields(plan, seed)))

    return run


def conforms(drawn: Source | DrawnNet, strategy: str, sites: int, seed: int = 0) -> None:
    case = drawn.case()
    try:
        truth = survey(adopt(case.model), most=150)
    except TooLarge:
        assume(False)
    kinds = OF_LAYERS if strategy == "sweep" else OF_STATES
    check_engine(shared_by(sites, seed), **case.kit, truth=truth, engine="native", kinds=kinds, strategy=strategy)


@few
@given(sources(constrained=True), st.integers(1, 3), st.integers(0, 40))
def test_random_models_in_full(drawn: Source, sites: int, seed: int) -> None:
    conforms(drawn, "full", sites, seed)


@pytest.mark.parametrize("order", ["number", "lexicographic"])
@few
@given(st.data(), st.integers(1, 3), st.integers(0, 40))
def test_random_models_swept(order: str, data: st.DataObject, sites: int, seed: int) -> None:
    conforms(data.draw(sources(order)), "sweep", sites, seed)


@few
@given(sources("number", monotone=False), st.integers(1, 3), st.integers(0, 40))
def test_random_models_with_steps_back(drawn: Source, sites: int, seed: int) -> None:
    conforms(drawn, "generalised", sites, seed)


@few
@given(nets(), st.integers(1, 3), st.integers(0, 40))
def test_random_nets(drawn: DrawnNet, sites: int, seed: int) -> None:
    conforms(drawn, "full", sites, seed)


@few
@given(nets(timed=True), st.integers(2, 3), st.integers(0, 40))
def test_random_nets_with_time(drawn: DrawnNet, sites: int, seed: int) -> None:
    conforms(drawn, "full", sites, seed)
