"""Models of the TLA+ examples, written again, against what that collection says TLC finds for the same constants.

Distinct states are the same. TLC generates a state once for every way to find a step, and counts the initial ones too:
its total is our edges and initial states, and what `again` counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sweepcheck import Model, check, explore, load

PORTS = Path(__file__).parents[2] / "examples" / "ports"
GRAPH = ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4))


@dataclass(frozen=True)
class Port:
    """One model: what TLC finds, and the states it generates that are no edge or initial state of ours."""

    name: str
    distinct: int
    total: int
    starts: int = 1
    again: int = 0
    parameters: Mapping[str, object] = field(default_factory=dict)

    def build(self) -> Model:
        return load(str(PORTS / f"{self.name}.py"), dict(self.parameters))

    def __str__(self) -> str:
        return f"{self.name}({','.join(self.parameters)})"


TABLE = [
    # Once for each of the two or three reasons to pass the token on.
    Port("termination_detection", 302, 2_001, starts=3 * 4**3, again=184),
    # Once for each promise with the highest vote.
    Port("paxos", 3_921, 23_563, again=96),
    Port("allocator", 1_690, 5_854),
    Port("spanning_tree", 3_984, 21_784, starts=2**6),
    Port("spanning_tree", 1_236, 10_278, parameters={"n": 5, "graph": GRAPH}),
    # Steps to a clock above the limit, which are left out afterwards.
    Port("lamport_mutex", 724_274, 2_729_079, again=232_728),
]


@pytest.mark.parametrize("port", TABLE, ids=str)
def test_counts_are_those_of_tlc(port: Port) -> None:
    model = port.build()
    assert len(model.initial_states()) == port.starts
    numbers = explore(model, engine="native").statistics
    assert (numbers.states, numbers.edges + port.starts + port.again) == (port.distinct, port.total)


SMALL = {
    "termination_detection": {"n": 2},
    "paxos": {"acceptors": ("a", "b", "c"), "ballots": 1},
    "allocator": {"clients": ("a", "b")},
    "spanning_tree": {"n": 3},
    "lamport_mutex": {"n": 2, "top": 4},
}


@pytest.mark.parametrize("name", SMALL)
def test_engines_agree(name: str) -> None:
    model = load(str(PORTS / f"{name}.py"), SMALL[name])
    native, reference = (check(model, engine=engine, keep_going=True) for engine in ("native", "reference"))
    assert native.verdicts == reference.verdicts
    assert all(native.verdicts)
    for one in ("states", "edges", "dead_states", "peak"):
        assert getattr(native.statistics, one) == getattr(reference.statistics, one)


def test_every_port_is_here() -> None:
    assert {path.stem for path in PORTS.glob("*.py")} == {port.name for port in TABLE} == set(SMALL)
