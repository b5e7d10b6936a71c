"""Constraints and bounds: as they are declared and asked for, on every front-end, strategy and engine."""

import pytest

from sweepcheck import (
    LTS,
    Array,
    Model,
    Net,
    Network,
    Status,
    SweepcheckError,
    always_eventually,
    check,
    colours,
    explore,
    product,
    progress,
    require,
    state_space_report,
)
from sweepcheck.core.verdict import Stop

ENGINES = ["reference", "native"]
each_engine = pytest.mark.parametrize("engine", ENGINES)


def clocks(most: int = 3) -> Model:
    m = Model("clocks", clock=Array([0, 0]))

    @m.action(i=range(2))
    def tick(s, i):
        s.clock[i] += 1

    m.constraint(lambda s: max(s.clock) <= most)
    m.invariant("low", lambda s: max(s.clock) <= most + 1)
    m.progress(lambda s: sum(s.clock))
    return m


def numbers(report) -> tuple:
    n = report.statistics
    return n.states, n.explored, n.edges, n.beyond, n.outside_edges, n.dead_states


@each_engine
@pytest.mark.parametrize("strategy", ["full", "sweep", "generalised", "caching"])
@pytest.mark.parametrize("gc", ["layer", 2])
@pytest.mark.parametrize("workers", [1, 3])
def test_every_strategy_leaves_out_the_same(engine, strategy, gc, workers) -> None:
    report = check(clocks(), strategy=strategy, engine=engine, gc=gc, workers=workers)
    assert numbers(report) == (16 + 8, 16, 32, 8, 8, 0)
    assert report.stop is Stop.CONSTRAINT
    assert report.exit_code == 0
    assert report["low"]
    assert report["low"].reason == "8 edges lead outside, to 8 states"
    assert report["low"].within == ("constraint 1",)


@each_engine
def test_a_column_sweep_does_too(engine) -> None:
    measure = product(progress(lambda s: s.clock[0], monotone=True), lambda s: -s.clock[1])
    report = explore(clocks(), measure=measure, strategy="column", engine=engine)
    assert report.statistics.beyond >= 8
    assert report.stop is Stop.CONSTRAINT


@each_engine
def test_states_outside_are_judged_and_their_trace_is_real(engine) -> None:
    m = clocks()
    m.invariant("never four", lambda s: 4 not in s.clock)
    verdict = check(m, ["never four"], engine=engine)["never four"]
    assert verdict.status is Status.VIOLATED
    assert str(verdict.guarantee) == "exact"
    assert max(verdict.trace.states[-1][0]) == 4


@each_engine
def test_an_initial_state_outside_is_judged_and_left(engine) -> None:
    report = check(clocks(-1), engine=engine)
    assert numbers(report) == (1, 0, 0, 1, 0, 0)
    assert report["low"].status is Status.HOLDS if report.complete else Status.INCONCLUSIVE


@each_engine
def test_without_the_constraints_a_limit_ends_the_run(engine) -> None:
    asked = {"constraints": ["clock[0] <= 1", lambda s: s.clock[1] <= 1], "engine": engine}
    assert numbers(explore(clocks(), **asked)) == (8, 4, 8, 4, 4, 0)
    both = explore(clocks(), up_to="clock[0] < 1", engine=engine)
    assert both.statistics.explored == 4
    assert both.stop is Stop.BOUND  # what lies beyond both is not known to be of the constrained system
    assert explore(clocks(), constraints=[], up_to=3, strategy="full", engine=engine).stop is Stop.BOUND


@each_engine
@pytest.mark.parametrize("depth", [0, 1, 2, 5])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_number_of_steps(engine, depth, workers) -> None:
    report = explore(clocks(99), up_to=depth, strategy="full", engine=engine, workers=workers)
    inside = depth * (depth + 1) // 2
    assert numbers(report) == (inside + depth + 1, inside, 2 * inside, depth + 1, 0, 0)


@each_engine
def test_a_constraint_that_leaves_nothing_out_changes_nothing(engine) -> None:
    m = Model("m", n=0)

    @m.action
    def count(s):
        require(s.n < 3)
        s.n += 1

    @m.constraint
    def small(s):
        return s.n < 9

    m.deadlock()
    report = check(m, engine=engine, keep_going=True)
    assert report.stop is Stop.DECIDED
    assert explore(m, engine=engine).complete
    assert report["deadlock"].status is Status.VIOLATED
    assert [one.name for one in m.declared_constraints()] == ["small"]


