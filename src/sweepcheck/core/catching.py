"""Actions that catch everything, and so also that they are disabled: `require` ends a run by an exception.

    try:
        require(s.stock[item] > 0)
        s.stock[item] -= 1
    except:
        s.missing = True

The run would go on where its author has ruled it out. Only what can be seen in the code is refused, and only where
what is tried calls something that may be disabled: a function that is not Python's, an operation of a bag or queue.
"""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType

from sweepcheck.core.instructions import codes
from sweepcheck.core.parsing import parsed, source_of
from sweepcheck.core.purity import reached_from
from sweepcheck.errors import ModelError, place

MAY_BE_DISABLED = frozenset({"get", "peek", "put", "take"})  # operations of bags, sets and queues
SCOPES = (ast.FunctionDef, ast.Lambda, ast.ClassDef)


def check_catching(function: object, what: str) -> None:
    """Refuse a function in which, or in one that it calls, the exception that disables an action may get lost."""
    for reached, _ in reached_from(function):
        line = _catches_everything(reached.function.__code__)
        if line is not None:
            file = (place(reached.function) or "").rpartition(":")[0]
            raise ModelError(
                "SC153",
                f"{what} {reached.way}catches every exception, also the one by which it is disabled",
                where=f"{file}:{line}",
                suggestion="say which exceptions are meant, except KeyError: ..., or let the handler end with raise",
            )


@lru_cache(maxsize=1024)  # an action is looked at when it is declared, and again before it runs
def _catches_everything(code: CodeType) -> int | None:
    """The line where a function catches everything that something may raise which may be disabled."""
    if not any(one.co_exceptiontable for one in codes(code)):  # nothing is caught in it
        return None
    try:
        tree = parsed(textwrap.dedent(source_of(code)))
    except (OSError, SyntaxError):
        return None
    for node in ast.walk(tree):
        for line, tried in _caught(node):
            if any(_may_be_disabled(one) for part in tried for one in ast.walk(part)):
                return line + code.co_firstlineno - 1
    return None


def _caught(node: ast.AST) -> Iterator[tuple[int, list[ast.stmt]]]:
    """The lines where everything is caught, and what is tried there."""
    if isinstance(node, ast.Try):
        for handler in node.handlers:
            if _is_everything(handler.type) and not isinstance(handler.body[-1], ast.Raise):
                yield handler.lineno, node.body
        for one in node.finalbody:  # who returns there forgets what was raised
            yield from ((inner.lineno, node.body) for inner in _own(one) if isinstance(inner, ast.Return))
    elif isinstance(node, ast.With):
        calls = [one.context_expr for one in node.items if isinstance(one.context_expr, ast.Call)]
        if any(_name(call.func) == "suppress" and any(map(_is_everything, call.args)) for call in calls):
            yield node.lineno, node.body


def _is_everything(caught: ast.expr | None) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(map(_is_everything, caught.elts))
    return caught is None or _name(caught) == "BaseException"


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all in it that belongs to the same function."""
    yield node
    for inner in ast.iter_child_nodes(node):
        if not isinstance(inner, SCOPES):
            yield from _own(inner)


def _may_be_disabled(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        return node.func.attr in MAY_BE_DISABLED
    return isinstance(node.func, ast.Name) and not hasattr(builtins, node.func.id)


def _name(node: ast.expr) -> str | None:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None
