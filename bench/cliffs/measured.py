"""Models whose cost is that of their progress measure or of its layers."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from bench.models import counter_grid
from sweepcheck import Array, Bag, Model, Net, choose, require

STAGES = ("idle", "asked", "granted", "used", "done")


def grid(top: int, counters: int = 6) -> Model:
    """Counters that go up one by one. (top + 1)^counters states."""
    return counter_grid(counters, top)


def rectangle(s: Any) -> int:
    """A measure of the grid that is no sum."""
    return (sum(s.count[:3]) + 1) * (sum(s.count[3:]) + 1)


def moving(tokens: int) -> Model:
    """Bags that tokens move through; progress is a sum of lengths. 4^tokens states."""
    m = Model("moving", a=Bag(range(tokens)), b=Bag(), c=Bag(), d=Bag())

    @m.action
    def begin(s):
        s.b.add(s.a.take())

    @m.action
    def go_on(s):
        s.c.add(s.b.take())

    @m.action
    def finish(s):
        s.d.add(s.c.take())

    m.progress(lambda s: len(s.b) + 2 * len(s.c) + 3 * len(s.d))
    return m


def stages(processes: int) -> Model:
    """Processes that go through stages with names; progress is a sum over all of them. 5^processes states."""
    m = Model("stages", at=Array(["idle"] * processes))
    number = {stage: i for i, stage in enumerate(STAGES)}

    @m.action(i=range(processes))
    def advance(s, i):
        require(s.at[i] != "done")
        s.at[i] = STAGES[number[s.at[i]] + 1]

    m.progress(lambda s: sum(number[s.at[i]] for i in range(processes)))
    return m


def queens(n: int) -> Net:
    """Queens on a board as a coloured net: rows, columns and diagonals are tokens that a queen takes away."""
    net = Net("queens", n=n)
    rows, columns = net.place("Rows", range(n), range(n)), net.place("Columns", range(n), range(n))
    rising = net.place("Rising", range(2 * n), range(2 * n - 1))
    falling = net.place("Falling", range(-n, n), range(1 - n, n))
    queen = net.place("Queen", (range(n), range(n)))
    net.transition(
        "Place", rows.take("r"), columns.take("c"), rising.take("r + c"), falling.take("r - c"), queen.put("(r, c)")
    )
    net.progress(lambda m: len(m.Queen) - len(m.Rows))
    return net


def one_by_one(side: int) -> Model:
    """Five counters, and a layer for each state, compared lexicographically. side^5 layers."""
    return counter_grid(5, side - 1)


def by_all(s: Any) -> tuple[int, ...]:
    """The measure of `one_by_one`."""
    return tuple(s.count)


def layers(order: Callable[[int], list[int]]) -> Callable[[int], Model]:
    """A first state with a step to each of so many layers, found in this order, and a last step from each."""

    def sized(n: int) -> Model:
        found = order(n)
        m = Model("layers", layer=0, done=False)

        @m.action
        def scatter(s):
            require(s.layer == 0)
            s.layer = choose(found)

        @m.action
        def finish(s):
            require(s.layer and not s.done)
            s.done = True

        m.progress(lambda s: s.layer)
        return m

    return sized


def ascending(n: int) -> list[int]:
    """1, 2, 3, ..."""
    return list(range(1, n + 1))


def descending(n: int) -> list[int]:
    """... 3, 2, 1"""
    return ascending(n)[::-1]


def shuffled(n: int) -> list[int]:
    """In no order, the same on every run."""
    found = ascending(n)
    random.Random(1).shuffle(found)
    return found
