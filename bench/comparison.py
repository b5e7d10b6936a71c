"""One workload against all its yardsticks: programs take turns, round after round; counts must agree everywhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bench import ceiling, spin
from bench.measuring import Ratio, Run, RunError, best, ratio, run_reporting
from bench.workloads import Workload

REFERENCE_LIMIT = 150_000  # states that the reference engine is asked to explore; beyond, it runs a small size

SPIN_SECONDS = 30  # when its runs of a workload have taken so long, SPIN takes no more turns: it is far from a tie


@dataclass(slots=True)
class Comparison:
    """The runs of one workload under one strategy, by program: `engine`, `ceiling`, `spin`, `reference`."""

    workload: Workload
    strategy: str
    runs: dict[str, list[Run]] = field(default_factory=dict)
    reference_size: str = ""
    compile_cpu: float | None = None
    spin_options: str = ""
    notes: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def has_targets(self) -> bool:
        """The targets are the native engine's."""
        return any(run.found["engine"] == "native" for run in self.runs.get("engine", ()))

    @property
    def first(self) -> dict[str, int]:
        """What the most trusted program at this size found."""
        return next(self.runs[name][0].found for name in ("ceiling", "engine", "spin") if self.runs.get(name))

    def speed(self, program: str) -> float | None:
        """Edges per CPU second of the best run, in millions."""
        runs = self.runs.get(program)
        return best(runs).found["edges"] / best(runs).cpu / 1e6 if runs else None

    def ratio(self, yardstick: str) -> Ratio | None:
        """The engine's time over a yardstick's, from pairs in one run."""
        engine, other = self.runs.get("engine"), self.runs.get(yardstick)
        return ratio(engine, other) if engine and other and len(engine) == len(other) else None

    def faster_than(self, yardstick: str) -> float | None:
        """How many times the yardstick's edges per second, best against best."""
        engine, other = self.speed("engine"), self.speed(yardstick)
        return engine / other if engine and other else None


Turn = tuple[Comparison, str, Callable[[], Run]]


def probe(workload: Workload, engine: str, strategy: str, *, net: bool = False) -> Run:
    """One of our engines in a process of its own."""
    size = "/".join(map(str, workload.size))
    command = [sys.executable, "-m", "bench.probe", workload.family.name, size]
    return run_reporting([*command, "--engine", engine, "--strategy", strategy, *(["--net"] if net else [])])


def compare(workload: Workload, engine: str | None, rounds: int, *, with_spin: bool) -> list[Comparison]:
    """Build the yardsticks of a workload, run all programs in turns, check that they agree."""
    comparisons = [Comparison(workload, strategy) for strategy in workload.strategies]
    program = _program(comparisons)
    states = workload.counts.states or (ceiling.run(program, "full").found["states"] if program else None)
    measures_reference = engine not in (None, "reference")
    turns: list[Turn] = []
    for one in comparisons:
        turns += _own_turns(one, engine)
        if program:
            turns.append((one, "ceiling", partial(ceiling.run, program, one.strategy)))
        if measures_reference and workload.family.untabulated:
            turns.append((one, "reference", partial(probe, workload, "reference", one.strategy)))
    if with_spin and states and workload.family.promela and (verifier := _verifier(comparisons, states)):
        turns.append((comparisons[0], "spin", partial(spin.run, verifier)))
    for _ in range(rounds):
        for one, name, run in turns:
            if name != "spin" or sum(done.cpu for done in one.runs.get(name, ())) < SPIN_SECONDS:
                _take(one, name, run)
    for one in comparisons:
        if "spin" in comparisons[0].runs:
            one.runs["spin"] = comparisons[0].runs["spin"]
        if measures_reference and not workload.family.untabulated:
            _run_reference(one, states)
        if engine not in (None, "auto") and any(run.found["engine"] != engine for run in one.runs.get("engine", ())):
            one.notes.append(f"asked for engine {engine}, which another one stood in for")
        _verify(one)
    return [one for one in comparisons if one.runs]


def _own_turns(one: Comparison, engine: str | None) -> list[Turn]:
    """The engine on the plain model, and on the net where there is one."""
    workload, strategy = one.workload, one.strategy
    if engine is None:
        return []
    plain: list[Turn] = [(one, "engine", partial(probe, workload, engine, strategy))]
    if workload.family.net is None:
        return plain
    return [*plain, (one, "net", partial(probe, workload, engine, strategy, net=True))]


def _program(comparisons: list[Comparison]) -> Path | None:
    workload = comparisons[0].workload
    if workload.family.source is None:
        return None
    try:
        return ceiling.build(workload)
    except (RunError, OSError) as failure:
        comparisons[0].notes.append(f"no hand-written program: {failure}")
        return None


def _verifier(comparisons: list[Comparison], states: int) -> spin.Verifier | None:
    try:
        verifier = spin.tune(spin.build(comparisons[0].workload), states)
    except RunError as failure:
        comparisons[0].notes.append(str(failure))
        return None
    for one in comparisons:
        one.compile_cpu = verifier.compile_cpu
        one.spin_options = " ".join(verifier.options)
    return verifier


def _take(one: Comparison, name: str, run: Callable[[], Run]) -> None:
    try:
        one.runs.setdefault(name, []).append(run())
    except RunError as failure:
        if not one.runs[name]:
            del one.runs[name]
        one.wrong.append(f"{name}: {failure}")


def _run_reference(one: Comparison, states: int | None) -> None:
    """One run, at the family's small size where the workload is too large for it."""
    workload = one.workload
    if states is None or states > REFERENCE_LIMIT:
        workload = Workload(workload.family, workload.family.small)
    one.reference_size = "" if workload.size == one.workload.size else workload.name
    _take(one, "reference", partial(probe, workload, "reference", one.strategy))


def _verify(one: Comparison) -> None:
    """All programs found the same numbers, and those that are known in advance."""
    known = one.workload.counts
    expected = {"states": known.states, "edges": known.edges, "peak": known.peak if one.strategy == "sweep" else None}
    for name, runs in one.runs.items():
        if name == "reference" and one.reference_size:
            continue
        for run in runs:
            for key, value in expected.items():
                if name == "spin" and key == "peak":
                    continue
                if value is None:
                    expected[key] = run.found[key]
                elif f"{run.found[key]:.8g}" != f"{value:.8g}" if name == "spin" else run.found[key] != value:
                    one.wrong.append(f"{name}: {key} {run.found[key]:,} instead of {value:,}")
