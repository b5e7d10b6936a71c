"""The moments of a simulation as text: short where values are long, folded where lines are."""

import pytest

from sweepcheck import Array, Bag, Model, Simulation
from sweepcheck.report.stepping import edges_to_text, moment_text, steps_to_text, variables_to_text
from sweepcheck.report.trace import TraceRow, rows_to_text


def harbour(ships: int) -> Simulation:
    m = Model("harbour", sea=Bag(range(ships)), quay=Bag([100, 101]), crane=Array([0, 0]), log="-" * ships)

    @m.action
    def land(s):
        ship = s.sea.take()
        s.quay.add(ship)
        s.quay.add(ship)
        s.crane[0] += 1

    @m.action
    def wait(s):
        s.log = s.log

    return Simulation(m)


def numbered(simulation: Simulation) -> list:
    return list(enumerate(simulation.enabled, start=1))


def test_of_bags_the_tokens_that_come_and_go():
    simulation = harbour(2)
    assert edges_to_text(simulation.system, simulation.state, numbered(simulation)).splitlines() == [
        "  1  land(ship=0)  sea: - 1*0, quay: + 2*0, crane[0]: 0 -> 1",
        "  2  land(ship=1)  sea: - 1*1, quay: + 2*1, crane[0]: 0 -> 1",
        "  3  wait          (nothing changes)",
    ]


def test_of_large_bags_the_tokens_that_come_and_go():
    simulation = harbour(60)
    text = edges_to_text(simulation.system, simulation.state, numbered(simulation)[7:8])
    assert text == "  8  land(ship=7)  sea: - 1*7, quay: + 2*7, crane[0]: 0 -> 1"
    for _ in range(12):
        simulation.step("1")
    text = steps_to_text(simulation.system, simulation.since(11), 12)
    assert text == "  12  land(ship=11)  sea: - 1*11, quay: + 2*11, crane[0]: 11 -> 12"


def test_other_long_values_lose_their_middle():
    simulation = harbour(300)
    text = moment_text(simulation.system, simulation.state)
    assert f"log='{'-' * 39} ... {'-' * 39}'" in text
    assert len(text) < 250
    assert "'" + "-" * 300 + "'" in variables_to_text(simulation.system, simulation.state)


def test_one_variable_on_each_line():
    simulation = harbour(3)
    assert variables_to_text(simulation.system, simulation.state).splitlines() == [
        "  sea    1*0 + 1*1 + 1*2",
        "  quay   1*100 + 1*101",
        "  crane  [0, 0]",
        "  log    '---'",
    ]
    assert variables_to_text(simulation.system, simulation.state, width=20).splitlines()[:2] == [
        "  sea    1*0 + 1*1 +",
        "         1*2",
    ]


@pytest.mark.parametrize("width", [40, 50, 60, 80])
def test_words_that_do_not_fit_beside_a_label_go_below(width):
    rows = [
        TraceRow(n, f"label_number_{n}(of={n})", [f"variable_{w}: {w} -> {w + 1}" for w in range(3)]) for n in (1, 22)
    ]
    lines = rows_to_text(rows, width).splitlines()
    assert max(map(len, lines)) <= width
    assert "".join(lines).count("variable_") == 6
    assert ",," not in "".join(lines).replace(" ", "")
