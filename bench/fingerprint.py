"""The subprocess of `bench.moves`: one case with the engine of one checkout; prints what it took and found, as JSON.

python bench/fingerprint.py "saw 200/2"            timed, without traces
python bench/fingerprint.py "saw 200/2" --trace    every number, and hashes of the parent file and the traces

It runs in other checkouts too, by its path: it knows no name of the project but those that models and users need.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sweepcheck
from bench import models, nets
from sweepcheck import (
    StateSpaceReport,
    always_eventually,
    always_possible,
    check,
    deadlock,
    invariant,
    load,
    reachable,
    state_space_report,
)

ROOT = Path(models.__file__).parent.parent  # of the checkout that runs, which need not be the one of this file
# These differ from run to run, or with the number of workers.
CLOCKS = ("seconds", "model_seconds", "rewrite_seconds", "memory_bytes")
CLOCKS += ("workers", "working", "waiting", "in_python", "scratch_bytes")


@dataclass(frozen=True, slots=True)
class Case:
    """A system, what is asked of it, and how. Where `timed` is false, one run shows that nothing changed."""

    model: Callable[[], Any]
    properties: tuple[Any, ...] | None = None  # None: those that it declares
    options: dict[str, Any] | None = None
    timed: bool = False
    survey: bool = False  # a state space report instead of properties


def example(name: str, **parameters: int) -> Any:
    """A model of the checkout's examples/."""
    return load(str(ROOT / "examples" / name), parameters)


def stopped(packets: int) -> Any:
    """A state near the end of stop-and-wait, so that its trace is long."""
    return reachable("all received", lambda s: s.receiver > packets)


def received(packets: int) -> Any:
    """Paper 4's P1."""
    return always_possible("P1", lambda s: s.receiver > packets)


def acknowledged() -> Any:
    """Paper 4's P3, which does not hold: its trace is a lasso."""
    return always_eventually("P3", lambda s: len(s.c) > 0)


def sent(packets: int) -> Any:
    """Paper 4's P2."""
    return always_eventually("P2", lambda s: s.receiver > packets or len(s.a) > 0)


def last(n: int) -> Any:
    """A state of the ring that is found late."""
    return invariant("the last one waits", lambda s: s.token < n - 1 or s.process[n - 1] != "critical")


COMM_64 = partial(models.communication_protocol, 64, 3)
COMM_12 = partial(models.communication_protocol, 12, 3)
SAW_12 = partial(models.stop_and_wait, 12, 3)
RING_9 = partial(models.token_ring, 9)
BACK = {"measure": "token", "strategy": "generalised"}  # the token comes round: steps back, and several sweeps

ENDLESS = invariant("the run goes on to its end", lambda _: True)  # it would stop when all is decided

