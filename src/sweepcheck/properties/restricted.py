"""Expressions that come from a file: a small part of Python, worked out by walking its tree.

What a user types on the command line is the user's own code and may be any Python. A saved trace may come from anybody,
so the expression in it is never handed to Python: variables, parameters, literals, comparisons, arithmetic of numbers,
indices, fields and a few functions are known here, and nothing else is. There are no loops and no powers, so the work
is bounded by the text.
"""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable
from numbers import Number
from typing import Any

from sweepcheck.core.model import System
from sweepcheck.core.parsing import parsed
from sweepcheck.errors import RequestError, clip
from sweepcheck.properties.expression import WHOLE, spoken

LONGEST = 2000  # characters
DEEPEST = 40  # expressions inside one another
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs, "all": all, "any": any, "len": len, "max": max, "min": min, "sum": sum,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARING: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}

_COLLECTIONS: dict[type[ast.expr], Callable[[Any], Any]] = {ast.Tuple: tuple, ast.List: list, ast.Set: frozenset}

Evaluated = Callable[[Any], Any]  # of the view of a state


def restricted(system: System, text: str) -> Evaluated:
    """A function of the state from the text of a file; an error if it says more than is known here."""
    try:
        if len(text) > LONGEST:
            raise _NotKnownError
        with warnings.catch_warnings(action="ignore"):  # Python's remarks would print pieces of the file
            tree = parsed(text.strip(), "eval")
        return _Reading(system).function(tree.body, 0)
    except (SyntaxError, ValueError, MemoryError, RecursionError, _NotKnownError):
        raise RequestError(
            "SC402",
            f"{clip(text, 200)!r} says more than an expression from a file may",
            suggestion="type it yourself: sweepcheck check FILE.py --invariant EXPR",
        ) from None


class _NotKnownError(Exception):
    """The expression goes beyond what a file may say."""


class _Reading:
    """Turns the tree of an expression into a function, piece by piece."""

    def __init__(self, system: System) -> None:
        self._variables = spoken(system)
        self._parameters = system.parameters

    def function(self, node: ast.expr, depth: int) -> Evaluated:
        """What a piece of the expression is worth in a state."""
        if depth > DEEPEST:
            raise _NotKnownError

        def inner(one: ast.expr) -> Evaluated:
            return self.function(one, depth + 1)

        match node:
            case ast.Constant(value=None | bool() | int() | float() | str() as value):
                return lambda _: value
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute(value=whole, attr=name) if not name.startswith("_"):
                of = inner(whole)
                return lambda s: getattr(of(s), name)
            case ast.Subscript(value=whole, slice=index) if not isinstance(index, ast.Slice):
                of, at = inner(whole), inner(index)
                return lambda s: of(s)[at(s)]
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                kind, each = _COLLECTIONS[type(node)], [inner(element) for element in elements]
                return lambda s: kind(one(s) for one in each)
            case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if self._is_function(name):
                function, arguments = FUNCTIONS[name], [inner(one) for one in given]
                return lambda s: function(*(one(s) for one in arguments))
        return self._operation(node, inner)

    def _name(self, name: str) -> Evaluated:
        if name in self._variables:
            return lambda s: getattr(s, name)
        if name in self._parameters:
            value = self._parameters[name]
            return lambda _: value
        if name in WHOLE:
            return lambda s: s
        raise _NotKnownError

    def _is_function(self, name: str) -> bool:
        return name in FUNCTIONS and name not in self._variables and name not in self._parameters

    def _operation(self, node: ast.expr, inner: Callable[[ast.expr], Evaluated]) -> Evaluated:
        match node:
            case ast.BoolOp(op=sign, values=several):
                return _first([inner(one) for one in several], isinstance(sign, ast.Or))
            case ast.UnaryOp(op=ast.Not(), operand=one):
                part = inner(one)
                return lambda s: not part(s)
            case ast.UnaryOp(op=ast.USub(), operand=one):
                part = inner(one)
                return lambda s: -_number(part(s))
            case ast.BinOp(left=one, op=sign, right=other) if type(sign) in _ARITHMETIC:
                work, left, right = _ARITHMETIC[type(sign)], inner(one), inner(other)
                return lambda s: work(_number(left(s)), _number(right(s)))
            case ast.Compare(left=one, ops=signs, comparators=others):
                return _chain([inner(part) for part in (one, *others)], [_COMPARING[type(sign)] for sign in signs])
        raise _NotKnownError


def _first(parts: list[Evaluated], wanted: bool) -> Evaluated:
    """The first value that settles `and` (a false one) or `or` (a true one), else the last, as in Python."""

    def settled(s: Any) -> Any:
        value: Any = None
        for part in parts:
            value = part(s)
            if bool(value) is wanted:
                break
        return value

    return settled


def _chain(parts: list[Evaluated], signs: list[Callable[[Any, Any], Any]]) -> Evaluated:
    """Comparisons one after the other: `0 <= x < 3`."""

    def holds(s: Any) -> bool:
        left = parts[0](s)
        for sign, part in zip(signs, parts[1:], strict=True):
            right = part(s)
            if not sign(left, right):
                return False
            left = right
        return True

    return holds


def _number(value: Any) -> Any:
    """Only numbers are worked with: text times a number could be of any length."""
    if not isinstance(value, Number):
        raise TypeError(f"{type(value).__name__} is not a number")
    return value
