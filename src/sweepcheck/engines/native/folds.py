"""Folds: `sum`, `max`, `min`, `any` and `all` over many elements of an array, as one question to the core.

A function that adds up forty elements would be asked again for each combination of their values. So it is given
built-in functions of the same names that ask the core what the elements come to: each value counts as a number, which
the function says once. `any(at == "busy" for at in s.at)` is such a fold too, if the turns of the generator show that
they look at nothing but their element and constants; so is `sum(node.nr for node in s.node)`, over one field. Whatever
else there is, Python's own functions do as ever, element by element.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import lru_cache
from inspect import GEN_CREATED, getgeneratorstate
from sys import getrefcount
from types import CellType, CodeType, FunctionType, GeneratorType
from typing import Any, NamedTuple

from sweepcheck.core.instructions import global_names, instructions
from sweepcheck.engines.native.parts import PART, QUIET, Parts
from sweepcheck.engines.native.sifting import FUTURE, sifting, sifting_made
from sweepcheck.engines.native.splitting import RUNTIME

LEAST = 9  # elements: fewer are better looked at one by one, by tables that several actions share
SIFT = True  # parts of sets and bags; a switch for comparisons
MOST_NUMBER = 1 << 30  # that a value may count as, and
SUM, MOST, SMALLEST, ANY, ALL = range(5)  # as in native/include/sweep/state/fold.hpp
SAFE = frozenset({"abs", "bool", "int", "len", "str"})  # what a turn of a generator may call
PLAIN = (bool, bytes, float, int, str, type(None), Enum, range)
FORBIDDEN = (
    "STORE_DEREF",
    "STORE_GLOBAL",
    "STORE_ATTR",
    "MAKE_FUNCTION",
    "LOAD_METHOD",
    "IMPORT_NAME",
    "SEND",
    "AWAIT",
)

Turn = Callable[[Any], Iterable[Any]]


class Elements(NamedTuple):
    """Elements of an array: the first of them, how far they are apart, how many; and what a fold makes of each."""

    array: Any
    first: int
    stride: int
    length: int
    key: object = None  # what tells one way to look at an element from others
    turn: Turn = lambda value: (value,)


def _counted(by: int, turn: Turn) -> Callable[[Any], int | None]:
    """What a value counts as; None: nothing that could be added or compared here."""

    def counted(value: Any) -> int | None:
        try:
            found = list(turn(value))
            if by in (ANY, ALL):
                return int(any(found) if by == ANY else all(found))
            if by == SUM:
                found = [sum(found)] if all(type(one) in (int, bool) for one in found) else []
            fits = len(found) == 1 and type(found[0]) is int and abs(found[0]) <= MOST_NUMBER
            return found[0] if fits else None
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - the function itself will raise it, or not look so far
            return None

    return counted


def _folded(by: int, values: Any) -> Any:
    """What values come to; NotImplemented where they have to be looked at one by one."""
    found = elements_of(values)
    if found is None or found.length < LEAST:
        return NotImplemented
    array, first, stride, length, key, turn = found
    folded = array._fold(by, (by, first, stride, length, key), _counted(by, turn), first, stride, length)
    if folded is not NotImplemented and isinstance(values, GeneratorType):
        values.close()  # whoever kept it finds it used up
    return folded


def _references(values: Any, /) -> int:
    return getrefcount(values)


PASSING = _references(one for one in range(0))  # to a generator that nobody keeps


def _sum(values: Any, /, start: Any = 0) -> Any:
    folded = _folded(SUM, values) if type(start) is int else NotImplemented
    return sum(values, start) if folded is NotImplemented else folded + start


def _max(*values: Any, **named: Any) -> Any:
    folded = _folded(MOST, values[0]) if len(values) == 1 and not named else NotImplemented
    return max(*values, **named) if folded is NotImplemented else folded


def _min(*values: Any, **named: Any) -> Any:
    folded = _folded(SMALLEST, values[0]) if len(values) == 1 and not named else NotImplemented
    return min(*values, **named) if folded is NotImplemented else folded


def _is_generator(values: Any) -> bool:
    """Whether `any` and `all` would leave a rest of it to whoever keeps it."""
    return isinstance(values, GeneratorType)


def _any(values: Any, /) -> bool:
    folded = _folded(ANY, values) if getrefcount(values) <= PASSING or not _is_generator(values) else NotImplemented
    return any(values) if folded is NotImplemented else bool(folded)


def _all(values: Any, /) -> bool:
    folded = _folded(ALL, values) if getrefcount(values) <= PASSING or not _is_generator(values) else NotImplemented
    return all(values) if folded is NotImplemented else bool(folded)


FOLDS: dict[str, Callable[..., Any]] = {"sum": _sum, "max": _max, "min": _min, "any": _any, "all": _all}


# -- what is folded ---------------------------------------------------------------------------------------------------


def elements_of(values: Any) -> Elements | None:
    """The elements that values are, if they lie in one array of the core's."""
    if isinstance(values, GeneratorType):
        return _of_generator(values)
    if hasattr(type(values), "_fold"):
        return Elements(values, 0, 1, len(values))
    spans = getattr(type(values), "_spans", None)
    return None if spans is None or (span := spans(values).get(None)) is None else _plain(span)


