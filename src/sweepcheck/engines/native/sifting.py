"""Sifting: functions of a model written anew, so that they say which elements of a set or bag they pass over.

`any(x.kind == "vote" for x in s.msgs)` goes through all that `msgs` holds, and would be run again for every content.
Written as `any(x.kind == "vote" for x in @part(s.msgs, ..., lambda x: x.kind == "vote"))` it tells what it is after
before it looks: `parts` asks the core for that alone. Nothing else of a function changes. The conditions stay where
they are, so that a part may always be given as a whole; what is found in the text is a hint and no translation.

A condition is told in advance only where nothing can come in between: it may read its element, names that are not
assigned meanwhile, and attributes and elements of the state (`s.ballot`, read once) if all the rest is quiet, that is,
calls nothing and changes nothing but names.
"""

from __future__ import annotations
import __future__

import ast
import copy
import linecache
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE
from itertools import pairwise
from opcode import opmap
from types import CodeType
from typing import Any, NamedTuple

from sweepcheck.core.instructions import instructions
from sweepcheck.core.parsing import compiled, parsed, read, remembered
from sweepcheck.engines.native.indexing import by_elements
from sweepcheck.engines.native.offering import ONCE
from sweepcheck.engines.native.parts import CLASSES, COUNTED, NOISY, NUMBERS, PART, QUIET, SILENT, TOKENS, TOLD
from sweepcheck.engines.native.splitting import ASKED, CHOSEN, CHOSEN_BY, SPLIT, Listed, does_more, returned, split

MARK = "@"  # a name in every function that is added, and the beginning of names for what is read once
FOLDED = frozenset({"all", "any", "max", "min", "sum"})  # as in folds
CONSUMERS = FOLDED | frozenset({"frozenset", "list", "set", "sorted", "tuple"})
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
NAMED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar
SUSPENDING = ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom  # or giving names a value
FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
ITERATES = opmap["GET_ITER"]
SUSPENDS = CO_COROUTINE | CO_ASYNC_GENERATOR


class Use(NamedTuple):
    """What becomes of elements: how they are asked for, and what of them counts; None: themselves, in their order."""

    how: int = TOKENS
    counts: ast.expr | None = None
    more: ast.expr | None = None  # a condition beside those that are written
    quiet: bool = True  # whoever goes through them does nothing else meanwhile
    late: bool = False  # nobody knows who goes through them, and when


LATE = Use(quiet=False, late=True)


def sifting(filename: str, flags: int) -> dict[CodeType, CodeType]:
    """The functions of a source file that can be written anew, by their code. None where there is no source.

    `flags` say with which features of later versions it was compiled.
    """
    linecache.checkcache(filename)  # the file may have been edited since another model of it was loaded
    text = "".join(linecache.getlines(filename))
    return _sifting(filename, text, flags) if text else {}


@lru_cache(maxsize=4096)
def may_differ(code: CodeType) -> bool:
    """Whether a function may have to be written anew: it goes through something, or chooses from what it makes. Most do
    neither, and then nobody has to read their source."""
    if ITERATES in code.co_code[::2] or "filter" in code.co_names:
        return True
    if "choose" in {*code.co_names, *code.co_freevars, *code.co_varnames} and not _chooses_plainly(code):
        return True
    return any(may_differ(one) for one in code.co_consts if isinstance(one, CodeType))


def _chooses_plainly(code: CodeType) -> bool:
    """Whether all that a function chooses from is a range or begins with a constant: such choices stay as they are."""
    steps = [step for step in instructions(code) if step.opname != "PUSH_NULL"]
    begins = [after for step, after in pairwise(steps) if step.argval == "choose" and step.opname.startswith("LOAD")]
    return all(
        step.opname == "LOAD_CONST" or (step.opname == "LOAD_GLOBAL" and step.argval == "range") for step in begins
    )


@lru_cache(maxsize=64)
def _sifting(filename: str, text: str, flags: int) -> dict[CodeType, CodeType]:
    try:
        return _anew(parsed(text), filename, flags) if any(map(_is_rewritten, ast.walk(read(text)))) else {}
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return {}


