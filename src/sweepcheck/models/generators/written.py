"""A function as its text says it, and the refusals that name a line of it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any, NoReturn

from sweepcheck.core.parsing import parsed, source_of
from sweepcheck.errors import ModelError, caller, place, shown
from sweepcheck.models.generators.usage import FUNCTIONS, parameters_of

FORM = "write @m.process above def name(s): ... yield, or @m.process(i=range(n)) above def name(s, i): ... yield"


@dataclass(frozen=True, slots=True)
class Written:
    """A generator function: `draft` is what it calls the state."""

    function: FunctionType
    tree: ast.FunctionDef
    draft: str

    @property
    def code(self) -> CodeType:
        """Its code."""
        return self.function.__code__

    @property
    def name(self) -> str:
        """Its name."""
        return self.function.__name__

    @property
    def parameters(self) -> list[str]:
        """Its parameters, without the state."""
        return parameters_of(self.tree.args)[1:]

    def refuse(self, what: str, node: ast.AST | int, suggestion: str) -> NoReturn:
        """Refuse the process because of something on a line."""
        line = node if isinstance(node, int) else getattr(node, "lineno", self.tree.lineno)
        file = (place(self.function) or "").rpartition(":")[0]
        raise ModelError("SC119", f"process {self.name!r} {what}", where=f"{file}:{line}", suggestion=suggestion)


def written(function: Any) -> Written:
    """A generator function, with its tree; refused where it has something that no process can have."""
    if not inspect.isfunction(function) or function.__name__ == "<lambda>":
        raise _no_process(f"{shown(function)} cannot be a process: it is not a function with a name", function)
    name = function.__name__
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise _no_process(f"process {name!r} is asynchronous", function)
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters or parameters[0].kind in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD):
        raise _no_process(f"process {name!r} has no first parameter for the state", function)
    if any(one.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD) for one in parameters):
        raise _no_process(f"process {name!r} takes any number of arguments", function)
    if parameters[0].name == "self":
        raise _no_process(f"{name!r} is a method; a process is a function", function)
    if not inspect.isgeneratorfunction(function):
        raise _no_process(
            f"process {name!r} has no yield", function, "write yield where a step ends; one step alone is an @m.action"
        )
    tree = tree_of(function)
    if tree is None:
        raise _no_process(
            f"the text of process {name!r} cannot be found, and steps are made from it",
            function,
            "write the process in a file",
        )
    found = Written(function, tree, parameters[0].name)
    for node in inside(found.tree):
        _scrutinise(found, node)
    return found


def _no_process(what: str, function: Any, suggestion: str = FORM) -> ModelError:
    where = place(function) if callable(function) else None
    return ModelError("SC119", what, where=where or caller(), suggestion=suggestion)


def tree_of(function: FunctionType) -> ast.FunctionDef | None:
    """The tree of a function, with the lines that it has in its file; None where there is no text of it."""
    code = function.__code__
    try:
        text = source_of(code)
        indented = text[:1].isspace()  # a dedented text would have other texts inside it
        tree = parsed(f"if 1:\n{text}" if indented else text)
    except (OSError, SyntaxError):
        return None
    ast.increment_lineno(tree, code.co_firstlineno - (2 if indented else 1))
    found = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)][:1]
    return found[0] if found and found[0].name == function.__name__ else None


def inside(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """All nodes of a function's body, without those of functions within it."""
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, FUNCTIONS):
            waiting += reversed(list(ast.iter_child_nodes(node)))


def yields(node: ast.AST) -> bool:
    """Whether a yield stands in a statement or expression."""
    if isinstance(node, ast.Yield | ast.YieldFrom):
        return True
    return not isinstance(node, FUNCTIONS) and any(map(yields, ast.iter_child_nodes(node)))


def _scrutinise(source: Written, node: ast.AST) -> None:
    """Refuse what no process can have, wherever it stands."""
    match node:
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            source.refuse(
                f"assigns {names[0]!r}, which lives outside the state", node, "make it a variable of the model: s.x"
            )
        case ast.ClassDef(name=name):
            source.refuse(f"defines class {name!r}", node, "define it outside the process")
        case ast.Import() | ast.ImportFrom():
            source.refuse("imports something", node, "import it at the top of the file")
        case ast.AsyncFunctionDef() | ast.AsyncFor() | ast.AsyncWith() | ast.Await():
            source.refuse("is asynchronous", node, FORM)
        case ast.FunctionDef(name=name) if any(map(yields, node.body)):
            source.refuse(
                f"defines another generator, {name!r}",
                node,
                f"define it outside the process, and write: yield from {name}({source.draft}, ...)",
            )
        case ast.Name(id=source.draft, ctx=ast.Store() | ast.Del()):
            source.refuse(f"assigns {source.draft!r}, its state", node, "use another name for a variable of its own")
        case ast.Try() | ast.TryStar() if yields(node):
            source.refuse(
                "has a yield inside try",
                _first_yield(node),
                "end the step outside of it: what is caught or done finally belongs to one step",
            )
        case ast.With() if yields(node):
            source.refuse(
                "has a yield inside with",
                _first_yield(node),
                "end the step outside of it; for a lock, take it and give it back in steps of their own",
            )


def _first_yield(node: ast.AST) -> ast.AST:
    return next(one for one in ast.walk(node) if isinstance(one, ast.Yield | ast.YieldFrom))


def check_moves(functions: Iterable[Any], variables: Container[str]) -> None:
    """Refuse functions that visibly assign a variable of a process: only the process itself moves."""
    for function in dict.fromkeys(functions):  # the steps of a process are of one function
        named = inspect.isfunction(function) and any(map(variables.__contains__, _names(function.__code__)))
        tree = tree_of(function) if named else None
        state = None if tree is None or not tree.args.args else tree.args.args[0].arg
        for node in () if tree is None else ast.walk(tree):
            base = node.value if isinstance(node, ast.Subscript) else node
            match base:
                case ast.Attribute(value=ast.Name(id=owner), attr=variable) if owner == state and variable in variables:
                    if isinstance(node.ctx, ast.Store):  # type: ignore[attr-defined]
                        _refuse_move(function, node.lineno, variable)  # type: ignore[attr-defined]


def _names(code: CodeType) -> Iterator[str]:
    """The attributes, and other names, that a function or one within it uses."""
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _names(one)


def _refuse_move(function: FunctionType, line: int, variable: str) -> NoReturn:
    raise ModelError(
        "SC204",
        f"{function.__name__!r} assigns {variable!r}, which belongs to a process",
        where=f"{(place(function) or '').rpartition(':')[0]}:{line}",
        suggestion="only the process itself moves; let it wait for a variable of the model that you set: require(s.go)",
    )
