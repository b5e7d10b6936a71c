"""The subprocess of `bench.cliffs` and `bench.doubling`: one form of a model, built and explored once; prints JSON.

python -m bench.cliffs.probe "bag holding 61" [--size N]

Run by another checkout's Python it takes that checkout's engine, and the models of this one.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict

import sweepcheck
from bench.cliffs.forms import FORMS
from bench.models import tiny
from bench.probe import resident_bytes
from sweepcheck import Stop, explore


def main() -> None:
    """Explore something tiny, so that what a process does once is done; then build, explore, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("form", choices=FORMS)
    parser.add_argument("--size", type=int)
    asked = parser.parse_args()
    form = FORMS[asked.form]
    explore(tiny(), engine="native")
    start = time.process_time()
    model = form.model(form.size if asked.size is None else asked.size)
    built = time.process_time()
    report = explore(model, **{"engine": "native", "strategy": "full", **form.options})
    done = time.process_time()
    figures = {key: value for key, value in asdict(report.statistics).items() if isinstance(value, int | float | None)}
    measured = {
        "cpu_seconds": done - built,
        "build_seconds": built - start,
        "resident_bytes": resident_bytes(),
        "runs": sum(action.evaluations for action in report.actions),
        "engine": report.engine,
        "time_up": report.stop is Stop.SECONDS,
        "package": sweepcheck.__file__,
    }
    print(json.dumps({**figures, **measured}))


if __name__ == "__main__":
    main()