@lru_cache(maxsize=1024)
def sifting_made(code: CodeType) -> CodeType:
    """The same for the code of a step of a process, which stands in no file; the code itself where nothing changes."""
    if (around := remembered(code)) is None:
        return code
    module = ast.Module([copy.deepcopy(around)], [])
    try:
        found = _anew(ast.fix_missing_locations(module), code.co_filename, code.co_flags & FUTURE)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return code
    made = found.get(code, code)
    return made.replace(co_qualname=code.co_qualname)


def _anew(tree: ast.Module, filename: str, flags: int) -> dict[CodeType, CodeType]:
    """The functions of a tree that can be written anew, by their code."""
    plain = compiled(tree, filename, flags)
    rewriting = Rewriting(tree)
    made = compiled(ast.fix_missing_locations(rewriting.visit(tree)), filename, flags)
    before, after = list(_codes(plain)), list(_codes(made))
    if not rewriting.found or len(before) != len(after):
        return {}
    pairs = zip(before, after, strict=True)
    return {one: other for one, other in pairs if one != other and _stands_for(other, one)}


def _is_rewritten(node: ast.AST) -> bool:
    """Whether such a part of a function may be written anew; alternatives that are listed one by one never are."""
    match node:
        case ast.Call(func=ast.Name(id="choose"), args=[_], keywords=[]) | ast.Call(func=ast.Name(id="filter")):
            return True
    return isinstance(node, Comprehension | ast.For)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """All functions in a code, without those that were added."""
    for one in code.co_consts:
        if isinstance(one, CodeType) and MARK not in one.co_varnames:
            yield one
            yield from _codes(one)


def _stands_for(made: CodeType, code: CodeType) -> bool:
    """Whether a function can be given other code. One that waits in between is told by where it stands in its own."""
    same = made.co_name == code.co_name and made.co_firstlineno == code.co_firstlineno
    return same and made.co_freevars == code.co_freevars and not code.co_flags & SUSPENDS


