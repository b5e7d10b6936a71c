"""Sweeps by a product measure expand states with several keys together: nothing that is counted may show it."""

from pathlib import Path

import pytest

from sweepcheck import Limits, check, explore, load

EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = {
    "column": ("master_slave", {"jobs": 3, "slaves": 7}),  # no step goes ahead in its column: batches are large
    "sweep": ("two_phase_commit", {"n": 4}),  # most steps go ahead: many batches are cut short
}
COUNTED = ("states", "edges", "explored", "peak", "layers", "sweeps", "columns", "persistent", "regress_edges")


def found(strategy, engine, **options):
    name, parameters = SYSTEMS[strategy]
    report = explore(load(str(EXAMPLES / f"{name}.psl"), parameters), strategy=strategy, engine=engine, **options)
    return {what: getattr(report.statistics, what) for what in COUNTED}, report.profile


@pytest.mark.parametrize("strategy", SYSTEMS)
def test_counts_and_layers_are_those_of_the_reference_engine(strategy):
    assert found(strategy, "native") == found(strategy, "reference")


@pytest.mark.parametrize("states", [2, 10, 57, 100, 333])
@pytest.mark.parametrize("strategy", SYSTEMS)
def test_runs_that_stop_have_left_the_same_layers(strategy, states):
    limits = Limits(states=states)
    assert found(strategy, "native", limits=limits)[1] == found(strategy, "reference", limits=limits)[1]


@pytest.mark.parametrize("strategy", SYSTEMS)
def test_a_violation_ends_the_run_where_it_is_found(strategy):
    name, parameters = SYSTEMS[strategy]
    system = load(str(EXAMPLES / f"{name}.psl"), parameters)
    asked = ["deadlock"] if strategy == "sweep" else ["all busy"]
    reports = [check(system, asked, strategy=strategy, engine=engine) for engine in ("native", "reference")]
    one, other = ([getattr(report.statistics, what) for what in ("explored", "layers")] for report in reports)
    assert one == other
    traces = [
        [str(step) for verdict in report.verdicts if verdict.trace for step in verdict.trace] for report in reports
    ]
    assert traces[0] == traces[1]
