"""`enabled("send")`: on every kind of model and both engines it says what the edges say."""

from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from sweepcheck import (
    LTS,
    Array,
    Bag,
    Limits,
    Model,
    Net,
    Network,
    Queue,
    check,
    choose,
    invariant,
    load,
    reachable,
    require,
)  # fmt: skip
from sweepcheck.core.model import System
from sweepcheck.errors import RequestError, SweepcheckError
from sweepcheck.models.adoption import adopt
from sweepcheck.properties.expression import expression
from sweepcheck.testing.random_models import Source, sources
from sweepcheck.testing.random_nets import DrawnNet, nets

ENGINES = ("native", "reference")


def agree(system: System, names: list[str], most: int = 40) -> None:
    """In every state, what is enabled is what has an edge; and the engines find the same."""
    asked = {name: system.enabled(name) for name in names}
    seen = set(system.initial_states())
    waiting = list(seen)
    while waiting and len(seen) < most:
        state = waiting.pop()
        edges = system.edges(state)
        for name, predicate in asked.items():
            assert bool(predicate(system.view(state))) == any(edge.label.action == name for edge in edges)
        new = [edge.target for edge in edges if edge.target not in seen]
        seen.update(new)
        waiting += new


def engines_agree(system: System, names: list[str]) -> None:
    """Both engines find the same actions enabled somewhere, and not everywhere."""
    asked = [make(f"{word} {name}", test) for name in names for word, make, test in _both(system.enabled(name))]
    found = [
        [
            verdict.status
            for verdict in check(system, asked, engine=engine, keep_going=True, limits=Limits(100)).verdicts
        ]
        for engine in ENGINES
    ]
    assert found[0] == found[1]


def _both(predicate: Any) -> list[tuple[str, Any, Any]]:
    return [("some", reachable, predicate), ("all", invariant, predicate)]


FEWER = settings(max_examples=max(3, settings.default.max_examples // 20), phases=[Phase.generate], deadline=None)


@FEWER
@given(sources())
def test_random_models(drawn: Source) -> None:
    system = adopt(drawn.case().model)
    names = list(dict.fromkeys(one.name for one in system.declared_actions() or ()))
    agree(system, names)
    engines_agree(system, names)


@FEWER
@given(st.one_of(nets(), nets(modules=True), nets(timed=True)))
def test_random_nets(drawn: DrawnNet) -> None:
    system = adopt(drawn.case().model)
    names = [one.name for one in system.declared_actions() or ()]
    agree(system, names)
    engines_agree(system, names)


def table() -> Model:
    m = Model("table", fork=Array([True] * 3), eating=Array([False] * 3), hat=Bag([1, 2]), line=Queue([7]), turn=0)

    @m.action(i=range(3))
    def eat(s, i):
        require(s.fork[i] and s.fork[(i + 1) % 3])
        s.fork[i] = s.fork[(i + 1) % 3] = False
        s.eating[i] = True

    @m.action(i=range(3))
    def rest(s, i):
        require(s.eating[i])
        s.eating[i] = False
        s.fork[i] = s.fork[(i + 1) % 3] = True

    @m.action
    def draw(s):
        token = s.hat.take()
        bonus = choose(0, 1)
        s.hat.add(min(3, token + bonus))

    @m.action
    def serve(s):
        s.turn = (s.turn + s.line.get()) % 5

    return m


@pytest.mark.parametrize("engine", ENGINES)
def test_families_and_choices(engine: str) -> None:
    m = table()
    can = {i: m.enabled("eat", i) for i in range(3)}
    asked = [
        invariant("any", lambda s: bool(m.enabled("eat")(s)) == any(can[i](s) for i in range(3))),
        invariant("by name", lambda s: bool(m.enabled("eat", i=1)(s)) == (s.fork[1] and s.fork[2])),
        invariant("by label", lambda s: bool(m.enabled("eat(i=2)")(s)) == bool(can[2](s))),
        invariant("a choice", lambda s: bool(m.enabled("draw", token=2)(s)) == (2 in s.hat)),
        invariant("a queue", lambda s: bool(m.enabled("serve")(s)) == (len(s.line) > 0)),
        invariant("as it is", m.enabled("draw")),
    ]
    assert check(m, asked, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_networks(engine: str) -> None:
    cell = LTS([("empty", "put", "full"), ("full", "get", "empty")])
    network = Network("cells", {"left": cell, "right": cell.rename(put="put.2")})
    agree(adopt(network), [])
    asked = [
        invariant("get", lambda s: bool(network.enabled("get")(s)) == (s.left == s.right == "full")),
        invariant("put", lambda s: bool(network.enabled("put")(s)) == ("empty" in (s.left, s.right))),
        invariant("one put", lambda s: bool(network.enabled("put", 2)(s)) == (s.right == "empty")),
    ]
    assert check(network, asked, engine=engine)
    assert network.condition('enabled("get") or left == "empty"') is not None


def test_plain_objects() -> None:
    class Counter:
        def initial(self):
            return 0

        def successors(self, state):
            if state < 3:
                yield "up", state + 1

    system = adopt(Counter())
    assert [bool(system.enabled("up")(state)) for state in (0, 3)] == [True, False]


def test_expressions() -> None:
    m = table()
    first = m.view(m.initial_states()[0])
    for text, truth in {
        'enabled("eat")': True,
        'enabled("eat", 2) and not enabled("rest", i=1)': True,
        'all([enabled("draw", token=1), enabled("draw", 2)])': True,
        'enabled("draw", 9)': False,
    }.items():
        assert bool(expression(m, text)(first)) is truth
    named = Model("named", enabled=3)
    assert expression(named, "enabled + 1")(named.view(named.initial_states()[0])) == 4


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('enabled("eta")', "SC407"),
        ('enabled("eat", 7)', "SC413"),
        ("enabled(turn)", "SC413"),
        ("enabled()", "SC413"),
        ('enabled("eat", turn)', "SC413"),
        ('enabled(**{"i": 2})', "SC413"),
    ],
)
def test_what_cannot_be_asked(text: str, code: str) -> None:
    m = table()
    with pytest.raises(SweepcheckError) as caught:
        expression(m, text)(m.view(m.initial_states()[0]))
    assert caught.value.code == code
    with pytest.raises(RequestError) as caught:
        Network("one", {"a": LTS([("x", "go", "x")])}).enabled("og")
    assert caught.value.code == "SC407"


def test_nets_of_black_tokens(tmp_path) -> None:
    net = Net("n")
    a, b = net.place("A", initial=2), net.place("B", capacity=1)
    net.transition("Move", a.take("2*()"), b.put("()"), a.test())
    net.transition("Give", b.inhibit(), a.put("()"), a.inhibit("4*()"))
    net.transition("Clear", b.take(), a.reset())
    net.reachable("not all", lambda m: not net.enabled("Give")(m))
    for engine in ENGINES:
        assert check(net, engine=engine)
    agree(adopt(net), ["Move", "Give", "Clear"])
    (tmp_path / "m.py").write_text(
        "from sweepcheck import Net\nnet = Net('n')\na = net.place('A', initial=1)\nnet.transition('T', a.take())\n"
    )
    assert check(load(str(tmp_path / "m.py")), [invariant("x", lambda m: len(m.A) <= 1)])
