"""What actions do with numbers, those of tokens too, whatever they are: answers stay the same, and runs become few."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from comparing import same
from hypothesis import assume, given
from hypothesis import strategies as st

from sweepcheck import Array, Bag, Model, Net, Queue, Report, SweepcheckError, check, choose, require
from sweepcheck.engines import native
from sweepcheck.engines.native import description
from sweepcheck.engines.native.noticing import may_notice
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.conformance import check_engine
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.truth import TooLarge, survey

Make = Callable[[], Model]
NEVER = 1 << 40


@pytest.fixture(autouse=True)
def at_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(description, "PATTERNS_AFTER", 0)
        yield


def runs(make: Make, **options: Any) -> dict[str, int]:
    return {one.action: one.evaluations for one in check(make(), engine="native", **options).actions}


@given(sources())
def test_random_models(drawn: Source) -> None:
    case = drawn.case()
    try:
        truth = survey(adopt(case.model), most=150)
    except TooLarge:
        assume(False)
    check_engine(native.run, **case.kit, truth=truth, engine="native", kinds=frozenset(native.KINDS), strategy="full")


@given(sources("number"))
def test_random_models_swept(drawn: Source) -> None:
    case = drawn.case()
    try:
        truth = survey(adopt(case.model), most=150)
    except TooLarge:
        assume(False)
    check_engine(native.run, **case.kit, truth=truth, engine="native", kinds=frozenset(native.KINDS), strategy="sweep")


# -- a protocol whose actions do something with the tokens that they take ----------------------


def protocol(use: Callable[[Any, Any], None], last: int = 12, first: tuple[Any, ...] = (), **variables: Any) -> Make:
    """Numbers are sent, and come out of the network in any order; `use` says what becomes of them."""

    def make() -> Model:
        usual = {"x": 0, "y": 4, "here": Bag(first), "there": Bag(), "n": Array([3, 0, 8]), "room": Bag(["free"] * 2)}
        m = Model("protocol", **{**usual, **variables})

        @m.action
        def send(s):
            require(s.x < last and len(s.here) < 2)
            s.here.add(s.x)
            s.x += 1

        @m.action
        def receive(s):
            use(s, s.here.take())

        @m.action
        def done(s):
            s.there.take(where=lambda token: token != 5)

        m.progress(lambda s: s.x)
        m.invariant("few", lambda s: len(s.there) < 2 or s.x < last)
        return m

    return make


def arrives(s: Any, number: int) -> None:
    require(len(s.there) < 2)
    s.there.add(number)


def is_next(s: Any, number: int) -> None:
    require(len(s.there) < 2)
    if number == s.y:
        s.y += 1
    s.there.add(s.y)


def largest(s: Any, number: int) -> None:
    s.y = max(s.y, number - 3)


def sums(s: Any, number: int) -> None:
    require(2 * number - s.y + 3 >= s.n[0] and s.y - number < 9)
    s.n[0] = s.y
    s.y = min(number + 2, 11)


def through(s: Any, number: int) -> None:
    s.y, s.n[1] = s.n[1], number
    require(s.y != 6 or not number)
    s.n[2] = s.y


def chosen(s: Any, number: int) -> None:
    if choose(True, False):
        require(len(s.there) < 1)
        s.there.add(number, choose(1, 2))
    elif number > s.y:
        s.y = number


def with_room(s: Any, number: int) -> None:
    s.room.take("free")
    require("busy" not in s.room)
    s.y = max(s.y, number)


def on_a_side(s: Any, number: int) -> None:
    if number == s.y:
        s.y += 1
    elif 2 * number > s.y + 6:
        s.n[0] = 1
    else:
        require(number != 3)
        s.n[2] = 2


GENERAL = {one.__name__: one for one in (arrives, is_next, largest, sums, through, chosen, with_room, on_a_side)}


@pytest.mark.parametrize("name", GENERAL)
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_patterns(name: str, strategy: str) -> None:
    same(protocol(GENERAL[name]), strategy=strategy)
    few, many = (runs(protocol(GENERAL[name], last), strategy=strategy)["receive"] for last in (30, 60))
    assert few == many < 120


@pytest.mark.parametrize("name", GENERAL)
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_patterns_of_several_workers(name: str, strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said of one token goes into the table for others too, before anybody has met them."""
    make = protocol(GENERAL[name], 20, first=(-1, 2.5))
    monkeypatch.setattr(description, "SHARE_AFTER", 0)
    monkeypatch.setattr(description, "SHARE_LEAST", 0)
    for size in (1, 16):  # where a run stops depends on it
        monkeypatch.setattr(description, "BATCH_SIZE", size)
        alone, *others = [findings(make, strategy, workers) for workers in (1, 2, 3)]
        assert others == [alone] * 2


