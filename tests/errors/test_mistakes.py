"""Mistakes of people who write their first models, and what they are told. Nothing may end in a bare exception."""

import math
from itertools import count

import pytest
from mistakes import acting, counter, failure, judging, model_with

from sweepcheck import (
    Array,
    Bag,
    Model,
    Queue,
    Status,
    SweepcheckError,
    check,
    choose,
    explore,
    invariant,
    partial_order,
    product,
    require,
    stay,
)


class TestDeclaringActions:
    def declare(self, function, **family) -> SweepcheckError:
        m = Model("m", n=0)
        error = failure(lambda: m.action(**family)(function) if family else m.action(function))
        assert error.code == "SC113"
        assert error.where is not None
        return error

    def test_what_is_no_plain_function(self) -> None:
        class Owner:
            def method(self, s):
                s.n = 1

        def generator(s):
            yield s.n

        async def coroutine(s):
            s.n = 1

        assert "lambda" in self.declare(lambda s: None).what
        assert "not a function" in self.declare(Owner).what
        assert "method" in self.declare(Owner.method).what
        assert "yields" in self.declare(generator).what
        assert "asynchronous" in self.declare(coroutine).what
        assert "range(0, 3)" in self.declare(range(3)).what

    def test_a_function_without_room_for_the_draft(self) -> None:
        def nothing(): ...
        def keyword_only(*, s): ...
        def star(*s): ...

        for function in (nothing, keyword_only, star):
            assert "first parameter" in self.declare(function).what

    def test_families(self) -> None:
        def act(s, i):
            s.n = i

        assert "(i)" in self.declare(act, j=range(3)).what
        assert "3" in self.declare(act, i=3).what
        assert "[1]" in self.declare(act, i=[[1]]).what
        assert "1,000,000" in self.declare(act, i=count()).what

    def test_the_same_name_twice(self) -> None:
        m = counter()
        error = failure(m.action, m.actions[0].function)
        assert error.code == "SC112"
        assert "family" in str(error.suggestion)


class TestDeclaringVariables:
    @pytest.mark.parametrize("name", ["if", "_x", "a b", "1x", "__class__"])
    def test_impossible_names(self, name) -> None:
        error = failure(Model, "m", **{name: 0})
        assert (error.code, name in error.what) == ("SC110", True)

    @pytest.mark.parametrize("name", ["self", "name", "close", "touch", "pick", "labels", "state", "s"])
    def test_any_other_name_is_free(self, name) -> None:
        def act(s):
            setattr(s, name, choose(1, 2))
            stay()

        m = model_with(act, **{name: 0})
        m.invariant("p", lambda s: getattr(s, name) < 3)
        assert check(m)["p"].status is Status.HOLDS

    @pytest.mark.parametrize("kind", [Bag, Queue, Array])
    def test_a_class_instead_of_a_value(self, kind) -> None:
        error = failure(Model, "m", data=kind)
        assert (error.code, error.suggestion) == ("SC110", f"write data={kind.__name__}()")

    @pytest.mark.parametrize("value", [[], {}, set(), ([],), Queue([[1]]), object(), failure, (i for i in "ab")])
    def test_values_that_cannot_be_remembered(self, value) -> None:
        assert failure(Model, "m", x=value).code == "SC111"

    @pytest.mark.parametrize("value", [None, ..., int, 1.5, "x", (1, None), frozenset({1}), Status.HOLDS, b"x"])
    def test_values_that_can(self, value) -> None:
        assert explore(Model("m", x=value)).statistics.states == 1

    def test_the_name_of_the_model(self) -> None:
        assert failure(Model, {"n": 0}).code == "SC110"


