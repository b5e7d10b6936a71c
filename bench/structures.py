"""Structured variables against the same models written with plain arrays: `python -m bench.structures`.

The same states and edges, and CPU time as a ratio: the smaller of several runs of each, taken in turns. Below them, how
many starting states a function gives in a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from bench.cliffs.processes import bakery, bakery_by_hand, filter_lock, filter_lock_by_hand
from sweepcheck import Array, Model, Queue, Record, Set, choose, explore, require

ROUNDS = 5


def flags(n: int, structured: bool) -> Model:
    """Messages that stay once they are sent: a set, or an array of booleans."""
    m = Model("flags", sent=Set() if structured else Array([False] * n), seen=Array([0] * n))

    @m.action(i=range(n))
    def send(s: Any, i: int) -> None:
        require(i == 0 or s.seen[i - 1] > 0)
        if structured:
            require(i not in s.sent)
            s.sent.add(i)
        else:
            require(not s.sent[i])
            s.sent[i] = True

    @m.action(i=range(n))
    def receive(s: Any, i: int) -> None:
        require(i in s.sent if structured else s.sent[i])
        require(s.seen[i] < 2)
        s.seen[i] += 1

    @m.action(i=range(n))
    def forget(s: Any, i: int) -> None:
        require(s.seen[i] == 2)
        s.seen[i] = 1
        if structured:
            s.sent.discard((i + 1) % n)
        else:
            s.sent[(i + 1) % n] = False

    return m


def nodes(n: int, structured: bool) -> Model:
    """A token that is handed on by nodes with three variables each: records, or parallel arrays."""
    variables: dict[str, Any] = {"pc": Array(["idle"] * n), "nr": Array([0] * n), "on": Array([True] * n)}
    if structured:
        variables = {"node": Array(Record(pc="idle", nr=0, on=True), shape=n)}
    m = Model("nodes", token=0, **variables)

    @m.action(i=range(n))
    def want(s: Any, i: int) -> None:
        if structured:
            node = s.node[i]
            require(node.pc == "idle" and node.on)
            node.pc = "want"
        else:
            require(s.pc[i] == "idle" and s.on[i])
            s.pc[i] = "want"

    @m.action(i=range(n))
    def enter(s: Any, i: int) -> None:
        require(s.token == i)
        if structured:
            node = s.node[i]
            require(node.pc == "want")
            node.pc, node.nr = "idle", (node.nr + 1) % 3
        else:
            require(s.pc[i] == "want")
            s.pc[i], s.nr[i] = "idle", (s.nr[i] + 1) % 3
        s.token = (i + 1) % n

    @m.action(i=range(n))
    def switch(s: Any, i: int) -> None:
        if structured:
            require(s.node[i].nr == 2)
            s.node[i].on = not s.node[i].on
        else:
            require(s.nr[i] == 2)
            s.on[i] = not s.on[i]

    return m


def requests(n: int, structured: bool) -> Model:
    """Who waits for whom: an array of n rows, or one of n * n elements."""
    m = Model("requests", wait=Array(0, shape=(n, n)) if structured else Array([0] * (n * n)))

    @m.action(p=range(n), q=range(n))
    def ask(s: Any, p: int, q: int) -> None:
        require(p != q)
        if structured:
            require(s.wait[p, q] == 0 and s.wait[q, p] < 2)
            s.wait[p, q] = 1
        else:
            require(s.wait[p * n + q] == 0 and s.wait[q * n + p] < 2)
            s.wait[p * n + q] = 1

    @m.action(p=range(n), q=range(n))
    def grant(s: Any, p: int, q: int) -> None:
        if structured:
            require(s.wait[p, q] == 1)
            s.wait[p, q] = 2
        else:
            require(s.wait[p * n + q] == 1)
            s.wait[p * n + q] = 2

    return m


def channels(n: int, structured: bool) -> Model:
    """A channel for each pair: an array of queues, or variables by name."""
    names = {f"c{p}{q}": Queue(capacity=1) for p in range(n) for q in range(n)}
    variables: dict[str, Any] = {"net": Array(Queue(capacity=1), shape=(n, n))} if structured else names
    m = Model("channels", at=Array([0] * n), **variables)

    @m.action(p=range(n), q=range(n))
    def send(s: Any, p: int, q: int) -> None:
        require(p != q)
        channel = s.net[p, q] if structured else getattr(s, f"c{p}{q}")
        channel.put(s.at[p])

    @m.action(p=range(n), q=range(n))
    def receive(s: Any, p: int, q: int) -> None:
        channel = s.net[q, p] if structured else getattr(s, f"c{q}{p}")
        s.at[p] = max(s.at[p], min(channel.get() + 1, 2))

    return m


def starts(n: int, choices: int) -> Model:
    """So many variables, each of which begins with any of n values."""
    m = Model("starts", **{f"v{i}": 0 for i in range(choices)})

    @m.start
    def anything(s: Any) -> None:
        for i in range(choices):
            setattr(s, f"v{i}", choose(range(n)))

    return m


def levels(n: int, condition: str) -> Model:
    """Nine elements, each of which begins with any of n values, and a condition on all of them."""
    m = Model("levels", level=Array([0] * 9))

    @m.start
    def anything(s: Any) -> None:
        for i in range(9):
            s.level[i] = choose(range(n))
        if condition == "even in sum":
            require(sum(s.level) % 2 == 0)
        elif condition == "unlike neighbours":
            require(all(s.level[i] != s.level[i + 1] for i in range(8)))

    return m


def subsets(n: int, condition: str) -> Model:
    """A set that begins with any of n elements, each of which is there or not."""
    m = Model("subsets", chosen=Set())

    @m.start
    def anything(s: Any) -> None:
        for i in range(n):
            if choose(True, False):
                s.chosen.add(i)
        if condition == "half of them":
            require(len(s.chosen) == n // 2)

    return m


def named(n: int) -> Model:
    """Two choices that have names, and are compared."""
    m = Model("named", x=0, y=0)

    @m.start
    def apart(s: Any) -> None:
        x = choose(range(n))
        y = choose(range(n))
        require(x != y)
        s.x, s.y = x, y

    return m


def locks(n: int, structured: bool) -> Model:
    """Peterson's algorithm for n processes, and the same with a program counter by hand."""
    return filter_lock(n) if structured else filter_lock_by_hand(n)


