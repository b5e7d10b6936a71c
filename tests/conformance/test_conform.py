"""conform() and `sweepcheck conform`: what is seen of a step, and what is said of a log that is not explained."""

import json
from pathlib import Path

import pytest

from sweepcheck import Array, Model, Status, SweepcheckError, choose, observe, require
from sweepcheck.cli.main import main
from sweepcheck.conformance import conform, read_log
from sweepcheck.core.limits import Limits

each_engine = pytest.mark.parametrize("engine", ["reference", "native"])

LOCK = """
from sweepcheck import Model, observe, require

m = Model("lock", holder=None, term=0)


@m.action(node=range(3))
def acquire(s, node):
    require(s.holder is None)
    s.holder = node
    s.term += 1
    observe("acquired", node=node, term=s.term)


@m.action(node=range(3))
def release(s, node):
    require(s.holder == node)
    s.holder = None
"""


def lock() -> Model:
    names: dict[str, Model] = {}
    exec(LOCK, names)
    return names["m"]


def acquired(*nodes: int) -> list[dict[str, object]]:
    return [{"event": "acquired", "node": node, "term": term} for term, node in enumerate(nodes, 1)]


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    path = tmp_path / "lock.py"
    path.write_text(LOCK)
    return path


def written(path: Path, events: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return path


@each_engine
def test_hidden_steps_are_filled_in(engine):
    found = conform(lock(), acquired(0, 1, 2, 1), engine=engine, trace=True)
    assert found
    assert [str(step.label) for step in found.run.steps] == [
        "acquire(node=0)", "release(node=0)", "acquire(node=1)", "release(node=1)",
        "acquire(node=2)", "release(node=2)", "acquire(node=1)",
    ]  # fmt: skip


@each_engine
def test_the_first_event_without_an_explanation(engine):
    log = acquired(0, 1, 2, 1)
    log[2]["term"] = 7
    found = conform(lock(), log, engine=engine)
    assert found.verdict.status is Status.VIOLATED
    assert found.explained == 2
    assert found.event == log[2]
    assert sorted(found.described(state)["holder"] is None for state in found.states) == [False, True]
    assert found.common() == {"term": 2}
    nearest = found.refusals[0]
    assert str(nearest.action) == "acquire(node=2)"
    assert nearest.values == (("term", "3 in the model, 7 in the log"),)
    assert any(one.condition == "require(s.holder is None)" for one in found.refusals) or len(found.refusals) == 5


@each_engine
def test_a_field_that_an_event_lacks_says_nothing(engine):
    assert conform(lock(), [{"event": "acquired"}, {"event": "acquired", "term": 2}], engine=engine)
    assert not conform(lock(), [{"event": "acquired"}, {"event": "acquired", "term": 3}], engine=engine)


@each_engine
def test_what_holds_after_a_step(engine):
    m = Model("registers", a=Array([0, 0]))

    @m.observed("write")
    @m.action(i=range(2))
    def write(s, i):
        s.a[i] = choose(range(3))

    m.observes(lambda s, event: all(event.agrees(f"a{i}", s.a[i]) for i in range(2)))
    assert conform(m, [{"event": "write", "a0": 2, "a1": 0}, {"event": "write", "a1": 1}], engine=engine)
    found = conform(m, [{"event": "write", "a0": 2}, {"event": "write", "a0": 1, "a1": 1}], engine=engine)
    assert found.explained == 1


@each_engine
def test_without_a_declaration_every_action_is_seen_under_its_name(engine):
    m = Model("counter", n=0)

    @m.action(by=[1, 2])
    def add(s, by):
        require(s.n + by <= 5)
        s.n += by

    assert conform(m, [{"event": "add", "by": 2}, {"event": "add", "by": 2}, {"event": "add"}], engine=engine)
    assert conform(m, [{"event": "add", "by": 2}, {"event": "add", "by": 2}, {"event": "add", "by": 2}]).explained == 2
    assert conform(m, [{"by": 1}, {}], engine=engine)  # the log does not say what kind its events are


@each_engine
def test_choices_are_observed_inside_the_action(engine):
    m = Model("die", last=0)

    @m.action
    def throw(s):
        eyes = choose(range(1, 7))
        s.last = eyes
        observe("thrown", eyes=eyes)

    assert conform(m, [{"event": "thrown", "eyes": 6}, {"event": "thrown"}], engine=engine)
    assert conform(m, [{"event": "thrown", "eyes": 7}], engine=engine).explained == 0


@each_engine
def test_an_empty_log_is_explained(engine):
    assert conform(lock(), [], engine=engine)


@each_engine
def test_objects_inside_events_and_lists(engine):
    m = Model("mail", box=())

    @m.action(who=["ann", "bob"])
    def send(s, who):
        require(len(s.box) < 2)
        s.box = (*s.box, who)
        observe("sent", **{"to.name": who, "box": s.box})

    log = [{"event": "sent", "to": {"name": "bob"}, "box": ["bob"]}, {"event": "sent", "box": ["bob", "ann"]}]
    assert conform(m, log, engine=engine)


def test_observe_does_nothing_without_a_log():
    from sweepcheck import explore

    m = Model("once", n=0)

    @m.action
    def count(s):
        require(s.n < 2)
        s.n += 1
        observe("counted", n=s.n)

    conform(m, [{"event": "counted", "n": 1}], engine="reference")
    assert explore(m, engine="reference").statistics.states == 3
    assert explore(m, engine="native").statistics.states == 3


def test_a_long_log_keeps_the_states_of_few_positions():
    found = conform(lock(), acquired(*(n % 3 for n in range(20_000))))
    assert found
    assert found.report.statistics.peak <= 4
    runs = sum(action.evaluations for action in found.report.actions)
    assert runs < 1_000  # functions do not run once per event


def test_a_limit_is_inconclusive():
    found = conform(lock(), acquired(0, 1, 2, 0, 1, 2), limits=Limits(states=4))
    assert found.verdict.status is Status.INCONCLUSIVE
    assert not found
    assert found.explained < 6


def test_ignored_events_keep_their_lines(tmp_path):
    log = acquired(0, 1)
    log.insert(1, {"event": "heartbeat"})
    log[2]["term"] = 9
    path = written(tmp_path / "log.ndjson", log)
    assert conform(lock(), path).log.place(1).endswith("log.ndjson:2")
    found = conform(lock(), path, ignore=["heartbeat"])
    assert (found.explained, found.log.place(found.explained)) == (1, f"{path}:3")


def test_csv(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("event,node,term\nacquired,0,1\nacquired,,2\n")
    assert read_log(path).events == [{"event": "acquired", "node": 0, "term": 1}, {"event": "acquired", "term": 2}]
    assert conform(lock(), path)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda m: m.observed("x", who="node"), "SC703"),
        (lambda m: m.observed("x", node=3), "SC703"),
        (lambda m: lambda _: m.observes(lambda s: True), "SC703"),
        (lambda m: lambda _: m.observed("x")(3), "SC703"),
    ],
)
def test_declarations_that_are_wrong(make, code):
    m = Model("one", n=0)

    def step(s, node):
        s.n = node

    with pytest.raises(SweepcheckError) as raised:
        make(m)(step)
    assert raised.value.code == code


