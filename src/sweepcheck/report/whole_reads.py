"""Where an action's code looks at all of a variable and needs only a little of it, as in `len(s.log)`."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Collection, Mapping

from sweepcheck.core.model import System
from sweepcheck.core.parsing import parsed
from sweepcheck.core.values import Bag, Queue

SUMMARIES = frozenset({"all", "any", "len", "max", "min", "sorted", "sum"})


def whole_reads(system: System, action: str, variables: Collection[str]) -> list[str]:
    """Calls like `len(s.log)` in an action's code, where `log` is among the variables; none where there is no code."""
    function = (system.action_functions() or {}).get(action)
    if function is None:
        return []
    try:
        tree = parsed(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return []
    draft = next(iter(inspect.signature(function).parameters))
    initial = system.describe(system.initial_states()[0])
    values = {name: initial[name] for name in variables}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _summarises(node, draft, values)]
    return list(dict.fromkeys(map(ast.unparse, calls)))


def _summarises(call: ast.Call, draft: str, values: Mapping[str, object]) -> bool:
    """Whether a call boils a whole variable down; the size of a bag or queue is an observation of its own."""
    match call:
        case ast.Call(func=ast.Name(id=name), args=[ast.Attribute(value=ast.Name(id=owner), attr=variable), *_]):
            sized = name == "len" and isinstance(values.get(variable), Bag | Queue)
            return name in SUMMARIES and owner == draft and variable in values and not sized
    return False
