"""Keys of equivalences as the core evaluates them: taken apart, so that each part has a small table of its own.

A key that is a tuple is equal to another where all its elements are. As one function it would look at most of a state,
and its table grow with the number of states; each element looks at few variables.
"""

from __future__ import annotations
import __future__

import ast
import copy
import inspect
import linecache
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from sweepcheck.core.equivalence import Equivalence
from sweepcheck.core.parsing import parsed
from sweepcheck.engines.native.ordering import plain

Key = Callable[[Any], Any]
FunctionNode = ast.Lambda | ast.FunctionDef
# What is known of code whose source was read: to read it takes longer than many a run, and keys are made anew for many.
_ELEMENTS: WeakKeyDictionary[CodeType, tuple[ast.Lambda, ...]] = WeakKeyDictionary()


class Check:
    """Something that equivalent states must answer alike, as a number for each answer. Lenient: an error is one too."""

    def __init__(self, answer: Key, lenient: bool) -> None:
        self._answer = answer
        self._lenient = lenient
        self._numbers: dict[Any, int] = {}

    def __call__(self, view: Any) -> int:
        """The number of its answer in a state."""
        try:
            answer = plain(self._answer(view))
        except Exception:
            if not self._lenient:
                raise
            answer = "no value"
        try:
            return self._numbers.setdefault(answer, len(self._numbers))
        except TypeError:  # a list, say: among those with the same words
            return self._numbers.setdefault((type(answer), repr(answer)), len(self._numbers))


def key_parts(equivalence: Equivalence) -> tuple[Key, ...]:
    """The parts of a key, those that are tuples element by element."""
    return tuple(element for part in equivalence.parts for element in _elements(part))


def _elements(key: Key) -> tuple[Key, ...]:
    """The elements of the tuple that a function is written as, each as a function; else the function itself."""
    if not isinstance(key, FunctionType):
        return (key,)
    if key.__code__ not in _ELEMENTS:
        _ELEMENTS[key.__code__] = tuple(_written_elements(key))
    return tuple(_compiled(one, key) for one in _ELEMENTS[key.__code__]) or (key,)


def _written_elements(key: FunctionType) -> Iterator[ast.Lambda]:
    for node in _written(key):
        value = _value(node)
        if value is None or _compiled(node, key).__code__ != key.__code__:
            continue
        if any(isinstance(one, ast.NamedExpr | ast.Await | ast.Yield) for one in ast.walk(value)):
            return
        leaves = list(_leaves(value))
        if len(leaves) > 1:
            yield from (ast.copy_location(ast.Lambda(node.args, leaf), leaf) for leaf in leaves)
            return


def _written(key: FunctionType) -> Iterator[FunctionNode]:
    """The functions in a source file that begin where this one does."""
    code = key.__code__
    linecache.checkcache(code.co_filename)  # the file may have been edited since another model of it was loaded
    try:
        tree = parsed("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda | ast.FunctionDef):
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
            if first == code.co_firstlineno:
                yield node


def _value(node: FunctionNode) -> ast.expr | None:
    """What a function returns, where it does nothing else and has one parameter."""
    arguments = node.args
    others = (arguments.posonlyargs, arguments.kwonlyargs, arguments.defaults, arguments.vararg, arguments.kwarg)
    if len(arguments.args) != 1 or any(others):
        return None
    if isinstance(node, ast.Lambda):
        return node.body
    last = node.body[-1]
    only = [one for one in node.body[:-1] if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    return last.value if isinstance(last, ast.Return) and not only else None


def _leaves(value: ast.expr) -> Iterator[ast.expr]:
    if isinstance(value, ast.Tuple) and not any(isinstance(one, ast.Starred) for one in value.elts):
        for element in value.elts:
            yield from _leaves(element)
    else:
        yield value


def _compiled(node: FunctionNode, like: FunctionType) -> FunctionType:
    """A function that is written so, compiled like another one and with the names around it that this has."""
    code = like.__code__
    nested = code.co_flags & inspect.CO_NESTED
    statement: ast.stmt
    if isinstance(node, ast.FunctionDef):
        statement = copy.copy(node)
        statement.decorator_list = []
    else:
        statement = ast.Return(node) if nested else ast.Assign([ast.Name("made", ast.Store())], node)
    if nested:
        around = parsed("def around(): ...").body[0]
        assert isinstance(around, ast.FunctionDef)
        around.args.args, around.body = [ast.arg(name) for name in code.co_freevars], [statement]
        statement = around
    module = ast.fix_missing_locations(ast.copy_location(ast.Module([statement], []), node))
    future = code.co_flags & sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
    compiled = _inner(compile(module, code.co_filename, "exec", future, dont_inherit=True))
    compiled = _inner(compiled) if nested else compiled
    cells = dict(zip(code.co_freevars, like.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in compiled.co_freevars)
    return FunctionType(compiled, like.__globals__, like.__name__, None, closure)


def _inner(code: CodeType) -> CodeType:
    return next(one for one in code.co_consts if isinstance(one, CodeType))
