"""Expressions given as text (`--invariant "receiver <= packets"`), turned into functions of a state."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Collection
from typing import Any

from sweepcheck.core.model import System
from sweepcheck.core.parsing import parsed
from sweepcheck.core.temporal import Place
from sweepcheck.errors import ModelError, RequestError, clip, closest

ENABLED = "enabled"  # `enabled("send", 2)`: whether an action is, unless a variable is called so
WHOLE = ("s", "state")  # names of the whole state, unless a variable is called so
VIEW = "the view"  # what the expression is a function of; no name that an expression can use or bind


def _asked(system: System, node: ast.Call) -> Callable[[Any], object]:
    """The predicate that a call of `enabled` in an expression means."""
    try:
        name, *arguments = [_value(system, one) for one in node.args]
        named = {one.arg: _value(system, one.value) for one in node.keywords if one.arg is not None}
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise _not_asked(node) from None
    if not isinstance(name, str) or len(named) < len(node.keywords):
        raise _not_asked(node)
    found = system.enabled(name, *arguments, **named)
    found(system.view(system.initial_states()[0]))  # a name that the model does not know is found out at once
    return found


def _value(system: System, node: ast.expr) -> Any:
    """A value that is written out, or a parameter of the model."""
    if isinstance(node, ast.Name) and node.id in system.parameters:
        return system.parameters[node.id]
    return ast.literal_eval(node)


def _not_asked(node: ast.Call) -> RequestError:
    return RequestError(
        "SC413",
        f"{clip(ast.unparse(node))} names no action",
        suggestion='give its name as text, and values of its parameters: enabled("send"), enabled("send", 2)',
    )


class _Names(ast.NodeTransformer):
    """Rewrites every free name that is a variable of the model into an attribute of the view."""

    def __init__(
        self, system: System, variables: Collection[str], whole: Collection[str], taken: Collection[str]
    ) -> None:
        self.system = system
        self.variables = variables
        self.whole = whole
        self.taken = taken  # names that mean something else
        self.predicates: dict[str, Callable[[Any], object]] = {}

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id == ENABLED and ENABLED not in self.taken:
            name = f"enabled {len(self.predicates)}"  # as no name can be called
            self.predicates[name] = _asked(self.system, node)
            return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [ast.Name(VIEW, ast.Load())], []), node)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        view = ast.Name(VIEW, ast.Load())
        if node.id in self.variables:
            return ast.copy_location(ast.Attribute(view, node.id, ast.Load()), node)
        return ast.copy_location(view, node) if node.id in self.whole else node


def expression(
    system: System, text: str, also: Collection[str] = (), place: Place | None = None
) -> Callable[[Any], Any]:
    """A function of the state from Python text over the model's variables and parameters.

    `s` is the whole state, and `enabled("send", 2)` says whether an action is. `also`: what else the state is read by.
    `place` is where the text begins in that of a formula: errors point there.
    """
    own = system.own_expression(text)
    if not isinstance(own, str):
        return own
    tree = _parse(own, place)
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    namespace = {"__builtins__": builtins, **system.parameters}
    variables = spoken(system) | set(also)
    known = {*variables, *namespace, *dir(builtins), *bound, *WHOLE, ENABLED}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known:
            available = [*system.variables, *also, *system.parameters] or ["state"]
            raise RequestError(
                "SC402",
                f"expression {clip(text)!r} uses {node.id!r}, which the model does not know",
                values=_pointed(place, own, node.col_offset),
                suggestion=closest(node.id, available),
            )
    taken = {*variables, *namespace, *bound}
    if place is not None and not taken.issuperset(WHOLE):
        _refuse_unknown_attributes(system, tree, set(WHOLE) - taken, (own, place))
    names = _Names(system, variables - bound, set(WHOLE) - bound - set(namespace), taken)
    body = names.visit(tree).body
    namespace |= names.predicates
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


def _refuse_unknown_attributes(
    system: System, tree: ast.Expression, whole: Collection[str], written: tuple[str, Place]
) -> None:
    """Refuse an expression of Python that reads something of the whole state which states do not have."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        if node.value.id not in whole or node.attr in spoken(system):
            continue
        try:
            getattr(system.view(system.initial_states()[0]), node.attr)
        except (ModelError, RequestError) as error:
            column = (node.end_col_offset or 0) - len(node.attr.encode())
            text, place = written
            raise error.add(*_pointed(place, text, column)) from None
        except AttributeError:  # a state of the user's own making: the run says which one, and what it has
            pass


def _characters(text: str, column: int) -> int:
    """A column of a syntax tree, which counts bytes, of a text in one line."""
    return len(text.encode()[:column].decode(errors="ignore"))


def _pointed(place: Place | None, text: str, column: int) -> list[tuple[str, str]]:
    """The formula that an expression is part of, with a caret below one of its characters."""
    return [] if place is None else [place.moved(_characters(text, column)).shown()]


def _parse(text: str, place: Place | None = None) -> ast.Expression:
    try:
        tree = parsed(text.strip(), "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error) or "too long"
        offset = (
            error.offset if isinstance(error, SyntaxError) else 1
        )  # counted from 1; 0 where the text ends too early
        column = min(offset - 1 if offset else len(text), len(text))
        suggestion = "write a Python expression over the model's variables: x + y <= 3"
        if "=" in text and "==" not in text:
            suggestion += "; equality is =="
        raise RequestError(
            "SC402",
            f"{clip(text)!r} is not an expression: {reason}",
            values=[] if place is None else [place.moved(column).shown()],
            suggestion=suggestion,
        ) from None
    if isinstance(tree.body, ast.Lambda):
        raise RequestError(
            "SC402",
            f"{clip(text)!r} is a function; an expression is wanted",
            values=_pointed(place, text, 0),
            suggestion=f"write what follows the colon: {ast.unparse(tree.body.body)}",
        )
    return tree