@each_engine
def test_cycles_inside_are_found_and_those_outside_are_not_known(engine) -> None:
    m = Model("m", n=0, up=True)

    @m.action
    def turn(s):
        s.up = not s.up

    @m.action
    def step(s):
        s.n += 1

    m.constraint(lambda s: s.n <= 2)
    m.always_eventually("up", lambda s: s.up)
    m.always_eventually("moves", lambda s: s.n == 0)
    m.always_possible("nine", lambda s: s.n == 9)
    report = check(m, engine=engine, keep_going=True)
    assert [str(one.status) for one in report.verdicts] == ["holds", "violated", "inconclusive"]
    assert report["up"]
    assert report["up"].reason == "2 edges lead outside, to 2 states, and only runs that stay within are asked about"
    assert str(report["nine"].guarantee) == "bounded"
    fair = check(m, [always_eventually("even", lambda s: s.n % 2 == 0)], fair=["step"], engine=engine)
    assert fair.verdicts[0]  # a run that is fair to `step` leaves


@each_engine
def test_nets_with_and_without_time(engine) -> None:
    net = Net("ping")
    a = net.place("a", colours.timed(int), [1])
    net.transition("T", a.take("x"), a.put("x + 1 @+ 2"))
    net.constraint("soon", lambda m: m.clock <= 10)
    report = explore(net, engine=engine)
    assert report.stop is Stop.CONSTRAINT
    assert (report.statistics.explored, report.statistics.beyond) == (7, 1)
    assert explore(net, constraints=["clock <= 4"], engine=engine).statistics.explored == 4


@each_engine
def test_networks(engine) -> None:
    ring = LTS([(i, "tick", (i + 1) % 5) for i in range(5)])
    network = Network("two", {"a": ring, "b": LTS([(0, "tock", 1), (1, "tock", 0)])})
    network.constraint(lambda s: s.a != 3)
    report = explore(network, engine=engine)
    assert (report.statistics.explored, report.statistics.beyond) == (6, 2)
    assert explore(network, constraints=["a != 2"], engine=engine).statistics.explored == 4


@each_engine
def test_errors_in_a_constraint_have_a_place_and_a_state(engine) -> None:
    m = clocks()
    m.constraint("odd", lambda s: s.clock[5])
    with pytest.raises(SweepcheckError, match=r"SC209.*constraint 'odd'"):
        explore(m, engine=engine)
    m = clocks()
    m.constraint("none", lambda s: None)
    with pytest.raises(SweepcheckError, match="SC210"):
        explore(m, engine=engine)


def test_declarations_that_are_refused() -> None:
    m = clocks()
    m.constraint("named", lambda s: True)
    for wrong in ((3,), ("x", 3), ("named", lambda s: True), (lambda: True,), (None, lambda s: True)):
        with pytest.raises(SweepcheckError):
            m.constraint(*wrong)
    for asked in ("clock", [3], ["nonsense"], 7):
        with pytest.raises(SweepcheckError):
            explore(clocks(), constraints=asked)


def test_equivalent_states_have_to_agree_on_constraints() -> None:
    m = Model("m", n=0)

    @m.action
    def count(s):
        s.n = (s.n + 1) % 4

    m.equivalence(lambda s: s.n % 2)
    m.constraint(lambda s: s.n < 2)
    with pytest.raises(SweepcheckError, match=r"SC232.*constraint 1"):
        explore(m)


@each_engine
def test_a_state_space_report_says_that_it_is_partial(engine) -> None:
    report = state_space_report(clocks(), engine=engine)
    assert report.survey.components is None
    assert not report.complete


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_bound_may_ask_for_progress_and_whether_an_action_is_enabled(engine) -> None:
    m = Model("counter", n=0)

    @m.action
    def count(s):
        require(s.n < 9)
        s.n += 1

    m.progress(lambda s: s.n)
    numbers = explore(m, up_to="progress < 5 and enabled('count')", engine=engine).statistics
    assert (numbers.explored, numbers.beyond) == (5, 1)
    numbers = explore(m, constraints=["enabled('count')"], engine=engine).statistics
    assert (numbers.explored, numbers.beyond) == (9, 1)


def test_bits_of_what_is_awaited_are_never_spoken_of() -> None:
    m = Model("counter", n=0)

    @m.action
    def count(s):
        s.n = 1

    m.leads_to("rises", lambda s: s.n == 0, lambda s: s.n == 1)
    with pytest.raises(SweepcheckError) as caught:
        check(m, constraints=["k < 3"])
    assert "awaited" not in str(caught.value)
    assert caught.value.code == "SC402"
