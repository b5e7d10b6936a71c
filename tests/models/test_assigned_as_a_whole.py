"""Bags, sets, queues and arrays that are assigned as a whole: at the top of a state as inside other structures."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sweepcheck import Array, Bag, Map, Model, Queue, Record, Set, SweepcheckError, check, choose, explore, require
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.truth import survey

ENGINES = ["reference", "native"]


def channel(deep: bool) -> Model:
    """The same contents at the top, and one level down."""
    start: dict[str, Any] = {"bag": Bag([1]), "some": Set(), "queue": Queue(capacity=3), "row": Array([0, 0])}
    m = Model("channel", turn=0, **({"all": Record(**start)} if deep else start))

    def place(s: Any) -> Any:
        return s.all if deep else s

    @m.action
    def reset(s: Any) -> None:
        require(s.turn < 3)
        s.turn += 1
        at = place(s)
        at.bag = Bag([s.turn, 1])
        at.some = choose(frozenset(), frozenset([1, 2]))
        at.queue = Queue([*at.queue, s.turn][-2:])
        at.row = [at.row[1], s.turn]

    @m.action
    def swap(s: Any) -> None:
        at = place(s)
        require(len(at.queue) == 2)
        at.queue = Queue(reversed(at.queue))
        at.bag = at.bag - Bag([1])
        at.row = tuple(reversed(at.row))

    m.reachable("emptied", lambda s: len(place(s).bag) == 0)
    return m


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("deep", [False, True])
def test_contents_are_replaced(engine: str, deep: bool) -> None:
    truth = survey(adopt(channel(False)))
    report = check(channel(deep), engine=engine, keep_going=True)
    assert (report.statistics.states, report.statistics.edges) == (len(truth.distance), truth.count_of_edges)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_read_later_is_what_was_assigned(engine: str) -> None:
    m = Model("m", q=Queue([1, 2]), a=Array([1, 2]), b=Bag([1]), done=False)

    @m.action
    def act(s: Any) -> None:
        require(not s.done)
        s.q = Queue([3, *s.q])
        s.a = [s.a[1], s.q[0]]
        s.b = Bag([*s.b, len(s.q)])
        s.done = True
        assert list(s.q) == [3, 1, 2]
        assert list(s.a) == [2, 3]
        assert s.b.count(3) == 1

    m.invariant("so", lambda s: not s.done or (list(s.q), tuple(s.a), len(s.b)) == ([3, 1, 2], (2, 3), 2))
    assert check(m, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_queue_keeps_its_capacity(engine: str) -> None:
    m = Model("m", q=Queue(capacity=2))

    @m.action
    def fill(s: Any) -> None:
        s.q = Queue(range(choose(range(4))))  # more than two: disabled, as put is

    assert explore(m, engine=engine).statistics.states == 3


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("variables", "change", "code", "words"),
    [
        ({"v": Bag()}, lambda s: setattr(s, "v", [1]), "SC111", "not a bag"),
        ({"v": Queue()}, lambda s: setattr(s, "v", Bag()), "SC111", "not a queue"),
        ({"v": Set()}, lambda s: setattr(s, "v", [1]), "SC111", "not a set"),
        ({"v": Array([0, 0])}, lambda s: setattr(s, "v", [1]), "SC111", "not an array of 2 elements"),
        ({"v": Array([0, 0])}, lambda s: setattr(s, "v", 1), "SC111", "not an array of 2 elements"),
        ({"v": Bag(), "w": Bag()}, lambda s: setattr(s, "v", s.w), "SC203", "Bag(s.x)"),
        ({"v": Array([0]), "w": Array([0])}, lambda s: setattr(s, "v", s.w), "SC203", "list(s.x)"),
        ({"v": Map("ab", Bag())}, lambda s: _grow(s.v), "SC204", "+="),
        ({"v": Array([0])}, lambda s: setattr(s, "v", [s.v]), "SC203", ""),
    ],
)
def test_what_does_not_fit_is_refused(engine: str, variables: Any, change: Any, code: str, words: str) -> None:
    m = Model("m", **variables)

    def act(s: Any) -> None:
        change(s)

    m.action(act)
    with pytest.raises(SweepcheckError) as caught:
        explore(m, engine=engine)
    assert caught.value.code == code
    assert words in str(caught.value)


def _grow(v: Any) -> None:
    v["a"] += Bag([1])


@given(st.lists(st.tuples(st.integers(0, 3), st.lists(st.integers(0, 2), max_size=3)), min_size=1, max_size=4))
def test_random_assignments(steps: list[tuple[int, list[int]]]) -> None:
    m = Model("random", at=0, bag=Bag(), some=Set(), queue=Queue(), row=Array([0, 0]))

    @m.action(which=range(4))
    def act(s: Any, which: int) -> None:
        require(s.at < len(steps))
        kind, values = steps[s.at]
        s.at += 1
        if (kind + which) % 4 == 0:
            s.bag = Bag([*values, *s.queue])
        elif (kind + which) % 4 == 1:
            s.some = Set([*values, len(s.bag)])
        elif (kind + which) % 4 == 2:
            s.queue = Queue([*s.queue, *values][-2:])
        else:
            s.row = [len(s.queue), s.row[0]]
            s.row[0] += 1

    truth = survey(adopt(m))
    for engine in ENGINES:
        report = explore(m, engine=engine)
        assert (report.statistics.states, report.statistics.edges) == (len(truth.distance), truth.count_of_edges)
