"""The workloads as a user would write them: plain sweepcheck models. The two-stage protocol is examples/'s own file."""

from __future__ import annotations

import runpy
from pathlib import Path

from sweepcheck import Array, Bag, Model, require

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


def counter_grid(counters=4, top=30):
    """Counters that go up one by one, independently. (top + 1)^counters states."""
    m = Model("counter grid", count=Array([0] * counters))

    @m.action(i=range(counters))
    def tick(s, i):
        require(s.count[i] < top)
        s.count[i] += 1

    m.progress(lambda s: sum(s.count))
    return m


def stop_and_wait(packets=20, capacity=3):
    """One-stage stop-and-wait over a network that loses and overtakes, as in the style guide."""
    m = Model("stop-and-wait", sender=1, receiver=1, data=Bag(), acks=Bag())

    @m.action
    def send(s):
        require(s.sender <= packets and len(s.data) + len(s.acks) < capacity)
        s.data.add(s.sender)

    @m.action
    def receive(s):
        packet = s.data.take()  # any of them: the network overtakes
        if packet == s.receiver:
            s.receiver += 1
        s.acks.add(s.receiver)

    @m.action
    def receive_ack(s):
        s.sender = max(s.sender, s.acks.take())

    @m.action
    def lose_packet(s):
        s.data.take()

    @m.action
    def lose_ack(s):
        s.acks.take()

    m.progress(lambda s: (s.sender, s.receiver))
    m.invariant("never ahead", lambda s: s.receiver - s.sender in (0, 1))
    m.always_possible("all received", lambda s: s.receiver > packets)
    return m


def communication_protocol(packets=20, capacity=3):
    """The two-stage protocol of paper 4: examples/communication_protocol.py."""
    factory = runpy.run_path(str(EXAMPLES / "communication_protocol.py"))["communication_protocol"]
    return factory(packets, capacity)


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
