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
from functools import lru_cache, partial
from inspect import GEN_CREATED, getgeneratorstate
from sys import getrefcount
from types import CellType, CodeType, FunctionType, GeneratorType
from typing import Any, NamedTuple

from sweepcheck.core.instructions import global_names, instructions
from sweepcheck.engines.native.indexing import ELEMENTS, SAFE, Indexed, elements
from sweepcheck.engines.native.offering import ONCE, Offering
from sweepcheck.engines.native.parts import PART, QUIET, Parts
from sweepcheck.engines.native.sifting import FUTURE, may_differ, sifting, sifting_made
from sweepcheck.engines.native.splitting import RUNTIME

LEAST = 9  # elements: fewer are better looked at one by one, by tables that several actions share,
FEWEST = 3  # unless these have so many values that
OFTEN, SELDOM, MANY = 1 << 14, 4, 1 << 11  # functions run often, for more than every so manieth state: combinations
SAMPLED = 16  # one of so many folds over the indices of few elements is looked at closely
SIFT = True  # parts of sets and bags; a switch for comparisons
MOST_NUMBER = 1 << 30  # that a value may count as, and
SUM, MOST, SMALLEST, ANY, ALL = range(5)  # as in native/include/sweep/state/fold.hpp
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


class FewElementsError(BaseException):
    """A run begins once more, and folds few elements too. No error: nobody who writes a model sees it."""


class Few:
    """Folds over few elements, which are better looked at one by one if they have few values.

    How many that are shows only in a run: by one of the elements, the one that is looked at first anyway. If there are
    many, and the functions that fold run about as often as there are states, it begins once more with `least` elements
    that are folded.
    """

    def __init__(self, least: int | None = None) -> None:
        self.least = LEAST if least is None else least
        self.explored: Callable[[], int] | None = None  # how many states are; None: nothing can begin once more
        self.wanted = False
        self._passed: dict[Any, int] = {}
        self._asked: dict[Any, int] = {}
        self._met: dict[Any, set[Any]] = {}

    def wants_whole(self, place: Any, count: int) -> bool:
        """Whether so many elements are needed as one thing: to be folded or, now and then, to see if they should be."""
        if count >= self.least:
            return True
        if self.explored is None or count < FEWEST:
            return False
        passed = self._passed[place] = self._passed.get(place, 0) + 1
        return passed % SAMPLED == 0

    def note(self, values: Any, elements: Elements, count: int) -> None:
        """Elements are looked at one by one."""
        frame = values.gi_frame if isinstance(values, GeneratorType) else None
        source = values if frame is None else _source(frame.f_locals.get(".0"))
        span = _spans(source).get(None)
        if span is None:  # a field of records: which is looked at first is not known
            return
        array, start, distance, _ = span
        first = array[start + distance * (source.first if type(source) is Indexed else 0)]
        if type(first).__name__ == "Number":  # its value is not to be looked at
            return
        place = None if elements.key is None else elements.key[0]  # type: ignore[index]
        before = self._asked.get(place, 0)
        asked = self._asked[place] = before + (SAMPLED if type(source) is Indexed else 1)
        met = self._met.setdefault(place, set())
        met.add(first)
        if asked // OFTEN > before // OFTEN and self.explored is not None:
            costs = asked * SELDOM >= self.explored()
            self.wanted = self.wanted or (costs and len(met) ** count >= MANY)


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


def _folded(by: int, values: Any, few: Few) -> Any:
    """What values come to; NotImplemented where they have to be looked at one by one."""
    found = elements_of(values)
    if (count := sum(one.length for one in found)) < few.least:
        if few.explored is not None and count >= FEWEST:
            few.note(values, found[0], count)
        return NotImplemented
    folded = []
    for array, first, stride, length, key, turn in found:
        one = array._fold(by, (by, first, stride, length, key), _counted(by, turn), first, stride, length)
        if one is NotImplemented:
            return one
        folded.append(one)
        if bool(one) is {ANY: True, ALL: False}.get(by):  # that decides
            break
    if isinstance(values, Iterator):
        values.close()  # type: ignore[attr-defined] # whoever kept it finds it used up
    return JOINED[by](folded)


JOINED: tuple[Callable[[list[Any]], Any], ...] = (sum, max, min, any, all)


# What holds no elements of the core's, and what goes through it. Folds over a few constants are frequent.
CONSTANT = frozenset({tuple, list, range, set, frozenset, dict, str})
THROUGH_CONSTANT = frozenset(type(iter(kind())) for kind in CONSTANT - {range}) | {type(iter(range(0)))}


def _is_constant(values: Any) -> bool:
    """Whether values are surely no elements of an array."""
    kind = type(values)
    if kind is GeneratorType:
        frame = values.gi_frame
        return frame is None or type(frame.f_locals.get(".0")) in THROUGH_CONSTANT
    return kind in CONSTANT


def _references(values: Any, /) -> int:
    return getrefcount(values)


PASSING = _references(one for one in range(0))  # to a generator that nobody keeps
FOLDED = frozenset({"sum", "max", "min", "any", "all"})


