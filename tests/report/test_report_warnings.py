"""Warnings: a pass in which nothing happened is seen to be one, and a good model gets none."""

from xml.etree import ElementTree

import pytest

from sweepcheck import LTS, Limits, Model, Net, Network, check, explore, invariant, load, never, parallel, require, stay
from sweepcheck.models.processes.spelling import near_misses, slip
from sweepcheck.report.html import report_to_html
from sweepcheck.report.json import report_to_json
from sweepcheck.report.junit import report_to_junit
from sweepcheck.report.text import brief_text, report_to_text

TOP = 3
both_engines = pytest.mark.parametrize("engine", ["native", "reference"])


def counter(members=3, top=3):
    m = Model("counter", n=0)

    @m.action
    def count(s):
        require(s.n < top)
        s.n += 1

    @m.action(i=range(members))
    def release(s, i):
        require(s.n > top + i)
        s.n = 0

    @m.action(i=range(3))
    def jump(s, i):
        require(s.n == i == 1)
        s.n = 3

    m.invariant("small", lambda s: s.n <= top)
    return m


@both_engines
class TestNothingHappens:
    def test_a_family_is_one_line(self, engine):
        (warning,) = check(counter(), engine=engine).warnings
        assert warning.startswith("action 'release', for all its 3 members, is never enabled (test_report_warnings.py:")

    def test_a_single_action(self, engine):
        (warning,) = explore(counter(members=1), engine=engine).warnings
        assert warning.startswith("action 'release' is never enabled")

    @pytest.mark.parametrize("strategy", ["sweep", "generalised", "caching"])
    def test_with_every_strategy(self, engine, strategy):
        measure = None if strategy == "caching" else (lambda s: s.n)
        assert len(check(counter(), engine=engine, strategy=strategy, measure=measure).warnings) == 1

    def test_nothing_is_said_about_a_run_that_ended_early(self, engine):
        assert check(counter(), engine=engine, limits=Limits(states=2)).warnings == ()
        assert check(counter(), [invariant("none", lambda s: s.n < 1)], engine=engine).warnings == ()

    def test_many_are_not_all_named(self, engine):
        m = Model("many", n=0)
        for number in range(15):

            def act(s):
                require(s.n < 0)
                s.n = 1

            act.__name__ = f"act_{number}"
            m.action(act)

        @m.action
        def count(s):
            require(s.n < 2)
            s.n += 1

        warnings = explore(m, engine=engine).warnings
        assert len(warnings) == 11
        assert warnings[-1] == "5 more actions are never enabled"

    def test_no_actions(self, engine):
        m = Model("still", n=0)
        assert explore(m, engine=engine).warnings == ("the model has no actions: only the initial state was looked at",)
        m.initial(n=[1, 2])
        (warning,) = explore(m, engine=engine).warnings
        assert warning == "the model has no actions: only the initial states were looked at"

    def test_no_step(self, engine):
        (warning,) = explore(counter(top=-9, members=0), engine=engine).warnings
        assert warning == "no action is ever enabled: only the initial state was looked at"

    def test_a_single_state(self, engine):
        m = Model("loop", n=0)

        @m.action
        def turn(s):
            stay()

        (warning,) = explore(m, engine=engine).warnings
        assert warning == "every step leads back to where it began: only the initial state was looked at"

    def test_transitions(self, engine):
        net = Net("net")
        a, b, c = net.place("A", initial=1), net.place("B"), net.place("C")
        net.transition("Move", a.take("()"), b.put("()"))
        net.transition("Never", c.take("()"), b.put("()"))
        (warning,) = explore(net, engine=engine).warnings
        assert warning.startswith("transition 'Never' is never enabled (test_report_warnings.py:")

    def test_events(self, engine):
        process = LTS([("a", "go.1", "b"), ("b", "back.1", "a"), ("c", "go.2", "a"), ("c", "lost.1", "a")])
        network = Network("n", {"p": process})
        assert explore(network, engine=engine).warnings == ("event 'lost' is never enabled",)


def test_a_plain_object_without_a_step():
    class Still:
        def initial(self):
            return 0

        def successors(self, state):
            return []

    assert explore(Still()).warnings == ("no step is possible: only the initial state was looked at",)


