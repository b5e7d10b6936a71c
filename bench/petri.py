"""Place/transition nets against a hand-written explorer with packed words and filed transitions.

python -m bench.petri                          CPU time as a ratio, and bytes per state
python -m bench.petri --before ../other        the same with the engine of another checkout beside it
python -m bench.petri --rounds 5 --only kanban views
python -m bench.petri net.txt                  a net in the format of bench/cpp/petri.cpp
python -m bench.petri net.pnml                 a PNML file, which both read
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from pathlib import Path

from bench.ceiling import FLAGS, SOURCES
from bench.counted import NETS
from bench.measuring import BUILD, ROOT, Run, RunError, best, execute
from bench.tables import Table, text
from sweepcheck import load
from sweepcheck.core.counting import ArcKind
from sweepcheck.core.counting import rows as rows_of


def build() -> Path:
    """The hand-written program; one for nets of any size."""
    program, source = BUILD / "cpp" / "petri", SOURCES / "petri.cpp"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        program.parent.mkdir(parents=True, exist_ok=True)
        execute([os.environ.get("CXX", "g++"), *FLAGS, source, "-o", program])
    return program


def run(command: list[str | Path], net: str) -> Run:
    """One exploration of a net."""
    output, cpu = execute(command, given=net)
    found = json.loads(output.strip().splitlines()[-1])
    return Run(found["cpu_seconds"], cpu, found)


def written(path: Path) -> str:
    """A PNML file as the hand-written program reads it."""
    net = load(path).count_net()
    assert net is not None
    signs = {ArcKind.TAKE: "-", ArcKind.PUT: "+", ArcKind.INHIBIT: "!", ArcKind.RESET: "0"}
    transitions: list[list[str]] = [["t"] for _ in net.actions]
    for transition, kind, place, count in rows_of(net.arcs):
        weight = "" if kind == ArcKind.RESET else f"*{count}"
        transitions[transition].append(f"{signs[ArcKind(kind)]}{place}{weight}")
    marked = [f"m {place} {count}" for place, count in enumerate(net.initial) if count]
    return "\n".join([f"places {len(net.places)}", *marked, *map(" ".join, transitions), ""])


def compare(path: Path, net: str, programs: dict[str, list[str | Path]], rounds: int) -> tuple[str, ...]:
    """A row: all programs take turns, and must agree."""
    name = path.parent.name if path.stem == "model" else path.stem
    if path.suffix == ".pnml":
        reader = programs["hand"]
        programs = {one: [*command, *([path] if one != "hand" else [])] for one, command in programs.items()}
    runs: dict[str, list[Run]] = {program: [] for program in programs}
    reading = math.inf
    for _ in range(rounds):
        for program, command in programs.items():
            runs[program].append(run(command, "" if path in command else net))
        if path.suffix == ".pnml":  # it explores what `written` leaves of a net, and reads it as it is
            reading = min(reading, run([*reader, path], "").cpu)
    least = {program: best(done) for program, done in runs.items()}
    counts = {(one.found["states"], one.found["edges"]) for one in least.values()}
    if len(counts) > 1:
        raise RunError(f"{name}: the programs do not agree: {sorted(counts)}")
    hand = least["hand"]
    states, edges = hand.found["states"], hand.found["edges"]
    row = [name, f"{net.count(chr(10) + 't ')}", f"{states:,}", f"{edges:,}", f"{edges / hand.cpu / 1e6:.1f}"]
    for program in list(programs)[1:]:
        one = least[program]
        loading = one.found.get("loading", 0.0)  # an older checkout does not say
        row += [f"{edges / one.cpu / 1e6:.1f}", f"{one.cpu / hand.cpu:.2f}", f"{(one.cpu - loading) / hand.cpu:.2f}"]
        row.append(f"{one.cpu / (hand.cpu + reading):.2f}" if path.suffix == ".pnml" else "-")
        row.append(f"{one.found['bytes'] / states:.0f}")
    return (*row, f"{hand.found['bytes'] / states:.0f}")


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="bench.petri", description=__doc__.splitlines()[0])
    parser.add_argument("nets", nargs="*", type=Path, help="files instead of the nets of this project")
    parser.add_argument("--before", type=Path, help="another checkout")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=NETS, default=list(NETS))
    given = parser.parse_args(arguments)
    programs: dict[str, list[str | Path]] = {"hand": [build()]}
    if given.before:
        programs["before"] = [given.before.resolve() / ".venv/bin/python", ROOT / "bench/counted.py"]
    programs["here"] = [sys.executable, ROOT / "bench/counted.py"]
    nets = {path: path.read_text() for path in given.nets if path.suffix != ".pnml"}
    nets |= {path: written(path) for path in given.nets if path.suffix == ".pnml"}
    nets = nets or {Path(name): NETS[name]().as_text() for name in given.only}
    rows = [compare(path, net, programs, given.rounds) for path, net in nets.items()]
    columns = [
        f"{program} {what}"
        for program in list(programs)[1:]
        for what in ("M edges/s", "CPU ratio", "unread", "both read", "B/state")
    ]
    header = ("net", "transitions", "states", "edges", "hand M edges/s", *columns, "hand B/state")
    print(
        text(
            Table(
                "Place/transition nets",
                header,
                rows,
                "CPU ratio = time over that of the hand-written program's exploration, best over best;\n"
                "unread = without reading a file; both read = both times with it",
            )
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
