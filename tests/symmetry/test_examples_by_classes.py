"""Examples by classes: as many as there should be, and verdicts on systems without end."""

from math import comb
from pathlib import Path
from typing import Any

import pytest
from bench.symmetry import ROWS, measure

from sweepcheck import check, explore, load

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str, **parameters: Any) -> Any:
    return load(str(EXAMPLES / f"{name}.py"), parameters)


@pytest.mark.parametrize("row", [row for row in ROWS if row.n <= 3], ids=lambda row: f"{row.name}{row.n}")
def test_classes_are_states_but_for_their_names(row: Any) -> None:
    measured = measure(row)
    assert not measured.wrong()
    assert measured.without.explored / measured.within.explored > row.most / 2


@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_a_ring_has_an_nth_of_its_states(n: int) -> None:
    """The token is in one place, so no rotation but the whole one leaves a state as it is."""
    ring = example("token_ring", n=n, rotation=True)
    report = check(ring)
    assert {verdict.status for verdict in report.verdicts} == {"holds"}
    assert report.statistics.states == 3 * 2 ** (n - 1)


@pytest.mark.parametrize("n", [1, 3, 5])
def test_voters_are_counted_by_what_they_do(n: int) -> None:
    """While nothing is decided, four kinds of voters: working, ready, ready and heard, aborted."""
    voters = explore(example("atomic_commit", n=n), strategy="full", up_to="decision is None")
    undecided = comb(n + 3, 3)
    assert voters.statistics.states - voters.statistics.beyond == undecided


@pytest.mark.parametrize(("modulus", "status"), [(2, "violated"), (3, "holds")])
def test_a_window_over_cyclic_numbers_without_end(modulus: int, status: str) -> None:
    net = example("sliding_window", packets=0, window=1, modulus=modulus)
    verdict = check(net, ["no failure"]).verdicts[0]
    assert verdict.status == status
    if verdict.trace is not None:
        assert net.view(verdict.trace.states[-1]).Receiver.Failure
        assert net.view(verdict.trace.states[-1]).Receiver.NextRec.token[0] > 0


def test_a_left_handed_philosopher_has_a_name() -> None:
    with pytest.raises(Exception, match="not symmetric"):
        explore(example("dining_philosophers", n=4, left_handed=True, rotation=True))
