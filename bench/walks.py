"""Random walks: steps a second, with several workers, in turns, and whether they find the same.

python -m bench.walks                       1 and 2 workers
python -m bench.walks --workers 1 4 16 --rounds 5
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from bench.tables import Table, number, text
from sweepcheck import load, random_walks

EXAMPLES = Path(__file__).parents[1] / "examples"
# A file, its parameters, walks and their depth. None of them finds anything, so that all walks are made.
CASES: tuple[tuple[str, dict[str, Any], int, int], ...] = (
    ("peterson.py", {}, 20_000, 200),
    ("stop_and_wait.py", {"packets": 50, "capacity": 5}, 20_000, 200),
    ("dining_philosophers.py", {"n": 10, "left_handed": True}, 10_000, 200),
    ("token_ring.py", {"n": 20}, 10_000, 200),
    ("stop_and_wait_net.py", {"packets": 50}, 10_000, 200),
)


def rows_of(case: tuple[str, dict[str, Any], int, int], counts: list[int], rounds: int) -> list[tuple[str, ...]]:
    """The best time of each number of workers. It ends here if they do not find the same."""
    name, parameters, walks, depth = case
    best: dict[int, float] = {}
    found = set()
    for _ in range(rounds):
        for workers in counts:
            model = load(str(EXAMPLES / name), parameters)
            walked = random_walks(model, walks=walks, depth=depth, seed=1, workers=workers, engine="native").walked
            found.add((walked.walks, walked.steps, walked.distinct, walked.dead_ends))
            best[workers] = min(walked.seconds, best.get(workers, walked.seconds))
    if len(found) != 1:
        sys.exit(f"bench: the numbers differ, {name}: {found}")
    _, steps, distinct, _ = found.pop()
    return [
        (
            name,
            f"{steps:,}",
            f"{distinct:,}",
            str(workers),
            number(seconds, ".2f"),
            f"{steps / seconds:,.0f}",
            number(best[counts[0]] / seconds, ".2f"),
        )
        for workers, seconds in best.items()
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    rows = [row for case in CASES for row in rows_of(case, asked.workers, asked.rounds)]
    header = ("model", "steps", "distinct states", "workers", "seconds", "steps/s", "times faster")
    note = "seconds: time that passed, best run; times faster: than the first."
    print(text(Table("Random walks", header, rows, note)))


if __name__ == "__main__":
    main()
