"""Patterns: token expressions on input arcs, read as what a token must look like and which variables it binds.

`(n, data)` matches a pair and binds both; a constant, a variable bound already or any other expression must be equal.
Records and classes are matched by their constructor, `Packet(n, data)`; unions by their tag, `Message.data(n)`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sweepcheck.models.net.colours import Colour, Record, Tagged, Union
from sweepcheck.models.net.inscription import Expression, free_names

WILDCARD = "_"


class Mismatch(Exception):  # noqa: N818 - turned into an error by whoever knows the arc
    """A pattern that no token of the place can match; the message says why."""


@dataclass(slots=True)
class Match:
    """A pattern as Python's `match` statement writes it, with what must hold beside it."""

    conditions: list[str] = field(default_factory=list)
    binds: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)  # what wildcards matched: it tells one binding from another
    lists: list[str] = field(default_factory=list)  # what stars matched, which Python makes lists of
    classes: dict[str, type] = field(default_factory=dict)
    number: int = 0  # of the pattern within its transition, which keeps its own names apart


def binds(node: ast.expr, constants: Mapping[str, Any]) -> frozenset[str]:
    """The variables that a pattern can bind."""
    if isinstance(node, ast.Name):
        return frozenset() if node.id in constants or node.id == WILDCARD else frozenset({node.id})
    if isinstance(node, ast.Starred):
        return binds(node.value, constants)
    return frozenset().union(*(binds(part, constants) for part in _parts(node, constants) or ()))


def needs(node: ast.expr, constants: Mapping[str, Any]) -> frozenset[str]:
    """The names a pattern only reads: they must be bound elsewhere."""
    if isinstance(node, ast.Name):
        return frozenset()
    if isinstance(node, ast.Starred):
        return needs(node.value, constants)
    parts = _parts(node, constants)
    if parts is None:
        return free_names(node)
    return frozenset().union(*(needs(part, constants) for part in parts))


def is_open(node: ast.expr, constants: Mapping[str, Any]) -> bool:
    """Whether the pattern leaves something open, so that it cannot be computed."""
    if isinstance(node, ast.Name):
        return node.id == WILDCARD
    if isinstance(node, ast.Starred):
        return is_open(node.value, constants)
    parts = _parts(node, constants) or []
    made = _constructor(node, constants) if isinstance(node, ast.Call) else None
    partial = isinstance(made, type) and len(parts) < len(_fields(made))
    return partial or any(is_open(part, constants) for part in parts)


def _fields(made: type) -> tuple[str, ...]:
    found: tuple[str, ...] = made.__match_args__  # type: ignore[attr-defined]
    return found


def _parts(node: ast.expr, constants: Mapping[str, Any]) -> list[ast.expr] | None:
    """The components of a pattern that has some; None for an expression."""
    if isinstance(node, ast.Tuple):
        return list(node.elts)
    if isinstance(node, ast.Call) and _constructor(node, constants) is not None:
        return [*node.args, *(one.value for one in node.keywords)]
    return None


def _constructor(node: ast.Call, constants: Mapping[str, Any]) -> type | str | None:
    """What a call in a pattern constructs: a class, or the tag of a union."""
    function = node.func
    if isinstance(function, ast.Name):
        found = constants.get(function.id)
        if isinstance(found, Record):
            made: type = found.type
            return made
        if isinstance(found, type) and hasattr(found, "__match_args__"):
            return found
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        owner = constants.get(function.value.id)
        if isinstance(owner, Union) and function.attr in owner.alternatives and len(node.args) == 1:
            return function.attr
    return None


def match(token: Expression, bound: frozenset[str], constants: Mapping[str, Any], number: int = 0) -> tuple[str, Match]:
    """The pattern of a token expression, given the variables bound already."""
    result = Match(number=number)
    return _pattern(token.node, bound, constants, result), result


