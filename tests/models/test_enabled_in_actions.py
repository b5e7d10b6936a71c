"""Whether an action is enabled, asked inside another action: TLA+'s ENABLED, of the state as it is at that moment."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sweepcheck import Array, Bag, Model, Queue, SweepcheckError, choose, explore, require
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.truth import survey

ENGINES = ["reference", "native"]


def turns() -> Model:
    """The second action waits until the first can do no more; its writes are seen at once."""
    m = Model("turns", x=0, y=0, bag=Bag([1, 2]), queue=Queue(capacity=2), row=Array([0, 0]))

    @m.action
    def up(s: Any) -> None:
        require(s.x < 3)
        s.x += 1

    @m.action
    def move(s: Any) -> None:
        taken = s.bag.take(where=lambda token: token > s.row[0])
        s.queue.put(taken)
        s.row[0] = taken

    can_go_up, can_move = m.enabled("up"), m.enabled("move")

    @m.action
    def after(s: Any) -> None:
        require(not can_go_up(s) and s.y < 4)
        s.y += 1
        if can_move(s):
            s.row[1] = choose(0, 1)

    @m.action
    def back(s: Any) -> None:
        require(s.x == 3 and s.y < 4)
        s.y += 1
        s.x = 2
        assert can_go_up(s)

    return m


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("workers", [1, 2])
def test_both_engines_ask_the_state_as_it_is(engine: str, workers: int) -> None:
    truth = survey(adopt(turns()))
    report = explore(turns(), engine=engine, workers=workers, verify_actions=True)
    assert (report.statistics.states, report.statistics.edges) == (len(truth.distance), truth.count_of_edges)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=5))
def test_random_conditions(rules: list[tuple[int, int, int]]) -> None:
    m = Model("random", x=0, y=0)

    @m.action(i=range(len(rules)))
    def step(s: Any, i: int) -> None:
        least, by, _ = rules[i]
        require(s.x >= least)
        s.x = (s.x + by) % 5
        if type(s.x) is not int:
            s.y = 9

    asked = [m.enabled("step", i) for i in range(len(rules))]

    @m.action(i=range(len(rules)))
    def follow(s: Any, i: int) -> None:
        *_, other = rules[i]
        require(asked[i](s) is (other % 2 == 0))
        s.y = (s.y + other) % 4
        s.x = (s.x + asked[(i + 1) % len(rules)](s)) % 5

    truth = survey(adopt(m))
    for engine in ENGINES:
        report = explore(m, engine=engine)
        assert (report.statistics.states, report.statistics.edges) == (len(truth.distance), truth.count_of_edges)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_action_that_asks_for_itself_is_an_error(engine: str) -> None:
    m = Model("m", n=0)
    known: list[Any] = []

    @m.action
    def act(s: Any) -> None:
        require(not known[0](s))
        s.n = 1

    known.append(m.enabled("act"))
    with pytest.raises(SweepcheckError) as caught:
        explore(m, engine=engine)
    assert caught.value.code == "SC201"
    assert "Recursion" in str(caught.value)
