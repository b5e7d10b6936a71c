"""What is said about a measure that did not help, and about one that did nothing wrong."""

import pytest

from sweepcheck import Array, Limits, Model, explore, require
from sweepcheck.report.advice import about_measure
from sweepcheck.report.measure_advice import measure_advice
from sweepcheck.strategies.exploration import STRATEGIES


def climb(top: int = 15) -> Model:
    """Two counters that go up."""
    m = Model("grid", count=Array([0, 0]), going=True)

    @m.action(i=range(2))
    def up(s, i):
        require(s.count[i] < top)
        s.count[i] += 1

    return m


def grid(top: int = 15) -> Model:
    """The counters may be set back."""
    m = climb(top)

    @m.action(i=range(2))
    def down(s, i):
        require(s.count[i] > 0)
        s.count[i] -= 1

    return m


def advice(model: Model, measure, strategy: str = "sweep", engine: str = "native", **more):
    report = explore(model, measure=measure, strategy=strategy, engine=engine, **more)
    return measure_advice(STRATEGIES[strategy], report.statistics, report.regressing, report.stop)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_half_of_the_edges_go_back(engine: str) -> None:
    found = advice(grid(), lambda s: sum(s.count), "generalised", engine)
    assert found is not None
    assert "50 % of the edges" in found.what
    assert "'down'" in found.what
    assert "--strategy full" in found.help


def test_progress_that_is_always_the_same() -> None:
    found = advice(climb(), lambda s: s.going)
    assert found is not None
    assert "the same in all 256 states" in found.what


def test_nearly_all_states_are_stored_at_once() -> None:
    found = advice(climb(), lambda s: s.count[0] + s.count[1] >= 30)
    assert found is not None
    assert "100 % of the states were stored at once" in found.what


def test_a_measure_that_helps() -> None:
    assert advice(climb(), lambda s: sum(s.count)) is None


def test_a_measure_that_goes_back_seldom() -> None:
    m = climb()

    @m.action
    def restart(s):
        require(sum(s.count) == 30)
        s.count[0] = 0

    assert advice(m, lambda s: sum(s.count), "generalised") is None


def test_a_small_model_is_left_alone() -> None:
    assert advice(grid(5), lambda s: 0) is None


def test_without_a_sweep_there_is_nothing_to_say() -> None:
    assert advice(grid(), lambda s: 0, "full") is None


def test_a_run_that_ended_before_it_got_anywhere() -> None:
    assert advice(climb(100), lambda s: sum(s.count) // 100, limits=Limits(states=500)) is None


def test_a_run_that_ended_after_many_layers() -> None:
    found = advice(climb(100), lambda s: 200 - sum(s.count), "generalised", limits=Limits(states=500))
    assert found is not None


def together(s):
    """One function of all cells, which nobody can take apart."""
    return sum(cell if isinstance(cell, int) else 0 for cell in s.x)


def cells(count: int = 6, top: int = 3) -> Model:
    m = Model("cells", x=Array([0] * count), y=0)

    @m.action(i=range(count))
    def up(s, i) -> None:
        require(s.x[i] < top)
        s.x[i] += 1

    return m


def advised(measure) -> str | None:
    found = about_measure(explore(cells(), measure=measure, strategy="sweep", engine="native"))
    return next((str(one) for one in found), None)


def test_a_measure_that_is_run_for_every_combination() -> None:
    line = advised(together)
    assert line is not None
    assert "the measure needs a run for every combination of x" in line
    assert "4,096 runs, and a table of" in line
    assert "what `isinstance` does cannot be seen" in line
    assert len(line.splitlines()) == 1


def test_a_summand_that_is_run_for_every_combination() -> None:
    line = advised(lambda s: s.y + max(s.x))
    assert line is not None
    assert line.startswith("a summand of the measure needs a run for every combination of x: 4,096 runs")


@pytest.mark.parametrize(
    ("measure", "why"),
    [
        (lambda s: max(s.x) * (1 + s.y), "it is one function of them together"),
        (lambda s: sum(s.x) + 0.5, "its numbers are too large, or no whole numbers"),
        (lambda s: sum(s.x[: s.y + 2]) + sum(s.x) + max(s.x), "needs a value there and then"),
        (lambda s: tuple(s.x), "it has more than 4 parts"),
        (lambda s: s.x.__len__() + sum(s.x), "what `.__len__` does cannot be seen"),
    ],
)
def test_what_stands_in_the_way_of_a_sum(measure, why) -> None:
    line = advised(measure)
    assert line is not None
    assert why in line
    assert "write it as a sum of terms" in line


def test_no_advice_on_a_sum() -> None:
    assert advised(lambda s: sum(s.x)) is None
    assert advised(lambda s: sum(cell * cell for cell in s.x)) is None
    assert advised(lambda s: s.x[0]) is None
