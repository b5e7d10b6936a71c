"""Runs of forms in one checkout or another: each in a process of its own, and only as often as there is time for."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path

from bench.ceiling import FLAGS, SOURCES
from bench.cliffs.rows import Row
from bench.measuring import BUILD, ROOT, Run, RunError, execute
from bench.wide import Wiring

ENOUGH = 8.0  # CPU seconds: a form that has taken so long takes no more turns


def checkouts(other: Path | None) -> list[Path]:
    """This one, and another one if it is asked for."""
    found = [ROOT] if other is None else [ROOT, other.resolve()]
    for checkout in found:
        if not (checkout / ".venv/bin/python").exists():
            sys.exit(f"bench: there is no build in {checkout}: make setup there first")
    return found


def probe(checkout: Path, form: str, size: int | None = None) -> Run:
    """One form with the engine of a checkout; the models are those of this one."""
    command = [checkout / ".venv/bin/python", "-m", "bench.cliffs.probe", form]
    output, cpu = execute([*command, *([] if size is None else ["--size", str(size)])], ROOT)
    found = json.loads(output.strip().splitlines()[-1])
    if not Path(found["package"]).is_relative_to(checkout):
        raise RunError(f"{checkout} runs the package of another checkout, {found['package']}")
    return Run(found["cpu_seconds"], cpu, found)


def explore_by_hand(net: Wiring) -> Run:
    """A net in the hand-written explorer, built for states of its width."""
    words = (net.places + 63) // 64
    program = BUILD / "cpp" / f"wide-{words}"
    source = SOURCES / "wide.cpp"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        program.parent.mkdir(parents=True, exist_ok=True)
        execute([os.environ.get("CXX", "g++"), *FLAGS, f"-DWORDS={words}", source, "-o", program])
    lines = [str(net.places), f"m {' '.join(map(str, sorted(net.marked)))}"]
    lines += [f"t {' '.join(map(str, takes))} > {' '.join(map(str, gives))}" for takes, gives in net.transitions]
    output, cpu = execute([program], given="\n".join(lines))
    found = json.loads(output)
    return Run(found["cpu_seconds"], cpu, {**found, "explored": found["states"]})


@dataclass(slots=True)
class Runner:
    """The runs of one checkout, by form, and why a form has none."""

    checkout: Path
    rounds: int
    runs: dict[Hashable, list[Run]] = field(default_factory=dict)
    failures: dict[Hashable, str] = field(default_factory=dict)

    def take(self, form: str | Wiring) -> None:
        """One more run, unless there have been enough."""
        done = self.runs.setdefault(form, [])
        taken = sum(run.process_cpu for run in done)
        if form in self.failures or len(done) >= self.rounds or taken >= ENOUGH:
            return
        try:
            done.append(probe(self.checkout, form) if isinstance(form, str) else explore_by_hand(form))
        except RunError as failure:
            self.failures[form] = str(failure)

    def least(self, row: Row, form: str | Wiring) -> float | None:
        """The figure of a row, of the run in which it was least."""
        return min((row.figure.of(run.found) for run in self.runs[form]), default=None)

    def ratio(self, row: Row) -> float | None:
        """The form's figure over that of its partner."""
        figure = self.least(row, row.form)
        over = 1.0 if row.level is None else self.least(row, row.level)
        return None if figure is None or over is None else figure / over

    def text(self, row: Row) -> str:
        """The ratio, and a sign where it is more than that: the time was up before all was explored."""
        ratio = self.ratio(row)
        up = any(run.found.get("time_up") for run in self.runs[row.form])
        return "-" if ratio is None else f"{'> ' if up else ''}{ratio:.2f}"

    def wrong(self, row: Row) -> list[str]:
        """What failed, and counts that differ though the graph is the same."""
        failed = [form for form in row.forms if form in self.failures]
        said = [f"{self.checkout.name}: {row.form}: {self.failures[form]}" for form in failed]
        counts = {(run.found["explored"], run.found["edges"]) for form in row.forms for run in self.runs[form]}
        if row.figure.same and row.level is not None and len(counts) > 1:
            said.append(
                f"{self.checkout.name}: {row.form}: states and edges differ from its partner's: {sorted(counts)}"
            )
        return said
