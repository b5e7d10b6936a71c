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
import re
import symtable
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from sweepcheck.core.captured import note
from sweepcheck.core.parsing import parsed
from sweepcheck.core.purity import check_purity
from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError, caller, clip, shown
from sweepcheck.models.net.colours import Ordered, Record, Union

# The functions of Python that an inscription may call: they only compute. The first group makes one token each.
_MAKERS = "abs all any bool chr divmod float frozenset hash int isinstance len max min ord pow repr round str sum tuple"
_OTHERS = "dict enumerate filter list map range reversed set sorted zip"
ONE_TOKEN = frozenset(_MAKERS.split())
PURE = ONE_TOKEN | frozenset(_OTHERS.split())
KEPT = 4096  # texts that are remembered: large nets have many arcs and few different inscriptions
COMPUTES = "inscriptions only compute; what may turn out in several ways is a free variable: free={'x': range(3)}"


@dataclass(frozen=True)
class Expression:
    """One expression: its text, its tree, the names it uses, and the functions of the user's that it calls.

    Equal texts may be one expression, on any number of arcs: nobody changes its tree.
    """

    text: str
    node: ast.expr
    names: frozenset[str]
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)

    @cached_property
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
    """A function's value: one token, or a Bag of them; with `At` a token says itself how long it waits."""

    value: Expression
    delay: Expression | None = None


Multiset = tuple[Tokens | Either | Computed, ...]


def expression(given: object, what: str) -> Expression:
    """An expression from text or from a function of variables; `what` names it in errors."""
    if isinstance(given, str):
        return _read(given, what)
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


def _read(text: str, what: str) -> Expression:
    try:
        found, objection = _parsed(text.strip())
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else "too long"
        raise _unreadable(f"{what}, {clip(text, 200)!r}, is not an expression: {reason}", _translation(text)) from None
    if objection is not None:
        raise _unreadable(f"{what}, {text!r}, {objection[0]}", objection[1])
    return found


@lru_cache(maxsize=KEPT)
def _parsed(text: str) -> tuple[Expression, tuple[str, str] | None]:
    """The expression, and the first objection to it."""
    node = parsed(text, "eval").body
    return _of_node(node), next(filter(None, map(_objection, ast.walk(node))), None)


def _objection(node: ast.AST) -> tuple[str, str] | None:
    """What Python would understand, but nobody can mean in an inscription; and what to write."""
    if isinstance(node, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
        return "does more than compute a value", _TRANSLATIONS[":="]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert) and isinstance(node.operand, ast.Constant):
        return "has a ~ before a number", f"minus is -: -{ast.unparse(node.operand)}"
    if isinstance(node, ast.Name) and node.id.startswith("_") and node.id != "_":
        return f"uses the name {node.id!r}", "names of variables start with a letter; _ alone is any token"
    return None


def _unreadable(what: str, suggestion: str) -> ModelError:
    return ModelError("SC123", what, where=caller(), suggestion=suggestion)


# What people write who are used to the language of other tools for coloured nets, and how it is written here.
_TRANSLATIONS = {
    r"`": "coefficients are written with a star, 2*x, and multisets are added with ++",
    r"\b(andalso|orelse)\b": "Python writes and, or, not",
    r"\bthen\b": "Python writes a choice as: x if condition else y",
    r"<>": "not equal is !=",
    r"::|\^\^": "lists are tuples here: (head, *tail) for head::tail, first + second for first^^second",
    r"\b(div|mod)\b": "Python writes // for div and % for mod",
    r"\bfn\b": "Python writes a function as: lambda x: x + 1",
    r"#\s*\w+": "a component is read by its index or field: pair[0], packet.number",
    r":=": "an inscription has no assignments; let={'x': '...'} names a value for several arcs",
    r"(?<![=<>!])=(?!=)": "equality is ==",
}


def _translation(text: str) -> str:
    for sign, suggestion in _TRANSLATIONS.items():
        if re.search(sign, text):
            return suggestion
    return "write a Python expression; a token that is text is quoted twice: \"'red'\""


@lru_cache(maxsize=KEPT)
def _of_node(node: ast.expr) -> Expression:
    return Expression(ast.unparse(node), node, free_names(node))


@lru_cache(maxsize=KEPT)
def free_names(node: ast.expr) -> frozenset[str]:
    """The names that an expression reads from outside itself."""
    # Inside a function, what is not its own is global; outside, Python 3.12 mixes in what comprehensions bind.
    return _free(symtable.symtable(f"lambda: ({ast.unparse(node)})", "inscription", "eval"))


def _free(table: symtable.SymbolTable) -> frozenset[str]:
    names = {one.get_name() for one in table.get_symbols() if one.is_referenced() and one.is_global()}
    return frozenset(names).union(*(_free(inner) for inner in table.get_children()))


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
    check_purity(function, what, COMPUTES)
    note(function)
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
    return tuple(_conditions(expression(given, what), what))


def _conditions(whole: Expression, what: str) -> Iterator[Expression]:
    node = whole.node
    if isinstance(node, ast.List | ast.Tuple):  # as guards are written in other tools
        parts = node.elts
    elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        parts = node.values
    elif isinstance(node, ast.Constant) and node.value not in (True, False):
        raise _unreadable(f"{what}, {whole.text!r}, is no condition", "write one: n > 3")
    elif isinstance(node, ast.Lambda | ast.Dict | ast.Set | ast.ListComp | ast.GeneratorExp | ast.JoinedStr):
        raise _unreadable(f"{what}, {whole.text!r}, is always true", "write a condition: n > 3, all(x > 3 for x in xs)")
    else:
        yield whole
        return
    for part in parts:
        if isinstance(part, ast.Starred):
            raise _unreadable(f"{what}, {whole.text!r}, has a star", "write conditions: all(x > 3 for x in xs)")
        yield from _conditions(_of_node(part), what)


