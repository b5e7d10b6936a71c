"""Functions that do more than compute from their arguments, as far as their code and that of what they call shows it.

Only what is certain is refused: a cache in a dictionary, a constant list, code of other packages are let pass. For the
rest, engines run a sample of a model's functions again and compare.
"""

from __future__ import annotations

import ast
import builtins
import datetime
import functools
import inspect
import io
import os
import random
import sys
import sysconfig
import textwrap
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from types import BuiltinMethodType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from sweepcheck.core.advice import CHANGES
from sweepcheck.core.instructions import codes, instructions
from sweepcheck.core.parsing import parsed, source_of
from sweepcheck.errors import ModelError, caller, place

# Modules whose functions answer differently from call to call: no action may depend on them.
IMPURE_MODULES = frozenset({"numpy.random", "random", "secrets", "time", "uuid"})
IMPURE_METHODS = frozenset({"now", "today", "utcnow"})  # of dates and times
FILES = (open, os.open, os.listdir, os.scandir, os.stat, os.walk, os.getcwd)
SURROUNDINGS = (id, input, os.environ, os.getenv, os.getpid, os.urandom)

# Lists, dictionaries, sets: what CHANGES are methods of.
CONTAINERS = (list, dict, set, bytearray, deque)

OUTSIDE = "make it a variable of the model; what an action does may depend on the state alone"
CHOICE = "use choose(...) for what may happen one way or the other"
MOST_FUNCTIONS = 1000  # looked at for one action

Used = tuple[str, Any, object]  # a value from outside under its name, and the object it is a method of
Finding = tuple[str, str]  # what a function does, and what to do instead
Change = tuple[ast.expr, ast.expr, bool]  # the place, what it changes, whether it puts something in without looking


@dataclass(frozen=True, slots=True)
class Reached:
    """A function that is called, the names of those that call it, and the object outside that it is a method of."""

    function: FunctionType
    by: tuple[str, ...] = ()
    owner: object = None

    @property
    def way(self) -> str:
        """How an error tells who calls it."""
        return "".join(f"calls {name!r}, which " for name in self.by)


def check_purity(function: object, what: str, suggestion: str | None = None) -> None:
    """Refuse a function that visibly does more than compute a value from its arguments."""
    found = impurity(function)
    if found is not None:
        where = (place(function) if callable(function) else None) or caller()
        raise ModelError("SC115", f"{what} {found[0]}", where=where, suggestion=suggestion or found[1])


def impurity(function: object) -> Finding | None:
    """What a function visibly does beside computing from its arguments, and what to do instead; None when nothing.

    What it calls is looked at too, where a name or an attribute leads there and the modeller wrote it.
    """
    for reached, used in reached_from(function):
        found = _own_impurity(reached, used)
        if found is not None:
            return reached.way + found[0], found[1]
    return None


def reached_from(function: object) -> Iterator[tuple[Reached, list[Used]]]:
    """A function and those that it calls, each once with what it uses, the nearest first."""
    waiting = deque(_functions(function, ()))
    seen: set[CodeType] = set()
    while waiting and len(seen) < MOST_FUNCTIONS:
        reached = waiting.popleft()
        if reached.function.__code__ in seen:
            continue
        seen.add(reached.function.__code__)
        used = list(_used(reached))
        yield reached, used
        for name, value, owner in used:
            waiting += _functions(value, (*reached.by, name), owner)


def _own_impurity(reached: Reached, used: Iterable[Used]) -> Finding | None:
    assigned = _assigned_outside(reached.function.__code__)
    if assigned is not None:
        return f"assigns {assigned!r}, which lives outside the state", OUTSIDE
    for changed in _changed_outside(reached):
        return f"changes {changed!r}, which lives outside the state", OUTSIDE
    for name, value, _ in used:
        found = _impure_value(name, value)
        if found is not None:
            return found
    return None