def findings(make: Make, strategy: str, workers: int) -> tuple[object, ...]:
    report = check(make(), engine="native", strategy=strategy, workers=workers)
    found = report.statistics
    edges = [(one.action, one.edges) for one in report.actions]
    return found.states, found.edges, found.peak, found.layers, edges


def test_patterns_of_transitions() -> None:
    """What belongs on a place of numbers is told by comparing, and a token that is needed is a question like others."""

    def make(last: int) -> Net:
        net = Net("protocol", last=last)
        numbers = range(last + 2)
        sender, receiver = net.place("Sender", numbers, [0]), net.place("Receiver", numbers, [0])
        data, acks, room = (
            net.place("Data", numbers),
            net.place("Acks", numbers),
            net.place("Room", {"free"}, ["free"] * 2),
        )
        net.transition("Send", sender.test("n"), room.take("'free'"), data.put("n"), guard="n < last")
        net.transition(
            "Receive",
            data.take("n"),
            receiver.take("r"),
            receiver.put("k"),
            acks.put("k"),
            let={"k": "r + 1 if n == r else r"},
        )
        net.transition("Confirm", acks.take("n"), sender.take("s"), sender.put("max(s, n)"), room.put("'free'"))
        net.transition("Lose", data.take("n"), room.put("'free'"))
        net.transition("Lose ack", acks.take("n"), room.put("'free'"))
        return net

    same(lambda: make(12))
    assert all(one.evaluations < 120 for one in check(make(60), engine="native").actions)


# -- choices ------------------------------------------------------------------------------------


def assigned(s: Any, of: Any) -> None:
    s.x = choose(of)


def kept_below(s: Any, of: Any) -> None:
    number = choose(of)
    require(number < s.last - 3 and 2 * number + s.y >= 5)
    s.x, s.y = number, s.y + 1


def bound_together(s: Any, of: Any) -> None:
    one, other = choose(of), choose([5, 3, 1])
    require(one - other > s.y)
    s.x, s.y = one - other, 4


def added(s: Any, of: Any) -> None:
    require(len(s.bag) < 1)
    s.bag.add(choose(of) + 1, choose(1, 2))


def as_it_says(s: Any, of: Any) -> None:
    s.y = 1
    if choose(True, False):
        s.x = choose(of)


CHOOSING = {one.__name__: one for one in (assigned, kept_below, bound_together, added, as_it_says)}


def choosing(use: Callable[[Any, Any], None], of: Any, **variables: Any) -> Make:
    """Numbers are chosen; `use` says what becomes of them."""

    def make() -> Model:
        m = Model("choosing", **{"x": 0, "y": 0, "last": 40, "bag": Bag(), "n": Array([3, 0, 8]), **variables})

        @m.action
        def pick(s):
            require(s.x == 0)
            use(s, of)

        m.progress(lambda s: 1 if s.x else 0)
        return m

    return make


@pytest.mark.parametrize("name", CHOOSING)
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_patterns_of_choices(name: str, strategy: str) -> None:
    few, many = (choosing(CHOOSING[name], range(-1, last), last=last) for last in (60, 120))
    same(few, strategy=strategy)
    assert runs(few, strategy=strategy)["pick"] == runs(many, strategy=strategy)["pick"] < 60