@each_engine
def test_two_events_in_one_step_and_a_missing_field_are_errors(engine):
    m = Model("twice", n=0)

    @m.action
    def step(s):
        s.n = 1
        observe("a")
        observe("b")

    with pytest.raises(SweepcheckError) as raised:
        conform(m, [{"event": "a"}], engine=engine)
    assert raised.value.code == "SC702"
    one = lock()
    one.observes(lambda s, event: event["absent"] == 1)
    with pytest.raises(SweepcheckError) as raised:
        conform(one, acquired(0), engine=engine)
    assert raised.value.code == "SC701"


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("a.ndjson", '{"event": 1}\n{oops\n', ":2"),
        ("b.ndjson", "[1]\n", ":1"),
        ("c.csv", "a,a\n1,2\n", ":1"),
        ("d.csv", "a,b\n1\n", ":2"),
        ("e.ndjson", '{"x": NaN}\n', ":1"),
    ],
)
def test_logs_that_cannot_be_read(tmp_path, name, text, where):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(SweepcheckError) as raised:
        read_log(path)
    assert raised.value.code == "SC704"
    assert raised.value.where == f"{path}{where}"


def test_values_that_are_equal_and_not_alike_are_refused():
    with pytest.raises(SweepcheckError) as raised:
        conform(lock(), [{"event": "acquired", "node": 1}, {"event": "acquired", "node": True}])
    assert raised.value.code == "SC704"


def test_only_models_with_functions_can_be_compared_with_a_log():
    from sweepcheck import Net

    net = Net("net")
    net.transition("T", net.place("P", initial=1).take())
    with pytest.raises(SweepcheckError) as raised:
        conform(net, [])
    assert raised.value.code == "SC706"


def test_exit_codes(model_file, tmp_path, capsys):
    good = written(tmp_path / "good.ndjson", acquired(0, 1))
    bad = written(tmp_path / "bad.ndjson", acquired(0, 5))
    assert main(["conform", str(model_file), str(good)]) == 0
    assert main(["conform", str(model_file), str(good), str(bad)]) == 1
    assert main(["conform", str(model_file), str(tmp_path / "absent.ndjson")]) == 2
    assert main(["conform", str(model_file), str(good), "--max-states", "1"]) == 3
    capsys.readouterr()
    assert main(["conform", str(model_file), str(good), str(bad), "--format", "json"]) == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["status"], first["guarantee"], first["explained"]) == ("explained", "exact", 2)
    assert (second["status"], second["explained"]) == ("not_explained", 1)
    assert second["event"] == {"event": "acquired", "node": 5, "term": 2}
    assert second["refusals"][0]["values"] == {"node": second["refusals"][0]["values"]["node"]}


def test_the_text_names_the_event_the_states_and_what_refused_it(model_file, tmp_path, capsys):
    log = acquired(0, 1)
    log[1]["term"] = 5
    main(["conform", str(model_file), str(written(tmp_path / "log.ndjson", log))])
    out = capsys.readouterr().out
    assert "not explained" in out
    assert "log.ndjson:2" in out
    assert "one of 2 states" in out
    assert "in all of them  term=1" in out
    assert "acquire(node=1)  the event has other values  term: 2 in the model, 5 in the log" in out
