"""Histories that come with Porcupine: answers, configurations and CPU time.

    python -m bench.histories FOLDER

FOLDER is Porcupine's `test_data`: `jepsen/etcd_*.log` are histories of compare-and-set registers, in which a failing
`cas` is an answer, `kv/*.txt` of key-value stores. Answers of the latter are told by their names.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from sweepcheck.histories import (
    History,
    Linearizability,
    Sequential,
    cas_register,
    key_value,
    linearizable,
    read_history,
)


def timed(history: History, model: Sequential) -> tuple[Linearizability, float]:
    """What came of a history, and the CPU seconds."""
    begin = time.process_time()
    return linearizable(history, model), time.process_time() - begin


def main(folder: Path) -> None:
    """Print a line for all registers together, and one for each store."""
    found = [timed(read_history(path, ["cas"]), cas_register()) for path in sorted(folder.glob("jepsen/*.log"))]
    if found:
        good = sum(bool(one) for one, _ in found)
        most = max(one.configurations for one, _ in found)
        print(f"{len(found)} registers: {good} linearizable, {len(found) - good} not; at most {most:,} configurations;")
        print(
            f"  {sum(spent for _, spent in found):.2f} CPU s together, at most {max(spent for _, spent in found):.3f}"
        )
    for path in sorted(folder.glob("kv/*.txt")):
        one, spent = timed(read_history(path), key_value())
        print(f"{path.name}: {one.status}, {one.configurations:,} configurations, {spent:.2f} CPU s")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
