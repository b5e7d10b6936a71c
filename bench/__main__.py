"""`python -m bench`: the engine against its yardsticks. Prints tables; `--json` and `--markdown` keep them.

python -m bench --quick                        one round, small sizes: does everything still agree?
python -m bench --only saw --rounds 9
python -m bench --sizes saw=64/3,30/4 phil=15  sizes that nobody tuned for
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from bench import machine, questions, spin, startup, tables
from bench.comparison import Comparison, compare
from bench.workloads import FAMILIES, selection
from sweepcheck.planner import ENGINES


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="runs of every program, taking turns (default 5)")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="WHAT", help=f"families or workloads: {', '.join(FAMILIES)}, saw=20/5"
    )
    parser.add_argument(
        "--sizes", nargs="+", default=[], metavar="FAMILY=SIZE,...", help="other sizes: saw=64/3,30/4 phil=15"
    )
    parser.add_argument("--quick", action="store_true", help="one round, small sizes")
    parser.add_argument("--engine", choices=[*ENGINES, "none"], help="the engine to measure; none: yardsticks only")
    parser.add_argument("--no-spin", action="store_true", help="leave SPIN out")
    parser.add_argument("--no-start", action="store_true", help="leave start-up and file-to-verdict times out")
    parser.add_argument(
        "--no-questions", action="store_true", help="leave out what traces and questions about cycles cost"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep every run")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="keep the tables as a document")
    return parser.parse_args()


def main() -> int:
    """Measure, print, keep; 1 if any two programs disagree."""
    asked = arguments()
    notes = []
    engine = asked.engine or ("native" if "native" in ENGINES else "reference")
    if asked.engine is None and engine == "reference":
        notes.append("There is no native engine here: the reference engine is measured, at small sizes.")
    without_spin = "left out" if asked.no_spin else spin.missing()
    if without_spin:
        notes.append(f"SPIN is not measured: {without_spin}.")
    rounds = 1 if asked.quick else asked.rounds
    chosen = selection(asked.only, asked.sizes, small=asked.quick or engine == "reference")
    if engine == "none":
        chosen = [workload for workload in chosen if workload.family.source]
    comparisons: list[Comparison] = []
    for workload in chosen:
        print(f"... {workload.name}", file=sys.stderr, flush=True)
        measured = None if engine == "none" else engine
        comparisons += compare(workload, measured, rounds, with_spin=not without_spin)
    made = [tables.speed(comparisons), tables.memory(comparisons), tables.sweeps(comparisons), tables.nets(comparisons)]
    if not asked.no_start and engine != "none":
        print("... start and verdict", file=sys.stderr, flush=True)
        size = (20, 2) if engine == "reference" else (200, 2)
        verdicts = startup.file_to_verdict(rounds, engine, size, with_spin=not without_spin)
        made.append(tables.tasks([*startup.commands(rounds, engine), *verdicts]))
    costs: list[questions.Costs] = []
    if not asked.no_questions and engine == "native" and not asked.sizes and (not asked.only or "comm" in asked.only):
        print("... questions", file=sys.stderr, flush=True)
        costs = questions.measure(questions.SMALL if asked.quick else questions.SIZES, rounds)
        made.append(tables.questions(costs))
    notes += [f"{one.workload.name} {one.strategy}: {note}" for one in comparisons for note in one.notes]
    wrong = [f"{one.workload.name} {one.strategy}: {what}" for one in comparisons for what in dict.fromkeys(one.wrong)]
    wrong += [what for one in costs for what in one.wrong()]
    facts = {**machine.describe(), "engine": engine, "rounds": str(rounds)}
    made = [table for table in made if table.rows]
    print("\n\n".join(tables.text(table) for table in made))
    print("", ", ".join(f"{key} {value}" for key, value in facts.items()), *notes, sep="\n")
    print(*(f"WRONG: {line}" for line in wrong), sep="\n")
    if asked.json:
        asked.json.write_text(
            json.dumps({"facts": facts, "notes": notes, "wrong": wrong, "runs": runs(comparisons)}, indent=1)
        )
    if asked.markdown:
        heading = ["# Benchmarks", "; ".join(f"{key} {value}" for key, value in facts.items()) + ".", *notes, *wrong]
        asked.markdown.write_text("\n\n".join([*heading, *(tables.markdown(table) for table in made)]) + "\n")
    return 1 if wrong else 0


def runs(comparisons: list[Comparison]) -> list[dict[str, object]]:
    """Every run as plain data."""
    return [
        {
            "workload": one.workload.name,
            "strategy": one.strategy,
            "spin_options": one.spin_options,
            "spin_compile_cpu": one.compile_cpu,
            "reference_size": one.reference_size,
            "runs": {name: [asdict(run) for run in measured] for name, measured in one.runs.items()},
        }
        for one in comparisons
    ]


if __name__ == "__main__":
    sys.exit(main())
