"""The minimal values among those that come and go: as many as a comparison of all with all finds."""

from random import Random

import pytest

from sweepcheck import Model, Set, explore, partial_order, require
from sweepcheck.core.values import sort_key
from sweepcheck.engines.antichain import Antichain


@pytest.mark.parametrize("seed", range(30))
def test_the_least_is_the_first_minimal_one(seed: int) -> None:
    random = Random(seed)
    measure = partial_order(lambda s: s)
    found, there = Antichain(measure), set()
    for _ in range(120):
        value = frozenset(random.sample(range(5), random.randint(0, 5)))
        if value in there:
            there.remove(value)
            found.remove(value)
        else:
            there.add(value)
            found.add(value)
        assert len(found) == len(there)
        minimal = [one for one in there if not any(other < one for other in there)]
        if minimal:
            assert found.least() == min(minimal, key=sort_key)


def cards(count: int, asked: list[int]) -> Model:
    m = Model("cards", held=Set())

    @m.action(i=range(count))
    def draw(s, i):
        require(i not in s.held)
        s.held.add(i)

    def leq(one: frozenset[int], other: frozenset[int]) -> bool:
        asked[0] += 1
        return one <= other

    m.progress(partial_order(lambda s: frozenset(s.held), leq))
    return m


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_waiting_values_are_not_compared_anew_for_each_layer(engine: str) -> None:
    """512 values: 3.5 million comparisons, where each layer compares all that wait with each other."""
    asked = [0]
    report = explore(cards(9, asked), engine=engine)
    assert (report.statistics.states, report.statistics.peak) == (512, 257)
    assert asked[0] < 100_000
