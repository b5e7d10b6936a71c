"""Runs that are stopped wherever a run can be: gone on with, they come to what they would have come to."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.survival.test_checkpoints import WAYS, facts, protocol

from sweepcheck import (
    Limits,
    Model,
    Report,
    Status,
    Stop,
    SweepcheckError,
    always_eventually,
    check,
    choose,
    deadlock,
    invariant,
    reachable,
    require,
    state_space_report,
)
from sweepcheck.engines.native import description
from sweepcheck.testing.interruptions import interrupted_at
from sweepcheck.testing.random_models import MEASURES, Source, sources

OPEN = (Stop.STATES, Stop.INTERRUPTED, Stop.SECONDS, Stop.MEMORY, Stop.DISK)
STRATEGIES = ("full", "sweep", "generalised")


@pytest.fixture(autouse=True)
def shared_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small models have work for several workers too."""
    monkeypatch.setattr(description, "SHARE_AFTER", 0)
    monkeypatch.setattr(description, "SHARE_LEAST", 0)


def six() -> Model:
    m = Model("six", x=0, y=0)
    m.initial(x=range(6))

    @m.action
    def go(s: Any) -> None:
        require(s.y < s.x)
        s.y += 1

    m.progress(lambda s: s.x + s.y)
    return m


def chosen() -> Model:
    """Initial states of several layers, some of them found several times."""
    m = Model("chosen", x=0, y=0)

    @m.start
    def begin(s: Any) -> None:
        s.x = choose(range(4))
        s.y = choose(range(4)) // 2

    @m.action
    def go(s: Any) -> None:
        require(s.x < 5)
        s.x += 1

    @m.action
    def turn(s: Any) -> None:
        s.y = 1 - s.y

    m.progress(lambda s: s.x)
    return m


def states_found(report: Report) -> int:
    numbers = report.statistics
    return numbers.explored + numbers.unprocessed + numbers.beyond


def check_stopped(stopped: Report, whole: Report) -> None:
    """What a run says that was stopped is true."""
    for one, other in zip(stopped.verdicts, whole.verdicts, strict=True):
        if Status.INCONCLUSIVE not in (one.status, other.status):
            assert one.status is other.status, one
    assert states_found(stopped) <= states_found(whole)


def check_same(found: Report, whole: Report) -> None:
    """A run that was stopped and gone on with comes to the same as the whole one. Where both end as something is
    decided, the states of the last batch may differ.
    """
    ends = (Stop.DECIDED, Stop.VIOLATION)
    if found.stop in ends and whole.stop in ends:
        assert found.stop is whole.stop
        if whole.stop is Stop.DECIDED:
            assert [one.status for one in found.verdicts] == [one.status for one in whole.verdicts]
        else:
            assert any(one.status is Status.VIOLATED for one in found.verdicts)
    else:
        assert facts(found) == facts(whole)


def goes_on(make: Any, asked: Any, most: Iterator[int], **options: Any) -> None:
    """Let a run stop at so many states, again and again."""
    whole = check(make(), asked(), **options)
    with TemporaryDirectory() as folder:
        for states in most:
            report = check(make(), asked(), limits=Limits(states=states), checkpoint=folder, **options)
            if report.stop is not Stop.STATES:
                check_same(report, whole)
                return
            check_stopped(report, whole)
        check_same(check(make(), asked(), checkpoint=folder, **options), whole)


def test_a_run_stopped_among_its_initial_states_finds_the_others(tmp_path: Path) -> None:
    asked = [invariant("small", lambda s: s.x < 5)]
    stopped = check(six(), asked, limits=Limits(states=3), checkpoint=tmp_path)
    assert stopped.stop is Stop.STATES
    found = check(six(), asked, checkpoint=tmp_path)
    assert found.verdicts[0].status is Status.VIOLATED
    assert facts(found) == facts(check(six(), asked))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("make", [six, chosen])
def test_every_limit_on_states(make: Any, strategy: str, workers: int) -> None:
    def asked() -> list[Any]:
        return [invariant("small", lambda s: s.x < 4), reachable("all", lambda s: s.x + s.y == 4), deadlock()]

    options: dict[str, Any] = {"strategy": strategy, "workers": workers, "keep_going": True}
    states = states_found(check(make(), asked(), **options))
    for most in range(1, states + 1, 2):
        goes_on(make, asked, iter([most]), **options)
    goes_on(make, asked, iter(range(1, states)), **options)
    goes_on(make, asked, iter(range(1, states, 3)), **{**options, "keep_going": False})


@pytest.mark.parametrize("strategy", ["full", "sweep"])
def test_every_limit_where_initial_states_are_equivalent(strategy: str) -> None:
    def alike() -> Model:
        m = chosen()
        m.equivalence(lambda s: (s.x, 0))
        return m

    options: dict[str, Any] = {"strategy": strategy, "trace": False}
    for most in range(1, 7):
        goes_on(alike, list, iter([most]), **options)


