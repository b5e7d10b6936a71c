"""The state space report of nets: a bound per place, whatever a place is to the engine."""

import pytest

from sweepcheck import Bag, Net, colours, state_space_report


def timed_net():
    net = Net("oven")
    lock = net.place("Lock", {"open", "shut"}, ["open"])
    bread = net.place("Bread", colours.timed(str), ["roll", "roll", "loaf"])
    sold = net.place("Sold", str)
    net.transition("Shut", lock.take("'open'"), lock.put("'shut'"))
    net.transition("Bake", bread.take("b"), lock.test("'shut'"), bread.put("b + '!' @+ 3"), guard="not b.endswith('!')")
    net.transition("Sell", bread.take("b"), sold.put("b"), guard="b.endswith('!')")
    net.transition("Never", lock.take("'open'"), lock.put("'open'"), sold.test("b"))
    return net


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_bounds_of_single_and_timed_places(engine):
    found = {one.variable: one for one in state_space_report(timed_net(), engine=engine).survey.bounds}
    assert (found["Lock"].lower, found["Lock"].upper) == (1, 1)
    assert found["Lock"].upper_bag == Bag(["open", "shut"])
    assert found["Lock"].lower_bag == Bag()
    assert (found["Bread"].lower, found["Bread"].upper) == (0, 3)
    assert found["Bread"].upper_bag == Bag({"roll": 2, "loaf": 1, "roll!": 2, "loaf!": 1})
    assert found["Sold"].upper_bag == Bag({"roll!": 2, "loaf!": 1})


def test_both_engines_report_the_same():
    one, other = (state_space_report(timed_net(), engine=engine).survey for engine in ("reference", "native"))
    assert one.bounds == other.bounds
    assert one.components == other.components
    assert set(one.dead) == set(other.dead)
    assert one.actions == other.actions
    assert [action.action for action in one.actions if action.dead] == ["Never"]
