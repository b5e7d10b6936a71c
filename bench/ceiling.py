"""The hand-written C++ programs of bench/cpp: build one for a size, run it."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from bench.measuring import BUILD, Run, execute, run_reporting
from bench.workloads import Workload

SOURCES = Path(__file__).parent / "cpp"
FLAGS = ("-std=c++20", "-O3")


def build(workload: Workload) -> Path:
    """The program for a workload; sizes are constants in it, as a person would write it for one."""
    family = workload.family
    macros = [f"-D{name}={value}" for name, value in zip(family.macros, workload.size, strict=True)]
    digest = hashlib.sha256(" ".join([*FLAGS, *macros]).encode())
    for source in sorted(SOURCES.iterdir()):
        digest.update(source.read_bytes())
    program = BUILD / "cpp" / f"{family.source}-{digest.hexdigest()[:12]}"
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        execute([os.environ.get("CXX", "g++"), *FLAGS, *macros, SOURCES / f"{family.source}.cpp", "-o", program])
    return program


def run(program: Path, strategy: str) -> Run:
    """One exploration."""
    return run_reporting([program, strategy])