ALTERNATIVES = {
    "range": range(40),
    "down": range(39, -1, -3),
    "list": [3, 7, 11, 15, 19, 23, 27, 31],
    "twice": [1, 2, 2, 3, 1, 4, 5, 6, 7, 8],
    "squares": [one * one for one in range(12)],
    "one by one": tuple(range(12)),
    "truths too": [2, True, 0, 3, 4, 5],
    "no numbers only": [0, 1, 2, 3, "four", 5, 6, 7],
    "of halves": [0, 1, 2, 3.5, 5],
    "too large": [2**40 - 2, 2**40 - 1, 2**40, 2**40 + 1, 2**40 + 2],
    "far too large": [2**70, 2**70 + 1, 2**70 + 2],
    "one": [6],
    "none": [],
}


def by_index(s: Any, of: Any) -> None:
    number = choose(of)
    s.n[number % 3] = 1
    s.x = {3: 7, 5: 1}.get(number, 2)


def by_class(s: Any, of: Any) -> None:
    s.x = 1 if type(choose(of)) is int else 0


def in_a_tuple(s: Any, of: Any) -> None:
    s.x = (choose(of), s.y)


def chosen_from(s: Any, of: Any) -> None:
    s.x = choose(choose(of), 5, s.y)


def taken_by_name(s: Any, of: Any) -> None:
    require(s.y < 2)
    s.bag.add(3)
    s.bag.take(choose(of))
    s.y += 1


USING = {one.__name__: one for one in (by_index, by_class, in_a_tuple, chosen_from, taken_by_name)}


@pytest.mark.parametrize("use", {**CHOOSING, **USING})
@pytest.mark.parametrize("of", ALTERNATIVES)
def test_alternatives_of_any_kind(use: str, of: str) -> None:
    for variables in ({}, {"y": True}, {"x": False}):
        same(choosing({**CHOOSING, **USING}[use], ALTERNATIVES[of], **variables))


def test_many_alternatives_are_no_reason_to_compare() -> None:
    """They are many runs for one state: to compare would be to run for all of them again, twice."""
    squares = tuple(one * one for one in range(1, 3_001))
    assert 3_000 <= runs(choosing(assigned, squares))["pick"] < 6_000


def indexed(s: Any, number: int) -> None:
    s.y = s.n[number % 3] + len(range(number))


def spelt(s: Any, number: int) -> None:
    s.y = len(f"{number:>3}") + int(str(number)[0])


def looked_up(s: Any, number: int) -> None:
    s.y = {3: 7, 5: 1}.get(number, 2) + (number in {1, 2, 6})


