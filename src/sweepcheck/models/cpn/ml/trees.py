"""Questions about syntax trees that writing them as Python asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sweepcheck.models.cpn.ml import syntax
from sweepcheck.models.cpn.ml.matching import always_matches
from sweepcheck.models.cpn.ml.syntax import Expr, Pattern
from sweepcheck.models.cpn.ml.types import Applied, Type, actual, is_tuple


def walk(node: syntax.Node) -> Iterator[syntax.Node]:
    """A node and all that it is made of."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += syntax.inside(one)


def needs_lines(node: Expr) -> bool:
    """Whether an expression cannot be written without a function of its own."""
    kinds = (syntax.Let, syntax.Case, syntax.Handle, syntax.Sequence)
    return any(isinstance(one, kinds) or (isinstance(one, syntax.Fn) and len(one.rules) > 1) for one in walk(node))


def is_cons(node: Any) -> bool:
    """Whether an expression is `item :: list`."""
    match node:
        case syntax.Apply(function=syntax.Name(name="::"), argument=syntax.Record(fields=(_, _))):
            return True
    return False


def spine(node: syntax.Apply) -> tuple[Expr, list[Expr]]:
    """A function and all arguments that it is applied to."""
    arguments: list[Expr] = []
    found: Expr = node
    while isinstance(found, syntax.Apply):
        arguments.append(found.argument)
        found = found.function
    return found, arguments[::-1]


def display(parts: list[str]) -> str:
    """A tuple as Python writes it."""
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def is_simple(node: Expr) -> bool:
    """Whether computing it raises nothing."""
    if isinstance(node, syntax.Record):
        return all(is_simple(part) for _, part in node.fields)
    return isinstance(node, syntax.Literal | syntax.Name | syntax.Fn | syntax.Select)


def has_statements(node: Expr) -> bool:
    """Whether Python says an expression in statements."""
    match node:
        case syntax.Let() | syntax.Case() | syntax.Handle() | syntax.Sequence():
            return True
        case syntax.If():
            return has_statements(node.then) or has_statements(node.otherwise)
        case syntax.Typed():
            return has_statements(node.body)
    return False


def tuple_size(pattern: Pattern) -> int:
    """How many parts a pattern for a tuple has; 1 where it is none."""
    while isinstance(pattern, syntax.TypedPattern):
        pattern = pattern.inner
    if isinstance(pattern, syntax.RecordPattern) and not pattern.is_open and len(pattern.fields) > 1:
        return len(pattern.fields) if is_tuple(tuple(label for label, _ in pattern.fields)) else 1
    return 1


def flattened(size: int, pattern: Pattern) -> list[Pattern]:
    """The parts of a pattern for an argument that Python takes flat."""
    if size == 1:
        return [pattern]
    while isinstance(pattern, syntax.TypedPattern):
        pattern = pattern.inner
    assert isinstance(pattern, syntax.RecordPattern)
    return [part for _, part in pattern.fields]


def is_name(pattern: Pattern) -> bool:
    """Whether a pattern is a variable or `_`."""
    while isinstance(pattern, syntax.TypedPattern):
        pattern = pattern.inner
    return isinstance(pattern, syntax.Wild) or (isinstance(pattern, syntax.Bind) and always_matches(pattern))


def first_type(given: Type) -> Type:
    """The type of the first operand of an operator."""
    found = actual(given)
    assert isinstance(found, Applied)
    argument = actual(found.arguments[0])
    if isinstance(argument, Applied) and argument.labels:
        return argument.arguments[0]
    return argument


def data_name(given: Type) -> str:
    """The name of a basic type; of one that is not known, int."""
    found = actual(given)
    return found.data.name if isinstance(found, Applied) else "int"


def field_place(node: syntax.Select) -> int:
    """Where a field is in a tuple."""
    assert node.type is not None
    whole = actual(node.type)
    assert isinstance(whole, Applied)
    return whole.labels.index(node.label)
