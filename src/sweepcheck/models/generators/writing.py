"""A step as the tree of a function on drafts.

It asks first whether the process is in its place. Where several ways come together, or a loop comes round, the code
is in blocks, and a jump is another turn of a loop around them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from sweepcheck.models.generators.nodes import Condition, End, Forgetting, Node, Pause, Statement, resolved
from sweepcheck.models.generators.pieces import Piece
from sweepcheck.models.generators.places import ENDED, Names, Places
from sweepcheck.models.generators.syntax import assign, at, call, name
from sweepcheck.models.generators.usage import NOTHING
from sweepcheck.models.generators.values import MOST_TURNS
from sweepcheck.models.generators.written import Written

# Names that no program can write; what they mean is given to the function with its defaults.
MEMBER, UNSET, DISABLED, ENDLESS, UNBOUND = "@member", "@unset", "@Disabled", "@endless", "@NameError"
BLOCK, TURNS = "@block", "@turns"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a process is kept in the state: by which variables of the model, and whether these are arrays.

    `which` tells places of one name apart; it is empty where there are none.
    """

    source: Written
    family: bool
    place: str
    which: str
    local: dict[str, str]

    def variable(self, variable: str, context: ast.expr_context) -> ast.expr:
        """A variable of the model, or the process's own element of it."""
        draft = name(self.source.draft)
        if not self.family:
            return ast.Attribute(draft, variable, context)
        return ast.Subscript(ast.Attribute(draft, variable, ast.Load()), name(MEMBER), context)

    def read(self, variable: str) -> ast.expr:
        """Its value."""
        return self.variable(variable, ast.Load())

    def write(self, variable: str, value: ast.expr) -> ast.stmt:
        """An assignment to it."""
        return ast.Assign([self.variable(variable, ast.Store())], value)


def step_function(found: Places, piece: Piece, layout: Layout, constants: list[str]) -> ast.FunctionDef:
    """The function of a step; `constants` are the names that are given to it with its defaults."""
    given = layout.source.tree.args
    keyword = [*(one.arg for one in given.kwonlyargs), MEMBER, *constants]
    arguments = ast.arguments(
        posonlyargs=[ast.arg(one.arg) for one in given.posonlyargs],
        args=[ast.arg(one.arg) for one in given.args],
        kwonlyargs=[ast.arg(one) for one in keyword],
        kw_defaults=[None] * len(keyword),
        defaults=[],
    )
    body = [*_guard(piece, layout), *_Writer(found, piece, layout).body()]
    made = ast.FunctionDef(layout.source.name, arguments, body, [])
    return at(made, piece.place.line)  # type: ignore[no-any-return]


def _guard(piece: Piece, layout: Layout) -> Iterator[ast.stmt]:
    """The step is disabled anywhere else."""
    place = piece.place
    for variable, value in ((layout.place, place.name), (layout.which, place.which)):
        if value is not None:
            elsewhere = ast.Compare(layout.read(variable), [ast.NotEq()], [ast.Constant(value)])
            yield ast.If(elsewhere, [ast.Raise(name(DISABLED))], [])


class _Writer:
    def __init__(self, found: Places, piece: Piece, layout: Layout) -> None:
        self._found = found
        self._piece = piece
        self._layout = layout
        self._blocks = {node: number for number, node in enumerate(piece.heads)} if piece.jumps else {}

    def body(self) -> list[ast.stmt]:
        """All code of the piece."""
        first, *_ = self._piece.heads
        if not self._blocks:
            return list(self._code(first, jumps=False))
        turns = ast.AugAssign(ast.Name(TURNS, ast.Store()), ast.Add(), ast.Constant(1))
        many = ast.Compare(name(TURNS), [ast.Gt()], [ast.Constant(MOST_TURNS)])
        blocks: list[ast.stmt] = [turns, ast.If(many, [ast.Raise(call(ENDLESS))], [])]
        for node, number in self._blocks.items():
            chosen = ast.Compare(name(BLOCK), [ast.Eq()], [ast.Constant(number)])
            blocks.append(at(ast.If(chosen, list(self._code(node, jumps=False)), []), node.line))
        return [
            *self._reading(first),  # once: a loop that comes back here must not read what was before it
            assign(BLOCK, ast.Constant(0)),
            assign(TURNS, ast.Constant(0)),
            ast.While(ast.Constant(True), blocks, []),
        ]

    def _code(self, node: Node, jumps: bool = True) -> Iterator[ast.stmt]:
        """The code from a node on, up to pauses and jumps: no way through it comes to its end.

        With `jumps` that may be right at its beginning; without, it is the block of the node itself.
        """
        while True:
            if node in self._blocks and jumps:
                yield from self._jump(node)
                return
            if not (self._blocks and node is self._piece.place.first):
                yield from self._reading(node)
            jumps = True
            match node:
                case Statement():
                    yield node.tree
                case Forgetting():
                    for one in sorted(node.names & self._found.live[resolved(node.then)]):
                        yield at(assign(one, ast.Constant(None)), node.line)
                        yield at(ast.Delete([ast.Name(one, ast.Del())]), node.line)
                case Condition():
                    yield at(ast.If(node.test, list(self._code(resolved(node.then))), []), node.line)
                case Pause() | End():
                    yield from (at(one, node.line) for one in self._pause(node))
                    return
            node = node.next_nodes[-1]

    def _jump(self, node: Node) -> Iterator[ast.stmt]:
        yield at(assign(BLOCK, ast.Constant(self._blocks[node])), node.line)
        yield at(ast.Continue(), node.line)

    def _reading(self, node: Node) -> Iterator[ast.stmt]:
        for local in sorted(self._piece.read[node]):
            yield at(assign(local, self._layout.read(self._layout.local[local])), node.line)
            if local in self._piece.place.unset:
                missing = ast.Compare(name(local), [ast.Is()], [name(UNSET)])
                yield at(ast.If(missing, [ast.Delete([ast.Name(local, ast.Del())])], []), node.line)

    def _pause(self, node: Pause | End) -> Iterator[ast.stmt]:
        """Put back what will be read again, forget the rest, and move to the next place."""
        place, layout = self._piece.place, self._layout
        target = self._found.after[node] if isinstance(node, Pause) else None
        live: Names = NOTHING if target is None else target.live
        for local in sorted(live & self._piece.changed[node]):
            kept = layout.write(layout.local[local], name(local))
            if local in self._found.assigned[node]:
                yield kept
            else:
                forgotten = layout.write(layout.local[local], name(UNSET))
                yield ast.Try([kept], [ast.ExceptHandler(name(UNBOUND), None, [forgotten])], [], [])
        for local in sorted(place.live - live):
            yield layout.write(layout.local[local], name(UNSET))
        which = None if target is None else target.which
        if which != place.which:
            yield layout.write(layout.which, name(UNSET) if which is None else ast.Constant(which))
        yield layout.write(layout.place, ast.Constant(ENDED if target is None else target.name))
        yield ast.Return()
