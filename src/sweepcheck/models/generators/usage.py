"""Which names a statement or an expression reads before it has surely written them, and which it writes.

The walk follows the order in which Python evaluates. What is done on some ways only does not count as surely done.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Usage:
    """`reads`: read before they were written here; `writes`: surely written; `changes`: perhaps; `deletes`: perhaps."""

    reads: frozenset[str] = NOTHING
    writes: frozenset[str] = NOTHING
    changes: frozenset[str] = NOTHING
    deletes: frozenset[str] = NOTHING


def usage(*nodes: ast.AST) -> Usage:
    """What some nodes do with names, one after the other."""
    walk = _Walk(set())
    for node in nodes:
        walk.visit(node)
    return Usage(*map(frozenset, (walk.reads, walk.written, walk.changes, walk.deletes)))


def bound_by(target: ast.AST) -> frozenset[str]:
    """The names that a target, a pattern or an import binds."""
    return usage(target).changes


def parameters_of(arguments: ast.arguments) -> list[str]:
    """The names of all parameters of a function."""
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    return [one.arg for one in every if one is not None]


class _Walk(ast.NodeVisitor):
    def __init__(self, written: set[str]) -> None:
        self.reads: set[str] = set()
        self.written = written
        self.changes: set[str] = set()
        self.deletes: set[str] = set()

    def visit(self, node: ast.AST) -> None:
        """See `NodeVisitor`; nodes that are alike have one method."""
        if isinstance(node, COMPREHENSIONS):
            self._comprehension(node)
        elif isinstance(node, ast.Try | ast.TryStar):
            self._try(node)
        else:
            super().visit(node)

    def _in_order(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def _perhaps(self, nodes: Iterable[ast.AST | None]) -> set[str]:
        """Visit what may be left out; gives back what is written when it is not."""
        before = set(self.written)
        self._in_order(nodes)
        after, self.written = self.written, before
        return after

    def _one_of(self, *ways: Sequence[ast.AST]) -> None:
        self.written = set.intersection(*[self._perhaps(way) for way in ways])

    def _bind(self, name: str | None) -> None:
        if name is not None:
            self.written.add(name)
            self.changes.add(name)

    # -- names -------------------------------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._bind(node.id)
            return
        if node.id not in self.written:
            self.reads.add(node.id)
        if isinstance(node.ctx, ast.Del):
            self.written.discard(node.id)
            self.changes.add(node.id)
            self.deletes.add(node.id)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        self.generic_visit(node)
        self._bind(node.name)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        self._bind(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.generic_visit(node)
        self._bind(node.rest)

    def visit_alias(self, node: ast.alias) -> None:
        self._bind(node.asname or node.name.partition(".")[0])

    # -- expressions -------------------------------------------------------------------------------------------------

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._in_order((node.value, node.target))

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.visit(node.values[0])
        self._perhaps(node.values[1:])

    def visit_Compare(self, node: ast.Compare) -> None:
        self._in_order((node.left, node.comparators[0]))
        self._perhaps(node.comparators[1:])

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        self._one_of([node.body], [node.orelse])

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._in_order((*node.args.defaults, *node.args.kw_defaults))
        self._inner(parameters_of(node.args), lambda walk: walk.visit(node.body))

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        first = node.generators[0]
        self.visit(first.iter)
        bound = {name for one in node.generators for name in bound_by(one.target)}
        inside: list[ast.AST] = [*first.ifs]
        for one in node.generators[1:]:
            inside += [one.iter, *one.ifs]
        inside += [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        walk = self._inner(bound, lambda walk: walk._in_order(inside))
        self.changes |= walk.changes - bound  # by := it assigns to the variable outside

    def _inner(self, bound: Iterable[str], visit: Callable[[_Walk], None]) -> _Walk:
        """Visit a scope of its own that binds some names."""
        walk = _Walk({*self.written, *bound})
        visit(walk)
        self.reads |= walk.reads
        return walk

    # -- statements --------------------------------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._in_order((*node.decorator_list, *node.args.defaults, *node.args.kw_defaults))
        assigned = usage(*node.body).changes
        self._inner([*parameters_of(node.args), *assigned, node.name], lambda walk: walk._in_order(node.body))
        self._bind(node.name)

    def visit_Assign(self, node: ast.Assign) -> None:
        self._in_order((node.value, *node.targets))

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name) and node.target.id not in self.written:
            self.reads.add(node.target.id)
        self._in_order((node.value, node.target))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:  # the annotation of a local variable is never evaluated
            self._in_order((node.value, node.target))

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        self._one_of(node.body, node.orelse)

    def visit_While(self, node: ast.While) -> None:
        self.visit(node.test)
        self._perhaps(node.body)
        self._perhaps(node.orelse)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self._perhaps((node.target, *node.body))
        self._perhaps(node.orelse)

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            self._in_order((item.context_expr, item.optional_vars))
        self._perhaps(node.body)  # which an exception may leave that goes no further

    def _try(self, node: ast.Try | ast.TryStar) -> None:
        before = set(self.written)
        self._one_of([*node.body, *node.orelse], *([handler] for handler in node.handlers))
        surely, self.written = self.written, before  # the last part also runs after an exception
        self._in_order(node.finalbody)
        self.written |= surely

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.type is not None:
            self.visit(node.type)
        self._bind(node.name)
        self._in_order(node.body)
        if node.name is not None:  # Python takes it away
            self.written.discard(node.name)
            self.deletes.add(node.name)

    def visit_Match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        for case in node.cases:
            self._perhaps((case.pattern, case.guard, *case.body))
