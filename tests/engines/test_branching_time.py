"""Paper 4, table 1: the properties that hold, the one that fails, and the receiver that gets the protocol stuck."""

import os

import pytest

from sweepcheck import (
    Bag,
    Model,
    Status,
    always_eventually,
    always_possible,
    check,
    load,
    require,
    state_space_report,
)
from sweepcheck.core.survey import Fairness

SLOWLY = [("reference", "sweep")] if os.environ.get("SWEEPCHECK_SLOW") == "1" else []

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
    """The eighteen rows: each configuration with each of the two properties that hold."""
    for asked in properties(packets)[:2]:
        report = check(protocol(packets, capacity), [asked], strategy="sweep", engine="native")
        assert report[asked.name].status is Status.HOLDS
        found = report.statistics
        assert (found.states, found.edges, found.peak) == (states, edges, peak)


@pytest.mark.parametrize(("packets", "capacity"), [row[:2] for row in TABLE])
def test_what_fails_in_every_configuration(packets: int, capacity: int) -> None:
    """P3 with either receiver; P1 with the one that acknowledges expected packets only."""
    report = check(protocol(packets, capacity), properties(packets), keep_going=True, engine="native")
    assert [verdict.status for verdict in report.verdicts] == [Status.HOLDS, Status.HOLDS, Status.VIOLATED]
    assert len(loop_of(report["P3"].trace)) == 2  # a packet is sent and lost, for ever
    report = check(protocol(packets, capacity, True), properties(packets), keep_going=True, engine="native")
    assert [verdict.status for verdict in report.verdicts] == [Status.VIOLATED, Status.HOLDS, Status.VIOLATED]


def loop_of(trace) -> list[str]:
    assert trace is not None
    assert trace.loop is not None
    return [str(step.label) for step in trace.steps[trace.loop :]]


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


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_figure_1(strategy: str, engine: str) -> None:
    """The four verdicts of the text, the components, and the seven states stored at most."""
    report = check("examples/kripke_structure.py", strategy=strategy, engine=engine, keep_going=True)
    expected = {"AG EF p": True, "AG AF (p or q)": True, "AG EF q": False, "AG AF p": False}
    assert {v.property.name: v.status is Status.HOLDS for v in report.verdicts} == expected
    assert report.statistics.states == 12
    assert report.statistics.peak == (7 if strategy == "sweep" else 12)
    assert report["AG EF q"].witness == (8,)
    trace = report["AG AF p"].trace
    assert trace is not None
    assert {state for (state,) in trace.states[trace.loop :]} in ({2, 3, 4}, {7, 9, 10})
    found = state_space_report("examples/kripke_structure.py", strategy=strategy, engine=engine).survey.components
    assert found is not None
    assert (found.nodes, found.terminal) == (7, 2)  # {0} {1} {5} {6} {2,3,4} {8} {7,9,10,11}, the last two terminal
    assert found.infinite_runs


@pytest.mark.parametrize(("engine", "strategy"), [("native", "full"), ("native", "sweep"), *SLOWLY])
def test_the_state_space_report_that_was_published(strategy: str, engine: str) -> None:
    """Jensen, Kristensen and Wells, 2007: the report of CPN Tools on the protocol."""
    report = state_space_report("examples/simple_protocol.py", strategy=strategy, engine=engine)
    numbers, found = report.run.statistics, report.survey.components
    assert found is not None
    assert (numbers.states, numbers.edges, found.nodes, found.arcs) == (13_215, 52_784, 5_013, 37_312)
    assert (found.terminal, found.home_states, numbers.dead_states) == (1, 1, 1)
    assert (report.survey.dead[0], found.home) == (found.home, (7, 7, Bag(), Bag(), Bag(), Bag(), 3))
    assert {one.action: one.fairness for one in report.survey.actions} == {
        "send_packet": Fairness.IMPARTIAL,
        "transmit_packet": Fairness.IMPARTIAL,
        "receive_packet": Fairness.NONE,
        "transmit_ack": Fairness.NONE,
        "receive_ack": Fairness.NONE,
    }
    assert not any(one.live or one.dead for one in report.survey.actions)
    assert (report.bounds("a").lower, report.bounds("a").upper) == (0, 3)
    assert report.bounds("a").upper_bag == Bag(dict.fromkeys(range(1, 7), 3))
    assert report.bounds("d").upper_bag == Bag(dict.fromkeys(range(2, 8), 3))
    assert report.bounds("a").lower_bag == Bag()


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_fairness(engine: str) -> None:
    """A loop does not count when it ignores an action that is enabled all along it; it does when the action is not."""

    def model(declared: bool, needs_light: bool) -> Model:
        m = Model("shop", waiting=True, light=True)

        @m.action(fair=declared)
        def serve(s):
            require(s.waiting and (s.light or not needs_light))
            s.waiting = False

        @m.action
        def switch(s):
            s.light = not s.light

        m.always_eventually("served", lambda s: not s.waiting)
        return m

    def holds(declared: bool, needs_light: bool, **options) -> bool:
        report = check(model(declared, needs_light), engine=engine, **options)
        return report["served"].status is Status.HOLDS

    assert holds(True, False)
    assert not holds(True, True)
    assert not holds(False, False)
    assert not holds(True, False, fair=[])
    assert holds(False, False, fair=["serve"])
    loop = loop_of(check(model(True, True), engine=engine)["served"].trace)
    assert loop == ["switch", "switch"]


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_loop_takes_the_fair_actions_that_do_not_help(engine: str) -> None:
    m = Model("fair and vain", a=0, b=0, done=False)

    @m.action(fair=True, k=range(2))
    def turn(s, k):
        if k:
            s.a = 1 - s.a
        else:
            s.b = 1 - s.b

    @m.action
    def finish(s):
        s.done = True

    m.always_eventually("done", lambda s: s.done)
    loop = loop_of(check(m, engine=engine)["done"].trace)
    assert {"turn(k=0)", "turn(k=1)"} <= set(loop)
