"""A run that several sites share, against the truth about random models: the answers stay the same."""

import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sweepcheck import load
from sweepcheck.cluster import driver
from sweepcheck.cluster.local import LocalSites
from sweepcheck.cluster.owners import Field, Sample, deciding
from sweepcheck.core.limits import Limits
from sweepcheck.core.observer import Observer, Silence
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.property import Kind
from sweepcheck.core.request import Request
from sweepcheck.core.verdict import Status, Stop, conclude
from sweepcheck.engines import native
from sweepcheck.models.adoption import adopt
from sweepcheck.planner import plan
from sweepcheck.testing.conformance import check_engine, properties_about
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.random_nets import DrawnNet, nets
from sweepcheck.testing.truth import TooLarge, survey

EXAMPLES = Path(__file__).parents[2] / "examples"
few = settings(max_examples=max(5, settings.default.max_examples // 5))  # each is explored a dozen times
OF_STATES = frozenset(kind for kind in Kind if kind.decided_by_states)
OF_LAYERS = OF_STATES | {Kind.ALWAYS_POSSIBLE, Kind.ALWAYS_EVENTUALLY}  # where a layer is left for good


def some_fields(decided: Plan, seed: int) -> list[Field]:
    """Any fields may decide who owns a state: those that are chosen for speed, or these, or none, which means all."""
    fields = Sample(decided).fields
    return Random(seed).sample(fields, seed % (len(fields) + 1))


def shared_by(sites: int, seed: int) -> Callable[[Plan, Observer], Outcome]:
    def run(decided: Plan, observer: Observer) -> Outcome:
        if decided.limits.states is not None:  # the driver looks at it after supersteps, and the kit after every state
            return native.run(decided, observer)
        return driver.run(decided, observer, LocalSites(decided, sites, some_fields(decided, seed)))

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
@given(sources(constrained=True), st.integers(1, 4), st.integers(0, 40))
def test_random_models_in_full(drawn: Source, sites: int, seed: int) -> None:
    conforms(drawn, "full", sites, seed)


@pytest.mark.parametrize("order", ["number", "lexicographic"])
@few
@given(st.data(), st.integers(1, 4), st.integers(0, 40))
def test_random_models_swept(order: str, data: st.DataObject, sites: int, seed: int) -> None:
    conforms(data.draw(sources(order)), "sweep", sites, seed)


@pytest.mark.parametrize("order", ["number", "lexicographic"])
@few
@given(st.data(), st.integers(1, 4), st.integers(0, 40))
def test_random_models_with_steps_back(order: str, data: st.DataObject, sites: int, seed: int) -> None:
    conforms(data.draw(sources(order, monotone=False)), "generalised", sites, seed)


@few
@given(sources("number"), st.sampled_from(["full", "sweep"]), st.integers(1, 4), st.integers(1, 60))
def test_a_limit_on_states_leads_to_nothing_false(drawn: Source, strategy: str, sites: int, most: int) -> None:
    """It is looked at after supersteps: more may be found, and what is not known is not said."""
    case = drawn.case()
    system = adopt(case.model)
    try:
        truth = survey(system, most=150)
    except TooLarge:
        assume(False)
    asked = [one for one in properties_about(case.kit["predicate"]) if one.kind in OF_STATES]
    chosen: Any = {"measure": case.kit["measure"], "strategy": strategy, "engine": "native", "keep_going": True}
    decided = plan(system, Request(asked, **chosen, limits=Limits(states=most)))
    outcome = driver.run(decided, Silence(), LocalSites(decided, sites))
    verdicts = [conclude(one, outcome.stop) for one in outcome.decisions]
    for one in verdicts:
        assert one.status in (Status.INCONCLUSIVE, truth.status(one.property))
    assert outcome.statistics.explored <= len(truth.distance)
    if outcome.stop is Stop.STATES:
        assert outcome.statistics.explored + outcome.statistics.unprocessed > most
    elif outcome.stop is None:
        assert outcome.statistics.states == len(truth.distance)
        assert all(one.status is not Status.INCONCLUSIVE for one in verdicts)


@few
@given(nets(), st.integers(1, 4), st.integers(0, 40))
def test_random_nets(drawn: DrawnNet, sites: int, seed: int) -> None:
    conforms(drawn, "full", sites, seed)


@few
@given(nets(timed=True), st.integers(2, 4), st.integers(0, 40))
def test_random_nets_with_time(drawn: DrawnNet, sites: int, seed: int) -> None:
    conforms(drawn, "full", sites, seed)


@pytest.mark.parametrize("family", ["communication_protocol.py", "stop_and_wait.py"])
def test_who_owns_a_state_does_not_depend_on_how_busy_the_machine_is(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided = plan(load(str(EXAMPLES / family), {"packets": 40}), Request(()))
    chosen = []
    for level in (0.005, 0.06):  # seconds that the clock shows for each level
        clock = count()
        monkeypatch.setattr(time, "thread_time", lambda clock=clock, level=level: next(clock) * level)
        chosen.append(deciding(decided, 2))
    assert chosen[0] == chosen[1]
