"""Steps, what leads to what, and fairness, as they are declared and asked for."""

import json

import pytest

from sweepcheck import (
    Array,
    Bag,
    Model,
    Net,
    Record,
    Status,
    SweepcheckError,
    always_eventually,
    check,
    choose,
    invariant,
    leads_to,
    require,
    stay,
    step,
)
from sweepcheck.cli.main import main
from sweepcheck.core.equivalence import Equivalence
from sweepcheck.engines.reference.quotient import Quotient
from sweepcheck.models.adoption import adopt
from sweepcheck.properties.always_eventually import AlwaysEventuallyMonitor

each_engine = pytest.mark.parametrize("engine", ["reference", "native"])


def shop() -> Model:
    m = Model("shop", waiting=False, open=True, served=0)

    @m.action
    def come(s):
        require(not s.waiting)
        s.waiting = True

    @m.action
    def serve(s):
        require(s.waiting and s.open)
        s.waiting = False
        s.served = 1 - s.served

    @m.action
    def shutter(s):
        s.open = not s.open

    return m


def statuses(report) -> list[str]:
    return [str(one.status) for one in report.verdicts]


@each_engine
def test_fairness_in_both_senses_and_of_groups(engine) -> None:
    asked = [leads_to("served", lambda s: s.waiting, lambda s: not s.waiting)]
    for fair, holds in {
        (): False,
        ("serve",): False,
        ("strong serve",): True,
        ("serve + shutter",): False,
        ("strong serve + shutter",): False,
        ("serve", "strong serve + shutter", "strong serve"): True,
    }.items():
        verdict = check(shop(), asked, fair=list(fair), engine=engine).verdicts[0]
        assert verdict.status is (Status.HOLDS if holds else Status.VIOLATED), fair


@each_engine
def test_declared_fairness(engine) -> None:
    m = shop()
    m.leads_to("served", lambda s: s.waiting, lambda s: not s.waiting)
    m.fair("serve", "shutter", together=True)
    assert check(m, engine=engine).verdicts[0].status is Status.VIOLATED
    m.fair("serve", strong=True)
    report = check(m, engine=engine)
    assert report.verdicts[0].status is Status.HOLDS
    assert list(map(str, report.fair)) == ["serve + shutter", "strong serve"]
    assert "fairness  weak, of serve + shutter; strong, of serve" in str(report)
    m.fair("bake")
    with pytest.raises(SweepcheckError, match="SC407"):
        check(m)


@each_engine
def test_a_process_is_one_in_the_strong_sense(engine) -> None:
    def model(fair: bool | str) -> Model:
        m = Model("m", free=True, rounds=0)

        @m.process(fair=fair)
        def worker(s):
            while True:
                yield "idle"
                require(s.free)
                yield "half"
                require(s.free)
                s.rounds = 1 - s.rounds

        @m.action
        def toggle(s):
            s.free = not s.free

        m.always_eventually("works", lambda s: s.rounds == 1)
        return m

    assert not check(model(True), engine=engine)
    report = check(model("strong"), engine=engine)
    assert report.verdicts[0].status is Status.HOLDS
    assert list(map(str, report.fair)) == ["strong worker"]
    assert check(model(False), fair=["strong worker"], engine=engine)


@each_engine
def test_a_transition_is_fair_in_the_strong_sense(engine) -> None:
    def net(fair: bool | str) -> Net:
        n = Net("n")
        light, token = n.place("light", initial=1), n.place("token", int, [0])
        n.transition("off", light.take("()"))
        n.transition("on", light.put("()"), light.inhibit())
        n.transition("go", light.test("()"), token.take("0"), token.put("1"), fair=fair)
        n.always_eventually("gone", lambda m: 1 in m.token)
        return n

    assert check(net(True), engine=engine).verdicts[0].status is Status.VIOLATED
    assert check(net("strong"), engine=engine).verdicts[0].status is Status.HOLDS


