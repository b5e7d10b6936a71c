"""Traces that explain: the last state and what was read, long ones folded, messages, the way to a failure."""

import json

import jsonschema
import pytest

from sweepcheck import (
    Array,
    Bag,
    Model,
    Net,
    Queue,
    Record,
    SweepcheckError,
    check,
    explore,
    invariant,
    require,
)
from sweepcheck.models.adoption import adopt
from sweepcheck.properties.reads import looked_at
from sweepcheck.report.html import report_to_html
from sweepcheck.report.json import json_schema, report_to_json
from sweepcheck.report.junit import report_to_junit
from sweepcheck.report.mermaid import trace_to_mermaid
from sweepcheck.report.messages import events
from sweepcheck.report.text import evidence_text, report_to_text
from sweepcheck.report.trace import describe_trace

ENGINES = pytest.mark.parametrize("engine", ["native", "reference"])


def counter(n, failure=None):
    m = Model("counter", x=0, y=0, items=Array([0, 0, 0, 0]))

    @m.action
    def up(s):
        require(s.x < n)
        if failure is not None:
            failure(s)
        s.x += 1

    m.invariant("small", lambda s: s.x < n)
    return m


def mailboxes():
    m = Model("mailboxes", box=Array(Queue(), shape=2), worker=Array(Record(state="idle", done=0), shape=2), sent=0)

    @m.action(i=range(2))
    def send(s, i):
        require(s.sent < 2)
        s.box[1 - i].put(("job", s.sent))
        s.sent += 1

    @m.action(j=range(2))
    def receive(s, j):
        require(len(s.box[j]))
        s.box[j].get()
        s.worker[j].done += 1

    m.invariant("lazy", lambda s: s.worker[0].done < 2)
    return m


class TestLastState:
    @ENGINES
    def test_what_the_property_read_stands_apart(self, engine):
        report = check(mailboxes(), engine=engine)
        *_, read, rest = evidence_text(report, report["lazy"]).splitlines()
        assert read.split("looked at", 1)[1].strip() == "worker[0].done=2"
        assert "worker[0].state='idle'" in rest
        assert rest.strip().startswith("not looked at")

    def test_of_arrays_nets_and_networks(self):
        m = Model("m", a=Array([1, 2]), b=Bag([1]), c=0)
        state = m.initial_states()[0]
        assert looked_at(m, invariant("p", lambda s: s.a[1] == 2 and 1 in s.b), state) == {"a", "b"}
        assert looked_at(m, invariant("p", lambda s: s.a.count(1) or s.c), state) == {"a"}
        for reads in (
            lambda s: s.a != (1, 2),
            lambda s: s.a == (1,),
            lambda s: (*s.a,),
            lambda s: max(s.a),
            lambda s: 1 in s.a,
        ):
            assert looked_at(m, invariant("p", reads), state) == {"a"}
        assert looked_at(m, invariant("p", lambda s: s.c or 1 / 0), state) == {"c"}
        net = Net("net")
        waiting, done = net.place("Waiting", int, [1]), net.place("Done", int)
        net.transition("Do", waiting.take("n"), done.put("n"))
        model = adopt(net)
        read = looked_at(model, invariant("p", lambda m: len(m.Done) == 0), model.initial_states()[0])
        assert read == {"Done"}


class TestLongTraces:
    def test_the_middle_is_left_out_and_the_verdict_said_again(self):
        text = report_to_text(check(counter(60)))
        assert "... steps 21 to 40 are left out; --trace-full shows them" in text
        assert "  20  up " in text
        assert "  21  up " not in text
        assert "  41  up " in text
        assert text.count("✗ violated  invariant 'small'") == 2
        assert text.endswith("✗ violated  invariant 'small'  (exact)")
        whole = report_to_text(check(counter(60)), full=True)
        assert "  21  up " in whole
        assert "left out" not in whole

    def test_short_ones_are_whole(self):
        text = report_to_text(check(counter(42)))
        assert "left out" not in text
        assert "  21  up " in text

    @pytest.mark.parametrize("width", [30, 80, 120])
    def test_no_line_is_wider_than_the_terminal(self, width):
        m = Model("wide", text="", net=Bag())

        @m.action
        def grow(s):
            require(len(s.text) < 150)
            s.text = s.text + "x" * 50
            s.net.add(("message", "with", "many", "parts", len(s.text)))

        m.invariant("short", lambda s: len(s.text) < 150)
        report = check(m)
        lines = report_to_text(report, width=width).splitlines()
        assert max(map(len, lines)) <= width
        assert "".join(evidence_text(report, report["short"], width=width).split()).count("'many'") >= 3


class TestMessages:
    def test_from_sender_to_receiver(self):
        report = check(mailboxes(), strategy="full")
        trace = describe_trace(report.system, report["lazy"].trace)
        received = [message for event in events(trace) for message in event.received]
        assert [(one.channel, one.sender, one.certain) for one in received] == [("box[0]", "i=1", True)] * 2
        text = trace_to_mermaid(trace)
        assert "participant v0 as i=1" in text
        assert "v0-)v1: ('job', 0) (sent in step 1)" in text
        assert "Note over v1: 3. receive(j=0)<br/>box[0]: - ('job', 0)" in text

    def test_equal_tokens_of_several_senders_are_uncertain(self):
        m = Model("two senders", net=Bag(), turn=0)

        @m.action(p=["Ann", "Bob", "Carl"])
        def act(s, p):
            require(("Ann", "Bob", "Carl")[s.turn] == p)
            if p == "Carl":
                s.net.take()
            else:
                s.net.add("hello")
            s.turn += 1

        m.invariant("early", lambda s: s.turn < 3)
        report = check(m)
        (message,) = events(describe_trace(report.system, report["early"].trace))[-1].received
        assert (message.sender, message.certain) == ("Ann", False)


