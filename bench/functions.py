"""Models whose states are values in one piece: nearly all time goes to their functions, which several threads may run
on a free-threaded Python. Time that passes and CPU time, in turns, and whether all find the same.

python -m bench.functions                                  one worker and two
python -m bench.functions --workers 1 4 --rounds 5 --only pegs gossip
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

from bench.measuring import execute
from bench.tables import Table, number, text
from sweepcheck import Limits, Model, check, choose, require

SAME = ("states", "edges", "explored", "peak", "layers", "runs")
LIMIT = Limits(states=20_000)


def pegs(rows: int = 5) -> Model:
    """Peg solitaire on a triangle."""
    holes = [(row, column) for row in range(rows) for column in range(row + 1)]
    jumps = []
    for row, column in holes:
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)):
            over, to = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if over in holes and to in holes:
                jumps.append(((row, column), over, to))
    m = Model("pegs", board=frozenset(holes) - {(0, 0)})

    @m.action
    def jump(s: Any) -> None:
        board = s.board
        peg, over, to = choose([j for j in jumps if j[0] in board and j[1] in board and j[2] not in board])
        s.board = board - {peg, over} | {to}

    m.invariant("a peg is left", lambda s: len(s.board) > 0)
    return m


def puzzle(rows: int = 5, columns: int = 5) -> Model:
    """The sliding puzzle, with a bound on how far tiles may be from home."""
    home = (*range(1, rows * columns), 0)

    def distance(tiles: tuple[int, ...]) -> int:
        total = 0
        for at, tile in enumerate(tiles):
            row, column = divmod(at, columns)
            to_row, to_column = divmod(home.index(tile), columns)
            total += abs(row - to_row) + abs(column - to_column) if tile else 0
        return total

    m = Model("puzzle", tiles=home)

    @m.action
    def slide(s: Any) -> None:
        tiles = list(s.tiles)
        hole = tiles.index(0)
        row, column = divmod(hole, columns)
        down, right = choose([(-1, 0), (1, 0), (0, -1), (0, 1)])
        require(0 <= row + down < rows and 0 <= column + right < columns)
        other = hole + down * columns + right
        tiles[hole], tiles[other] = tiles[other], tiles[hole]
        require(distance(tuple(tiles)) <= 16)
        s.tiles = tuple(tiles)

    return m


def lru(pages: int = 20, size: int = 16) -> Model:
    """A cache that forgets what was used least recently, and counts hits up to three."""
    m = Model("lru", cache=())

    @m.action(page=range(pages))
    def use(s: Any, page: int) -> None:
        hits = dict(s.cache).get(page, -1)
        others = [(one, count) for one, count in s.cache if one != page]
        s.cache = ((page, min(hits + 1, 3)), *others)[:size]

    m.invariant("each once", lambda s: len({page for page, _ in s.cache}) == len(s.cache))
    return m


def gossip(people: int = 6) -> Model:
    """Who calls whom tells all that is known."""
    m = Model("gossip", known=tuple(frozenset({one}) for one in range(people)))
    pairs = list(combinations(range(people), 2))

    @m.action
    def call(s: Any) -> None:
        first, second = choose(pairs)
        both = s.known[first] | s.known[second]
        require(both != s.known[first] or both != s.known[second])
        s.known = tuple(both if one in (first, second) else known for one, known in enumerate(s.known))

    return m


def heaps(most: int = 13) -> Model:
    """Nim: heaps that are the same but for their order are the same."""
    m = Model("heaps", heaps=(most, most, most - 1, most - 2, most - 3))

    @m.action
    def take(s: Any) -> None:
        at = choose(range(5))
        left = list(s.heaps)
        left[at] -= choose(range(1, left[at] + 1))
        s.heaps = tuple(sorted(left, reverse=True))

    m.invariant("sorted", lambda s: all(one >= other for one, other in zip(s.heaps, s.heaps[1:], strict=False)))
    return m


def sand(size: int = 8, most: int = 12) -> Model:
    """Grains fall on a table, and piles of four topple: one long function."""
    m = Model("sand", table=(3,) * (size * size), fallen=0)
    near = [
        [at + step for step, inside in ((-size, at >= size), (size, at < size * (size - 1))) if inside]
        + [at + step for step, inside in ((-1, at % size > 0), (1, at % size < size - 1)) if inside]
        for at in range(size * size)
    ]

    @m.action
    def drop(s: Any) -> None:
        require(s.fallen < most)
        table = list(s.table)
        unstable = [choose(range(size * size))]
        table[unstable[0]] += 1
        while unstable:
            at = unstable.pop()
            if table[at] < 4:
                continue
            table[at] -= 4
            for other in near[at]:
                table[other] += 1
                unstable.append(other)
        s.table = tuple(table)
        s.fallen += 1

    m.invariant("stable", lambda s: max(s.table) < 4)
    return m


MODELS: dict[str, Callable[[], Model]] = {made.__name__: made for made in (pegs, puzzle, lru, gossip, heaps, sand)}


def run_here(name: str, workers: int) -> dict[str, Any]:
    """What one run finds, and what it takes; the first one compiles much, and warms caches."""
    best: dict[str, Any] = {}
    for _ in range(3):
        model = MODELS[name]()
        start, cpu = time.perf_counter(), time.process_time()
        report = check(model, limits=LIMIT, workers=workers)
        numbers = report.statistics
        found = {
            **{one: getattr(numbers, one) for one in SAME[:-1]},
            "runs": sum(action.evaluations for action in report.outcome.actions),
            "cpu": time.process_time() - cpu,
            "seconds": time.perf_counter() - start,
            "in_functions": numbers.model_seconds,
        }
        best = min(best or found, found, key=lambda one: one["seconds"])
    return best


def compare(name: str, counts: list[int], rounds: int) -> tuple[list[tuple[str, ...]], bool]:
    """The rows of a model, and whether all runs found the same."""
    best: dict[int, dict[str, Any]] = {}
    same = True
    for _ in range(rounds):
        for workers in counts:
            command = [sys.executable, "-m", "bench.functions", "--run", name, str(workers)]
            found = json.loads(execute(command)[0].strip().splitlines()[-1])
            same &= all(found[one] == best.get(counts[0], found)[one] for one in SAME)
            best[workers] = min(best.get(workers, found), found, key=lambda one: one["seconds"])
    alone = best[counts[0]]
    each = 1e6 * alone["in_functions"] / alone["runs"]
    rows = [
        (
            name,
            f"{found['states']:,}",
            f"{found['runs']:,}",
            number(each, ".1f"),
            str(workers),
            number(found["seconds"], ".3f"),
            number(found["cpu"], ".3f"),
            number(alone["seconds"] / found["seconds"], ".2f"),
        )
        for workers, found in best.items()
    ]
    return rows, same


def main() -> None:
    """Measure, print, and end with 1 if some numbers differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=list(MODELS), choices=list(MODELS), metavar="MODEL")
    parser.add_argument("--run", nargs=2, metavar=("MODEL", "WORKERS"), help="one model, here; what it takes as JSON")
    asked = parser.parse_args()
    if asked.run:
        print(json.dumps(run_here(asked.run[0], int(asked.run[1]))))
        return
    rows: list[tuple[str, ...]] = []
    same = True
    for name in asked.only:
        more, alike = compare(name, asked.workers, asked.rounds)
        rows += more
        same &= alike
    header = ("model", "states", "runs", "µs a run", "workers", "seconds", "CPU", "times faster")
    print(text(Table("Functions", header, rows, "seconds: time that passed, best run; times faster: than the first.")))
    if not same:
        sys.exit("bench: the numbers differ")


if __name__ == "__main__":
    main()