def multiset(given: object, what: str, constants: Mapping[str, Any]) -> Multiset:
    """The multiset on an arc of a net with these constants."""
    whole = expression(given, what)
    if whole.functions:
        return (Computed(whole),)
    return _Reader(what, whole.text, constants).multiset(whole.node)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the multiset on one arc."""

    what: str
    text: str
    constants: Mapping[str, Any]

    def multiset(self, node: ast.expr) -> Multiset:
        if isinstance(node, ast.Dict):
            return tuple(one for pair in zip(node.keys, node.values, strict=True) for one in self._counted(*pair))
        if isinstance(node, ast.IfExp):
            then, otherwise = self.multiset(node.body), self.multiset(node.orelse)
            if all(len(side) == 1 and _is_single(side[0]) for side in (then, otherwise)):
                return (Tokens(_of_node(node)),)  # a token either way
            return (Either(_of_node(node.test), then, otherwise),)
        summands = _summands(node)
        if len(summands) > 1:
            return tuple(term for one in summands for term in self.multiset(one))
        if (split := _token_and_delay(node)) is not None:
            delay = _of_node(split[1])
            return tuple(self._delayed(term, delay) for term in self.multiset(split[0]))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and _number(node.left) is not None:
            return self._counted(node.right, node.left)
        if isinstance(node, ast.Call) and not self._makes_one(node):
            return (Computed(_of_node(node)),)
        return (self._token(node),)

    def _token(self, node: ast.expr, coefficient: Expression | None = None) -> Tokens:
        if isinstance(node, ast.Set):
            raise self._wrong("a set is no multiset", "write a number for each token: {x: 1, y: 1}, or x ++ y")
        if isinstance(node, ast.List | ast.ListComp):
            raise self._wrong("a list cannot be a token", "tokens that are lists are tuples: (x, *rest), ()")
        if isinstance(node, ast.BinOp) and any(isinstance(side, ast.Dict) for side in (node.left, node.right)):
            raise self._wrong("multisets are added with ++", "write {x: 2} ++ {y: 1}")
        if any(isinstance(one, ast.MatMult) for one in ast.walk(node)):
            raise self._wrong("a delay belongs to a whole token", "write it behind the token: (x, y) @+ 5")
        return Tokens(_of_node(node), coefficient)

    def _counted(self, token: ast.expr | None, count: ast.expr) -> Multiset:
        """Several equal tokens. None of them is no term at all: it neither needs nor binds anything."""
        if token is None:
            raise self._wrong("** has no meaning in a multiset", "write tokens with their numbers: {x: 2, y: 1}")
        if len(_summands(token)) > 1:
            raise self._wrong("a coefficient belongs to one token", "write a number for each: 2*x ++ 2*y")
        number = _number(count)
        if (number is None and isinstance(count, ast.Constant)) or (number is not None and number < 0):
            raise self._wrong(
                f"{ast.unparse(count)} is not a number of tokens",
                "a coefficient is a whole number, 0 or more; to multiply with it, write it behind: x * -2",
            )
        if number == 0:
            return ()
        return (self._token(token, None if number == 1 else _of_node(count)),)

    def _makes_one(self, node: ast.Call) -> bool:
        """Whether a call makes one token: those that are not known to may return a Bag."""
        function = node.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            owner = self.constants.get(function.value.id)
            return isinstance(owner, Union) or (isinstance(owner, Ordered) and not function.attr.startswith("all"))
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
            raise self._wrong("a token has one delay", "add the delays: x @+ (2 + 3)")
        return replace(term, delay=delay)

    def _wrong(self, why: str, suggestion: str) -> ModelError:
        return _unreadable(f"{self.what}, {self.text!r}: {why}", suggestion)


def _number(node: ast.expr) -> int | None:
    """The whole number that is written there, with its sign; None when it is something else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        positive = _number(node.operand)
        return None if positive is None else -positive
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _is_single(term: Tokens | Either | Computed) -> bool:
    return isinstance(term, Tokens) and term.coefficient is None and term.delay is None


def _summands(node: ast.expr) -> list[ast.expr]:
    """What `++` adds: Python's plus binds no weaker, so that `x ++ y + 1` comes as a sum of three."""
    operations: list[tuple[ast.operator, ast.expr]] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        operations.append((node.op, node.right))
        node = node.left
    found = [node]
    for operator, right in reversed(operations):
        added = _without_plus(right) if isinstance(operator, ast.Add) else None
        if added is None:
            found[-1] = ast.BinOp(found[-1], operator, right)
        else:
            found.append(added)
    return found


def _token_and_delay(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The two sides of `@+`: Python binds it like a product, so that `x + 1 @+ 2 * n` comes as `x + ((1 @+ 2) * n)`."""
    if not isinstance(node, ast.BinOp):
        return None
    if isinstance(node.op, ast.MatMult):
        return node.left, _without_plus(node.right) or node.right
    if (split := _token_and_delay(node.left)) is not None:
        return split[0], ast.BinOp(split[1], node.op, node.right)
    if (split := _token_and_delay(node.right)) is not None:
        return ast.BinOp(node.left, node.op, split[0]), split[1]
    return None


def _without_plus(node: ast.expr) -> ast.expr | None:
    """The operand of the plus sign that an expression starts with; None when it starts with none."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
        return node.operand
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Add | ast.Sub | ast.Pow):
        left = _without_plus(node.left)
        return None if left is None else ast.BinOp(left, node.op, node.right)
    return None


def is_builtin(name: str) -> bool:
    """Whether Python knows the name by itself."""
    return hasattr(builtins, name)
