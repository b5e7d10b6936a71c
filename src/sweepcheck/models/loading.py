"""Models from files: `FILE.py[:factory]` with parameters."""

from __future__ import annotations

import ast
import inspect
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sweepcheck.core.model import System
from sweepcheck.errors import ModelError, SweepcheckError, closest, place
from sweepcheck.models.actions.action import own_traceback
from sweepcheck.models.adoption import adopt, is_model


def load(reference: str, parameters: Mapping[str, object] | None = None) -> System:
    """The model that `FILE.py` or `FILE.py:factory` names, built with these parameters."""
    filename, _, factory = reference.partition(":") if ".py:" in reference else (reference, "", "")
    namespace = _execute(Path(filename))
    chosen = _choose(namespace, Path(filename), factory)
    given = dict(parameters or {})
    if is_model(chosen):
        if given:
            raise ModelError(
                "SC105",
                f"the model in {filename} takes no parameters",
                suggestion="write a function that takes them and returns the model",
            )
        return adopt(chosen)
    system = adopt(_build(chosen, given))
    system.parameters = MappingProxyType(_effective(chosen, given))  # type: ignore[misc]
    return system


def parse_parameters(texts: tuple[str, ...]) -> dict[str, object]:
    """`name=value` texts as a mapping; values are Python literals, anything else is taken as text."""
    parsed: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip().isidentifier():
            raise ModelError("SC105", f"{text!r} is not a parameter", suggestion="write -p name=value")
        try:
            parsed[name.strip()] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            parsed[name.strip()] = value
    return parsed


def _execute(path: Path) -> dict[str, Any]:
    """Run a model file and return its names."""
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelError(
            "SC101", f"{path} cannot be read: {reason}", suggestion="give the path of a Python file"
        ) from None
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    # Dataclasses and pickling look modules up by name; the folder is searched for what the file imports.
    sys.modules.setdefault(path.stem, module)
    sys.path.insert(0, str(path.parent))
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except SyntaxError as error:
        where = f"{Path(error.filename or path).name}:{error.lineno}"
        text = (error.text or "").strip()
        raise ModelError(
            "SC102", f"{error.msg}", where=where, values=[("line", text)], suggestion="mend the file"
        ) from None
    except SweepcheckError:
        raise
    except Exception as error:
        raise ModelError(
            "SC103",
            f"{path} raised {type(error).__name__}: {error}",
            values=[("traceback", own_traceback(error))],
            suggestion="mend the file; it must run by itself: python " + path.name,
        ) from error
    finally:
        sys.path.remove(str(path.parent))
    return module.__dict__


def _choose(namespace: Mapping[str, Any], path: Path, factory: str) -> Any:
    """The model or factory meant: the one named, else `model`, else the file's name, else the only one there."""

    def is_factory(value: object) -> bool:
        return inspect.isfunction(value) and value.__code__.co_filename == str(path)

    def is_plain_class(value: object) -> bool:
        return isinstance(value, type) and hasattr(value, "initial") and hasattr(value, "successors")

    public = {name: value for name, value in namespace.items() if not name.startswith("_")}
    models = {name: value for name, value in public.items() if is_model(value) or is_plain_class(value)}
    factories = {name: value for name, value in public.items() if is_factory(value)}
    candidates = models | factories
    if factory:
        if factory not in candidates:
            raise ModelError("SC104", f"{path} has no model {factory!r}", suggestion=closest(factory, candidates))
        return candidates[factory]
    for name in ("model", path.stem):
        if name in candidates:
            return candidates[name]
    for group in (models, factories):
        if len(group) == 1:
            return next(iter(group.values()))
    what = "no model was found" if not candidates else "it is not clear which model is meant"
    listed = "; ".join(f"{path}:{name}" for name in candidates)
    raise ModelError(
        "SC104",
        f"{what} in {path}",
        suggestion=f"name one: {listed}" if listed else "define a Model, or a function that returns one",
    )


def _build(factory: Any, given: Mapping[str, object]) -> Any:
    signature = inspect.signature(factory)
    for name in given:
        if name not in signature.parameters:
            raise ModelError(
                "SC105",
                f"the model has no parameter {name!r}",
                where=place(factory),
                suggestion=closest(name, signature.parameters),
            )
    try:
        signature.bind(**given)
    except TypeError as error:
        raise ModelError(
            "SC105",
            f"the model cannot be built: {error}",
            where=place(factory),
            suggestion="give it with -p name=value",
        ) from None
    try:
        return factory(**given)
    except SweepcheckError:
        raise
    except Exception as error:
        raise ModelError(
            "SC103",
            f"building the model raised {type(error).__name__}: {error}",
            where=place(factory),
            values=[("traceback", own_traceback(error))],
            suggestion="mend the model, or give other parameters",
        ) from error


def _effective(factory: Any, given: Mapping[str, object]) -> dict[str, object]:
    """The parameters a factory was really called with: those given and the defaults of the others."""
    bound = inspect.signature(factory).bind(**given)
    bound.apply_defaults()
    return dict(bound.arguments)
