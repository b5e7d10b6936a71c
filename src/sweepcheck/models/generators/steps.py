"""A process as a part of a model: its variables, and an action for each place where it can be.

In each place a process has one step. So an action of a process that is enabled all along a loop of states and never
taken there is a process that never moves there, and the other way round: weak fairness of the actions is weak
fairness of the process as a whole. Strong fairness is of all its steps together.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import product
from types import CodeType, FunctionType
from typing import Any

from sweepcheck.core.model import Label
from sweepcheck.core.parsing import compiled, remember
from sweepcheck.core.purity import check_purity
from sweepcheck.core.running import Disabled
from sweepcheck.core.values import Array
from sweepcheck.models.actions.action import Action
from sweepcheck.models.generators import writing
from sweepcheck.models.generators.graph import FOLLOWING, ITEMS, REST, Builder, Ways
from sweepcheck.models.generators.inlining import Inliner, Surroundings, surroundings
from sweepcheck.models.generators.nodes import End, Node, Statement, resolved
from sweepcheck.models.generators.pieces import piece
from sweepcheck.models.generators.places import ENDED, Places, places
from sweepcheck.models.generators.values import UNSET, endless, following, items, rest
from sweepcheck.models.generators.writing import Layout, step_function
from sweepcheck.models.generators.written import Written

NOBODY = Label("")
FUTURE = 0x1FE0000  # the flags of code that say which features of later versions it was written with


@dataclass(frozen=True, slots=True)
class StepAction(Action):
    """The step of one process in one place; `process` is the label of all its steps together, `source` its function."""

    process: Label = NOBODY

    @property
    def unit(self) -> Label:
        """See `Action`."""
        return self.process

    @property
    def names(self) -> tuple[str, ...]:
        """See `Action`."""
        return self.name, str(self), self.process.action, str(self.process)


@dataclass(frozen=True, slots=True)
class Process:
    """What a process adds to a model: variables with their initial values, and families of actions by name."""

    variables: dict[str, Any]
    families: dict[str, tuple[StepAction, ...]]


def process(source: Written, parameters: Mapping[str, tuple[Hashable, ...]], fair: bool | str) -> Process:
    """The process that a generator function stands for, one for each combination of its parameters' values."""
    _check_parameters(source, parameters)
    check_purity(source.function, f"process {source.name!r}")
    around = surroundings(source)
    end = End(source.tree.body[-1].lineno)
    start = Builder(Inliner(around), around.is_fixed).body(source.tree.body, end, Ways(source, end))
    local = frozenset({one for node in _every(start) for one in node.usage.changes} | {*source.parameters})
    changing = local - around.fixed
    found = places(start, frozenset(source.parameters), changing)
    _check_functions(source, found)
    layout = _layout(source, found, bool(parameters))
    members = list(product(*parameters.values()))
    labels = [Label(source.name, tuple(zip(parameters, member, strict=True))) for member in members]
    families = {}
    for name, functions in _functions(found, layout, around, len(labels)).items():
        families[name] = tuple(
            StepAction(name, function, label.arguments, fair, process=label, source=source.function)  # type: ignore[arg-type]
            for function, label in zip(functions, labels, strict=True)
        )
    return Process(_variables(found, layout, labels), families)


def _every(start: Node) -> set[Node]:
    found, waiting = {resolved(start)}, [resolved(start)]
    while waiting:
        new = set(waiting.pop().next_nodes) - found
        found |= new
        waiting += new
    return found


def _check_parameters(source: Written, parameters: Mapping[str, Any]) -> None:
    function = source.function
    positional = source.code.co_varnames[: source.code.co_argcount]
    optional = {*positional[len(positional) - len(function.__defaults__ or ()) :], *(function.__kwdefaults__ or ())}
    expected = [one for one in source.parameters if one not in optional]
    if not set(expected) <= set(parameters) <= set(source.parameters):
        wanted, offered = ", ".join(source.parameters) or "none", ", ".join(parameters) or "none"
        source.refuse(
            f"takes parameters ({wanted}) but its family gives ({offered})",
            source.code.co_firstlineno,
            "write @m.process(i=range(n)) above def name(s, i): ...",
        )


