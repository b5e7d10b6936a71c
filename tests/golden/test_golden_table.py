"""The golden table, asserted for every engine and every strategy that may run a row, the default one included.

The reference engine runs the small rows in every way, those that are not large by default, and with SWEEPCHECK_SLOW=1
all of them.
"""

import os
from functools import lru_cache
from typing import Any

import pytest
from golden_table import TABLE, Found, Row

from sweepcheck import Report, check, explore
from sweepcheck.core.property import Kind

SLOW = os.environ.get("SWEEPCHECK_SLOW") == "1"
DEFAULT = "default"
PLACES = {id(row): at for at, row in enumerate(TABLE)}
SMALL, MEDIUM, LARGE = 600, 2_500, 1_000_000


def affordable(engine: str, way: str, row: Row) -> bool:
    if SLOW or row.states <= SMALL:
        return True
    if engine == "native":
        return row.states <= LARGE or way == "full"
    return way == DEFAULT and row.states <= MEDIUM


RUNS = [
    (engine, way, row)
    for row in TABLE
    for engine in row.engines
    for way in (*row.ways, DEFAULT)
    if affordable(engine, way, row)
]
# The default is asserted to be the strategy that the row names: only on small rows is that one asked for by name again.
COUNTED = [(engine, way, row) for engine, way, row in RUNS if SLOW or row.states <= SMALL or way != row.default]


@lru_cache(maxsize=4)  # rows are run one after the other, each in many ways
def built(at: int) -> Any:
    """The model of a row of the table."""
    return TABLE[at].build()


def options(engine: str, way: str, row: Row) -> dict[str, object]:
    strategy = row.default if way == DEFAULT else way
    given: dict[str, object] = {"engine": engine, "strategy": None if way == DEFAULT else way, "measure": row.measure}
    if strategy == "caching":
        given["cache_size"] = row.states
    if row.gc is not None and strategy != "full":
        given["gc"] = row.gc
    return given


def assert_found(report: Report, row: Row, found: Found) -> None:
    numbers = report.statistics
    assert report.complete
    assert numbers.explored == found.explored, row.source
    assert numbers.states in (row.states, None), row.source
    awaits = any(verdict.property.kind is Kind.LEADS_TO for verdict in report.verdicts)  # bits, not states, are counted
    assert numbers.states is not None or found.explored > row.states or report.strategy == "caching" or awaits
    if found.explored == row.states:
        assert row.edges in (None, numbers.edges), row.source
        assert numbers.regress_edges == 0
        assert row.dead_states in (None, numbers.dead_states), row.source
    assert found.peak in (None, numbers.peak), row.source
    assert found.layers in (None, numbers.layers), row.source


@pytest.mark.parametrize(("engine", "way", "row"), COUNTED, ids=str)
def test_numbers(engine: str, way: str, row: Row) -> None:
    report = explore(built(PLACES[id(row)]), **options(engine, way, row))
    strategy = row.default if way == DEFAULT else way
    assert (report.engine, report.strategy) == (engine, strategy)
    assert_found(report, row, row.ways[strategy])


@pytest.mark.parametrize(("engine", "way", "row"), [run for run in RUNS if run[2].verdicts is not None], ids=str)
def test_verdicts(engine: str, way: str, row: Row) -> None:
    """What is about cycles needs a strategy that sees each state once; the default is one when that is asked."""
    system = built(PLACES[id(row)])
    assert {one.name for one in system.properties} == set(row.verdicts)
    asked = [one for one in system.properties if way in ("full", "sweep", DEFAULT) or one.kind.decided_by_states]
    report = check(system, asked, keep_going=True, **options(engine, way, row))
    expected = {one.name: row.verdicts[one.name] for one in asked}
    assert {verdict.property.name: str(verdict.status) for verdict in report.verdicts} == expected, row.source
    assert {str(verdict.guarantee) for verdict in report.verdicts} <= {"exact"}
    assert report.exit_code == int("violated" in expected.values())
    if report.complete:
        assert_found(report, row, row.ways[row.default if way == DEFAULT else way])


PUBLISHED = [row for row in TABLE if row.percent is not None or row.near]


@pytest.mark.parametrize("row", PUBLISHED, ids=str)
def test_peaks_are_the_published_ones(row: Row) -> None:
    """Percentages are rounded or cut off in the papers; numbers come close."""
    peak = row.ways["sweep"].peak
    assert peak is not None
    if row.percent is not None:
        published, exactness = row.percent
        assert abs(100 * peak / row.states - published) <= exactness
    assert all(abs(peak - other) <= 6 for other in row.near)


def test_the_large_grid_is_the_one_announced() -> None:
    row = next(row for row in TABLE if str(row) == "counter_grid.py(counters=4,top=30)")
    assert (row.states, row.edges, row.ways["sweep"].peak) == (923_521, 3_574_920, 39_711)
