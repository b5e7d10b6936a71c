"""Sweeps by the components of a network do not look up edges that close diamonds: nothing that is found shows it."""

import random
from functools import reduce
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from sweepcheck import Limits, Network, Report, check, deadlock, explore, load
from sweepcheck.engines.native import description
from sweepcheck.errors import SweepcheckError
from sweepcheck.models.processes.composition import component, parallel
from sweepcheck.models.processes.events import TAU
from sweepcheck.models.processes.lts import LTS
from sweepcheck.models.processes.measuring import network_measure

EXAMPLES = Path(__file__).parents[2] / "examples"
NUMBERS = ("states", "edges", "explored", "peak", "layers", "sweeps", "columns", "persistent", "regress_edges")


def network(seed: int) -> Network:
    """Components that go up for the most part, some of their steps together."""
    chance = random.Random(seed)
    back = chance.choice((0, 0, 0.1))
    shared = ["a", "b", "c"][: chance.randint(0, 3)]
    parts = []
    for number in range(chance.randint(2, 6)):
        size = chance.randint(2, 4)
        steps = []
        for _ in range(chance.randint(1, 2 * size)):
            one, other = sorted(chance.sample(range(size), 2))
            if chance.random() < back:
                one, other = other, one
            event = chance.choice([TAU, f"own{number}", *chance.sample(shared, min(1, len(shared)))])
            steps.append((one, event, other if chance.random() < 0.9 else one))
        parts.append(component(f"p{number}", LTS.numbered(range(size), steps, 0)))
    return Network("random", reduce(parallel, parts))


def found(seed: int, folder: Path, closes: bool) -> tuple[list[object], int]:
    """What a run has found, with where each state is from, or its error; and how many edges were not looked up."""
    system, kind = network(seed), ("scc", "scc", "tree", "auto")[seed % 4]
    strategy = ("sweep", "sweep", "sweep", "column", "generalised")[seed % 5]
    limits = Limits(states=(30, 5_000)[seed % 3 > 0])
    options: dict[str, Any] = {"strategy": strategy, "measure": network_measure(system, {"": kind}), "limits": limits}
    with patch.object(description, "CLOSES_DIAMONDS", closes):
        try:
            report = check(
                system, [deadlock()], engine="native", keep_going=True, trace_dir=folder, workers=1, **options
            )
        except SweepcheckError as error:
            return [error.code, str(error)], 0
    assert report.trace_file is not None
    numbers = [getattr(report.statistics, name) for name in NUMBERS]
    actions = [(action.action, action.edges) for action in report.outcome.actions]
    verdicts = [(verdict.status, str(verdict.trace)) for verdict in report.verdicts]
    closed = report.outcome.closed_edges
    return [numbers, report.stop, report.profile, actions, verdicts, report.trace_file.read_bytes()], closed


@pytest.mark.parametrize("first", range(0, 240, 20))
def test_random_networks(tmp_path: Path, first: int) -> None:
    closed = 0
    for seed in range(first, first + 20):
        plain, none = found(seed, tmp_path, closes=False)
        same, some = found(seed, tmp_path, closes=True)
        assert (same, none) == (plain, 0), seed
        closed += some
    assert closed > 0


def swept(name: str, strategy: str, **parameters: int) -> Report:
    return explore(load(str(EXAMPLES / f"{name}.psl"), parameters), strategy=strategy, engine="native", workers=1)


def test_most_edges_of_two_phase_commit_are_not_looked_up() -> None:
    report = swept("two_phase_commit", "sweep", n=6)
    assert report.outcome.closed_edges > 0.6 * report.statistics.edges


def test_where_steps_go_back_all_edges_are_looked_up() -> None:
    """A state that a step back has led to waits for another sweep, so that it is not expanded before others."""
    assert swept("master_slave", "column", jobs=3, slaves=7).outcome.closed_edges == 0
