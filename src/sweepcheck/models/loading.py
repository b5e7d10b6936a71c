"""Models from files: Python (`FILE.py[:factory]`), process files, networks and LTSs; with parameters."""

from __future__ import annotations

import inspect
import io
import linecache
import os
import sys
import traceback
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sweepcheck.core.advice import advice
from sweepcheck.core.declaration import check_flag
from sweepcheck.core.limits import FileLimits
from sweepcheck.core.model import System
from sweepcheck.core.plan import Source
from sweepcheck.errors import (
    ModelError,
    RequestError,
    SweepcheckError,
    closest,
    own_traceback,
    place,
    public,
    raised_at,
    shown,
    told,
)
from sweepcheck.models.adoption import adopt, is_model
from sweepcheck.models.importing import own_imports
from sweepcheck.models.net.net import Net
from sweepcheck.models.parameters import read_parameters
from sweepcheck.models.reading import model_text


@public
def load(
    reference: str,
    parameters: Mapping[str, object] | None = None,
    *,
    limits: FileLimits | None = None,
    unfold: bool | None = None,
    time_equivalence: bool = False,
) -> System:
    """The model that a file describes, built with these parameters.

    `FILE.py` and `FILE.py:factory` are Python, `FILE.psl` is a process file, `FILE.network` a composition of `.aut`
    files, `FILE.aut` a single LTS, `FILE.pnml` a Petri net, `FILE.cpn` a net of CPN Tools, `FILE.xml` one of these two.
    A Python file is run; the others are only read, and refused beyond `limits`. `unfold` says whether a coloured net of
    a PNML file is unfolded to a place/transition net; None leaves it to what is likely to be faster.
    `time_equivalence` makes states of a file of CPN Tools equivalent which differ only in what time it is, see
    `Net.time_equivalence`.
    """
    given: dict[str, Any] = {"limits": limits, "unfold": unfold, "time_equivalence": time_equivalence}
    system = _loaded(reference, parameters, **given)
    system.source = Source(str(reference), dict(parameters or {}), given)
    return system


def _loaded(
    reference: str,
    parameters: Mapping[str, object] | None,
    *,
    limits: FileLimits | None,
    unfold: bool | None,
    time_equivalence: bool,
) -> System:
    if not isinstance(reference, str | Path):
        raise ModelError("SC101", f"{shown(reference)} is not the path of a model file", suggestion="give it as text")
    if not isinstance(parameters, Mapping | None):
        raise ModelError(
            "SC105", f"{shown(parameters)} are no parameters", suggestion="give names and values: {'n': 3}"
        )
    if not isinstance(limits, FileLimits | None):
        raise RequestError(
            "SC403", f"{shown(limits)} are no limits on files", suggestion="write limits=FileLimits(bytes=1_000_000)"
        )
    if unfold is not None:
        check_flag(unfold, "unfold")
    check_flag(time_equivalence, "time_equivalence")
    reference, limits = str(reference), limits or FileLimits()
    kind = _kind(Path(reference))
    if time_equivalence:
        if kind != ".cpn":
            raise _not_of_cpn_tools(reference)
        return _cpn_file(Path(reference), parameters or {}, limits, relative=True)
    if kind == ".pnml":
        return _pnml_file(Path(reference), parameters or {}, limits, unfold)
    if unfold is not None:
        raise RequestError(
            "SC404", f"{reference} cannot be unfolded", suggestion="only coloured nets of PNML files can: FILE.pnml"
        )
    if kind in FRONT_ENDS:
        return FRONT_ENDS[kind](Path(reference), parameters or {}, limits)
    filename, _, factory = reference.rpartition(":") if ".py:" in reference else (reference, "", "")
    namespace = _execute(Path(filename), limits)
    chosen = _choose(namespace, Path(filename), factory)
    given = dict(parameters or {})
    if is_model(chosen):
        if given:
            raise ModelError(
                "SC105",
                f"the model in {filename} takes no parameters, but {', '.join(given)} was given",
                where=Path(filename).name,
                suggestion="write a function that takes them and returns the model",
            )
        return adopt(chosen)
    given = read_parameters(chosen, given)
    system = adopt(_build(chosen, given))
    system.parameters = MappingProxyType(_effective(chosen, given))  # type: ignore[misc]
    return system


def _process_file(path: Path, parameters: Mapping[str, object], limits: FileLimits) -> System:
    from sweepcheck.models.processes.elaboration import network_from_text

    return network_from_text(model_text(path, limits), path.name, parameters, limits)


