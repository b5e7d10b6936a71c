"""Models from files: which object is meant, and with which parameters."""

import importlib
import inspect
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sweepcheck import SweepcheckError, explore, load
from sweepcheck.models.parameters import parse_parameters

FACTORY = """
from sweepcheck import Model

def {name}(top=3, step=1):
    m = Model("counter", n=0)

    @m.action
    def up(s):
        if s.n + step <= top:
            s.n += step

    return m
"""


def written(folder: Path, text: str, name: str = "some_model.py") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def refused(reference: str, parameters: dict[str, object] | None = None) -> str:
    with pytest.raises(SweepcheckError) as caught:
        load(reference, parameters)
    return caught.value.code


def test_a_factory_with_parameters(tmp_path: Path) -> None:
    file = written(tmp_path, FACTORY.format(name="build"))
    assert explore(load(file)).statistics.states == 4
    system = load(file, {"top": 10, "step": 5})
    assert dict(system.parameters) == {"top": 10, "step": 5}
    assert explore(system).statistics.states == 3
    assert dict(load(file, {"step": 2}).parameters) == {"top": 3, "step": 2}
    assert explore(file).statistics.states == 4
    assert explore(Path(file)).statistics.states == 4


def test_which_one_is_meant(tmp_path: Path) -> None:
    two = FACTORY.format(name="one") + FACTORY.format(name="two").replace("top=3", "top=9")
    file = written(tmp_path, two)
    assert refused(file) == "SC104"
    assert explore(f"{file}:two").statistics.states == 10
    assert refused(f"{file}:three") == "SC104"
    assert load(written(tmp_path, two + "model = two()\n")).name == "counter"
    assert explore(written(tmp_path, two, "two.py")).statistics.states == 10
    assert refused(written(tmp_path, "x = 1\n")) == "SC104"


def test_a_model_without_a_factory(tmp_path: Path) -> None:
    file = written(tmp_path, FACTORY.format(name="_build") + "counter = _build(top=1)\n")
    assert explore(file).statistics.states == 2
    assert refused(file, {"top": 2}) == "SC105"


def test_a_plain_class(tmp_path: Path) -> None:
    text = """
class Counter:
    def __init__(self, top=2):
        self.top = top
    def initial(self):
        return 0
    def successors(self, state):
        if state < self.top:
            yield "up", state + 1
"""
    file = written(tmp_path, text)
    assert explore(file).statistics.states == 3
    assert explore(load(file, {"top": 5})).statistics.states == 6


def test_a_colon_in_the_path(tmp_path: Path) -> None:
    folder = tmp_path / "odd:folder"
    folder.mkdir()
    file = written(folder, FACTORY.format(name="build"))
    assert explore(file).statistics.states == 4
    assert explore(f"{file}:build").statistics.states == 4


def test_files_that_are_no_models(tmp_path: Path) -> None:
    assert refused(str(tmp_path / "nothing.py")) == "SC101"
    assert refused(str(tmp_path)) == "SC101"
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\x00")
    assert refused(str(tmp_path / "bytes.py")) == "SC101"
    assert refused(written(tmp_path, "def f(:\n")) == "SC102"
    assert refused(written(tmp_path, "1 / 0\n")) == "SC103"
    assert refused(written(tmp_path, "raise SystemExit(0)\n")) == "SC103"
    assert refused(written(tmp_path, "def f():\n    1 / 0\n")) == "SC103"
    assert refused(written(tmp_path, "def f():\n    return 5\n")) == "SC106"


def test_parameters(tmp_path: Path) -> None:
    file = written(tmp_path, FACTORY.format(name="build"))
    assert refused(file, {"tip": 1}) == "SC105"
    assert refused(written(tmp_path, "def f(x):\n    pass\n")) == "SC105"
    for wrong in ("n", "=3", "1n=2", "n=[1"):
        with pytest.raises(SweepcheckError) as caught:
            parse_parameters((wrong,))
        assert caught.value.code == "SC105"


def test_what_stands_beside_the_file_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "beside_the_model.py").write_text("TOP = 6\n")
    text = "from beside_the_model import TOP\n" + FACTORY.format(name="build").replace("top=3", "top=TOP")
    assert explore(written(tmp_path, text)).statistics.states == 7


def test_each_model_imports_from_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "from shared_by_name.tops import TOP\n" + FACTORY.format(name="build").replace("top=3", "top=TOP")
    for top in (2, 4, 8):
        folder = tmp_path / str(top)
        (folder / "shared_by_name").mkdir(parents=True)
        (folder / "shared_by_name" / "tops.py").write_text(f"TOP = {top}\n")
        written(folder, text)
    monkeypatch.syspath_prepend(str(tmp_path / "8"))
    for name in ("shared_by_name", "shared_by_name.tops"):  # leaves nothing behind
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
        del sys.modules[name]
    models = [load(str(tmp_path / str(top) / "some_model.py")) for top in (2, 4, 2)]
    assert [explore(one).statistics.states for one in models] == [3, 5, 3]
    del sys.modules["shared_by_name"], sys.modules["shared_by_name.tops"]
    own = importlib.import_module("shared_by_name.tops")
    assert own.TOP == 8
    assert explore(load(str(tmp_path / "4" / "some_model.py"))).statistics.states == 5
    assert sys.modules["shared_by_name.tops"] is own  # a program keeps what it has imported itself


def test_dataclasses_in_a_model_file(tmp_path: Path) -> None:
    text = """
from __future__ import annotations
from dataclasses import dataclass
from sweepcheck import Model

@dataclass(frozen=True)
class Message:
    to: int

def build():
    m = Model("messages", last=Message(0))

    @m.action(i=range(3))
    def send(s, i):
        s.last = Message(i)

    return m
"""
    assert explore(written(tmp_path, text, "dataclass_model.py")).statistics.states == 3


def test_generator_functions_are_parts_of_processes_and_no_models(tmp_path):
    path = tmp_path / "lamp.py"
    path.write_text(
        "from sweepcheck import Model\n"
        "def blink(s):\n    s.on = True\n    yield\n    s.on = False\n"
        "def make():\n    m = Model('lamp', on=False)\n"
        "    @m.process\n    def p(s):\n        yield from blink(s)\n    return m\n",
        encoding="utf-8",
    )
    assert load(str(path)).variables == ("on", "p")


def test_everything_imported_is_no_model(tmp_path: Path) -> None:
    """A class of the package that looks like a plain model was taken for the one that is meant."""
    file = written(tmp_path, FACTORY.format(name="build").replace("import Model", "import *"))
    assert explore(load(file, {"top": 5})).statistics.states == 6


def test_code_is_shown_as_it_runs_though_its_file_is_edited(tmp_path):
    path = tmp_path / "edited.py"
    text = 'from sweepcheck import Model\n\nm = Model("m", n=0)\nm.invariant("small", lambda s: s.n < 5)\n'
    for line in ("# one\n", "# another\n# and one more\n"):
        path.write_text(line + text)
        system = load(str(path))
        path.write_text("# something else\n" * 9)
        os.utime(path, (1, 1))
        (asked,) = system.properties
        assert inspect.getsource(asked.predicate) == 'm.invariant("small", lambda s: s.n < 5)\n'
