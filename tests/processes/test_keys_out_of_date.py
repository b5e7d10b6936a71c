"""Values of a part that come one after the other in a single step, and leave no room between the labels of others."""

from typing import Any

import pytest

from sweepcheck import Array, Limits, Model, explore, product, progress, require


def climber(top: int = 20) -> Model:
    m = Model("climber", day=0, at=0)

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


def parts(count: int) -> list[Any]:
    return [lambda s, i=i: (s.at * i) % 7 - s.at * (i % 2) for i in range(1, count + 1)]


@pytest.mark.parametrize("count", [1, 3, 20, 70])  # keys of one word, and of several
@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize("gc", ["layer", 3])
def test_what_keys_stand_for_is_read_before_they_are_out_of_date(gc: str | int, columns: bool, count: int) -> None:
    days = [progress(lambda s: s.day, monotone=True)] if columns else [lambda s: s.day]
    found = [
        explore(
            climber(),
            measure=product(*days, *parts(count)),
            strategy="column" if columns else "generalised",
            engine=engine,
            gc=gc,
            limits=Limits(states=3_000),
        )
        for engine in ("reference", "native")
    ]
    one, other = (
        [
            getattr(report.statistics, what)
            for what in ("explored", "edges", "peak", "layers", "sweeps", "columns", "persistent")
        ]
        + [[(row.progress, row.states, row.stored) for row in report.profile]]
        for report in found
    )
    assert one == other


def workshop(jobs: int) -> Model:
    m = Model("workshop", given=0, busy=Array([0] * 3))

    @m.action(w=range(3))
    def give(s: Any, w: int) -> None:
        require(s.given < jobs and s.busy[w] == 0)
        s.given, s.busy[w] = s.given + 1, 1

    @m.action(w=range(3))
    def work(s: Any, w: int) -> None:
        require(s.busy[w] > 0)
        s.busy[w] = (s.busy[w] + 1) % 4

    return m


@pytest.mark.parametrize("jobs", [15, 20, 40, 70])  # numbers that need one bit more
def test_states_ahead_of_their_turn_give_no_value_its_number(jobs: int) -> None:
    """A pattern answered for a state that was expanded ahead, and nobody asked for room for the number it brought."""
    measure = product(progress(lambda s: s.given, monotone=True), lambda s: sum(s.busy))
    one, other = (
        explore(workshop(jobs), measure=measure, strategy="column", engine=engine).statistics
        for engine in ("reference", "native")
    )
    assert [one.explored, one.edges, one.peak, one.sweeps] == [other.explored, other.edges, other.peak, other.sweeps]
