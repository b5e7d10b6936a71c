"""Canonical states by both engines: the same classes, edges and verdicts, and traces that are runs of the model."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest
from test_permutable_colours import beats, letters, pairs
from test_symmetric_models import Drawn, drawn_model

from sweepcheck import (
    Array,
    Limits,
    Model,
    Queue,
    Report,
    SweepcheckError,
    always_eventually,
    always_possible,
    check,
    explore,
    invariant,
    reachable,
    require,
    state_space_report,
)
from sweepcheck.engines.native import description
from sweepcheck.models.adoption import adopt

SEEDS = range(200, 214)
FIGURES = ("states", "edges", "labelled_edges", "dead_states", "classes")
STRATEGIES: tuple[dict[str, Any], ...] = (
    {"strategy": "full"},
    {"strategy": "caching", "cache_size": 1000},
    {"strategy": "sweep", "measure": lambda s: 0},
    {"strategy": "generalised", "measure": lambda s: s.spare},
    {"strategy": "generalised", "measure": lambda s: sum(s.at)},
    {"strategy": "generalised", "measure": lambda s: (s.spare, len(s.messages))},
)


@pytest.fixture(params=[1, 3], ids="{} workers".format)
def workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Small models have work for several workers too."""
    for name, value in {"SHARE_AFTER": 0, "SHARE_LEAST": 0, "BATCH_SIZE": 3}.items():
        monkeypatch.setattr(description, name, value)
    return int(request.param)


@pytest.fixture
def without_comparing_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """No walk before the run: what is found then, the run itself finds."""
    monkeypatch.setattr("sweepcheck.engines.native.compares", lambda _: False)
    monkeypatch.setattr("sweepcheck.api.compare_members", lambda _: None)


def figures(report: Report) -> tuple[Any, ...]:
    return tuple(getattr(report.statistics, name) for name in FIGURES)


def both(run: Callable[..., Report], *given: Any, workers: int = 1, **how: Any) -> tuple[Report, Report]:
    reference = run(*given, engine="reference", **how)
    native = run(*given, engine="native", workers=workers, **how)
    assert (reference.plan.engine, native.plan.engine) == ("reference", "native")
    return reference, native


@pytest.mark.usefixtures("without_comparing_before")
@pytest.mark.parametrize("seed", SEEDS)
def test_both_engines_find_the_same_classes(seed: int, workers: int) -> None:
    drawn = drawn_model(seed)
    for how in STRATEGIES:
        reference, native = both(explore, drawn.model, workers=workers, **how)
        if native.statistics.states is not None:  # each was found once
            assert figures(reference) == figures(native), how


def is_run(drawn: Drawn, trace: Any) -> bool:
    """Whether a trace goes from an initial state from edge to edge."""
    system = adopt(drawn.model)
    before = trace.initial
    if before not in system.initial_states():
        return False
    for step in trace.steps:
        if (step.label, step.state) not in [(edge.label, edge.target) for edge in system.edges(before)]:
            return False
        before = step.state
    return True


@pytest.mark.usefixtures("without_comparing_before")
@pytest.mark.parametrize("seed", SEEDS)
def test_verdicts_agree_and_traces_are_runs(seed: int, workers: int) -> None:
    drawn = drawn_model(seed)
    asked = [
        invariant("few", lambda s: sum(s.at) < 3),
        invariant("no owner waits", lambda s: s.owner not in s.waiting),
        reachable("all named", lambda s: None not in s.next),
        always_possible("rest", lambda s: not any(s.at)),
        always_eventually("quiet", lambda s: len(s.messages) == 0 and s.spare == 0),
    ]
    reference, native = both(check, drawn.model, asked, workers=workers, keep_going=True)
    assert [one.status for one in reference.verdicts] == [one.status for one in native.verdicts]
    for expected, found in zip(reference.verdicts, native.verdicts, strict=True):
        assert (expected.trace is None) == (found.trace is None)
        if found.trace is not None and expected.trace is not None:
            assert is_run(drawn, found.trace)
            if found.trace.loop is None and found.property.kind != "always_possible":
                assert len(found.trace) == len(expected.trace)


