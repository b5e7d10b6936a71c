"""What a question over a wide array costs: `python -m bench.folds`.

Arrays of 20, 40 and 80 elements, of which a few are counted up; and the same model asked for a fold over all of them,
by an invariant, a constraint or an action. CPU seconds, the least of some rounds. Below them, one run each: actions
that change an element before they ask about all, and invariants about every column of an array.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from sweepcheck import Array, Model, check, explore, require

ROUNDS = 3
SIZES = ((20, 5), (40, 4), (80, 3))  # elements, and how often one is counted up
ASKED: dict[str, Callable[[Model, int], object]] = {
    "nothing": lambda *_: None,
    "sum": lambda m, _: m.invariant("asked", lambda s: sum(s.a) == s.k),
    "max": lambda m, n: m.invariant("asked", lambda s: max(s.a) <= n),
    "any": lambda m, n: m.invariant("asked", lambda s: not any(x > n for x in s.a)),
    "count": lambda m, n: m.invariant("asked", lambda s: s.a.count(0) <= n),
    "constraint": lambda m, n: m.constraint(lambda s: sum(s.a) <= n),
    "action": lambda m, _: m.action(_audit),
}


def _audit(s: Any) -> None:
    require(sum(s.a) > 99)
    s.k = 0


def model(n: int, most: int, asked: str) -> Model:
    """An array of `n`, counted up so often at `most`."""
    m = Model("wide", a=Array([0] * n), k=0)

    @m.action(i=range(n))
    def count(s: Any, i: int) -> None:
        require(s.k < most)
        s.a[i] += 1
        s.k += 1

    ASKED[asked](m, n)
    return m


def capped(n: int) -> Model:
    """Numbers that are counted up before it is asked what all of them come to."""
    m = Model("capped", a=Array([0] * n))

    @m.action(i=range(n))
    def count(s: Any, i: int) -> None:
        s.a[i] += 1
        require(sum(s.a) <= 20 and s.a[i] <= 4 and max(s.a) - min(s.a) <= 3)

    return m


def lines(n: int, caches: int = 5) -> Model:
    """Lines of memory of which each cache has a copy, or not; who writes has the only one."""
    m = Model("lines", copy=Array("invalid", shape=(caches, n)))

    @m.action(c=range(caches), line=range(n))
    def read(s: Any, c: int, line: int) -> None:
        require(s.copy[c, line] == "invalid")
        others = [other for other in range(caches) if s.copy[other, line] != "invalid"]
        for other in others:
            s.copy[other, line] = "shared"
        s.copy[c, line] = "shared" if others else "exclusive"

    @m.action(c=range(caches), line=range(n))
    def write(s: Any, c: int, line: int) -> None:
        for other in range(caches):
            s.copy[other, line] = "modified" if other == c else "invalid"

    @m.action(c=range(caches), line=range(n))
    def evict(s: Any, c: int, line: int) -> None:
        require(s.copy[c, line] != "invalid")
        s.copy[c, line] = "invalid"

    alone = ("modified", "exclusive")
    everywhere = range(caches)
    m.invariant("one writer", lambda s: all(sum(s.copy[c, k] in alone for c in everywhere) <= 1 for k in range(n)))
    m.invariant(
        "no other copy",
        lambda s: all(
            all(s.copy[c, k] not in alone for c in everywhere)
            or sum(s.copy[c, k] != "invalid" for c in everywhere) == 1
            for k in range(n)
        ),
    )
    return m


def seconds_of(made: Model) -> tuple[float, Any]:
    """CPU time of one run, and its states."""
    started = time.process_time()
    run = check if made.properties else explore
    states = run(made, engine="native", workers=1).statistics.states
    return time.process_time() - started, states


def seconds(n: int, most: int, asked: str) -> tuple[float, Any]:
    """The same of a model of the table."""
    return seconds_of(model(n, most, asked))


def main() -> None:
    """Print a row for each question."""
    print(f"{'':12}" + "".join(f"{n:>6} elements" for n, _ in SIZES))
    for asked in ASKED:
        times = [min(seconds(n, most, asked)[0] for _ in range(ROUNDS)) for n, most in SIZES]
        print(f"{asked:12}" + "".join(f"{one:>14.3f}s" for one in times))
    print()
    for make, sizes in ((capped, (7, 8, 9)), (lines, (2, 3, 4))):
        for n in sizes:
            took, states = seconds_of(make(n))
            print(f"{make.__name__:8}{n:>3}{states:>12,} states{took:>10.3f}s{states / took:>14,.0f} states/s")


if __name__ == "__main__":
    main()
