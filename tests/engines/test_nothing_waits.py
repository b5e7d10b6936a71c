"""A violation ends a run that has states to explore. Where none waits all was seen, and everything is decided."""

import pytest

from sweepcheck import (
    Guarantee,
    Model,
    Status,
    Stop,
    always_eventually,
    always_possible,
    check,
    ctl,
    deadlock,
    explore,
    invariant,
    leads_to,
    reachable,
    require,
    step,
)

each_engine = pytest.mark.parametrize("engine", ["reference", "native"])
HOLD = [
    invariant("small", lambda s: s.n <= 5),
    reachable("five", lambda s: s.n == 5),
    reachable("nine", lambda s: s.n == 9),
    step("up", lambda old, new: new.n >= old.n),
]
CYCLES = [
    always_possible("last", lambda s: s.n == 5),
    always_eventually("ends", lambda s: s.n == 5),
    always_possible("first", lambda s: s.n == 0),
    leads_to("goes on", lambda s: s.n == 2, lambda s: s.n == 4),
]


def line(last: int = 5, stays: bool = False) -> Model:
    """A run of `last` steps, into a dead state or one that only leads to itself."""
    m = Model("line", n=0)

    @m.action
    def go(s):
        require(s.n < last)
        s.n += 1

    if stays:

        @m.action
        def stay(s):
            require(s.n == last)
            s.n = last

    m.progress(lambda s: s.n)
    return m


def statuses(report) -> dict[str, str]:
    assert all(one.guarantee is Guarantee.EXACT for one in report.verdicts)
    return {one.property.name: str(one.status) for one in report.verdicts}


@each_engine
@pytest.mark.parametrize("strategy", ["full", "sweep", "generalised", "caching"])
@pytest.mark.parametrize("workers", [1, 3])
def test_the_last_state_is_dead(engine: str, strategy: str, workers: int) -> None:
    report = check(line(), [deadlock(), *HOLD], engine=engine, strategy=strategy, workers=workers)
    found = statuses(report)
    assert found == {"deadlock": "violated", "small": "holds", "five": "holds", "nine": "violated", "up": "holds"}
    assert report.stop is None
    assert report.complete
    assert report.exit_code == 1
    assert report["deadlock"].trace is not None


@each_engine
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_cycles_are_decided_as_well(engine: str, strategy: str) -> None:
    found = statuses(check(line(), [deadlock(), *CYCLES], engine=engine, strategy=strategy))
    assert found == {
        "deadlock": "violated", "last": "holds", "ends": "holds", "first": "violated", "goes on": "holds"
    }  # fmt: skip


@each_engine
@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_a_violation_by_a_cycle_is_found_when_all_was_explored(engine: str, strategy: str) -> None:
    asked = [always_eventually("first again", lambda s: s.n == 7), *HOLD, *CYCLES, ctl("tree", "AG EF {s.n == 5}")]
    found = statuses(check(line(stays=True), asked, engine=engine, strategy=strategy))
    assert found == {
        "first again": "violated", "small": "holds", "five": "holds", "nine": "violated", "up": "holds",
        "last": "holds", "ends": "holds", "first": "violated", "goes on": "holds", "tree": "holds",
    }  # fmt: skip


@each_engine
@pytest.mark.parametrize("strategy", ["full", "sweep", "caching"])
def test_the_last_step_leads_to_a_known_state(engine: str, strategy: str) -> None:
    asked = [step("moves", lambda old, new: new.n != old.n), *HOLD]
    found = statuses(check(line(stays=True), asked, engine=engine, strategy=strategy))
    assert found == {"moves": "violated", "small": "holds", "five": "holds", "nine": "violated", "up": "holds"}


@each_engine
@pytest.mark.parametrize("strategy", ["full", "sweep", "generalised", "caching"])
def test_where_states_wait_the_run_ends(engine: str, strategy: str) -> None:
    """Two branches: one is dead at once, the other goes on for long."""
    m = Model("fork", n=0)

    @m.action
    def turn(s):
        require(s.n == 0)
        s.n = 1

    @m.action
    def go(s):
        require(s.n == 0 or 2 <= s.n < 400)
        s.n = max(2, s.n + 1)

    m.progress(lambda s: s.n)
    report = check(m, [deadlock(), invariant("small", lambda s: s.n < 390)], engine=engine, strategy=strategy)
    if strategy == "caching":  # whichever branch it goes down first
        assert {str(one.status) for one in report.verdicts} <= {"violated", "inconclusive"}
        return
    assert report.stop is Stop.VIOLATION
    assert (report["deadlock"].status, report["small"].status) == (Status.VIOLATED, Status.INCONCLUSIVE)
    assert "--keep-going" in str(report["small"].reason)


@each_engine
def test_a_state_that_was_found_and_not_processed_waits(engine: str) -> None:
    report = check(line(), [invariant("low", lambda s: s.n < 5), deadlock()], engine=engine)
    assert report.stop is Stop.VIOLATION
    assert report["deadlock"].status is Status.INCONCLUSIVE


@each_engine
def test_one_property_that_is_violated_ends_the_run_as_ever(engine: str) -> None:
    report = check(line(), [deadlock()], engine=engine)
    assert report.stop is Stop.VIOLATION
    assert check(line(), [deadlock(), *HOLD], engine=engine, keep_going=True).stop is None


def test_what_fails_afterwards_does_not_hide_the_violation() -> None:
    """What is asked of cycles is looked at last: its error is none of a run that the violation would have ended."""
    fails = always_possible("fails", lambda s: 1 // (5 - s.n) > 9)
    report = check(line(), [deadlock(), fails], engine="reference")
    assert report["deadlock"].status is Status.VIOLATED
    assert report["fails"].status is Status.INCONCLUSIVE


@each_engine
def test_constraints_and_bounds(engine: str) -> None:
    m = line(9)
    m.constraint("low", lambda s: s.n < 5)
    asked = [always_eventually("seven", lambda s: s.n == 7), invariant("small", lambda s: s.n < 6)]
    report = check(m, asked, engine=engine)
    assert report["small"]
    assert report["small"].within == ("low",)
    violated = check(m, [step("low", lambda old, new: new.n < 5), asked[1]], engine=engine)
    assert violated["small"].status is Status.INCONCLUSIVE  # what the step leads to was not looked at


@each_engine
def test_equivalence(engine: str) -> None:
    m = line()
    m.equivalence(lambda s: s.n)
    report = check(m, [deadlock(), *HOLD], engine=engine, verify_equivalence=True)
    assert statuses(report)["small"] == "holds"
    assert explore(m, engine=engine).complete