def _impure_value(name: str, value: Any) -> Finding | None:
    """Why nothing may depend on a value."""
    owner = getattr(value, "__self__", None) if isinstance(value, BuiltinMethodType | MethodType) else None
    if isinstance(value, random.Random) or isinstance(owner, random.Random):
        return f"uses {name!r} of module 'random', which answers differently each time", CHOICE
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    made = isinstance(value, ModuleType | FunctionType | BuiltinMethodType | MethodType)
    if made and module in IMPURE_MODULES:
        return f"uses {name!r} of module {module!r}, which answers differently each time", CHOICE
    if owner in (datetime.datetime, datetime.date) and value.__name__ in IMPURE_METHODS:
        return f"uses {name!r}, a clock, which answers differently each time", OUTSIDE
    if any(value is one for one in FILES):
        return f"uses {name!r}, and a file may change", OUTSIDE
    if any(value is one for one in SURROUNDINGS):
        return f"uses {name!r}, which lives outside the state", OUTSIDE
    if isinstance(value, Iterator) and not _is_written_to(value):
        return f"uses {name!r}, an iterator outside the state, which gives something else each time", OUTSIDE
    return None


def _is_written_to(value: Any) -> bool:
    """Whether a value is an open file to print to, such as `sys.stderr`: what is printed decides nothing."""
    return isinstance(value, io.IOBase) and not value.closed and value.writable()


# -- what a function uses --------------------------------------------------------------------------------------------


def _outer_values(reached: Reached) -> dict[str, Any]:
    """What lies outside a function under the names it has for it: closure variables, defaults, the method's object."""
    function = reached.function
    values: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            values[name] = cell.cell_contents
        except ValueError:  # not bound yet
            continue
    positional = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = function.__defaults__ or ()
    values |= dict(zip(positional[len(positional) - len(defaults) :], defaults, strict=True))
    values |= function.__kwdefaults__ or {}
    if reached.owner is not None and positional:
        values[positional[0]] = reached.owner
    return values


class Leads(Enum):
    """Where an instruction leads."""

    GLOBAL = auto()
    LOCAL = auto()
    ATTRIBUTE = auto()
    MODULE = auto()
    IMPORTED = auto()
    NOWHERE = auto()


LEADS = {
    **dict.fromkeys(("LOAD_GLOBAL", "LOAD_NAME"), Leads.GLOBAL),
    **dict.fromkeys(("LOAD_ATTR", "LOAD_METHOD"), Leads.ATTRIBUTE),
    "IMPORT_NAME": Leads.MODULE,
    "IMPORT_FROM": Leads.IMPORTED,
}


@functools.lru_cache(maxsize=1024)  # an action is looked at when it is declared, and again before it runs
def _ways(code: CodeType) -> tuple[tuple[Leads, Any], ...]:
    """Where the instructions of a function, and of those inside it, lead, with the names they give."""
    found: list[tuple[Leads, Any]] = []
    for step in (step for one in codes(code) for step in instructions(one)):
        local = Leads.LOCAL if step.opname.startswith(("LOAD_DEREF", "LOAD_FAST")) else Leads.NOWHERE
        leads = LEADS.get(step.opname, local)
        made_by_a_tool = isinstance(step.argval, str) and step.argval.startswith("@")  # as pytest does
        if leads is not Leads.NOWHERE and not made_by_a_tool:
            found.append((leads, step.argval))
        elif found and found[-1][0] is not Leads.NOWHERE:  # once is enough
            found.append((Leads.NOWHERE, None))
    return tuple(found)


@functools.lru_cache(maxsize=1024)
def _assigned_outside(code: CodeType) -> str | None:
    """A variable outside a function that it assigns."""
    for step in (step for one in codes(code) for step in instructions(one)):
        outward = step.opname == "STORE_DEREF" and step.argval in code.co_freevars
        if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL") or outward:
            return str(step.argval)
    return None


def _used(reached: Reached) -> Iterator[Used]:
    """The values outside that a function names, attributes of them included, each with the object it is a method of."""
    function, outer = reached.function, _outer_values(reached)
    chain: tuple[str, Any] | None = None
    module: ModuleType | None = None
    for leads, name in _ways(function.__code__):
        owner = None
        if leads is Leads.GLOBAL:
            known = name in function.__globals__ or hasattr(builtins, name)
            chain = (name, function.__globals__.get(name, getattr(builtins, name, None))) if known else None
        elif leads is Leads.LOCAL and name in outer:
            chain = name, outer[name]
        elif leads is Leads.ATTRIBUTE and chain is not None:
            owner = None if isinstance(chain[1], ModuleType | type) else chain[1]
            chain = _attribute(*chain, name)
        elif leads is Leads.MODULE:
            module = sys.modules.get(name) or ModuleType(name)  # its name tells enough where it is not loaded yet
            chain = name, module
        elif leads is Leads.IMPORTED and module is not None:
            chain = _attribute(module.__name__, module, name)
        else:
            chain = None
        if chain is not None:
            yield *chain, owner