def _network_file(path: Path, parameters: Mapping[str, object], limits: FileLimits) -> System:
    from sweepcheck.models.processes.networkfile import read_network

    _no_parameters(path, parameters)
    return read_network(path, limits)


def _aut_file(path: Path, parameters: Mapping[str, object], limits: FileLimits) -> System:
    from sweepcheck.models.processes.aut import read_aut
    from sweepcheck.models.processes.network import Network

    _no_parameters(path, parameters)
    name = path.stem if path.stem.isidentifier() and not path.stem.startswith("_") else "component"
    return Network(path.stem, {name: read_aut(path, limits)})


def _pnml_file(path: Path, parameters: Mapping[str, object], limits: FileLimits, unfold: bool | None) -> System:
    from sweepcheck.models.pnml.system import read_pnml

    _no_parameters(path, parameters)
    return read_pnml(path, limits, unfold)


def _no_parameters(path: Path, given: Mapping[str, object]) -> None:
    if given:
        raise ModelError(
            "SC105",
            f"{path} takes no parameters, but {', '.join(given)} was given",
            where=path.name,
            suggestion="parameters belong to a process file (.psl): give that, or compile it again",
        )


def _not_of_cpn_tools(reference: str) -> RequestError:
    suggestion = "only files of CPN Tools can: FILE.cpn; a net in Python declares it itself, net.time_equivalence()"
    return RequestError("SC404", f"{reference} cannot be given a time equivalence", suggestion=suggestion)


def _cpn_file(path: Path, parameters: Mapping[str, object], limits: FileLimits, *, relative: bool = False) -> System:
    from sweepcheck.models.cpn.system import read_cpn

    return read_cpn(path, limits, parameters, relative=relative)


def _kind(path: Path) -> str:
    """The suffix that tells what a file is; of XML its first element does."""
    if path.suffix != ".xml":
        return path.suffix
    from sweepcheck.models.markup import first_element

    found = first_element(path)
    kinds = {"pnml": ".pnml", "workspaceElements": ".cpn"}
    if found not in kinds:
        raise ModelError(
            "SC101",
            f"{path} is not a model file" + (f": its first element is <{found}>" if found else ""),
            suggestion="give a Petri net in PNML, <pnml>, or a net of CPN Tools, <workspaceElements>",
        )
    return kinds[found]


FRONT_ENDS: dict[str, Callable[[Path, Mapping[str, object], FileLimits], System]] = {
    ".psl": _process_file,
    ".network": _network_file,
    ".aut": _aut_file,
    ".cpn": _cpn_file,
}


def _execute(path: Path, limits: FileLimits) -> dict[str, Any]:
    """Run a model file and return its names."""
    source = _read(path, limits)
    # Whoever looks at the code of a function later, be it to show it, gets the text that runs: the file may be edited
    # meanwhile. Without a time of its own, nobody reads it again.
    linecache.cache[str(path)] = len(source), None, io.StringIO(source, newline=None).readlines(), str(path)
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    try:
        with own_imports(path.parent):
            sys.modules.setdefault(path.stem, module)  # dataclasses and pickling look modules up by name
            exec(compile(source, str(path), "exec"), module.__dict__)
    except SyntaxError as error:
        name = Path(error.filename or path).name
        raise ModelError(
            "SC102",
            f"{name} is not valid Python: {error.msg}",
            where=f"{name}:{error.lineno}" if error.lineno else name,
            values=[("line", (error.text or "").strip())],
            suggestion="mend the line, or the one before it",
        ) from None
    except SweepcheckError:
        raise
    except (Exception, SystemExit) as error:
        raise ModelError(
            "SC103",
            f"{path} raised {told(error)} while it was loaded",
            where=_line_in(path, error),
            values=[("traceback", own_traceback(error))],
            suggestion=_advice(path, error),
        ) from error
    return module.__dict__


def _read(path: Path, limits: FileLimits) -> str:
    """The text of a Python model file."""
    suggestion = (
        "give the path of a Python file: FILE.py or FILE.py:factory; or of a .psl, .network, .aut, .pnml or .cpn file"
    )
    if path.suffix != ".py" and (
        os.path.isfile(path) or not os.path.exists(path)
    ):  # these take any name, pathlib's not
        raise ModelError("SC101", f"{path} is not a model file", suggestion=suggestion)
    return model_text(path, limits, suggestion)


