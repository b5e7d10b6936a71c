"""What actions do with the values of variables, and with bags, queues and arrays."""

from typing import Any

import pytest
from one_action import error_of, runs

from sweepcheck import (
    Array,
    Bag,
    Label,
    Limits,
    Model,
    Queue,
    SweepcheckError,
    check,
    choose,
    explore,
    invariant,
    require,
)

# -- scalars ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, 1.5, "a", (1, (2,)), frozenset({1}), Bag([1]), Label("x")])
def test_any_hashable_value(value: Any) -> None:
    def act(s):
        s.x = value

    assert runs(act, x=0) == [("act", (value,))]


@pytest.mark.parametrize("value", [[], {}, set(), ([],), lambda: 0, object()])
def test_values_that_are_none(value: Any) -> None:
    def act(s):
        s.total = value

    error = error_of(act, total=0)
    assert error.code == "SC203"
    assert "total" in error.what


# -- bags -------------------------------------------------------------------------------------------------------------


def test_bag_operations() -> None:
    def act(s):
        s.bag.add("b")
        s.bag.add("c", 2)
        s.x = (len(s.bag), s.bag.count("c"), s.bag.count("z"), "b" in s.bag, "z" in s.bag, tuple(s.bag))

    ((_, (bag, x)),) = runs(act, bag=Bag("a"), x=0)
    assert bag == Bag("abcc")
    assert x == (4, 2, 0, True, False, ("a", "b", "c", "c"))


def test_take_is_any_distinct_token() -> None:
    def act(s):
        s.x = s.bag.take()

    assert runs(act, bag=Bag("bab"), x=0) == [("act('a')", (Bag("bb"), "a")), ("act('b')", (Bag("ab"), "b"))]
    assert runs(act, bag=Bag(), x=0) == []


def test_take_this_token() -> None:
    def act(s):
        s.x = s.bag.take("a")

    assert runs(act, bag=Bag("aab"), x=0) == [("act", (Bag("ab"), "a"))]
    assert runs(act, bag=Bag("b"), x=0) == []


def test_take_where() -> None:
    def act(s):
        n = s.bag.take(where=lambda token: token > s.x)
        s.x = n

    assert runs(act, bag=Bag([1, 2, 3]), x=1) == [("act(n=2)", (Bag([1, 3]), 2)), ("act(n=3)", (Bag([1, 2]), 3))]
    assert runs(act, bag=Bag([1, 1]), x=1) == []


def test_peek_does_not_remove() -> None:
    def act(s):
        s.x = s.bag.peek()

    assert runs(act, bag=Bag("ab"), x=0) == [("act('a')", (Bag("ab"), "a")), ("act('b')", (Bag("ab"), "b"))]
    assert runs(act, bag=Bag(), x=0) == []


def test_peek_where() -> None:
    def act(s):
        s.x = s.bag.peek(where=lambda token: token != "a")

    assert [x for _, (_, x) in runs(act, bag=Bag("ab"), x=0)] == ["b"]


def test_take_twice() -> None:
    def act(s):
        one = s.bag.take()
        two = s.bag.take()
        s.x = (one, two)

    assert [x for _, (_, x) in runs(act, bag=Bag("aab"), x=0)] == [("a", "a"), ("a", "b"), ("b", "a")]
    assert runs(act, bag=Bag("a"), x=0) == []


def test_take_after_add_and_add_after_take() -> None:
    def act(s):
        s.bag.add("z")
        taken = s.bag.take()
        s.bag.add(taken + taken)

    assert runs(act, bag=Bag("a")) == [
        ("act(taken='a')", (Bag(["aa", "z"]),)),
        ("act(taken='z')", (Bag(["a", "zz"]),)),
    ]


def test_clear() -> None:
    def act(s):
        s.bag.clear()
        s.queue.clear()

    assert runs(act, bag=Bag("a"), queue=Queue("ab", capacity=2)) == [("act", (Bag(), ()))]


# -- queues -----------------------------------------------------------------------------------------------------------


def test_queue_operations() -> None:
    def act(s):
        s.queue.put(3)
        s.x = (s.queue.get(), s.queue.peek(), len(s.queue), tuple(s.queue), 3 in s.queue, s.queue[-1])

    assert runs(act, queue=Queue([1, 2]), x=0) == [("act", ((2, 3), (1, 2, 2, (2, 3), True, 3)))]


@pytest.mark.parametrize("operation", ["get", "peek"])
def test_an_empty_queue_disables(operation: str) -> None:
    def act(s):
        s.x = 1
        getattr(s.queue, operation)()

    assert runs(act, queue=Queue(), x=0) == []


def test_a_full_queue_disables() -> None:
    def act(s):
        s.queue.put(9)

    assert runs(act, queue=Queue([1], capacity=2)) == [("act", ((1, 9),))]
    assert runs(act, queue=Queue([1, 2], capacity=2)) == []
    assert runs(act, queue=Queue(capacity=0)) == []


def test_the_capacity_lasts() -> None:
    """It belongs to the variable: it outlives get, clear, and initial states written without it."""
    model = Model("channel", queue=Queue(capacity=2))
    model.initial(queue=[Queue(), Queue([1])])

    @model.action
    def put(s):
        s.queue.put(choose(0, 1))

    @model.action
    def get(s):
        s.queue.get()

    @model.action
    def clear(s):
        s.queue.clear()

    report = explore(model, engine="reference", limits=Limits(states=20))
    assert report.complete
    assert report.statistics.states == 1 + 2 + 4


# -- arrays -----------------------------------------------------------------------------------------------------------


def test_array_elements() -> None:
    def act(s):
        s.array[0] = s.array[1] + s.array[-1]
        s.array[-1] += 1
        s.x = (len(s.array), tuple(s.array), s.array[1:], 8 in s.array)

    assert runs(act, array=Array([1, 2, 3]), x=0) == [("act", ((5, 2, 4), (3, (5, 2, 4), (2, 4), False)))]


@pytest.mark.parametrize("index", [3, -4, "a", None])
def test_array_indices(index: Any) -> None:
    def read(s):
        s.x = s.array[index]

    def write(s):
        s.array[index] = 1

    for action in (read, write):
        assert error_of(action, array=Array([1, 2, 3]), x=0).code == "SC207"


def test_an_array_element_must_be_hashable() -> None:
    def act(s):
        s.array[0] = []

    assert error_of(act, array=Array([1])).code == "SC203"


@pytest.mark.parametrize("n", [3, 10])  # from nine elements on, the native engine counts in the core
def test_elements_of_an_array_are_counted_and_found(n: int) -> None:
    found = []
    for engine in ("native", "reference"):
        m = Model("count", a=Array([0] * n), seen=None)

        @m.action
        def turn(s):
            require(s.a.count(0) > n - 3)
            i = s.a.index(0)
            s.a[i] = 2
            s.seen = s.a.count(2), s.a.count("none"), s.a.index(2), i

        @m.action
        def back(s):
            require(2 in s.a)
            s.a[s.a.index(2)] = 0

        report = check(
            m, [invariant("few", lambda s: s.a.count(2) < 4 and (0 not in s.a or s.a.index(0) < 4))], engine=engine
        )
        found.append((report.statistics.states, report.statistics.edges, report.verdicts[0].status))
    assert found[0] == found[1]


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_an_element_that_is_not_there_has_no_index(engine: str) -> None:
    m = Model("index", a=Array([0, 1]))

    @m.action
    def look(s):
        s.a[s.a.index(7)] = 0

    with pytest.raises(SweepcheckError) as caught:
        explore(m, engine=engine)
    assert caught.value.code == "SC214"
    assert "has no element 7" in str(caught.value)
