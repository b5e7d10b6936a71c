"""Models of many actions, of which few are enabled at a time: those are found, the same edges in the same order."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from comparing import same

from sweepcheck import Array, Bag, Limits, Model, Net, explore, require

Wiring = list[tuple[tuple[int, ...], tuple[int, ...]]]


def machines(seed: int, count: int = 3, size: int = 12, joint: int = 60) -> tuple[Wiring, int]:
    """State machines that step alone or together: 1-safe places, transitions that take from one to three of them."""
    draw = random.Random(seed)
    wiring: Wiring = [((m * size + i,), (m * size + (i + 1) % size,)) for m in range(count) for i in range(size)]
    for _ in range(joint):
        together = draw.sample(range(count), draw.randint(1, count))
        ends = [tuple(m * size + draw.randrange(size) for m in together) for _ in range(2)]
        wiring.append((ends[0], ends[1]))
    draw.shuffle(wiring)
    return wiring, size


def as_integers(seed: int) -> Model:
    """A variable for each place."""
    wiring, size = machines(seed)
    m = Model("integers", place=Array([int(p % size == 0) for p in range(3 * size)]))

    @m.action(t=range(len(wiring)))
    def fire(s: Any, t: int) -> None:
        takes, gives = wiring[t]
        for place in takes:
            require(s.place[place])
        for place in takes:
            s.place[place] -= 1
        for place in gives:
            s.place[place] += 1

    return m


def as_net(seed: int) -> Net:
    """A bag for each place, with coloured tokens: who takes from an empty one is disabled."""
    wiring, size = machines(seed, count=2, size=20, joint=40)
    net = Net("net")
    places = [net.place(f"p{p}", range(2), [p // size] if p % size == 0 else []) for p in range(2 * size)]
    for t, (takes, gives) in enumerate(wiring):
        arcs = [places[place].take(f"x{i}") for i, place in enumerate(takes)]
        arcs += [places[place].put(f"1 - x{i}" if t % 3 else f"x{i}") for i, place in enumerate(gives)]
        net.transition(f"t{t}", *arcs)
    return net


def with_modes(seed: int) -> Model:
    """Every action asks for the mode first; a mode that is met late enables all of them."""
    draw = random.Random(seed)
    n = 24
    m = Model("modes", mode=0, cell=Array([0] * n), at=0, age=0)
    few = draw.sample(range(n), 3)
    order = [draw.choice(few) for _ in range(n)]

    @m.action(i=range(n))
    def step(s: Any, i: int) -> None:
        if s.mode < 3:
            require(s.cell[i] == 1)
            s.cell[i] = 0
        else:
            require(s.at < 8)
            s.at = s.at + 1

    @m.action(i=range(n))
    def mark(s: Any, i: int) -> None:
        require(s.at == i and s.mode < 3)
        s.cell[order[i]] = 1
        s.at = (i + 1) % n

    @m.action
    def age(s: Any) -> None:
        require(s.age < 36)
        s.age = s.age + 1
        s.mode = s.age // 10

    m.progress(lambda s: s.age)
    return m


def numbered(seed: int) -> Model:
    """An action for each of many values of a variable, more than the table of a group holds."""
    values = 1100 + seed
    m = Model("numbered", at=0, lap=0)

    @m.action(p=range(0, values, 16))
    def jump(s: Any, p: int) -> None:
        require(s.at == p)
        s.at = min(p + 12 + s.lap % 3, values - 1)

    @m.action
    def step(s: Any) -> None:
        require(s.at < values - 1 and s.at % 16)
        s.at = s.at + 1

    @m.action
    def turn(s: Any) -> None:
        require(s.at == values - 1 and s.lap < 6)
        s.at = 0
        s.lap = s.lap + 1

    return m


def addresses(turns: int, count: int = 300) -> Model:
    """An action for each address, which looks at its digits, more of them than few actions have in their table."""
    digits = range((count - 1).bit_length())
    m = Model("addresses", turn=0, digit=Array([0 for _ in digits]))

    @m.action(address=range(count))
    def step(s: Any, address: int) -> None:
        for j in digits:
            require(s.digit[j] == address >> j & 1)
        after = (address + 1) % count
        for j in digits:
            s.digit[j] = after >> j & 1

    @m.action
    def turn(s: Any) -> None:
        s.turn = (s.turn + 1) % turns

    return m


def stock(seed: int) -> Model:
    """Every action asks how often a bag holds some tokens: such as come early, late, or never."""
    m = Model("stock", bag=Bag())

    @m.action(kind=range(7))
    def put(s: Any, kind: int) -> None:
        require(s.bag.count(kind) < 2 and 50 + kind not in s.bag)
        require(kind < 3 or s.bag.count(kind - 3) > seed % 2)
        s.bag.add(kind)

    @m.action(kind=range(7))
    def drop(s: Any, kind: int) -> None:
        require((kind + 1) % 7 not in s.bag or s.bag.count(kind) == 2)
        s.bag.take(kind)

    return m


DRAWN: list[Callable[[int], Any]] = [as_integers, as_net, with_modes, stock]
MODELS = [
    *DRAWN,
    numbered,
    lambda seed: addresses(5 + seed % 3),
]


@pytest.mark.parametrize("make", MODELS)
def test_engines_agree(make: Callable[[int], Any]) -> None:
    found = same(lambda: make(1), strategy="full")
    assert isinstance(found, tuple)
    assert isinstance(found[0], int)
    assert found[0] > 1500  # enough for the native engine to look for triggers


@pytest.mark.parametrize("make", MODELS)
def test_engines_agree_depth_first(make: Callable[[int], Any]) -> None:
    """What a small cache finds again depends on the order of edges."""
    same(lambda: make(3), strategy="caching", cache_size=1200, limits=Limits(states=3000))


def test_disabled_actions_are_not_walked_to_in_every_state() -> None:
    """All digits together say which action is enabled: of further states no other one is looked at."""
    walks = [explore(addresses(turns), engine="native", strategy="full").outcome.vain_walks for turns in (100, 200)]
    assert walks[1] - walks[0] < 100 * 300 / 10
