"""The workloads as a user would write them: plain sweepcheck models, those of examples/ wherever there is one.

The philosophers and the ring differ from examples/: these are the ones that the engine's prototype was measured on.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

from sweepcheck import Array, Model, require

EXAMPLES = Path(__file__).parent.parent / "examples"


def philosophers(n=12):
    """Left fork first, then the right one; after eating the left one goes back first. 3^n - 1 states."""
    m = Model("philosophers", fork=Array([True] * n), seat=Array(["thinking"] * n))

    @m.action(i=range(n))
    def take_left(s, i):
        require(s.seat[i] == "thinking" and s.fork[i])
        s.fork[i] = False
        s.seat[i] = "hungry"

    @m.action(i=range(n))
    def take_right(s, i):
        require(s.seat[i] == "hungry" and s.fork[(i + 1) % n])
        s.fork[(i + 1) % n] = False
        s.seat[i] = "eating"

    @m.action(i=range(n))
    def put_left(s, i):
        require(s.seat[i] == "eating")
        s.fork[i] = True
        s.seat[i] = "leaving"

    @m.action(i=range(n))
    def put_right(s, i):
        require(s.seat[i] == "leaving")
        s.fork[(i + 1) % n] = True
        s.seat[i] = "thinking"

    return m


def token_ring(n=14):
    """Whoever holds the token may enter, or pass it on. 3 * n * 2^(n-1) states."""
    m = Model("token ring", token=0, process=Array(["idle"] * n))

    @m.action(i=range(n))
    def want(s, i):
        require(s.process[i] == "idle")
        s.process[i] = "waiting"

    @m.action(i=range(n))
    def enter(s, i):
        require(s.token == i and s.process[i] == "waiting")
        s.process[i] = "critical"

    @m.action(i=range(n))
    def leave(s, i):
        require(s.process[i] == "critical")
        s.process[i] = "idle"

    @m.action(i=range(n))
    def pass_on(s, i):
        require(s.token == i and s.process[i] != "critical")
        s.token = (i + 1) % n

    return m


def example(name: str) -> Callable[..., Model]:
    """The factory of the same name in examples/."""
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))[name]


def counter_grid(counters=4, top=30):
    """Counters that go up one by one, independently. (top + 1)^counters states."""
    return example("counter_grid")(counters, top)


def stop_and_wait(packets=20, capacity=3):
    """One-stage stop-and-wait over a network that loses and overtakes."""
    return example("stop_and_wait")(packets, capacity)


def communication_protocol(packets=20, capacity=3):
    """The two-stage protocol of paper 4."""
    return example("communication_protocol")(packets, capacity)


def chaos(n=8, values=4):
    """Every action observes every variable: nothing can be tabulated. At most values^n states."""
    m = Model("chaos", cell=Array([0] * n))

    @m.action(i=range(n))
    def stir(s, i):
        mixed = 0
        for cell in s.cell:
            mixed = (mixed * 5 + cell + i + 1) % 9973
        require(mixed % 3)
        s.cell[i] = (s.cell[i] + mixed) % values

    return m


def peterson(n=4):
    """Peterson's filter lock: a process passes level k when it is alone at it or another one came later."""
    m = Model("peterson", level=Array([0] * n), last=Array([-1] * n), place=Array(["away"] * n))

    @m.action(i=range(n))
    def climb(s, i):
        require(s.place[i] == "away" and s.level[i] < n - 1)
        s.level[i] += 1
        s.place[i] = "signing"

    @m.action(i=range(n))
    def sign(s, i):
        require(s.place[i] == "signing")
        s.last[s.level[i]] = i
        s.place[i] = "waiting"

    @m.action(i=range(n))
    def advance(s, i):
        require(s.place[i] == "waiting")
        level = s.level[i]
        require(s.last[level] != i or all(s.level[j] < level for j in range(n) if j != i))
        s.place[i] = "critical" if level == n - 1 else "away"

    @m.action(i=range(n))
    def leave(s, i):
        require(s.place[i] == "critical")
        s.level[i] = 0
        s.place[i] = "away"

    return m


def tiny():
    """Four states: what a check costs before it does anything."""
    m = Model("tiny", n=0)

    @m.action
    def tick(s):
        require(s.n < 3)
        s.n += 1

    m.progress(lambda s: s.n)
    m.invariant("small", lambda s: s.n <= 3)
    return m
