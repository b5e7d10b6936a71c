"""Collection after every so many new states: both engines collect at the same moments."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.test_random_graphs import as_model

from sweepcheck import Limits, Measure, Model, explore, partial_order, product, progress, require
from sweepcheck.core.observer import Collected, Snapshot
from sweepcheck.errors import SweepcheckError
from sweepcheck.testing.random_graphs import ORDERS, Case, graph_cases

FIELDS = ("explored", "edges", "peak", "layers", "sweeps", "columns", "persistent", "regress_edges")
INTERVALS = (1, 2, 3, 4, 5, 7, 11)


@dataclass
class Watcher:
    """An observer that keeps what every collection came to."""

    collections: list[tuple[int, int, int]] = field(default_factory=list)

    def snapshot(self, snapshot: Snapshot) -> None:
        """Not of interest."""

    def collected(self, collected: Collected) -> None:
        self.collections.append((collected.before, collected.after, collected.explored))


def found(model: Model, **options: Any) -> Any:
    """What a run found, and what it deleted when; or the code of its error."""
    watcher = Watcher()
    try:
        report = explore(model, observer=watcher, limits=Limits(states=3_000), **options)
    except SweepcheckError as error:
        return error.code
    counts = {name: getattr(report.statistics, name) for name in FIELDS}
    return counts, [(row.progress, row.states, row.stored) for row in report.profile], watcher.collections


def same(model: Model, **options: Any) -> None:
    native, reference = (found(model, engine=engine, **options) for engine in ("native", "reference"))
    assert native == reference


def ladder(top: int = 6) -> Model:
    """Up one step, or back two."""
    m = Model("ladder", day=0, at=0)

    @m.action
    def up(s: Any) -> None:
        require(s.at < top)
        s.at += 1

    @m.action
    def slip(s: Any) -> None:
        require(s.at > 1)
        s.at -= 2

    @m.action
    def rest(s: Any) -> None:
        require(s.at == top and s.day < 2)
        s.day, s.at = s.day + 1, 0

    return m


MEASURES: dict[str, Measure] = {
    "number": progress(lambda s: s.at * 5 % 7),
    "partial": partial_order(lambda s: frozenset((s.at % 3, s.at * 5 % 7))),
    "product": product(lambda s: s.day, lambda s: s.at * 5 % 7 - s.at, lambda s: s.at * 3 % 7),
    "columns": product(progress(lambda s: s.day, monotone=True), lambda s: s.at * 5 % 7 - s.at, lambda s: s.at * 3 % 7),
}


@pytest.mark.parametrize("gc", INTERVALS)
@pytest.mark.parametrize("measure", MEASURES)
def test_several_sweeps(measure: str, gc: int) -> None:
    same(ladder(), measure=MEASURES[measure], strategy="column" if measure == "columns" else "generalised", gc=gc)


@pytest.mark.parametrize("gc", INTERVALS)
@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("order", ["number", "product"])
def test_initial_states_are_new_ones(order: str, engine: str, gc: int) -> None:
    """Where no step goes back, several sweeps are one: what is found and what is deleted is the same, at all times."""
    m = Model("days", day=0, at=0)
    m.initial(at=[0, 1, 2])

    @m.action
    def later(s: Any) -> None:
        require(s.day < 9)
        s.day += 1

    @m.action
    def higher(s: Any) -> None:
        require(s.at < 3)
        s.at += 1

    m.progress(progress(lambda s: s.day) if order == "number" else product(lambda s: s.day, lambda s: s.at))
    once, again = (found(m, strategy=strategy, engine=engine, gc=gc) for strategy in ("sweep", "generalised"))
    assert once == again


@pytest.mark.parametrize("strategy", ["sweep", "generalised", "column"])
@pytest.mark.parametrize("order", [*ORDERS, "columns"])
def test_random_graphs(order: str, strategy: str) -> None:
    if strategy == "column" and order != "columns":
        return

    @settings(max_examples=settings.default.max_examples * 3)
    @given(graph_cases(order, monotone=strategy != "generalised"), st.sampled_from(INTERVALS))
    def examples(case: Case, gc: int) -> None:
        asked = as_model(case)
        same(asked.model, measure=asked.measure, strategy=strategy, gc=gc)

    examples()
