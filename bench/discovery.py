"""`python -m bench.discovery`: measures that are found, beside those written by hand and LoLA's, on many systems.

Of each system all states are explored once, then it is swept by each measure. All figures but seconds are exact, and
the same every time: seconds are of a processor.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from bench.contest import NETS, write_pnml
from bench.models import EXAMPLES
from sweepcheck import Limits, explore, load
from sweepcheck.api import discover
from sweepcheck.core.discovery import Candidate
from sweepcheck.core.request import Request
from sweepcheck.discovery import measure_of
from sweepcheck.discovery.token_game import Delta, TokenGame
from sweepcheck.errors import SweepcheckError

MODELS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("communication_protocol", {}),
    ("communication_protocol_net", {}),
    ("counter_grid", {}),
    ("leader_election", {}),
    ("logical_clocks", {}),
    ("simple_protocol", {}),
    ("sliding_window", {}),
    ("stop_and_wait", {}),
    ("stop_and_wait_net", {}),
    ("dining_philosophers", {"n": 9}),
    ("token_ring", {"n": 8}),
)


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one system: shares of all states that were stored at once; None where there is no such measure."""

    system: str
    states: int
    hand: float | None
    lola: float | None
    auto: float | None
    told: float | None
    work: float | None
    seconds: float
    monotone: str
    remark: str


def lola_like(deltas: Sequence[Delta]) -> dict[int, int] | None:
    """Weights by which each of as many transitions as possible makes a step of one, as LoLA computes them."""
    rows: list[tuple[int, dict[int, Fraction], Fraction]] = []  # pivot, row, what it is worth
    for delta in deltas:
        row, worth = {at: Fraction(d) for at, d in delta}, Fraction(1)
        for pivot, other, value in rows:
            if factor := row.get(pivot, Fraction()) / other[pivot]:
                worth -= factor * value
                row = {at: row.get(at, Fraction()) - factor * other.get(at, Fraction()) for at in {*row, *other}}
                row = {at: value for at, value in row.items() if value}
        if row:
            rows.append((min(row), row, worth))
    weights: dict[int, Fraction] = {}
    for pivot, row, worth in reversed(rows):
        known = sum((value * weights.get(at, Fraction()) for at, value in row.items() if at != pivot), Fraction())
        weights[pivot] = (worth - known) / row[pivot]
    scale = lcm(*(weight.denominator for weight in weights.values())) if weights else 1
    return {at: int(weight * scale) for at, weight in weights.items() if weight} or None


def lola_share(system: Any, states: int) -> float | None:
    """What a sweep by LoLA's kind of measure stores."""
    net = system.count_net()
    weights = lola_like(TokenGame(net).deltas) if net is not None else None
    if weights is None:
        return None
    text = " + ".join(f"{weight} * len({net.places[at]})" for at, weight in weights.items())
    return explore(system, measure=text, strategy="generalised").statistics.peak / states


def row_of(name: str, system: Any) -> Row:
    """All figures of a system."""
    states = explore(system, strategy="full", equivalence=False).statistics.states
    assert states is not None
    hand = None
    if system.measure is not None:
        hand = explore(system).statistics.peak / states
    started = time.process_time()
    try:
        found = discover(system, Request((), trace=False, measure="auto", limits=Limits(states=10**9)))
    except SweepcheckError as error:
        return Row(name, states, hand, None, None, None, None, 0.0, "", f"refused: {error.code}")
    seconds = time.process_time() - started
    best: Candidate | None = found.chosen
    if best is None:
        return Row(name, states, hand, lola_share(system, states), None, None, None, seconds, "", str(found.reason))
    swept = explore(system, measure=measure_of(system, best), strategy="generalised").statistics
    share, work = swept.peak / states, swept.explored / states
    lola = lola_share(system, states)
    return Row(name, states, hand, lola, share, best.peak, work, seconds, best.monotone.value, best.found_by)


def systems(folder: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Names, and how to get them."""
    for name, parameters in MODELS:
        yield name, lambda name=name, given=parameters: load(str(EXAMPLES / f"{name}.py"), given)  # type: ignore[misc]
    for name, (make, size) in NETS.items():
        path = write_pnml(make(size), name, folder)  # type: ignore[operator]
        yield f"{name} {size}", lambda path=path: load(str(path))  # type: ignore[misc]


def share_text(share: float | None) -> str:
    """In percent."""
    return "-" if share is None else f"{100 * share:.1f}"


def main(arguments: Sequence[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.discovery", description=__doc__)
    parser.add_argument("names", nargs="*", help="systems; all without any")
    wanted = parser.parse_args(arguments).names
    rows: list[Row] = []
    print("| system | states | hand | LoLA-like | auto | predicted | explored | monotone | seconds | found by |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    with TemporaryDirectory() as folder:
        for name, make in systems(Path(folder)):
            if wanted and name.split()[0] not in wanted:
                continue
            row = row_of(name, make())
            rows.append(row)
            shares = " | ".join(map(share_text, (row.hand, row.lola, row.auto, row.told)))
            work = "-" if row.work is None else f"{row.work:.2f} x"
            told = f"{work} | {row.monotone or '-'} | {row.seconds:.1f} | {row.remark}"
            print(f"| {row.system} | {row.states:,} | {shares} | {told} |", flush=True)
    reached = [row for row in rows if row.auto is not None and row.told is not None]
    if reached:
        errors = [abs(row.auto - row.told) for row in reached]  # type: ignore[operator]
        print(f"\nmedian peak {share_text(median(row.auto for row in reached))} %, ", end="")  # type: ignore[type-var]
        print(f"median error of the prediction {share_text(median(errors))} points")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