def folding(few: Few) -> dict[str, Callable[..., Any]]:
    """Functions that stand for Python's own."""

    def total(values: Any, /, start: Any = 0) -> Any:
        if type(start) is not int or _is_constant(values):
            return sum(values, start)
        folded = _folded(SUM, values, few)
        return sum(values, start) if folded is NotImplemented else folded + start

    def most(*values: Any, **named: Any) -> Any:
        if len(values) != 1 or named or _is_constant(values[0]):
            return max(*values, **named)
        folded = _folded(MOST, values[0], few)
        return max(*values, **named) if folded is NotImplemented else folded

    def least(*values: Any, **named: Any) -> Any:
        if len(values) != 1 or named or _is_constant(values[0]):
            return min(*values, **named)
        folded = _folded(SMALLEST, values[0], few)
        return min(*values, **named) if folded is NotImplemented else folded

    # `any` and `all` would leave the rest of an iterator to whoever keeps it.
    def any_of(values: Any, /) -> bool:
        if _is_constant(values):
            return any(values)
        kept = getrefcount(values) > PASSING and isinstance(values, Iterator)
        folded = NotImplemented if kept else _folded(ANY, values, few)
        return any(values) if folded is NotImplemented else bool(folded)

    def all_of(values: Any, /) -> bool:
        if _is_constant(values):
            return all(values)
        kept = getrefcount(values) > PASSING and isinstance(values, Iterator)
        folded = NotImplemented if kept else _folded(ALL, values, few)
        return all(values) if folded is NotImplemented else bool(folded)

    return {"sum": total, "max": most, "min": least, "any": any_of, "all": all_of}


# -- what is folded ---------------------------------------------------------------------------------------------------


def elements_of(values: Any) -> list[Elements]:
    """The elements that values are, if they lie in one array of the core's, as few runs of them; nothing if not."""
    if isinstance(values, GeneratorType):
        return _of_generator(values)
    span = _spans(values).get(None)
    return [] if span is None else _plain(values, span)


def _spans(source: Any) -> dict[str | None, tuple[Any, int, int, int]]:
    """Where plain elements lie side by side (None), or those of each field: array, first, distance, how many."""
    if type(source) is Indexed:
        return _spans(source.table)
    if hasattr(type(source), "_fold"):
        return {None: (source, 0, 1, len(source))}
    spans = getattr(type(source), "_spans", None)
    return {} if spans is None else spans(source)


def _plain(source: Any, span: tuple[Any, int, int, int], **how: Any) -> list[Elements]:
    array, start, distance, _ = span
    if not hasattr(type(array), "_fold"):
        return []
    if type(source) is not Indexed:
        return [Elements(*span, **how)]
    runs = source.runs() or []
    return [Elements(array, start + distance * first, distance * stride, n, **how) for first, stride, n in runs]


def _of_generator(generator: GeneratorType[Any, Any, Any]) -> list[Elements]:
    code, frame = generator.gi_code, generator.gi_frame
    if code.co_name != "<genexpr>" or frame is None or getgeneratorstate(generator) != GEN_CREATED:
        return []
    names, local, known = _names(code), frame.f_locals, frame.f_globals
    constants = None if names is None else _constants(names, local, known)
    if names is None or constants is None:
        return []
    closure = tuple(CellType(local[name]) for name in code.co_freevars)

    def turn(element: Any) -> Any:
        return FunctionType(code, known, closure=closure)(iter((element,)))

    source, key = _source(local.get(".0")), (code, constants)
    found = _spans(source)
    if None in found:
        return _plain(source, found[None], key=key, turn=turn)
    field = names.attributes[0] if len(names.attributes) == 1 else ""
    if field not in found:
        return []
    return _plain(source, found[field], key=key, turn=lambda value: turn(OneField(field, value)))


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

    def __init__(self, sifts: bool, few: Few) -> None:
        self._sifted: dict[tuple[str, int], dict[CodeType, CodeType]] | None = {} if sifts and SIFT else None
        self._given: dict[
            int, FunctionType
        ] = {}  # as they are given to the core, by the identity of those of the model
        self._made: dict[int, FunctionType] = {}  # those that are written anew, by the identity of what they stand for
        self._kept: list[Any] = []  # so that no other object gets the same identity
        self._globals: dict[int, dict[str, Any]] = {}
        self._builtins = {
            **vars(builtins),
            **folding(few),
            **RUNTIME,
            ELEMENTS: partial(elements, few.wants_whole),
            PART: Parts().part,
            ONCE: Offering().once,
        }

    def function(self, function: Any) -> Any:
        """The function as it is given to the core."""
        if type(function) is not FunctionType:
            return function
        if id(function) not in self._given:  # all members of a family have one
            self._kept.append(function)
            self._given[id(function)] = self._rebuilt(function) if self._folds(function, set()) else function
        return self._given[id(function)]

    def _folds(self, function: FunctionType, met: set[int]) -> bool:
        """Whether it calls a function that folds, itself or in a function that it has from where it was made."""
        if id(function) in met:
            return False
        met.add(id(function))
        own = any(name in FOLDED and name not in function.__globals__ for name in global_names(function.__code__))
        own = own or self._code(function) is not function.__code__
        return own or any(self._folds(one, met) for one in (*_enclosed(function), *_global_functions(function)))

    def _code(self, function: FunctionType) -> CodeType:
        """The code of a function, sifting if it can be."""
        code = function.__code__
        if self._sifted is None or not may_differ(code) or not QUIET.isdisjoint(function.__globals__):
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
