"""Mistakes of people who write their first models, and what they are told. Nothing may end in a bare exception."""

import math
from itertools import count, repeat
from pathlib import Path

import pytest
from mistakes import acting, counter, failure, judging, model_with

from sweepcheck import (
    Array,
    Bag,
    Limits,
    Model,
    Queue,
    Status,
    SweepcheckError,
    check,
    choose,
    deadlock,
    explore,
    invariant,
    load,
    partial_order,
    product,
    require,
    stay,
)
from sweepcheck.models.parameters import parse_parameters


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
        assert "method" in self.declare(Owner().method).what
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


class TestBagsQueuesArrays:
    def test_assigning(self) -> None:
        def bag(s):
            s.b = Bag()

        def plus(s):
            s.b += [1]

        def array(s):
            s.a = [1]

        def deleting(s):
            del s.b

        for action in (bag, plus, array, deleting):
            assert acting(action, b=Bag(), a=Array([0])).code == "SC204"

    def test_operations_of_lists(self) -> None:
        def bag(s):
            s.b.append(1)

        def queue(s):
            s.q.append(1)

        def array(s):
            s.a.append(1)

        def queue_element(s):
            s.q[0] = 1

        def bag_element(s):
            s.n = s.b[0]

        def array_element(s):
            del s.a[0]

        for action in (bag, queue, array, queue_element, bag_element, array_element):
            error = acting(action, b=Bag(), a=Array([0]), q=Queue([1]), n=0)
            assert error.code == "SC214"
            assert dict(error.values)["state"] == "b=empty a=[0] q=<1> n=0"

    def test_adding_and_taking_in_strange_ways(self) -> None:
        def minus(s):
            s.b.add(1, -1)

        def fraction(s):
            s.b.add(1, 0.5)

        def two(s):
            s.b.take(1, 2)

        def function(s):
            s.b.take(lambda x: x > 0)

        def where(s):
            s.b.take(where=1)

        for action in (minus, fraction, two, function, where):
            assert acting(action, b=Bag([1])).code == "SC214"

    def test_tokens_that_cannot_be_remembered(self) -> None:
        def add(s):
            s.b.add([1])

        def take(s):
            s.b.take([1])

        for action in (add, take):
            assert acting(action, b=Bag([1])).code == "SC203"

    def test_indices(self) -> None:
        def far(s):
            s.a[10] = 1

        def fraction(s):
            s.n = s.a[0.0]

        def queue(s):
            s.n = s.q[3]

        for action in (far, fraction, queue):
            assert acting(action, a=Array([1]), q=Queue([1]), n=0).code == "SC207"

    def test_slices_are_not_assigned(self) -> None:
        def some(s):
            s.a[0:1] = [1]

        def every(s):
            s.a[:] = [1]

        for action in (some, every):
            error = acting(action, a=Array([1]))
            assert error.code == "SC214"
            assert "for i in range(1): s.a[i] = x" in str(error.suggestion)

    def test_a_bag_within_an_array_is_a_value(self) -> None:
        def act(s):
            s.a[0].add(1)

        error = acting(act, a=Array([Bag()]))
        assert error.code == "SC201"
        assert "replaced" in str(error.suggestion)

    def test_as_values(self) -> None:
        def stored(s):
            s.n = s.b

        def within(s):
            s.n = (1, s.b)

        def draft(s):
            s.n = s

        for action in (stored, within, draft):
            assert acting(action, n=0, b=Bag()).code == "SC203"

        def hashed(s):
            s.n = len({s.b})

        assert "Bag(s.x)" in str(acting(hashed, n=0, b=Bag()).suggestion)

        def copied(s):
            require(s.n == 0)
            s.n = Bag(s.b)

        assert explore(model_with(copied, n=0, b=Bag([1]))).statistics.states == 2


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


class TestChoosing:
    def test_from_what_cannot_be_chosen(self) -> None:
        def one(s):
            s.n = choose(3)

        def endless(s):
            s.n = choose(count())

        def endless_and_equal(s):
            s.n = choose(repeat(1))

        def lists(s):
            s.n = choose([1], [2])

        for action in (one, endless, endless_and_equal, lists):
            assert acting(action).code == "SC212"

    def test_an_exception_of_the_alternatives_is_theirs(self) -> None:
        def act(s):
            s.n = choose(x + "a" for x in (1, 2))

        error = acting(act)
        assert error.code == "SC201"
        assert "TypeError" in error.what

    @pytest.mark.parametrize("function", [lambda: choose(1, 2), lambda: require(False), stay])
    def test_outside_an_action(self, function) -> None:
        assert failure(function).code == "SC206"


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


