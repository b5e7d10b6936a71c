"""What stands for a bag, a queue or an array in a predicate answers as it would, also to what no object can answer."""

import json
from functools import partial

import pytest

from sweepcheck import Array, Bag, Model, Net, Queue, SweepcheckError, check, explore, invariant, require

KINDS = {"bag": Bag, "queue": Queue, "array": Array}


def model() -> Model:
    m = Model("kinds", n=0, bag=Bag([1]), queue=Queue([1]), array=Array([1]))

    @m.action
    def up(s):
        require(s.n < 2)
        s.n += 1
        s.bag.add(s.n)

    return m


def kind_of(value):
    return type(value)


def is_a(value, kind):
    return kind_of(value) is kind


class Asking:
    def fits(self, s):
        return type(s.bag) is Bag


ASKING = {
    "type": lambda s: type(s.bag) is Bag and type(s.queue) is Queue and type(s.array) is Array and type(s.n) is int,
    "in a helper": lambda s: all(is_a(getattr(s, name), kind) for name, kind in KINDS.items()),
    "isinstance": lambda s: all(isinstance(getattr(s, name), kind) for name, kind in KINDS.items()),
    "class": lambda s: s.bag.__class__ is Bag and s.queue.__class__ is Queue and s.array.__class__ is Array,
    "method": Asking().fits,
    "partial": partial(lambda s, ask: ask(s.bag) is Bag, ask=type),
    "negated": lambda s: not type(s.bag) is not Bag,
}


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("trace", [True, False])
@pytest.mark.parametrize("asking", ASKING)
def test_types_are_those_of_the_values(asking: str, trace: bool, engine: str) -> None:
    report = check(model(), [invariant("types", ASKING[asking])], engine=engine, trace=trace)
    assert report.verdicts[0].status == "holds"
    assert report.statistics.states == 3


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_measure_that_asks_for_a_type(engine: str) -> None:
    measure = lambda s: s.n if type(s.bag) is Bag else -s.n  # noqa: E731
    assert explore(model(), measure=measure, strategy="sweep", engine=engine).complete


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_net(engine: str) -> None:
    net = Net("net")
    place = net.place("P", int, [1, 2])
    net.transition("t", place.take("x"))
    report = check(net, [invariant("a bag", lambda m: type(m.P) is Bag)], engine=engine)
    assert report.verdicts[0].status == "holds"


def test_reading_is_still_all_that_it_does() -> None:
    def writes(s):
        s.n = 3
        return type(s.n) is int

    with pytest.raises(SweepcheckError) as caught:
        check(model(), [invariant("writes", writes)], engine="native")
    assert caught.value.code == "SC206"


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_functions_that_take_a_tuple_and_nothing_like_it(engine: str) -> None:
    asked = [
        invariant("json", lambda s: json.dumps([s.array, s.queue]) == "[[1], [1]]"),
        invariant("text", lambda s: "%d" % s.array == "1" == "%d" % s.queue),  # noqa: UP031
    ]
    report = check(model(), asked, engine=engine)
    assert [verdict.status for verdict in report.verdicts] == ["holds", "holds"]