def _plain(span: tuple[Any, int, int, int], **how: Any) -> Elements | None:
    return Elements(*span, **how) if hasattr(type(span[0]), "_fold") else None


def _of_generator(generator: GeneratorType[Any, Any, Any]) -> Elements | None:
    code, frame = generator.gi_code, generator.gi_frame
    if code.co_name != "<genexpr>" or frame is None or getgeneratorstate(generator) != GEN_CREATED:
        return None
    names, local, known = _names(code), frame.f_locals, frame.f_globals
    constants = None if names is None else _constants(names, local, known)
    if names is None or constants is None:
        return None
    closure = tuple(CellType(local[name]) for name in code.co_freevars)

    def turn(element: Any) -> Any:
        return FunctionType(code, known, closure=closure)(iter((element,)))

    source, key = _source(local.get(".0")), (code, constants)
    if hasattr(type(source), "_fold"):
        return Elements(source, 0, 1, len(source), key, turn)
    spans = getattr(type(source), "_spans", None)
    found = {} if spans is None else spans(source)
    if None in found:
        return _plain(found[None], key=key, turn=turn)
    field = names.attributes[0] if len(names.attributes) == 1 else ""
    if field not in found:
        return None
    return _plain(found[field], key=key, turn=lambda value: turn(OneField(field, value)))


def _source(iterator: Any) -> Any:
    """What an iterator goes through from its beginning."""
    source = getattr(type(iterator), "_source", None)
    if source is not None:
        return source(iterator)
    try:
        make, given, *at = iterator.__reduce__()
    except Exception:  # noqa: BLE001 - whatever it is, it is no iterator of an array
        return None
    return given[0] if make is iter and len(given) == 1 and at in ([], [0]) else None


class OneField:
    """A record of which one field is known. Whatever else is done with it, it is not folded."""

    __slots__ = ("_name", "_value")

    def __init__(self, name: str, value: Any) -> None:
        self._name = name
        self._value = value

    def __getattr__(self, name: str) -> Any:
        if name == self._name:
            return self._value
        raise AttributeError(name)

    def _refuse(self, *_: object) -> Any:
        raise TypeError("only one field is known")

    __eq__ = __ne__ = __hash__ = __bool__ = __repr__ = __str__ = _refuse


class Names(NamedTuple):
    """What a turn reads from outside, and the attributes it asks for."""

    outside: tuple[str, ...]
    attributes: tuple[str, ...]


@lru_cache(maxsize=4096)
def _names(code: CodeType) -> Names | None:
    """None where the code shows that a turn may do more than look at its element and at constants."""
    steps = instructions(code)
    methods = any(step.opname == "LOAD_ATTR" and "NULL|self" in step.argrepr for step in steps)
    calls = sum(step.opname in ("CALL", "CALL_FUNCTION_EX", "CALL_KW") for step in steps)
    called = [step.argval for step in steps if step.opname == "LOAD_GLOBAL"]
    if methods or calls > sum(name in SAFE for name in called) or any(step.opname in FORBIDDEN for step in steps):
        return None
    attributes = dict.fromkeys(step.argval for step in steps if step.opname == "LOAD_ATTR")
    return Names(tuple(dict.fromkeys((*code.co_freevars, *called))), tuple(attributes))


