"""Domains, bags and states that outgrow what they started with, early and late in a run."""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from comparing import Answer, answer

from sweepcheck import (
    Array,
    Bag,
    Limits,
    Model,
    Net,
    Property,
    Queue,
    always_eventually,
    always_possible,
    check,
    choose,
    explore,
    invariant,
    load,
    require,
    state_space_report,
)
from sweepcheck.core.observer import Silence
from sweepcheck.core.plan import Statistics
from sweepcheck.core.request import Request
from sweepcheck.engines import native
from sweepcheck.engines.native import description
from sweepcheck.planner import plan

EXAMPLES = Path(__file__).parents[2] / "examples"

# So few states are always rewritten; more only when they have doubled, and fields are widened in between.
REWRITE_BELOW = {"widened": 0, "widened late": 20_000, "rewritten": 8_000_000}
Natively = Callable[..., Statistics]


@pytest.fixture(params=REWRITE_BELOW)
def natively(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Natively:
    """What the native engine counts in a model."""
    monkeypatch.setattr(description, "REWRITE_BELOW", REWRITE_BELOW[request.param])
    return lambda model, **options: explore(model, engine="native", **options).statistics


def each_way() -> Iterator[None]:
    """Fields grow in every way, one after another, so that the reference engine is asked only once."""
    for below in REWRITE_BELOW.values():
        with patch.object(description, "REWRITE_BELOW", below):
            yield


def same(make: Callable[[], Model], properties: Sequence[Property] = (), **options: Any) -> Answer:
    """What the reference engine finds, and the native one too."""
    expected = answer(make(), properties, "reference", **options)
    for _ in each_way():
        assert answer(make(), properties, "native", **options) == expected
    return expected


def switches(m: Model, count: int) -> None:
    """Truth values that flip as they like: they multiply the states by 2**count."""

    @m.action(i=range(count))
    def flip(s: Any, i: int) -> None:
        s.switch[i] = not s.switch[i]


def test_scalars_beyond_two_to_the_sixteen(natively: Natively) -> None:
    m = Model("counter", x=0)

    @m.action
    def step(s: Any) -> None:
        require(s.x < 70_000)
        s.x += 1

    assert dataclasses.astuple(natively(m))[:4] == (70_001, 70_000, 70_001, 70_001)
    found = natively(m, measure=lambda s: s.x // 7)
    assert (found.states, found.layers) == (70_001, 10_001)


def test_tokens_beyond_two_to_the_sixteen(natively: Natively) -> None:
    m = Model("token", b=Bag([0]), q=Queue([0]))

    @m.action
    def step(s: Any) -> None:
        token = s.b.take()
        require(token < 70_000)
        s.b.add(token + 1)
        s.q.put(s.q.get() + 1)

    found = natively(m)
    assert (found.states, found.edges) == (70_001, 70_000)


def test_ten_thousand_equal_tokens() -> None:
    def make() -> Model:
        m = Model("heap", b=Bag({"x": 10_000, "y": 1}), n=0)

        @m.action
        def take(s: Any) -> None:
            require(s.n < 20)
            s.b.take("x")
            s.n += 1

        @m.action
        def put(s: Any) -> None:
            require(s.n < 20)
            s.b.add("y", 10_000)
            s.n += 1

        @m.action
        def drop(s: Any) -> None:
            require(len(s.b) == 9_991 and s.b.count("x") == 9_990)
            s.b.clear()

        return m

    same(make)


def test_thousands_of_distinct_tokens() -> None:
    def make() -> Model:
        m = Model("crowd", b=Bag(range(3_000)), n=0)

        @m.action
        def take(s: Any) -> None:
            require(s.n < 10)
            s.b.take(s.n * 7)
            s.n += 1

        @m.action
        def some(s: Any) -> None:
            require(s.n == 3)
            s.n = 100 + s.b.take(where=lambda token: token < 40)

        return m

    same(make)


def test_one_of_many_tokens() -> None:
    def make() -> Model:
        m = Model("any", b=Bag(range(400)))

        @m.action
        def take(s: Any) -> None:
            require(len(s.b) == 400)
            s.b.take()

        return m

    assert same(make)[:2] == (401, 400)


def test_long_queues() -> None:
    def make() -> Model:
        m = Model("line", q=Queue(), n=0)

        @m.action
        def put(s: Any) -> None:
            require(s.n < 600)
            s.q.put(s.n % 7)
            s.n += 1

        @m.action
        def last(s: Any) -> None:
            require(s.n >= 600 and len(s.q) > 590)
            s.q.get()

        m.invariant("in order", lambda s: len(s.q) < 3 or (s.q[1] - s.q[0]) % 7 == 1)
        return m

    same(make, [invariant("in order", lambda s: len(s.q) < 3 or (s.q[1] - s.q[0]) % 7 == 1)])


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_domains_that_grow_late(strategy: str, natively: Natively) -> None:
    """New values come when very many states are stored."""
    m = Model("late", x=0, y=0, switch=Array([False] * 9))
    switches(m, 9)

    @m.action(name=["x", "y"])
    def up(s: Any, name: str) -> None:
        require(getattr(s, name) < (150 if name == "x" else 3))
        setattr(s, name, getattr(s, name) + 1)

    found = natively(m, strategy=strategy, measure=lambda s: s.y)
    states = 151 * 4 * 512
    assert found.states == found.explored == states
    assert found.edges == 9 * states + (150 * 4 + 151 * 3) * 512
    assert found.dead_states == 0


@pytest.mark.parametrize("most", [2, 3, 12])
def test_bags_and_queues_that_grow_late(most: int, natively: Natively) -> None:
    """Slots, bits of tokens and whole contents outgrow states of which many are stored."""
    m = Model("late", n=0, b=Bag([0]), q=Queue([0]), switch=Array([False] * 11))
    switches(m, 11)

    @m.action
    def step(s: Any) -> None:
        require(s.n < 60)
        s.n += 1
        if s.n > 20:
            s.b.add(s.n)
            s.q.put(s.n)
        if s.n % 10 and len(s.b) > most:
            s.b.take(max(s.b))
        if len(s.q) > most:
            s.q.get()

    found = natively(m)
    assert found.states == 61 * 2048
    assert found.edges == 11 * 61 * 2048 + 60 * 2048


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_sets_that_grow_and_end(strategy: str, natively: Natively) -> None:
    """Two bags share tokens, each of them once. New ones come, and at the end one comes that is there already."""
    first, last = 3, 12
    m = Model("shared", tokens=first, here=Bag(range(first)), there=Bag(), twice=False)

    @m.action
    def go(s: Any) -> None:
        s.there.add(s.here.take())

    @m.action
    def back(s: Any) -> None:
        s.here.add(s.there.take())

    @m.action
    def come(s: Any) -> None:
        require(s.tokens < last)
        s.here.add(s.tokens)
        s.tokens += 1

    @m.action
    def repeat(s: Any) -> None:
        require(s.tokens == last and not s.twice)
        s.here.add(0)
        s.twice = True

    found = natively(m, strategy=strategy, measure=lambda s: s.tokens + s.twice)
    others = 2 ** (last - 1)  # where all tokens but 0 are; with two of them, 0 is here, there or in both
    assert found.states == sum(2**n for n in range(first, last + 1)) + 3 * others
    moves = sum(n * 2**n for n in range(first, last + 1)) + (3 * (last - 1) + 4) * others
    assert found.edges == moves + sum(2**n for n in range(first, last + 1))


def test_sets_of_more_tokens_than_bits(natively: Natively) -> None:
    top = 130
    m = Model("many", tokens=1, here=Bag([0]), there=Bag())

    @m.action
    def go(s: Any) -> None:
        require(not s.there)
        s.there.add(s.here.take())

    @m.action
    def back(s: Any) -> None:
        s.here.add(s.there.take())

    @m.action
    def come(s: Any) -> None:
        require(s.tokens < top)
        s.here.add(s.tokens)
        s.tokens += 1

    found = natively(m)
    assert found.states == sum(n + 1 for n in range(1, top + 1))
    assert found.edges == sum(2 * n for n in range(1, top + 1)) + sum(n + 1 for n in range(1, top))


def test_everything_that_is_done_to_sets() -> None:
    """Several tokens at once, the same one in and out, tokens asked for by name; some repeat."""

    kinds = 3

    def make() -> Model:
        m = Model("sets", n=0, a=Bag(range(kinds)), b=Bag(), c=Bag([0, 0]))

        @m.action
        def pair(s: Any) -> None:
            require(len(s.b) < 3)
            one, other = s.a.take(), s.a.take()
            s.b.add(one)
            s.a.add((one + other) % kinds)

        @m.action
        def in_and_out(s: Any) -> None:
            require(len(s.a) < kinds and len(s.b) < 2)
            s.b.add(1)
            s.a.add(s.b.take(1))
            s.b.clear() if s.b.count(2) else s.b.add(2)

        @m.action
        def exchange(s: Any) -> None:
            require(len(s.c) < 2)
            s.c.add(s.b.take(where=lambda token: token > 0))

        @m.action
        def give_back(s: Any) -> None:
            require(0 in s.c and 0 not in s.a)
            s.a.add(s.c.take(0))

        @m.action
        def limit(s: Any) -> None:
            require(max(map(len, (s.a, s.b))) > 2 or sum(s.b) > 4)
            s.a.clear()
            s.b.clear()
            s.a.add(s.n)
            s.n = (s.n + 1) % kinds

        return m

    asked = [
        invariant("few", lambda s: len(s.b) < 9 and s.a.count(0) < 9),
        invariant("once", lambda s: s.a.count(0) < 2),
    ]
    assert same(make, asked, keep_going=True)[0] == 3_891


def test_states_that_grow_over_many_words() -> None:
    def make() -> Model:
        m = Model("wider", a=Array([0] * 40))

        @m.action(i=range(40))
        def step(s: Any, i: int) -> None:
            require(i == 0 or s.a[i - 1] == 30)
            require(s.a[i] < 30)
            s.a[i] += 1

        return m

    assert same(make)[:2] == (1201, 1200)


def test_states_that_get_wider_with_many_stored(natively: Natively) -> None:
    m = Model("wider", n=0, a=Array([0] * 24), switch=Array([False] * 12))
    switches(m, 12)

    @m.action
    def step(s: Any) -> None:
        require(s.n < 48)
        s.a[s.n % 24] += 1 + s.n
        s.n += 1

    found = natively(m)
    assert (found.states, found.edges) == (49 * 4096, (12 * 49 + 48) * 4096)


def mixed(top: int) -> Model:
    """Every kind of variable and question."""
    m = Model("mixed", x=0, b=Bag([1, 2]), q=Queue([0], capacity=3), switch=Array([False] * 5))
    switches(m, 5)

    @m.action
    def up(s: Any) -> None:
        require(s.x < top)
        s.x += 1

    @m.action
    def swap(s: Any) -> None:
        token = s.b.take()
        s.b.add((token + choose(1, 2)) % 5)

    @m.action
    def turn(s: Any) -> None:
        s.q.put(s.b.peek())
        s.q.get()

    m.progress(lambda s: s.x + (len(s.q) - 1))
    m.invariant("one waits", lambda s: len(s.q) == 1 and s.b.count(7) == 0)
    return m


@pytest.mark.usefixtures("natively")
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_tables_forgotten_in_mid_run(strategy: str) -> None:
    # Large enough for several looks at the clock, which is when tables are forgotten.
    made = plan(mixed(400), Request(None, strategy=strategy, engine="native", trace=False))
    free = native.run(made, Silence())
    tight = native.run(dataclasses.replace(made, table_memory=10_000), Silence())
    for name in ("states", "edges", "explored", "peak", "dead_states", "layers"):
        assert getattr(free.statistics, name) == getattr(tight.statistics, name), name
    assert free.statistics.states == 401 * 32 * 15 * 5
    assert sum(action.evaluations for action in tight.actions) > sum(action.evaluations for action in free.actions)


def test_actions_that_observe_everything() -> None:
    """They get no table; numbers, edges per action and verdicts stay the same."""

    def make() -> Model:
        m = Model("nosy", a=Array([0] * 7), b=Bag())

        @m.action(i=range(7))
        def step(s: Any, i: int) -> None:
            require(sum(s.a) < 8)
            s.a[i] = (s.a[i] + 1) % 4
            if sum(s.a) == 7:
                s.b.add(choose(1, 2)) if len(s.b) < 2 else s.b.take()

        return m

    same(make, [invariant("few", lambda s: sum(s.a) < 8 or len(s.b) < 2)], keep_going=True)
    for _ in each_way():
        outcome = native.run(plan(make(), Request((), engine="native")), Silence())
        assert sum(action.edges for action in outcome.actions) == outcome.statistics.edges


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_every_kind_of_variable_and_question(strategy: str) -> None:
    same(lambda: mixed(2), mixed(2).properties, strategy=strategy)


@pytest.mark.parametrize("measured", [False, True])
def test_questions_about_cycles_while_fields_grow(measured: bool) -> None:
    """The states of the layer at work keep their numbers when the layout changes under them."""

    def make() -> Model:
        m = Model("growing", x=0, y=0, b=Bag(), round=0)

        @m.action
        def walk(s: Any) -> None:
            s.x = (s.x * 3 + 1) % 70

        @m.action
        def turn(s: Any) -> None:
            require(s.x % 7 == 0)
            s.y = (s.y + s.x) % 4

        @m.action
        def drop(s: Any) -> None:
            require(len(s.b) < 2 and s.x % 5 == 0)
            s.b.add(s.x % 3)

        @m.action
        def go_on(s: Any) -> None:
            require(s.round < 2 and len(s.b) == 2)
            s.b.clear()
            s.round += 1

        if measured:
            m.progress(lambda s: s.round)
        return m

    asked = (
        always_possible("empty", lambda s: not s.b),
        always_possible("home", lambda s: s.x == 0),
        always_eventually("seven", lambda s: s.x % 7 == 0),
        always_eventually("low", lambda s: s.x < 3),
    )
    options: Any = {"keep_going": True, "limits": Limits(states=100_000)}
    expected = check(make(), asked, engine="reference", **options)
    truth = state_space_report(make(), engine="reference").survey
    assert truth.components is not None
    for _ in each_way():
        found = check(make(), asked, engine="native", **options)
        assert [one.status for one in found.verdicts] == [one.status for one in expected.verdicts]
        assert found.complete
        surveyed = state_space_report(make(), engine="native").survey
        assert surveyed.components is not None
        assert replace(surveyed.components, home=None) == replace(truth.components, home=None)
        assert surveyed.bounds == truth.bounds
        assert surveyed.actions == truth.actions


def named_switches(m: Model, count: int) -> None:
    """Variables of their own that get a second value one after another."""

    @m.action
    def step(s: Any) -> None:
        require(s.n < count)
        setattr(s, f"a{s.n}", 1)
        s.n += 1


@pytest.mark.parametrize("count", [70, 280])
def test_many_variables_that_first_change_late(count: int, natively: Natively) -> None:
    """How often states are rewritten grows with the words of a state, not with its variables."""
    m = Model("late", n=0, switch=Array([False] * 6), **{f"a{i}": 0 for i in range(count)})
    switches(m, 6)
    named_switches(m, count)
    found = natively(m)
    assert (found.states, found.edges) == (64 * (count + 1), 64 * (6 * (count + 1) + count))
    assert found.rewrites is not None
    assert 0 < found.rewrites <= 10 + count // 16


def test_variables_that_never_change_take_no_room(natively: Natively) -> None:
    def bytes_per_state(idle: int) -> float:
        m = Model("idle", n=0, switch=Array([False] * 8), **{f"a{i}": 0 for i in range(8 + idle)})
        switches(m, 8)
        named_switches(m, 8)
        found = natively(m)
        assert found.states == 256 * 9
        assert found.state_bytes is not None
        return found.state_bytes / found.peak

    assert bytes_per_state(500) == bytes_per_state(0)


def lines(queues: int, elements: int, capacity: int | None) -> Model:
    """Every element goes into any of the queues."""
    m = Model("lines", left=elements, **{f"q{i}": Queue(capacity=capacity) for i in range(queues)})

    @m.action(i=range(queues))
    def put(s: Any, i: int) -> None:
        require(s.left > 0)
        getattr(s, f"q{i}").put(0)
        s.left -= 1

    return m


@pytest.mark.parametrize("capacity", [None, 3, 7, 10, 10**30])
def test_queues_that_grow_together(capacity: int | None) -> None:
    most = 7 if capacity is None else min(capacity, 7)
    assert same(lambda: lines(4, 7, capacity))[0] == sum(
        max(held) <= most and sum(held) <= 7 for held in product(range(8), repeat=4)
    )


def test_a_declared_capacity_saves_rewriting(natively: Natively) -> None:
    declared, grown = (natively(lines(5, 8, capacity)).rewrites for capacity in (8, None))
    assert declared is not None
    assert grown is not None
    assert declared <= 1  # for the number of those left
    assert declared < grown < 8


def test_more_queues_and_slots_than_words(natively: Natively) -> None:
    """Rewriting for one of them makes room for the others."""
    count = 40
    m = Model("long", n=0, switch=Array([False] * 4), **{f"q{i}": Queue() for i in range(count)})
    switches(m, 4)

    @m.action
    def step(s: Any) -> None:
        require(s.n < count * 8)
        getattr(s, f"q{s.n // 8}").put(s.n % 2)
        s.n += 1

    found = natively(m)
    assert found.states == 16 * (count * 8 + 1)
    assert found.rewrites is not None
    assert found.rewrites < 2 * count  # one for each slot would be eight times as many


def test_a_bag_that_holds_more_and_more_of_known_tokens_is_counted_early() -> None:
    m = Model("more and more", bag=Bag())

    @m.action(token=range(11))
    def put(s: Any, token: int) -> None:
        require(s.bag.count(token) < 2)
        s.bag.add(token)

    found = explore(m, engine="native").statistics
    assert found.states == 3**11
    assert found.rewrites is not None
    assert found.rewrites < 5  # the fifth would be that of half the states


def test_places_with_a_capacity() -> None:
    def make(capacity: int | None) -> Net:
        net = Net("lines")
        source = net.place("source", int, [0] * 9)
        for i in range(4):
            queue = net.place(f"line {i}", int, capacity=capacity)
            net.transition(f"put {i}", source.take("x"), queue.put("x"))
        return net

    for capacity in (None, 2, 9):
        expected = explore(make(capacity), engine="reference").statistics
        for _ in each_way():
            found = explore(make(capacity), engine="native").statistics
            assert dataclasses.astuple(found)[:4] == dataclasses.astuple(expected)[:4]


def test_bags_in_two_pieces_are_put_together_when_states_have_doubled() -> None:
    def make() -> Model:
        return load(str(EXAMPLES / "communication_protocol.py"), {"packets": 15, "capacity": 4})

    early = explore(make(), strategy="full", engine="native", workers=1, limits=Limits(states=50_000)).statistics
    found = explore(make(), strategy="full", engine="native", workers=1).statistics
    assert (found.states, found.edges) == (1_241_697, 6_875_566)
    assert early.rewrites is not None
    assert found.rewrites is not None
    assert found.rewrites > early.rewrites  # by then all tokens are known, and have their bits somewhere
    assert found.state_bytes is not None
    assert found.state_bytes < 32 * found.states
