"""Small reports of real runs, with the numbers that differ from run to run replaced."""

from dataclasses import replace

import pytest
from report_models import changed, ferry_model, light_model

from sweepcheck import Limits, Report, check, explore


def fixed(report: Report) -> Report:
    """The report as if it had taken 2.5 s, 32 MiB, and 1.5 KiB of parents if it wrote any."""
    numbers = replace(report.statistics, seconds=2.5, memory_bytes=32 << 20)
    return changed(report, statistics=replace(numbers, trace_bytes=1536 if numbers.trace_bytes else 0))


@pytest.fixture
def ferry():
    return fixed(check(ferry_model(), keep_going=True, engine="reference"))


@pytest.fixture
def holding():
    return fixed(check(ferry_model(capacity=3), engine="reference", keep_going=True))


@pytest.fixture
def explored():
    return fixed(explore(ferry_model(), engine="reference"))


@pytest.fixture
def native():
    return explore(ferry_model(), engine="native")


@pytest.fixture
def limited():
    report = check(ferry_model(), ["not crowded", "deadlock"], limits=Limits(states=3), engine="reference")
    return fixed(report)


@pytest.fixture
def lasso():
    return fixed(check(light_model(), engine="reference"))


@pytest.fixture
def stuttering():
    return fixed(check(light_model(stuck=True), engine="reference"))
