"""The nets among the examples: verdicts, traces and names; their numbers are in tests/golden."""

from pathlib import Path

import pytest

from sweepcheck import check, explore, load

EXAMPLES = Path(__file__).parents[2] / "examples"
ENGINES = ("reference", "native")


def counts(example: str, engine: str, **parameters: object) -> tuple[int | None, int, int]:
    statistics = explore(load(f"{EXAMPLES / example}.py", parameters), engine=engine).statistics
    return statistics.states, statistics.edges, statistics.peak


def verdicts(example: str, engine: str, **parameters: object) -> dict[str, str]:
    report = check(load(f"{EXAMPLES / example}.py", parameters), engine=engine, keep_going=True)
    assert {str(verdict.guarantee) for verdict in report.verdicts} == {"exact"}
    return {verdict.property.name: str(verdict.status) for verdict in report.verdicts}


@pytest.mark.parametrize("expected_only", [False, True])
@pytest.mark.parametrize("engine", ENGINES)
def test_the_hierarchical_net_is_the_plain_model(engine: str, expected_only: bool) -> None:
    asked = {"packets": 2, "capacity": 2, "expected_only": expected_only}
    plain, net = "communication_protocol", "communication_protocol_net"
    assert counts(net, engine, **asked) == counts(plain, engine, **asked)
    found = verdicts(net, engine, **asked)
    assert found == verdicts(plain, engine, **asked)
    violated = {"acknowledgement sent"} | ({"all received"} if expected_only else set())
    assert {name for name, status in found.items() if status == "violated"} == violated


def test_both_instances_of_the_network_and_the_shared_room_have_names() -> None:
    model = load(str(EXAMPLES / "communication_protocol_net.py"), {"packets": 1, "capacity": 1})
    trace = check(model, ["deadlock"], engine="native", keep_going=True)["deadlock"].trace
    assert trace is None
    names = {str(edge.label.action) for state in _states(model) for edge in model.edges(state)}
    assert {"Data.Transmit", "Acks.Transmit", "Sender.SendPacket", "Receiver.ReceivePacket"} <= names
    assert "Room" in model.variables


def _states(model) -> set:
    seen, waiting = set(model.initial_states()), list(model.initial_states())
    while waiting:
        new = {edge.target for edge in model.edges(waiting.pop())} - seen
        seen |= new
        waiting += new
    return seen


@pytest.mark.parametrize(("window", "overtaking", "enough"), [(1, 0, 2), (1, 1, 3), (1, 2, 4), (2, 0, 3), (2, 1, 5)])
def test_how_many_numbers_are_enough(window: int, overtaking: int, enough: int) -> None:
    """In order, one more than the window; overtaken, one more than two windows, or two more (window 1, twice)."""
    for modulus in range(window + 1, enough + 1):
        parameters = {"window": window, "overtaking": overtaking, "modulus": modulus, "packets": 2 * modulus + window}
        model = load(str(EXAMPLES / "sliding_window.py"), parameters)
        verdict = check(model, ["no failure"], engine="native")["no failure"]
        assert str(verdict.status) == ("holds" if modulus == enough else "violated")


@pytest.mark.parametrize("engine", ENGINES)
def test_the_failure_comes_with_a_trace(engine: str) -> None:
    model = load(str(EXAMPLES / "sliding_window.py"), {"modulus": 3})
    trace = check(model, ["no failure"], engine=engine)["no failure"].trace
    steps = [str(step.label) for step in trace.steps]
    assert any(step.startswith("Network.Acks.Overtake(") for step in steps)
    assert steps[-1].startswith("Receiver.Accept(g=1, n=1, h=0")  # the right number of the wrong generation


def test_the_bounds_of_resource_allocation() -> None:
    """By hand: r lets one q at a time be in B or C, and s one process in all be in C, D and E."""
    model = load(str(EXAMPLES / "resource_allocation.py"))
    sizes = [{name: len(bag) for name, bag in model.describe(state).items()} for state in _states(model)]
    bounds = {name: (min(one[name] for one in sizes), max(one[name] for one in sizes)) for name in sizes[0]}
    expected = {"A": (1, 3), "B": (1, 3), "C": (0, 1), "D": (0, 1), "E": (0, 1), "R": (0, 1), "S": (0, 3), "T": (0, 2)}
    assert bounds == expected


@pytest.mark.parametrize("engine", ENGINES)
def test_one_resource_more_and_a_deadlock(engine: str) -> None:
    model = load(str(EXAMPLES / "resource_allocation.py"), {"s": 4})
    trace = check(model, ["deadlock"], engine=engine)["deadlock"].trace
    stuck = model.describe(trace.states[-1])
    assert list(stuck["D"]) == ["p", "p"]
    assert (len(stuck["S"]), len(stuck["T"])) == (0, 0)


@pytest.mark.parametrize("engine", ENGINES)
def test_everybody_holds_one_fork(engine: str) -> None:
    model = load(str(EXAMPLES / "dining_philosophers_net.py"))
    trace = check(model, ["deadlock"], engine=engine)["deadlock"].trace
    assert {str(step.label) for step in trace.steps} == {f"TakeFirst(i={i})" for i in range(5)}
    assert len(trace) == 5
