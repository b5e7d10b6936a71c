"""Random functions in files of CPN Tools: explored, they have every outcome; simulated, they are drawn."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from statistics import mean, variance

import pytest
from cpn_files import Page, Place, Transition, write_cpn

from sweepcheck import check, explore, invariant, load
from sweepcheck.core.chance import drawing
from sweepcheck.errors import SweepcheckError
from sweepcheck.models.cpn.ml.library import named
from sweepcheck.simulation import End, Simulation

COLOURS = "colset C = int with 1..3; colset R = real; colset T = int timed; var n : INT; var t : T;"


def drawn(folder: Path, declarations: str, *puts: str, time: str = "", of: str = "INT", marking: str = "1`2") -> str:
    """The file of a net with one transition, which takes a number and puts what `puts` say."""
    places = [Place("A", "INT", marking), *(Place(f"B{number}", of) for number in range(len(puts)))]
    arcs = ["A -> T : n", *(f"T -> B{number} : {text}" for number, text in enumerate(puts))]
    return str(write_cpn(folder, COLOURS + declarations, Page("Top", places, [Transition("T", time=time)], arcs)))


def counts(path: str) -> tuple[int, int]:
    """States and edges, the same by both engines, and as many edges as different labels."""
    native, reference = (explore(load(path), engine=engine) for engine in ("native", "reference"))
    found = native.statistics.states, native.statistics.edges
    assert found == (reference.statistics.states, reference.statistics.edges)
    model = load(path)
    edges = model.edges(model.initial_states()[0])
    assert len({str(edge.label) for edge in edges}) == len(edges)
    return found


@pytest.mark.parametrize(
    ("declarations", "puts", "found"),
    [
        ("", ["C.ran()", "C.ran()"], (10, 9)),
        ("", ["discrete(1, n)"], (3, 2)),
        ("", ["discrete(0, 1) + discrete(0, 1)"], (4, 4)),
        ("", ["if bernoulli(0.5) = 1 then 1`n else empty"], (3, 2)),
        ("", ["bernoulli(1.0)"], (2, 1)),
        ("", ["binomial(3, 0.5)"], (5, 4)),
        ("fun ok p = uniform(0.0, 1.0) <= p;", ["if ok 0.3 then 1 else if ok 0.5 then 2 else 3"], (4, 3)),
        ("fun kind x = if x < 0.2 then 1 else if x < 0.1 then 2 else 3;", ["kind (uniform(0.0, 1.0))"], (3, 2)),
        ("fun kind x = if x < 0.2 then 1 else if x > 0.5 then 2 else 3;", ["kind (uniform(0.0, 1.0))"], (4, 3)),
        ("fun kind x = if x < 50.0 then 1 else 2;", ["kind (100.0 * uniform(0.0, 1.0))"], (3, 2)),
        ("fun kind x = if 3.0 < ~x + 1.0 then 1 else 2;", ["kind (uniform(0.0, 1.0))"], (2, 1)),
        ("fun kind x = if x < 3.0 then 1 else 2;", ["kind (exponential(0.1))"], (3, 2)),
        ("", ["if normal(0.0, 1.0) > real n then 1`n else empty"], (3, 2)),
        ("", ["floor(uniform(0.0, 4.0))"], (5, 4)),
        ("", ["round(uniform(0.0, 2.0))"], (4, 3)),
        ("", ["ceil(uniform(0.0, 1.0) * 3.0)"], (4, 3)),
        ("", ["trunc(uniform(~1.5, 1.5))"], (4, 3)),
        ("fun kind x = floor x + (if x < 1.5 then 10 else 20);", ["kind (uniform(0.0, 2.0))"], (4, 3)),
        ("fun all 0 = [] | all k = discrete(0, 1) :: all (k - 1);", ["foldr op+ 0 (all n)"], (4, 4)),
        ("", ["foldr op+ 0 (List.map (fn k => discrete(0, k)) [1, 1])"], (4, 4)),
    ],
)
def test_every_outcome_is_explored(tmp_path: Path, declarations: str, puts: list[str], found: tuple[int, int]) -> None:
    assert counts(drawn(tmp_path, declarations, *puts)) == found


def test_a_delay_is_drawn_once_for_all_tokens(tmp_path: Path) -> None:
    path = drawn(tmp_path, "", "n", "n", time="@+discrete(1, 2)", of="T")
    assert counts(path) == (3, 2)


def test_the_answer_says_that_draws_are_explored(tmp_path: Path) -> None:
    path = drawn(tmp_path, "", "if uniform(0.0, 1.0) < 0.5 then C.ran() else 1")
    report = check(load(path), [invariant("small", lambda m: all(n < 3 for n in m["Top'B0 1"]))])
    assert "random draws are explored as every outcome: C.ran, uniform" in report.warnings
    (verdict,) = report.verdicts
    assert str(verdict.status) == "violated"
    assert str(verdict.trace.steps[-1].label) == "Top'T 1: {n=2,random1=0..0.5,random2=3}"
    assert not any("random" in one for one in explore(load(drawn(tmp_path, "", "n"))).warnings)


@pytest.mark.parametrize(
    ("text", "of", "message"),
    [
        ("uniform(0.0, 1.0)", "R", "uniform(0.0, 1.0) has no end of values, and is used as it is"),
        ("round(exponential(0.1))", "INT", "exponential(0.1) has no end of values, and has too many whole values"),
        ("poisson(2.0)", "INT", "poisson(2.0) has no end of values"),
        ("discrete(1, 100000)", "INT", "discrete(1, 100000) has 100,000 values"),
        ("discrete(2, 1)", "INT", "discrete(2, 1) has 0 values"),
        ("floor(Math.ln(uniform(0.1, 1.0)))", "INT", "is used as it is"),
        ("if uniform(0.0, 1.0) < uniform(0.0, 1.0) then 1 else 2", "INT", "meets uniform(0.0, 1.0)"),
        ("if uniform(0.0, 1.0) * uniform(0.0, 1.0) < 0.5 then 1 else 2", "INT", "meets uniform(0.0, 1.0)"),
        ("String.size (Real.toString (uniform(0.0, 1.0)))", "INT", "is used as it is"),
    ],
)
def test_what_has_no_end_is_refused_by_name(tmp_path: Path, text: str, of: str, message: str) -> None:
    path = drawn(tmp_path, "", text, of=of)
    for engine in ("native", "reference"):
        with pytest.raises(SweepcheckError) as caught:
            explore(load(path), engine=engine)
        assert caught.value.code == "SC142"
        assert message in caught.value.what
        assert "transition Top'T 1" in str(caught.value)


def test_a_simulation_draws_by_its_seed(tmp_path: Path) -> None:
    path = drawn(tmp_path, "", "round(exponential(0.1)) + poisson(3.0)", "discrete(1, 100000)", marking="20`1")
    first, again, other = (Simulation(load(path), seed=seed) for seed in (1, 1, 2))
    assert [one.run(20) for one in (first, again, other)] == [End.DEAD] * 3
    assert first.trace.states == again.trace.states != other.trace.states
    assert len({str(step.label) for step in first.trace.steps}) > 10


def test_a_simulation_may_draw_delays_and_reals(tmp_path: Path) -> None:
    path = drawn(tmp_path, "", "n", time="@+round(normal(100.0, 4.0))", of="T", marking="30`1")
    simulation = Simulation(load(path), seed=4)
    assert simulation.run(100) is End.DEAD
    path = drawn(tmp_path, "", "uniform(2.0, 3.0)", of="R")
    simulation = Simulation(load(path), seed=4)
    simulation.run(1)
    (held,) = simulation.system.view(simulation.state)["Top'B0 1"]
    assert 2.0 <= held < 3.0


@pytest.mark.parametrize(
    ("name", "arguments", "expected", "spread"),
    [
        ("discrete", (1, 6), 3.5, 35 / 12),
        ("bernoulli", (0.25,), 0.25, 0.1875),
        ("binomial", (10, 0.5), 5, 2.5),
        ("poisson", (3.0,), 3, 3),
        ("uniform", (1.0, 4.0), 2.5, 0.75),
        ("exponential", (0.5,), 2, 4),
        ("normal", (10.0, 4.0), 10, 4),
        ("erlang", (3, 0.5), 6, 12),
        ("chisq", (4,), 4, 8),
        ("student", (8,), 0, 8 / 6),
        ("beta", (2.0, 2.0), 0.5, 0.05),
        ("gamma", (0.5, 3.0), 6, 12),
        ("weibull", (2.0, 1.0), 2, 4),
        ("rayleigh", (2.0,), 2 * math.sqrt(math.pi / 2), (2 - math.pi / 2) * 4),
    ],
)
def test_draws_are_distributed_as_they_are_called(
    name: str, arguments: tuple[float, ...], expected: float, spread: float
) -> None:
    function = named(name)
    with drawing(Random(7)):
        found = [function(*arguments) for _ in range(20_000)]
    assert mean(found) == pytest.approx(expected, abs=4 * math.sqrt(spread / 20_000))
    assert variance(found) == pytest.approx(spread, rel=0.12)


@pytest.mark.parametrize("text", ["exponential(0.0)", "normal(0.0, ~1.0)", "uniform(2.0, 1.0)", "bernoulli(1.5)"])
def test_parameters_that_make_no_sense(tmp_path: Path, text: str) -> None:
    path = drawn(tmp_path, "", text, of="INT" if "bernoulli" in text else "R")
    with pytest.raises(SweepcheckError) as caught:
        Simulation(load(path), seed=1).run(1)
    assert caught.value.code == "SC125"
    assert "exception Domain" in str(caught.value)
