"""Syntax trees, made so that nothing comes in between.

Before Python 3.12 the interpreter counts the depth of all trees in one place, and `ast.parse` fails with a
`SystemError` when another tree is begun before it has ended: by another thread, or by what a collection of garbage
calls (a callback, a finaliser, a hook that prints the traceback of either).
"""

from __future__ import annotations

import ast
import gc
import threading
from typing import Literal, overload

PARSING = threading.Lock()


@overload
def parsed(source: str) -> ast.Module: ...


@overload
def parsed(source: str, mode: Literal["eval"]) -> ast.Expression: ...


def parsed(source: str, mode: Literal["exec", "eval"] = "exec") -> ast.AST:
    """The syntax tree of a text."""
    with PARSING:
        collecting = gc.isenabled()
        try:
            gc.disable()
            return ast.parse(source, mode=mode)
        finally:
            if collecting:
                gc.enable()
