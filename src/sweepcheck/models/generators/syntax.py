"""New pieces of syntax trees, on the lines of the user's own."""

from __future__ import annotations

import ast
from typing import Any


def name(identifier: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(identifier, ast.Load())


def assign(identifier: str, value: ast.expr) -> ast.Assign:
    """An assignment to a name."""
    return ast.Assign([ast.Name(identifier, ast.Store())], value)


def call(function: str, *arguments: ast.expr) -> ast.Call:
    """A call of a function by its name."""
    return ast.Call(name(function), list(arguments), [])


def at(made: Any, where: ast.AST | int) -> Any:
    """A new piece of a tree on the line of another one; parts that stand somewhere already stay there."""
    line = where if isinstance(where, int) else getattr(where, "lineno", 1)
    for node in ast.walk(made):
        if "lineno" in node._attributes and not hasattr(node, "lineno"):
            node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
    return made