# -- Ctrl-C, wherever Python is asked ---------------------------------------------------------------------------------


def interrupted(make: Any, asked: Any, calls: list[int], every: float, **options: Any) -> None:
    """Interrupt a run at so many calls of functions from where it stands, again and again, and let it go on."""
    whole = check(make(), asked(), **options)
    with TemporaryDirectory() as folder:
        for call in calls:
            with interrupted_at(call):
                try:
                    report = check(make(), asked(), checkpoint=folder, checkpoint_every=every, **options)
                except KeyboardInterrupt:  # after the run
                    continue
            check_stopped(report, whole)
        check_same(check(make(), asked(), checkpoint=folder, **options), whole)


def calls_of(make: Any, asked: Any, **options: Any) -> int:
    with TemporaryDirectory() as folder, interrupted_at(None) as calls:
        check(make(), asked(), checkpoint=folder, checkpoint_every=0, **options)
    return calls.made


@pytest.mark.parametrize(("strategy", "measure"), WAYS)
def test_ctrl_c_anywhere(strategy: str, measure: str) -> None:
    def make() -> Model:
        return protocol(measure, most=3)

    def asked() -> list[Any]:
        return [invariant("few", lambda s: len(s.net) < 3), reachable("never", lambda s: s.got == 99), deadlock()]

    options: dict[str, Any] = {"strategy": strategy, "keep_going": True, "workers": 1}
    calls = calls_of(make, asked, **options)
    for call in range(1, calls, max(1, calls // 4)):
        interrupted(make, asked, [call, call // 2 + 1], every=0 if call % 2 else 600, **options)


def test_ctrl_c_while_cycles_are_looked_for() -> None:
    def asked() -> list[Any]:
        return [always_eventually("zero", lambda s: s.y == 0), invariant("small", lambda s: s.x < 9)]

    options: dict[str, Any] = {"strategy": "sweep", "keep_going": True}
    for call in range(1, calls_of(chosen, asked, **options), 151):
        interrupted(chosen, asked, [call], every=0, **options)
        interrupted(chosen, asked, [call], every=600, **options)


def test_ctrl_c_while_a_report_is_made() -> None:
    whole = state_space_report(chosen(), strategy="sweep")
    for call in range(1, 200, 29):
        with TemporaryDirectory() as folder:
            options: dict[str, Any] = {"strategy": "sweep", "checkpoint": folder}
            with interrupted_at(call):
                state_space_report(chosen(), checkpoint_every=0, **options)
            assert state_space_report(chosen(), **options).survey == whole.survey


def test_ctrl_c_after_a_violation_does_not_undo_it(tmp_path: Path) -> None:
    asked = [invariant("none", lambda s: s.x < 0), reachable("never", lambda s: s.x > 99)]
    for call in range(1, calls_of(six, lambda: asked), 5):
        folder = tmp_path / str(call)
        with interrupted_at(call):
            stopped = check(six(), asked, checkpoint=folder)
        found = check(six(), asked, checkpoint=folder)
        assert found.stop is Stop.VIOLATION, (call, stopped.stop)


# -- random models ----------------------------------------------------------------------------------------------------


def drawn_stop(data: st.DataObject, source: Source, strategy: str) -> None:
    """Stop a random model's run at random moments."""

    def make() -> Any:
        return source.case().kit["model"]

    def asked() -> list[Any]:
        return [invariant("true", source.case().kit["predicate"]), deadlock(), reachable("no", lambda s: False)]

    options: dict[str, Any] = {
        "strategy": strategy,
        "engine": "native",
        "keep_going": data.draw(st.booleans()),
        "workers": data.draw(st.sampled_from((1, 1, 2))),
    }
    by_states, every = data.draw(st.booleans()), data.draw(st.sampled_from((0, 600)))
    stops = sorted(data.draw(st.lists(st.integers(1, 1000), min_size=1, max_size=4)))  # in thousandths of the run
    with patch.object(description, "BATCH_SIZE", data.draw(st.sampled_from((1, 3, 64)))):
        try:
            whole = check(make(), asked(), limits=Limits(states=2_000), **options)
        except SweepcheckError:
            return
        if whole.stop is Stop.STATES:
            return
        if by_states:
            goes_on(make, asked, iter([1 + states_found(whole) * stop // 1000 for stop in stops]), **options)
        else:
            calls = calls_of(make, asked, **options)
            interrupted(make, asked, [1 + calls * stop // 1000 for stop in stops], every, **options)


@given(st.data())
@settings(max_examples=20)
def test_random_models_stopped_at_random_moments(data: st.DataObject) -> None:
    strategy = data.draw(st.sampled_from(STRATEGIES))
    order = data.draw(st.sampled_from([*MEASURES])) if strategy != "full" else None
    drawn_stop(data, data.draw(sources(order, strategy == "sweep", constrained=True)), strategy)
