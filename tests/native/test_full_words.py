"""Bags whose slots would fill a word to its last bits: found by a timed net that native exploration thought finite."""

import pytest

from sweepcheck import Bag, Limits, Model, Net, Stop, colours, explore, require


def window(tokens, held):
    """Numbered tokens in a bag, at most so many at once; the oldest leaves."""
    m = Model("window", bag=Bag(), added=0, taken=0)

    @m.action
    def add(s):
        require(s.added < tokens and s.added - s.taken < held)
        s.bag.add(s.added * 7 % 251)
        s.added += 1

    @m.action
    def take(s):
        require(s.added > s.taken)
        s.bag.take(s.taken * 7 % 251)
        s.taken += 1

    return m


@pytest.mark.parametrize(
    ("tokens", "held"),
    [(250, 7), (250, 8), (250, 9), (100, 8), (100, 9), (60, 10), (14, 15), (14, 16), (6, 20), (6, 21)],
)
def test_slots_of_every_width(tokens, held):
    found = explore(window(tokens, held), engine="native").statistics
    # The bag follows from what was added and taken.
    assert found.states == sum(min(held, added) + 1 for added in range(tokens + 1))
    assert found.states == explore(window(tokens, held), engine="reference").statistics.states


@pytest.mark.parametrize("initial", [[], [1], [1, 1, 1]])
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_timed_place_that_grows_for_ever(initial, engine):
    net = Net("source")
    place = net.place("P", colours.timed(int), initial)
    net.transition("T", place.put("1 @+ 2"))
    report = explore(net, engine=engine, limits=Limits(states=150))
    assert report.stop is Stop.STATES
    assert report.statistics.states == 150
