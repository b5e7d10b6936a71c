"""Where a model fails, the way there is told: by `explore` too, and an assertion is no error in a simulation."""

import pytest

from sweepcheck import End, Limits, Model, Simulation, SweepcheckError, check, explore, require
from sweepcheck.core.property import Kind

ENGINES = pytest.mark.parametrize("engine", ["reference", "native"])


def failing(how: str) -> Model:
    m = Model("failing", n=0, detour=0)

    @m.action
    def tick(s):
        require(s.n < 9)
        if s.n == 3 and how == "raise":
            s.n = 1 // (s.n - 3)
        assert s.n != 3 or how != "assert", "three is too many"
        s.n += 1

    @m.action
    def wander(s):
        require(s.n < 3 and s.detour < 2)
        s.detour += 1

    m.deadlock(final=lambda s: s.n == 9)
    return m


@ENGINES
@pytest.mark.parametrize("options", [{}, {"measure": "n"}, {"strategy": "caching", "cache_size": 3}, {"workers": 2}])
def test_explore_tells_the_way_to_an_exception(engine, options):
    with pytest.raises(SweepcheckError) as caught:
        explore(failing("raise"), engine=engine, **options)
    error = caught.value
    assert error.code == "SC201"
    assert [step["action"] for step in error.path["steps"]].count("tick") == 3
    assert "the way there" in str(error)
    assert isinstance(error.__cause__, ZeroDivisionError)


@ENGINES
def test_explore_shows_the_way_to_an_assertion(engine):
    (verdict,) = explore(failing("assert"), engine=engine).verdicts
    assert verdict.property.kind is Kind.ASSERTION
    assert [step.label.action for step in verdict.trace.steps].count("tick") == 3


@ENGINES
def test_no_second_run_where_nothing_failed(engine, monkeypatch):
    monkeypatch.setattr("sweepcheck.api._explore_again", pytest.fail)
    assert explore(failing("no"), engine=engine).complete
    assert not explore(failing("no"), engine=engine, limits=Limits(states=3)).complete


def test_an_assertion_in_a_simulation():
    simulation = Simulation(failing("assert"), seed=1)
    for _ in range(3):
        simulation.step("tick")
    assert simulation.enabled == ()
    (violated,) = simulation.violated  # and not the deadlock: nobody knows what could happen here
    assert violated.kind is Kind.ASSERTION
    assert violated == check(failing("assert")).verdicts[-1].property
    assert simulation.run(5) is End.VIOLATED
    simulation.undo()
    assert simulation.violated == ()
    simulation.reset()
    assert simulation.run(100) is End.VIOLATED
    assert "assertion" in simulation._repr_html_()


def test_another_exception_in_a_simulation_is_an_error():
    simulation = Simulation(failing("raise"))
    for _ in range(3):
        simulation.step("tick")
    with pytest.raises(SweepcheckError, match="SC201"):
        _ = simulation.enabled


@ENGINES
def test_layers_are_in_the_report(engine):
    report = explore(failing("no"), engine=engine, measure="n")
    layers = report.to_json()["profile"]
    assert [layer["progress"] for layer in layers] == list(range(10))
    assert sum(layer["states"] for layer in layers) == report.statistics.states
    assert max(layer["stored"] for layer in layers) <= report.statistics.peak