class TestInitialStates:
    @pytest.mark.parametrize(
        ("positional", "named"),
        [
            ((), {"n": 1}),
            ((), {"n": "idle"}),
            ((), {"n": []}),
            ((), {"k": [1]}),
            ((), {"b": [1]}),
            (([1, 2],), {}),
            (({"n": 3},), {}),
            ((3,), {}),
            (([{"n": 1}],), {"b": [Bag()]}),
            (([],), {}),
        ],
    )
    def test_wrong_forms(self, positional, named) -> None:
        m = Model("m", n=0, b=Bag())
        error = failure(lambda: m.initial(*positional, **named))
        assert error.code == "SC116"
        assert error.where is not None
        assert error.where.startswith("test_mistakes.py:")

    def test_choosing_there(self) -> None:
        assert failure(lambda: Model("m", n=choose(1, 2))).code == "SC206"


class TestDrafts:
    def test_misspelt_variables(self) -> None:
        def reading(s):
            s.sender = s.sendr

        def writing(s):
            s.sendr = 1

        def deleting(s):
            del s.sendr

        for action in (reading, writing, deleting):
            error = acting(action, sender=0)
            assert (error.code, error.suggestion) == ("SC202", "did you mean 'sender'?")

    def test_kept_for_later(self) -> None:
        class Keeper:
            draft = None
            bag = None

        def draft(s):
            if Keeper.draft:
                setattr(Keeper.draft, "n", 2)  # noqa: B010
            setattr(Keeper, "draft", s)  # noqa: B010 - an assignment would be refused
            s.n += 1

        def editor(s):
            if Keeper.bag is not None:
                Keeper.bag.add(1)
            setattr(Keeper, "bag", s.b)  # noqa: B010
            s.n += 1

        for action in (draft, editor):
            for engine in ("native", "reference"):
                Keeper.draft = Keeper.bag = None
                error = failure(explore, model_with(action, n=0, b=Bag()), engine=engine)
                assert error.code == "SC205"
                assert error.where is not None
                assert error.where.startswith("test_")

    def test_outer_collections_that_an_action_changes(self) -> None:
        seen, table, nested = [], {}, {"a": []}

        def appending(s):
            seen.append(s.n)
            s.n = 1

        def filling(s):
            table[s.n] = 1
            s.n = 1

        def deep(s):
            nested["a"].append(1)
            s.n = 1

        for action, name in ((appending, "seen"), (filling, "table"), (deep, "nested")):
            error = acting(action)
            assert error.code == "SC115"
            assert repr(name) in error.what

    def test_outer_collections_that_it_reads_are_fine(self) -> None:
        table = {0: 1, 1: 0}

        def act(s):
            local = []
            local.append(table[s.n])
            s.n = local.pop()

        assert explore(model_with(act, n=0)).statistics.states == 2

    def test_changing_values(self) -> None:
        def act(s):
            s.t[0] = 1

        error = acting(act, t=(0, 0))
        assert error.code == "SC201"
        assert "Array" in str(error.suggestion)


class TestRunningActions:
    def test_exceptions_keep_their_own_traceback(self) -> None:
        def act(s):
            raise ValueError("first line\nsecond line")

        error = acting(act, größe="☃")
        assert error.what == "action 'act' raised ValueError: first line"
        trace = dict(error.values)["traceback"]
        assert "second line" in trace
        assert "sweepcheck/models" not in trace
        assert dict(error.values)["state"] == "größe='☃'"
        assert isinstance(error.__cause__, ValueError)

    def test_all_sorts_of_ends(self) -> None:
        def exits(s):
            raise SystemExit(0)

        def stops(s):
            s.n = next(iter(()))

        def recurses(s):
            recurses(s)

        for action in (exits, stops, recurses):
            assert acting(action).code == "SC201"

    def test_an_interruption_passes(self) -> None:
        def act(s):
            raise KeyboardInterrupt

        assert explore(model_with(act, n=0)).stop is not None

    def test_a_broad_except_does_not_enable_an_action(self) -> None:
        def act(s):
            try:
                require(s.n < 1)
            except Exception:  # noqa: BLE001 - what a careless action does
                s.n = 9
            s.n += 1

        assert explore(model_with(act, n=0)).statistics.states == 2


