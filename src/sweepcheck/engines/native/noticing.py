"""Whether a function may notice that it is given a number or text in question instead of the plain value.

Such an object (native/bindings/number.cpp) answers Python's operators, or gives its value, which is recorded. Some
questions reach no object and cannot be recorded: `type(x)`, `x is y`, a function in C that takes an int alone, and the
exception that is caught then. So a function is given plain values unless it is proven here that it reaches nothing but
operators, functions of Python's that use these operators, parts of the model, and functions and classes of the
modeller's own of which the same is true. Whatever is not known to be harmless counts as harmful.
"""

from __future__ import annotations

import ast
import builtins
import functools
import itertools
import math
import operator
import sys
import typing
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum, EnumType, Flag, IntEnum, StrEnum
from functools import lru_cache, partial
from inspect import getattr_static
from pathlib import Path
from types import (
    BuiltinFunctionType,
    BuiltinMethodType,
    CodeType,
    EllipsisType,
    FunctionType,
    MethodType,
    ModuleType,
    NoneType,
)
from typing import Any

from sweepcheck.core.instructions import asks_for_built_in, codes, instructions
from sweepcheck.core.parsing import source_of
from sweepcheck.core.purity import is_the_modellers, visible_changes
from sweepcheck.core.tabulated import ActionFunction
from sweepcheck.core.values import Bag, Composite, parts_of
from sweepcheck.engines.native import arithmetic

OWN = str(Path(__file__).parents[2])
# What is here is looked at like what a modeller writes: the library of Standard ML, and models for tests.
LIKE_MODELS: tuple[str, ...] = (
    "sweepcheck.models.cpn.ml.basis",
    "sweepcheck.models.cpn.ml.library",
    "sweepcheck.models.cpn.ml.running",
)
LIKE_MODELS += ("sweepcheck.models.cpn.ml.structures", "sweepcheck.testing.")

# Instructions that do what they do by methods of the values they meet, or never look at these.
INSTRUCTIONS = arithmetic.INSTRUCTIONS | frozenset(
    (
        *("BUILD_SET", "CLEANUP_THROW", "DELETE_ATTR", "DELETE_SUBSCR", "DICT_MERGE", "DICT_UPDATE"),
        *("END_SEND", "GET_LEN", "GET_YIELD_FROM_ITER", "LOAD_ASSERTION_ERROR", "MAP_ADD", "MATCH_SEQUENCE"),
        *("POP_JUMP_BACKWARD_IF_NONE", "POP_JUMP_BACKWARD_IF_NOT_NONE", "POP_JUMP_FORWARD_IF_NONE"),
        *("POP_JUMP_FORWARD_IF_NOT_NONE", "POP_JUMP_IF_NONE", "POP_JUMP_IF_NOT_NONE", "RAISE_VARARGS", "SEND"),
        *("SET_ADD", "SET_UPDATE", "STORE_ATTR", "STORE_SLICE", "STORE_SUBSCR"),
    )
)
IGNORED = frozenset({"CACHE", "EXTENDED_ARG", "NOP", "PRECALL", "PUSH_NULL", "NOT_TAKEN"})

