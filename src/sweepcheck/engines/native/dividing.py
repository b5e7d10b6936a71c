"""Predicates divided: `all(s.a[i] <= s.b[i] for i in range(n))` as a predicate for each `i`.

A predicate is run once for each combination of the values that it looks at, and one that goes through all elements
looks at all of them: it is run in nearly every state. One for each turn looks at a few, and is run once for each
combination of these. So the core asks for the parts of a predicate that has been run often: those of `and`, `or`,
`not`, `all` and `any`, where what `all` and `any` go through is the same in all states. What the first parts decide is
all that is looked at, in the order of the text, as ever. Of `all([...])` everything is looked at: it stays whole.
"""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Callable, Iterator
from itertools import islice
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from sweepcheck._core import FormulaNode
from sweepcheck.core.parsing import compiled, read, remember
from sweepcheck.engines.native.parts import QUIET
from sweepcheck.engines.native.sifting import FUTURE, SUSPENDING

MOST_PARTS = 512
FUNCTION = "@divided"
Predicate = Callable[..., Any]


class Divided(NamedTuple):
    """A formula whose nodes are in the order of `Formula` in the core: what it is, its size, the number of a part."""

    nodes: list[tuple[FormulaNode, int, int]]
    parts: list[Any]


def divided(function: object) -> Divided | None:
    """The parts of a predicate; None where it is one thing, or has no text."""
    if type(function) is not FunctionType or function.__kwdefaults__ or not QUIET.isdisjoint(function.__globals__):
        return None
    code = function.__code__
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename))
    try:
        for node in _functions_at(read(text), code.co_firstlineno) if text else ():
            if (found := _Dividing(function, node).divided()) is not None:
                return found
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - what is gone through may be whatever a user wrote: the whole will raise it, if anything does
        return None
    return None


def _functions_at(tree: ast.Module, line: int) -> Iterator[ast.Lambda | ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda | ast.FunctionDef) and _first_line(node) == line:
            yield node


def _first_line(node: ast.Lambda | ast.FunctionDef) -> int:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min([node.lineno, *(one.lineno for one in decorators)])


def _result(node: ast.Lambda | ast.FunctionDef) -> ast.expr | None:
    """The expression that a function gives, if it does nothing else."""
    if isinstance(node, ast.Lambda):
        return node.body
    body = node.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    match body:
        case [ast.Return(value=ast.expr() as value)]:
            return value
    return None