@pytest.mark.usefixtures("without_comparing_before")
@pytest.mark.parametrize("make", [pairs, letters, beats])
def test_nets_have_the_same_classes(make: Any, workers: int) -> None:
    native = explore(make(), engine="native", workers=workers)
    assert figures(native) == figures(by_reference(make))


@lru_cache
def by_reference(make: Any) -> Report:
    return explore(make(), engine="reference")


@pytest.mark.usefixtures("without_comparing_before")
def test_time_is_relative_natively() -> None:
    net = beats()
    net.reachable("late", lambda m: len(m.Done) == 1 and len(m.Due) == 3)
    trace = check(net, engine="native").verdicts[0].trace
    assert trace is not None
    assert trace.initial in adopt(net).initial_states()


def wide(n: int, values: int, rotation: bool) -> Model:
    """Arrays of many values: columns that are no single words, and layouts that grow while the run goes on."""
    m = Model("wide", x=Array([0] * n), y=Array([0] * n), z=Array([0] * n))

    @m.action(i=range(n))
    def step(s: Any, i: int) -> None:
        require(sum(s.x) < values)
        s.x[i] += 1
        s.y[i] = (s.y[i] * 7 + s.x[i] * 1000) % 10**6
        s.z[i] = s.x[i] % 2

    m.symmetric(range(n), arrays=["x", "y", "z"], rotation=rotation)
    return m


@pytest.mark.parametrize("rotation", [False, True])
@pytest.mark.parametrize(("n", "values"), [(3, 14), (5, 5), (9, 3)])
def test_columns_of_any_width(n: int, values: int, rotation: bool, workers: int) -> None:
    reference, native = both(explore, wide(n, values, rotation), workers=workers)
    assert figures(reference) == figures(native)


def test_members_that_refer_to_each_other_in_a_regular_pattern() -> None:
    """Pointers in circles: what each says of the others tells none of them apart, so names are tried."""
    n = 4
    m = Model("circles", next=Array([None] * n))

    @m.action(i=range(n), j=range(n))
    def point(s: Any, i: int, j: int) -> None:
        require(s.next[i] is None and i != j)
        s.next[i] = j

    m.symmetric(range(n), arrays=["next"], values=["next"])
    m.reachable("pairs", lambda s: all(s.next[i] is not None and s.next[s.next[i]] == i for i in range(n)))
    reference, native = both(explore, m)
    assert figures(reference) == figures(native)
    assert check(m, engine="native").verdicts[0].status == "holds"


def test_what_names_a_member_is_found_by_the_run_itself(without_comparing_before: None, workers: int) -> None:
    del without_comparing_before
    m = Model("named", at=Array([0] * 3), owner=None)

    @m.action(i=range(3))
    def step(s: Any, i: int) -> None:
        require(s.at[i] < 3)
        s.at[i] += 1

    m.symmetric(range(3), arrays=["at"])
    with pytest.raises(SweepcheckError) as caught:
        check(m, [invariant("first", lambda s: s.at[0] < 4 and s.at[0] >= s.at[1])], engine="native", workers=workers)
    assert caught.value.code == "SC232"
    with pytest.raises(SweepcheckError) as caught:
        explore(m, engine="native", strategy="sweep", measure=lambda s: s.at[2] * 4 + s.at[1], workers=workers)
    assert caught.value.code == "SC231"


def test_what_no_run_leads_to_is_not_shown(without_comparing_before: None) -> None:
    """Only the first one moves, so they are not symmetric; the states that stand for others let another one move."""
    del without_comparing_before
    m = Model("uneven", at=Array([0] * 3))

    @m.action(i=range(3))
    def step(s: Any, i: int) -> None:
        require(i == 0 and s.at[i] < 1)
        s.at[i] += 1

    m.symmetric(range(3), arrays=["at"])
    with pytest.raises(SweepcheckError) as caught:
        check(m, [reachable("two", lambda s: sum(s.at) == 2)], engine="native")
    assert caught.value.code == "SC233"


