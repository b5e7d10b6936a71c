"""Random walks that several workers share: the same walks, counts and traces as of one, whatever becomes of them."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sweepcheck import Array, Bag, Limits, Model, Queue, Status, SweepcheckError, choose, load, random_walks, require
from sweepcheck.core.verdict import Stop
from sweepcheck.engines.native import walks
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.random_nets import DrawnNet, nets

MANY = 200  # walks: several batches of 64


def answer(make: Callable[[], Any], workers: int, **options: Any) -> object:
    """All that walks came to, or their error with the way to it."""
    asked = {"walks": MANY, "depth": 30, "seed": 5, **options}
    try:
        report = random_walks(make(), engine="native", workers=workers, **asked)
    except SweepcheckError as error:
        return error.code, str(error), error.trace
    walked = report.walked
    counts = (walked.walks, walked.steps, walked.longest, walked.dead_ends, walked.left)
    found = [(verdict.property.name, verdict.status, verdict.trace) for verdict in report.verdicts]
    return counts, walked.distinct, walked.counts_all, walked.stop, found


def same(make: Callable[[], Any], **options: Any) -> Any:
    """The answer of one worker, which is that of several."""
    one, *several = (answer(make, workers, **options) for workers in (1, 2, 4))
    assert several == [one] * 2
    return one


def wide() -> Model:
    """Values of every kind, some of which outgrow their room on the way."""
    m = Model("wide", x=0, total=0, cells=Array([0] * 3), bag=Bag([1]), line=Queue(capacity=3), text="")

    @m.action(i=range(3))
    def count(s: Any, i: int) -> None:
        require(s.cells[i] < 9)
        s.cells[i] += 1
        s.total += 37 * s.cells[i]

    @m.action
    def move(s: Any) -> None:
        token = s.bag.take()
        s.bag.add(choose([token, token + 1]))
        s.line.put(token)

    @m.action
    def drop(s: Any) -> None:
        s.bag.add(s.line.get())
        s.text = f"{s.total % 50} of them"

    @m.action
    def back(s: Any) -> None:
        require(s.x < 4 and s.total > 100)
        s.x += 1
        s.cells[choose(range(3))] = 0

    m.invariant("calm", lambda s: s.x < 3 or s.cells[0] < 8)
    m.step("small steps", lambda old, new: new.total - old.total < 300)
    m.reachable("far", lambda s: s.total > 1500)
    m.deadlock()
    return m


def test_counts_verdicts_and_traces() -> None:
    same(wide)
    counts, *_, found = same(wide, keep_going=True, depth=60)
    assert counts[0] == MANY
    assert {status for _, status, _ in found} == {Status.VIOLATED, Status.HOLDS, Status.INCONCLUSIVE}
    for seed in range(3):
        same(wide, seed=seed, properties=["calm"], walks=70)


@pytest.mark.parametrize("name", ["peterson_broken", "dining_philosophers", "stop_and_wait_net", "timed_protocol"])
def test_examples(name: str) -> None:
    same(lambda: load(f"examples/{name}.py"), walks=150)


@given(st.one_of(sources(), nets()), st.booleans())
@settings(deadline=None, max_examples=25)
def test_random_models(source: Source | DrawnNet, keep_going: bool) -> None:
    same(lambda: source.case().model, depth=8, walks=130, keep_going=keep_going)


def test_states_outside_of_constraints_end_a_walk() -> None:
    counts, *_ = same(wide, constraints=[lambda s: s.total < 400], properties=["calm"])
    assert counts[-1] > 0


def test_failures_come_with_the_way_to_the_first() -> None:
    def failing(how: Callable[[Any], None]) -> Callable[[], Model]:
        def make() -> Model:
            m = wide()

            @m.action
            def fail(s: Any) -> None:
                require(s.total > 150)
                how(s)

            return m

        return make

    def asserts(s: Any) -> None:
        assert s.x < 2

    code, _, trace = same(failing(lambda s: 0 // (s.x - 2)), properties=[])
    assert code == "SC201"
    assert len(trace) > 2
    *_, stop, found = same(failing(asserts), properties=[])
    assert stop is Stop.ASSERTION
    assert found[-1][1] is Status.VIOLATED


def test_states_are_told_apart_up_to_a_limit() -> None:
    for most in (1, 100, 1500):
        with patch.object(walks, "MOST_DISTINCT", most):
            _, distinct, counts_all, *_ = same(wide, properties=[], depth=40)
        assert distinct == most
        assert not counts_all


def test_a_time_limit_ends_them() -> None:
    report = random_walks(wide(), walks=10**8, properties=[], seed=1, workers=3, limits=Limits(seconds=0.2))
    assert report.stop is Stop.SECONDS


def test_mistakes() -> None:
    for workers in (0, "some", 1.5):
        with pytest.raises(SweepcheckError, match="SC403"):
            random_walks(wide(), walks=1, workers=workers)
