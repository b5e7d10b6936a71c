"""What a question over a wide array costs: `python -m bench.folds`.

Arrays of 20, 40 and 80 elements, of which a few are counted up; and the same model asked for a fold over all of them,
by an invariant, a constraint or an action. CPU seconds, the least of some rounds.
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


def seconds(n: int, most: int, asked: str) -> tuple[float, Any]:
    """CPU time of one run, and its states."""
    made = model(n, most, asked)
    started = time.process_time()
    run = check if made.properties else explore
    states = run(made, engine="native", workers=1).statistics.states
    return time.process_time() - started, states


def main() -> None:
    """Print a row for each question."""
    print(f"{'':12}" + "".join(f"{n:>6} elements" for n, _ in SIZES))
    for asked in ASKED:
        times = [min(seconds(n, most, asked)[0] for _ in range(ROUNDS)) for n, most in SIZES]
        print(f"{asked:12}" + "".join(f"{one:>14.3f}s" for one in times))


if __name__ == "__main__":
    main()
