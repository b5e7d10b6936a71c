"""Which runs count: those that may end in any state, and those that take an action only where it changes something."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sweepcheck import (
    Array,
    Bag,
    Model,
    Net,
    Record,
    SweepcheckError,
    always_eventually,
    always_possible,
    check,
    choose,
    ctl,
    deadlock,
    leads_to,
    ltl,
    require,
)
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.engines import native, reference
from sweepcheck.testing.conformance import Nonconformity
from sweepcheck.testing.fair_runs import Fair, check_fair_runs

WAYS = [("reference", "full"), ("reference", "sweep"), ("native", "full"), ("native", "sweep")]
RUN = {"reference": reference.run, "native": native.run}


def counter(stuttering: bool = True) -> Model:
    """Counts to two, and may look at the clock in between, which changes nothing."""
    m = Model("counter", x=0, looked=Bag())

    @m.action
    def count(s):
        require(s.x < 2)
        s.x += 1

    @m.action
    def look(s):
        require(s.x == 1)
        s.x = s.x

    m.progress(lambda s: s.x)
    if stuttering:
        m.stuttering()
    return m


ASKED = [
    always_eventually("counted", lambda s: s.x == 2),
    leads_to("on", lambda s: s.x == 0, lambda s: s.x == 1),
    ltl("long run", "G F {x == 2}"),
    ltl("reader", "X {x == 1}"),
    ctl("tree", "AF {x == 2}"),
    ctl("next", "AX {x == 1}"),
    always_possible("possible", lambda s: s.x == 2),
    deadlock(final=lambda s: s.x == 2),
]
SAFE = ["possible", "deadlock"]  # whichever runs count


def holding(m: Model, engine: str, strategy: str, **options: Any) -> list[str]:
    report = check(m, ASKED, engine=engine, strategy=strategy, keep_going=True, **options)
    for verdict in report.verdicts:
        if not verdict and verdict.trace is not None and verdict.property.kind.shown_by_loops:
            assert verdict.trace.loop is not None
    return [verdict.property.name for verdict in report.verdicts if verdict]


@pytest.mark.parametrize(("engine", "strategy"), WAYS)
def test_a_run_may_end_anywhere(engine: str, strategy: str) -> None:
    assert holding(counter(), engine, strategy) == SAFE
    assert holding(counter(), engine, strategy, fair=["count"]) == [one.name for one in ASKED]
    assert holding(counter(stuttering=False), engine, strategy) == ["on", "reader", "next", *SAFE]
    assert holding(counter(), engine, strategy, stuttering=False) == ["on", "reader", "next", *SAFE]
    assert holding(counter(stuttering=False), engine, strategy, stuttering=True) == SAFE


@pytest.mark.parametrize(("engine", "strategy"), WAYS)
def test_nothing_else_changes(engine: str, strategy: str) -> None:
    asked = [always_eventually("counted", lambda s: s.x == 2), deadlock()]
    options: dict[str, Any] = {"engine": engine, "strategy": strategy, "keep_going": True}
    plain, stuttering = (check(counter(one), asked, **options) for one in (False, True))
    numbers = [
        (found.states, found.edges, found.explored, found.dead_states, found.peak)
        for found in (plain.statistics, stuttering.statistics)
    ]
    assert numbers[0] == numbers[1] == (3, 3, 3, 1, numbers[0][4])
    assert [verdict.status for verdict in plain.verdicts] == [verdict.status for verdict in stuttering.verdicts]


@pytest.mark.parametrize(("engine", "strategy"), WAYS)
def test_the_trace_ends_where_the_run_does(engine: str, strategy: str) -> None:
    m = counter()
    for asked in (ASKED[0], ASKED[2], ltl("later", "{x == 0} -> X X {x == 2}")):
        report = check(m, [asked], engine=engine, strategy=strategy)
        trace = report.verdicts[0].trace
        assert trace is not None
        assert trace.loop == len(trace)
        assert "the run ends here, so this state lasts for ever" in str(report)
        assert "a run may end in any state" in str(report)
        assert report.plan.stuttering


@pytest.mark.parametrize("fair", ["count", "strong count"])
@pytest.mark.parametrize(("engine", "strategy"), WAYS)
def test_a_step_that_changes_nothing_may_not_count(engine: str, strategy: str, fair: str) -> None:
    """WF_vars(look) says nothing, as no step of it changes a variable; WF(look) forbids to end where it is enabled."""
    m = counter()
    asked = ltl("moves", "{x == 1} -> X {x == 2}")
    assert holding(m, engine, strategy, fair=[f"{fair} of *", "look of *"]) == [one.name for one in ASKED]
    assert holding(m, engine, strategy, fair=[f"{fair} of looked"]) == SAFE
    assert holding(m, engine, strategy, fair=[f"{fair} of looked, x"]) == [one.name for one in ASKED]
    assert "counted" not in holding(m, engine, strategy, fair=["look"])
    assert check(m, [asked], engine=engine, strategy=strategy, fair=[fair])


class Lamp(Record):
    on: bool
    broken: bool


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_structure_is_named_as_a_whole(engine: str) -> None:
    m = Model("lamp", lamp=Lamp(on=False, broken=False), n=0)

    @m.action
    def act(s):
        if choose("light", "count") == "count":
            s.n = 1 - s.n
        else:
            require(not s.lamp.on)
            s.lamp.on = True

    asked = [always_eventually("light", lambda s: s.lamp.on)]
    fair = {of: bool(check(m, asked, engine=engine, fair=[f"act{of}"])) for of in ("", " of lamp", " of n", " of *")}
    assert fair == {"": False, " of lamp": True, " of n": False, " of *": False}


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_elements_of_arrays_and_tokens_count_as_changes(engine: str) -> None:
    m = Model("kinds", turn=0, pair=Array([0, 0]), bag=Bag())

    @m.action
    def last(s):
        s.pair[1] = 1 - s.pair[1]

    @m.action
    def token(s):
        if len(s.bag):
            s.bag.take()
        else:
            s.bag.add("one")

    for name, variable in (("last", "pair"), ("token", "bag")):
        asked = [always_eventually("all", lambda s: s.pair[1] == 1 and len(s.bag))]
        ways = {
            of: bool(check(m, asked, engine=engine, fair=[f"{name} of {of}"], stuttering=True))
            for of in ("turn", variable)
        }
        assert ways == {"turn": False, variable: False}
        asked = [always_eventually("changes", lambda s, v=variable: s.pair[1] == 1 if v == "pair" else len(s.bag) == 1)]
        ways = {
            of: bool(check(m, asked, engine=engine, fair=[f"{name} of {of}"], stuttering=True))
            for of in ("turn", variable)
        }
        assert ways == {"turn": False, variable: True}


@pytest.mark.parametrize("workers", [1, 2])
def test_members_that_are_alike_may_end_as_well(workers: int) -> None:
    def ring(symmetric: bool) -> Model:
        m = Model("ring", done=Array([False] * 3))

        @m.action(i=range(3))
        def do(s, i):
            require(not s.done[i])
            s.done[i] = True

        if symmetric:
            m.symmetric(range(3), arrays=["done"])
        m.always_eventually("all", lambda s: all(s.done))
        m.stuttering()
        return m

    for engine in ("reference", "native"):
        for symmetric in (False, True):
            m = ring(symmetric)
            assert not check(m, engine=engine, workers=workers)
            m.fair("do", together=True)
            assert check(m, engine=engine, workers=workers, verify_equivalence=symmetric)


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_nets_stutter_too(engine: str) -> None:
    net = Net("net")
    here, there = net.place("here", str, ["token"]), net.place("there", str)
    net.transition("go", here.take("x"), there.put("x"))
    net.always_eventually("there", lambda m: len(m.there) == 1)
    assert check(net, engine=engine)
    net.stuttering()
    assert not check(net, engine=engine)
    assert check(net, engine=engine, fair=["go of there"])
    assert check(net, engine=engine, stuttering=False)


def coded(error: pytest.ExceptionInfo[SweepcheckError]) -> str:
    return error.value.code


def test_what_cannot_be_had_is_refused() -> None:
    m = counter()
    asked = ASKED[:1]
    with pytest.raises(SweepcheckError) as caught:
        check(m, asked, fair=["count of y"])
    assert coded(caught) == "SC407"
    assert "no variable 'y'" in str(caught.value)
    with pytest.raises(SweepcheckError) as caught:
        check(m, [deadlock()], stuttering=True)
    assert coded(caught) == "SC404"
    with pytest.raises(SweepcheckError) as caught:
        check(m, asked, stuttering="yes")
    assert coded(caught) == "SC403"
    with pytest.raises(SweepcheckError) as caught:
        m.fair("count", of=3)
    assert coded(caught) == "SC234"
    m.equivalence(lambda s: s.x)
    with pytest.raises(SweepcheckError) as caught:
        check(m, asked, fair=["count of *"])
    assert coded(caught) == "SC404"
    assert "which variables it changes" in str(caught.value)
    assert not check(m, asked)
    assert check(m, asked, fair=["count"], verify_equivalence=True)


# -- a kit that accepts everything proves nothing ----------------------------------------------------------------------


def never_ends(plan: Plan, observer: Any) -> Outcome:
    return reference.run(replace(plan, stuttering=False), observer)


def counts_every_step(plan: Plan, observer: Any) -> Outcome:
    return reference.run(replace(plan, fair=tuple(replace(one, of=()) for one in plan.fair)), observer)


@pytest.mark.parametrize(
    ("fault", "fair"), [(never_ends, Fair(("look",))), (counts_every_step, Fair(("count",), of=("looked",)))]
)
def test_an_engine_that_is_wrong_about_it_is_rejected(fault: Any, fair: Fair) -> None:
    questions: dict[str, Any] = {"predicate": lambda s: s.x == 0, "goal": lambda s: s.x > 0, "fair": [fair]}
    for run in (reference.run, native.run):
        check_fair_runs(run, counter(), stuttering=True, **questions)
    with pytest.raises(Nonconformity):
        check_fair_runs(fault, counter(), stuttering=True, **questions)


@settings(max_examples=settings.default.max_examples * 3)
@given(
    edges=st.lists(st.tuples(*[st.integers(0, 4)] * 4), min_size=1, max_size=9, unique=True),
    fair=st.lists(
        st.builds(
            Fair,
            st.sampled_from([("a0",), ("a1",), ("a0", "a1")]),
            st.booleans(),
            st.sampled_from([(), ("x",), ("y",), ("*",)]),
        ),
        min_size=1,
        max_size=2,
        unique=True,
    ),
    goal=st.frozensets(st.integers(0, 4)),
)
def test_steps_that_change_little(
    edges: list[tuple[int, int, int, int]], fair: list[Fair], goal: frozenset[int]
) -> None:
    """Two variables, each of two values or so, and edges that often leave one of them alone."""
    m = Model("little", x=0, y=0)
    for name in ("a0", "a1"):
        own = [(one[:2], one[2:]) for i, one in enumerate(edges) if i % 2 == int(name[1])]
        m.action(_moves(name, own))
    for run in (reference.run, native.run):
        check_fair_runs(
            run,
            m,
            predicate=lambda s: s.x not in goal,
            goal=lambda s: s.x in goal,
            fair=fair,
            stuttering=len(edges) % 3 > 0,
        )


def _moves(name: str, own: list[Any]) -> Any:
    def act(s) -> None:
        to = [target for (x, y), target in own if (s.x, s.y) in ((x % 2, y % 2), (0, 0))]
        require(to)
        x, y = choose(to)
        s.x = x % 2
        s.y = y % 2

    act.__name__ = name
    return act
