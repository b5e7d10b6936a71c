"""Replaying: what the model cannot do is not shown."""

from dataclasses import replace

import pytest

from sweepcheck import Label, Step, SweepcheckError, Trace, always_eventually, always_possible, deadlock, invariant
from sweepcheck import reachable as reachable_property
from sweepcheck.core.verdict import Decision, Status
from sweepcheck.engines.replay import follow, replay, walk
from sweepcheck.models.plain import PlainModel
from sweepcheck.testing.random_graphs import Graph

# 0 -> 1 -> 2 -> 1, 1 -> 3 dead.
SYSTEM = PlainModel(Graph((0, 1, 2, 3), (0,), ((0, "a", 1), (1, "a", 2), (2, "a", 1), (1, "b", 3))))


def path(*states: int, loop: int | None = None, labels: str = "aaaaaaa") -> Trace:
    steps = zip(labels, states[1:], strict=False)
    return Trace(states[0], tuple(Step(Label(label), state) for label, state in steps), loop)


@pytest.mark.parametrize(
    "trace",
    [
        path(0),
        path(0, 1, 2, 1),
        path(0, 1, 3, labels="ab"),
        path(0, 1, 2, 1, loop=1),
        path(0, 1, 3, loop=2, labels="ab"),
    ],
)
def test_paths(trace: Trace) -> None:
    walk(SYSTEM, trace)


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param(path(1), id="not an initial state"),
        pytest.param(path(0, 2), id="no such successor"),
        pytest.param(path(0, 1, 3), id="other label"),
        pytest.param(path(0, 1, 2, 1, loop=0), id="loop to another state"),
        pytest.param(path(0, 1, loop=1), id="loop without steps in a state that is not dead"),
        pytest.param(path(0, 1, loop=7), id="loop to nowhere"),
        pytest.param(path(0, 1, 2, 1, loop=-3), id="loop counted from the end"),
    ],
)
def test_no_paths(trace: Trace) -> None:
    with pytest.raises(SweepcheckError) as caught:
        walk(SYSTEM, trace)
    assert caught.value.code == "SC502"


DECISIONS = [
    (invariant("p", lambda s: s != 1), path(0, 1), path(0)),
    (reachable_property("p", lambda s: s == 1), path(0, 1), path(0)),
    (deadlock(), path(0, 1, 3, labels="ab"), path(0, 1)),
    (deadlock(final=lambda s: s == 2), path(0, 1, 3, labels="ab"), path(0)),
    (always_possible("p", lambda s: s < 3), path(0, 1, 3, labels="ab"), path(0)),
    (always_eventually("p", lambda s: s == 0), path(0, 1, 2, 1, loop=1), path(0, 1)),
    (always_eventually("p", lambda s: s != 3), path(0, 1, 3, loop=2, labels="ab"), path(0, 1, 2, 1, loop=1)),
]


@pytest.mark.parametrize(("asked", "right", "wrong"), DECISIONS)
def test_the_end_decides(asked, right: Trace, wrong: Trace) -> None:
    decision = Decision(asked, Status.VIOLATED, right.states[-1], right)
    replay(SYSTEM, decision)
    replay(SYSTEM, replace(decision, trace=None))
    with pytest.raises(SweepcheckError) as caught:
        replay(SYSTEM, replace(decision, trace=wrong))
    assert caught.value.code == "SC502"


def test_follow() -> None:
    assert follow(SYSTEM, [0, 0, 1]) == path(0, 1, 3, labels="ab")


@pytest.mark.parametrize("positions", [[1], [0, 1], [0, 0, 2]])
def test_follow_what_is_not_there(positions: list[int]) -> None:
    with pytest.raises(SweepcheckError) as caught:
        follow(SYSTEM, positions)
    assert caught.value.code == "SC502"
