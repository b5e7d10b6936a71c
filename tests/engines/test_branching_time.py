"""Paper 4, table 1: the properties that hold, the one that fails, and the receiver that gets the protocol stuck."""

import pytest

from sweepcheck import Status, always_eventually, always_possible, check, load

# packets, capacity, states, edges, peak: the nine configurations, each with two properties in the paper
TABLE = [
    (22, 2, 7_944, 22_419, 524),
    (30, 2, 14_672, 41_611, 716),
    (10, 3, 24_052, 98_671, 4_766),
    (15, 3, 78_027, 326_906, 10_746),
    (16, 3, 94_226, 395_825, 12_230),
    (17, 3, 112_525, 473_808, 13_810),
    (18, 3, 133_052, 561_415, 15_486),
    (19, 3, 155_935, 659_206, 17_258),
    (20, 3, 181_302, 767_741, 19_126),
]


def protocol(packets: int, capacity: int, expected_only: bool = False):
    parameters = {"packets": packets, "capacity": capacity, "expected_only": expected_only}
    return load("examples/communication_protocol.py", parameters)


def properties(packets: int):
    return (
        always_possible("P1", lambda s: s.receiver > packets),
        always_eventually("P2", lambda s: s.receiver > packets or len(s.a) > 0),
        always_eventually("P3", lambda s: len(s.c) > 0),
    )


@pytest.mark.parametrize(("packets", "capacity", "states", "edges", "peak"), TABLE)
def test_table_1(packets: int, capacity: int, states: int, edges: int, peak: int) -> None:
    for asked in properties(packets)[:2]:
        report = check(protocol(packets, capacity), [asked], strategy="sweep", engine="native")
        assert report[asked.name].status is Status.HOLDS
        found = report.statistics
        assert (found.states, found.edges, found.peak) == (states, edges, peak)


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_the_protocol_and_its_stubborn_receiver(strategy: str, engine: str) -> None:
    report = check(protocol(5, 2), properties(5), strategy=strategy, engine=engine, keep_going=True)
    assert [verdict.status for verdict in report.verdicts] == [Status.HOLDS, Status.HOLDS, Status.VIOLATED]
    report = check(protocol(5, 2, True), properties(5), strategy=strategy, engine=engine, keep_going=True)
    assert [verdict.status for verdict in report.verdicts] == [Status.VIOLATED, Status.HOLDS, Status.VIOLATED]


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_the_lost_acknowledgement_is_visible(engine: str) -> None:
    (asked, _, _) = properties(5)
    trace = check(protocol(5, 2, True), [asked], engine=engine)["P1"].trace
    assert trace is not None
    assert any(
        str(step.label).startswith("transmit_ack(") and "arrives=False" in str(step.label) for step in trace.steps
    )