def _line_in(path: Path, error: BaseException) -> str:
    """The innermost line of the file that an exception passed through."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{path.name}:{lines[-1]}" if lines else path.name


def _advice(path: Path, error: BaseException) -> str:
    """What to do about an exception while a file is loaded."""
    if isinstance(error, SystemExit):
        return 'write `if __name__ == "__main__":` before what is only for running the file as a program'
    if isinstance(error, ModuleNotFoundError) and advice(error) is None:
        return f"install {error.name!r}, or put it beside {path.name}"
    if path.stem in sys.stdlib_module_names:
        return f"give the file another name: {path.stem!r} is also a module of Python's, and an import may find either"
    return advice(error) or f"mend the file; it must run by itself: python {path.name}"


def _choose(namespace: Mapping[str, Any], path: Path, factory: str) -> Any:
    """The model or factory meant: the one named, else `model`, else the file's name, else the only one there."""

    def is_factory(value: object) -> bool:
        if not inspect.isfunction(value) or inspect.isgeneratorfunction(value):  # a process, or a part of one
            return False
        return value.__code__.co_filename == str(path)

    def is_plain_class(value: object) -> bool:
        if not isinstance(value, type) or value.__module__.startswith("sweepcheck."):  # from sweepcheck import *
            return False
        return hasattr(value, "initial") and hasattr(value, "successors")

    public = {name: value for name, value in namespace.items() if not name.startswith("_")}
    models = {name: value for name, value in public.items() if is_model(value) or is_plain_class(value)}
    factories = {name: value for name, value in public.items() if is_factory(value)}
    candidates = models | factories
    if factory:
        if factory not in candidates:
            raise ModelError(
                "SC104",
                f"{path} has no model or function {factory!r}",
                where=path.name,
                suggestion=closest(factory, candidates),
            )
        return candidates[factory]
    for name in ("model", path.stem):
        if name in candidates:
            return candidates[name]
    modules = {id(one) for net in models.values() if isinstance(net, Net) for one in net.modules()}
    whole = {name: value for name, value in models.items() if id(value) not in modules}
    for group in (whole, factories):
        if len(group) == 1:
            return next(iter(group.values()))
    what = "no model was found" if not candidates else "it is not clear which model is meant"
    listed = "; ".join(f"{path}:{name}" for name in candidates)
    raise ModelError(
        "SC104",
        f"{what} in {path}",
        where=path.name,
        suggestion=f"name one: {listed}" if listed else "define a Model, or a function that returns one",
    )


def _build(factory: Any, given: Mapping[str, object]) -> Any:
    signature = inspect.signature(factory)
    takes_any = any(one.kind is one.VAR_KEYWORD for one in signature.parameters.values())
    for name in given:
        if name not in signature.parameters and not takes_any:
            raise ModelError(
                "SC105",
                f"the model has no parameter {name!r}",
                where=place(factory),
                suggestion=closest(name, signature.parameters),
            )
    try:
        signature.bind(**given)
    except TypeError as error:
        needed = (one.name for one in signature.parameters.values() if one.default is one.empty)
        missing = next((name for name in needed if name not in given), "name")
        raise ModelError(
            "SC105",
            f"the model cannot be built: {error}",
            where=place(factory),
            suggestion=f'give it: load(..., {{"{missing}": ...}})',
        ) from None
    try:
        built = factory(**given)
    except SweepcheckError:
        raise
    except (Exception, SystemExit) as error:
        raise ModelError(
            "SC103",
            f"{factory.__name__}() raised {told(error)}",
            where=raised_at(error, factory),
            values=[("parameters", _words(_effective(factory, given))), ("traceback", own_traceback(error))],
            suggestion=advice(error) or "mend the model, or give other parameters",
        ) from error
    if not is_model(built):
        nothing = "end it with `return m`" if built is None else "let it return a Model"
        raise ModelError(
            "SC106",
            f"{factory.__name__}() returned {shown(built)}, which is not a model",
            where=place(factory),
            suggestion=nothing,
        )
    return built


def _words(parameters: Mapping[str, object]) -> str:
    return " ".join(f"{name}={shown(value)}" for name, value in parameters.items())


def _effective(factory: Any, given: Mapping[str, object]) -> dict[str, object]:
    """The parameters a factory was really called with: those given and the defaults of the others."""
    bound = inspect.signature(factory).bind(**given)
    bound.apply_defaults()
    return dict(bound.arguments)
