"""Starting functions that can be run with open choices, written anew for it.

They are such that nothing in them could tell something unknown from a value without ending the run: no question for
types or identity, no foreign methods. `and`, `or`, `not`, `in` and chained comparisons become calls, since Python wants
a truth value at once where they stand.
"""

from __future__ import annotations

import ast
import builtins
import enum
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import CellType, CodeType, FunctionType
from typing import Any

from sweepcheck.models.actions.choice import choose, require
from sweepcheck.models.actions.unknown import is_plain
from sweepcheck.models.actions.words import BOTH, EACH, NEGATED, WAYS, WITHIN, Words
from sweepcheck.models.generators.inlining import surroundings
from sweepcheck.models.generators.starting import chooses, text_of
from sweepcheck.models.generators.steps import codes_of
from sweepcheck.models.generators.syntax import call, name
from sweepcheck.models.generators.usage import parameters_of
from sweepcheck.models.generators.written import Written

_FLOW = (ast.If, ast.For, ast.While, ast.Pass, ast.Return, ast.Break, ast.Continue)
_STATEMENTS = (*_FLOW, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)
_OPERATORS = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Attribute, ast.Subscript)
_DISPLAYS = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
_ATOMS = (ast.Name, ast.Constant, ast.Slice, ast.Starred, ast.JoinedStr, ast.FormattedValue)
_REST = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.comprehension, ast.keyword)
_NODES = (*_STATEMENTS, *_OPERATORS, *_DISPLAYS, *_ATOMS, *_REST)
_FOLDS = ("len", "sum", "min", "max", "all", "any", "set", "frozenset", "abs")
_LISTS = ("range", "enumerate", "zip", "tuple", "list", "reversed")
WAY = "@way"
_BUILTINS = frozenset((*_FOLDS, *_LISTS, "setattr", "getattr"))
_ACTS = frozenset({"choose", "require", "setattr"})
_READS = frozenset({"count", "get", "index", "items", "keys", "values"})  # methods that change nothing


class OpenFunction:
    """A starting function with open choices."""

    def __init__(self, function: FunctionType, code: CodeType, outside: dict[str, Any]) -> None:
        self._function = function
        self._code = code
        self._outside = outside

    def words(self, words: Words) -> Callable[[Any], object]:
        """The function with what it calls as these words have it."""
        known = {
            one: words.deferred(value) if _is_called(value) else _own(value)
            for one, value in self._outside.items()
            if value is not choose and value is not require
        }
        around = {**words.names(), **known, "__builtins__": builtins}
        cells = tuple(CellType(around[one]) for one in self._code.co_freevars)
        return FunctionType(self._code, around, self._function.__name__, self._function.__defaults__, cells)