def test_a_step_back_is_told_with_its_edge() -> None:
    m = Model("back", at=Array([1, 0, 1]))

    @m.action(i=range(3))
    def flip(s: Any, i: int) -> None:
        s.at[i] = 1 - s.at[i]

    m.symmetric(range(3), arrays=["at"])
    m.progress(lambda s: sum(s.at))
    for engine in ("reference", "native"):
        with pytest.raises(SweepcheckError) as caught:
            explore(m, strategy="sweep", engine=engine)
        assert caught.value.code == "SC301"


def test_verified_actions_are_compared_by_class() -> None:
    drawn = drawn_model(3)
    assert explore(drawn.model, engine="native", verify_actions=True).complete


def test_limits_end_a_run_of_classes() -> None:
    model = wide(4, 9, False)
    reference, native = both(explore, model, limits=Limits(states=40))
    assert native.statistics.states == reference.statistics.states == 40
    assert native.stop == reference.stop


class TestWhatIsNotNative:
    def drawn(self, **how: Any) -> Report:
        m = Model("both", at=Array([0] * 3), count=0)

        @m.action(i=range(3))
        def step(s: Any, i: int) -> None:
            s.at[i] = 1 - s.at[i]
            s.count += 1

        m.symmetric(range(3), arrays=["at"])
        m.equivalence(lambda s: (tuple(s.at), s.count % 3))
        return explore(m, **how)

    def test_a_key_of_canonical_states(self) -> None:
        report = self.drawn()
        assert report.plan.engine == "reference"
        with pytest.raises(SweepcheckError) as caught:
            self.drawn(engine="native")
        assert caught.value.code == "SC404"
        assert "not by a key of canonical states" in str(caught.value)

    def test_reports_on_classes(self) -> None:
        with pytest.raises(SweepcheckError) as caught:
            state_space_report(drawn_model(1).model, engine="native")
        assert "it reports on states" in str(caught.value)

    def test_members_by_their_places_in_a_queue(self) -> None:
        pids = range(2)
        m = Model("pair", last=Queue([0, 0], 2))

        @m.action(i=pids)
        def step(s: Any, i: int) -> None:
            s.last.get()
            count = s.last.get()
            require(count < 3)
            s.last.put(i)
            s.last.put(count + 1)

        m.symmetric(pids, values={"last": (pids, None)})
        report = explore(m)
        assert report.plan.engine == "reference"
        assert report.statistics.states == 4
        with pytest.raises(SweepcheckError) as caught:
            explore(m, engine="native")
        assert "by their places in a bag or queue" in str(caught.value)


def test_an_array_of_which_some_elements_are_members() -> None:
    pids = range(2)
    m = Model("pair", last=Array([0, 0]))

    @m.action(i=pids)
    def step(s: Any, i: int) -> None:
        require(s.last[1] < 3)
        s.last[0] = i
        s.last[1] += 1

    m.symmetric(pids, values={"last": (pids, None)})
    reference, native = both(explore, m)
    assert figures(reference) == figures(native)
    assert native.statistics.states == 4


def test_values_with_an_element_for_each_member() -> None:
    """A token that names all members at once, as an element for each."""
    pids = range(3)
    m = Model("votes", seen=frozenset(), board=(0, 0, 0))

    @m.action(i=pids)
    def vote(s: Any, i: int) -> None:
        require(s.board[i] < 2)
        s.board = tuple(v + (j == i) for j, v in enumerate(s.board))
        s.seen |= {(i, s.board[i])}

    m.symmetric(pids, values={"board": {pids: None}, "seen": [(pids, None)]})
    reference, native = both(explore, m)
    assert figures(reference) == figures(native)
    assert native.statistics.states == 10