CASES = {
    "phil 14": Case(partial(models.philosophers, 14), (deadlock(),), timed=True),
    "ring 16": Case(partial(models.token_ring, 16), (last(16),), timed=True),
    "saw 100/3": Case(partial(models.stop_and_wait, 100, 3), (stopped(100),), {"strategy": "sweep"}, timed=True),
    "saw 200/2": Case(partial(models.stop_and_wait, 200, 2), (stopped(200),), {"strategy": "sweep"}, timed=True),
    "saw 100/3 generalised": Case(partial(models.stop_and_wait, 100, 3), (stopped(100),), timed=True),
    "comm 64/3": Case(COMM_64, ("receiver never behind sender",), {"strategy": "sweep"}, timed=True),
    "comm 64/3 possible": Case(COMM_64, (received(64),), timed=True),
    "comm 64/3 eventually": Case(COMM_64, (sent(64), acknowledged()), timed=True),
    "commit 9 column": Case(
        partial(example, "two_phase_commit.psl", n=9), (deadlock(),), {"strategy": "column"}, timed=True
    ),
    "commit 6 default": Case(partial(example, "two_phase_commit.psl", n=6), ("everybody commits", "change of mind")),
    "master 10 default": Case(partial(example, "master_slave_free.psl", jobs=10), (deadlock(),)),
    "caching 5000": Case(RING_9, (last(9),), {"strategy": "caching", "cache_size": 5000}),
    "caching 50": Case(partial(models.stop_and_wait, 4, 2), (stopped(4),), {"strategy": "caching", "cache_size": 50}),
    "caching 0": Case(partial(models.counter_grid, 3, 4), (deadlock(),), {"strategy": "caching", "cache_size": 0}),
    "ring 9 generalised": Case(RING_9, (last(9),), BACK),
    "ring 9 every 500": Case(RING_9, (last(9),), {**BACK, "gc": 500}),
    "ring 9 auto": Case(RING_9, (last(9),), {**BACK, "gc": "auto"}),
    "window default": Case(partial(example, "sliding_window.py")),
    "beolink default": Case(partial(example, "beolink.py")),
    "saw 12/3 every 100": Case(SAW_12, (stopped(12),), {"strategy": "sweep", "gc": 100}),
    "comm 12/3 fair": Case(COMM_12, (acknowledged(),), {"fair": ["receive_packet", "receive_ack"]}),
    "comm 12/3 full": Case(COMM_12, (received(12), sent(12), acknowledged()), {"strategy": "full"}),
    "comm 12/3 survey": Case(COMM_12, survey=True),
    "ring 9 survey": Case(RING_9, survey=True),
    "timed default": Case(partial(example, "timed_protocol.py")),
    "comm net 12/3": Case(partial(nets.communication_protocol, 12, 3)),
    "peterson 4": Case(partial(models.peterson, 4), (deadlock(),)),
    "chaos 6/4": Case(partial(models.chaos, 6, 4), (deadlock(),)),
}


def sha(data: object) -> str:
    """Enough of the hash to tell."""
    told = data if isinstance(data, bytes) else json.dumps(data, sort_keys=True, default=repr).encode()
    return hashlib.sha256(told).hexdigest()[:16]


def ask(case: Case, folder: Path | None) -> tuple[float, Any]:
    """The CPU time of the exploration, and its report. A run that is timed goes to the end and keeps no traces."""
    model, options = case.model(), case.options or {}
    properties = None if case.properties is None else [*case.properties, ENDLESS]
    traces: dict[str, Any] = {"trace": False} if folder is None else {"trace_dir": folder}
    start = time.process_time()
    if case.survey:
        report: Any = state_space_report(model, engine="native", **options)
    else:
        report = check(model, properties, engine="native", keep_going=True, **options, **traces)
    return time.process_time() - start, report


def fingerprint(report: Any) -> dict[str, Any]:
    """Every number and hash that a pure move leaves as it is."""
    if isinstance(report, StateSpaceReport):
        told = report.to_json()
        surveyed = [told[key] for key in ("bounds", "components", "dead", "behaviour")]
        return {**fingerprint(report.run), "survey": sha(surveyed)}
    told = report.to_json()
    actions = [{key: value for key, value in one.items() if key != "seconds"} for one in told["actions"]]
    found = {key: value for key, value in asdict(report.statistics).items() if key not in CLOCKS}
    found |= {
        "bytes_per_state": report.bytes_per_state,
        "verdicts": " ".join(verdict.status for verdict in report.verdicts),
        "profile": sha([(repr(layer.progress), layer.states, layer.stored) for layer in report.profile]),
        "actions": sha(actions),
    }
    if report.trace_file is not None:
        found |= {"parents": sha(report.trace_file.read_bytes()), "traces": sha(told["verdicts"])}
    return found


def main() -> None:
    """Run one case, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=CASES)
    parser.add_argument("--trace", action="store_true")
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        cpu_seconds, report = ask(CASES[asked.case], Path(folder) if asked.trace else None)
        found = fingerprint(report)
    print(json.dumps({**found, "cpu_seconds": cpu_seconds, "package": sweepcheck.__file__}))


if __name__ == "__main__":
    main()