@both_engines
class TestOverNothing:
    @pytest.mark.parametrize(
        "predicate",
        [lambda s: True, lambda s: all(s.n < i for i in range(0)), lambda s: TOP > 2 or s.n],
        ids=["true", "range", "or"],
    )
    def test_a_predicate_that_does_not_look(self, engine, predicate):
        m = counter(members=0)
        (warning,) = check(m, [invariant("p", predicate)], engine=engine).warnings
        assert warning == "invariant 'p' does not look at the state: it holds whatever the model does"

    @pytest.mark.parametrize(
        "predicate",
        [
            lambda s: s.n <= 3,
            lambda s: getattr(s, "n") <= 3,  # noqa: B009
            lambda s: {"n": 3}.get("m", s.n) is not None,
            lambda s: isinstance(s, object) and s.n < 9,
            lambda s: bool(repr(s)),
        ],
    )
    def test_one_that_does(self, engine, predicate):
        assert check(counter(members=0), [invariant("p", predicate)], engine=engine).warnings == ()

    def test_every_state_is_final(self, engine):
        m = counter(members=0)
        m.deadlock(final=lambda s: True)
        assert check(m, ["deadlock"], engine=engine).warnings == (
            "deadlock lets every state be final: it holds whatever the model does",
        )

    def test_what_is_violated_is_no_vacuous_pass(self, engine):
        assert check(counter(members=0), [invariant("p", lambda s: False)], engine=engine).warnings == ()

    def test_after_what_never_comes(self, engine):
        left = LTS([("a", "commit", "b"), ("b", "commit", "a")], alphabet=["commit", "abort"])
        right = LTS([("x", "other", "x"), ("y", "abort", "y")])
        network = Network("n", {"left": left, "right": right})
        report = check(network, [never("no way back", "commit", after="abort")], engine=engine)
        assert report.require().warnings == (
            "invariant 'no way back' is about what comes after abort, and that never comes",
        )

    def test_an_event_that_shall_never_come_and_never_does(self, engine):
        process = LTS([("a", "go", "b"), ("b", "back", "a"), ("c", "crash", "a")])
        assert check(Network("n", {"p": process}), [never("safe", "crash")], engine=engine).require().warnings == ()


def test_no_property_at_all():
    m = counter(members=0)
    assert check(m, []).warnings == ("no property was asked for, and the model declares none: nothing was decided",)


def pair(one, other, *more):
    sender = LTS([("ready", one, "waiting"), ("waiting", "reply", "ready")])
    receiver = LTS([("idle", other, "busy"), ("busy", "reply", "idle")])
    extra = {f"p{i}": LTS([("x", event, "x")]) for i, event in enumerate(more)}
    return Network("n", parallel(sender=sender, receiver=receiver, **extra))


class TestSpelling:
    def test_a_misspelt_event(self):
        warnings = explore(pair("sned", "send")).warnings
        assert warnings == ("event 'sned' is known to sender alone, and receiver has 'send': is one of them misspelt?",)

    def test_of_three(self):
        (found,) = near_misses(pair("comit", "commit", "commit", "commit"))
        assert found == ("comit", "sender", "commit", ("receiver", "p0", "p1"))

    def test_indices_do_not_matter(self):
        assert len(explore(pair("sned.1", "send.1")).warnings) == 1
        assert explore(pair("send.1", "send.2")).warnings == ()

    def test_hidden_events_are_compared_too(self):
        network = pair("sned", "send")._composition.hide("send")
        assert len(list(near_misses(Network("n", network)))) == 1

    def test_said_also_when_the_run_ends_early(self):
        assert len(explore(pair("sned", "send"), limits=Limits(states=1)).warnings) == 1

    @pytest.mark.parametrize(
        ("one", "other"),
        [("sned", "send"), ("comit", "commit"), ("Send", "send"), ("request", "reqeust"), ("requezt", "request")],
    )
    def test_slips(self, one, other):
        assert slip(one, other)
        assert slip(other, one)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("send", "send"), ("ping", "pong"), ("tick", "tock"), ("get", "set"), ("put", "get"), ("send1", "send2"),
            ("send_a", "send_b"), ("sendA", "sendB"), ("end", "send"), ("lock", "clock"), ("lock", "unlock"),
            ("send", "receive"), ("done", "done2"), ("a", "b"), ("left_in", "left_out"), ("msg_a_in", "msg_b_in"),
        ],
    )  # fmt: skip
    def test_other_words(self, one, other):
        assert not slip(one, other)
        assert not slip(other, one)

    @pytest.mark.parametrize("name", ["master_slave", "master_slave_free", "stop_and_wait", "two_phase_commit"])
    def test_no_false_alarm_in_the_examples(self, name):
        assert list(near_misses(load(f"examples/{name}.psl", {"n": 2} if name == "two_phase_commit" else {}))) == []


def test_every_form_of_a_report_has_them():
    report = check(counter())
    (warning,) = report.warnings
    assert f"\nwarning: {warning}\n" in report_to_text(report)
    assert brief_text(report).splitlines()[-1] == f"warning: {warning}"
    assert report.to_json()["warnings"] == [warning]
    assert "is never enabled" in report_to_html(report)
    suite = ElementTree.fromstring(report_to_junit(report)).find("testsuite")
    assert suite.find("system-out").text == f"warning: {warning}"
    assert report.exit_code == 0


def test_a_measure_that_does_not_help() -> None:
    m = Model("walk", x=0, y=0)

    @m.action(d=[-1, 1])
    def step(s, d):
        require(0 <= s.x + d < 20)
        s.x += d

    @m.action(d=[-1, 1])
    def climb(s, d):
        require(0 <= s.y + d < 20)
        s.y += d

    m.invariant("inside", lambda s: s.x < 20)
    helpless = check(m, measure=lambda s: s.x + s.y)
    assert any("--strategy full" in line and "% of the edges" in line for line in helpless.warnings)
    assert report_to_json(helpless)["warnings"] == list(helpless.warnings)
    assert "% of the edges" in report_to_text(helpless)
    assert not check(m, strategy="full").warnings
