"""Whether functions only read: those that are asked for one element alone, ahead of their turn, or once for many times.

A condition that counts its calls, takes from an iterator, writes to the state or keeps a budget has another meaning
when it is not called for each element in turn. So it is called otherwise only where all that it can reach shows that it
changes nothing but what it makes itself. Everything not known to be harmless counts as a change: instructions, methods,
built-in functions, classes, and objects that are neither values nor parts of the state.
"""

from __future__ import annotations

import builtins
import functools
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from dis import Instruction
from enum import Enum
from fractions import Fraction
from functools import lru_cache, partial
from inspect import CO_VARARGS, CO_VARKEYWORDS
from itertools import chain, pairwise
from types import BuiltinFunctionType, CodeType, EllipsisType, FrameType, FunctionType, MethodType, ModuleType, NoneType
from typing import Any, NamedTuple

from sweepcheck.core.instructions import codes, instructions
from sweepcheck.core.purity import is_the_modellers

HARMLESS = frozenset(  # instructions, by the beginning of their names, which differ from version to version
    {"BINARY", "BUILD", "CACHE", "CALL", "CHECK", "COMPARE", "CONTAINS", "CONVERT", "COPY", "DICT", "END", "EXTENDED"}
    | {"FOR", "FORMAT", "GEN", "IS", "JUMP", "KW", "LIST", "LOAD", "MAKE", "MAP", "MATCH", "NOP", "NOT", "POP"}
    | {"PRECALL", "PUSH", "RAISE", "RERAISE", "RESUME", "RETURN", "SET", "SWAP", "TO", "UNARY", "UNPACK", "YIELD"}
)
HARMLESS_IN_FULL = frozenset({"DELETE_FAST", "GET_ITER", "GET_LEN", "GET_YIELD_FROM_ITER", "STORE_FAST", "STORE_DEREF"})
HARMFUL = frozenset({"END_ASYNC_FOR", "END_SEND", "LOAD_BUILD_CLASS", "LOAD_CLASSDEREF", "LOAD_LOCALS", "LOAD_NAME"})
HARMFUL |= {"LOAD_SPECIAL", "LOAD_SUPER_ATTR", "LOAD_SUPER_METHOD"}
STORES_NAMES = ("STORE_FAST", "STORE_DEREF")
BUILDS = frozenset({"BUILD_LIST", "BUILD_MAP", "BUILD_SET", "DICT_UPDATE", "LIST_EXTEND", "SET_UPDATE"})

VALUES = frozenset({bool, bytes, complex, date, datetime, Decimal, float, Fraction, int, range, slice, str, time})
VALUES |= {timedelta, NoneType, EllipsisType, type(NotImplemented)}
CHANGEABLE = frozenset({Counter, OrderedDict, deque, dict, list, set})
HOLDING = frozenset({tuple, frozenset, deque, list, set})
# Methods of values, of Python's own containers, and of what a state is made of: they change nothing.
METHODS = frozenset(
    {name for kind in (*VALUES, tuple, frozenset) for name in vars(kind) if not name.startswith("_")}
    | {"copy", "distinct", "elements", "excluding", "fromkeys", "including", "items", "keys", "most_common", "total"}
    | {"values", "_asdict", "_replace"}
)
OF_STATES = frozenset({"add", "clear", "discard", "get", "peek", "put", "take"})  # these may change a state,
# and these a container: harmless where there is none but those that a function has made itself.
CHANGES = frozenset(
    {name for kind in CHANGEABLE for name in vars(kind) if not name.startswith("_") and name not in METHODS}
) - {"get"}
BUILT_IN = frozenset(
    {"abs", "all", "any", "ascii", "bin", "bool", "bytes", "callable", "chr", "complex", "dict", "divmod", "enumerate"}
    | {
        "filter",
        "float",
        "format",
        "frozenset",
        "hash",
        "hex",
        "int",
        "isinstance",
        "issubclass",
        "iter",
        "len",
        "list",
    }
    | {"map", "max", "min", "next", "oct", "ord", "pow", "range", "repr", "reversed", "round", "set", "slice", "sorted"}
    | {"str", "sum", "tuple", "zip", "Ellipsis", "NotImplemented", "__debug__"}
    | {name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Exception)}
)
PURE = frozenset({"functools", "itertools", "math", "operator", "_functools", "_operator"})
KNOWN = frozenset(
    {"abc", "builtins", "collections", "datetime", "decimal", "enum", "fractions", "functools", "itertools"}
)
MISSING = object()
CATCHING = ("PUSH_EXC_INFO", "SETUP_FINALLY", "SETUP_WITH")
DEEPEST = 16  # tuples in tuples
OUR_OWN = "sweepcheck."
WITHIN = frozenset({"folds", "indexing", "offering", "parts", "splitting"})  # modules that call functions of a model


