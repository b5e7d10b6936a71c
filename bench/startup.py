"""What a user waits for besides exploration: the command's start, a tiny model, and the way from file to verdict."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from bench import spin
from bench.measuring import RunError, execute
from bench.workloads import FAMILIES, Workload

COMMAND = Path(sys.executable).parent / "sweepcheck"


@dataclass(frozen=True, slots=True)
class Task:
    """CPU seconds of a whole process, best of several; `target` is a number of seconds."""

    name: str
    seconds: float | None
    target: float | None
    note: str = ""


def best_of(rounds: int, command: list[str | Path]) -> tuple[float | None, str]:
    """The least CPU time, or why there is none."""
    try:
        return min(execute(command)[1] for _ in range(rounds)), ""
    except (RunError, OSError) as failure:
        return None, str(failure).splitlines()[-1]


def commands(rounds: int, engine: str) -> list[Task]:
    """The start of the command line, and of a check."""
    version, version_note = best_of(rounds, [COMMAND, "--version"])
    tiny, tiny_note = best_of(rounds, [COMMAND, "check", "bench/models.py:tiny", "--engine", engine, "--quiet"])
    return [
        Task("sweepcheck --version", version, 0.2, version_note),
        Task("check of a model with four states", tiny, 0.6, tiny_note),
    ]


def file_to_verdict(rounds: int, engine: str, size: tuple[int, int], *, with_spin: bool) -> list[Task]:
    """One invariant of stop-and-wait from the model file on; SPIN has to generate and compile first."""
    workload = Workload(FAMILIES["saw"], size)
    parameters = ["-p", f"packets={size[0]}", "-p", f"capacity={size[1]}"]
    options = ["--property", "never ahead", "--engine", engine, "--quiet"]
    asked = [COMMAND, "check", "examples/stop_and_wait.py", *parameters, *options]
    ours, note = best_of(rounds, asked)
    tasks = []
    theirs = None
    if with_spin:
        states = workload.counts.states or 200_000
        verifier = spin.tune(spin.build(workload), states)
        compile_cpu = min(spin.build(workload).compile_cpu for _ in range(rounds))
        theirs = compile_cpu + min(spin.run(verifier).cpu for _ in range(rounds))
        tasks.append(Task(f"SPIN, {workload.name} from file to verdict", theirs, None, f"{compile_cpu:.2f} s compile"))
    return [Task(f"{workload.name} from file to verdict", ours, theirs, note), *tasks]
