"""Was it a pure move? Two checkouts, in turns: the CPU time as a ratio, and every number that must not have changed.

python -m bench.moves ../other                 this checkout against another one
python -m bench.moves ../other --rounds 9 --only saw comm
python -m bench.moves ../other --rounds 0      only whether the numbers are the same

Every run is a process of that checkout's own .venv, with its own package, models and examples. Ends with 1 if any
number, parent file or trace differs, or the time by more than `--within`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.fingerprint import CASES
from bench.measuring import ROOT, Run, RunError, best, execute, ratio
from bench.tables import Table, text

OWN = ("cpu_seconds", "package")  # what a run tells that is no finding


@dataclass(slots=True)
class Comparison:
    """The runs of one case, of this checkout and the other, and the findings of each."""

    case: str
    ours: list[Run] = field(default_factory=list)
    theirs: list[Run] = field(default_factory=list)
    found: list[dict[str, Any]] = field(default_factory=list)

    def different(self) -> list[str]:
        """What the two checkouts do not agree on. A number that only one of them knows has got another name."""
        failures = [f"{self.case}: {found['failure']}" for found in self.found if "failure" in found]
        if failures:
            return failures
        here, there = self.found
        return [
            f"{self.case}: {key} is {here.get(key, 'unknown')} here, {there.get(key, 'unknown')} there"
            for key in {**here, **there}
            if here.get(key) != there.get(key) or (key in here) != (key in there)
        ]

    def ratio(self) -> float | None:
        """This checkout's CPU time over the other's, best over best."""
        return ratio(self.ours, self.theirs).best if self.ours else None


def run(checkout: Path, case: str, *options: str) -> Run:
    """One case in one checkout; by its own program where it has one, since names may differ."""
    program = checkout / "bench" / "fingerprint.py"
    command = [checkout / ".venv/bin/python", program if program.exists() else ROOT / "bench/fingerprint.py", case]
    output, cpu = execute([*command, *options], checkout, {"PYTHONPATH": str(checkout)})
    found = json.loads(output.strip().splitlines()[-1])
    if not Path(found["package"]).is_relative_to(checkout):
        raise RunError(f"{checkout} runs the package of another checkout, {found['package']}")
    return Run(found["cpu_seconds"], cpu, {key: value for key, value in found.items() if key not in OWN})


def findings(checkout: Path, case: str) -> dict[str, Any]:
    """All that a case finds, with traces and without, or how it fails."""
    try:
        traced, plain = run(checkout, case, "--trace").found, run(checkout, case).found
    except RunError as failure:
        return {"failure": str(failure)}
    return {**traced, **{f"{key}, untraced": value for key, value in plain.items()}}


def compare(case: str, other: Path, rounds: int) -> Comparison:
    """One run with traces in each checkout, and timed ones in turns; who goes first takes turns too."""
    compared = Comparison(case)
    compared.found = [findings(checkout, case) for checkout in (ROOT, other)]
    if any("failure" in found for found in compared.found):
        return compared
    for number in range(rounds if CASES[case].timed else 0):
        turns = [(ROOT, compared.ours), (other, compared.theirs)]
        for checkout, runs in turns if number % 2 else reversed(turns):
            runs.append(run(checkout, case))
    return compared


def table(compared: list[Comparison]) -> Table:
    """A row for each case."""
    rows = []
    for one in compared:
        found = one.found[0]
        pairs = ratio(one.ours, one.theirs) if one.ours else None
        rows.append(
            (
                one.case,
                *(f"{found[key]:,}" if found.get(key) is not None else "-" for key in COUNTS),
                "-" if found.get("bytes_per_state") is None else f"{found['bytes_per_state']:.1f}",
                found.get("parents", "-")[:8],
                found["traces"][:8] if "traces" in found else "-",
                "DIFFERENT" if one.different() else "same",
                "-" if pairs is None else f"{best(one.theirs).cpu:.3f}",
                "-" if pairs is None else f"{best(one.ours).cpu:.3f}",
                "-" if pairs is None else f"{pairs.best:.3f}",
                "-" if pairs is None else f"{pairs.median:.3f} [{pairs.low:.2f}-{pairs.high:.2f}]",
            )
        )
    files = ("bytes/state", "parents", "traces", "all numbers")
    header = ("case", *COUNTS, *files, "there CPU s", "here CPU s", "ratio", "median [range]")
    remark = "ratio = CPU time here over there, best over best; median and range of the pairs. Untimed: one run."
    return Table("Pure moves", header, rows, remark)


COUNTS = ("states", "edges", "explored", "peak", "layers", "sweeps")


def stale(checkout: Path) -> bool:
    """Whether the compiled module is older than its sources."""
    return subprocess.run(["make", "-q", ".venv/ready"], cwd=checkout, capture_output=True, check=False).returncode != 0


def main() -> int:
    """Compare, print; 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m bench.moves", description=__doc__.partition("\n")[0])
    parser.add_argument("other", type=Path, help="another checkout, with a .venv of its own (make setup)")
    parser.add_argument("--rounds", type=int, default=5, help="timed runs in each checkout (default 5)")
    parser.add_argument("--only", nargs="+", default=[], metavar="WHAT", help="cases whose names start so")
    parser.add_argument("--within", type=float, metavar="PERCENT", help="fail where a case takes so much longer")
    asked = parser.parse_args()
    other = asked.other.resolve()
    for checkout in (ROOT, other):
        if not (checkout / ".venv/bin/python").exists() or stale(checkout):
            sys.exit(f"bench: the build in {checkout} is missing or older than its sources: make setup there first")
    chosen = [case for case in CASES if not asked.only or case.startswith(tuple(asked.only))]
    if not chosen:
        sys.exit(f"bench: no case starts so; there are {', '.join(CASES)}")
    compared = []
    for case in chosen:
        print(f"... {case}", file=sys.stderr, flush=True)
        compared.append(compare(case, other, asked.rounds))
    wrong = [line for one in compared for line in one.different()]
    for one in compared:
        taken = one.ratio()
        if asked.within is not None and taken is not None and taken > 1 + asked.within / 100:
            wrong.append(f"{one.case}: takes {100 * (taken - 1):.1f} % longer")
    print(text(table(compared)))
    print(*(f"WRONG: {line}" for line in wrong), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
