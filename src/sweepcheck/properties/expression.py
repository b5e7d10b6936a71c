"""Expressions given as text (`--invariant "receiver <= packets"`), turned into functions of a state."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import Any

from sweepcheck.core.model import System
from sweepcheck.errors import RequestError, closest


class _Names(ast.NodeTransformer):
    """Rewrites every free name that is a variable of the model into an attribute of the view."""

    def __init__(self, variables: tuple[str, ...]) -> None:
        self.variables = variables

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self.variables:
            view = ast.Name("s", ast.Load())
            return ast.copy_location(ast.Attribute(view, node.id, ast.Load()), node)
        return node


def expression(system: System, text: str) -> Callable[[Any], Any]:
    """A function of the state from Python text over the model's variables and parameters; `s` is the whole state."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as error:
        raise RequestError(
            "SC402", f"{text!r} is not an expression: {error.msg}", suggestion="write it in Python"
        ) from None
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    namespace = {"__builtins__": builtins, **system.parameters}
    known = {*system.variables, *namespace, *dir(builtins), *bound, "s"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known:
            available = [*system.variables, *system.parameters]
            raise RequestError(
                "SC402",
                f"{text!r} uses {node.id!r}, which is unknown",
                suggestion=closest(node.id, available),
            )
    body = _Names(tuple(name for name in system.variables if name not in bound)).visit(tree).body
    arguments = ast.arguments(posonlyargs=[], args=[ast.arg("s")], kwonlyargs=[], kw_defaults=[], defaults=[])
    function = ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, body)))
    code = compile(function, f"<expression {text}>", "eval")
    compiled: Callable[[Any], Any] = eval(code, namespace)
    return compiled