def _constants(names: Names, local: dict[str, Any], known: dict[str, Any]) -> tuple[Any, ...] | None:
    """The values of names from outside; None where one of them is no constant."""
    found = []
    for name in names.outside:
        value = local.get(name, known.get(name, NotImplemented))
        if value is NotImplemented and name in SAFE:
            continue
        if not _is_plain(value):
            return None
        found.append((repr(value), value))
    return tuple(found)


def _is_plain(value: Any) -> bool:
    if type(value) in (tuple, frozenset):
        return all(map(_is_plain, value))
    return isinstance(value, PLAIN)


# -- functions that fold ----------------------------------------------------------------------------------------------


class Folding:
    """Functions of one run, each as one that folds, and that asks for parts of sets and bags where there are some.

    Those that have nothing of the kind stay as they are.
    """

    def __init__(self, sifts: bool) -> None:
        self._sifted: dict[tuple[str, int], dict[CodeType, CodeType]] | None = {} if sifts and SIFT else None
        self._made: dict[int, FunctionType] = {}  # by the identity of what they stand for
        self._kept: list[Any] = []  # so that no other object gets the same identity
        self._globals: dict[int, dict[str, Any]] = {}
        self._builtins = {**vars(builtins), **FOLDS, **RUNTIME, PART: Parts().part}

    def function(self, function: Any) -> Any:
        """The function as it is given to the core."""
        if type(function) is not FunctionType or not self._folds(function, set()):
            return function
        return self._rebuilt(function)

    def _folds(self, function: FunctionType, met: set[int]) -> bool:
        """Whether it calls a function that folds, itself or in a function that it has from where it was made."""
        if id(function) in met:
            return False
        met.add(id(function))
        own = any(name in FOLDS and name not in function.__globals__ for name in global_names(function.__code__))
        own = own or self._code(function) is not function.__code__
        return own or any(self._folds(one, met) for one in (*_enclosed(function), *_global_functions(function)))

    def _code(self, function: FunctionType) -> CodeType:
        """The code of a function, sifting if it can be."""
        code = function.__code__
        if self._sifted is None or not QUIET.isdisjoint(function.__globals__):
            return code
        place = code.co_filename, code.co_flags & FUTURE
        if place not in self._sifted:
            self._sifted[place] = sifting(*place)
        return self._sifted[place].get(code) or sifting_made(code)

    def _rebuilt(self, function: FunctionType) -> FunctionType:
        if id(function) in self._made:
            return self._made[id(function)]
        self._kept.append(function)
        cells = tuple(CellType() for _ in function.__closure__ or ())
        known = self._globals_of(function)
        made = FunctionType(self._code(function), known, function.__name__, function.__defaults__, cells)
        made.__kwdefaults__, made.__qualname__ = function.__kwdefaults__, function.__qualname__
        self._made[id(function)] = made  # before the rest: it may call itself
        for cell, given in zip(cells, function.__closure__ or (), strict=True):
            if _has_value(given):
                value = given.cell_contents
                cell.cell_contents = self._rebuilt(value) if type(value) is FunctionType else value
        for one in _global_functions(function):
            known[one.__name__] = self._rebuilt(one)
        return made

    def _globals_of(self, function: FunctionType) -> dict[str, Any]:
        given = function.__globals__
        if id(given) not in self._globals:
            self._kept.append(given)
            self._globals[id(given)] = {**given, "__builtins__": self._builtins}
        return self._globals[id(given)]


def _has_value(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:  # not yet assigned
        return False


def _enclosed(function: FunctionType) -> Iterator[FunctionType]:
    """The functions that a function has from where it was made."""
    for cell in function.__closure__ or ():
        if _has_value(cell) and type(cell.cell_contents) is FunctionType:
            yield cell.cell_contents


def _global_functions(function: FunctionType) -> Iterator[FunctionType]:
    """The functions of its own module that it calls by their names."""
    known = function.__globals__
    for name in global_names(function.__code__):
        value = known.get(name)
        if type(value) is FunctionType and value.__globals__ is known and value.__name__ == name:
            yield value