def arithmetic(s: Any, number: int) -> None:
    s.y = (number // 2 + number % 3 + (number ^ 5)) % 11 + number.bit_length()


def halves(s: Any, number: int) -> None:
    s.y = number / 2 if number > s.y - 3 else 1.0 * number


def exact_class(s: Any, number: int) -> None:
    s.y = 1 if type(number) is int and number % 2 else 0


def by_a_helper(s: Any, number: int) -> None:
    exact_class(s, number)


def identity(s: Any, number: int) -> None:
    s.y += number is s.y


def pairs(s: Any, number: int) -> None:
    require(len(s.there) < 2)
    s.there.add((number, s.y))


def seen(s: Any, number: int) -> None:
    require(number not in s.there and len(s.there) < 2)
    s.there.add(number)


def second(s: Any, number: int) -> None:
    other = s.here.take()
    s.y = min(number, other)


def added_before(s: Any, number: int) -> None:
    require(number < 6)
    s.here.add(number + 6)
    s.y = s.here.take()


def named(s: Any, number: int) -> None:
    s.y = choose(number, s.y, 3)


def certain_after_added(s: Any, number: int) -> None:
    require(len(s.there) < 2)
    s.there.add(number)
    if 5 in s.there:
        s.y += 1


def certain_after_taken(s: Any, number: int) -> None:
    s.y = 1 if 5 in s.here else number


def certain_taken_too(s: Any, number: int) -> None:
    s.here.take(5)
    s.y = number


def cleared(s: Any, number: int) -> None:
    s.here.clear()
    s.y = number


def queued(s: Any, number: int) -> None:
    require(len(s.waiting) < 2)
    s.waiting.put(number)
    if number == s.waiting[0]:
        s.y = s.waiting.get()


PARTICULAR = {
    one.__name__: one
    for one in (
        indexed,
        spelt,
        looked_up,
        arithmetic,
        halves,
        exact_class,
        by_a_helper,
        identity,
        pairs,
        seen,
        second,
        added_before,
        named,
        certain_after_added,
        certain_after_taken,
        certain_taken_too,
        cleared,
        queued,
    )
}


@pytest.mark.parametrize("name", PARTICULAR)
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_what_is_no_pattern(name: str, strategy: str) -> None:
    same(protocol(PARTICULAR[name], waiting=Queue()), strategy=strategy)


@pytest.mark.parametrize("other", [None, "text", True, 2.5, 2**50, -3, (1, 2)])
def test_tokens_that_are_something_else(other: Any) -> None:
    def use(s: Any, token: Any) -> None:
        if token == other:
            s.z = other
        elif s.z != token:
            s.z = token

    same(protocol(use, first=(other,), z=0))


def test_a_class_that_is_asked_for_is_noticed() -> None:
    assert may_notice(exact_class)
    assert may_notice(by_a_helper)
    assert may_notice(identity)
    assert not any(map(may_notice, GENERAL.values()))
    assert not may_notice(lambda s: s.x is None or isinstance(s.x, int))
    assert not may_notice(lambda s: any(x > s.x for x in s.a) or all(x < s.x for x in s.a) or tuple(x for x in s.a))


def test_numbers_that_become_too_large() -> None:
    def use(s: Any, number: int) -> None:
        require(len(s.there) < 2)
        s.z = number + 2**40 - 20
        s.there.add(s.z + 15)

    same(protocol(use, last=40, z=0))


def test_numbers_beside_equal_values() -> None:
    def use(s: Any, number: int) -> None:
        require(len(s.there) < 2)
        if number < 9:
            s.there.add(number + 30)
        else:
            s.there.add(number - 8)

    same(protocol(use, last=16))
    same(protocol(use, last=16, there=Bag([True])))
    same(protocol(use, last=16, there=Bag([1.0])))


def test_an_exception_is_that_of_the_number() -> None:
    def use(s: Any, number: int) -> None:
        if number > 7:
            raise ValueError(number)
        s.y = number

    assert isinstance(same(protocol(use)), str)


# -- traces and edges stay as they are ----------------------------------------------------------


def both(monkeypatch: pytest.MonkeyPatch, make: Make, **options: Any) -> list[Report]:
    reports = []
    for after in (0, NEVER):
        monkeypatch.setattr(description, "PATTERNS_AFTER", after)
        reports.append(check(make(), engine="native", keep_going=True, **options))
    return reports


@pytest.mark.parametrize("name", GENERAL)
@pytest.mark.parametrize("strategy", ["full", "sweep"])
@pytest.mark.parametrize("workers", [1, 3])
def test_the_same_traces(name: str, strategy: str, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = both(monkeypatch, protocol(GENERAL[name], 20), strategy=strategy, workers=workers)
    with_patterns, without = (
        ([str(verdict.trace) for verdict in one.verdicts], [(each.action, each.edges) for each in one.actions])
        for one in found
    )
    assert with_patterns == without


ORDERS = ["number < s.y", "number == s.y", "number + 1 >= s.n[0]", "s.y < 9", "True"]
EFFECTS = ["s.y = number", "s.y += 1", "s.n[0] = s.y + 1", "s.there.add(number)", "s.there.add(s.y + 2)", "pass"]


@given(st.lists(st.tuples(st.sampled_from(ORDERS), st.sampled_from(EFFECTS)), min_size=1, max_size=5), st.booleans())
def test_random_uses(pieces: list[tuple[str, str]], swept: bool) -> None:
    lines = [f"    if {order} and s.y < 12 and len(s.there) < 2: {effect}" for order, effect in pieces]
    space: dict[str, Any] = {}
    exec("def use(s, number):\n" + "\n".join(lines), space)
    same(protocol(space["use"], last=7), strategy="sweep" if swept else "full")


def test_an_error_stops_the_run_as_before() -> None:
    def use(s: Any, number: int) -> None:
        s.missing = number

    with pytest.raises(SweepcheckError):
        check(protocol(use)(), engine="native")
