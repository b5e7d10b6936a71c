"""Explore random models with little memory for tables, which are emptied again and again, and compare all they find
with what is found where they never are.

python tests/soak/emptied_tables.py 1000           so many models
python tests/soak/emptied_tables.py 1000 600       for at most so many seconds
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.native.test_workers import answer

from sweepcheck import Limits, check, deadlock, invariant
from sweepcheck.engines.native import description
from sweepcheck.testing.random_models import MEASURES, sources

STRATEGIES = ("full", "full", "sweep", "generalised", "column")


def compare(data: st.DataObject, done: Counter[str]) -> None:
    """One model, with tables that are emptied and with tables that are not."""
    strategy = data.draw(st.sampled_from(STRATEGIES))
    order = (
        data.draw(st.sampled_from([None, "number"])) if strategy == "full" else data.draw(st.sampled_from([*MEASURES]))
    )
    source = data.draw(sources(order, data.draw(st.booleans()), constrained=True))
    limits = Limits(states=data.draw(st.sampled_from((700, 5_000, 20_000))))
    workers = data.draw(st.integers(1, 3))
    bytes_of_tables = data.draw(st.sampled_from((1_000, 5_000, 20_000, 50_000, 200_000, 1_000_000)))
    chosen = {
        "SHARE_AFTER": 0,
        "SHARE_LEAST": 0,
        "BATCH_SIZE": data.draw(st.sampled_from((1, 3, 16, 64))),
        "PATTERNS_AFTER": data.draw(st.sampled_from((1, 4, 32))),
        "COMPARE_ALWAYS": data.draw(st.sampled_from((False, False, True))),
        "DIVIDES_AFTER": data.draw(st.sampled_from((8, 1024))),
        "TICK": 0.0,
    }

    def run(count: int, table_memory: int) -> list[object]:
        case = source.case()
        asked = [invariant("true", case.kit["predicate"]), deadlock()]
        options: dict[str, Any] = {"measure": case.kit["measure"], "strategy": strategy, "limits": limits}
        options |= {"keep_going": True, "engine": "native", "workers": count, "table_memory": table_memory}
        return answer(lambda: check(case.kit["model"], asked, **options))

    with patch.multiple(description, **chosen):
        expected = run(1, 1 << 30)
        if expected and isinstance(expected[0], str):
            return
        for _ in range(2):
            assert run(workers, bytes_of_tables) == expected, (workers, bytes_of_tables, chosen)
    done[f"{strategy}, {workers} workers"] += 1


def main() -> None:
    """So many models, or until time is up."""
    models, seconds = int(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else float("inf")
    done: Counter[str] = Counter()
    end = time.monotonic() + seconds

    @settings(
        max_examples=50,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def some(data: st.DataObject) -> None:
        compare(data, done)

    while done.total() < models and time.monotonic() < end:
        some()
    for kind, count in sorted(done.items()):
        sys.stdout.write(f"{count:6} {kind}\n")
    sys.stdout.write(f"{done.total():6} in all, no difference\n")


if __name__ == "__main__":
    main()