class _Dividing:
    """One function, as its text says it; what is compiled anew has its globals, and its cells."""

    def __init__(self, function: FunctionType, node: ast.Lambda | ast.FunctionDef) -> None:
        self._function = function
        self._node = node
        self._parts: list[FunctionType] = []

    def divided(self) -> Divided | None:
        """None where the text is not that of the function, or there is nothing to divide."""
        result, arguments = _result(self._node), self._node.args
        plain = not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs)
        if result is None or any(isinstance(one, SUSPENDING) for one in ast.walk(result)):
            return None
        names = [one.arg for one in arguments.args]
        defaults = self._function.__defaults__ or ()
        one = plain and len(names) == len(defaults) + 1
        if not one or not self._means_built_in() or not self._is_text_of_function():
            return None
        self._state = names[0]
        nodes = self._nodes(result, dict(zip(names[1:], defaults, strict=True)), False)
        return Divided(nodes, self._parts) if len(self._parts) > 1 else None

    def _means_built_in(self) -> bool:
        """Whether `all` and `any` are Python's own in it; globals are looked at elsewhere."""
        code = self._function.__code__
        return {"all", "any"}.isdisjoint((*code.co_freevars, *code.co_varnames, *code.co_cellvars))

    def _is_text_of_function(self) -> bool:
        node = copy.deepcopy(self._node)
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = []
        made = self._compiled(node)
        return made is not None and _content(made) == _content(self._function.__code__)

    def _compiled(self, node: ast.expr | ast.FunctionDef) -> CodeType | None:
        """The code of a function that stands where the divided one does."""
        code = self._function.__code__
        names = [ast.arg(name) for name in code.co_freevars]
        body: list[ast.stmt] = [node] if isinstance(node, ast.FunctionDef) else [ast.Return(node)]
        around = ast.FunctionDef(FUNCTION, ast.arguments([], names, None, [], [], None, []), body, [])
        around.type_params = []  # type: ignore[attr-defined] # from Python 3.12 on
        ast.copy_location(around, self._node)
        module = compiled(ast.fix_missing_locations(ast.Module([around], [])), code.co_filename, code.co_flags & FUTURE)
        outer = next(one for one in module.co_consts if isinstance(one, CodeType))
        made = next((one for one in outer.co_consts if isinstance(one, CodeType)), None)
        for one in [] if made is None else (made, *made.co_consts):
            if isinstance(one, CodeType):
                remember(one, around)
        return made

    def _made(self, node: ast.Lambda) -> FunctionType:
        """A function with this text, in the place of the divided one."""
        code = self._compiled(node)
        assert code is not None
        function = self._function
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        return FunctionType(code, function.__globals__, closure=tuple(cells[name] for name in code.co_freevars))

    def _nodes(self, node: ast.expr, constants: dict[str, Any], truth: bool) -> list[tuple[FormulaNode, int, int]]:
        """A formula for an expression. `truth`: only whether it is true counts, and not what it is."""
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return _joined(FormulaNode.NOT, [self._nodes(operand, constants, True)])
            case ast.BoolOp(op=operator, values=[*first, last]):
                found = [self._nodes(one, constants, True) for one in first]
                what = FormulaNode.ALL if isinstance(operator, ast.And) else FormulaNode.SOME
                return _joined(what, [*found, self._nodes(last, constants, truth)])
            case ast.Call(func=ast.Name(id="all" | "any" as name), args=[ast.GeneratorExp() as one], keywords=[]):
                if (turns := self._turns(one, constants)) is not None:
                    every = name == "all"
                    body = _body(one, self._state, every)
                    what = FormulaNode.ALL if every else FormulaNode.SOME
                    make = self._maker(body, list({**constants, **dict.fromkeys(_targets(one))}))
                    return _joined(what, [self._part(make, {**constants, **turn}) for turn in turns])
        return self._part(self._maker(_truth(node) if truth else node, list(constants)), constants)

    def _turns(self, listed: ast.GeneratorExp, constants: dict[str, Any]) -> list[dict[str, Any]] | None:
        """What the names that are gone through are in each turn; None where that depends on the state."""
        names = _targets(listed)
        turns = copy.deepcopy(listed.generators)
        for turn in turns:
            turn.ifs = [one for one in turn.ifs if self._state not in _names(one)]
            if turn.is_async or self._state in _names(turn.iter):
                return None
        if self._state in names or any(isinstance(one, ast.Lambda) for one in ast.walk(listed)):
            return None
        element = ast.Tuple([ast.Name(name, ast.Load()) for name in names], ast.Load())
        listing = self._made(_function(list(constants), ast.GeneratorExp(element, turns)))
        found = list(islice(listing(*constants.values()), MOST_PARTS + 1))  # there may be no end
        if len(found) + len(self._parts) > MOST_PARTS:
            return None
        return [dict(zip(names, one, strict=True)) for one in found]

    def _maker(self, body: ast.expr, constants: list[str]) -> FunctionType:
        return self._made(_function(constants, _function([self._state], body)))

    def _part(self, make: FunctionType, constants: dict[str, Any]) -> list[tuple[FormulaNode, int, int]]:
        self._parts.append(make(*constants.values()))
        return [(FormulaNode.PREDICATE, 1, len(self._parts) - 1)]


def _body(listed: ast.GeneratorExp, state: str, every: bool) -> ast.expr:
    """What is asked in a turn: conditions on the state first. A turn that they sort out decides nothing."""
    conditions = [copy.deepcopy(one) for turn in listed.generators for one in turn.ifs if state in _names(one)]
    asked = copy.deepcopy(listed.elt)
    if not conditions:
        return _truth(asked)
    sorted_out: list[ast.expr] = [ast.UnaryOp(ast.Not(), one) for one in conditions] if every else conditions
    return _truth(ast.BoolOp(ast.Or() if every else ast.And(), [*sorted_out, asked]))


def _truth(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), copy.deepcopy(node)))


def _joined(what: FormulaNode, parts: list[list[Any]]) -> list[Any]:
    nodes = [one for part in parts for one in part]
    return [(what, len(nodes) + 1, 0), *nodes]


def _targets(listed: ast.GeneratorExp) -> list[str]:
    found = [one.id for turn in listed.generators for one in ast.walk(turn.target) if isinstance(one, ast.Name)]
    return list(dict.fromkeys(found))


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _function(parameters: list[str], value: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [ast.arg(name) for name in parameters], None, [], [], None, []), value)


def _content(code: CodeType) -> tuple[Any, ...]:
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_consts