class TestPredicates:
    def test_what_only_actions_do(self) -> None:
        def assigning(s):
            s.n = 1

        def element(s):
            s.a[0] = 1

        for predicate in (
            lambda s: choose(True, False),
            lambda s: require(False),
            lambda s: s.b.take(),
            lambda s: s.b.add(1),
            lambda s: s.q.put(1),
            assigning,
            element,
        ):
            error = judging(predicate, n=0, b=Bag([1]), q=Queue(), a=Array([0]))
            assert error.code == "SC206"
            assert "state" in dict(error.values)

    @pytest.mark.parametrize("value", [None, len, (i for i in "a")])
    def test_what_is_neither_true_nor_false(self, value) -> None:
        values = [value]
        assert judging(lambda s: values[0]).code == "SC210"

    def test_other_values_are_taken_as_python_takes_them(self) -> None:
        m = Model("m", n=0)
        report = check(m, [invariant("p", lambda s: [s.n]), invariant("q", lambda s: s.n)], keep_going=True)
        assert [verdict.status for verdict in report.verdicts] == [Status.HOLDS, Status.VIOLATED]

    def test_a_value_without_truth(self) -> None:
        class Vague:
            def __bool__(self):
                raise ValueError("neither")

        assert judging(lambda s: Vague()).code == "SC209"

    def test_declared_wrongly(self) -> None:
        m = Model("m", n=0)
        for declare in (
            lambda: m.invariant(lambda s: True, "name"),
            lambda: m.deadlock(lambda s: True),
            lambda: m.deadlock(final=True),
            lambda: m.invariant("p", "n == 0"),
            lambda: m.invariant("p", lambda: True),
            lambda: m.invariant("p", lambda s, t: True),
            lambda: m.reachable("p", None),
            lambda: invariant("p", True),
        ):
            error = failure(declare)
            assert (error.code, str(error.where).partition(":")[0]) == ("SC117", "test_mistakes.py")


class TestMeasures:
    @pytest.mark.parametrize(
        "function",
        [
            lambda s: [s.n],
            lambda s: {s.n},
            lambda s: None,
            lambda s: (s.n, None),
            lambda s: math.nan,
            lambda s: s.n if s.n < 1 else "x",
            lambda s: s.n if s.n < 1 else (1,),
            partial_order(lambda s: s.n, lambda a, b: a.below(b)),
            product(lambda s: s.n, lambda s: [1]),
        ],
    )
    def test_values_without_an_order(self, function) -> None:
        assert failure(check, counter(), measure=function).code == "SC302"

    def test_initial_states_that_cannot_be_compared(self) -> None:
        m = Model("m", n=0)
        m.initial(n=[0, "x"])
        assert failure(explore, m, measure="n").code == "SC302"

    def test_values_that_cannot_be_compared_with_each_other_later(self) -> None:
        def act(s):
            require(s.n == (0,))
            s.n = choose((1, 2), (1, "x"))

        assert failure(explore, model_with(act, n=(0,)), measure="n").code == "SC302"

    def test_declared_wrongly(self) -> None:
        for declare in (
            lambda: counter().progress(5),
            lambda: counter().progress("n"),
            lambda: counter().progress(lambda s: s.n, span=3),
            lambda: product(1, 2),
        ):
            error = failure(declare)
            assert (error.code, str(error.where).partition(":")[0]) == ("SC117", "test_mistakes.py")

    def test_declared_twice(self) -> None:
        m = counter()
        m.progress(lambda s: s.n)
        assert failure(m.progress, lambda s: s.n).code == "SC112"


def test_a_model_that_changes_its_mind_has_no_verdict() -> None:
    numbers = [count(1)]

    def act(s):
        require(s.n < 2)
        s.n = next(numbers[0])

    m = model_with(act, n=0)
    m.invariant("p", lambda s: s.n < 2)
    assert failure(check, m).code == "SC213"
