"""A report as a truth value, and what is required of it."""

import pytest
from report_models import changed

from sweepcheck import (
    Limits,
    Model,
    Net,
    Stop,
    SweepcheckError,
    check,
    draw,
    explore,
    partial_order,
    progress,
    queries,
    require,
    state_space_report,
)
from sweepcheck.errors import RequirementError


def counter(top=3):
    m = Model("counter", n=0)

    @m.action
    def count(s):
        require(s.n < top)
        s.n += 1

    m.invariant("small", lambda s: s.n <= 3)
    m.reachable("three", lambda s: s.n == 3)
    return m


@pytest.mark.parametrize("engine", ["native", "reference"])
class TestTruth:
    def test_all_holds(self, engine):
        report = check(counter(), engine=engine)
        assert report
        assert report.require() is report
        assert all(report.verdicts)

    def test_violated(self, engine):
        report = check(counter(top=4), engine=engine, keep_going=True)
        assert not report
        assert [bool(verdict) for verdict in report.verdicts] == [False, True]
        with pytest.raises(AssertionError) as raised:
            report.require()
        assert isinstance(raised.value, RequirementError)
        assert raised.value.code == "SC409"
        assert "invariant 'small'" in raised.value.what
        assert "'three'" not in raised.value.what
        assert "✗ violated  invariant 'small'  (exact)" in str(raised.value)
        assert "4  count          n: 3 -> 4" in str(raised.value)

    def test_inconclusive(self, engine):
        report = check(counter(), engine=engine, limits=Limits(states=2))
        assert not report
        assert not report["small"]
        with pytest.raises(RequirementError, match="the limit on states was reached"):
            report.require()

    def test_interrupted_with_everything_decided_is_true(self, engine):
        assert changed(check(counter(), engine=engine), stop=Stop.INTERRUPTED)


@pytest.mark.parametrize(
    "made", [explore, state_space_report, lambda m: check(m, [])], ids=["explore", "space", "none"]
)
def test_nothing_asked_is_neither_true_nor_false(made):
    with pytest.raises(RequirementError, match="neither true nor false"):
        bool(made(counter()))


def test_require_needs_a_property():
    with pytest.raises(RequirementError, match="no property"):
        explore(counter()).require()


def test_names_that_are_not_there():
    report = state_space_report(counter())
    for call, code in (
        (lambda: check(counter())["smal"], "SC401"),
        (lambda: report.bounds("m"), "SC202"),
        (lambda: report.action("cuont"), "SC407"),
    ):
        with pytest.raises(SweepcheckError) as raised:
            call()
        assert raised.value.code == code
        assert raised.value.suggestion


def net_with(fair):
    net = Net("n")
    a = net.place("A", initial=1)
    net.transition("T", a.take("()"), a.put("()"), fair=fair)
    return net


def action_with(fair):
    m = counter()

    @m.action(fair=fair)
    def stay_there(s):
        s.n = s.n

    return m


FLAGS = {
    "keep_going": ("SC403", lambda flag: check(counter(), keep_going=flag)),
    "trace": ("SC403", lambda flag: check(counter(), trace=flag)),
    "check verify_actions": ("SC403", lambda flag: check(counter(), verify_actions=flag)),
    "explore verify_actions": ("SC403", lambda flag: explore(counter(), verify_actions=flag)),
    "report verify_actions": ("SC403", lambda flag: state_space_report(counter(), verify_actions=flag)),
    "equivalence": ("SC403", lambda flag: explore(counter(), equivalence=flag)),
    "verify_equivalence": ("SC403", lambda flag: explore(counter(), verify_equivalence=flag)),
    "flat": ("SC403", lambda flag: draw(net_with(True), flat=flag)),
    "keep": ("SC403", lambda flag: queries.reachable(queries.Sweep(counter()), lambda s: s.n == 1, keep=flag)),
    "transition fair": ("SC122", net_with),
    "action fair": ("SC113", action_with),
    "progress monotone": ("SC117", lambda flag: progress(lambda s: s.n, monotone=flag)),
    "partial_order monotone": ("SC117", lambda flag: partial_order(lambda s: s.n, monotone=flag)),
}


@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize("flag", ["yes", "", 1, 0, None, []], ids=repr)
def test_a_flag_is_true_or_false(name, flag):
    code, call = FLAGS[name]
    with pytest.raises(SweepcheckError) as raised:
        call(flag)
    assert raised.value.code == code
    assert "neither True nor False" in raised.value.what


@pytest.mark.parametrize("name", FLAGS)
def test_true_and_false_are_flags(name):
    for flag in (True, False):
        FLAGS[name][1](flag)


def test_a_transition_declared_fair_is_fair():
    from sweepcheck.models.adoption import adopt

    assert [one.names for one in adopt(net_with(True)).declared_fairness()] == [("T",)]
    assert [one.strong for one in adopt(net_with("strong")).declared_fairness()] == [True]
    assert adopt(net_with(False)).declared_fairness() == ()
