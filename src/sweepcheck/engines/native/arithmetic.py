"""Which functions are plain arithmetic on a state, as their code shows.

Such a function reads variables, and adds, multiplies, indexes, iterates, compares and branches; it calls nothing but
the built-in functions named here and functions of its own kind. Every one of these operations goes through methods of
the values it meets, so a value that refuses what it cannot answer (`linear`) is never answered for. What does not go
through methods is not among them: `is`, `type`, `isinstance`, `match`, `try`. Nor is `getattr`, by which anything could
be reached: only the function itself may use it, and only on the state it is given.
"""

from __future__ import annotations

import builtins
import dis
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from types import FunctionType, NoneType
from typing import Any

from sweepcheck.core.instructions import asks_for_built_in, codes, global_names, instructions

BUILTINS = frozenset(
    getattr(builtins, name)
    for name in (
        *("abs", "all", "any", "bool", "divmod", "enumerate", "filter", "float", "int", "iter", "len", "list", "map"),
        *("max", "min", "next", "pow", "range", "reversed", "round", "sorted", "sum", "tuple", "zip"),
    )
)
CONSTANTS = (bool, bytes, complex, float, int, str, NoneType, range)
METHODS = ("append", "count", "get", "items", "keys", "token", "values")  # attributes beside variables

# By name, as they differ from one version of Python to the next: an instruction that is not here makes no arithmetic.
INSTRUCTIONS = frozenset(
    (
        *("CACHE", "COPY", "COPY_FREE_VARS", "EXTENDED_ARG", "GEN_START", "MAKE_CELL", "NOP", "NOT_TAKEN", "POP_TOP"),
        *("PRECALL", "PUSH_NULL", "RESUME", "SWAP", "LOAD_ATTR", "LOAD_CLOSURE", "LOAD_COMMON_CONSTANT", "LOAD_CONST"),
        *("LOAD_CONST_IMMORTAL", "LOAD_CONST_MORTAL", "LOAD_DEREF", "LOAD_FAST", "LOAD_FAST_AND_CLEAR"),
        "LOAD_FAST_BORROW",
        *("LOAD_FAST_BORROW_LOAD_FAST_BORROW", "LOAD_FAST_CHECK", "LOAD_FAST_LOAD_FAST", "LOAD_GLOBAL"),
        *("LOAD_METHOD", "LOAD_SMALL_INT", "DELETE_FAST", "STORE_DEREF", "STORE_FAST", "STORE_FAST_LOAD_FAST"),
        *("STORE_FAST_MAYBE_NULL", "STORE_FAST_STORE_FAST", "BINARY_OP", "BINARY_SLICE", "BINARY_SUBSCR"),
        *("BUILD_STRING", "CONVERT_VALUE", "FORMAT_SIMPLE", "FORMAT_VALUE", "FORMAT_WITH_SPEC"),
        *("COMPARE_OP", "CONTAINS_OP", "TO_BOOL", "UNARY_INVERT", "UNARY_NEGATIVE", "UNARY_NOT", "UNARY_POSITIVE"),
        *("BUILD_CONST_KEY_MAP", "BUILD_LIST", "BUILD_MAP", "BUILD_SLICE", "BUILD_TUPLE", "LIST_APPEND"),
        *("LIST_EXTEND", "LIST_TO_TUPLE", "UNPACK_EX", "UNPACK_SEQUENCE", "CALL", "CALL_FUNCTION_EX"),
        *("CALL_INTRINSIC_1", "CALL_KW", "KW_NAMES", "MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE", "END_FOR"),
        *("FOR_ITER", "GET_ITER", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_FORWARD"),
        *("JUMP_IF_FALSE_OR_POP", "JUMP_IF_TRUE_OR_POP", "POP_ITER", "POP_JUMP_BACKWARD_IF_FALSE"),
        *("POP_JUMP_BACKWARD_IF_TRUE", "POP_JUMP_FORWARD_IF_FALSE", "POP_JUMP_FORWARD_IF_TRUE", "POP_JUMP_IF_FALSE"),
        *("POP_JUMP_IF_TRUE", "RERAISE", "RETURN_CONST", "RETURN_GENERATOR", "RETURN_VALUE", "YIELD_VALUE"),
    )
)
ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
INTRINSICS = (3, 5, 6)  # of CALL_INTRINSIC_1: the end of a generator, a plus sign, a list that becomes a tuple


def is_arithmetic(function: Callable[[Any], Any], variables: Collection[str]) -> bool:
    """Whether a function is plain arithmetic on states with these variables."""
    attributes = {part for name in variables for part in name.split(".")}  # a module's places are read through it
    return _is_plain(function, frozenset(attributes.union(METHODS)), set())


def behind(function: Callable[[Any], Any], variables: Collection[str]) -> str | None:
    """What makes a function no plain arithmetic, in words; None when it is."""
    if is_arithmetic(function, variables):
        return None
    if not isinstance(function, FunctionType):
        return "the measure"
    attributes = frozenset(part for name in variables for part in name.split(".")).union(METHODS)
    known: Mapping[str, object] = {**vars(builtins), **function.__globals__}
    for code in codes(function.__code__):
        for step in instructions(code):
            value = known.get(step.argval, _UnboundError) if step.opname == "LOAD_GLOBAL" else None
            if not _is_plain(value, attributes, set()) and not (value is getattr and _names_variables(function)):
                return f"`{step.argval}`"
            if step.opname in ATTRIBUTES and step.argval not in attributes:
                return f"`.{step.argval}`"
    return "`try`, `with`, `match`, `is` or a value from outside"


def _is_plain(value: object, attributes: frozenset[str], seen: set[int]) -> bool:
    """Whether a value is a constant, or a function of this kind, or made of these."""
    kind = type(value)
    if kind in CONSTANTS or id(value) in seen:
        return True
    seen.add(id(value))
    if isinstance(value, FunctionType):
        others = outside(value)
        if len(seen) == 1 and _names_variables(value):
            others = (one for one in others if one is not getattr)
        return not vars(value) and _is_plain_code(value, attributes) and _all_plain(others, attributes, seen)
    if kind is partial and isinstance(value, partial) and not vars(value):
        return _all_plain((value.func, *value.args, *value.keywords.values()), attributes, seen)
    if kind is dict and isinstance(value, dict):
        return _all_plain((*value.keys(), *value.values()), attributes, seen)
    if kind in (tuple, list, set, frozenset):
        return _all_plain(value, attributes, seen)
    return (kind is type or callable(value)) and any(value is allowed for allowed in BUILTINS)


def _all_plain(values: Any, attributes: frozenset[str], seen: set[int]) -> bool:
    return all(_is_plain(value, attributes, seen) for value in values)


class _UnboundError(Exception):
    """A name of the function has no value yet."""


def outside(function: FunctionType) -> Iterator[object]:
    """The values a function has from outside: global and closure variables, and defaults of its parameters."""
    if getattr(function, "__builtins__", None) is not vars(builtins):
        yield _UnboundError
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            yield _UnboundError
    own, common = function.__globals__, vars(builtins)
    yield from (own.get(name, common.get(name, _UnboundError)) for name in global_names(function.__code__))


def _is_plain_code(function: FunctionType, attributes: frozenset[str]) -> bool:
    free = function.__code__.co_freevars
    for code in codes(function.__code__):
        places = {step.offset: step.opname for step in instructions(code)}
        steps = instructions(code)
        for before, step in zip((steps[0], *steps), steps, strict=False):
            allowed = step.opname in INSTRUCTIONS and not _may_go_on_for_ever(step, places)
            if step.opname in ATTRIBUTES:
                allowed = step.argval in attributes
            elif step.opname == "STORE_DEREF":
                allowed = step.argval not in free
            elif step.opname == "CALL_INTRINSIC_1":
                allowed = step.arg in INTRINSICS
            elif step.opname == "IS_OP":
                allowed = asks_for_built_in(before, step)
            if not allowed:
                return False
    return True


def _names_variables(function: FunctionType) -> bool:
    """Whether a function calls `getattr` for variables of the state it is given, and does nothing else with it."""
    state = function.__code__.co_varnames[:1]
    for code in codes(function.__code__):
        steps = [step for step in instructions(code) if step.opname not in ("CACHE", "EXTENDED_ARG", "PUSH_NULL")]
        if any(step.opname.startswith(("STORE_", "DELETE_")) and state == (step.argval,) for step in steps):
            return False
        own = (
            "LOAD_FAST" if code is function.__code__ else "LOAD_DEREF"
        )  # another function's parameter is another thing
        for at, step in enumerate(steps):
            if (
                step.opname == "LOAD_GLOBAL"
                and step.argval == "getattr"
                and not _calls_on(steps[at : at + 3], own, state)
            ):
                return False
    return True


def _calls_on(steps: list[dis.Instruction], own: str, state: tuple[str, ...]) -> bool:
    """Whether a global name is loaded to be called, with the state and something else."""
    to_be_called = (steps[0].arg or 0) & 1 == 1
    if not to_be_called or len(steps) < 3 or not steps[1].opname.startswith((own, "LOAD_DEREF")):
        return False
    first, *others = steps[1].argval if isinstance(steps[1].argval, tuple) else (steps[1].argval,)
    further = steps[2].opname
    return (first,) == state and (bool(others) or (further.startswith("LOAD_") and further not in ATTRIBUTES))


def _may_go_on_for_ever(step: dis.Instruction, places: Mapping[int, str]) -> bool:
    """Whether this is the end of a loop that is not over things one by one: nobody knows when that ends."""
    return "BACKWARD" in step.opname and places.get(step.argval) not in ("FOR_ITER", "SEND")
