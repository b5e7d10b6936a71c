"""A function's code with other names for its variables."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from typing import Any

from sweepcheck.models.generators.usage import COMPREHENSIONS, FUNCTIONS, bound_by, parameters_of, usage

Renaming = Mapping[str, str | ast.expr]  # a local variable's new name, or what stands for a name that is only read


def inner_names(tree: ast.AST) -> frozenset[str]:
    """The names that functions and comprehensions within a function have for themselves."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if node is not tree and isinstance(node, FUNCTIONS):
            found |= {*parameters_of(node.args)}
            found |= usage(*node.body).changes if isinstance(node, ast.FunctionDef) else set()
        elif isinstance(node, ast.comprehension):
            found |= bound_by(node.target)
    return frozenset(found)


class Renamed(ast.NodeTransformer):
    """A tree with other names, except where functions and comprehensions within it have names of their own."""

    def __init__(self, renaming: Renaming) -> None:
        self._renaming = renaming

    def visit(self, node: ast.AST) -> Any:
        """See `NodeTransformer`; nodes that are alike have one method."""
        if isinstance(node, COMPREHENSIONS):
            return self._comprehension(node)
        if isinstance(node, ast.MatchAs | ast.MatchStar | ast.ExceptHandler):
            return self._with_name(node)
        return super().visit(node)

    def _text(self, identifier: str | None) -> str | None:
        made = self._renaming.get(identifier or "")
        return made if isinstance(made, str) else identifier

    def visit_Name(self, node: ast.Name) -> ast.expr:
        made = self._renaming.get(node.id, node.id)
        if isinstance(made, str):
            return ast.copy_location(ast.Name(made, node.ctx), node)
        copied = deepcopy(made)
        for part in ast.walk(copied):
            ast.copy_location(part, node)
        return copied

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        # Which function is meant is asked where the call was written: its name stays.
        function = node.value.func if isinstance(node.value, ast.Call) else None
        kept = deepcopy(function)
        self.generic_visit(node)
        if isinstance(node.value, ast.Call) and kept is not None:
            node.value.func = kept
        return node

    def _with_name(self, node: Any) -> Any:
        self.generic_visit(node)
        node.name = self._text(node.name)
        return node

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        self.generic_visit(node)
        node.rest = self._text(node.rest)
        return node

    def _inner(self, node: Any, bound: Iterable[str], parts: Callable[[ast.NodeTransformer], None]) -> Any:
        kept = {old: new for old, new in self._renaming.items() if old not in set(bound)}
        parts(Renamed(kept))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        node.args = self.visit(node.args)
        return self._inner(  # type: ignore[no-any-return]
            node, parameters_of(node.args), lambda inner: setattr(node, "body", inner.visit(node.body))
        )

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        own = {*parameters_of(node.args), *usage(*node.body).changes}
        node.args = self.visit(node.args)
        node.decorator_list = [self.visit(one) for one in node.decorator_list]

        def parts(inner: ast.NodeTransformer) -> None:
            node.body = [inner.visit(one) for one in node.body]

        node.name = self._text(node.name) or node.name
        return self._inner(node, own, parts)  # type: ignore[no-any-return]

    def _comprehension(self, node: Any) -> Any:
        node.generators[0].iter = self.visit(node.generators[0].iter)
        bound = {one for part in node.generators for one in bound_by(part.target)}

        def parts(inner: ast.NodeTransformer) -> None:
            for number, part in enumerate(node.generators):
                part.ifs = [inner.visit(one) for one in part.ifs]
                if number:
                    part.iter = inner.visit(part.iter)
            for part in ("key", "value", "elt"):
                if hasattr(node, part):
                    setattr(node, part, inner.visit(getattr(node, part)))

        return self._inner(node, bound, parts)