class Attribute(NamedTuple):
    """What an object is asked for; `called`: as a method."""

    name: str
    called: bool


class Facts(NamedTuple):
    """What the code of a function shows."""

    outside: tuple[tuple[str, tuple[Attribute, ...]], ...]  # names, and the attributes that these are asked for
    changes: bool  # it may change a container
    assigns: bool  # it assigns to an element of something


# -- what the code shows ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _facts(code: CodeType) -> Facts | None:
    """None where the code changes something outside, or may."""
    looked = _Looked(code)
    fits = all(looked.fits(one) for one in codes(code))
    return Facts(tuple(looked.outside), looked.changes, looked.assigns) if fits else None


class _Looked:
    """What is found in the code of a function, and in that of those made inside it."""

    def __init__(self, code: CodeType) -> None:
        self.outside: dict[tuple[str, tuple[Attribute, ...]], None] = {}
        self.changes = self.assigns = False
        self._outside = frozenset(code.co_freevars)

    def fits(self, code: CodeType) -> bool:
        """Whether nothing in it is known to change something outside."""
        steps = [step for step in instructions(code) if step.opname not in ("CACHE", "EXTENDED_ARG", "NOP")]
        spreads = any(step.opname == "CALL_FUNCTION_EX" for step in steps)
        fresh = _fresh(code, steps)
        self.changes |= _changes_in_place(steps, fresh)
        at = 0
        while at < len(steps):
            first = steps[at]
            at += 1
            asked: list[Attribute] = []
            while at < len(steps) and steps[at].opname in ("LOAD_ATTR", "LOAD_METHOD", "PUSH_NULL"):
                if steps[at].opname != "PUSH_NULL":
                    called = spreads or steps[at].opname == "LOAD_METHOD" or "NULL|self" in steps[at].argrepr
                    asked.append(Attribute(str(steps[at].argval), called))
                at += 1
            if not self._begins(first) or not (self._is_outside(first) or self._asks(first, asked, fresh)):
                return False
            if self._is_outside(first):
                self.outside[str(first.argval), tuple(asked)] = None
        return True

    def _is_outside(self, step: Instruction) -> bool:
        outward = step.opname.startswith("LOAD_DEREF") and step.argval in self._outside
        return outward or step.opname == "LOAD_GLOBAL"

    def _begins(self, step: Instruction) -> bool:
        """Whether a step changes nothing outside, as far as it tells."""
        if step.opname.startswith("STORE_SUBSCR") or step.opname == "STORE_SLICE":
            self.assigns = True
            return True
        return _is_harmless(step.opname) and not (step.opname == "STORE_DEREF" and step.argval in self._outside)

    def _asks(self, step: Instruction, asked: list[Attribute], fresh: frozenset[str]) -> bool:
        """Whether what a step leads to can be asked for some attributes."""
        for position, one in enumerate(asked):
            own = position == 0 and step.opname.startswith("LOAD_FAST") and step.argval in fresh
            if (one.name in OF_STATES and not own) or (one.called and one.name not in METHODS | CHANGES | OF_STATES):
                return False
            self.changes |= one.name in CHANGES and not own
        return True


def _is_harmless(name: str) -> bool:
    if name in HARMFUL or name.startswith(("LOAD_FROM_DICT", "IMPORT")):
        return False
    return name in HARMLESS_IN_FULL or name.startswith("STORE_FAST") or name.partition("_")[0] in HARMLESS


def _fresh(code: CodeType, steps: list[Instruction]) -> frozenset[str]:
    """Names of a function's own that have nothing but containers that it has made there, and numbers."""
    stored: dict[str, bool] = {}
    for position, step in enumerate(steps):
        if step.opname.startswith("STORE_FAST") and step.opname != "STORE_FAST":
            stored.update(dict.fromkeys(step.argval, False))
        elif step.opname in STORES_NAMES:
            made = not step.is_jump_target and _makes(steps[max(0, position - 4) : position])
            stored[step.argval] = stored.get(step.argval, True) and made
        elif step.opname.startswith(("LOAD_CLOSURE", "MAKE_CELL")):
            stored[step.argval] = False
    given = code.co_argcount + code.co_kwonlyargcount
    given += bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    parameters = code.co_varnames[:given]  # they come first
    return frozenset(name for name, fresh in stored.items() if fresh and name not in parameters)


