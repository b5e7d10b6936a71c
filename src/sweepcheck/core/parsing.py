"""Syntax trees, made so that nothing comes in between, and the text of functions.

Before Python 3.12 the interpreter counts the depth of all trees in one place, and `ast.parse` fails with a
`SystemError` when another tree is begun before it has ended: by another thread, or by what a collection of garbage
calls (a callback, a finaliser, a hook that prints the traceback of either).
"""

from __future__ import annotations

import ast
import gc
import inspect
import linecache
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import CodeType
from typing import Literal, overload
from weakref import WeakKeyDictionary

PARSING = threading.Lock()
# Code that was made of trees and stands in no file as it is, and the tree of the function around it.
_TREES: WeakKeyDictionary[CodeType, ast.FunctionDef] = WeakKeyDictionary()


@overload
def parsed(source: str) -> ast.Module: ...


@overload
def parsed(source: str, mode: Literal["eval"]) -> ast.Expression: ...


def parsed(source: str, mode: Literal["exec", "eval"] = "exec") -> ast.AST:
    """The syntax tree of a text."""
    with _alone():
        return ast.parse(source, mode=mode)


@lru_cache(maxsize=1)  # files are looked at for several reasons, one after the other
def read(source: str) -> ast.Module:
    """The tree of a text, for those who change nothing in it."""
    return parsed(source)


def compiled(tree: ast.Module, filename: str, flags: int = 0) -> CodeType:
    """The code of a tree; `flags` say which features of later versions it was written with."""
    with _alone():
        code: CodeType = compile(tree, filename, "exec", flags=flags, dont_inherit=True)
        return code


@contextmanager
def _alone() -> Iterator[None]:
    with PARSING:
        collecting = gc.isenabled()
        try:
            gc.disable()
            yield
        finally:
            if collecting:
                gc.enable()


def remember(code: CodeType, around: ast.FunctionDef) -> None:
    """Keep the tree that the code of a function was made of, as long as there is the code."""
    _TREES[code] = around


def remembered(code: CodeType) -> ast.FunctionDef | None:
    """The tree of the function around one whose code was made of a tree."""
    return _TREES.get(code)


def source_of(code: CodeType) -> str:
    """The text of a function; `inspect.getsource` looks through all modules for it, every time."""
    linecache.checkcache(code.co_filename)  # the file may have been edited since another model of it was loaded
    lines = linecache.getlines(code.co_filename)
    if not lines and not code.co_filename.startswith("<"):  # in an archive, say
        return inspect.getsource(code)
    return "".join(inspect.getblock(lines[code.co_firstlineno - 1 :]))
