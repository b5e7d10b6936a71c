"""Edges that close diamonds are not looked up, and nobody can tell from what a run finds.

Random systems have parts that are independent, and others that are not, in every way that steps can touch a variable.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from comparing import same
from test_counting import random_net
from test_workers import findings

from sweepcheck import (
    Array,
    Bag,
    Limits,
    Model,
    Net,
    Property,
    Queue,
    Report,
    Set,
    check,
    choose,
    deadlock,
    explore,
    invariant,
    require,
)
from sweepcheck.engines.native import description

SCALAR = {"turn", "set_blindly", "set_to_what_it_is", "count", "count_down", "need", "pick"}

Step = Callable[[Any], None]


def steps(chance: random.Random, here: int, parts: int) -> Iterator[Step]:  # noqa: PLR0915 - one for each way
    """What an action may do, to its own part of a system and to others."""
    there = chance.randrange(parts)
    top, token, other = chance.randint(1, 3), chance.randint(1, 3), chance.randint(1, 3)

    def turn(s: Any) -> None:
        s.cell[here] = (s.cell[here] + 1) % (top + 1)

    def set_blindly(s: Any) -> None:
        s.cell[here] = token % (top + 1)

    def set_to_what_it_is(s: Any) -> None:
        s.cell[here] = max(s.cell[here], s.cell[there])

    def count(s: Any) -> None:
        require(s.count[there] < top)
        s.count[there] += 1

    def count_down(s: Any) -> None:
        require(s.count[there] > 0)
        s.count[there] -= 1

    def need(s: Any) -> None:
        require(s.cell[there] != token)

    def bring(s: Any) -> None:
        require(len(s.bags[there]) < 2)
        s.bags[there].add(token)

    def bring_if_few_in_all(s: Any) -> None:
        require(len(s.bags[here]) + len(s.bags[there]) < top + 1)
        s.bags[here].add(token)

    def bring_by_number(s: Any) -> None:
        require(len(s.bags[there]) < 3)
        s.bags[here].add(token if len(s.bags[there]) < 2 else other)

    def take_of_many(s: Any) -> None:
        require(len(s.bags[there]) > 1)
        s.bags[there].take()

    def count_if_few(s: Any) -> None:
        require(len(s.bags[there]) < top and s.count[here] < 2)
        s.count[here] += 1

    def bring_as_long_as_few(s: Any) -> None:
        require(s.bags[here].count(token) < 2)
        s.bags[here].add(token)

    def take(s: Any) -> None:
        s.bags[there].take()

    def take_one(s: Any) -> None:
        s.bags[there].take(token)

    def exchange(s: Any) -> None:
        taken = s.bags[there].take()
        s.bags[here].add(taken % 3 + 1)

    def change(s: Any) -> None:
        taken = s.bags[there].take()
        s.bags[there].add(other if taken == token else token)

    def bring_two(s: Any) -> None:
        require(len(s.bags[here]) + len(s.bags[there]) < 3)
        s.bags[here].add(token)
        s.bags[there].add(other)

    def take_two(s: Any) -> None:
        s.bags[there].take()
        s.bags[here].take()

    def move_one(s: Any) -> None:
        s.bags[there].take(token)
        s.bags[here].add(other)

    def take_one_for_any(s: Any) -> None:
        taken = s.bags[here].take()
        s.bags[there].take(taken)
        s.bags[(there + 1) % parts].add(taken)

    def take_one_or_two(s: Any) -> None:
        s.bags[here].take()
        if token in s.bags[there] and choose(True, False):
            s.bags[(there + 1) % parts].take()

    def take_where_one_is(s: Any) -> None:
        require(token in s.bags[there])
        s.bags[there].take()

    def take_in_order_of_number(s: Any) -> None:
        for part in (here, there) if len(s.bags[here]) < 2 else (there, here):
            s.bags[part].take()

    def put_back(s: Any) -> None:
        s.bags[there].add(s.bags[there].take())

    def need_one(s: Any) -> None:
        require(token in s.bags[there])

    def look(s: Any) -> None:
        require(token not in s.bags[there])

    def peek(s: Any) -> None:
        require(s.bags[there].peek() == token)

    def include(s: Any) -> None:
        s.sets[there].add(token)

    def exclude(s: Any) -> None:
        s.sets[there].discard(other)

    def ask(s: Any) -> None:
        require((token in s.sets[there]) == (s.cell[here] == 0))

    def put(s: Any) -> None:
        require(len(s.line) < 2)
        s.line.put(token)

    def get(s: Any) -> None:
        s.line.get()

    def pick(s: Any) -> None:
        s.cell[here] = choose(0, top)

    everything = [
        turn,
        set_blindly,
        set_to_what_it_is,
        count,
        count_down,
        need,
        bring,
        bring_if_few_in_all,
        bring_by_number,
        take_of_many,
        count_if_few,
        bring_as_long_as_few,
        take,
        take_one,
    ]
    everything += [exchange, change, look, peek, include, exclude, ask, put, get, pick]
    everything += [bring_two, take_two, move_one, take_one_for_any, put_back, need_one]
    everything += [take_one_or_two, take_where_one_is, take_in_order_of_number]
    yield from chance.sample(everything, chance.choice((1, 1, 2, 2, 3)))


def system(seed: int) -> Model:
    """A system of so many parts, of actions that do some of all this."""
    chance = random.Random(seed)
    parts = chance.randint(2, 5)
    structured = chance.random() < 0.7
    m = Model(
        f"system {seed}",
        cell=Array([0] * parts),
        count=Array([0] * parts),
        bags=Array(Bag(chance.choice(((), (1,), (1, 2), (2, 2)))), shape=parts),
        sets=Array(Set(), shape=parts),
        line=Queue(capacity=2),
        done=Array([0] * parts),
    )

    actions: list[tuple[int, int, int, list[Step]]] = []
    for _ in range(chance.randint(4, 4 * parts)):
        part = chance.randrange(parts)
        made = list(steps(chance, part, parts))
        if not structured:  # scalars alone: these are answered in groups
            made = [one for one in made if one.__name__ in SCALAR] or [next(steps(chance, part, parts))]
        actions.append((part, chance.choice((0, 0, 2)), chance.choice((0, 1, 1, 2)), made))

    @m.action(number=range(len(actions)))
    def act(s: Any, number: int) -> None:
        part, most, climb, made = actions[number]
        if most:
            require(s.done[part] + climb <= most)
            s.done[part] += climb
        for step in made:
            step(s)

    m.progress(lambda s: sum(s.done))
    return m


def traced(
    model: Model | Net, asked: list[Property], folder: Path, closes: bool, **options: Any
) -> tuple[list[object], bytes, Report]:
    """What a run has found, with where each state was found from."""
    with patch.object(description, "CLOSES_DIAMONDS", closes):
        report = check(model, asked, engine="native", trace_dir=folder, keep_going=True, **options)
    assert report.trace_file is not None
    return list(findings(report)), report.trace_file.read_bytes(), report


def explored(model: Model, folder: Path, closes: bool, **options: Any) -> tuple[list[object], bytes, Report]:
    """One invariant has counter-examples, of the other all states have to be seen."""
    asked = [invariant("not there", lambda s: sum(s.cell) < 4), invariant("all are seen", lambda s: len(s.line) < 3)]
    return traced(model, asked, folder, closes, **options)


@pytest.mark.parametrize("first", range(0, 160, 10))
def test_random_systems(tmp_path: Path, first: int) -> None:
    for seed in range(first, first + 10):
        strategy = ("full", "sweep")[seed % 2]
        model, options = system(seed), {"strategy": strategy, "limits": Limits(states=12_000)}
        with patch.multiple(description, SHARE_AFTER=0, SHARE_LEAST=0, BATCH_SIZE=(4, 64)[seed % 3 == 0]):
            plain = explored(model, tmp_path, closes=False, **options, workers=1)
            assert plain[2].outcome.closed_edges == 0
            for workers in (1, 2):
                found = explored(model, tmp_path, closes=True, **options, workers=workers)
                assert found[:2] == plain[:2], (seed, workers)


@pytest.mark.parametrize("seed", range(40))
def test_random_nets(tmp_path: Path, seed: int) -> None:
    fuel = (0, 6)[seed % 2]
    net = random_net(seed, coloured=seed % 3 == 0, fuel=fuel)
    options: dict[str, Any] = {"strategy": "full", "limits": Limits(states=3_000)}
    if fuel:
        options |= {"strategy": "sweep", "measure": lambda s: len(s.Used)}
    with patch.multiple(description, SHARE_AFTER=0, SHARE_LEAST=0, BATCH_SIZE=16):
        plain = traced(net, [deadlock()], tmp_path, closes=False, **options, workers=1)
        for workers in (1, 2):
            assert traced(net, [deadlock()], tmp_path, closes=True, **options, workers=workers)[:2] == plain[:2]


def counters(count: int, top: int, order: int = 1) -> Model:
    """Counters that are independent of each other; declared forwards or backwards."""
    m = Model("counters", x=Array([0] * count))

    @m.action(i=range(count)[::order])
    def up(s: Any, i: int) -> None:
        require(s.x[i] < top)
        s.x[i] += 1

    m.progress(lambda s: sum(s.x))
    return m


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_of_independent_counters_one_edge_for_each_state_is_looked_up(strategy: str, order: int) -> None:
    """As soon as it is known what the actions do: the first states are looked up by all edges."""
    report = explore(counters(4, 9, order), strategy=strategy, engine="native", workers=1)
    numbers, closed = report.statistics, report.outcome.closed_edges
    assert (numbers.states, numbers.edges) == (10**4, 4 * 9 * 10**3)
    assert numbers.states - 1 <= numbers.edges - closed < 1.1 * numbers.states


def test_a_step_that_asks_for_few_tokens_closes_diamonds_with_those_that_take_some() -> None:
    """Tokens may leave before there is room for another one, or after it."""
    m = Model("room", left=Bag(), right=Bag(), turn=0)

    @m.action
    def move(s: Any) -> None:
        s.right.add(s.left.take())

    @m.action
    def lose(s: Any) -> None:
        s.right.take()

    @m.action
    def turn(s: Any) -> None:
        s.turn = (s.turn + 1) % 3

    @m.action
    def send(s: Any) -> None:
        require(len(s.left) + len(s.right) < 6)
        s.left.add(s.turn)

    report = explore(m, strategy="full", engine="native", workers=1)
    assert report.outcome.closed_edges > 0.3 * report.statistics.edges  # else it would be 0.18
    with patch.object(description, "CLOSES_DIAMONDS", False):
        assert explore(m, strategy="full", engine="native", workers=1).statistics.edges == report.statistics.edges


def test_a_step_that_does_something_else_where_tokens_are_more_closes_nothing_with_what_takes_them() -> None:
    def make() -> Model:
        m = Model("by number", bag=Bag([1, 2, 3]), seen=Bag())

        @m.action
        def note(s: Any) -> None:
            require(len(s.seen) < 2)
            s.seen.add(len(s.bag))

        @m.action
        def lose(s: Any) -> None:
            s.bag.take()

        return m

    states, edges = same(make)[:2]
    assert (states, edges) == (66, 103)


def takers(tokens: list[int]) -> Model:
    """What actions do depends on the tokens that they take in some places, and mostly not."""
    m = Model("takers", bag=Bag(tokens), other=Bag(), level=0, taken=0)

    @m.action
    def exchange(s: Any) -> None:
        require(s.taken < 5)
        token = s.bag.take()
        if token == s.level:
            s.level = (s.level + 1) % 7
        s.other.add(s.level)
        s.taken += 1

    @m.action
    def lose(s: Any) -> None:
        require(s.taken < 5)
        s.level = max(s.level, s.bag.take() % 7)
        s.taken += 1

    @m.action
    def come_back(s: Any) -> None:
        require(s.taken < 6)
        token = s.other.take()
        if choose(True, False):
            s.bag.add(token + s.level)
        s.taken += 1

    m.progress(lambda s: s.taken)
    return m


@pytest.mark.parametrize("strategy", ["full", "sweep"])
@pytest.mark.parametrize("tokens", [[1, 2, 3], [1, 1, 1, 2, 2, 5], list(range(12)), [0, *range(59, 64)], [0, 70, 5000]])
def test_steps_that_differ_in_the_token_they_take_are_known_as_one(
    tmp_path: Path, tokens: list[int], strategy: str
) -> None:
    """In whatever form a bag is laid out: as slots, counts or bits, in one word or several."""
    asked = [invariant("not there", lambda s: s.level < 6 or len(s.bag) > 2)]
    with patch.multiple(description, SHARE_AFTER=0, SHARE_LEAST=0, BATCH_SIZE=16):
        plain = traced(takers(tokens), asked, tmp_path, closes=False, strategy=strategy, workers=1)
        for workers in (1, 2):
            found = traced(takers(tokens), asked, tmp_path, closes=True, strategy=strategy, workers=workers)
            assert found[:2] == plain[:2]
    assert found[2].statistics.table_bytes < plain[2].statistics.table_bytes


def test_the_token_taken_first_is_told_from_one_that_another_alternative_takes(tmp_path: Path) -> None:
    m = Model("one or two", first=Bag([1, 2]), second=Bag([4, 5, 6]), gate=Bag([1]), level=0)

    @m.action
    def go(s: Any) -> None:
        require(s.level < 3)
        s.first.take()
        if sum(s.gate) == 1 and choose(True, False):
            s.second.take()
        s.level += 1

    m.progress(lambda s: s.level)
    asked = [invariant("not there", lambda s: s.level < 2)]
    plain = traced(m, asked, tmp_path, closes=False, strategy="full", workers=1)
    assert traced(m, asked, tmp_path, closes=True, strategy="full", workers=1)[:2] == plain[:2]


def test_two_actions_that_do_the_same_close_nothing() -> None:
    """Where one leads is where the other leads: to the state that was found, which is not expanded before itself."""

    def make() -> Model:
        m = Model("same", x=0, y=Array([0] * 3))

        @m.action(i=range(2))
        def up(s: Any, i: int) -> None:
            require(s.x < 5)
            s.x += 1

        @m.action(i=range(3))
        def turn(s: Any, i: int) -> None:
            s.y[i] = 1 - s.y[i]

        return m

    assert same(make)[:2] == (48, 48 * 3 + 40 * 2)


def test_copies_of_a_token_are_taken_one_after_the_other() -> None:
    def make() -> Model:
        m = Model("copies", bag=Bag([1, 1, 1, 2, 2, 3]), other=Bag())

        @m.action
        def lose(s: Any) -> None:
            s.bag.take()

        @m.action
        def move(s: Any) -> None:
            s.other.add(s.bag.take())

        return m

    states, edges = same(make)[:2]
    assert states == 10 * 6 * 3  # of n copies so many are here, there, or lost
    assert edges == 2 * (6 * 6 * 3 + 10 * 3 * 3 + 10 * 6 * 1)


def test_steps_that_go_back_are_found_all_the_same() -> None:
    """A state that waits for the next sweep is not expanded before others."""

    def make() -> Model:
        m = Model("back", x=Array([0] * 3), up=True)

        @m.action(i=range(3))
        def step(s: Any, i: int) -> None:
            require(s.x[i] < 4)
            s.x[i] += 1

        @m.action
        def again(s: Any) -> None:
            require(s.x[0] == 4)
            s.x[0] = 0

        @m.action
        def turn(s: Any) -> None:
            s.up = not s.up

        m.progress(lambda s: sum(s.x))
        return m

    same(make, strategy="generalised")
