"""Errors say what to do instead: Python's own words for a mistake rarely tell what a model should do."""

import copy
from typing import Any, NamedTuple

import pytest
from mistakes import acting, counter, failure, model_with, one_place, one_process

from sweepcheck import (
    Array,
    Bag,
    Model,
    Net,
    Queue,
    Status,
    SweepcheckError,
    check,
    colours,
    explore,
    invariant,
    require,
)


class TestActions:
    def suggested(self, action, **variables) -> str:
        error = acting(action, **variables)
        assert error.code == "SC201"
        return str(error.suggestion)

    @pytest.mark.parametrize("name", ["require", "choose", "stay", "Bag", "Array"])
    def test_names_that_were_not_imported(self, name) -> None:
        namespace: dict[str, object] = {}
        source = f"def act(s):\n    {name}(s.n)\n"
        exec(compile(source, __file__, "exec"), namespace)
        assert self.suggested(namespace["act"], n=0) == f"import it: from sweepcheck import {name}"

    def test_a_variable_without_its_state(self) -> None:
        m = Model("m", n=0)

        def assigned(s):
            n += 1  # noqa: F821, F841

        def read(s):
            s.n = n  # noqa: F821

        def of_the_model(s):
            s.n = m.n + 1

        def assigned_to_the_model(s):
            m.n = 1

        for action in (assigned, read, of_the_model):
            assert self.suggested(action, n=0).endswith("s.n")
        assert failure(model_with, assigned_to_the_model, n=0).code == "SC115"

        def as_an_element(s):
            s.n = s["n"]

        def as_an_assigned_element(s):
            s["n"] = 1

        for action in (as_an_element, as_an_assigned_element):
            assert "variables are attributes" in self.suggested(action, n=0)

    def test_values_are_replaced(self) -> None:
        class Point(NamedTuple):
            x: int = 0

        def add(s):
            s.f.add(1)

        def remove(s):
            s.a[0].remove(1)

        def append(s):
            s.t.append(1)

        def field(s):
            s.p.x = 1

        variables = {"f": frozenset(), "t": (), "p": Point(), "a": Array([frozenset({1})])}
        assert "s.x | {v}" in self.suggested(add, **variables)
        assert "s.x - {v}" in self.suggested(remove, **variables)
        assert "(*s.x, v)" in self.suggested(append, **variables)
        assert "_replace" in self.suggested(field, **variables)

        def misspelt(s):
            s.t.frist()

        assert "mend the action" in self.suggested(misspelt, **variables)

    def test_an_array_within_an_array(self) -> None:
        def act(s):
            s.grid[0][1] = 1

        assert "s.x[i * width + j] = v" in self.suggested(act, grid=Array([Array([0, 0]), Array([0, 0])]))

        def mended(s):
            require(not s.grid[0][1])
            row = list(s.grid[0])
            row[1] = 1
            s.grid[0] = Array(row)

        assert explore(model_with(mended, grid=Array([Array([0, 0]), Array([0, 0])]))).statistics.states == 2

    def test_a_size_is_asked_for_by_len(self) -> None:
        def bag(s):
            require(s.b < 3)

        def queue(s):
            require(s.q >= 3)

        for action in (bag, queue):
            assert "len(s.x)" in self.suggested(action, b=Bag(), q=Queue())


