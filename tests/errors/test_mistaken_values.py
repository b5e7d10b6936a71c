"""Mistakes with bags, queues and arrays, and with choices, and what people are told."""

from itertools import count, repeat

import pytest
from mistakes import acting, failure, model_with

from sweepcheck import Array, Bag, Map, Queue, Set, choose, explore, require, stay


class TestBagsQueuesArrays:
    def test_assigning(self) -> None:
        def bag(s):
            s.b = Queue()

        def plus(s):
            s.b += [1]

        def array(s):
            s.a = [1, 2]

        def deleting(s):
            del s.b

        for action, code in ((bag, "SC111"), (plus, "SC204"), (array, "SC111"), (deleting, "SC204")):
            assert acting(action, b=Bag(), a=Array([0])).code == code

    def test_operations_of_lists(self) -> None:
        def bag(s):
            s.b.append(1)

        def queue(s):
            s.q.append(1)

        def array(s):
            s.a.append(1)

        def queue_element(s):
            s.q[0] = 1

        def bag_element(s):
            s.n = s.b[0]

        def array_element(s):
            del s.a[0]

        for action in (bag, queue, array, queue_element, bag_element, array_element):
            error = acting(action, b=Bag(), a=Array([0]), q=Queue([1]), n=0)
            assert error.code == "SC214"
            assert dict(error.values)["state"] == "b=empty a=[0] q=<1> n=0"

    def test_adding_and_taking_in_strange_ways(self) -> None:
        def minus(s):
            s.b.add(1, -1)

        def fraction(s):
            s.b.add(1, 0.5)

        def two(s):
            s.b.take(1, 2)

        def function(s):
            s.b.take(lambda x: x > 0)

        def where(s):
            s.b.take(where=1)

        for action in (minus, fraction, two, function, where):
            assert acting(action, b=Bag([1])).code == "SC214"

    def test_tokens_that_cannot_be_remembered(self) -> None:
        def add(s):
            s.b.add([1])

        def take(s):
            s.b.take([1])

        for action in (add, take):
            assert acting(action, b=Bag([1])).code == "SC203"

    def test_indices(self) -> None:
        def far(s):
            s.a[10] = 1

        def fraction(s):
            s.n = s.a[0.0]

        def queue(s):
            s.n = s.q[3]

        for action in (far, fraction, queue):
            assert acting(action, a=Array([1]), q=Queue([1]), n=0).code == "SC207"

    def test_slices_are_not_assigned(self) -> None:
        def some(s):
            s.a[0:1] = [1]

        def every(s):
            s.a[:] = [1]

        for action in (some, every):
            error = acting(action, a=Array([1]))
            assert error.code == "SC214"
            assert "for i in range(1): s.a[i] = x" in str(error.suggestion)

    def test_a_bag_within_an_array_is_a_value(self) -> None:
        def act(s):
            s.a[0].add(1)

        error = acting(act, a=Array([Bag()]))
        assert error.code == "SC201"
        assert "replaced" in str(error.suggestion)

    def test_as_values(self) -> None:
        def stored(s):
            s.n = s.b

        def within(s):
            s.n = (1, s.b)

        def draft(s):
            s.n = s

        for action in (stored, within, draft):
            assert acting(action, n=0, b=Bag()).code == "SC203"

        def hashed(s):
            s.n = len({s.b})

        assert "Bag(s.x)" in str(acting(hashed, n=0, b=Bag()).suggestion)

        def copied(s):
            require(s.n == 0)
            s.n = Bag(s.b)

        assert explore(model_with(copied, n=0, b=Bag([1]))).statistics.states == 2


class TestChoosing:
    def test_from_what_cannot_be_chosen(self) -> None:
        def one(s):
            s.n = choose(3)

        def endless(s):
            s.n = choose(count())

        def endless_and_equal(s):
            s.n = choose(repeat(1))

        def lists(s):
            s.n = choose([1], [2])

        for action in (one, endless, endless_and_equal, lists):
            assert acting(action).code == "SC212"

    def test_an_exception_of_the_alternatives_is_theirs(self) -> None:
        def act(s):
            s.n = choose(x + "a" for x in (1, 2))

        error = acting(act)
        assert error.code == "SC201"
        assert "TypeError" in error.what

    @pytest.mark.parametrize("function", [lambda: choose(1, 2), lambda: require(False), stay])
    def test_outside_an_action(self, function) -> None:
        assert failure(function).code == "SC206"


@pytest.mark.parametrize(
    ("made", "what"),
    [
        (lambda: Map([["a"], ["b"]], 0), "the keys of a Map"),
        (lambda: Map(({"a"},), 0), "the keys of a Map"),
        (lambda: Set([["a"]]), "a Set"),
    ],
)
def test_what_has_no_hash_is_in_no_structure(made, what: str) -> None:
    error = failure(made)
    assert error.code == "SC203"
    assert error.what.startswith(f"{what} was given something that cannot be hashed")
    assert error.where is not None