PLAIN: frozenset[type] = frozenset({bool, bytes, complex, float, int, str, NoneType, EllipsisType, range})
BUILTINS = frozenset(
    getattr(builtins, name)
    for name in (
        *("abs", "all", "any", "bin", "bool", "chr", "dict", "divmod", "enumerate", "filter", "float", "format"),
        *("frozenset", "hasattr", "hash", "hex", "int", "isinstance", "issubclass", "iter", "len", "list", "map"),
        *("max", "min", "next", "oct", "ord", "pow", "print", "range", "repr", "reversed", "round", "set", "slice"),
        *("sorted", "str", "sum", "tuple", "zip"),
    )
)
LIBRARY = frozenset(
    (
        *(
            getattr(math, name)
            for name in ("ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "prod", "sqrt")
        ),
        *(getattr(operator, name) for name in ("add", "and_", "contains", "eq", "floordiv", "ge", "getitem", "gt")),
        *(getattr(operator, name) for name in ("index", "invert", "itemgetter", "le", "lt", "mod", "mul", "ne", "neg")),
        *(getattr(operator, name) for name in ("not_", "or_", "pos", "sub", "truth", "xor")),
        *(value for value in vars(itertools).values() if isinstance(value, type)),
        *(functools.partial, functools.reduce, typing.cast, Counter, defaultdict, deque),
    )
)
BASES = frozenset({object, tuple, int, str, Enum, IntEnum, StrEnum, typing.Generic, *IntEnum.__mro__, *StrEnum.__mro__})
ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
DESCRIPTORS = ("_tuplegetter", "getset_descriptor", "member_descriptor")
INTRINSICS = arithmetic.INTRINSICS
MOST = 100_000  # values looked at for one function


class NoticingError(Exception):
    """Something that a function reaches is not known to be harmless."""


class Proofs:
    """What was found out about the functions of one run, and about the values of its states."""

    def __init__(self, actions: Sequence[Any] = (), values: Iterable[object] = ()) -> None:
        self._arguments: dict[int, list[object]] = {}  # by function, of all members of its family
        for one in actions:
            if isinstance(one, ActionFunction):
                self._arguments.setdefault(id(one.function), []).extend(one.arguments.values())
        self._functions = [one.function for one in actions if isinstance(one, ActionFunction)]
        self._values = values
        self._transparent: bool | None = None  # whether all values of states are, once somebody has asked
        self._harmless: dict[int, Any] = {}  # functions and classes, by identity, kept so that nothing else gets it
        self._found: dict[int, tuple[object, str | None]] = {}  # what is asked for each member of a family

    def may_notice(self, function: object, arguments: Iterable[object] = ()) -> bool:
        """Whether a function that is called with a state and these arguments may notice a number in question."""
        if id(function) not in self._found:
            found = self.obstacle(function, *self._arguments.get(id(function), ()))
            if found is None and not self._has_transparent_values():
                found = "a value of the state may notice"
            self._found[id(function)] = function, found
        return self._found[id(function)][1] is not None or self.obstacle(*arguments) is not None

    def forget(self) -> None:
        """Let go of all functions: the core keeps the proofs, and functions refer back to the run."""
        self._arguments, self._functions, self._values = {}, [], ()
        self._harmless, self._found = {}, {}

    def _has_transparent_values(self) -> bool:
        """Whether no value of a state notices: not those of the first states, nor objects that actions can make."""
        if self._transparent is None:
            self._transparent = self.obstacle(*self._values, *_classes(self._functions)) is None
        return self._transparent

    def is_transparent(self, value: object) -> bool:
        """Whether a value of the state has no methods that may notice a number in question."""
        return self.obstacle(value) is None

    def obstacle(self, *values: object) -> str | None:
        """The first thing that values lead to and that is not known to be harmless; None where all is."""
        reached = _Reached(self._harmless)
        try:
            for one in values:
                reached.check(one)
        except NoticingError as found:
            return str(found)
        self._harmless |= reached.functions
        return None


def may_catch(_: object) -> bool:
    """Whether a function may go on after a text in question was refused; one that is proven catches nothing."""
    return False


def may_notice(function: object, arguments: Iterable[object] = ()) -> bool:
    """The same of one function."""
    return Proofs().may_notice(function, arguments)


class _Reached:
    """What a function reaches, each once."""

    def __init__(self, harmless: Mapping[int, Any]) -> None:
        self._harmless = harmless
        self._met: dict[int, Any] = {}  # by identity, kept so that nothing else gets it

    @property
    def functions(self) -> dict[int, Any]:
        """The functions and classes among what was reached."""
        return {number: one for number, one in self._met.items() if isinstance(one, FunctionType | type)}

    def check(self, value: Any) -> None:
        """Look at a value that a function has from outside, and at all that it leads to."""
        kind = type(value)
        if kind in PLAIN or id(value) in self._met or id(value) in self._harmless:
            return
        self._met[id(value)] = value
        if len(self._met) > MOST:
            raise NoticingError("more values than are looked at")
        if kind is FunctionType:
            self._check_function(value)
        elif isinstance(value, type):
            self._check_class(value)
        elif kind in (tuple, list, set, frozenset):
            self._check_all(value)
        elif kind is dict:
            self._check_all(value)
            self._check_all(value.values())
        elif kind is MethodType:
            self._check_all((value.__func__, value.__self__))
        elif kind is partial:
            self._check_all((value.func, *value.args, *value.keywords.values()))
        elif kind in (BuiltinFunctionType, BuiltinMethodType) and not _is_allowed(value):
            if isinstance(value.__self__, ModuleType) or value.__name__.startswith("__"):
                raise NoticingError(f"calls {value.__name__!r}, which is written in C")
            self.check(value.__self__)
        elif not _is_allowed(value):
            self._check_object(value, kind)

    def _check_all(self, values: Iterable[Any]) -> None:
        if not set(map(type, values)) <= PLAIN:
            for one in values:
                self.check(one)

    # -- objects and classes ---------------------------------------------------------------------------------------

    def _check_object(self, value: Any, kind: Any) -> None:
        if kind in (object, operator.itemgetter):
            return
        if _is_own(kind):
            if callable(value):  # as `m.enabled(...)`, which runs actions
                raise NoticingError(f"calls {kind.__name__!r} of sweepcheck")
            if isinstance(value, Bag | Composite | tuple | frozenset):
                self._check_all(tuple(parts_of(value)))
            return
        self.check(kind)
        if isinstance(value, Enum):
            self.check(value._value_)
            return
        if isinstance(value, tuple | frozenset):
            self._check_all(value)
        for name in {*getattr(value, "__dict__", ()), *_slots(kind)}:
            self.check(
                getattr_static(value, name) if name in getattr(value, "__dict__", ()) else getattr(value, name, None)
            )

    def _check_class(self, kind: Any) -> None:
        if id(kind) in self._harmless:
            return
        self._met[id(kind)] = kind
        if _is_allowed(kind) or _is_own(kind):
            return
        if issubclass(kind, BaseException) and kind.__module__ == "builtins":
            return
        if type(kind) not in (type, EnumType) or issubclass(kind, Flag):
            raise NoticingError(f"uses class {kind.__name__!r}, which is no plain class")
        for base in kind.__mro__:
            if base in BASES or (base.__module__ == "builtins" and issubclass(base, BaseException)):
                continue
            if not _is_written(base):
                raise NoticingError(f"uses class {base.__name__!r} of {base.__module__!r}")
            for name, member in vars(base).items():
                self._check_member(base, name, member)
        if is_dataclass(kind):
            for field in fields(kind):
                self._check_all([one for one in (field.default, field.default_factory) if one is not MISSING])

    def _check_member(self, kind: type, name: str, member: Any) -> None:
        if isinstance(member, staticmethod | classmethod):
            member = member.__func__
        if isinstance(member, property):
            self._check_all([one for one in (member.fget, member.fset, member.fdel) if one is not None])
        elif isinstance(member, functools.cached_property):
            self.check(member.func)
        elif isinstance(member, FunctionType):
            if not _is_made_by_python(kind, name, member):
                self.check(member)
        elif name.startswith("__"):
            inherited = getattr(member, "__objclass__", None) in BASES  # `__repr__ = int.__repr__`
            if callable(member) and not inherited and not isinstance(member, type) and name != "__new__":
                self.check(member)
        elif not _is_of_an_enumeration(kind, name, member) and type(member).__name__ not in DESCRIPTORS:
            self.check(member)

    # -- functions ---------------------------------------------------------------------------------------------------

    def _check_function(self, function: FunctionType) -> None:
        filename = function.__code__.co_filename
        own = filename.startswith(OWN)
        if own and _is_trusted(function.__module__):
            self._check_all([*_enclosed(function), *(function.__defaults__ or ())])
            return
        if not own and not is_the_modellers(filename) and not _is_allowed(function):
            raise NoticingError(f"calls {function.__qualname__!r} of {function.__module__!r}")
        self._check_all([*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()])
        self._check_code(function, function.__code__, frozenset(function.__code__.co_freevars))
        self._check_changes(function)

    def _check_code(self, function: FunctionType, code: CodeType, free: frozenset[str]) -> None:
        """Look at the instructions of a function, or of one inside it; `free` are names it has from outside both."""
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                self._check_code(function, inner, free.intersection(inner.co_freevars).difference(code.co_cellvars))
        steps = [step for step in instructions(code) if step.opname not in IGNORED]
        told: Any = MISSING  # the value that the step before has put on the stack, where that is known
        for at, (step, further) in enumerate(zip(steps, [*steps[1:], steps[-1]], strict=True)):
            name, given = step.opname, step.argval
            before, told = told, MISSING
            if name == "IS_OP":
                known = steps[at - 1].argval if steps[at - 1].opname == "LOAD_CONST" else before
                alone = not step.is_jump_target  # else it may come from elsewhere: `x is (y if z else None)`
                if not (alone and _is_no_symbol(known)) and not asks_for_built_in(steps[at - 1], step):
                    raise NoticingError(f"asks by `is`, line {_line(code, step)}")
            elif name in ATTRIBUTES:
                told = _attribute(before, given) if isinstance(before, ModuleType | type) else MISSING
                if given.startswith("__"):
                    raise NoticingError(f"asks for {given!r}, line {_line(code, step)}")
            elif name not in INSTRUCTIONS:
                raise NoticingError(f"has {name}, line {_line(code, step)}")
            elif name == "CALL_INTRINSIC_1" and step.arg not in INTRINSICS:
                raise NoticingError(f"has {name} {step.arg}")
            elif name == "STORE_DEREF" and given in free:
                raise NoticingError(f"assigns {given!r}, which lives outside")
            elif name == "LOAD_GLOBAL" or (
                not name.startswith("LOAD_CONST") and isinstance(given, str) and given in free
            ):
                told = _outside(function, name, given)
            if told is not MISSING and not (isinstance(told, ModuleType | type) and further.opname in ATTRIBUTES):
                self._check_told(told)

    def _check_told(self, value: Any) -> None:
        if isinstance(value, ModuleType):
            raise NoticingError(f"uses module {value.__name__!r} as a value")
        self.check(value)

    def _check_changes(self, function: FunctionType) -> None:
        """A number in question must not outlive the run: nothing outside is filled. (All else is refused anyway.)"""
        filled = {
            name: value for name, value in _outside_names(function).items() if isinstance(value, dict | list | set)
        }
        if not filled:
            return
        if not _has_source(function.__code__):
            raise NoticingError(f"may change {next(iter(filled))!r}, which lives outside")
        for _, changed, _ in visible_changes(function.__code__)[1]:
            if (name := _root(changed)) in filled:
                raise NoticingError(f"changes {name!r}, which lives outside")


# -- what is known in advance ------------------------------------------------------------------------------------------


def _is_allowed(value: Any) -> bool:
    try:
        return value in BUILTINS or value in LIBRARY
    except TypeError:  # it has no hash
        return False


def _is_own(kind: type) -> bool:
    return kind.__module__.startswith("sweepcheck.") and not kind.__module__.startswith("sweepcheck.testing.")


def _is_trusted(module: str | None) -> bool:
    return module is not None and module.startswith("sweepcheck.") and not f"{module}.".startswith(LIKE_MODELS)


def _is_no_symbol(value: Any) -> bool:
    """Whether a value is surely another object than any int or text is."""
    return value is not MISSING and (
        value is None or isinstance(value, bool | Enum | EllipsisType) or type(value) is object
    )


def _is_written(kind: type) -> bool:
    """Whether a class is written in Python, in no package of Python's own."""
    module = sys.modules.get(kind.__module__)
    filename = getattr(module, "__file__", None)
    own = kind.__module__.startswith("sweepcheck.")
    return kind.__module__ != "builtins" and (own or filename is None or is_the_modellers(filename))


def _is_made_by_python(kind: type, name: str, function: FunctionType) -> bool:
    """Whether a method is one that Python gives to data classes, named tuples and enumerations."""
    filename = function.__code__.co_filename
    if "__dataclass_params__" in vars(kind) or hasattr(kind, "_fields"):
        generated = filename.startswith("<") or not is_the_modellers(filename)
        return generated and (name.startswith("_"))
    return issubclass(kind, Enum) and not is_the_modellers(filename)


def _classes(functions: Iterable[object]) -> Iterator[type]:
    """The classes of the modeller's own that functions name, and those of objects that they name."""
    waiting, met = list(functions), set[int]()
    while waiting:
        one: Any = waiting.pop()
        if id(one) in met:
            continue
        met.add(id(one))
        if isinstance(one, partial | MethodType):
            waiting += [one.func, *one.args] if isinstance(one, partial) else [one.__func__, one.__self__]
        elif isinstance(one, tuple | list | set | frozenset | dict):
            inside = [*one, *one.values()] if isinstance(one, dict) else [*one]
            waiting += inside if not set(map(type, inside)) <= PLAIN else ()
        elif isinstance(one, FunctionType):
            names = {name for code in codes(one.__code__) for name in code.co_names}
            known = [one.__globals__[name] for name in names if name in one.__globals__]
            inside = [getattr(each, name, None) for each in known if isinstance(each, ModuleType) for name in names]
            waiting += [*known, *inside, *_enclosed(one), *(one.__defaults__ or ())]
        elif type(one) not in PLAIN and not isinstance(one, ModuleType | BuiltinFunctionType):
            kind = one if isinstance(one, type) else type(one)
            if _is_written(kind) and not _is_own(kind):
                yield kind


def _is_of_an_enumeration(kind: type, name: str, member: Any) -> bool:
    """Whether this is what Python keeps in an enumeration, or what gives a member of it."""
    return issubclass(kind, Enum) and (type(member).__module__ in ("enum", "types") or (name[0] == name[-1] == "_"))


def _slots(kind: type) -> Iterator[str]:
    for base in kind.__mro__:
        slots = vars(base).get("__slots__", ())
        yield from ((slots,) if isinstance(slots, str) else slots)


def _attribute(value: Any, name: str) -> Any:
    found = getattr(value, name, MISSING)
    if found is MISSING or (isinstance(value, type) and type(value) not in (type, EnumType)):
        raise NoticingError(f"asks for {name!r}")
    return found


def _enclosed(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not assigned yet
            continue


def _outside(function: FunctionType, how: str, name: str) -> Any:
    if how != "LOAD_GLOBAL":
        for free, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if free == name:
                try:
                    return cell.cell_contents
                except ValueError:
                    break
        raise NoticingError(f"reads {name!r}, which is not assigned yet")
    known: Any = function.__globals__.get(name, MISSING)
    if known is MISSING:
        known = getattr(function, "__builtins__", {}).get(name, MISSING)
    if known is MISSING:
        raise NoticingError(f"reads {name!r}, which is nowhere")
    return known


def _outside_names(function: FunctionType) -> dict[str, Any]:
    code = function.__code__
    found = {
        name: function.__globals__[name] for one in codes(code) for name in one.co_names if name in function.__globals__
    }
    for one in codes(code):
        for name in (*one.co_varnames, *one.co_cellvars):
            found.pop(name, None)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    positional = code.co_varnames[: code.co_argcount]
    defaults = function.__defaults__ or ()
    found |= dict(zip(positional[len(positional) - len(defaults) :], defaults, strict=True))
    return found | (function.__kwdefaults__ or {})


def _line(code: CodeType, step: Any) -> int:
    position = step.positions
    return code.co_firstlineno if position is None or position.lineno is None else position.lineno


@lru_cache(maxsize=1024)
def _has_source(code: CodeType) -> bool:
    try:
        return bool(source_of(code))
    except (OSError, SyntaxError, TypeError):
        return False


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