class TestPredicates:
    @pytest.mark.parametrize("engine", ["native", "reference"])
    def test_names_and_sizes(self, engine) -> None:
        def suggested(predicate, **variables) -> str:
            m = Model("m", **variables)
            error = failure(check, m, [invariant("p", predicate)], engine=engine)
            assert error.code == "SC209"
            return str(error.suggestion)

        assert "import it: from sweepcheck import Bag" in suggested(eval("lambda s: s.b == Bag()", {}), b=Bag())
        assert suggested(eval("lambda s: n < 2", {}), n=0).endswith("s.n")
        assert "s.x" in suggested(lambda s: s["n"] < 2, n=0)
        assert "len(s.x)" in suggested(lambda s: s.b < 3, b=Bag())
        assert "len(s.x)" in suggested(lambda s: s.q <= 3, q=Queue())
        assert "count(x)" in suggested(lambda s: s.b[0] == 1, b=Bag([1]))

    @pytest.mark.parametrize("engine", ["native", "reference"])
    @pytest.mark.parametrize("colour", [int, colours.timed(int)])
    @pytest.mark.parametrize("tokens", [[1], [1, 2]])
    def test_a_place_is_no_number(self, engine, colour, tokens) -> None:
        net = Net("net")
        place = net.place("P", colour, tokens)
        net.transition("T", place.take("n"), place.put("n + 1"), guard="n < 3")
        for predicate in (lambda m: m.P < 3, lambda m: m.P >= 3, lambda m: m.P + 1 == 2):
            error = failure(check, net, [invariant("p", predicate)], engine=engine)
            assert error.code == "SC209"
            assert "len(s.x)" in str(error.suggestion)
            assert "m.P.token" in str(error.suggestion)
        error = failure(check, net, [], measure=lambda m: m.P, engine=engine, strategy="sweep")
        assert (error.code, "m.P.token" in str(error.suggestion)) == ("SC302", True)

    @pytest.mark.parametrize("engine", ["native", "reference"])
    def test_the_text_of_a_state_is_the_same_everywhere(self, engine) -> None:
        def act(s):
            require(s.n < 2)
            s.n += 1
            s.q.put(s.n)
            s.text = f"{s}"

        m = model_with(act, n=0, q=Queue(), f=frozenset("ba"), text="")
        start = "n=1 q=<1> f={'a', 'b'} text=''"
        m.reachable("a text in a predicate", lambda s: str(s).startswith("n=2 q=<1, 2>"))
        m.reachable("a text in an action", lambda s: s.text == start)
        assert check(m, engine=engine, keep_going=True).exit_code == 0


class TestProperties:
    """Properties can be declared above their predicates, like actions."""

    @pytest.mark.parametrize("kind", ["invariant", "reachable", "always_possible", "always_eventually"])
    @pytest.mark.parametrize("make", [lambda: Model("m", n=0), one_place, one_process])
    def test_as_decorators(self, kind, make) -> None:
        m = make()

        @getattr(m, kind)
        def named(s):
            return True

        @getattr(m, kind)("with a name")
        def other(s):
            return True

        assert callable(named)
        assert callable(other)
        assert [(one.kind, one.name) for one in m.properties] == [(kind, "named"), (kind, "with a name")]
        assert [verdict.status for verdict in check(m).verdicts] == [Status.HOLDS] * 2

    def test_they_keep_their_order_and_are_asked(self) -> None:
        m = counter()
        declared = m.invariant("small")
        m.invariant("other", lambda s: True)
        declared(lambda s: s.n < 2)
        assert [one.name for one in m.properties] == ["small", "other"]
        assert check(m)["small"].status is Status.VIOLATED

    @pytest.mark.parametrize("engine", ["native", "reference"])
    @pytest.mark.parametrize("kind", ["invariant", "reachable", "always_possible", "always_eventually"])
    def test_a_forgotten_predicate_is_no_silent_pass(self, kind, engine) -> None:
        m = counter()
        getattr(m, kind)("small")
        error = failure(check, m, engine=engine)
        assert (error.code, str(error.where).partition(":")[0]) == ("SC117", "test_what_was_meant.py")
        assert f"{kind} 'small' has no predicate" in error.what

    def test_what_cannot_be_decorated(self) -> None:
        m = counter()
        assert failure(m.invariant, lambda s: True).code == "SC117"
        assert failure(m.invariant("p"), lambda: True).code == "SC117"

    def test_progress(self) -> None:
        m = counter()

        @m.progress
        def measure(s):
            return s.n

        assert callable(measure)
        assert check(m, strategy="sweep").statistics.peak < 3


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_draft_that_is_copied(engine: str, copied: Any) -> None:
    """The message was about a variable `__deepcopy__`, which nobody has heard of."""
    m = Model("copies", a=Array([0, 0]))

    @m.action
    def change(s):
        other = copied(s)
        other.a[0] = 1

    with pytest.raises(SweepcheckError) as caught:
        explore(m, engine=engine)
    assert caught.value.what == "a draft cannot be copied"


def test_what_differs_from_run_to_run_by_its_nature() -> None:
    m = Model("identity", n=0)
    with pytest.raises(SweepcheckError) as caught:

        @m.action
        def odd(s):
            s.n = id(s) % 2

    assert caught.value.code == "SC115"
