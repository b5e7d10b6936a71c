"""Inscriptions: what stands on arcs, in guards and beside transitions, parsed once.

An inscription is a Python expression as text, or a function whose parameters are variables of the net. On an arc it is
a multiset: one token `n`; several `2*n`, `{n: 2, k: 1}` or `n ++ 2*k`; none `{}`; with a delay `n @+ 5`; or one of two
multisets `n if ok else {}`. (Python reads `n ++ k` as n plus plus-k and `n @+ 5` as n at plus-5, so the notation of
coloured nets needs no grammar of its own.)
"""

from __future__ import annotations

import ast
import builtins
import inspect
import symtable
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError, caller, shown
from sweepcheck.models.net.colours import Record, Union

# The functions of Python that an inscription may call: they only compute. The first group makes one token each.
_MAKERS = "abs all any bool chr divmod float frozenset hash int isinstance len max min ord pow repr round str sum tuple"
_OTHERS = "dict enumerate filter list map range reversed set sorted zip"
ONE_TOKEN = frozenset(_MAKERS.split())
PURE = ONE_TOKEN | frozenset(_OTHERS.split())


@dataclass(frozen=True, slots=True)
class Expression:
    """One expression: its text, its tree, the names it uses, and the functions of the user's that it calls."""

    text: str
    node: ast.expr
    names: frozenset[str]
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """The expression in one line of Python."""
        return f"({ast.unparse(self.node)})"


@dataclass(frozen=True, slots=True)
class Tokens:
    """A number of equal tokens; `delay` is when they may be taken."""

    token: Expression
    coefficient: Expression | None = None  # None: one
    delay: Expression | None = None


@dataclass(frozen=True, slots=True)
class Either:
    """One of two multisets."""

    condition: Expression
    then: Multiset
    otherwise: Multiset


@dataclass(frozen=True, slots=True)
class Computed:
    """A function's value: one token, or a Bag of them."""

    value: Expression
    delay: Expression | None = None


Multiset = tuple[Tokens | Either | Computed, ...]


def expression(given: object, what: str) -> Expression:
    """An expression from text or from a function of variables; `what` names it in errors."""
    if isinstance(given, str):
        return _of_node(_parse(given, what))
    if callable(given) and not isinstance(given, type):
        return _of_function(given, what)
    if isinstance(given, bool | int | float):
        return _of_node(ast.Constant(given))
    raise ModelError(
        "SC123",
        f"{what} is {shown(given)}, which is neither text nor a function",
        where=caller(),
        suggestion='write it as text, "n + 1", or as a function of variables, lambda n: n + 1',
    )


def _parse(text: str, what: str) -> ast.expr:
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error) or "too long"
        suggestion = "write a Python expression; a token that is text is quoted twice: \"'red'\""
        if "`" in text:
            suggestion = "coefficients are written with a star, 2*x, and multisets are added with ++"
        elif "=" in text and "==" not in text:
            suggestion = "equality is =="
        raise ModelError(
            "SC123", f"{what}, {text!r}, is not an expression: {reason}", where=caller(), suggestion=suggestion
        ) from None
    for inner in ast.walk(node):
        if isinstance(inner, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
            raise ModelError(
                "SC123",
                f"{what}, {text!r}, does more than compute a value",
                where=caller(),
                suggestion="an inscription has no assignments; let={'x': '...'} names a value for several arcs",
            )
    return node


def _of_node(node: ast.expr) -> Expression:
    return Expression(ast.unparse(node), node, free_names(node))


def free_names(node: ast.expr) -> frozenset[str]:
    """The names that an expression reads from outside itself."""
    return _free(symtable.symtable(ast.unparse(node), "inscription", "eval"))


def _free(table: symtable.SymbolTable, top: bool = True) -> frozenset[str]:
    names = {one.get_name() for one in table.get_symbols() if one.is_referenced() and (top or one.is_global())}
    return frozenset(names).union(*(_free(inner, top=False) for inner in table.get_children()))


def _of_function(function: Callable[..., Any], what: str) -> Expression:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        parameters = None
    if parameters is None or any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters):
        raise ModelError(
            "SC123",
            f"{what} is {shown(function)}, whose parameters are not all named",
            where=caller(),
            suggestion="name the variables it needs: lambda n, k: n + k",
        )
    # A parameter with a default is the function's own, as in `lambda n, limit=limit: ...`.
    names = [one.name for one in parameters if one.default is one.empty]
    hidden = f"_f{id(function)}"
    call = ast.Call(ast.Name(hidden, ast.Load()), [], [ast.keyword(name, ast.Name(name, ast.Load())) for name in names])
    return Expression(_words(function, names), call, frozenset(names), {hidden: function})


