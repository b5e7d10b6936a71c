"""The code of a process as a graph.

It is built from the last statement to the first, so that each knows what comes after it. Only what a pause stands in
is taken apart, and what jumps out of itself (`break`, `return`); any other statement stays as it is. Loops by `while`
are always taken apart: then their turns can be counted.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sweepcheck.models.generators.nodes import Condition, Join, Node, Pause, Statement
from sweepcheck.models.generators.syntax import assign, at, call, name
from sweepcheck.models.generators.usage import FUNCTIONS, bound_by, usage
from sweepcheck.models.generators.written import Written, yields

ITEMS, REST, FOLLOWING, CASE = "@items", "@rest", "@following", "@case"
FIXED = (ast.Constant, ast.Name, ast.expr_context, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
LABEL = 'write yield alone, or with a label for the place where the process waits: yield "waiting"'


@dataclass(frozen=True, slots=True)
class Ways:
    """Where jumps lead in the code at work, and whose code it is; `loops` counts the loops by `for` around it."""

    source: Written
    end: Node
    result: ast.expr | None = None
    again: Node | None = None
    out: Node | None = None
    called: tuple[int, ...] = ()
    loops: int = 0
    returns: bool = False


Inline = Callable[["Builder", ast.YieldFrom, ast.expr | None, Node, Ways], Node]


class Builder:
    """Makes the graph; `inline` puts in what is yielded from, `is_fixed` says which names never change."""

    def __init__(self, inline: Inline, is_fixed: Callable[[str], bool]) -> None:
        self._inline = inline
        self._is_fixed = is_fixed

    def body(self, statements: Sequence[ast.stmt], after: Node, ways: Ways) -> Node:
        """The graph of some statements, with what comes after them: its first node."""
        for statement in reversed(statements):
            made = self._statement(statement, after, ways)
            if made is not after and not made.called:
                made.called = ways.called
            after = made
        return after

    def _statement(self, node: ast.stmt, after: Node, ways: Ways) -> Node:
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return after
            case ast.Break() if ways.out is not None:
                return ways.out
            case ast.Continue() if ways.again is not None:
                return ways.again
            case ast.Return():
                return self._return(node, ways)
            case ast.Expr(value=ast.Yield() as paused):
                return Pause(_label(paused, ways.source), after, node.lineno)
            case ast.Expr(value=ast.YieldFrom() as call):
                return self._inline(self, call, None, after, ways)
            case ast.Assign(targets=[target], value=ast.YieldFrom() as call):
                return self._inline(self, call, target, after, ways)
        if _is_taken_apart(node):
            return self._structure(node, after, ways)
        return Statement(_without_yield(node, ways.source), after)

    def _structure(self, node: ast.stmt, after: Node, ways: Ways) -> Node:
        match node:
            case ast.While():
                return self._while(node, after, ways)
            case ast.If():
                then, otherwise = (self.body(one, after, ways) for one in (node.body, node.orelse))
                return Condition(_without_yield(node.test, ways.source), then, otherwise)
            case ast.For():
                return self._for(node, after, ways)
            case ast.Match():
                return self._match(node, after, ways)
        if _leaves(node):
            ways.source.refuse(
                "jumps out of try or with",
                node,
                "note in a variable what to do, and return, break or continue after it",
            )
        return Statement(_without_yield(node, ways.source), after)

    def _return(self, node: ast.Return, ways: Ways) -> Node:
        value = node.value
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            return ways.end
        if not ways.returns:
            ways.source.refuse(
                "returns a value",
                node,
                "a process that returns has ended; keep what it has found in a variable of the model",
            )
        value = _without_yield(value, ways.source)
        kept: ast.stmt = ast.Expr(value) if ways.result is None else ast.Assign([ways.result], value)
        # The end of such a function gives None to whoever called it: here it is passed by.
        after = ways.end.then if isinstance(ways.end, Statement) and ways.result is not None else ways.end
        return Statement(at(kept, node), after)

    def _while(self, node: ast.While, after: Node, ways: Ways) -> Node:
        head = Join(node.lineno)
        body = self.body(node.body, head, replace(ways, again=head, out=after))
        if isinstance(node.test, ast.Constant) and node.test.value:
            # With nothing at all in its body it would lead to itself, and be no node.
            head.target = Statement(at(ast.Pass(), node), head) if body is head else body
            return head.target
        otherwise = self.body(node.orelse, after, ways)
        head.target = Condition(_without_yield(node.test, ways.source), body, otherwise)
        return head.target

    def _for(self, node: ast.For, after: Node, ways: Ways) -> Node:
        """`left = items(...)`; `while left: target = left[0]; left = rest(left); ...`.

        A loop over numbers that are known needs no list of those that are left: these come after the last one.
        """
        left = f"left {ways.loops + 1}" if ways.loops else "left "  # loops one after the other share it
        source, counts = _without_yield(node.iter, ways.source), self._counts(node)
        head, again = Join(node.lineno), Join(node.lineno)
        body = self.body(node.body, again, replace(ways, again=again, out=after, loops=ways.loops + 1))
        take = Statement(at(ast.Assign([node.target], _first(left)), node), body)
        advance = Statement(at(assign(left, call(REST, name(left))), node), body)
        if counts:
            assert isinstance(node.target, ast.Name)
            advance = Statement(at(assign(left, call(FOLLOWING, source, name(node.target.id))), node), head)
        else:
            take.then = advance
        head.target = Condition(at(name(left), node), take, self.body(node.orelse, after, ways))
        again.target = advance if counts else head
        for made in (advance, take, head.target):
            made.called = ways.called
        return Statement(at(assign(left, call(ITEMS, source)), node), head)

    def _counts(self, node: ast.For) -> bool:
        """Whether a loop runs through a range that is the same whenever it is asked for."""
        match node:
            case ast.For(target=ast.Name(id=target), iter=ast.Call(func=ast.Name(id="range"), keywords=[]) as numbers):
                parts = [one for argument in numbers.args for one in ast.walk(argument)]
                plain = all(isinstance(one, FIXED) for one in parts)
                names = ["range", *(one.id for one in parts if isinstance(one, ast.Name))]
                return plain and all(map(self._is_fixed, names)) and target not in usage(*node.body).changes
        return False

    def _match(self, node: ast.Match, after: Node, ways: Ways) -> Node:
        """The statement itself only says which case it is; what the case does comes after it."""
        cases: list[ast.match_case] = []
        chosen = after
        for number, case in reversed(list(enumerate(node.cases, start=1))):
            if case.guard is not None:
                _without_yield(case.guard, ways.source)
            noted = ast.match_case(case.pattern, case.guard, [assign(CASE, ast.Constant(number))])
            cases.insert(0, at(noted, case.pattern))
            test = ast.Compare(name(CASE), [ast.Eq()], [ast.Constant(number)])
            body = self.body(case.body, after, ways)
            chosen = Condition(at(test, case.pattern), body, chosen, bound_by(case.pattern))
            chosen.called = ways.called
        told = Statement(at(ast.Match(_without_yield(node.subject, ways.source), cases), node), chosen)
        told.called = ways.called
        return Statement(at(assign(CASE, ast.Constant(0)), node), told)


def _is_taken_apart(node: ast.stmt) -> bool:
    loops = any(isinstance(one, ast.While) for one in ast.walk(node))
    return loops or yields(node) or _leaves(node)


def _leaves(node: ast.AST, in_loop: bool = False) -> bool:
    """Whether a statement jumps out of itself."""
    if isinstance(node, ast.Return):
        return True
    if isinstance(node, ast.Break | ast.Continue):
        return not in_loop
    if isinstance(node, FUNCTIONS):
        return False
    if isinstance(node, ast.For | ast.While):
        return any(_leaves(one, True) for one in node.body) or any(_leaves(one, in_loop) for one in node.orelse)
    return any(_leaves(one, in_loop) for one in ast.iter_child_nodes(node))


def _label(node: ast.Yield, source: Written) -> str | None:
    match node.value:
        case None | ast.Constant(value=None):
            return None
        case ast.Constant(value=str(label)) if label.strip():
            if label == "ended" or label.startswith("line "):
                source.refuse(f"calls a place {label!r}", node, "use another label: places without one are called so")
            return label
    return source.refuse("yields something that is not a label", node, LABEL)


def _without_yield(node: Any, source: Written) -> Any:
    if yields(node):
        source.refuse("uses the value of a yield, or yields within an expression", node, LABEL)
    return node


def _first(left: str) -> ast.expr:
    return ast.Subscript(name(left), ast.Constant(0), ast.Load())