def _check_functions(source: Written, found: Places) -> None:
    """Refuse functions within the process that are used in another step: they are no values."""
    kept = {one for place in found.every for one in place.live}
    for node in found.live:
        if isinstance(node, Statement) and isinstance(node.tree, ast.FunctionDef) and node.tree.name in kept:
            source.refuse(
                f"defines {node.tree.name!r} in one step and uses it in another",
                node.tree,
                "define the function outside the process: functions cannot be part of a state",
            )


def _layout(source: Written, found: Places, family: bool) -> Layout:
    """The names of the variables: the process's own for its place, and with an underscore those of its variables."""
    taken = {source.name}

    def free(wanted: str) -> str:
        made = f"{source.name}_" + (re.sub(r"\W+", "_", wanted.strip()) if wanted.strip("_") else "turn")
        while made in taken:
            made += "_"
        taken.add(made)
        return made

    local = {one: free(one) for one in sorted({one for place in found.every for one in place.live})}
    which = free("line") if any(place.which is not None for place in found.every) else ""
    return Layout(source, family, source.name, which, local)


def _variables(found: Places, layout: Layout, labels: list[Label]) -> dict[str, Any]:
    start = found.start
    columns: dict[str, list[Any]] = {layout.place: [start.name for _ in labels]}
    if layout.which:
        columns[layout.which] = [UNSET if start.which is None else start.which for _ in labels]
    defaults = _defaults(layout.source.function)
    for local, variable in layout.local.items():
        given = [dict(label.arguments).get(local, defaults.get(local, UNSET)) for label in labels]
        columns[variable] = given if local in start.live else [UNSET for _ in labels]
    return {name: Array(values) if layout.family else values[0] for name, values in columns.items()}


def _defaults(function: FunctionType) -> dict[str, Any]:
    code, defaults = function.__code__, function.__defaults__ or ()
    positional = code.co_varnames[: code.co_argcount]
    named = zip(positional[len(positional) - len(defaults) :], defaults, strict=True)
    return {**dict(named), **(function.__kwdefaults__ or {})}


def _functions(found: Places, layout: Layout, around: Surroundings, members: int) -> dict[str, list[FunctionType]]:
    """The functions of all steps, by the names of their actions, one for each member of the family."""
    source = layout.source.function
    names, trees = [], []
    for place in found.every:
        if place.name != ENDED:
            names.append(f"{source.__name__}:{place.name}" + (f", {place.which}" if place.which else ""))
            trees.append(step_function(found, piece(place, found), layout, list(_hidden(around))))
    functions: dict[str, list[FunctionType]] = {}
    for name, code in zip(names, codes_of(trees, around, source), strict=True):
        functions[name] = []
        closure = tuple(around.cells[one] for one in code.co_freevars)
        for member in range(members):
            made = FunctionType(code, source.__globals__, source.__name__, source.__defaults__, closure)
            made.__kwdefaults__ = {**(source.__kwdefaults__ or {}), **_hidden(around), writing.MEMBER: member}
            functions[name].append(made)
    return functions


def _hidden(around: Surroundings) -> dict[str, Any]:
    """What the code of steps uses under names that no program can write."""
    return {
        writing.UNSET: UNSET,
        writing.DISABLED: Disabled,
        writing.ENDLESS: endless,
        writing.UNBOUND: NameError,
        ITEMS: items,
        REST: rest,
        FOLLOWING: following,
        **around.constants,
    }


def codes_of(trees: list[ast.FunctionDef], around: Surroundings, source: FunctionType) -> list[CodeType]:
    """The code of each function; what it has from outside are parameters of a function around it."""
    cells = [ast.arg(one) for one in around.cells]
    module = ast.Module([], [])
    for tree in trees:
        given = ast.arguments(posonlyargs=[], args=cells, kwonlyargs=[], kw_defaults=[], defaults=[])
        module.body.append(ast.FunctionDef("around", given, [tree], []))
    code = compiled(ast.fix_missing_locations(module), source.__code__.co_filename, source.__code__.co_flags & FUTURE)
    arounds = [one for one in code.co_consts if isinstance(one, CodeType)]
    inner = [next(one for one in around_it.co_consts if isinstance(one, CodeType)) for around_it in arounds]
    made = [one.replace(co_qualname=source.__qualname__) for one in inner]
    for one, outer in zip(made, module.body, strict=True):
        assert isinstance(outer, ast.FunctionDef)
        remember(one, outer)
    return made
