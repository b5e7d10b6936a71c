"""The stub of the native module against the module: the same names, and functions that take the same parameters."""

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import sweepcheck
from sweepcheck import _core

STUB = ast.parse((Path(sweepcheck.__file__).parent / "_core.pyi").read_text("utf-8"))


def declared(body: list[ast.stmt]) -> dict[str, list[ast.stmt]]:
    """The public names of a stub, and `__init__`; several statements where a function is overloaded."""
    found: dict[str, list[ast.stmt]] = {}
    for one in body:
        if isinstance(one, ast.FunctionDef | ast.ClassDef):
            names = [one.name]
        elif isinstance(one, ast.AnnAssign | ast.Assign):
            targets = [one.target] if isinstance(one, ast.AnnAssign) else one.targets
            names = [target.id for target in targets if isinstance(target, ast.Name)]
        else:
            names = []
        for name in names:
            found.setdefault(name, []).append(one)
    return {name: ones for name, ones in found.items() if is_public(name)}


def is_public(name: str) -> bool:
    return not name.startswith("_") or name == "__init__"


def parameters(function: ast.FunctionDef) -> dict[str, Any]:
    """What callers can see of the parameters."""
    given = function.args
    return {
        "by position alone": len(given.posonlyargs),
        "by name": [one.arg for one in (*given.args, *given.kwonlyargs)],
        "with a default": len(given.defaults) + sum(one is not None for one in given.kw_defaults),
        "any number": (given.vararg is not None, given.kwarg is not None),
    }


def native_parameters(function: Any) -> list[dict[str, Any]]:
    """The same of a compiled function, from the signatures that it carries; defaults stand in them as placeholders."""
    found = []
    for signature, *_ in function.__nb_signature__:
        tree = ast.parse(re.sub(r"\\\d+|\0", "...", signature) + ": ...")
        assert isinstance(tree.body[0], ast.FunctionDef)
        found.append(parameters(tree.body[0]))
    return found


def functions() -> list[tuple[str, list[ast.FunctionDef], Any]]:
    found = []
    for name, ones in declared(STUB.body).items():
        if isinstance(ones[0], ast.FunctionDef):
            found.append((name, ones, getattr(_core, name)))
        elif isinstance(ones[0], ast.ClassDef):
            members = vars(getattr(_core, name))
            for member, stubs in declared(ones[0].body).items():
                if hasattr(members.get(member), "__nb_signature__") and isinstance(stubs[0], ast.FunctionDef):
                    found.append((f"{name}.{member}", stubs, members[member]))
    return found


def test_the_module_has_the_names_of_the_stub() -> None:
    assert set(declared(STUB.body)) == {name for name in vars(_core) if is_public(name)}


@pytest.mark.parametrize(
    "name", [name for name, ones in declared(STUB.body).items() if isinstance(ones[0], ast.ClassDef)]
)
def test_classes_have_the_names_of_the_stub(name: str) -> None:
    (stub,) = declared(STUB.body)[name]
    assert isinstance(stub, ast.ClassDef)
    native = {member for member in vars(getattr(_core, name)) if is_public(member)}
    assert inspect.isclass(getattr(_core, name))
    assert set(declared(stub.body)) == native


@pytest.mark.parametrize(("stubs", "native"), [pytest.param(*both, id=name) for name, *both in functions()])
def test_functions_have_the_parameters_of_the_stub(stubs: list[ast.FunctionDef], native: Any) -> None:
    assert [parameters(stub) for stub in stubs] == native_parameters(native)