def _pattern(node: ast.expr, bound: frozenset[str], constants: Mapping[str, Any], result: Match) -> str:
    if isinstance(node, ast.Name) and node.id == WILDCARD:
        result.unnamed.append(f"_w{result.number}_{len(result.unnamed)}")
        return result.unnamed[-1]
    if isinstance(node, ast.Name) and node.id not in constants and node.id not in bound and node.id not in result.binds:
        result.binds.append(node.id)
        return node.id
    if isinstance(node, ast.Starred):
        name = _pattern(node.value, bound, constants, result)
        if name.startswith("_e"):  # Python makes a list of what a star matches
            result.conditions[-1] = f"{name} == [*({ast.unparse(node.value)})]"
        else:
            result.lists.append(name)
        return "*" + name
    if isinstance(node, ast.Tuple):
        return "(" + "".join(_pattern(part, bound, constants, result) + ", " for part in node.elts) + ")"
    made = _constructor(node, constants) if isinstance(node, ast.Call) else None
    if isinstance(made, str):
        assert isinstance(node, ast.Call)
        return f"({made!r}, {_pattern(node.args[0], bound, constants, result)})"
    if made is not None:
        assert isinstance(node, ast.Call)
        name = f"_k{result.number}_{len(result.classes)}"
        result.classes[name] = made
        inner = [_pattern(part, bound, constants, result) for part in node.args]
        inner += [f"{one.arg}={_pattern(one.value, bound, constants, result)}" for one in node.keywords]
        given = {*_fields(made)[: len(node.args)], *(one.arg for one in node.keywords)}
        anything = ast.Name(WILDCARD, ast.Load())
        inner += [
            f"{field}={_pattern(anything, bound, constants, result)}" for field in _fields(made) if field not in given
        ]
        return f"{name}({', '.join(inner)})"
    name = f"_e{result.number}_{len(result.conditions)}"
    starred = isinstance(node, ast.Name) and node.id in result.lists
    result.conditions.append(f"{name} == ({'*' * starred}{ast.unparse(node)}{',' * starred})")
    return name


def typed(node: ast.expr, colour: Colour, constants: Mapping[str, Any]) -> dict[str, Colour]:
    """The colours that a pattern gives its variables; `Mismatch` when it cannot match the colour."""
    if isinstance(node, ast.Name):
        return {} if node.id in constants or node.id == WILDCARD else {node.id: colour}
    if isinstance(node, ast.Constant) and node.value not in colour:
        raise Mismatch(f"{node.value!r} is no token of colour {colour}")
    if isinstance(node, ast.Call):
        return _typed_call(node, colour, constants)
    if not isinstance(node, ast.Tuple):
        return {}
    if not _may_be(colour, tuple):
        raise Mismatch(f"the tuple {ast.unparse(node)} is no token of colour {colour}")
    if any(isinstance(part, ast.Starred) for part in node.elts):
        return {}
    return _typed_parts(node, node.elts, colour, constants)


def _typed_call(node: ast.Call, colour: Colour, constants: Mapping[str, Any]) -> dict[str, Colour]:
    _check_tag(node, constants)
    made = _constructor(node, constants)
    if isinstance(made, str):
        if not _may_be(colour, Tagged):
            raise Mismatch(f"{ast.unparse(node)} is no token of colour {colour}")
        assert isinstance(node.func, ast.Attribute)
        assert isinstance(node.func.value, ast.Name)
        return typed(node.args[0], constants[node.func.value.id].alternatives[made], constants)
    if made is None:
        return {}
    if not _may_be(colour, made):
        raise Mismatch(f"{ast.unparse(node)} is no token of colour {colour}")
    fields = _fields(made)
    for keyword in node.keywords:
        if keyword.arg is None or (colour.parts is not None and keyword.arg not in fields):
            raise Mismatch(f"{made.__name__} has no field {keyword.arg!r}, but {', '.join(fields)}")
    if len(node.args) > len(fields):
        raise Mismatch(f"{ast.unparse(node)} has {len(node.args)} components, and {made.__name__} has {len(fields)}")
    if node.keywords or any(isinstance(part, ast.Starred) for part in node.args):
        return {}
    return _typed_parts(node, node.args, colour, constants)


def _typed_parts(
    node: ast.expr, parts: list[ast.expr], colour: Colour, constants: Mapping[str, Any]
) -> dict[str, Colour]:
    if colour.parts is None:
        return {}
    if len(parts) != len(colour.parts):
        raise Mismatch(f"{ast.unparse(node)} has {len(parts)} components, and colour {colour} has {len(colour.parts)}")
    found: dict[str, Colour] = {}
    for part, inner in zip(parts, colour.parts, strict=True):
        found |= typed(part, inner, constants)
    return found


def _may_be(colour: Colour, kind: type) -> bool:
    """Whether a token of the colour can be of a kind."""
    return colour.kinds is None or any(issubclass(one, kind) or issubclass(kind, one) for one in colour.kinds)


def _check_tag(node: ast.Call, constants: Mapping[str, Any]) -> None:
    """A misspelt alternative of a union is found here, before its variables seem to be bound by nothing."""
    function = node.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        owner = constants.get(function.value.id)
        if isinstance(owner, Union) and function.attr not in owner.alternatives:
            raise Mismatch(f"{owner!r} has no alternative {function.attr!r}, but {', '.join(owner.alternatives)}")