class Rewriting(ast.NodeTransformer):
    """Write iterations anew that pass over elements."""

    def __init__(self, module: ast.Module) -> None:
        self.found = False
        self._shadowed = set(_bound(module)) | _imported(module)
        self._loose = {
            name for node in ast.walk(module) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names
        }
        self._local: list[set[str]] = []  # names of the functions around, innermost last
        self._functions: list[Function] = []
        self._listing = set(_listing(module))  # names of functions whose lists are chosen from
        self._members: set[int] = set()  # sets that are kept under names, and of which the order is never asked

    # -- functions ----------------------------------------------------------------------------------------------------

    def _function(self, node: Function) -> ast.AST:
        if _is_added(node):
            return node
        self._functions.append(node)
        self._local.append(set(_bound(node)))
        self._members |= set(map(id, self._kept_sets(node)))
        asked = self._asked(node) if isinstance(node, ast.FunctionDef) else []
        made: Any = self.generic_visit(node)
        if asked:
            made.body[:0] = asked
        self._local.pop()
        self._functions.pop()
        return made  # type: ignore[no-any-return]

    def _asked(self, node: ast.FunctionDef) -> list[ast.stmt]:
        """What a function does first that makes a list to choose from: it may be asked what that would be made of."""
        made_here = (
            node.name in self._listing and not node.decorator_list
        )  # a decorator's function may keep what it gets
        listed = returned(node) if made_here else None
        parts = None if listed is None else split(copy.deepcopy(listed), self._local[-1], _added)
        if parts is None:
            return []
        self.found = True
        told = ast.Return(ast.Call(ast.Name(SPLIT, ast.Load()), parts, []))
        asked = ast.If(ast.Call(ast.Name(ASKED, ast.Load()), [], []), [told], [])
        return [ast.copy_location(asked, node.body[0])]

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _function  # noqa: N815 - names of Python's

    def _is_built_in(self, node: ast.expr, names: Iterable[str]) -> bool:
        return isinstance(node, ast.Name) and node.id in names and node.id not in self._shadowed

    # -- comprehensions, by what becomes of them ----------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The argument of a call, where that is a comprehension: it is gone through there and then."""
        if self._offers_the_same(node):
            self.found = True
            offered = node.args[0]
            once = ast.Call(ast.Name(ONCE, ast.Load()), [_added([], copy.deepcopy(offered))], [])
            node.args = [ast.copy_location(ast.BoolOp(ast.Or(), [once, offered]), offered)]
            return self.generic_visit(node)
        split = self._split_choice(node)
        indexed = self._by_elements(node)
        if indexed is not None:
            return self.generic_visit(indexed)
        match node:
            case ast.Call(args=[ast.ListComp() | ast.SetComp() | ast.GeneratorExp() as given, *rest]):
                use = self._use_in_call(node.func, given, alone=not rest, named=[one.arg for one in node.keywords])
                if use is not None:
                    self._sift(given, use)
        self._filter(node)
        made = self.generic_visit(node)
        return made if split is None else split(made)

    def _offers_the_same(self, node: ast.Call) -> bool:
        """Whether a choice is one from a list that has nothing in it but constants, and what families have for `i`."""
        match node:
            case ast.Call(func=ast.Name(id="choose"), args=[given], keywords=[]) if (
                isinstance(given, ast.Call | Listed) and self._local
            ):
                around = self._functions[-1]
                _, *parameters = [one.arg for one in ast.walk(around.args) if isinstance(one, ast.arg)] or [""]
                local = self._local[-1] - (set(parameters) - _stored(around))
                trivial = isinstance(given, ast.Call) and self._is_built_in(given.func, ("range",))
                free = not (_read(given) - _stored(given)) & (local | self._loose)
                return free and not trivial and not any(map(does_more, ast.walk(given)))
        return False

    def _by_elements(self, node: ast.Call) -> ast.Call | None:
        """A fold over indices as one over elements."""
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.GeneratorExp() as given], keywords=[]):
                usable = self._local and self._is_built_in(node.func, FOLDED) and "range" not in self._shadowed
                if not usable or _contains(given, SUSPENDING):
                    return None
                made = by_elements(name, copy.deepcopy(given), self._local[-1], _added)
                if made is not None:
                    self.found = True
                    return ast.copy_location(ast.Call(node.func, [made], []), node)
        return None

    def _split_choice(self, node: ast.Call) -> Callable[[ast.AST], ast.AST] | None:
        """What becomes of a choice from a list that is made for it, here or by another function."""
        match node:
            case ast.Call(func=ast.Name(id="choose"), args=[given], keywords=[]) if isinstance(given, Listed):
                parts = split(given, self._local[-1], _added) if self._local else None
                return None if parts is None else lambda made: self._chosen(node, parts, made)
            case ast.Call(
                func=ast.Name(id="choose"),
                args=[ast.Call(func=ast.Name(id=name) as function, args=arguments, keywords=[])],
                keywords=[],
            ) if name in self._listing and not _contains(node, ast.Starred):
                self.found = True
                called = ast.Call(ast.Name(CHOSEN_BY, ast.Load()), [node.func, function, *arguments], [])
                return lambda _: ast.copy_location(called, node)
        return None

    def _chosen(self, node: ast.Call, parts: list[ast.expr], made: ast.AST) -> ast.AST:
        """A choice by parts, or as it was where that cannot be."""
        self.found = True
        called = ast.Call(ast.Name(CHOSEN, ast.Load()), [ast.Name("choose", ast.Load()), *parts], [])
        either = ast.BoolOp(ast.Or(), [called, ast.Tuple([made], ast.Load())])  # type: ignore[list-item]
        return ast.copy_location(ast.Subscript(either, ast.Constant(0), ast.Load()), node)

    def _use_in_call(
        self, function: ast.expr, given: Comprehension, alone: bool, named: list[str | None]
    ) -> Use | None:
        assert not isinstance(given, ast.DictComp)
        name = function.id if self._is_built_in(function, CONSUMERS | {"len"}) else ""  # type: ignore[attr-defined]
        one = len(given.generators) == 1
        element = given.elt
        match name:
            case "any" if one and alone and not named:
                return Use(CLASSES, ast.Constant(True), element)
            case "all" if one and alone and not named:
                return Use(CLASSES, ast.Constant(False), ast.UnaryOp(ast.Not(), element))
            case "max" | "min" if one and alone and named in ([], ["default"]):
                return Use(CLASSES | NUMBERS, element)
            case "sum" if one and alone and not named and not isinstance(given, ast.SetComp):
                return Use(COUNTED | NUMBERS, element)
            case "len" if one and isinstance(given, ast.ListComp):
                plain = isinstance(element, ast.Name | ast.Constant)
                return Use(COUNTED, ast.Constant(True) if plain else element)
            case "len" if one and isinstance(given, ast.SetComp):
                return Use(CLASSES, element)
            case "set" | "frozenset" if id(function) in self._members and one:
                return Use(CLASSES, element)
        if isinstance(given, ast.GeneratorExp):
            return Use(quiet="key" not in named) if name else LATE
        return None  # as anywhere else

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Sets that are compared, and what is asked for one element: their order does not count."""
        for operator, operand in zip([None, *node.ops], [node.left, *node.comparators], strict=True):
            asked = isinstance(operator, ast.In | ast.NotIn) and len(node.ops) == 1
            fits = isinstance(operand, ast.SetComp) or (asked and isinstance(operand, ast.ListComp))
            if fits and len(operand.generators) == 1:  # type: ignore[attr-defined]
                self._sift(operand, Use(CLASSES, operand.elt))  # type: ignore[arg-type, attr-defined]
        return self.generic_visit(node)

    def _comprehension(self, node: Comprehension) -> ast.AST:
        counts = node.elt if isinstance(node, ast.SetComp) and id(node) in self._members else None
        self._sift(node, Use(CLASSES, counts) if counts is not None and len(node.generators) == 1 else Use())
        return self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_DictComp = _comprehension  # noqa: N815

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        """One that nobody goes through there and then; any other has been looked at with the call that does."""
        self._sift(node, LATE)
        return self.generic_visit(node)

    def _filter(self, node: ast.Call) -> None:
        """`filter(good, s.sent)`, which may be gone through there and then."""
        at_once = self._is_built_in(node.func, CONSUMERS) and not node.keywords
        match node:
            case ast.Call(args=[ast.Call() as inner]) if at_once:
                node = inner
        match node:
            case ast.Call(args=[ast.Lambda(args=ast.arguments(args=[one], defaults=[]), body=told), _], keywords=[]):
                target = ast.Name(one.arg, ast.Store())
            case ast.Call(args=[ast.Name() as function, _], keywords=[]):
                target = ast.Name(f"{MARK}element", ast.Store())
                told = ast.Call(function, [ast.Name(f"{MARK}element", ast.Load())], [])
            case _:
                return
        if self._is_built_in(node.func, ("filter",)) and self._functions and not _contains(told, SUSPENDING):
            turn = ast.comprehension(target, node.args[1], [], 0)
            self._tell(turn, [told], Use() if at_once else LATE, SILENT if at_once and self._is_quiet(told) else NOISY)
            node.args[1] = turn.iter

    def _kept_sets(self, function: Function) -> Iterator[ast.AST]:
        """Sets assigned to names that stand in `len(name)` and in comparisons, and nowhere else."""
        parents = {id(child): node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
        uses: dict[str, list[ast.Name]] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Name):
                uses.setdefault(node.id, []).append(node)
        parameters = {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)}
        for name, found in uses.items():
            stores = [one for one in found if not isinstance(one.ctx, ast.Load)]
            if len(stores) != 1 or name in parameters or name in self._loose:
                continue
            statement = parents.get(id(stores[0]))
            if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
                continue
            if all(self._ignores_order(parents[id(one)]) for one in found if one is not stores[0]):
                match statement.value:
                    case ast.SetComp():
                        yield statement.value
                    case ast.Call(func=ast.Name(), args=[ast.GeneratorExp()], keywords=[]):
                        yield statement.value.func

    def _ignores_order(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Compare) or (isinstance(node, ast.Call) and self._is_built_in(node.func, ("len",)))

    # -- writing anew -------------------------------------------------------------------------------------------------

    def _sift(self, node: Comprehension, use: Use) -> None:
        """Let the iterations of a comprehension say what they pass over, where they can."""
        if _contains(node, SUSPENDING):
            return
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        around = [*results, *(one.iter for one in node.generators[1:])]
        quiet = SILENT if all(map(self._is_quiet, around)) else TOLD if use.counts is not None else NOISY
        quiet = quiet if use.quiet else NOISY
        for position, one in enumerate(node.generators):
            told = [*one.ifs, *([use.more] if use.more is not None else [])]
            later = {name for other in node.generators[position + 1 :] for name in _stored(other.target)}
            if one.is_async or not (told or use.counts) or later & set().union(*map(_read, told)):
                continue
            self._tell(one, told, use, quiet)

    def visit_For(self, node: ast.For) -> ast.AST:
        """A loop whose body is nothing but an `if`, or begins with one that goes on with the next element."""
        match node.body:
            case [ast.If(test=test, body=[ast.Continue()], orelse=[]), *body]:
                told: ast.expr = ast.UnaryOp(ast.Not(), test)
            case [ast.If(test=test, body=body, orelse=[])]:
                told = test
            case _:
                return self.generic_visit(node)
        assigned = {name for one in body for name in _bound(one)}
        steady = not assigned & _read(test) and not _contains(test, SUSPENDING)
        if self._functions and steady and not self._used_after(node):
            waits = any(_contains(one, ast.Yield | ast.YieldFrom) for one in body)
            self._tell(node, [told], LATE if waits else Use(), SILENT if all(map(self._is_quiet, body)) else NOISY)
        return self.generic_visit(node)

    def _used_after(self, loop: ast.For) -> bool:
        """Whether the last element that a loop came to may be looked at elsewhere."""
        names = _stored(loop.target)
        if names & self._loose:
            return True

        def elsewhere(node: ast.AST) -> bool:
            if isinstance(node, ast.Name):
                return node.id in names
            if isinstance(node, Comprehension) and names <= {
                name for one in node.generators for name in _stored(one.target)
            }:
                return elsewhere(node.generators[0].iter)
            if _is_added(node):  # of the same name in another loop
                return False
            children = list(ast.iter_child_nodes(node))
            if isinstance(node, ast.For) and names <= _stored(node.target):
                children = [node.iter, *node.orelse]
            return any(map(elsewhere, children))

        return any(map(elsewhere, ast.iter_child_nodes(self._functions[-1])))

    def _is_quiet(self, node: ast.AST) -> bool:
        """Whether nothing is called but functions that only compute, and nothing changed but names."""
        for one in ast.walk(node):
            if isinstance(one, ast.Call) and not self._is_built_in(one.func, QUIET):
                return False
            if isinstance(one, ast.keyword) and one.arg == "key" and not isinstance(one.value, ast.Lambda):
                return False  # it is called
            if isinstance(one, ast.AugAssign) and not self._counts(one.target):
                return False
            if isinstance(one, ast.Attribute | ast.Subscript) and not isinstance(one.ctx, ast.Load):
                return False
            if isinstance(one, ast.Await | ast.Yield | ast.YieldFrom | ast.Import | ast.ImportFrom | ast.With):
                return False
        return True

    def _counts(self, target: ast.expr) -> bool:
        """Whether `target += ...` is about a number: what it adds to may be a list that others have too."""
        if not isinstance(target, ast.Name) or not self._functions or target.id in self._loose:
            return False
        name, begins = target.id, 0
        for one in ast.walk(self._functions[-1]):
            match one:
                case ast.Assign(targets=[ast.Name(id=other)], value=ast.Constant()) if other == name:
                    begins += 1
        changed = [one.target for one in ast.walk(self._functions[-1]) if isinstance(one, ast.AugAssign)]
        added = sum(isinstance(one, ast.Name) and one.id == name for one in changed)
        return begins > 0 and begins + added == sum(other == name for other in _bound(self._functions[-1]))

    def _tell(self, node: ast.comprehension | ast.For, told: list[ast.expr], use: Use, quiet: int) -> None:
        source, target = node.iter, node.target
        wanted = [*told, *([use.counts] if use.counts is not None else [])]
        copied = self._copied(source, use)
        source = source if copied is None else copied.args[0]
        plain = isinstance(source, ast.Name | ast.Attribute | ast.Subscript) and not _contains(source, ast.Call)
        if use.late and not all(map(self._is_steady, set().union(*map(_read, wanted)) - _stored(target))):
            return
        if not plain or not _is_pattern(target) or set().union(*map(_read, wanted)) & self._loose:
            return
        bound = _stored(target) | {name for one in wanted for name in _bound(one)}
        once = Once(self, bound)
        written = [once.visit(copy.deepcopy(one)) for one in told]
        first = list(once.found)  # what the conditions read stands before what only `counts` does
        condition = (
            ast.BoolOp(ast.And(), written) if len(written) > 1 else written[0] if written else ast.Constant(True)
        )
        counts = None if use.counts is None else once.visit(copy.deepcopy(use.counts))
        if once.found and quiet == NOISY:
            return
        names = list(once.found)
        arguments: list[ast.expr] = [
            source,
            ast.Constant(use.how),
            ast.Constant(quiet),
            _of_element(target, condition, first),
        ]
        if counts is not None or names:
            arguments.append(ast.Constant(None) if counts is None else _of_element(target, counts, names))
        if names:
            arguments.append(_added([], ast.Tuple(list(once.found.values()), ast.Load())))
        part = ast.copy_location(ast.Call(ast.Name(PART, ast.Load()), arguments, []), source)
        node.iter = part if copied is None else ast.copy_location(ast.Call(copied.func, [part], []), copied)
        ast.fix_missing_locations(node.iter)
        self.found = True

    def _copied(self, source: ast.expr, use: Use) -> ast.Call | None:
        """What is gone through, if that is a copy: of a set only where neither order nor number count."""
        copies = ("list", "set", "frozenset", "tuple") if use.how & ~NUMBERS == CLASSES else ("list", "tuple")
        match source:
            case ast.Call(args=[_], keywords=[]) if self._is_built_in(source.func, copies):
                return source
        return None

    def _is_steady(self, name: str) -> bool:
        """Whether a name stands for the same as long as a function runs, and those around it."""
        for function in reversed(self._functions):
            given = sum(name == one for one in _bound_here(function, False))
            if given:
                return given == 1 and name not in _bound_here(function, True)
        return True

    def is_local(self, name: str) -> bool:
        """Whether a name is that of a parameter or variable of a function around."""
        return any(name in one for one in self._local)


class Once(ast.NodeTransformer):
    """Take out what can be read once for all elements: attributes and elements of what functions have in variables."""

    def __init__(self, rewriting: Rewriting, bound: set[str]) -> None:
        self._rewriting = rewriting
        self._bound = bound
        self._texts: dict[str, str] = {}
        self.found: dict[str, ast.expr] = {}

    def visit(self, node: ast.AST) -> Any:
        """The node, or the name of what is read once instead of it."""
        if not isinstance(node, ast.expr) or not self._is_free(node) or not self._reads_state(node):
            return self.generic_visit(node)
        name = self._texts.setdefault(ast.unparse(node), f"{MARK}{len(self._texts)}")
        self.found[name] = node
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def _is_free(self, node: ast.AST) -> bool:
        match node:
            case ast.Name(id=name):
                return name not in self._bound
            case ast.Constant():
                return True
            case ast.Attribute(value=value):
                return self._is_free(value)
            case ast.Subscript(value=value, slice=index):
                return self._is_free(value) and self._is_free(index)
            case ast.BinOp(left=left, right=right):
                return self._is_free(left) and self._is_free(right)
            case ast.UnaryOp(operand=operand):
                return self._is_free(operand)
            case ast.Tuple(elts=elements):
                return all(map(self._is_free, elements))
            case ast.Call(func=function, args=[one], keywords=[]):
                return self._rewriting._is_built_in(function, ("len",)) and self._is_free(one)
        return False

    def _reads_state(self, node: ast.expr) -> bool:
        parts = (one for one in ast.walk(node) if isinstance(one, ast.Attribute | ast.Subscript))
        return any(self._rewriting.is_local(name) for part in parts for name in _read(part))


def _listing(module: ast.Module) -> Iterator[str]:
    """The names of functions in `choose(name(...))`."""
    for node in ast.walk(module):
        match node:
            case ast.Call(func=ast.Name(id="choose"), args=[ast.Call(func=ast.Name(id=name))]):
                yield name


# -- pieces of trees --------------------------------------------------------------------------------------------------


def _of_element(target: ast.expr, value: ast.expr, names: list[str]) -> ast.Lambda:
    """A function of an element, and of what is read once."""
    if isinstance(target, ast.Name):
        return _added([target.id, *names], value)
    element = ast.Tuple([ast.Name(f"{MARK}element", ast.Load())], ast.Load())
    turn = ast.comprehension(copy.deepcopy(target), element, [], 0)
    found = ast.Subscript(ast.ListComp(value, [turn]), ast.Constant(0), ast.Load())
    return _added([f"{MARK}element", *names], found)


def _added(parameters: list[str], value: ast.expr) -> ast.Lambda:
    arguments = ast.arguments([], [ast.arg(name) for name in parameters], ast.arg(MARK), [], [], None, [])
    return ast.Lambda(arguments, value)


def _is_added(node: ast.AST) -> bool:
    return isinstance(node, ast.Lambda) and node.args.vararg is not None and node.args.vararg.arg == MARK


def _is_pattern(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple | ast.List):
        return all(map(_is_pattern, target.elts))
    return isinstance(target.value if isinstance(target, ast.Starred) else target, ast.Name)


def _contains(node: ast.AST, kinds: object) -> bool:
    return any(isinstance(one, kinds) for one in ast.walk(node))  # type: ignore[arg-type]


def _read(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}


def _stored(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that something inside gives a value to."""
    for one in ast.walk(node):
        yield from _names_of(one)


def _names_of(node: ast.AST) -> Iterator[str]:
    """The names that this gives a value to, without what is inside."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, NAMED) and node.name is not None:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest is not None:
        yield node.rest


def _bound_here(function: Function, in_loops: bool) -> Iterator[str]:
    """The names that a function itself gives a value to, as often as it does so; or those it gives one in loops."""
    waiting: list[tuple[ast.AST, bool]] = [(one, not in_loops) for one in ast.iter_child_nodes(function)]
    while waiting:
        node, counts = waiting.pop()
        if isinstance(node, Function | ast.ClassDef):  # what is inside has names of its own
            if counts and not isinstance(node, ast.Lambda):
                yield node.name
            continue
        if counts:
            yield from _names_of(node)
        counts = counts or isinstance(node, ast.For | ast.AsyncFor | ast.While)
        own = node.target if isinstance(node, ast.comprehension) else None
        waiting += [(one, counts) for one in ast.iter_child_nodes(node) if one is not own]


def _imported(module: ast.Module) -> set[str]:
    imports = (one for one in ast.walk(module) if isinstance(one, ast.Import | ast.ImportFrom))
    return {(name.asname or name.name).partition(".")[0] for one in imports for name in one.names}