def _words(function: Callable[..., Any], names: list[str]) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return f"{'f' if name == '<lambda>' else name}({', '.join(names)})"


def conjuncts(given: object, what: str) -> tuple[Expression, ...]:
    """A guard as the conditions that must all hold, so that each is tested as soon as it can be."""
    if given is None:
        return ()
    if isinstance(given, list | tuple):
        return tuple(one for part in given for one in conjuncts(part, what))
    whole = expression(given, what)
    if isinstance(whole.node, ast.BoolOp) and isinstance(whole.node.op, ast.And):
        return tuple(_of_node(part) for part in whole.node.values)
    return (whole,)


def multiset(given: object, what: str, constants: Mapping[str, Any]) -> Multiset:
    """The multiset on an arc of a net with these constants."""
    whole = expression(given, what)
    if whole.functions:
        return (Computed(whole),)
    return _Reader(what, constants).multiset(whole.node)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the multiset on one arc."""

    what: str
    constants: Mapping[str, Any]

    def multiset(self, node: ast.expr) -> Multiset:
        if isinstance(node, ast.Dict):
            return tuple(map(self._counted, node.keys, node.values))
        if isinstance(node, ast.IfExp):
            then, otherwise = self.multiset(node.body), self.multiset(node.orelse)
            if all(len(side) == 1 and _is_single(side[0]) for side in (then, otherwise)):
                return (Tokens(_of_node(node)),)  # a token either way
            return (Either(_of_node(node.test), then, otherwise),)
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.MatMult):
                delay = _of_node(_without_plus(node.right) or node.right)
                return tuple(self._delayed(term, delay) for term in self.multiset(node.left))
            if isinstance(node.op, ast.Add) and (added := _without_plus(node.right)) is not None:
                return (*self.multiset(node.left), *self.multiset(added))
            if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.Constant) and type(node.left.value) is int:
                return (self._counted(node.right, node.left),)
        if isinstance(node, ast.Call) and not self._makes_one(node):
            return (Computed(_of_node(node)),)
        return (Tokens(_of_node(node)),)

    def _counted(self, token: ast.expr | None, count: ast.expr) -> Tokens:
        if token is None:
            raise self._wrong("** has no meaning in a multiset", count)
        return Tokens(_of_node(token), None if _is_one(count) else _of_node(count))

    def _makes_one(self, node: ast.Call) -> bool:
        """Whether a call makes one token: those that are not known to may return a Bag."""
        function = node.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            return isinstance(self.constants.get(function.value.id), Union)
        if not isinstance(function, ast.Name):
            return False
        found = self.constants.get(function.id)
        known = isinstance(found, Record) or (isinstance(found, type) and not issubclass(found, Bag))
        return known or function.id in ONE_TOKEN

    def _delayed(self, term: Tokens | Either | Computed, delay: Expression) -> Tokens | Either | Computed:
        if isinstance(term, Either):
            then, otherwise = (tuple(self._delayed(one, delay) for one in side) for side in (term.then, term.otherwise))
            return Either(term.condition, then, otherwise)
        if term.delay is not None:
            raise self._wrong("a token has one delay", delay.node)
        return replace(term, delay=delay)

    def _wrong(self, why: str, node: ast.expr) -> ModelError:
        return ModelError(
            "SC123",
            f"{self.what}: {why}",
            where=caller(),
            values=[("inscription", ast.unparse(node))],
            suggestion="write tokens with their numbers: {x: 2, y: 1} or 2*x ++ y",
        )


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _is_single(term: Tokens | Either | Computed) -> bool:
    return isinstance(term, Tokens) and term.coefficient is None and term.delay is None


def _without_plus(node: ast.expr) -> ast.expr | None:
    """The operand of the plus sign that an expression starts with; None when it starts with none."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
        return node.operand
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.MatMult):
        left = _without_plus(node.left)
        return None if left is None else ast.BinOp(left, node.op, node.right)
    return None


def is_builtin(name: str) -> bool:
    """Whether Python knows the name by itself."""
    return hasattr(builtins, name)
