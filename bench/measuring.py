"""One measured run = one subprocess: its CPU time, and what it printed. CPU time, because machines are
shared; ratios of runs that took turns, because caches and clocks drift."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "bench"


@dataclass(frozen=True, slots=True)
class Run:
    """`cpu` is the exploration's own time where the program tells it, else the whole process's."""

    cpu: float
    process_cpu: float
    found: dict[str, Any]


class RunError(Exception):
    """A measured program did not do what it should; the text says which, and its last words."""


def execute(
    command: Sequence[str | Path], folder: Path = ROOT, environment: Mapping[str, str] | None = None, given: str = ""
) -> tuple[str, float]:
    """Run a program that reads what is given, all of it before it writes: its output, and its CPU seconds."""
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "0", **(environment or {})},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(given)
    process.stdin.close()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        last = "\n".join(output.strip().splitlines()[-5:])
        raise RunError(f"{Path(str(command[0])).name} ended with {process.returncode}: {last}")
    return output, usage.ru_utime + usage.ru_stime


def run_reporting(command: Sequence[str | Path]) -> Run:
    """Run a program whose last line is JSON with `states`, `edges`, `peak` and `cpu_seconds`."""
    output, cpu = execute(command)
    found = json.loads(output.strip().splitlines()[-1])
    return Run(found["cpu_seconds"], cpu, found)


def best(runs: Sequence[Run]) -> Run:
    """The run that took least."""
    return min(runs, key=lambda run: run.cpu)


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times longer one program took than another that took turns with it."""

    best: float
    median: float
    low: float
    high: float


def ratio(runs: Sequence[Run], yardstick: Sequence[Run]) -> Ratio:
    """Best against best; median and range of the pairs."""
    pairs = [one.cpu / other.cpu for one, other in zip(runs, yardstick, strict=True)]
    return Ratio(best(runs).cpu / best(yardstick).cpu, statistics.median(pairs), min(pairs), max(pairs))