def opened(function: Any) -> OpenFunction | None:
    """A starting function for open choices, where it can be."""
    tree = text_of(function)
    if tree is None or len(parameters_of(tree.args)) != 1 or function.__kwdefaults__:
        return None
    (draft,) = parameters_of(tree.args)
    nodes = [node for one in tree.body for node in ast.walk(one)]
    local = {one.id for one in nodes if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    used = {one.id for one in nodes if isinstance(one, ast.Name)} - local - {draft}
    source = Written(function, tree, draft)
    cells = surroundings(source).cells
    if draft in local or local & {*cells, "choose", "require", *_BUILTINS} or not _is_apart(function, local):
        return None
    outside = _outside(function, used, cells)
    if outside is None or not all(_is_fit(node, outside) for node in nodes):
        return None
    writing = _Rewriting(draft, tree)
    tree.body = [writing.visit(one) for one in tree.body]
    (code,) = codes_of([tree], surroundings(source), function)
    return OpenFunction(function, code, outside)


def _is_apart(function: FunctionType, local: set[str]) -> bool:
    """Whether no name means something else in a comprehension than around it."""
    return not (local - {*function.__code__.co_varnames, *function.__code__.co_cellvars}) & {
        *function.__code__.co_names
    }


def _outside(function: FunctionType, used: set[str], cells: Mapping[str, CellType]) -> dict[str, Any] | None:
    """What the names from outside mean; None where one of them is something that may do what it likes."""
    found: dict[str, Any] = {}
    for one in used:
        try:
            value = cells[one].cell_contents if one in cells else function.__globals__[one]
        except (KeyError, ValueError):
            if one not in _BUILTINS:
                return None
            continue
        if one in ("choose", "require") and value not in (choose, require):
            return None
        if not (_is_called(value) or _is_enum(value) or is_plain(value)):
            return None
        found[one] = value
    return found


def _own(value: Any) -> Any:
    """A list from outside as one that nobody else has: something unknown may be put into it."""
    return type(value)(value) if type(value) in (list, set, dict) else value


def _is_called(value: Any) -> bool:
    return isinstance(value, FunctionType | type) and not isinstance(value, enum.EnumMeta)


def _is_enum(value: Any) -> bool:
    """Whether it is an enumeration without functions of its own."""
    if not isinstance(value, enum.EnumMeta) or "__eq__" in vars(value):
        return False
    return not any(isinstance(one, FunctionType) for key, one in vars(value).items() if not key.startswith("_"))


def _is_fit(node: ast.AST, outside: Mapping[str, Any]) -> bool:
    match node:
        case ast.Return(value=value):
            return value is None
        case ast.Compare(ops=signs):
            return not any(isinstance(sign, ast.Is | ast.IsNot) for sign in signs)
        case ast.BinOp(op=sign) | ast.AugAssign(op=sign):
            return not isinstance(sign, ast.MatMult)
        case ast.Call(func=ast.Name(id="all" | "any"), args=[given]) if _acts(given):
            return False  # which is not gone through to its end
        case ast.Call(func=ast.Name(id=called)):
            return _is_called(outside[called]) if called in outside else called in _BUILTINS
        case ast.Call(func=ast.Attribute() as method):
            return _root(method) is not None and _root(method) not in outside
        case ast.Call():
            return False
        case ast.Subscript(ctx=ast.Store()):
            return _root(node) not in outside
        case ast.Attribute():
            root = _root(node)
            return root is not None and (root not in outside or _is_enum(outside[root]))
    return isinstance(node, _NODES)


def _acts(node: ast.AST) -> bool:
    """Whether it may do more than compute: then it matters whether Python comes to it at all."""
    for one in ast.walk(node):
        match one:
            case ast.Call(func=ast.Name(id=called)) if called in _ACTS:
                return True
            case ast.Call(func=ast.Attribute(attr=called)) if called not in _READS:
                return True
    return False


def _root(node: ast.AST) -> str | None:
    """The name that a chain of fields and elements begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _is_guarded(node: ast.stmt, draft: str) -> bool:
    """Whether a statement may be run though its branch is not taken: all it does is to change the state."""
    match node:
        case ast.Pass():
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="require")) as done):
            inside = [*done.args, *(one.value for one in done.keywords)]
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="add" | "discard") as method) as done):
            inside = [method.value, *done.args, *(one.value for one in done.keywords)]
            if _root(method) != draft:
                return False
        case ast.Assign(targets=targets, value=value) if all(_is_part(one, draft) for one in targets):
            inside = [*targets, value]
        case ast.AugAssign(target=target, value=value) if _is_part(target, draft):
            inside = [target, value]
        case ast.If(test=test, body=body, orelse=orelse) if all(_is_guarded(one, draft) for one in (*body, *orelse)):
            inside = [test]
        case _:
            return False
    return not any(_acts(one) or chooses(one) for one in inside)


def _is_part(target: ast.expr, draft: str) -> bool:
    return isinstance(target, ast.Attribute | ast.Subscript) and _root(target) == draft


class _Rewriting(ast.NodeTransformer):
    def __init__(self, draft: str, tree: ast.FunctionDef) -> None:
        self._draft = draft
        self._read = Counter(_read(tree))

    def visit_If(self, node: ast.If) -> ast.stmt:
        together = all(_is_guarded(one, self._draft) for one in (*node.body, *node.orelse))
        self.generic_visit(node)
        if not together:
            return node
        chosen = ast.If(name(WAY), node.body, node.orelse)
        loop = ast.For(ast.Name(WAY, ast.Store()), call(WAYS, node.test), [chosen], [])
        return ast.fix_missing_locations(ast.copy_location(loop, node))

    def visit_For(self, node: ast.For) -> ast.stmt:
        together = all(_is_guarded(one, self._draft) for one in node.body) and not node.orelse
        match node.target:  # which is not to be read after the loop
            case ast.Name(id=item) if together and self._read[item] == list(_read(node)).count(item):
                self.generic_visit(node)
                node.iter = ast.copy_location(call(EACH, node.iter), node.iter)
                return ast.fix_missing_locations(node)
        self.generic_visit(node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        acts = any(map(_acts, node.values[1:]))
        self.generic_visit(node)
        return node if acts else self._joined(node.values, "and" if isinstance(node.op, ast.And) else "or", node)

    def _joined(self, parts: list[ast.expr], sign: str, node: ast.expr) -> ast.expr:
        *others, made = parts
        for one in reversed(others):
            made = ast.copy_location(call(BOTH, one, _thunk(made), ast.Constant(sign)), node)
        return made

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return ast.copy_location(call(NEGATED, node.operand), node) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        acts = len(node.ops) > 1 and _acts(node.comparators[-1])
        self.generic_visit(node)
        middle = node.comparators[:-1]  # which would be looked at twice
        if acts or not all(isinstance(one, ast.Name | ast.Constant) for one in middle):
            return node
        ends = [node.left, *node.comparators]
        pairs = zip(ends, node.ops, ends[1:], strict=False)
        found = [self._compared(left, sign, right, node) for left, sign, right in pairs]
        return self._joined(found, "and", node)

    def _compared(self, left: ast.expr, sign: ast.cmpop, right: ast.expr, node: ast.expr) -> ast.expr:
        if isinstance(sign, ast.In | ast.NotIn):
            within = ast.copy_location(call(WITHIN, left, right), node)
            return within if isinstance(sign, ast.In) else ast.copy_location(call(NEGATED, within), node)
        return ast.copy_location(ast.Compare(left, [sign], [right]), node)


def _read(tree: ast.AST) -> Iterator[str]:
    return (one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))


def _thunk(body: ast.expr) -> ast.expr:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.copy_location(ast.Lambda(nothing, body), body)