def _makes(steps: list[Instruction]) -> bool:
    """Whether these steps end with a new container, or a constant."""
    steps = [step for step in steps if step.opname not in ("PUSH_NULL", "PRECALL")]
    last = steps[-1] if steps else None
    if last is None or last.opname in BUILDS or last.opname in ("LOAD_CONST", "LOAD_SMALL_INT"):
        return last is not None
    if last.opname == "BINARY_OP" and last.argrepr.endswith("="):  # `name += ...`: what it is stays what it is
        return True
    called = steps[-2] if len(steps) > 1 else None
    empty = last.opname == "CALL" and last.arg == 0 and called is not None and called.opname == "LOAD_GLOBAL"
    return empty and called is not None and called.argval in ("dict", "list", "set")


def _changes_in_place(steps: list[Instruction], fresh: frozenset[str]) -> bool:
    """Whether there is an `x += ...` that may change what others have as well."""
    for step, after in pairwise(steps):
        if step.opname == "BINARY_OP" and step.argrepr.endswith("="):
            names = after.argval if isinstance(after.argval, tuple) else (after.argval,)
            if not after.opname.startswith(STORES_NAMES) or names[0] not in fresh:
                return True
    return False


# -- what a function reaches ------------------------------------------------------------------------------------------


class _Reached:
    """All that some functions can come to; `fits`: nothing in it is changed by calling them."""

    def __init__(self) -> None:
        self._met: set[int] = set()
        self._changes = self._assigns = self._changeable = self._state = False

    def fits(self, values: Any) -> bool:
        """Whether nothing that outlives a call can be changed by one."""
        if not all(self._value(one, DEEPEST) for one in values):
            return False
        return not (self._changes and self._changeable) and not (self._assigns and (self._changeable or self._state))

    def _value(self, value: Any, left: int) -> bool:
        kind = type(value)
        if kind in VALUES:
            return True
        if kind is FunctionType:
            return self._function(value)
        if left == 0 or isinstance(value, Iterator):
            return False
        if kind is tuple or kind is frozenset or kind in CHANGEABLE:
            self._changeable |= kind in CHANGEABLE
            return self._elements(value, left)
        if isinstance(value, type):
            return self._class(value)
        if kind.__module__.startswith(OUR_OWN):  # a part of the state, or a value
            self._state = True
            return True
        return self._object(value, kind, left)

    def _elements(self, value: Any, left: int) -> bool:
        for part in (value.keys(), value.values()) if isinstance(value, dict) else (value,):
            inside = list(part)
            for _ in range(left):  # level by level, since tables may be large
                kinds = set(map(type, inside)) - VALUES
                if not kinds <= HOLDING:
                    break
                self._changeable |= not kinds.isdisjoint(CHANGEABLE)
                inside = list(chain.from_iterable(one for one in inside if type(one) in HOLDING))
            if not all(self._value(one, left - 1) for one in inside):
                return False
        return True

    def _object(self, value: Any, kind: type, left: int) -> bool:
        if isinstance(value, Enum):
            return self._class(kind)
        if kind is BuiltinFunctionType:
            of_module = isinstance(value.__self__, ModuleType)  # else it is a method of something
            return of_module and (value.__module__ in PURE or value.__name__ in BUILT_IN)
        if kind is partial:
            return all(self._value(one, left - 1) for one in (value.func, *value.args, *value.keywords.values()))
        if kind is MethodType:
            return self._value(value.__self__, left - 1) and self._value(value.__func__, left - 1)
        if isinstance(value, functools._lru_cache_wrapper):
            return self._value(value.__wrapped__, left - 1)
        if is_dataclass(kind) and kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
            held = [getattr(value, one.name, None) for one in fields(kind)]
            return self._class(kind) and all(self._value(one, left - 1) for one in held)
        if isinstance(value, tuple) and hasattr(kind, "_make") and not getattr(value, "__dict__", None):
            return self._class(kind) and all(self._value(one, left - 1) for one in value)
        return isinstance(value, ModuleType) and value.__name__ in PURE

    def _class(self, kind: type) -> bool:
        """Whether making an object of it changes nothing, and whatever is done with one."""
        if kind.__module__ in KNOWN:
            return kind.__module__ != "builtins" or kind.__name__ in BUILT_IN or kind in (type, object)
        if kind.__module__.startswith(OUR_OWN):
            return not issubclass(kind, BaseException)
        if type(kind).__module__ not in KNOWN or not _holds_values(kind):
            return False
        return all(map(self._function, _written(kind)))

    def _function(self, function: FunctionType) -> bool:
        if id(function) in self._met:
            return True
        self._met.add(id(function))
        facts = _facts(function.__code__)
        if facts is None:
            return False
        self._changes |= facts.changes
        self._assigns |= facts.assigns
        given = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        if not all(self._value(one, DEEPEST) for one in given):
            return False
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        for name, attributes in facts.outside:
            try:
                value = cells[name].cell_contents if name in cells else function.__globals__.get(name, MISSING)
            except ValueError:  # not yet assigned
                return False
            if value is MISSING and name.startswith(
                "@"
            ):  # our own: it calls nothing but functions that are made in this one
                continue
            if value is MISSING and name in BUILT_IN:
                value = getattr(builtins, name)
            if not self._attributes(value, attributes):
                return False
        return True

    def _attributes(self, value: Any, attributes: tuple[Attribute, ...]) -> bool:
        """What a function reads from outside, and the attributes that it asks this for."""
        left = list(attributes)
        while left and isinstance(value, ModuleType | type) and left[0].name in vars(value):
            if type(value) is type and value.__module__ == "builtins":
                break
            value = getattr(value, left.pop(0).name)
        known = type(value) in CHANGEABLE and left[:1] == [Attribute("get", True)]
        for one in left[1:] if known else left:
            if one.name in OF_STATES - CHANGES or (one.name in OF_STATES and type(value) not in CHANGEABLE):
                return False
            if one.called and one.name not in METHODS | CHANGES:
                return False
            self._changes |= one.name in CHANGES
        return self._value(value, DEEPEST)


