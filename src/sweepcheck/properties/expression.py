"""Expressions given as text (`--invariant "receiver <= packets"`), turned into functions of a state."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Collection
from typing import Any

from sweepcheck.core.model import System
from sweepcheck.core.parsing import parsed
from sweepcheck.errors import RequestError, clip, closest

WHOLE = ("s", "state")  # names of the whole state, unless a variable is called so
VIEW = "the view"  # what the expression is a function of; no name that an expression can use or bind


class _Names(ast.NodeTransformer):
    """Rewrites every free name that is a variable of the model into an attribute of the view."""

    def __init__(self, variables: Collection[str], whole: Collection[str]) -> None:
        self.variables = variables
        self.whole = whole

    def visit_Name(self, node: ast.Name) -> ast.expr:
        view = ast.Name(VIEW, ast.Load())
        if node.id in self.variables:
            return ast.copy_location(ast.Attribute(view, node.id, ast.Load()), node)
        return ast.copy_location(view, node) if node.id in self.whole else node


def expression(system: System, text: str) -> Callable[[Any], Any]:
    """A function of the state from Python text over the model's variables and parameters; `s` is the whole state."""
    tree = _parse(text)
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    namespace = {"__builtins__": builtins, **system.parameters}
    variables = spoken(system)
    known = {*variables, *namespace, *dir(builtins), *bound, *WHOLE}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known:
            available = [*system.variables, *system.parameters] or ["state"]
            raise RequestError(
                "SC402",
                f"expression {clip(text)!r} uses {node.id!r}, which the model does not know",
                suggestion=closest(node.id, available),
            )
    body = _Names(variables - bound, set(WHOLE) - bound - set(namespace)).visit(tree).body
    arguments = ast.arguments(posonlyargs=[], args=[ast.arg(VIEW)], kwonlyargs=[], kw_defaults=[], defaults=[])
    function = ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, body)))
    code = compile(function, f"<expression {text}>", "eval")
    compiled: Callable[[Any], Any] = eval(code, namespace)
    return compiled


STEP_NAMES = ("old", "new", "action")


def step_expression(system: System, text: str) -> Callable[..., Any]:
    """A function of both ends of a step from Python text: over `old`, `new` and, if it is used, `action`."""
    tree = _parse(text)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    namespace = {"__builtins__": builtins, **system.parameters}
    for name in sorted(names - {*STEP_NAMES, *namespace, *dir(builtins), *bound}):
        ends = f"write old.{name} or new.{name}" if name in spoken(system) else closest(name, STEP_NAMES)
        raise RequestError(
            "SC402", f"expression {clip(text)!r} uses {name!r}, which a step does not have", suggestion=ends
        )
    taken = STEP_NAMES if "action" in names else STEP_NAMES[:2]
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg(one) for one in taken], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    function = ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, tree.body)))
    compiled: Callable[..., Any] = eval(compile(function, f"<expression {text}>", "eval"), namespace)
    return compiled


def spoken(system: System) -> set[str]:
    """The names that states are read by: those of modules for their places, of variables for their parts."""
    return {re.split(r"[.\[]", name, maxsplit=1)[0] for name in system.variables}


def _parse(text: str) -> ast.Expression:
    try:
        tree = parsed(text.strip(), "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error) or "too long"
        suggestion = "write a Python expression over the model's variables: x + y <= 3"
        if "=" in text and "==" not in text:
            suggestion += "; equality is =="
        raise RequestError("SC402", f"{clip(text)!r} is not an expression: {reason}", suggestion=suggestion) from None
    if isinstance(tree.body, ast.Lambda):
        raise RequestError(
            "SC402",
            f"{clip(text)!r} is a function; an expression is wanted",
            suggestion=f"write what follows the colon: {ast.unparse(tree.body.body)}",
        )
    return tree
