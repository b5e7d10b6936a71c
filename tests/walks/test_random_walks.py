"""Random walks: what they find is real, the same seed finds the same, and both engines walk alike."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sweepcheck import (
    Array,
    Bag,
    Guarantee,
    Limits,
    Model,
    Status,
    SweepcheckError,
    WalkReport,
    check,
    choose,
    invariant,
    load,
    random_walks,
    require,
)
from sweepcheck.cli.main import cli
from sweepcheck.core.verdict import Stop
from sweepcheck.core.walking import WalkRandom
from sweepcheck.engines import shortening
from sweepcheck.errors import RequestError
from sweepcheck.report.json import json_schema
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.random_nets import DrawnNet, nets

ENGINES = ("native", "reference")


def numbers(report: WalkReport) -> tuple[int, ...]:
    walked = report.walked
    return walked.walks, walked.steps, walked.longest, walked.dead_ends, walked.left, walked.distinct


def grid() -> Model:
    """No bags: both engines number the edges alike."""
    m = Model("grid", x=0, y=Array([0, 0]))
    m.initial(x=[0, 1, 2])

    @m.action(i=range(2))
    def up(s: Any, i: int) -> None:
        require(s.y[i] < 30)
        s.y[i] += choose(1, 2, 3)

    @m.action
    def turn(s: Any) -> None:
        s.x = (s.x + 1) % 3

    m.invariant("apart", lambda s: abs(s.y[0] - s.y[1]) < 25)
    m.step("slow", lambda old, new, action: action != "up" or new.y[0] - old.y[0] < 4)
    m.reachable("far", lambda s: s.y[0] > 20)
    m.always_possible("home", lambda s: s.x == 0)
    return m


def test_both_engines_take_the_same_edges() -> None:
    for seed in (0, -5, 2**70):
        native, reference = (random_walks(grid(), walks=100, depth=40, seed=seed, engine=one) for one in ENGINES)
        assert numbers(native) == numbers(reference)
        assert [(v.status, v.trace) for v in native.verdicts] == [(v.status, v.trace) for v in reference.verdicts]


def test_the_same_seed_is_the_same_walk() -> None:
    one, again, other = (random_walks(grid(), walks=50, depth=30, seed=seed) for seed in (7, 7, 8))
    assert numbers(one) == numbers(again) != numbers(other)
    assert one.seed == 7
    drawn = random_walks(grid(), walks=50, depth=30)
    assert numbers(drawn) == numbers(random_walks(grid(), walks=50, depth=30, seed=drawn.seed))


def test_random_numbers_are_in_range_and_spread() -> None:
    random = WalkRandom(3, 0)
    found = [random.below(5) for _ in range(1000)]
    assert set(found) == set(range(5))
    assert all(found.count(one) > 150 for one in range(5))


@given(st.one_of(sources(), nets()))
@settings(deadline=None)
def test_what_is_found_is_real(source: Source | DrawnNet) -> None:
    """A walk only finds what `check` finds too, on either engine; its trace was replayed."""
    case = source.case()
    asked = invariant("never", lambda s: not case.predicate(s))
    limits = Limits(states=300)
    truth = check(case.model, [asked], strategy="full", limits=limits, equivalence=False)
    for engine in ENGINES:
        report = random_walks(case.model, properties=[asked], walks=30, depth=10, seed=1, engine=engine)
        verdict = report["never"]
        if verdict.status is Status.VIOLATED:
            assert verdict.guarantee is Guarantee.EXACT
            assert verdict.trace is not None
            assert truth["never"].status is not Status.HOLDS
        else:
            assert (verdict.status, verdict.guarantee) == (Status.INCONCLUSIVE, Guarantee.SAMPLED)


@pytest.mark.parametrize("engine", ENGINES)
def test_deadlocks_and_their_shortened_way(engine: str) -> None:
    report = random_walks(load("examples/dining_philosophers.py"), walks=2000, depth=100, seed=4, engine=engine)
    verdict = report["deadlock"]
    assert verdict.status is Status.VIOLATED
    assert verdict.trace is not None
    assert len(set(verdict.trace.states)) == len(verdict.trace.states)
    assert report.stop is Stop.VIOLATION
    assert report.exit_code == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_steps_assertions_and_witnesses(engine: str) -> None:
    m = Model("many", n=0, back=0)

    @m.action
    def count(s: Any) -> None:
        require(s.n < 9)
        assert s.back < 3, "gone back three times"
        s.n += 1

    @m.action
    def fall(s: Any) -> None:
        require(s.n > 2)
        s.n -= choose(1, 3)
        s.back += 1

    m.step("small steps", lambda old, new: abs(new.n - old.n) < 3)
    m.reachable("four", lambda s: s.n == 4)
    m.invariant("fine", lambda s: s.n < 10)  # stays open, so that the walks go on
    found = random_walks(m, walks=20, depth=50, seed=2, engine=engine, keep_going=True)
    assert [v.status for v in found.verdicts] == [
        Status.VIOLATED, Status.HOLDS, Status.INCONCLUSIVE, Status.VIOLATED,
    ]  # fmt: skip
    small, four, _, asserted = found.verdicts
    assert small.trace is not None
    assert small.trace.states[-2][0] - small.trace.states[-1][0] == 3
    assert four.trace is not None
    assert len(four.trace) == 4
    assert "gone back three times" in asserted.property.name
    assert asserted.trace is not None
    assert asserted.trace.states[-1][1] == 3


@pytest.mark.parametrize("engine", ENGINES)
def test_errors_of_the_model_come_with_the_way_there(engine: str) -> None:
    m = Model("broken", n=0)

    @m.action
    def count(s: Any) -> None:
        s.n += 1 + 0 // (2 - s.n)

    with pytest.raises(SweepcheckError, match="SC201") as raised:
        random_walks(m, walks=3, depth=9, seed=1, engine=engine)
    assert raised.value.trace is not None
    assert len(raised.value.trace) == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_constraints_end_a_walk(engine: str) -> None:
    m = Model("endless", n=0)

    @m.action
    def count(s: Any) -> None:
        s.n += 1

    m.invariant("small", lambda s: s.n < 7)
    m.constraint("near", lambda s: s.n < 5)
    report = random_walks(m, walks=5, depth=100, seed=1, engine=engine)
    assert report["small"].status is Status.INCONCLUSIVE
    assert (report.walked.left, report.walked.longest) == (5, 5)
    assert random_walks(m, walks=5, depth=100, seed=1, engine=engine, constraints=[])["small"].status is Status.VIOLATED


@pytest.mark.parametrize("engine", ENGINES)
def test_values_that_outgrow_their_room_on_the_way(engine: str) -> None:
    """The native engine rewrites all states when a variable needs more bits; nothing is lost on the way."""
    m = Model("growing", n=0, bag=Bag(), seen=())

    @m.action
    def grow(s: Any) -> None:
        s.n += 37
        s.bag.add(s.n % 11)

    m.invariant("sum", lambda s: s.n < 37 * 150)
    report = random_walks(m, walks=2, depth=500, seed=1, engine=engine)
    assert report["sum"].trace is not None
    assert len(report["sum"].trace) == 150
    assert report.walked.distinct == 151


def test_properties_about_cycles_are_left_out_or_refused() -> None:
    report = random_walks(grid(), walks=5, depth=5, seed=1)
    assert report["home"].guarantee is Guarantee.NONE
    assert report.exit_code == 3
    with pytest.raises(RequestError, match="SC417"):
        random_walks(grid(), properties=["home"], walks=5)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"walks": 0}, "SC403"),
        ({"walks": "many"}, "SC403"),
        ({"depth": 0}, "SC403"),
        ({"depth": 2_000_000}, "SC417"),
        ({"seed": 0.5}, "SC403"),
        ({"limits": Limits(states=5)}, "SC417"),
        ({"up_to": 5}, "SC417"),
        ({"engine": "steam"}, "SC403"),
        ({"strategy": "full"}, "SC403"),
        ({"properties": ["nothing"]}, "SC401"),
    ],
)
def test_mistakes(options: dict[str, Any], code: str) -> None:
    with pytest.raises(SweepcheckError, match=code):
        random_walks(grid(), **options)


def test_a_time_limit_ends_the_walks() -> None:
    for engine in ENGINES:
        report = random_walks(
            grid(), walks=10**9, depth=1000, seed=1, engine=engine, properties=[], limits=Limits(seconds=0.2)
        )
        assert report.stop is Stop.SECONDS
        assert report.exit_code == 3


def test_cutting_cycles_and_shortening(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shortening.without_cycles([1, 2, 3, 2, 4, 1, 5]) == [1, 5]
    assert shortening.without_cycles([1]) == [1]
    model = load("examples/peterson_broken.py")
    plain = random_walks(model, walks=1, depth=5000, seed=3)["mutual exclusion"]
    monkeypatch.setattr(shortening, "MOST_LOOKED_AT", 0)
    only_cut = random_walks(model, walks=1, depth=5000, seed=3)["mutual exclusion"]
    assert plain.trace is not None
    assert only_cut.trace is not None
    assert 6 <= len(plain.trace) <= len(only_cut.trace) <= 32


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken, fine = "examples/peterson_broken.py", "examples/peterson.py"
    saved = tmp_path / "walk.json"
    arguments = ["simulate", broken, "--walks", "100", "--depth", "50", "--seed", "1", "--save", str(saved)]
    assert cli.main(arguments, standalone_mode=False) == 1
    assert "violated" in capsys.readouterr().out
    assert cli.main(["trace", str(saved), "--model", broken], standalone_mode=False) == 0
    capsys.readouterr()
    assert cli.main(["simulate", fine, "--walks", "100", "--seed", "1", "--format", "json"], standalone_mode=False) == 3
    data = json.loads(capsys.readouterr().out)
    assert data["steps"] == 100 * 200
    assert {verdict["guarantee"] for verdict in data["verdicts"]} <= {"sampled", "none"}


@pytest.mark.parametrize(
    "arguments",
    [["--depth", "3"], ["--keep-going"], ["--walks", "3", "--random", "3"], ["--walks", "3", "--initial", "0"]],
)
def test_options_that_contradict_each_other(arguments: list[str]) -> None:
    with pytest.raises(RequestError, match="SC404"):
        cli.main(["simulate", "examples/peterson.py", *arguments], standalone_mode=False)


def test_what_is_written_is_what_the_schema_says() -> None:
    report = random_walks(grid(), walks=20, depth=40, seed=3)
    assert {verdict.guarantee for verdict in report.verdicts} >= {Guarantee.SAMPLED}
    data = json.loads(json.dumps(report.to_json()))
    jsonschema.Draft202012Validator({**json_schema(), "$ref": "#/$defs/walks"}).validate(data)
