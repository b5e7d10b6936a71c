"""What formulas cost on top of a plain sweep: LTL by automata of several shapes, and CTL there and back.

Paper 4's protocol with 5.7 million states. Each way of asking is a process of its own, and all of them take turns:

python -m bench.logic                       the table, best of five rounds
python -m bench.logic --rounds 1 --size 40/3
python -m bench.logic --size 40/3 response  one run
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time

from bench.measuring import Run, best, run_reporting
from bench.models import communication_protocol
from bench.workloads import Size, parse_size
from sweepcheck import Status, check, ctl, explore, ltl

SIZE: Size = (64, 3)
TARGETS = {"LTL": 1.6, "CTL": 3.0}  # at most so many times the plain sweep; LTL where an automaton has two states
ASKED = {
    "response": ("LTL", "G ({s.receiver > 1} -> F {s.receiver > PACKETS or len(s.a) > 0})"),
    "next": ("LTL", "G ({s.receiver > 1} -> X {s.receiver > 1})"),
    "weak until": ("LTL", "{s.receiver <= 5} W {s.receiver > 5}"),
    "recurrence": ("LTL", "G F {s.receiver > PACKETS or len(s.a) > 0}"),
    "reactivity": ("LTL", "G F {len(s.b) > 0} -> G F {len(s.a) > 0 or s.receiver > PACKETS}"),
    "possible": ("CTL", "AG ({s.receiver > 1} -> EF {s.receiver > PACKETS})"),
    "nested": (
        "CTL",
        "AG ({s.receiver > 1} -> (EF {s.receiver > PACKETS} & AF {len(s.a) > 0 or s.receiver > PACKETS}))",
    ),
}
COLUMNS = "{:12} {:5} {:>12} {:>12} {:>8} {:>6} {:>8} {:>8} {:>10}"


def ask(size: Size, name: str) -> dict[str, object]:
    """One run: what it took."""
    model = communication_protocol(*size)
    started = time.process_time()
    if name == "plain":
        report = explore(model, engine="native", workers=1)
    else:
        logic, text = ASKED[name]
        formula = text.replace("PACKETS", str(size[0]))
        asked = ltl(name, formula) if logic == "LTL" else ctl(name, formula)
        report = check(model, [asked], engine="native", workers=1, trace=False)
    cpu = time.process_time() - started
    numbers = report.statistics
    return {
        "cpu_seconds": cpu,
        "states": numbers.explored,
        "edges": numbers.edges,
        "peak": numbers.peak,
        "state_bytes": numbers.state_bytes,
        "edge_bytes": numbers.edge_bytes,
        "resident": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10,
        "holds": all(verdict.status is Status.HOLDS for verdict in report.verdicts),
    }


def measure(size: Size, rounds: int) -> dict[str, list[Run]]:
    """Every way of asking, in turns."""
    runs: dict[str, list[Run]] = {}
    for _ in range(rounds):
        for name in ("plain", *ASKED):
            command = [sys.executable, "-m", "bench.logic", "--size", "/".join(map(str, size)), name]
            runs.setdefault(name, []).append(run_reporting(command))
    return runs


def show(size: Size, runs: dict[str, list[Run]]) -> None:
    """Print a row for each question: times are best over best, MiB those of the process."""
    print(f"communication protocol {'/'.join(map(str, size))}; states are those of the product with the automaton")
    print(COLUMNS.format("asked", "logic", "states", "edges", "CPU s", "times", "target", "RSS MiB", "edges MiB"))
    plain = best(runs["plain"]).cpu
    for name, of in runs.items():
        logic = ASKED[name][0] if name in ASKED else "-"
        run = best(of)
        times = run.cpu / plain
        found = run.found
        reached = f"{TARGETS[logic]} {'yes' if times <= TARGETS[logic] else 'NO'}" if name in ASKED else "-"
        mib = (f"{found[key] / 2**20:.1f}" for key in ("resident", "edge_bytes"))
        count = (f"{found[key]:,}" for key in ("states", "edges"))
        print(COLUMNS.format(name, logic, *count, f"{run.cpu:.3f}", f"{times:.2f}", reached, *mib))


def main() -> None:
    """One run, as JSON; without a question, all of them in turns."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=parse_size, default=SIZE)
    parser.add_argument("asked", choices=("plain", *ASKED), nargs="?")
    given = parser.parse_args()
    if given.asked is None:
        show(given.size, measure(given.size, given.rounds))
    else:
        print(json.dumps(ask(given.size, given.asked)))


if __name__ == "__main__":
    main()
