"""Nets of Jensen and Kristensen's book, written again, against published figures of their state spaces.

The simple protocol with a limit on what the network holds (chapter 7; an acknowledgement never makes the sender go
back), and the timed one (chapter 10, `examples/timed_protocol.py`), which is infinite and cut off at a time.
"""

from pathlib import Path
from typing import Any

import pytest
from golden_table import limited_protocol

from sweepcheck import Bag, Limits, Net, check, explore, load, state_space_report
from sweepcheck.models.adoption import adopt

EXAMPLES = Path(__file__).parents[2] / "examples"
TIMED = str(EXAMPLES / "timed_protocol.py")


def test_the_state_space_report() -> None:
    """As published for the net whose sender goes back when an old acknowledgement comes: six packets, a limit of 3."""
    report = state_space_report(limited_protocol(3, 6, acknowledged="n"), engine="native")
    numbers, found = report.run.statistics, report.survey.components
    assert found is not None
    assert (numbers.states, numbers.edges, found.nodes, found.arcs) == (13_215, 52_784, 5_013, 37_312)
    assert numbers.peak < numbers.states
    assert (report.bounds("A").lower, report.bounds("A").upper) == (0, 3)
    assert (report.bounds("NextRec").lower, report.bounds("NextRec").upper) == (1, 1)
    assert report.bounds("NextRec").upper_bag == Bag(range(1, 8))
    assert report.bounds("PacketsToSend").lower_bag == Bag(range(1, 7))
    impartial = [one.action for one in report.survey.actions if one.fairness == "impartial"]
    assert impartial == ["SendPacket", "TransmitPacket"]


# limit, packets: classes and triples of class, transition, class, as published; and our edges by label
REDUCED = {(2, 4): (155, 383, 392), (3, 4): (492, 1_632, 1_665), (4, 4): (1_260, 5_019, 5_097)}
PAGE = (EXAMPLES.parent / "docs" / "papers.md").read_text(encoding="utf-8")


def reduced_protocol(limit: int, packets: int) -> Net:
    """Old packets, below the number waited for, do the same as each other; so do acknowledgements that are not new."""
    net = limited_protocol(limit, packets)

    def key(m: Any) -> Any:
        sent, wanted = m.NextSend.token, m.NextRec.token
        data = (Bag("old" if n < wanted else n for n in m[name]) for name in "AB")
        acks = (Bag("old" if n <= sent else n for n in m[name]) for name in "CD")
        return sent, wanted, *data, *acks

    net.equivalence(key)
    return net


@pytest.mark.parametrize(("limit", "packets"), REDUCED)
def test_the_limited_protocol_by_classes(limit: int, packets: int) -> None:
    numbers = explore(reduced_protocol(limit, packets), verify_equivalence=limit == 2).statistics
    assert (numbers.states, numbers.edges, numbers.labelled_edges) == REDUCED[limit, packets]
    classes, edges, labelled = REDUCED[limit, packets]
    assert f" | {classes:,} | {edges:,} | {labelled:,} | {classes:,}, {edges:,} |\n" in PAGE


@pytest.mark.parametrize(("remember", "explored"), [("all", 272), ("even", 336), ("none", 503)])
def test_endless_stop_and_wait(remember: str, explored: int) -> None:
    """All classes remembered, each is explored once; with none it is more, and ends nevertheless."""
    report = check(load(str(EXAMPLES / "endless_stop_and_wait.py"), {"remember": remember}))
    assert [one.status for one in report.verdicts] == ["holds", "holds"]
    assert report.statistics.explored == explored


# The states with a clock up to a bound, and the edges between them. The published figures fit a net whose packets may
# be sent again at once, and one step before the first: each is larger by one state and one edge.
BY_CLOCK = {10: (12, 19), 20: (48, 87), 30: (156, 269), 40: (397, 644), 50: (814, 1_273)}


def test_the_timed_protocol_up_to_a_time() -> None:
    model = adopt(load(TIMED, {"packets": 6, "limit": 3, "attempts": 0}))
    waiting = list(model.initial_states())
    clock = {state: model.view(state).clock for state in waiting}
    ends: list[int] = []  # the clock at the end of every edge
    for state in waiting:  # grows while it is walked
        for edge in model.edges(state):
            after = model.view(edge.target).clock
            ends.append(after)
            if after <= max(BY_CLOCK) and edge.target not in clock:
                clock[edge.target] = after
                waiting.append(edge.target)
    found = {
        bound: (sum(time <= bound for time in clock.values()), sum(time <= bound for time in ends))
        for bound in BY_CLOCK
    }
    assert found == {bound: (states - 1, edges - 1) for bound, (states, edges) in BY_CLOCK.items()}
    for bound, (states, edges) in BY_CLOCK.items():
        assert f"| {bound} | {states - 1:,} | {edges - 1:,} | {states:,} | {edges:,} |\n" in PAGE


# limit, packets: classes and triples of our net, and the published ones, which only the first row meets
RELATIVE = {
    (1, 10): ((81, 110), (81, 110)),
    (2, 5): ((3_155, 4_721), (3_056, 4_424)),
    (3, 1): ((2_801, 4_427), (2_699, 4_126)),
}


@pytest.mark.parametrize(("limit", "packets"), RELATIVE)
def test_the_timed_protocol_by_time_equivalence(limit: int, packets: int) -> None:
    """With a network that always takes as long; found by another search as well."""
    how = {"packets": packets, "limit": limit, "attempts": 0, "fixed": True, "relative": True}
    numbers = explore(load(TIMED, how)).statistics
    own, published = RELATIVE[limit, packets]
    assert (numbers.states, numbers.edges) == own
    assert abs(own[0] - published[0]) < published[0] / 25
    assert f"| {limit} | {packets} | " + " | ".join(f"{one:,}" for one in (*own, *published)) + " |\n" in PAGE


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_the_timed_protocol_layer_by_layer(engine: str) -> None:
    """The same from one sweep, whose layers are the values of the clock."""
    net = load(TIMED, {"packets": 6, "limit": 3, "attempts": 0})
    report = explore(net, engine=engine, limits=Limits(states=3_000))
    for bound, (states, _) in BY_CLOCK.items():
        assert sum(layer.states for layer in report.profile if layer.progress <= bound) == states - 1