class TestRequests:
    @pytest.mark.parametrize(
        "options",
        [
            {"gc": 0},
            {"gc": "foo"},
            {"gc": None},
            {"gc": 1.5},
            {"limits": Limits(states=0)},
            {"limits": Limits(states=1.5)},
            {"limits": Limits(states="10")},
            {"limits": Limits(seconds=-1)},
            {"limits": Limits(seconds=math.nan)},
            {"limits": Limits(memory=math.inf)},
            {"limits": 10},
            {"strategy": "sweeep"},
            {"strategy": 3},
            {"strategy": []},
            {"engine": "natif"},
            {"engine": 1},
            {"measure": 3},
        ],
    )
    def test_options(self, options) -> None:
        assert failure(check, counter(), **options).code == "SC403"

    @pytest.mark.parametrize("text", ["nn", "n +", "n = 1", "", "a\0b", "lambda s: s.n", "(" * 300 + "n" + ")" * 300])
    def test_expressions(self, text) -> None:
        error = failure(check, counter(), measure=text)
        assert error.code == "SC402"
        assert len(str(error)) < 3000

    def test_expressions_that_fail_later_name_themselves(self) -> None:
        error = failure(check, counter(), measure="1 / n")
        assert (error.code, error.where) == ("SC209", "expression 1 / n")

    @pytest.mark.parametrize("properties", [[len], 3, ["no such"], [deadlock("a"), deadlock("a")]])
    def test_properties(self, properties) -> None:
        assert failure(check, counter(), properties).code == "SC401"

    def test_one_property_need_not_be_a_list(self) -> None:
        m = counter()
        m.invariant("p", lambda s: True)
        assert len(check(m, "p").verdicts) == len(check(m, deadlock()).verdicts) == 1

    def test_things_that_are_no_model(self) -> None:
        class Half:
            def initial(self): ...

        for thing, words in ((counter, "counter()"), (None, "Model"), (Half, "Half()"), (Half(), "successors")):
            error = failure(check, thing)
            assert error.code == "SC106"
            assert words in str(error.suggestion)


