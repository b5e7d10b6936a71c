"""A function that gives initial states, cut at its choices.

What comes before a choice is then run once, and not again for each alternative: ten choices in a row are ten short
functions, and not one of ten choices that is run for each of their combinations. The steps are those of a process that
pauses before each choice. Where a function cannot be cut, it is run as a whole, which gives the same states in the same
order, and the errors of all others.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from inspect import CO_NESTED
from types import FunctionType
from typing import Any

from sweepcheck.errors import ModelError
from sweepcheck.models.generators.inlining import surroundings
from sweepcheck.models.generators.steps import codes_of, process
from sweepcheck.models.generators.usage import parameters_of, usage
from sweepcheck.models.generators.written import Written, tree_of

NAME = "@start"  # of the process: no variable of a model is called so, or begins so
CHOICES = frozenset({"choose", "take", "peek"})
FEWEST = 2  # steps that are worth a cut


@dataclass(frozen=True, slots=True)
class Steps:
    """The function of each place, and the variables that say where a run is and what it will read again.

    The first of them is its place; it has come to its end where that is `ENDED`.
    """

    functions: Mapping[str, Callable[[Any], object]]
    variables: dict[str, Any]


def steps_of(function: Any) -> Steps | None:
    """The steps of a starting function; None where it cannot be cut, or would gain nothing."""
    tree = text_of(function)
    if tree is None:
        return None
    draft, *_ = parameters_of(tree.args)
    tree.body = list(_cut(tree.body, usage(*tree.body).changes | {draft}))
    named = FunctionType(function.__code__, function.__globals__, NAME, function.__defaults__, function.__closure__)
    named.__kwdefaults__ = function.__kwdefaults__
    try:
        made = process(Written(named, tree, draft), {}, fair=False)
    except ModelError:  # something that no process can have
        return None
    functions = {name.removeprefix(f"{NAME}:"): members[0].function for name, members in made.families.items()}
    return Steps(functions, made.variables) if len(functions) >= FEWEST else None


def text_of(function: Any) -> ast.FunctionDef | None:
    """The tree of a function; None where there is none, or its file may have been edited since."""
    tree = tree_of(function) if type(function) is FunctionType else None
    if tree is None:
        return None
    (code,) = codes_of([tree], surroundings(Written(function, tree, "")), function)
    nested = function.__code__.co_flags & CO_NESTED  # one of a module is not within another function
    return tree if code.replace(co_flags=code.co_flags & ~CO_NESTED | nested) == function.__code__ else None


def _is_choice(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)):
            return called in CHOICES
    return False


def chooses(node: ast.AST) -> bool:
    """Whether there is a choice in it."""
    return any(map(_is_choice, ast.walk(node)))


def _cut(statements: list[ast.stmt], changing: Collection[str]) -> Iterator[ast.stmt]:
    """The statements, with a pause before each that chooses: what comes after a choice is a step with it."""
    for one in statements:
        match one:
            case ast.If() if chooses(one.test):
                yield _pause(one)
                one.body, one.orelse = list(_cut(one.body, changing)), list(_cut(one.orelse, changing))
            case ast.If() | ast.While():
                one.body, one.orelse = list(_cut(one.body, changing)), list(_cut(one.orelse, changing))
            case ast.For() if _is_settled(one.iter, changing):
                one.body, one.orelse = list(_cut(one.body, changing)), list(_cut(one.orelse, changing))
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Expr() if chooses(one):
                yield _pause(one)
        yield one


def _pause(before: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Expr(ast.copy_location(ast.Yield(), before)), before)


def _is_settled(iterated: ast.expr, changing: Collection[str]) -> bool:
    """Whether what a loop runs through is the same whether it is asked for at once or turn by turn."""
    match iterated:
        case ast.Call(func=ast.Name(id="range")) if "range" not in changing:
            return True
    return not any(isinstance(one, ast.Name) and one.id in changing for one in ast.walk(iterated))
