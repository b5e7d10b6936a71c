"""`_core.pyi` says exactly what the compiled module has: names, parameters, types, and what can be assigned."""

import ast
import enum
from pathlib import Path
from typing import Any

import pytest

import sweepcheck
from sweepcheck import _core

STUB = ast.parse((Path(sweepcheck.__file__).parent / "_core.pyi").read_text())
VAGUE = {"object", "object | None", "list", "tuple"}  # what the module says of Python objects: the stub may say more
Outline = dict[str, Any]


def written(body: list[ast.stmt]) -> Outline:
    """What a stub declares, by name."""
    found: Outline = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = written(node.body)
        elif isinstance(node, ast.FunctionDef):
            is_property = any(ast.unparse(one) == "property" for one in node.decorator_list)
            found[node.name] = ["reads", typed(node.returns)] if is_property else called(node)
        elif isinstance(node, ast.AnnAssign):
            found[ast.unparse(node.target)] = ["assigns", typed(node.annotation)]
        elif isinstance(node, ast.Assign):
            found[ast.unparse(node.targets[0])] = ["member", ast.literal_eval(node.value)]
    return found


def compiled(names: dict[str, Any]) -> Outline:
    """What the module has, in the same words."""
    found: Outline = {}
    for name, value in names.items():
        if isinstance(value, type) and issubclass(value, enum.Enum):
            found[name] = {one.name: ["member", one.value] for one in value}
        elif isinstance(value, type):
            found[name] = compiled({key: one for key, one in vars(value).items() if is_ours(key, one)})
        elif isinstance(value, property):
            found[name] = ["reads" if value.fset is None else "assigns", typed(signature(value.fget).returns)]
        elif hasattr(value, "__nb_signature__"):
            found[name] = called(signature(value))
        else:
            found[name] = ["assigns", type(value).__name__]
    return found


def is_ours(name: str, value: object) -> bool:
    return not name.startswith("_") or (name == "__init__" and hasattr(value, "__nb_signature__"))


def signature(function: Any) -> ast.FunctionDef:
    text = function.__nb_signature__[0][0].replace("def (", "def get(").replace("\\0", "None")
    node = ast.parse(f"{text}: ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    return node


def called(node: ast.FunctionDef) -> list[Any]:
    defaults = [ast.unparse(one) for one in node.args.defaults]
    return ["called", [(one.arg, typed(one.annotation)) for one in node.args.args], defaults, typed(node.returns)]


def typed(annotation: ast.expr | None) -> str:
    text = "" if annotation is None else ast.unparse(annotation)
    return text.replace("sweepcheck._core.", "").replace("Failure.", "").replace("collections.abc.", "")


def agree(stub: Any, module: Any) -> bool:
    """Whether the stub says the same, or more where the module is vague."""
    if isinstance(stub, list | tuple) and isinstance(module, list | tuple):
        return len(stub) == len(module) and all(map(agree, stub, module))
    return stub == module or module in VAGUE or (module == "list[object]" and str(stub).startswith("list["))


def members(outline: Outline, prefix: str = "") -> Outline:
    """An outline without its levels."""
    found: Outline = {}
    for name, value in outline.items():
        found.update(members(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value})
    return found


IN_STUB = members(written(STUB.body))
IN_MODULE = members(compiled({name: value for name, value in vars(_core).items() if is_ours(name, value)}))


def test_the_same_names() -> None:
    assert sorted(IN_STUB) == sorted(IN_MODULE)


@pytest.mark.parametrize("name", sorted(IN_MODULE))
def test_the_same_things(name: str) -> None:
    assert agree(IN_STUB[name], IN_MODULE[name]), (IN_STUB[name], IN_MODULE[name])


def test_differences_are_seen() -> None:
    name = "Explorer.add_value"
    assert name in IN_MODULE
    others = (
        "def add_value(self, part: int, above: int | None=None) -> int: ...",
        "def add_value(self, part: int, below: int | None) -> int: ...",
        "def add_value(self, part: int, below: int | None=None) -> str: ...",
        "add_value: int",
    )
    for text in others:
        assert not agree(written(ast.parse(text).body)["add_value"], IN_MODULE[name])