class TestPlainObjects:
    def make(self, initial, successors) -> object:
        class Plain:
            def initial(self):
                return initial() if callable(initial) else initial

            def successors(self, state):
                return successors(state)

        return Plain()

    @pytest.mark.parametrize("answer", [None, 3, [1], ["ab"], [("a", 1, 2)], [["a", 1]], [((1,), "a")]], ids=repr)
    def test_successors_of_a_wrong_shape(self, answer) -> None:
        error = failure(explore, self.make((0,), lambda state: answer))
        assert (error.code, dict(error.values)["state"]) == ("SC211", "(0,)")

    def test_states_that_cannot_be_remembered(self) -> None:
        for initial, target in (([[1]], 0), ({"x": 1}, 0), ({1, 2}, 0), (0, [1]), (0, object())):
            error = failure(explore, self.make(initial, lambda state, target=target: [("a", target)]))
            assert error.code == "SC203"
            assert error.where is not None

    def test_initial_states(self) -> None:
        for initial in ([], None, lambda: 1 // 0):
            assert failure(explore, self.make(initial, lambda state: [])).code == "SC116"
        assert explore(self.make(lambda: iter((1, 2)), lambda state: [])).statistics.states == 2

    def test_exceptions(self) -> None:
        error = failure(explore, self.make(0, lambda state: 1 // 0))
        assert error.code == "SC201"
        assert "1 // 0" in dict(error.values)["traceback"]

    def test_expressions_see_the_whole_state(self) -> None:
        plain = self.make(0, lambda state: [("a", 1)])
        assert explore(plain, measure="state").statistics.states == 2
        assert failure(explore, plain, measure="stat").suggestion == "did you mean 'state'?"


class TestFiles:
    def write(self, folder: Path, source: str | bytes, name: str = "model.py") -> str:
        path = folder / name
        path.write_bytes(source if isinstance(source, bytes) else source.encode())
        return str(path)

    def test_many_files_are_not_all_named(self, tmp_path) -> None:
        for number in range(50):
            (tmp_path / f"model{number}.py").touch()
        error = failure(load, str(tmp_path / "ferry.py"))
        assert error.code == "SC101"
        assert str(error.suggestion).endswith(" and 38 more")
        assert str(error.suggestion).count(".py") == 12
        assert str(failure(load, str(tmp_path / "modle7.py")).suggestion).endswith("did you mean 'model7.py'?")

    @pytest.mark.parametrize(
        ("source", "code", "words"),
        [
            ("", "SC104", "define a Model"),
            ("def f():\npass\n", "SC102", "mend"),
            (b"\xff\xfe\x00", "SC101", "UTF-8"),
            (b"x = 1\0\n", "SC102", "mend"),
            ("import sys\nsys.exit(0)\n", "SC103", "__main__"),
            ("import sys\ndef make():\n    sys.exit(0)\n", "SC103", "mend"),
            ("def make():\n    return 5\n", "SC106", "return a Model"),
            ("def make(n):\n    return n\n", "SC105", 'load(..., {"n": ...})'),
            ("m = Model('m', n=0)\n", "SC103", "from sweepcheck import Model"),
            ("def make():\n    return Net('n')\n", "SC103", "from sweepcheck import Net"),
            ("place = timed(int)\n", "SC103", "colours.timed"),
            ("x = math.pi\n", "SC103", "import math"),
            ("x = limit\n", "SC103", "define or import 'limit'"),
            ("from sweepchek import Model\n", "SC103", "did you mean sweepcheck?"),
            ("from sweepcheck import requires\n", "SC103", "did you mean require?"),
            ("from sweepcheck import timed\n", "SC103", "colours.timed"),
            ("from sweepcheck import Model\nm = Model('m', n=0)\n@m.actions\ndef a(s): ...\n", "SC103", "@m.action"),
            ("from sweepcheck import Model\nm = Model('m', n=Qeueue())\n", "SC103", "did you mean Queue?"),
            ("def one(): ...\ndef two(): ...\n", "SC104", "model.py:two"),
        ],
    )
    def test_contents(self, tmp_path, source, code, words) -> None:
        error = failure(load, self.write(tmp_path, source))
        assert error.code == code
        assert words in str(error.suggestion)

    def test_a_file_that_is_not_python(self, tmp_path) -> None:
        assert failure(load, self.write(tmp_path, "hello", "model.txt")).code == "SC101"

    def test_a_file_with_the_name_of_a_module(self, tmp_path) -> None:
        error = failure(load, self.write(tmp_path, "1 // 0", "json.py"))
        assert "another name" in str(error.suggestion)

    def test_a_factory_that_is_not_there(self, tmp_path) -> None:
        error = failure(load, self.write(tmp_path, "def make(): ...") + ":mak")
        assert (error.code, error.suggestion) == ("SC104", "did you mean 'make'?")

    def test_parameters_of_a_model_that_takes_none(self, tmp_path) -> None:
        path = self.write(tmp_path, "from sweepcheck import Model\nm = Model('m')\n")
        assert failure(load, path, {"n": 1}).code == "SC105"

    def test_a_factory_may_take_any_parameter(self, tmp_path) -> None:
        path = self.write(tmp_path, "from sweepcheck import Model\ndef make(**given): return Model('m', **given)\n")
        assert load(path, {"n": 1}).variables == ("n",)

    @pytest.mark.parametrize("text", ["x", "=3", "1x=3", "a b=3", "n=[1", "n='x"])
    def test_malformed_parameters(self, text) -> None:
        assert failure(parse_parameters, (text,)).code == "SC105"

    def test_an_edited_file_is_read_again(self, tmp_path) -> None:
        source = "from sweepcheck import Model\nm = Model('m', n=0)\n"
        assert explore(self.write(tmp_path, source)).statistics.states == 1
        assert failure(explore, self.write(tmp_path, source + "def act(s):\n    s.n = 1\n")).code == "SC114"

    def test_an_unwritable_folder(self, tmp_path) -> None:
        blocked = self.write(tmp_path, "")
        assert failure(check, counter(), trace_dir=blocked).code == "SC406"


def test_a_model_that_changes_its_mind_has_no_verdict() -> None:
    numbers = [count(1)]

    def act(s):
        require(s.n < 2)
        s.n = next(numbers[0])

    m = model_with(act, n=0)
    m.invariant("p", lambda s: s.n < 2)
    assert failure(check, m).code == "SC213"
