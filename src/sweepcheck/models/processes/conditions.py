"""Conditions on where components stand: from the process language, and from Python text, to formulas."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Collection, Iterable

from sweepcheck.core.formula import FALSE, TRUE, Among, Formula, conjunction, disjunction, negation
from sweepcheck.core.parsing import parsed
from sweepcheck.models.processes import syntax
from sweepcheck.models.processes.evaluation import Environment, Source

Standing = Callable[[syntax.Standing, Environment], Formula]


def formula(source: Source, expression: syntax.Expression, environment: Environment, standing: Standing) -> Formula:
    """The formula that an expression of the process language means: indices are run through, numbers compared."""

    def of(one: syntax.Expression, inner: Environment) -> Formula:
        match one:
            case syntax.Standing():
                return standing(one, inner)
            case syntax.Quantified():
                parts = (of(one.body, bound) for bound in source.bindings(one, inner))
                return conjunction(parts) if one.quantifier == "all" else disjunction(parts)
            case syntax.Operation(operator="and"):
                return conjunction(of(operand, inner) for operand in one.operands)
            case syntax.Operation(operator="or"):
                return disjunction(of(operand, inner) for operand in one.operands)
            case syntax.Operation(operator="not"):
                return negation(of(one.operands[0], inner))
        return TRUE if source.truth(one, inner) else FALSE

    return of(expression, environment)


def formula_from_python(text: str, variables: Collection[str], enabled: Callable[..., Formula]) -> Formula | None:
    """The formula that a Python expression means, if it only says which variables have which values; else None.

    `enabled` gives the formula for an event that is to be possible.
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # Python's remarks would print pieces of the file
            tree = parsed(text.strip(), "eval")
        return _of(tree.body, variables, enabled)
    except (SyntaxError, ValueError, MemoryError, RecursionError, _NotAFormulaError):
        return None


class _NotAFormulaError(Exception):
    """The expression says more than a formula can."""


def _of(node: ast.expr, variables: Collection[str], enabled: Callable[..., Formula]) -> Formula:
    match node:
        case ast.Constant(value=bool(value)):
            return TRUE if value else FALSE
        case ast.BoolOp(op=ast.And(), values=parts):
            return conjunction([_of(part, variables, enabled) for part in parts])
        case ast.BoolOp(op=ast.Or(), values=parts):
            return disjunction([_of(part, variables, enabled) for part in parts])
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return negation(_of(part, variables, enabled))
        case ast.Call(func=ast.Name(id="enabled"), args=given, keywords=[]) if given and "enabled" not in variables:
            return enabled(*map(_constant, given))
        case ast.Compare(left=ast.Name(id=name), ops=[sign], comparators=[other]) if name in variables:
            return _comparison(name, sign, other)
    raise _NotAFormulaError


def _comparison(name: str, sign: ast.cmpop, other: ast.expr) -> Formula:
    match sign, other:
        case ((ast.Eq() | ast.NotEq()), ast.Constant(value=str() | int() as value)):
            values: Iterable[str | int] = (value,)
        case ((ast.In() | ast.NotIn()), (ast.Tuple(elts=elements) | ast.Set(elts=elements) | ast.List(elts=elements))):
            values = [_constant(element) for element in elements]
        case _:
            raise _NotAFormulaError
    found = Among(name, frozenset(values))
    return negation(found) if isinstance(sign, ast.NotEq | ast.NotIn) else found


def _constant(node: ast.expr) -> str | int:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int):
        return node.value
    raise _NotAFormulaError
