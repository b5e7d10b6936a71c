"""Actions that are made in loops: with names of their own, defaults, partials and methods of objects."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from sweepcheck import Model, Record, SweepcheckError, always_eventually, check, explore, require
from sweepcheck.core.model import Label

ENGINES = ["reference", "native"]


def add(s: Any, k: int, most: int = 4) -> None:
    require(s.n + k <= most)
    s.n += k


@dataclass(frozen=True)
class Adder:
    k: int
    seen: Any = None

    def step(self, s: Any) -> None:
        add(s, self.k)

    def family(self, s: Any, i: int) -> None:
        add(s, self.k * i)

    def counts(self, s: Any) -> None:
        self.seen.append(s.n)
        s.n = 0


def with_defaults() -> Model:
    m = Model("m", n=0)
    for k in (1, 2):

        @m.action(name=f"add {k}")
        def step(s: Any, k: int = k) -> None:
            require(s.n + k <= 4)
            s.n += k

    return m


def with_partials() -> Model:
    m = Model("m", n=0)
    for k in (1, 2):
        m.action(partial(add, k=k), name=f"add {k}")
    return m


def with_methods() -> Model:
    m = Model("m", n=0)
    for k in (1, 2):
        m.action(Adder(k).step, name=f"add {k}")
    return m


def with_lambdas() -> Model:
    m = Model("m", n=0)
    for k in (1, 2):
        m.action(lambda s, k=k: add(s, k), name=f"add {k}")
    return m


def plain() -> Model:
    m = Model("m", n=0)
    for k in (1, 2):

        def step(s: Any, k: int = k) -> None:
            require(s.n + k <= 4)
            s.n += k

        step.__name__ = f"add {k}"
        m.action(step)
    return m


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("made", [with_defaults, with_partials, with_methods, with_lambdas, plain])
def test_each_is_an_action_of_its_own(made: Any, engine: str) -> None:
    m = made()
    report = explore(m, engine=engine)
    assert (report.statistics.states, report.statistics.edges) == (5, 7)
    m.invariant("below 4", lambda s: s.n < 4)
    trace = check(m, engine=engine)["below 4"].trace
    assert trace is not None
    assert trace.steps[-1].label == Label("add 2")


@pytest.mark.parametrize("engine", ENGINES)
def test_families_of_partials_and_methods(engine: str) -> None:
    m = Model("m", n=0)
    m.action(partial(add, most=6), k=range(1, 3))
    m.action(Adder(2).family, name="twice", i=[1, 2])
    report = explore(m, engine=engine)
    assert {str(one.label) for one in m.actions} == {"add(k=1)", "add(k=2)", "twice(i=1)", "twice(i=2)"}
    assert report.statistics.states == 7


@pytest.mark.parametrize("engine", ENGINES)
def test_a_default_may_be_left_out_of_a_family(engine: str) -> None:
    m = Model("m", n=0)
    m.action(add, k=range(1, 2))
    assert explore(m, engine=engine).statistics.states == 5
    m = Model("m", n=0)
    m.action(add, k=range(1, 2), most=[2, 3])
    assert explore(m, engine=engine).statistics.states == 4


@pytest.mark.parametrize("engine", ENGINES)
def test_a_parameter_of_a_family_may_be_called_name(engine: str) -> None:
    m = Model("m", n=0)

    @m.action(name=["a", "b"])
    def take(s: Any, name: str) -> None:
        require(s.n == 0)
        s.n = 1 if name == "a" else 2

    assert [str(one) for one in m.actions] == ["take(name='a')", "take(name='b')"]
    assert explore(m, engine=engine).statistics.states == 3


@pytest.mark.parametrize("engine", ENGINES)
def test_structured_variables_are_what_they_are(engine: str) -> None:
    class Pair(Record):
        n: int
        m: int

    m = Model("m", pair=Pair(n=0, m=0))

    def up(s: Any, field: str) -> None:
        require(getattr(s.pair, field) < 2)
        setattr(s.pair, field, getattr(s.pair, field) + 1)

    for field in ("n", "m"):
        m.action(partial(up, field=field), name=f"up {field}")
    assert explore(m, engine=engine).statistics.states == 9


@pytest.mark.parametrize("engine", ENGINES)
def test_fairness_knows_them_by_function_and_by_name(engine: str) -> None:
    asked = [always_eventually("there", lambda s: s.n == 4)]
    for given in ("method", "name"):
        m = Model("m", n=0)
        step = Adder(1).step
        m.action(step, name="up")
        m.action(lambda s: setattr(s, "n", s.n), name="idle")
        assert not check(m, asked, engine=engine)
        m.fair(step if given == "method" else "up")
        assert check(m, asked, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_fails_in_one_says_where(engine: str) -> None:
    def fails(s: Any, k: int) -> None:
        s.n = 1 // k

    for given in (partial(fails, k=0), partial(partial(fails), k=0)):
        m = Model("m", n=0)
        m.action(given, name="fails here")
        with pytest.raises(SweepcheckError) as caught:
            explore(m, engine=engine)
        assert caught.value.code == "SC201"
        assert "action fails here" in str(caught.value)
        assert "test_named_actions.py:" in str(caught.value)
    m = Model("m", n=0)
    m.action(partial(lambda s, k: k, k=1), name="returns")
    with pytest.raises(SweepcheckError) as caught:
        explore(m, engine=engine)
    assert caught.value.code == "SC208"


def refused(given: Any, **options: Any) -> str:
    with pytest.raises(SweepcheckError) as caught:
        Model("m", n=0).action(given, **options)
    return f"{caught.value.code} {caught.value}"


def test_what_cannot_be_an_action() -> None:
    assert "needs a name" in refused(lambda s: None)
    assert 'name="step"' in refused(lambda s: None)
    assert "is a method of a class" in refused(Adder.step)
    assert "m.action(thing.step)" in refused(Adder.step)
    for name in ("", " ", "a(1)", "a\n", 3.5):
        if isinstance(name, str):
            assert "cannot be called" in refused(lambda s: None, name=name)
    assert "takes parameters (k, most) but its family gives (none)" in refused(add)
    assert "takes parameters" in refused(add, k=[1], other=[2])
    assert "no first parameter" in refused(partial(add, object(), 1, 2)) or "cannot be called" in refused(
        partial(add, 1, 2, 3, 4)
    )
    m = with_methods()
    with pytest.raises(SweepcheckError) as caught:
        m.action(Adder(3).step, name="add 1")
    assert caught.value.code == "SC112"
    assert 'name="..."' in str(caught.value)


def test_what_changes_its_object_is_seen() -> None:
    assert refused(Adder(1, []).counts).startswith("SC115")
    assert refused(partial(Adder(1, []).counts), name="x").startswith("SC115")
    assert refused(_remembers).startswith("SC115")


def _remembers(s: Any, seen: list[int] = []) -> None:  # noqa: B006
    seen.append(1)
    s.n = 1


def test_the_advice_for_loops_works() -> None:
    m = Model("steps", n=0)
    for k in range(1, 3):

        @m.action(name=f"step {k}")
        def step(s: Any) -> None:
            require(s.n < 3)
            s.n += k  # noqa: B023

    with pytest.raises(SweepcheckError) as caught:
        explore(m)
    assert caught.value.code == "SC152"
    assert "def step(s, k=k): ..." in str(caught.value)