def _holds_values(kind: type) -> bool:
    """Whether its objects are values: those of dataclasses that are frozen, named tuples, enumerations, exceptions."""
    frozen = is_dataclass(kind) and kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return frozen or issubclass(kind, Enum | Exception) or (issubclass(kind, tuple) and hasattr(kind, "_make"))


@lru_cache(maxsize=1024)
def _written(kind: type) -> tuple[FunctionType, ...]:
    """The methods of a class that its author wrote, properties among them."""
    members = [one for owner in kind.__mro__ for one in vars(owner).values()]
    members += [part for one in members if isinstance(one, property) for part in (one.fget,)]
    functions = [getattr(one, "__func__", getattr(one, "func", one)) for one in members]
    return tuple(one for one in functions if isinstance(one, FunctionType) and not _is_generated(one))


def _is_generated(function: FunctionType) -> bool:
    """Whether Python has made it for a dataclass, a named tuple or an enumeration."""
    code = function.__code__
    made = code.co_filename == "<string>" and function.__name__.startswith("__")
    return made or "_tuple_new" in code.co_names or not is_the_modellers(code.co_filename)


def only_reads(*functions: Any) -> bool:
    """Whether calling functions changes nothing but what they make themselves."""
    return _Reached().fits(functions)


def are_values(values: Any) -> bool:
    """Whether using these values changes nothing: none of them is an iterator, or an object of an unknown class."""
    return _Reached().fits(values)


# -- who would notice -------------------------------------------------------------------------------------------------


def is_caught(frame: FrameType | None) -> bool:
    """Whether a function of the model that is at work here or further out goes on after an exception."""
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith(OUR_OWN):
            if ".engines." in module and module.rpartition(".")[2] not in WITHIN:
                return False
        elif _catches(frame.f_code):
            return True
        frame = frame.f_back
    return False


def asks_one(condition: object) -> bool:
    """Whether the condition of a function that runs now may be asked of one element alone, and not of each in turn.

    What it raises for another element ends the whole run, unless somebody catches it.
    """
    return only_reads(condition) and not is_caught(sys._getframe(1))


@lru_cache(maxsize=4096)
def _catches(code: CodeType) -> bool:
    return any(step.opname in CATCHING for step in instructions(code))
