"""What questions cost on top of a plain sweep: traces, AG EF, AG AF, fairness, the state space report.

Paper 4's protocol and properties, at the largest sizes of its table and one that is thirty times as large. Each way of
asking is a process of its own, and all of them take turns:

python -m bench.questions                      the table, best of five rounds
python -m bench.questions --rounds 1 20/3 possible
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.measuring import Run, best, run_reporting
from bench.models import communication_protocol
from bench.workloads import Size, parse_size
from sweepcheck import Model, Report, always_eventually, always_possible, check, explore, state_space_report

SIZES: tuple[Size, ...] = ((18, 3), (19, 3), (20, 3), (64, 3))
SMALL: tuple[Size, ...] = ((8, 3),)
TARGETS = {"trace": 15, "possible": 35, "eventually": 35}  # at most so many per cent; of the trace, over the same check

Ask = Callable[[Model, int], Report]


def traced(model: Model, _: int) -> Report:
    """A property that holds, with the parent file that its trace would come from."""
    with TemporaryDirectory() as folder:
        return check(model, ["receiver never behind sender"], engine="native", trace_dir=Path(folder))


def untraced(model: Model, _: int) -> Report:
    """The same without the parent file."""
    return check(model, ["receiver never behind sender"], engine="native", trace=False)


def possible(model: Model, packets: int, trace: bool = False) -> Report:
    """P1."""
    asked = always_possible("P1", lambda s: s.receiver > packets)
    return check(model, [asked], engine="native", trace=trace)


def eventually(model: Model, packets: int, fair: tuple[str, ...] = (), trace: bool = False) -> Report:
    """P2."""
    asked = always_eventually("P2", lambda s: s.receiver > packets or len(s.a) > 0)
    return check(model, [asked], engine="native", trace=trace, fair=fair)


def fairly(model: Model, packets: int) -> Report:
    """P2, where no packet or acknowledgement is kept back for ever."""
    return eventually(model, packets, ("receive_packet", "receive_ack"))


# Paper 4's C-Time is "possible" and "eventually", its T-Time the same with a trace, all over a plain sweep.
ASKED: dict[str, Ask] = {
    "plain": lambda model, _: explore(model, engine="native"),
    "untraced": untraced,
    "trace": traced,
    "possible": possible,
    "possible, trace": lambda model, packets: possible(model, packets, trace=True),
    "eventually": eventually,
    "eventually, trace": lambda model, packets: eventually(model, packets, trace=True),
    "fair": fairly,
    "report": lambda model, _: state_space_report(model, engine="native").run,
}


@dataclass(slots=True)
class Costs:
    """The runs of one size, by what was asked."""

    size: Size
    runs: dict[str, list[Run]] = field(default_factory=dict)

    @property
    def found(self) -> dict[str, Any]:
        """What the plain sweep found."""
        return self.runs["plain"][0].found

    def percent(self, asked: str, over: str = "plain") -> float:
        """How much longer it took than the plain sweep or another question, best over best."""
        return 100 * (best(self.runs[asked]).cpu / best(self.runs[over]).cpu - 1)

    def wrong(self) -> list[str]:
        """Whatever did not find the same states and edges."""
        same = ("states", "edges", "peak")
        return [
            f"comm {'/'.join(map(str, self.size))}, {asked}: {[run.found[key] for key in same]}"
            for asked, runs in self.runs.items()
            for run in runs
            if any(run.found[key] != self.found[key] for key in same)
        ]


def measure(sizes: tuple[Size, ...], rounds: int) -> list[Costs]:
    """Every size, every way of asking, in turns."""
    measured = []
    for size in sizes:
        costs = Costs(size)
        for _ in range(rounds):
            for asked in ASKED:
                command = [sys.executable, "-m", "bench.questions", "/".join(map(str, size)), asked]
                costs.runs.setdefault(asked, []).append(run_reporting(command))
        measured.append(costs)
    return measured


def main() -> None:
    """One run: ask, and print what it took. Without a size, all of them: print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("size", type=parse_size, nargs="?")
    parser.add_argument("asked", choices=ASKED, nargs="?", default="plain")
    given = parser.parse_args()
    if given.size is None:
        from bench import tables  # which knows this module

        print(tables.markdown(tables.questions(measure(SIZES, given.rounds))))
        return
    model = communication_protocol(*given.size)
    start = time.process_time()
    report = ASKED[given.asked](model, given.size[0])
    cpu_seconds = time.process_time() - start
    figures = {key: value for key, value in asdict(report.statistics).items() if isinstance(value, int | float | None)}
    print(json.dumps({**figures, "cpu_seconds": cpu_seconds, "verdicts": [v.status for v in report.verdicts]}))


if __name__ == "__main__":
    main()
