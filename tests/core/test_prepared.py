"""What a front-end can do: planner, reports and simulations ask any system, and know no class of systems."""

from types import MappingProxyType

import pytest

from sweepcheck import SweepcheckError, check, deadlock, invariant, never
from sweepcheck.api import report_on
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Edge, Label
from sweepcheck.core.prepared import Prepared
from sweepcheck.core.request import Request
from sweepcheck.models.plain import PlainModel
from sweepcheck.planner import plan
from sweepcheck.strategies import CACHING


class Countdown(Prepared):
    """A front-end that no other part of the package has heard of: a number that goes down to zero."""

    action_word = "tick"
    name = "countdown"
    parameters = MappingProxyType({})
    variables = ("left",)
    measure = None
    properties = ()
    fair = ()

    def initial_states(self):
        return (3,)

    def edges(self, state):
        return (Edge(Label("tick.down"), state - 1),) if state else ()

    def view(self, state):
        return state

    def describe(self, state):
        return {"left": state}

    def locate(self, label):
        return None


class Able(Countdown):
    """The same, with everything that a front-end may add."""

    def declared_actions(self):
        return (Label_("tick.down"), Label_("tick.up"), Label_("stop"))

    def family(self, label):
        return label.action.partition(".")[0]

    def completed(self, asked):
        return deadlock(asked.name, final=lambda left: left == 0) if asked.predicate is None else asked

    def measure_for(self, asked, needed):
        return Measure(lambda left: -left, name="how far down") if asked == "down" or needed else None

    def default_strategy(self, measure, demanding):
        return CACHING, "so says the front-end"

    def remarks(self):
        yield "a remark"


class Label_:
    """An action of that name."""

    def __init__(self, name):
        self.name, self.label = name, Label(name)


def test_the_defaults_do_nothing() -> None:
    report = report_on(Countdown(), Request([deadlock(), invariant("few", lambda left: left < 4)], keep_going=True))
    assert [str(verdict.status) for verdict in report.verdicts] == ["violated", "holds"]
    assert report.strategy == "full"
    assert report.warnings == ()
    assert Countdown().original(report.verdicts[0].trace)[1] is report.verdicts[0].trace


def test_what_a_front_end_can_do_is_asked_for() -> None:
    report = report_on(Able(), Request([deadlock()]))
    assert report.verdicts[0]
    assert (report.strategy, report.strategy_reason) == ("caching", "so says the front-end")
    assert report.warnings == ("tick 'stop' is never enabled", "a remark")
    assert report_on(Able(), Request((), measure="down", strategy="sweep")).measure == "how far down"
    assert report_on(Able(), Request((), strategy="sweep")).measure == "how far down"


def test_questions_about_events_need_events() -> None:
    for asked in (lambda: check(PlainModel(Stuck()), [never("no", "a")]), lambda: Countdown().pattern("a after b")):
        with pytest.raises(SweepcheckError) as raised:
            asked()
        assert raised.value.code == "SC404"
        assert "about events" in raised.value.what
    assert plan(Countdown(), Request(())).system.prepared([]) is not None


class Stuck:
    def initial(self):
        return 0

    def successors(self, state):
        return []