@each_engine
def test_a_dead_state_awaits_for_ever(engine) -> None:
    m = Model("m", n=0)

    @m.action
    def count(s):
        require(s.n < 3)
        s.n += 1

    m.leads_to("four", lambda s: s.n == 2, lambda s: s.n == 4)
    m.leads_to("three", lambda s: s.n == 2, lambda s: s.n == 3)
    m.leads_to("at once", lambda s: s.n == 3, lambda s: s.n == 3)
    m.leads_to("never begun", lambda s: s.n == 9, lambda s: False)
    report = check(m, engine=engine, keep_going=True)
    assert statuses(report) == ["violated", "holds", "holds", "holds"]
    trace = report["four"].trace
    assert trace.loop == len(trace) == 3
    assert report.statistics.states is None


@each_engine
def test_a_trace_goes_through_a_state_that_began_it(engine) -> None:
    """The state at the end may be reached sooner without anything that began."""
    m = Model("m", at="start")
    ways = {"start": ["end", "begin"], "begin": ["far"], "far": ["end"], "end": ["end"]}

    @m.action
    def move(s):
        s.at = choose(ways[s.at])

    m.leads_to("over", lambda s: s.at == "begin", lambda s: False)
    verdict = check(m, engine=engine).verdicts[0]
    assert verdict.status is Status.VIOLATED
    shown = [state[0] for state in verdict.trace.states]
    assert "begin" in shown
    assert set(shown[verdict.trace.loop :]) == {"end"}


@each_engine
def test_steps_of_structured_variables(engine) -> None:
    m = Model("m", cell=Array(Record(v=0, w=Bag()), shape=2), n=0)

    @m.action(i=range(2))
    def put(s, i):
        require(len(s.cell[i].w) < 2)
        s.cell[i].w.add(s.n)
        s.cell[i].v += 1

    @m.action
    def turn(s):
        s.n = 1 - s.n

    m.step("grows", lambda old, new: all(new.cell[i].v >= old.cell[i].v for i in range(2)))
    m.step("one at a time", lambda old, new: sum(len(c.w) for c in new.cell) - sum(len(c.w) for c in old.cell) <= 1)
    m.step("same first", lambda old, new: old.cell[0] == new.cell[0] or old.n == new.n)
    m.step("never the second", lambda old, new: not (old.cell[1].v == 1 and new.cell[1].v == 2 and old.n == 1))
    m.step("zip", lambda old, new: all(a.v <= b.v for a, b in zip(old.cell, new.cell, strict=True)))
    report = check(m, engine=engine, keep_going=True)
    assert statuses(report) == ["holds", "holds", "holds", "violated", "holds"]


