"""`yield from f(s, ...)`: the code of `f` is put in where it is called.

Its local variables get names that nobody else has. What it has from outside stays what it is: its own closure, its own
module, its own defaults. A function cannot be put into itself.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from types import CellType, FunctionType
from typing import Any

from sweepcheck.errors import shown
from sweepcheck.models.generators.graph import Builder, Ways
from sweepcheck.models.generators.nodes import Forgetting, Node, Statement
from sweepcheck.models.generators.renaming import Renamed, inner_names
from sweepcheck.models.generators.syntax import assign, at, name
from sweepcheck.models.generators.usage import bound_by, usage
from sweepcheck.models.generators.values import Module
from sweepcheck.models.generators.written import Written, written

CALL = "write yield from f(s, ...), with f a generator function that is written with def"


@dataclass(slots=True)
class Surroundings:
    """The names that the steps of a process may use beside those of the process itself.

    `cells` are closure variables; `constants` are values under names that no program can write.
    """

    source: Written
    taken: set[str]  # names that mean something in the code so far,
    local: set[str]  # and those among them that are variables of a function
    cells: dict[str, CellType]
    constants: dict[str, Any] = field(default_factory=dict)
    fixed: frozenset[str] = frozenset()  # parameters of the process that it never assigns

    def is_fixed(self, name: str) -> bool:
        """Whether a name means the same whenever it is read: a parameter, or something outside the process."""
        if name == "range":  # Python's own, of which it is known what comes after a number
            return name not in self.local and name not in self.source.function.__globals__
        return name in self.fixed or name in self.cells or name not in self.local

    def constant(self, value: Any) -> str:
        """The name under which a value is known."""
        for known, one in self.constants.items():
            if one is value:
                return known
        made = f"@constant {len(self.constants)}"
        self.constants[made] = value
        return made

    def module(self, names: dict[str, Any]) -> str:
        """The name under which the names of a module are known."""
        known = (one for one, value in self.constants.items() if isinstance(value, Module) and value.is_of(names))
        return next(known, None) or self.constant(Module(names))

    def free_name(self, wanted: str, owner: str) -> str:
        """A name for a variable of a function that is put in."""
        made = wanted if wanted not in self.taken else f"{owner}.{wanted}"
        number = 2
        while made in self.taken:
            made, number = f"{owner}.{wanted} {number}", number + 1
        self.taken.add(made)
        self.local.add(made)
        return made


def surroundings(source: Written) -> Surroundings:
    """What a process itself brings along."""
    code = source.code
    cells = dict(zip(code.co_freevars, source.function.__closure__ or (), strict=True))
    assigned = usage(*source.tree.body).changes
    names = {one.id for one in ast.walk(source.tree) if isinstance(one, ast.Name)}
    local = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    return Surroundings(source, names | local, local, cells, {}, frozenset(source.parameters) - assigned)


class Inliner:
    """Puts in what a process yields from; a function that is called twice has the same variables both times."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._callees: dict[FunctionType, tuple[Written, dict[str, str | ast.expr]]] = {}
        self._inside: list[Written] = [around.source]

    def __call__(self, builder: Builder, node: ast.YieldFrom, result: ast.expr | None, after: Node, ways: Ways) -> Node:
        """See `Inline`: the first node of the function, with its arguments, before `after`."""
        called = _called(node.value, ways.source)
        function = self._function(called.func, ways.source)
        if any(one.function is function for one in self._inside):
            names = " -> ".join(one.name for one in self._inside) + f" -> {function.__name__}"
            ways.source.refuse(f"calls itself ({names})", node, "write a loop, with a variable that counts how deep")
        callee, renaming = self._callee(function)
        arguments = _bound(callee, called, ways.source, self._around.source.draft)
        renaming, steps = self._arguments(callee, arguments, dict(renaming), node)
        end: Node = after
        if result is not None:
            end = Statement(at(ast.Assign([result], ast.Constant(None)), node), after)
        tree = deepcopy(callee.tree)
        tree.body = [Renamed(renaming).visit(statement) for statement in tree.body]
        if callee.code.co_filename != self._around.source.code.co_filename:
            _move(tree, node.lineno)  # its lines are those of another file: all of it stands where it is called
        inner = Ways(callee, end, result, called=(*ways.called, node.lineno), loops=ways.loops, returns=True)
        self._inside.append(callee)
        first = builder.body(tree.body, end, inner)
        self._inside.pop()
        for step in reversed(steps):
            first = Statement(step, first)
        mine = frozenset(one for one in renaming.values() if isinstance(one, str))
        forgotten = mine - {one for step in steps for one in bound_by(step)}
        return Forgetting(forgotten, first, node.lineno) if forgotten else first

    def _function(self, named: ast.expr, source: Written) -> FunctionType:
        """The function that is called, if it is a generator function that can be put in."""
        found: Any = None
        match named:
            case ast.Name(id=identifier):
                found = self._value(identifier, source)
            case ast.Attribute(value=ast.Name(id=identifier), attr=attribute):
                owner = self._value(identifier, source)
                found = inspect.getattr_static(owner, attribute, None) if inspect.ismodule(owner) else None
        if not inspect.isfunction(found) or not inspect.isgeneratorfunction(found):
            text = ast.unparse(named)
            what = "nothing that is known here" if found is None else shown(found)
            source.refuse(f"yields from {text!r}, which is {what} and no generator function", named, CALL)
        return found

    def _value(self, identifier: str, source: Written) -> Any:
        """What a name of the source means outside of it, now that the process is declared."""
        if isinstance(source.function.__closure__, tuple) and identifier in source.code.co_freevars:
            cell = source.function.__closure__[source.code.co_freevars.index(identifier)]
            try:
                return cell.cell_contents
            except ValueError:  # not bound yet
                return None
        if identifier in source.code.co_varnames or identifier in source.code.co_cellvars:
            return None
        return source.function.__globals__.get(identifier)

    def _callee(self, function: FunctionType) -> tuple[Written, dict[str, str | ast.expr]]:
        if function not in self._callees:
            found = written(function)
            self._callees[function] = found, self._renaming(found)
        return self._callees[function]

    def _renaming(self, callee: Written) -> dict[str, str | ast.expr]:
        around, source = self._around, self._around.source
        if source.draft in inner_names(callee.tree) - {callee.draft}:
            callee.refuse(
                f"uses {source.draft!r} for something else than the state",
                callee.tree,
                f"use another name: it is put into process {source.name!r}, whose state is called so",
            )
        renaming: dict[str, str | ast.expr] = {callee.draft: name(source.draft)}
        local = {*callee.parameters, *usage(*callee.tree.body).changes}
        for one in sorted(local):
            renaming[one] = around.free_name(one, callee.name)
        for one, cell in zip(callee.code.co_freevars, callee.function.__closure__ or (), strict=True):
            if around.cells.get(one) is not cell:
                renaming[one] = name(made := around.free_name(one, callee.name))
                around.cells[made] = cell
        theirs, ours = callee.function.__globals__, source.function.__globals__
        for one in _globals(callee):
            if one in renaming:
                continue
            if one not in around.local and (theirs is ours or (one not in theirs and one not in ours)):
                around.taken.add(one)
            else:
                renaming[one] = at(ast.Attribute(name(around.module(theirs)), one, ast.Load()), callee.tree)
        return renaming

    def _arguments(
        self, callee: Written, arguments: Mapping[str, ast.expr], renaming: dict[str, str | ast.expr], node: ast.AST
    ) -> tuple[dict[str, str | ast.expr], list[ast.stmt]]:
        """What stands for the parameters: what never changes is put in as it is, the rest is assigned first."""
        steps: list[ast.stmt] = []
        assigned = usage(*callee.tree.body).changes
        for parameter in callee.parameters:
            value = arguments.get(parameter)
            if value is None:
                default = inspect.signature(callee.function).parameters[parameter].default
                value = name(self._around.constant(default))
                constant = True
            else:
                constant = isinstance(value, ast.Constant) or (
                    isinstance(value, ast.Name) and value.id in self._around.fixed - inner_names(callee.tree)
                )
            if constant and parameter not in assigned:
                renaming[parameter] = at(value, node)
            else:
                variable = renaming[parameter]
                assert isinstance(variable, str)
                steps.append(at(assign(variable, value), node))
        return renaming, steps