def _attribute(name: str, value: Any, attribute: str) -> tuple[str, Any] | None:
    """An attribute, found without running anything of the object's own."""
    missing = object()
    if isinstance(value, ModuleType | type):
        found = getattr(value, attribute, missing)
    else:
        found = inspect.getattr_static(value, attribute, missing)
    if isinstance(found, property):
        found = found.fget
    elif isinstance(found, staticmethod | classmethod):
        found = found.__func__
    return None if found is missing else (f"{name}.{attribute}", found)


def _functions(value: Any, by: tuple[str, ...], owner: object = None) -> Iterable[Reached]:
    """The functions written by the modeller that calling a value runs."""
    if isinstance(value, functools.partial):
        return _functions(value.func, by)
    if isinstance(value, MethodType):
        return _functions(value.__func__, by, value.__self__)
    if isinstance(value, functools._lru_cache_wrapper):
        return _functions(value.__wrapped__, by)
    if isinstance(value, FunctionType):
        written = not by or is_the_modellers(value.__code__.co_filename)
        return [Reached(value, by, owner)] if written and place(value) is not None else []
    methods = ("__new__", "__init__", "__post_init__") if isinstance(value, type) else ("__call__",)
    kind = value if isinstance(value, type) else type(value)
    found = [inspect.getattr_static(kind, name, None) for name in methods]
    itself = None if isinstance(value, type) else value
    return [one for method in found if isinstance(method, FunctionType) for one in _functions(method, by, itself)]


@functools.cache
def is_the_modellers(filename: str) -> bool:
    """Whether code is neither Python's own nor that of an installed package."""
    folders = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return not filename.startswith("<frozen ") and not any(map(Path(filename).is_relative_to, folders))


# -- what a function changes -----------------------------------------------------------------------------------------


def _changed_outside(reached: Reached) -> Iterator[str]:
    """What lies outside a function and is visibly changed by its source; nothing without a source."""
    function = reached.function
    outer = {name: value for name, value in function.__globals__.items() if name in function.__code__.co_names}
    for code in codes(function.__code__):
        outer |= {name: function.__globals__[name] for name in code.co_names if name in function.__globals__}
        for name in (*code.co_varnames, *code.co_cellvars):
            outer.pop(name, None)
    outer |= _outer_values(reached)
    reassigned, changes = visible_changes(function.__code__)
    for node, changed, fills in changes:
        parts: list[str] = []
        base = changed
        while isinstance(base, ast.Subscript | ast.Attribute):
            parts = [base.attr, *parts] if isinstance(base, ast.Attribute) else []  # what an element is, is not known
            base = base.value
        if not isinstance(base, ast.Name) or base.id not in outer or base.id in reassigned:
            continue
        value: tuple[str, Any] | None = (base.id, outer[base.id])
        for part in parts:
            value = None if value is None else _attribute(*value, part)
        if reached.by and fills and value is not None and isinstance(value[1], dict):
            continue  # a helper may fill a dictionary: so a cache is written
        if isinstance(node, ast.Attribute) or (value is not None and isinstance(value[1], CONTAINERS)):
            yield base.id if value is None else value[0]


@functools.lru_cache(maxsize=1024)  # an action is looked at when it is declared, and again before it runs
def visible_changes(code: CodeType) -> tuple[frozenset[str], tuple[Change, ...]]:
    """The names that a function's source assigns, and the places that change something; nothing without a source."""
    try:
        nodes = list(ast.walk(parsed(textwrap.dedent(source_of(code)))))
    except (OSError, SyntaxError):
        return frozenset(), ()
    reassigned = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    filling = {id(target) for node in nodes if isinstance(node, ast.Assign) for target in node.targets}
    found: list[Change] = []
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            found.append((node, node.func.value, node.func.attr == "setdefault"))
        elif isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            found.append((node, node.value, isinstance(node, ast.Subscript) and id(node) in filling))
    return frozenset(reassigned), tuple(found)