@each_engine
def test_mistakes_in_a_step_have_both_states(engine) -> None:
    with pytest.raises(SweepcheckError, match=r"SC209.*step 'odd'") as raised:
        check(shop(), [step("odd", lambda old, new: 1 // (1 - new.served))], engine=engine)
    assert {"before", "after"} <= {name for name, _ in raised.value.values}
    with pytest.raises(SweepcheckError, match="SC210"):
        check(shop(), [step("none", lambda old, new: None)], engine=engine)
    with pytest.raises(SweepcheckError, match="SC20"):
        check(shop(), [step("unknown", lambda old, new: new.nothing)], engine=engine)


@each_engine
def test_steps_of_classes(engine) -> None:
    m = shop()
    m.equivalence(lambda s: (s.waiting, s.open))
    asked = [step("s", lambda old, new: old.open or new.waiting >= old.waiting), invariant("i", lambda s: True)]
    report = check(m, asked, engine=engine)
    assert statuses(report) == ["holds", "holds"]
    assert "if the declared key is right" in report["s"].reason
    with pytest.raises(SweepcheckError, match="SC232"):  # which the key forgets
        check(m, [step("up", lambda old, new: new.served >= old.served)], engine=engine)
    with pytest.raises(SweepcheckError, match="SC404"):
        check(shop(), [leads_to("l", lambda s: True, lambda s: True)], strategy="caching")


def test_a_wrong_key_under_a_question_about_cycles_is_an_error() -> None:
    """The state that stands for a class can go back, an equivalent one on the way cannot."""
    m = Model("m", n=0)

    @m.action
    def away(s):
        require(s.n == 0)
        s.n = 3

    @m.action
    def back(s):
        require(s.n == 1)
        s.n = 0

    m.initial(n=[0, 1])
    quotient = Quotient(adopt(m), Equivalence((lambda s: s.n % 2,)))
    monitor = AlwaysEventuallyMonitor(always_eventually("e", lambda s: False), quotient)
    with pytest.raises(SweepcheckError, match="SC233"):
        monitor.on_complete(quotient.initial_states())
    m.equivalence(lambda s: s.n % 2)
    with pytest.raises(SweepcheckError, match="SC233"):
        check(m, [always_eventually("e", lambda s: False)])


@pytest.mark.parametrize("wrong", [(), (3,), (None,)])
def test_fairness_to_nothing_is_refused(wrong) -> None:
    with pytest.raises(SweepcheckError, match="SC234"):
        shop().fair(*wrong)


def test_names_that_look_like_more_than_one() -> None:
    net = Net("n")
    place = net.place("p", initial=1)
    net.transition("a + b", place.take("()"), place.put("()"))
    net.transition("strong", place.take("()"), place.put("()"))
    asked = [always_eventually("e", lambda m: len(m.p) == 1)]
    for text in ("a + b", "strong", "strong strong", "strong a + b"):
        report = check(net, asked, fair=[text])
        assert [str(one) for one in report.fair] == [text]


SHOP = """
from sweepcheck import Model, require
m = Model("shop", waiting=False, n=0)
@m.action
def come(s):
    require(not s.waiting)
    s.waiting = True
@m.action
def turn(s):
    s.n = 1 - s.n
m.leads_to("served", lambda s: s.waiting, lambda s: not s.waiting)
m.step("still", lambda old, new: old.n == 0 or new.n == 1)
"""


def test_saved_traces_are_replayed(tmp_path, capsys) -> None:
    model, saved = tmp_path / "shop.py", tmp_path / "trace.json"
    model.write_text(SHOP)
    for name, last in (("served", "is violated"), ("still", "is violated")):
        assert main(["check", str(model), "--property", name, "--trace", str(saved), "-q"]) == 1
        assert json.loads(saved.read_text())["property"]["name"] == name
        assert main(["trace", str(saved), "--model", str(model)]) == 0
        assert last in capsys.readouterr().err


def test_the_command_line_asks_for_all_of_it(tmp_path, capsys) -> None:
    model = tmp_path / "shop.py"
    model.write_text(SHOP)
    asked = ["check", str(model), "-q"]
    assert main([*asked, "--leads-to", "waiting ~> n == 1", "--fair", "turn"]) == 0
    assert main([*asked, "--step", "new.n != old.n or action == 'come'"]) == 0
    assert main([*asked, "--step", "new.n == old.n"]) == 1
    assert main([*asked, "--invariant", "n < 5", "--constraint", "n == 0"]) == 0
    for wrong in (
        ["--leads-to", "waiting"],
        ["--leads-to", "a ~> b ~> c"],
        ["--step", "n == 0"],
        ["--step", "lambda: 1"],
        ["--constraint", "m == 0", "--deadlock"],
        ["--constraint", "n == 0", "--no-constraints", "--deadlock"],
        ["--leads-to", "waiting ~> n == 1", "--fair", "strong nobody"],
    ):
        assert main([*asked, *wrong]) == 2, wrong
    assert "old.n or new.n" in capsys.readouterr().err


def test_stays_count_as_steps() -> None:
    m = Model("m", n=0)

    @m.action
    def wait(s):
        stay()

    m.step("moves", lambda old, new: old.n != new.n)
    assert [statuses(check(m, engine=engine)) for engine in ("reference", "native")] == [["violated"]] * 2
    assert adopt(m).declared_fairness() == ()


def test_what_leads_to_something_whatever_happens_is_warned_of() -> None:
    m = shop()
    m.leads_to("from anywhere", lambda s: True, lambda s: s.waiting or not s.waiting)
    assert not any("does not look" in one for one in check(m).warnings)
    for since, until in ((lambda s: False, lambda s: s.waiting), (lambda s: s.waiting, lambda s: True)):
        report = check(shop(), [leads_to("nowhere", since, until)])
        assert any("leads_to 'nowhere' does not look at the state" in one for one in report.warnings)
        assert "each with what was met on the way, for " in str(report)
