"""What a run is about, in words and digests: a checkpoint may only be gone on with where all of it is as it was."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from sweepcheck.core.plan import Plan
from sweepcheck.core.tabulated import Tabulated
from sweepcheck.errors import RequestError
from sweepcheck.properties.propositions import functions
from sweepcheck.text import value_text

Identity = dict[str, str]
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def identity(plan: Plan, system: Tabulated, version: str) -> Identity:
    """By name, all that decides what is found, and in which order: the model, what is asked of it, and how."""
    measure, bound, classes = plan.measure, plan.bound, plan.classes
    asked = [function for one in plan.properties for function in functions(one)]
    asked += [one.predicate for one in bound.conditions] if bound is not None else []
    asked += [part.function for part in measure.parts or (measure,)] if measure is not None else []
    asked += list(classes.parts) if classes is not None else []
    code = _Code()
    tables = system.tabulate()
    for one in (*tables.actions, *asked, *plan.tallies, system.count_net()):
        code.see(one)
    return {
        "sweepcheck": version,
        "byte order": sys.byteorder,
        "model": system.name,
        **{f"file {name}": digest for name, digest in sorted(_files(code.files))},
        "code": code.digest(),
        "parameters": ", ".join(f"{name}={value_text(value)}" for name, value in system.parameters.items()) or "none",
        "variables": ", ".join(f"{one.name} ({one.kind.name.lower()})" for one in tables.variables),
        "initial states": _digest(repr(state) for state in system.initial_states()),
        "actions": _digest(one.name for one in system.actions),
        "priorities": _digest(map(str, system.priorities() or ())),
        "properties": "; ".join(f"{one.kind} {one.name}" for one in plan.properties) or "none",
        "strategy": plan.strategy.name,
        "measure": "none" if measure is None else f"{measure.name or 'declared'}, {measure.order.name}",
        "gc": str(plan.gc),
        "fairness": "; ".join(str(one) for one in plan.fair) or "none",
        "stuttering": str(plan.stuttering),
        "bound": "none" if bound is None else f"{bound.up_to}, {[one.name for one in bound.constraints]}",
        "equivalence": "none" if classes is None else "cut-off" if plan.cutoff is not None else "classes",
        "keep going": str(plan.keep_going),
        "trace": str(plan.trace),
        "report": str(plan.survey),
    }


def differences(before: Identity, now: Identity) -> Iterator[tuple[str, str]]:
    """What is not as it was: its name, and what it was and is."""
    for name in {**before, **now}:
        was, has = before.get(name, "not there"), now.get(name, "not there")
        if was != has:
            digests = len(was) == len(has) == SHOWN
            yield name, "it was changed" if digests else f"{was}; now {has}"


def refuse_changed(before: Identity, now: Identity, where: object) -> None:
    """Refuse to go on with a run that is about something else."""
    changed = list(differences(before, now))
    if changed:
        raise RequestError(
            "SC619",
            f"the checkpoint in {where} is of another run: {', '.join(name for name, _ in changed)} changed",
            values=changed,
            suggestion="undo what was changed, or begin anew in an empty folder",
        )


SHOWN = 16  # characters of a digest


def _digest(texts: Iterable[str]) -> str:
    found = hashlib.sha256()
    for text in texts:
        found.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return found.hexdigest()[:SHOWN]


def _files(names: set[str]) -> Iterator[tuple[str, str]]:
    """Files with functions of the model, and those beside them that are loaded: digests by name."""
    folders = {str(Path(name).resolve().parent) for name in names}
    loaded = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    beside = {name for name in loaded if name and str(Path(name).resolve().parent) in folders and name.endswith(".py")}
    for path in sorted({Path(name).resolve() for name in names | beside}):
        try:
            yield path.name, hashlib.sha256(path.read_bytes()).hexdigest()[:SHOWN]
        except OSError:
            continue


class _Code:
    """The code of functions, as far as it can be followed from one to the next, and the files that it stands in."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self._seen: set[int] = set()
        self._texts: list[str] = []
        self._alive: list[object] = []  # so that no number is given twice

    def digest(self) -> str:
        """Of all that was seen."""
        return _digest(self._texts)

    def see(self, thing: Any) -> None:
        """A function, or anything that may have some."""
        function = getattr(thing, "__func__", thing)
        if isinstance(function, FunctionType):
            self._function(function)
        elif isinstance(function, type) or id(function) in self._seen:
            return
        elif isinstance(function, bytes):
            self._texts.append(hashlib.sha256(function).hexdigest())
        elif isinstance(function, tuple | list | frozenset):
            self._part(function)
            for part in sorted(function, key=repr) if isinstance(function, frozenset) else function:
                self.see(part)
        elif isinstance(function, dict):
            for key, part in function.items():
                self._texts.append(repr(key))
                self.see(part)
        else:
            self._object(function)

    def _part(self, thing: object) -> None:
        self._seen.add(id(thing))
        self._alive.append(thing)

    def _object(self, thing: Any) -> None:
        text = repr(thing)
        self._texts.append(type(thing).__qualname__ if ADDRESS.search(text) or len(text) > 1 << 20 else text)
        if type(thing).__module__ == "builtins":
            return
        self._part(thing)
        names = getattr(thing, "__dict__", None) or {name: getattr(thing, name, None) for name in _slots(type(thing))}
        for name, part in list(names.items()):
            if callable(part) or isinstance(part, tuple | list | dict | bytes):
                self._texts.append(name)
                self.see(part)

    def _function(self, function: FunctionType) -> None:
        if id(function) in self._seen:
            return
        self._part(function)
        code = function.__code__
        if os.path.isfile(code.co_filename) and not _is_ours(code.co_filename):
            self.files.add(code.co_filename)
        self._texts += _texts_of(code)
        for part in (function.__defaults__, function.__kwdefaults__):
            self.see(part)
        for cell in function.__closure__ or ():
            try:
                self.see(cell.cell_contents)
            except ValueError:  # it is empty
                continue
        for name in _names_in(code):
            if name in function.__globals__ and isinstance(
                function.__globals__[name], FunctionType | tuple | int | str
            ):
                self.see(function.__globals__[name])


def _is_ours(filename: str) -> bool:
    return Path(filename).resolve().is_relative_to(Path(__file__).resolve().parent.parent)


def _slots(kind: type) -> Iterable[str]:
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        yield from (slots,) if isinstance(slots, str) else slots


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _texts_of(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield " ".join((*code.co_names, *code.co_varnames))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _texts_of(constant)
        elif isinstance(constant, frozenset):
            yield repr(sorted(map(repr, constant)))
        else:
            yield repr(constant)