def _globals(callee: Written) -> Iterable[str]:
    """The names that a function has from its module, in itself and in functions within it."""
    waiting, found = [callee.code], set()
    while waiting:
        code = waiting.pop()
        found |= set(code.co_names)
        waiting += [one for one in code.co_consts if inspect.iscode(one)]
    return sorted(found)


def _called(node: ast.expr, source: Written) -> ast.Call:
    if not isinstance(node, ast.Call):
        source.refuse(f"yields from {ast.unparse(node)!r}, which is not a call", node, CALL)
    starred = any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords)
    if starred:
        source.refuse("yields from a call with arguments behind a star", node, "name the arguments one by one")
    return node


def _bound(callee: Written, node: ast.Call, source: Written, draft: str) -> dict[str, ast.expr]:
    """The arguments of a call by the names of parameters, without the state, which must be the first."""
    try:
        keywords = {str(one.arg): one.value for one in node.keywords}
        bound = inspect.signature(callee.function).bind(*node.args, **keywords)
    except TypeError as error:
        source.refuse(f"yields from {callee.name!r} with the wrong arguments: {error}", node, CALL)
    state = bound.arguments.pop(callee.draft)
    if not isinstance(state, ast.Name) or state.id != draft:
        source.refuse(
            f"yields from {callee.name!r} without giving it the state",
            node,
            f"give it {source.draft!r} as its first argument",
        )
    return dict(bound.arguments)


def _move(tree: ast.AST, line: int) -> None:
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
