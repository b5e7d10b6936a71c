"""Mistakes in what is asked for: options, properties, objects that are no models, files."""

import math
from pathlib import Path

import pytest
from mistakes import counter, failure

from sweepcheck import Limits, check, deadlock, explore, load
from sweepcheck.models.parameters import parse_parameters


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
