"""Tables that are emptied again and again: what is found is the same."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.soak.emptied_tables import compare

from sweepcheck import Model, explore, require
from sweepcheck.engines.native import description


def alternating() -> Model:
    """An action that asks about one sum or another, by a third number: which of them is first depends on the state."""
    m = Model("alternating", f=0, x=3, z=0, n=0)

    @m.action
    def one(s: Any) -> None:
        if s.f >= 1:
            require(s.x >= 1)
        else:
            require(s.z >= 1)
        require(s.n <= 40)
        s.n += 1

    @m.action
    def raise_z(s: Any) -> None:
        require(s.z <= 3)
        s.z += 1

    @m.action
    def flag(s: Any) -> None:
        require(s.n >= 20 and s.f <= 0)
        s.f += 1

    @m.action
    def unflag(s: Any) -> None:
        require(s.f >= 1)
        s.f -= 1

    @m.action
    def lower_x(s: Any) -> None:
        require(s.x >= 1)
        s.x -= 1

    return m


@pytest.mark.parametrize("table_memory", [1, 1_000, 10_000, 1 << 30])
@pytest.mark.parametrize("workers", [1, 2])
def test_what_diamonds_learnt_of_sums(table_memory: int, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"COMPARE_ALWAYS": True, "TICK": 0.0, "SHARE_AFTER": 0, "SHARE_LEAST": 0}.items():
        monkeypatch.setattr(description, name, value)
    true = explore(alternating(), engine="reference", strategy="full").statistics
    found = explore(
        alternating(), engine="native", strategy="full", table_memory=table_memory, workers=workers
    ).statistics
    assert (found.states, found.edges) == (true.states, true.edges)


@given(st.data())
@settings(max_examples=40)
def test_random_models(data: st.DataObject) -> None:
    compare(data, Counter())
