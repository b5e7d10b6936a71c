"""The table of cliffs compares forms of one graph: at small sizes both engines find the same graph in both."""

import pytest
from bench.cliffs import bags, counting, growing, measured, nets, processes
from bench.cliffs.forms import FORMS, addresses
from bench.cliffs.rows import ROWS
from bench.doubling import DIMENSIONS, Growth
from bench.wide import Wiring, net

from sweepcheck import explore

TWINS = {
    "repeated tokens": (bags.repeated(4), bags.repeated_as_array(4)),
    "tokens never seen again": (bags.window(6, 3), bags.window_as_array(6, 3)),
    "growing queues": (growing.pipeline(4, 5), growing.pipeline_as_array(4, 5)),
    "queues with a capacity": (growing.pipeline(4, 5, bounded=True), growing.pipeline_as_array(4, 5)),
    "queues of messages": (growing.messages(2, 3), growing.messages_as_array(2, 3)),
    "drawn nets": (nets.drawn(5, 3).as_net(), nets.drawn(5, 3).as_model()),
    "kanban": (nets.kanban(2, 2).as_net(), nets.kanban(2, 2).as_model()),
    "filter lock": [make(3) for make in processes.PAIRS["filter lock"]],
    "bakery": [make(2) for make in processes.PAIRS["bakery"]],
    "buffer": [make(1) for make in processes.PAIRS["buffer"]],
    "election": [make(4) for make in processes.PAIRS["election"]],
    "commit": [make(3) for make in processes.PAIRS["commit"]],
}
MEASURED = {
    "product": (measured.grid(2), measured.rectangle),
    "many lengths": (growing.pipeline(4, 5), None),
    "lengths": (measured.moving(3), None),
    "stages": (measured.stages(3), None),
    "queens": (measured.queens(4), None),
    "a layer each": (measured.one_by_one(3), measured.by_all),
    "descending": (measured.layers(measured.descending)(20), None),
    "shuffled": (measured.layers(measured.shuffled)(20), None),
    "distance": (counting.distance(12), None),
}
COUNTS = ("states", "edges", "dead_states")


def graph(model, **options):
    statistics = explore(model, **options).statistics
    return [getattr(statistics, name) for name in COUNTS]


@pytest.mark.parametrize("twins", TWINS.values(), ids=TWINS)
def test_partners_have_the_same_graph(twins):
    assert len({tuple(graph(model, engine=engine)) for model in twins for engine in ("native", "reference")}) == 1


@pytest.mark.parametrize(("model", "measure"), MEASURED.values(), ids=MEASURED)
def test_measures_never_go_back(model, measure):
    full = graph(model, strategy="full")
    for engine in ("native", "reference"):
        assert graph(model, strategy="sweep", measure=measure, engine=engine) == full


@pytest.mark.parametrize(
    ("model", "states"),
    [
        (bags.holding(5, 2, turns=3), 3 * (1 + 5 + 10)),
        (bags.asked(6, held=3), 6 * 2**3),
        (nets.drawn(4, 3).as_model(), 20),
        (net(nets.two_rings(7, 3)), 12),
        (addresses(8, ticks=3), 24),
    ],
)
def test_sizes_are_what_they_say(model, states):
    assert explore(model).statistics.states == states


@pytest.mark.parametrize("make", [growing.late, growing.late_queues])
def test_what_changes_late_has_about_as_many_states_whatever_the_number(make):
    few, many = (explore(make(n, 2_000)).statistics.states for n in (4, 8))
    assert 1_500 < few < 3_000
    assert 1_500 < many < 3_000


def test_variables_that_change_early_too_add_two_states():
    late, early = (explore(growing.late(5, 200, early=early)).statistics.states for early in (False, True))
    assert early == late + 2


def test_rows_and_dimensions_name_forms():
    for row in ROWS:
        assert row.form in FORMS
        assert row.level is None or isinstance(row.level, Wiring) or row.level in FORMS
    assert {dimension.form for dimension in DIMENSIONS} <= set(FORMS)


def test_exponents():
    sizes = (10, 20, 40)
    assert Growth(sizes, (1.0, 2.0, 4.0), sizes).exponent == pytest.approx(1)
    assert Growth(sizes, (1.0, 4.0, 16.0), sizes).exponent == pytest.approx(2)
    assert Growth(sizes, (1.0, 4.0, 16.0), (1, 4, 16)).exponent == pytest.approx(1)
    assert Growth((10,), (1.0,), (10,)).exponent is None
