"""Models at the edges of what can be written: both engines find the same, and the native engine finds it at all."""

from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Any

import pytest
from comparing import same

from sweepcheck import Array, Bag, Model, Queue, choose, deadlock, explore, invariant, reachable, require, stay


def test_no_variables() -> None:
    def make() -> Model:
        m = Model("nothing")

        @m.action
        def wait(s: Any) -> None:
            stay()

        @m.action(i=range(3))
        def pick(s: Any, i: int) -> None:
            choose(range(i))
            stay()

        return m

    assert same(make, [deadlock()])[:3] == (1, 4, 0)


def test_no_action() -> None:
    same(lambda: Model("still", x=0, b=Bag([1])), [deadlock(), reachable("zero", lambda s: s.x == 0)])
    same(lambda: Model("nothing at all"), [deadlock()])


def test_one_variable_one_state() -> None:
    def make() -> Model:
        m = Model("one", x="only")

        @m.action
        def again(s: Any) -> None:
            s.x = "only"

        @m.action
        def never(s: Any) -> None:
            require(s.x == "other")
            s.x = "other"

        return m

    assert same(make, [deadlock()])[:2] == (1, 1)


@pytest.mark.parametrize("count", [200, 3000])
@pytest.mark.parametrize("values", [2, 6, 3000])
def test_many_variables(count: int, values: int) -> None:
    """States of many words; widths that do not divide a word."""

    def make() -> Model:
        m = Model("wide", **{f"v{i}": i % values for i in range(count)})

        @m.action(i=range(0, count, count // 8))
        def turn(s: Any, i: int) -> None:
            now = getattr(s, f"v{i}")
            require(now in (i % values, values))
            setattr(s, f"v{i}", values if now != values else i % values)

        return m

    found = explore(make(), engine="native").statistics
    assert (found.states, found.edges, found.dead_states) == (256, 2048, 0)
    if count == 200:
        same(make)


@pytest.mark.parametrize("length", [0, 1, 100])
def test_arrays(length: int) -> None:
    def make() -> Model:
        m = Model("array", n=0, a=Array([0] * length), e=Array())

        @m.action
        def step(s: Any) -> None:
            require(s.n < length and sum(s.a) == s.n)
            s.a[s.n] += 1
            s.a[-1] += 0
            s.n += 1 + len(s.e)

        m.invariant("in step", lambda s: s.n == sum(s.a) and len(s.a) == length and not s.e)
        return m

    assert same(make, [invariant("sum", lambda s: sum(s.a) <= length)])[0] == length + 1


class Alike:
    """Values that all hash alike."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Alike) and self.number == other.number

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return f"Alike({self.number})"


def test_values_that_hash_alike() -> None:
    def make() -> Model:
        m = Model("alike", x=Alike(0), b=Bag([Alike(0), Alike(1)]), q=Queue([Alike(2)]))

        @m.action
        def step(s: Any) -> None:
            s.x = Alike((s.x.number + 1) % 30)

        @m.action
        def swap(s: Any) -> None:
            token = s.b.take()
            s.b.add(Alike((token.number + 1) % 5))
            s.q.put(choose(Alike(1), s.q.get()))

        return m

    same(make)


@pytest.mark.parametrize("values", [(1, True, 1.0), (0, False, -0.0, 0.0), (2, 2.0, 2 + 0j)])
def test_values_that_are_equal(values: tuple[Any, ...]) -> None:
    def make() -> Model:
        m = Model("equal", x=values[-1], b=Bag(), q=Queue(), a=Array([7, values[0]]))

        @m.action
        def set_it(s: Any) -> None:
            s.x = choose(3, *values)

        @m.action
        def hold(s: Any) -> None:
            require(len(s.b) < 3)
            s.b.add(s.x)
            s.a[0] = values[1]

        @m.action(i=range(len(values)))
        def give(s: Any, i: int) -> None:
            s.b.take(values[i])
            require(len(s.q) < 2)
            s.q.put(values[i])

        return m

    same(make, [reachable("all", lambda s: s.x in values and values[0] in s.b and values[1] in s.q)])


class Colour(Enum):
    RED = auto()
    GREEN = auto()


class Right(Flag):
    READ = auto()
    WRITE = auto()


@dataclass(frozen=True)
class Message:
    sender: int
    body: tuple[Any, ...] = ()


def test_values_of_all_kinds() -> None:
    def make() -> Model:
        m = Model(
            "motley",
            colour=Colour.RED,
            rights=Right(0),
            message=Message(0),
            tree=((), frozenset()),
            text="",
            data=b"",
            nothing=None,
            kind=int,
            dots=...,
            box=Bag([Colour.RED, Message(1), (1, (2, frozenset({3})))]),
            line=Queue([None, frozenset(), Bag([1])]),
            row=Array([Bag(), Queue(), Array([1])]),
        )

        @m.action
        def repaint(s: Any) -> None:
            s.colour = choose(Colour)
            s.rights ^= choose(Right.READ, Right.WRITE)

        @m.action
        def send(s: Any) -> None:
            thing = s.box.take()
            s.message = Message(1, (thing, s.message)) if s.message == Message(0) else Message(0)
            s.box.add(s.message if s.message != Message(0) else Message(1))

        @m.action
        def grow(s: Any) -> None:
            require(s.text == "" and s.kind is int)
            s.text, s.data, s.nothing, s.kind = "ü" * 70, bytes(range(256)), Ellipsis, str
            s.tree = (s.tree, frozenset({s.tree}))
            s.row[1] = Queue([s.line.get(), s.tree])
            s.row[0] = s.row[0] + Bag([2])

        return m

    same(make, [reachable("read and write", lambda s: s.rights == Right.READ | Right.WRITE)])


def test_deep_choices() -> None:
    def make() -> Model:
        m = Model("deep", n=0, b=Bag(range(4)))

        @m.action
        def bits(s: Any) -> None:
            require(s.n == 0)
            s.n = 1 + sum(choose(0, 1) << bit for bit in range(9))

        @m.action
        def hands(s: Any) -> None:
            require(s.n == 7)
            taken = [s.b.take() for _ in range(4)]
            s.n = 1000 + sum(token * 4**place for place, token in enumerate(taken))

        @m.action
        def one_by_one(s: Any) -> None:
            require(s.n == 9)
            s.n = 2000 + sum(choose([0]) for _ in range(2000))

        return m

    assert same(make)[0] == 1 + 512 + 24 + 1


def test_many_alternatives() -> None:
    def make() -> Model:
        m = Model("wide choice", x=0)

        @m.action
        def jump(s: Any) -> None:
            require(s.x == 0)
            s.x = choose(range(1, 1001))

        return m

    assert same(make)[:2] == (1001, 1000)


def test_several_initial_states() -> None:
    def make() -> Model:
        m = Model("roots", x=0, b=Bag())
        m.initial(x=range(300), b=[Bag(), Bag([1]), Bag([1] * 20)])

        @m.action
        def down(s: Any) -> None:
            require(s.x > 0)
            s.x -= 1

        return m

    assert same(make)[:2] == (900, 897)
