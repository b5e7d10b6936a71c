"""SPIN on the generated Promela: build the verifier, find its best settings, run it.

SPIN counts the initial state as a transition, so its transitions are our edges plus one. The table size -w is the best
of several; the depth bound -m is just what the search needs, since SPIN clears that much memory first.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from bench.measuring import BUILD, Run, RunError, execute
from bench.workloads import Workload

FLAGS = ("-O2", "-DSAFETY", "-DNOREDUCE", "-w")


def missing() -> str | None:
    """Why SPIN cannot be measured, if it cannot."""
    absent = [name for name in ("spin", "gcc") if shutil.which(name) is None]
    return f"{' and '.join(absent)} not installed" if absent else None


@dataclass(frozen=True, slots=True)
class Verifier:
    """A compiled verifier with the settings that suit it."""

    program: Path
    options: tuple[str, ...]
    compile_cpu: float


def build(workload: Workload) -> Verifier:
    """Generate and compile, always afresh: the time it takes counts from model file to verdict."""
    assert workload.family.promela is not None
    folder = BUILD / "spin" / workload.name.replace(" ", "-").replace("/", "-")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "model.pml").write_text(workload.family.promela(*workload.size))
    _, generate = execute(["spin", "-a", "model.pml"], folder)
    _, compile_ = execute(["gcc", *FLAGS, "-o", "pan", "pan.c"], folder)
    return Verifier(folder / "pan", ("-w20", "-m100000"), generate + compile_)


def tune(verifier: Verifier, states: int) -> Verifier:
    """The best settings, kept beside the verifiers: finding them takes longer than measuring."""
    kept = BUILD / "spin" / "tuned.json"
    tuned = json.loads(kept.read_text()) if kept.exists() else {}
    model = hashlib.sha256(verifier.program.with_name("model.pml").read_bytes()).hexdigest()
    if model not in tuned:
        tuned[model] = _settings(verifier, states)
        kept.write_text(json.dumps(tuned))
    return Verifier(verifier.program, tuple(tuned[model]), verifier.compile_cpu)


def _settings(verifier: Verifier, states: int) -> tuple[str, ...]:
    """Settle -m by one generous run, then -w by one run each around the number of states."""
    generous = run(Verifier(verifier.program, (f"-w{states.bit_length()}", f"-m{states + 10}"), 0))
    depth = f"-m{generous.found['depth'] + 100}"
    tried = {
        (f"-w{bits}", depth): run(Verifier(verifier.program, (f"-w{bits}", depth), 0)).cpu
        for bits in range(states.bit_length() - 2, states.bit_length() + 3)
    }
    return min(tried, key=lambda options: tried[options])


def run(verifier: Verifier) -> Run:
    """One verification without properties: -E accepts states without successors, -n lists no unreached code."""
    output, cpu = execute([verifier.program, "-E", "-n", *verifier.options], verifier.program.parent)
    found = {
        "states": int(_number(r"(\S+) states, stored", output)),
        "edges": int(_number(r"(\S+) transitions", output)) - 1,
        "depth": int(_number(r"depth reached (\d+)", output)),
        "bytes": int(_number(r"(\S+)\s+total actual memory usage", output) * 2**20),
    }
    if "max search depth too small" in output or "out of memory" in output:
        raise RunError(f"SPIN did not finish with {' '.join(verifier.options)}")
    return Run(cpu, cpu, found)


def _number(pattern: str, output: str) -> float:
    """SPIN prints counts with eight digits: from 10^8 on they are rounded."""
    match = re.search(pattern, output)
    if match is None:
        raise RunError(f"SPIN printed no {pattern!r}")
    return float(match[1])