FAILURES = {
    "SC201": lambda s: 1 // (3 - s.x),
    "SC207": lambda s: s.items[s.x + 1],
    "SC202": lambda s: s.nothing if s.x == 3 else None,
}


class TestFailures:
    @ENGINES
    @pytest.mark.parametrize("code", FAILURES)
    def test_come_with_the_way_there(self, engine, code):
        with pytest.raises(SweepcheckError) as caught:
            check(counter(10, FAILURES[code]), engine=engine)
        error = caught.value
        assert error.code == code
        rows = str(error).split("\n\nthe way there, 3 steps\n")[1].splitlines()
        assert len(rows) == 4
        assert rows[-1].split() == ["3", "up", "x:", "2", "->", "3"]
        schema = json_schema() | {"$ref": "#/$defs/failure"}
        data = json.loads(json.dumps({"error": error.to_json()}))
        jsonschema.Draft202012Validator(schema).validate(data)
        assert len(data["error"]["trace"]["steps"]) == 3

    @ENGINES
    def test_predicates_too(self, engine):
        with pytest.raises(SweepcheckError) as caught:
            check(counter(10), [invariant("p", lambda s: 1 // (4 - s.x) > -1)], engine=engine)
        assert caught.value.code == "SC209"
        assert "the way there, 4 steps" in str(caught.value)

    @ENGINES
    def test_none_without_traces_or_steps(self, engine):
        for model, options in (
            (counter(10, lambda s: 1 // (3 - s.x)), {"trace": False}),
            (counter(10, lambda s: 1 // 0), {}),
        ):
            with pytest.raises(SweepcheckError) as caught:
                check(model, engine=engine, **options)
            assert "the way there" not in str(caught.value)


class TestAssertions:
    @staticmethod
    def failing(s):
        assert s.x < 3, "x is small\nreally"

    @ENGINES
    def test_are_violated_properties(self, engine):
        report = check(counter(10, self.failing), engine=engine)
        assert report.exit_code == 1
        assert not report
        found = report.verdicts[-1]
        assert (found.property.kind, found.status, found.guarantee) == ("assertion", "violated", "exact")
        assert found.property.name.endswith("action up: x is small")
        assert len(found.trace) == 3
        assert report["small"].status == "inconclusive"
        assert "an assertion failed" in report["small"].reason
        jsonschema.Draft202012Validator(json_schema()).validate(json.loads(json.dumps(report_to_json(report))))
        for text in (report_to_text(report), report_to_html(report), report_to_junit(report)):
            assert "x is small" in text

    @ENGINES
    @pytest.mark.parametrize("strategy", ["full", "generalised", "sweep"])
    def test_in_every_strategy(self, engine, strategy):
        m = counter(10, self.failing)
        m.progress(lambda s: s.x)
        assert [one.status for one in check(m, engine=engine, strategy=strategy).verdicts] == [
            "inconclusive",
            "violated",
        ]

    @ENGINES
    def test_of_an_exploration_without_properties(self, engine):
        report = explore(counter(10, self.failing), engine=engine)
        assert (report.exit_code, report.complete) == (1, False)

    def test_nobody_asks_for_them(self):
        report = check(counter(10, self.failing))
        with pytest.raises(SweepcheckError, match="cannot be asked for"):
            check(counter(10), [report.verdicts[-1].property])


class TestShortening:
    @staticmethod
    def detour():
        m = Model("detour", t=0, x=0, bad=False)

        @m.action
        def slowly(s):
            require(s.t < 8)
            s.t += 1

        @m.action
        def fast(s):
            require(s.x < 8)
            s.x += 1

        @m.action
        def fail(s):
            require(s.x >= 3 or s.t >= 7)
            s.bad = True

        m.progress(lambda s: s.x)
        m.invariant("good", lambda s: not s.bad)
        m.reachable("bad", lambda s: s.bad)
        return m

    @ENGINES
    def test_the_shortest_trace_of_the_same_property(self, engine):
        long, short = (check(self.detour(), engine=engine, keep_going=True, shorten=on) for on in (False, True))
        assert [len(one.trace) for one in long.verdicts] == [8, 8]
        assert [len(one.trace) for one in short.verdicts] == [4, 4]
        assert short.statistics.explored == long.statistics.explored

    def test_without_traces_there_is_nothing_to_shorten(self):
        with pytest.raises(SweepcheckError) as caught:
            check(self.detour(), shorten=True, trace=False)
        assert caught.value.code == "SC404"


def test_wide_states_have_few_lifelines_and_short_lines():
    m = Model("wide", cells=Array([0] * 40), n=0)

    @m.action
    def shift(s):
        for place in range(0, 40, 2):
            s.cells[place] += 1
        s.n += 1

    m.invariant("once", lambda s: s.n < 2)
    report = check(m)
    (verdict,) = report.verdicts
    chart = trace_to_mermaid(describe_trace(m, verdict.trace))
    assert [line.strip() for line in chart.splitlines() if "participant" in line] == [
        "participant v0 as cells",
        "participant v1 as n",
    ]
    text = evidence_text(report, verdict, width=80)
    assert "cells=[0 x 40] n=0" in text
    assert "cells[0, 2 .. 38]: 0 -> 1, n: 0 -> 1" in text