def tickets(n: int, structured: bool) -> Model:
    """The bakery algorithm in the same two ways."""
    return bakery(n) if structured else bakery_by_hand(n)


CASES: tuple[tuple[str, Callable[[int, bool], Model], int], ...] = (
    ("sets against arrays of booleans", flags, 11),
    ("records against parallel arrays", nodes, 7),
    ("shaped arrays against flat ones", requests, 4),
    ("arrays of queues against names", channels, 3),
    ("processes against a program counter", locks, 6),
    ("processes against one, a bakery", tickets, 4),
)


def seconds(make: Callable[[int, bool], Model], size: int, structured: bool) -> tuple[float, tuple[Any, int]]:
    """CPU time of one run, and its numbers."""
    model = make(size, structured)
    started = time.process_time()
    numbers = explore(model, engine="native", workers=1).statistics
    return time.process_time() - started, (numbers.states, numbers.edges)


def listing(model: Model) -> float:
    """CPU time to list the starting states."""
    started = time.process_time()
    model.initial_states()
    return time.process_time() - started


def main() -> None:
    """Print a row for each pair."""
    print(f"{'':35} {'states':>10} {'edges':>10} {'structured':>11} {'by hand':>9} {'ratio':>6}")
    for name, make, size in CASES:
        times: dict[bool, list[float]] = {True: [], False: []}
        numbers: set[tuple[Any, int]] = set()
        for _ in range(ROUNDS):
            for structured, taken in times.items():
                one, found = seconds(make, size, structured)
                taken.append(one)
                numbers.add(found)
        assert len(numbers) == 1, f"{name}: {numbers}"
        ((states, edges),) = numbers
        best = {structured: min(taken) for structured, taken in times.items()}
        ratio = best[True] / best[False]
        print(f"{name:35} {states:>10,} {edges:>10,} {best[True]:>10.3f}s {best[False]:>8.3f}s {ratio:>6.2f}")
    for n, choices in ((160_000, 1), (400, 2), (20, 4)):
        least = min(listing(starts(n, choices)) for _ in range(ROUNDS))
        print(f"starting states, {choices} choices each{'':8} {n**choices:>10,} {n**choices / least:>10,.0f} a second")
    conditions = [(f"9, {one}", levels, (4, one)) for one in ("any", "even in sum", "unlike neighbours")]
    sets = [(f"a set, {one}", subsets, (16, one)) for one in ("any", "half of them")]
    for name, make, given in (("2 with names, apart", named, (400,)), *conditions, *sets):
        runs = [(model, listing(model)) for model in (make(*given) for _ in range(ROUNDS))]
        found, least = len(runs[0][0].initial_states()), min(taken for _, taken in runs)
        print(f"starting states, {name:18} {found:>10,} {found / least:>10,.0f} a second")


if __name__ == "__main__":
    main()
