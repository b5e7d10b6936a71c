"""Parts of sets and bags: what functions that pass over elements ask the core, instead of looking at all of them.

Where an element belongs is said once for each: it is passed over, or counts as itself, or as one with others of which
a function wants to know the same, as in `{x.src for x in s.msgs if x.kind == "vote"}`. Then one element stands for all
that are alike. What is told so must depend on the element and on constants alone; these tell one way to look at a bag
from others. Where it cannot be told, the function looks at everything, as ever.
"""

from __future__ import annotations

import builtins
import operator
import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType
from typing import Any, NamedTuple

from sweepcheck.core.instructions import instructions
from sweepcheck.core.values import Array, Bag, Composite, Queue, alike, parts_of
from sweepcheck.engines.native.effects import VALUES, are_values, only_reads

PART = "@part"  # what it is called by functions that were written anew
TOKENS, CLASSES, COUNTED = range(3)  # as in native/bindings/bag.cpp
NUMBERS = 4  # beside these: only whole numbers are told apart
NOISY, TOLD, SILENT = range(3)  # what happens while elements are gone through: something, what they count as, nothing
# What only computes from its arguments; no function of the model has such a name where this matters.
QUIET = frozenset(
    {"abs", "all", "any", "bool", "divmod", "enumerate", "float", "frozenset", "int", "isinstance", "len"}
)
QUIET |= {"list", "max", "min", "range", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip"}
OF_CLASSES = frozenset({"__annotations__", "__dict__", "__doc__", "__firstlineno__", "__module__", "__weakref__"})
OF_CLASSES |= {"__qualname__", "__static_attributes__", "__annotate_func__", "__annotations_cache__"}
CHANGEABLE = frozenset({dict, list, set})
CALLED = (type, FunctionType, BuiltinFunctionType, MethodType)  # nothing of the model's own is called in between
PLAINLY_HELD = frozenset({dict, frozenset, list, range, set, str, tuple})  # what most functions go through
FORBIDDEN = frozenset({"STORE_GLOBAL", "STORE_ATTR", "STORE_SUBSCR", "STORE_SLICE", "DELETE_GLOBAL", "DELETE_ATTR"})
FORBIDDEN |= {"DELETE_SUBSCR", "DELETE_DEREF", "IMPORT_NAME", "SEND", "GET_AWAITABLE", "LOAD_NAME"}
DEEPEST = 8  # functions that call each other


class Classes:
    """What elements count as, by number, and one element for each."""

    def __init__(self) -> None:
        self._numbers: dict[Any, tuple[Any, int]] = {}
        self.elements: list[Any] = []

    def number(self, value: Any, element: Any) -> Any:
        """The number of a value; NotImplemented where a set would not tell it from another one that is not alike."""
        if value != value:  # noqa: PLR0124 - what equals nothing
            return NotImplemented
        first, number = self._numbers.setdefault(value, (value, len(self.elements)))
        if number == len(self.elements):
            self.elements.append(element)
        return number if alike(first, value) else NotImplemented


class Parts:
    """What the functions of one run go through."""

    def __init__(self) -> None:
        self._classes: dict[Any, Classes] = {}

    def part(
        self,
        values: Any,
        how: int,
        quiet: int,
        matters: FunctionType,
        counts: FunctionType | None = None,
        once: Callable[[], tuple[Any, ...]] | None = None,
    ) -> Any:
        """What of some values matters: elements that satisfy a condition, or one for each thing that they count as.

        `once` gives what both functions read beside an element. `quiet`: nothing else happens while the values are
        gone through, or only what `counts` does.
        """
        kind = type(values)
        if kind in PLAINLY_HELD or not hasattr(kind, PART):  # nothing that a user writes has such a name
            return values
        given = _given(once)
        if given is None:
            return values
        if (
            quiet > NOISY
            and (given or matters.__closure__ or (counts and counts.__closure__))
            and not _are_quiet(sys._getframe(1))
        ):
            quiet = NOISY
        told = tuple(_constant(one, False) for one in given)
        if counts is not None and None not in told:
            functions = _plainly(matters), _plainly(counts)
            both = tuple(_told(one, quiet > NOISY) for one in functions)
            if None not in both:
                found = self._by_classes(values, how, (self, how, both, told), functions, given)
                if found is not NotImplemented:
                    return found
                quiet = SILENT  # what it counts as does nothing
        told = told[: matters.__code__.co_argcount - 1]  # the rest is read by `counts` alone
        if None in told or (told and quiet < SILENT):
            return values
        matters = _plainly(matters)
        key = _told(matters, quiet == SILENT)
        if key is None:
            return values
        found = getattr(values, PART)(
            (self, TOKENS, key, told), TOKENS, lambda element: _sorted_out(matters, element, given)
        )
        return values if found is NotImplemented else found

    def _by_classes(self, values: Any, how: int, key: Any, functions: tuple[Any, Any], given: tuple[Any, ...]) -> Any:
        classes = self._classes.setdefault(key, Classes())
        matters, counts = functions

        def belongs(element: Any) -> Any:
            found = _sorted_out(matters, element, given)
            if found is not True:
                return found
            try:
                value = counts(element, *given)
                if how == COUNTED | NUMBERS and type(value) in (int, bool):
                    value = int(value)
                    if value == 0:  # it adds nothing
                        return None
                if how & NUMBERS and type(value) is not int:
                    return NotImplemented
                return classes.number(value, element)
            except MemoryError:
                raise
            except Exception:  # noqa: BLE001 - the function itself will raise it, or not come so far
                return NotImplemented

        found = getattr(values, PART)(key, how & ~NUMBERS, belongs)
        return found if found is NotImplemented else [classes.elements[number] for number in found]


def _are_quiet(frame: FrameType) -> bool:
    """Whether nothing that a function has at hand changes something when it is used as a value is: see `_is_quiet`."""
    held = [one for name, one in frame.f_locals.items() if not name.startswith(".")]
    return are_values(one for one in held if not isinstance(one, CALLED))


def _sorted_out(matters: Any, element: Any, given: tuple[Any, ...]) -> Any:
    """True for an element that matters, None for one that is passed over."""
    try:
        return True if matters(element, *given) else None
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - the function itself will raise it, or not come so far
        return NotImplemented


def _given(once: Callable[[], tuple[Any, ...]] | None) -> tuple[Any, ...] | None:
    """What is read once; nothing where that fails: the function may never come to it."""
    if once is None:
        return ()
    if not only_reads(once):
        return None
    try:
        return tuple(map(_number, once()))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - see above
        return None


def _number(value: Any) -> Any:
    """A number in question as the number that it is."""
    return operator.index(value) if type(value).__name__ == "Number" and hasattr(type(value), "__index__") else value


def _plainly(function: FunctionType) -> FunctionType:
    """A function with numbers instead of numbers in question in what it has from where it was made."""
    cells = function.__closure__ or ()
    try:
        values = [cell.cell_contents for cell in cells]
        numbers = [_number(value) for value in values]
    except ValueError:  # one of them is not assigned
        return function
    if all(map(operator.is_, values, numbers)):
        return function
    return FunctionType(function.__code__, function.__globals__, closure=tuple(map(_cell, numbers)))


def _cell(value: Any) -> Any:
    return (lambda: value).__closure__[0]  # type: ignore[index]


# -- what a function depends on beside its arguments ------------------------------------------------------------------


class Reads(NamedTuple):
    """The names that a function and those inside it look for outside, and whether they call methods."""

    names: tuple[str, ...]
    methods: bool


@lru_cache(maxsize=4096)
def _reads(code: CodeType) -> Reads | None:
    """None where the code shows that a function does more than compute."""
    names, methods, waiting = dict.fromkeys(code.co_freevars), False, [code]
    while waiting:
        one = waiting.pop()
        waiting += [inner for inner in one.co_consts if isinstance(inner, CodeType)]
        for step in instructions(one):
            outward = step.opname == "STORE_DEREF" and step.argval in code.co_freevars
            if step.opname in FORBIDDEN or outward:
                return None
            if step.opname == "LOAD_GLOBAL":
                names[step.argval] = None
            methods |= step.opname == "LOAD_METHOD" or (step.opname == "LOAD_ATTR" and "NULL|self" in step.argrepr)
    return Reads(tuple(names), methods)


def _told(function: FunctionType, quiet: bool, depth: int = 0) -> tuple[Any, ...] | None:
    """What tells a function from others with the same code: constants that it reads; None where it reads others."""
    code, reads = function.__code__, _reads(function.__code__)
    if reads is None or depth > DEEPEST or function.__kwdefaults__:
        return None
    try:
        cells = dict(zip(code.co_freevars, [cell.cell_contents for cell in function.__closure__ or ()], strict=True))
    except ValueError:  # one of them is not assigned
        return None
    found: list[Any] = [code, *(_constant(value, False) for value in function.__defaults__ or ())]
    for name in reads.names:
        value = cells.get(name, function.__globals__.get(name, NotImplemented))
        if value is NotImplemented:
            if name not in QUIET or not hasattr(builtins, name):
                return None
        elif type(value) is FunctionType:
            found.append(_told(value, quiet, depth + 1))
        else:
            changeable = quiet and not reads.methods and type(value) in CHANGEABLE and only_reads(function)
            found.append(_constant(value, changeable))
    return None if None in found else tuple(found)


def _constant(value: Any, changeable: bool) -> tuple[Any, ...] | None:
    """What tells a constant from others; None for what may be something else at another time.

    A list, set or dictionary is a constant where nobody can change it while it is in use.
    """
    kind = type(value)
    if kind in CHANGEABLE:
        inside = [*value, *value.values()] if kind is dict else value
        found = [_constant(one, True) for one in inside] if changeable else [None]
        return None if None in found else (kind, *found)
    if isinstance(value, type) and not only_reads(value):  # of a class that only holds constants, these tell
        held = [_constant(one, False) for name, one in vars(value).items() if name not in OF_CLASSES]
        return None if None in held or value.__mro__[1:] != (object,) or type(value) is not type else (value, *held)
    return (kind, repr(value), value) if _is_constant(value) else None


def _is_constant(value: Any) -> bool:
    kind = type(value)
    if kind in VALUES or isinstance(value, type):
        return True
    if is_dataclass(kind):
        return only_reads(value) and all(_is_constant(getattr(value, one.name, None)) for one in fields(kind))
    if kind in (tuple, frozenset, Array, Queue) or issubclass(kind, Bag | Composite):
        return all(map(_is_constant, parts_of(value)))
    if not issubclass(kind, Enum | tuple) or not only_reads(value):  # views of the state say that they are tuples
        return False
    return issubclass(kind, Enum) or all(map(_is_constant, value))
