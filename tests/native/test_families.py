"""Families of actions that each wait for a value of their own: what one run tells, whatever else the value is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sweepcheck import Array, Bag, Model, choose, explore, require

Make = Callable[[], Model]


def counts(make: Make, **options: Any) -> tuple[int, int]:
    """States and edges."""
    report = explore(make(), **options)
    return report.statistics.explored, report.statistics.edges


def runs(make: Make, family: str, **options: Any) -> int:
    """So often the function of a family ran."""
    report = explore(make(), engine="native", strategy="full", **options)
    return sum(one.evaluations for one in report.actions if one.action.startswith(family))


def same_everywhere(make: Make) -> None:
    """The native engine finds what the reference engine does: with workers, small tables, and all runs repeated."""
    expected = counts(make, engine="reference", strategy="full")
    for more in ({}, {"workers": 2}, {"table_memory": 2**14}, {"verify_actions": True}):
        assert counts(make, engine="native", strategy="full", **more) == expected, more


def tickets(n: int, name: Callable[[int], Any] = lambda i: i) -> Model:
    """A dispenser: whoever is called is served, and the next one is called."""
    m = Model("tickets", called=name(0), closed=False)

    @m.action(i=range(n))
    def serve(s, i):
        require(s.called == name(i))
        s.called = name((i + 1) % n)

    @m.action
    def pause(s):
        s.closed = not s.closed

    return m


def roads(n: int, name: Callable[[int], Any] = lambda i: i) -> Model:
    """A lorry on a graph: an action for each road, asked after where it begins, then for fuel."""
    m = Model("roads", at=name(0), fuel=20)
    arcs = [(i, (7 * i + k) % n) for i in range(n) for k in (1, 2)]

    @m.action(arc=arcs)
    def drive(s, arc):
        require(name(arc[0]) == s.at and s.fuel > 0)
        s.at = name(arc[1])
        s.fuel -= 1

    @m.action
    def fill(s):
        require(s.at == name(0))
        s.fuel = 20

    return m


def city(i: int) -> str:
    """A name that sorts in no order of use."""
    return f"city {i * 37 % 101} of {i}"


@pytest.mark.parametrize("name", [lambda i: i, lambda i: 5 - 3 * i, city])
@pytest.mark.parametrize("model", [tickets, roads])
def test_one_run_tells_what_an_action_waits_for(model: Any, name: Callable[[int], Any]) -> None:
    same_everywhere(lambda: model(150, name))


@pytest.mark.parametrize("name", [lambda i: i, city])
def test_runs_grow_as_the_members_do(name: Callable[[int], Any]) -> None:
    assert runs(lambda: tickets(400, name), "serve") < 6 * 400  # each would be run for each of 400 values
    assert runs(lambda: roads(200, name), "drive") < 2 * 400 * (6 + 21)  # the fuel is looked at


def test_tables_grow_as_the_members_do() -> None:
    small, large = (explore(tickets(n), engine="native", strategy="full").statistics.table_bytes for n in (500, 2000))
    assert large < 6 * small


def ends_otherwise(last: Any, n: int = 100) -> Model:
    """A counter that becomes something else at last, which other members may take for their number."""
    m = Model("ends otherwise", at=0, seen=0)

    @m.action(i=range(n))
    def go_on(s, i):
        require(s.at == i)
        s.at = i + 1 if i < n - 2 else last

    @m.action
    def look(s):
        require(s.at != 0)
        s.seen = 1 - s.seen

    return m


@pytest.mark.parametrize("last", ["end", None, 2.5, (1, 2), 10**18, -1, 3])
def test_a_value_that_is_no_number(last: Any) -> None:
    same_everywhere(lambda: ends_otherwise(last))


@pytest.mark.parametrize("last", [None, 3, b"end", ("a",)])
def test_a_value_that_is_no_text(last: Any) -> None:
    def make() -> Model:
        m = Model("texts", at="0")

        @m.action(i=range(100))
        def go_on(s, i):
            require(s.at == str(i))
            s.at = str(i + 1) if i < 98 else last

        @m.action
        def from_the_end(s):
            require(s.at == last)
            s.at = "50"

        return m

    same_everywhere(make)


def family_of(body: Callable[[Any, int], bool], start: Any, step: Callable[[Any], Any], length: int = 120) -> Make:
    """Members that do something where a condition holds, beside a variable that goes through many values."""

    def make() -> Model:
        m = Model("family", at=start, other=0, done=Array([False] * 3), when=0)

        @m.action(i=range(64))
        def member(s, i):
            require(body(s, i))
            s.done[i % 3] = True
            s.other = (s.other + i) % 3

        @m.action
        def walk(s):
            require(s.when < length)
            s.at = step(s.at)
            s.when += 1

        return m

    return make


def joined(s: Any, i: int) -> bool:
    """It fails with what is no str, and goes on."""
    try:
        return "".join([s.at]) == str(i)
    except TypeError:
        return False


CONDITIONS: dict[str, Callable[[Any, int], bool]] = {
    "either": lambda s, i: s.at == i or s.other == 2,
    "two": lambda s, i: s.at == i or s.at == i + 50,
    "not": lambda s, i: s.at != i,
    "remainder": lambda s, i: s.at % 60 == i,
    "twice": lambda s, i: 2 * s.at == i,
    "after another": lambda s, i: s.other == 1 and s.at == i,
    "type": lambda s, i: type(s.at) is int and s.at == i,
    "among": lambda s, i: s.at in (i, i + 1),
    "in a set": lambda s, i: s.at in {i, i + 64},
    "as text": lambda s, i: str(s.at) == str(i),
    "less": lambda s, i: s.at < i,
    "with a neighbour": lambda s, i: s.at + s.other == i,
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_members_that_wait_for_something_else(condition: str) -> None:
    same_everywhere(family_of(CONDITIONS[condition], 0, lambda at: at + 1))


TEXTS: dict[str, Callable[[Any, int], bool]] = {
    "equal": lambda s, i: s.at == str(i),
    "other way": lambda s, i: str(i) == s.at,
    "unequal": lambda s, i: s.at != str(i),
    "part": lambda s, i: str(i) in s.at,
    "first": lambda s, i: s.at[0] == str(i),
    "length": lambda s, i: len(s.at) == i,
    "as number": lambda s, i: int(s.at) == i,
    "class": lambda s, i: isinstance(s.at, str) and s.at == str(i),
    "type": lambda s, i: type(s.at) is not str or s.at == str(i),
    "method": lambda s, i: s.at.startswith(str(i)),
    "joined": joined,
    "together": lambda s, i: "x" + s.at == f"x{i}",
    "formatted": lambda s, i: f"{s.at}" == str(i),
    "hash": lambda s, i: {str(i): True}.get(s.at, False),
}


@pytest.mark.parametrize("condition", TEXTS)
def test_texts_that_are_asked_for_something_else(condition: str) -> None:
    same_everywhere(family_of(TEXTS[condition], "0", lambda at: str(int(at) + 1)))


def test_members_that_choose_and_give_what_they_waited_for() -> None:
    def make() -> Model:
        m = Model("copies", at="a0", copy="", n=0)

        @m.action(i=range(60))
        def member(s, i):
            require(s.at == f"a{i}")
            s.copy = s.at
            s.at = choose(f"a{(i + 1) % 60}", f"a{(i + 7) % 60}")
            s.n = min(s.n + 1, 5)

        return m

    same_everywhere(make)


def test_a_number_is_no_text_of_the_same_number() -> None:
    """Texts have numbers of their own, which are no numbers of the model."""

    def make() -> Model:
        m = Model("mixed", name="n0", count=0)

        @m.action(i=range(50))
        def member(s, i):
            require(s.name == f"n{i}")
            s.name = f"n{(i + 1) % 50}"
            s.count = (s.count + 1) % 11

        @m.action
        def swap(s):
            require(s.count == 7)
            s.name = "n3"

        return m

    same_everywhere(make)


def test_tokens_compared_with_what_was_waited_for() -> None:
    """What a pattern says of one token holds for others by the number that was waited for, too."""

    def make() -> Model:
        m = Model("turns", turn=0, bag=Bag(range(0, 40, 7)), out=Bag(), late=0)

        @m.action(i=range(40))
        def take(s, i):
            require(s.turn == i)
            token = s.bag.take()
            if token < s.turn:
                s.out.add(token)
            else:
                s.late = min(s.late + 1, 3)
            s.turn = (i + 1) % 40

        @m.action
        def give_back(s):
            s.bag.add(s.out.take())

        return m

    same_everywhere(make)


def test_a_value_that_was_asked_about_before_it_was_given() -> None:
    """It has an id from then on, and becomes the number that a member waits for when a state has it."""
    n = 1100  # more than groups tell apart: members are woken

    def make() -> Model:
        m = Model("asked", at=Array([0] * 10), seen=False)

        @m.action(i=range(n))
        def member(s, i):
            require(s.at[0] == i)
            s.at[0] = (i + 1) % n

        @m.action
        def look(s):
            require(not s.seen and not any(k in s.at for k in range(1060, n)))
            s.seen = True

        return m

    assert counts(make, engine="native", strategy="full") == counts(make, engine="reference", strategy="full")
