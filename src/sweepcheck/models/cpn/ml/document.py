"""Ml: the declarations of one document, and its inscriptions."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sweepcheck.errors import ModelError
from sweepcheck.models.cpn.ml import library, running, syntax, types
from sweepcheck.models.cpn.ml.colours import Colour
from sweepcheck.models.cpn.ml.colsets import declare_colset, defined
from sweepcheck.models.cpn.ml.declaring import declare, declared_names
from sweepcheck.models.cpn.ml.inference import Inference
from sweepcheck.models.cpn.ml.inscriptions import Code, Inscription, Reading
from sweepcheck.models.cpn.ml.lookup import TYPES, library_binding
from sweepcheck.models.cpn.ml.parsing import Parser
from sweepcheck.models.cpn.ml.scope import Binding, Scope, TypeBinding, mono
from sweepcheck.models.cpn.ml.source import Text, Where
from sweepcheck.models.cpn.ml.spelling import CLOCK, Names
from sweepcheck.models.cpn.ml.syntax import Expr
from sweepcheck.models.cpn.ml.types import BOOL, Applied, Type, Unifier, listed, record
from sweepcheck.models.cpn.ml.writing import Writer

FILENAME = "<CPN ML>"
DEEPEST = 20_000  # frames while a text is typed and written
_BUILTINS = {"tuple": tuple, "float": float}
_NAMES = re.compile(r"\b(?:val|fun|and|colset|var|globref|exception)\s+(?:rec\s+)?([A-Za-z][\w']*)")


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the net: its name, its name in Python, and its colour set."""

    name: str
    python: str
    colour: Colour


class Ml:
    """The CPN ML of one document. `overrides` are values, as text, for constants declared by `val`."""

    def __init__(self, overrides: Mapping[str, str] | None = None, folder: Path | None = None) -> None:
        self.colours: dict[str, Colour] = {}
        self.variables: dict[str, Variable] = {}
        self.notes: list[str] = []
        self.spelling: dict[str, str] = {}
        self.overridable: dict[str, str] = {}
        self.unifier = Unifier()
        self._overrides = dict(overrides or {})
        self._folder = folder
        self._parser = Parser()
        self._scope = Scope()
        self._globals: set[str] = set()  # names in Python
        self._spelt: set[str] = set()
        self._names = Names(self._globals, self._spelt)
        self._space: dict[str, Any] = {"__builtins__": _BUILTINS, **{n: getattr(running, n) for n in running.__all__}}
        self._written: list[str] = []
        self._used: set[Path] = set()
        self._missing: list[str] = []
        self._place_names: dict[str, str] = {}  # of places, in Python
        self._needed: dict[str, Binding] = {}

    @property
    def namespace(self) -> dict[str, Any]:
        """Everything that the Python of inscriptions may name, beside variables."""
        return {name: value for name, value in self._space.items() if not name.startswith("__")}

    @property
    def source(self) -> str:
        """The Python of all functions and values so far."""
        return "\n\n\n".join(self._written) + "\n" if self._written else ""

    # -- what inference asks -----------------------------------------------------------------------------------------

    def library(self, name: str) -> Binding | None:
        """What a name of the library means."""
        return library_binding(name)

    def library_type(self, name: str) -> TypeBinding | None:
        """What the name of a type of the library means."""
        return TYPES.get(name)

    def known_names(self) -> Iterable[str]:
        """Names that could have been meant."""
        return [*self._scope.values, *library.TABLE]

    def global_name(self, name: str) -> str:
        """A new name in Python for something of the document."""
        found = self._names.fresh(name)
        self._globals.add(found)
        return found

    def missing(self) -> str | None:
        """Files that were to be used and are not there: they may have what is lacking."""
        return f"{', '.join(self._missing)} could not be found beside the file" if self._missing else None

    # -- declarations ------------------------------------------------------------------------------------------------

    def declare(self, text: str, where: Where) -> None:
        """A block of declarations. One that is wrong is noted, and an error wherever its names are needed."""
        source = Text(text, where)
        try:
            nodes = self._parser.declarations(source)
        except ModelError as error:
            self._refuse(_NAMES.findall(text), error, source)
            return
        for node in nodes:
            self._declare(node, source)

    def _declare(self, node: syntax.Declaration, source: Text) -> None:
        try:
            with _deeply(source, node.at):
                self._declared(node, source)
        except ModelError as error:
            self._refuse(declared_names(node), error, source)

    def _refuse(self, names: list[str], error: ModelError, source: Text) -> None:
        shown = ", ".join(names) if len(names) <= 5 else f"{', '.join(names[:5])}, ..."
        self.notes.append(f"{source.where}: {shown or 'a declaration'} cannot be used: {error.what}")
        for name in names:
            refused = Binding(name, mono(types.UNIT), refused=error)
            self._scope.values[name] = refused
            self._scope.types[name] = TypeBinding(0, lambda: types.UNIT, error)
            self.colours.pop(name, None)

    def _declared(self, node: syntax.Declaration, source: Text) -> None:
        match node:
            case syntax.Var():
                self._var(node, source)
            case syntax.Globref():
                value = syntax.Apply(node.at, syntax.Name(node.at, "ref"), node.body)
                self._define(syntax.Val(node.at, syntax.Bind(node.at, node.name), value), source)
            case syntax.Use():
                self._use(node, source)
            case syntax.Colset():
                inference = self._inference(source, Names(self._globals).fresh)
                declare_colset(self, inference, node)
            case _:
                self._define(node, source)

    def _define(self, node: syntax.Declaration, source: Text) -> None:
        fresh = Names(self._globals).fresh
        inference = self._inference(source, fresh)
        if isinstance(node, syntax.Val):
            self._override(node, source)
        declare(inference, node)
        inference.settle()
        for function in _functions(node):
            if function.binding is not None:
                function.binding.clocked = inference.clocked
        writer = Writer(source, fresh, self._needs)
        self._space[CLOCK] = 0  # the time at which values are computed
        self._execute(writer.declarations((node,)), source)
        del self._space[CLOCK]

    def _override(self, node: syntax.Val, source: Text) -> None:
        if not isinstance(node.pattern, syntax.Bind):
            return
        name = node.pattern.name
        _, _, line = source.spot(node.body.at)
        self.overridable[name] = line.strip()
        if name in self._overrides:
            given = re.sub(r"^\s*-", "~", self._overrides[name])
            node.body = self._parser.expression(Text(given, Where("", f"the parameter {name}")))

    def _var(self, node: syntax.Var, source: Text) -> None:
        colour = self.colours.get(node.colour)
        if colour is None:
            inference = self._inference(source, str)
            found = self._scope.value(node.colour)
            if found is not None and found.refused is not None:
                raise inference.lookup_refused(found, node.colour, node.at)
            raise source.error("SC141", f"there is no colour set {node.colour!r}", node.at)
        for name in node.names:
            python = self.variables[name].python if name in self.variables else self._names.fresh(name)
            self._spelt.add(python)
            self.spelling[python] = name
            self.variables[name] = Variable(name, python, colour)
            self._scope.values[name] = Binding(name, mono(colour.type), python, "variable", colour=colour)

    def _use(self, node: syntax.Use, source: Text) -> None:
        name = node.path.replace("\\", "/").rpartition("/")[2]
        path = None if self._folder is None else self._folder / name
        if path is None or not path.is_file() or path.resolve().parent != path.parent.resolve():
            self._missing.append(name)
            self.notes.append(f"{source.where}: {name} is not beside the file: what it declares is not known")
            return
        if path in self._used:
            return
        self._used.add(path)
        self.declare(path.read_text(encoding="utf-8", errors="replace"), Where("", name))

    def _inference(self, source: Text, fresh: Callable[[str], str]) -> Inference:
        self.unifier.forget()
        return Inference(self, source, self._scope, fresh)

    # -- Python ------------------------------------------------------------------------------------------------------

    def _needs(self, binding: Binding) -> None:
        if binding.value is not None and binding.python:
            self._space.setdefault(binding.python, binding.value)
            self._globals.add(binding.python)
            self._needed[binding.python] = binding

    @property
    def definitions(self) -> dict[str, str]:
        """For each name of the library and of colour sets that was needed, the Python that defines it elsewhere."""
        found = {name: f"from {running.__name__} import {name}" for name in running.__all__}
        for python, binding in self._needed.items():
            text = defined(binding)
            if text is not None:
                found[python] = text
        return found

    def _execute(self, lines: list[str], source: Text) -> None:
        if lines:
            text = ast.unparse(ast.parse("\n".join(lines)))
            with _running(source):
                exec(compile(text, FILENAME, "exec"), self._space)
            self._written.append(text)

    def value(self, inference: Inference, node: Expr, wanted: Type) -> Any:
        """The value of an expression in a declaration."""
        found = inference.infer(node)
        inference.unify(found, wanted, node.at)
        inference.settle()
        lines: list[str] = []
        writer = Writer(inference.source, Names(self._globals).fresh, self._needs)
        text = writer.expression(node, lines)
        space = dict(self._space)
        with _running(inference.source):
            exec("\n".join([*lines, f"value_ = {text}"]), space)
        return space["value_"]

    # -- inscriptions ------------------------------------------------------------------------------------------------

    def inscription(self, text: str, where: Where, colour: Colour | None, kind: str) -> Inscription:
        """An inscription of a kind: marking, arc, guard, time, priority, code or expression."""
        return self._inscription(text, where, colour, kind, {})

    def predicate(self, text: str, what: str, places: Mapping[str, Colour]) -> Callable[[Mapping[str, Any]], Any]:
        """An expression over places, whose names stand for their multisets, as a function of these."""
        found = self._inscription(text, Where("", what), None, "expression", places)
        python = {self._place_names[name]: name for name in places}
        return lambda tokens: found.evaluate({name: tokens[python[name]] for name in found.names})

    def _inscription(
        self, text: str, where: Where, colour: Colour | None, kind: str, places: Mapping[str, Colour]
    ) -> Inscription:
        source = Text(text, where)
        if kind == "time":
            text = re.sub(r"^\s*@\+{1,2}", lambda sign: " " * len(sign[0]), text)
            source = Text(text if text.strip() else "0", where)
        if not text.strip() and kind in ("arc", "marking"):
            if colour is None or types.actual(colour.type) is not types.UNIT:
                raise source.error("SC141", "an arc without inscription needs a place of colour set UNIT", 0)
            source = Text("()" if kind == "arc" else "empty", where)
        scope = Scope(self._scope)
        for name, of in places.items():
            self._place_names[name] = self._place_names.get(name) or self._names.fresh(name)
            scope.values[name] = Binding(name, mono(listed(of.type)), self._place_names[name], "variable")
        names = Names(self._globals, self._spelt)
        inference = self._inference(source, names.fresh)
        inference.scope = scope
        inference.nesting = 1
        writer = Writer(source, names.fresh, self._needs)
        writer.starts_at_zero = kind == "marking"
        writer.in_inscription = True
        reading = Reading(inference, writer, self._extractor(source, kind), kind == "marking")
        with _deeply(source, 0):
            read = {"arc": self._multiset, "marking": self._multiset, "guard": self._guard, "code": self._code}
            return read.get(kind, self._plain)(reading, source, colour, kind)

    def _extractor(self, source: Text, kind: str) -> Callable[[list[str], str, list[str]], str]:
        def extract(lines: list[str], found: str, names: list[str]) -> str:
            name = self.global_name(f"{kind}_value")
            inner = [f"    {line}" for line in [*lines, f"return {found}"]]
            self._execute([f"def {name}({', '.join(names)}):", *inner], source)
            return f"{name}({', '.join(names)})"

        return extract

    def _finish(
        self, reading: Reading, source: Text, kind: str, python: str, nodes: Iterable[Expr], **more: Any
    ) -> Inscription:
        parts = list(nodes)
        names = frozenset[str]().union(*map(reading.names, parts))
        clocked = any(map(reading.is_clocked, parts))
        python = ast.unparse(ast.parse(python, mode="eval"))
        return Inscription(
            source.text,
            source.where,
            kind,
            python,
            names,
            uses_clock=clocked,
            run=self._runner(python, sorted(names) + [CLOCK] * clocked, source),
            **more,
        )

    def _runner(self, python: str, names: list[str], source: Text) -> Callable[[Mapping[str, Any]], Any]:
        made: list[Callable[..., Any]] = []

        def run(binding: Mapping[str, Any]) -> Any:
            with _running(source):
                if not made:
                    made.append(eval(f"lambda {', '.join(names)}: {python}", self._space))
                return made[0](*(binding[name] for name in names))

        return run

    def _multiset(self, reading: Reading, source: Text, colour: Colour | None, kind: str) -> Inscription:
        assert colour is not None
        node = self._parser.expression(source)
        mode = reading.mode(node, colour)
        reading.inference.settle()
        terms = reading.terms(node, mode)
        python = reading.whole(node, mode, colour)
        return self._finish(reading, source, kind, python, [node], terms=terms)

    def _guard(self, reading: Reading, source: Text, colour: Colour | None, kind: str) -> Inscription:
        del colour
        nodes = self._parser.guard(source)
        for node in nodes:
            reading.inference.unify(reading.inference.infer(node), Applied(BOOL), node.at, "a condition")
        reading.inference.settle()
        conditions = tuple(one for node in nodes for one in reading.conditions(node))
        python = " and ".join(f"({one.python})" for one in conditions) or "True"
        return self._finish(reading, source, kind, python, nodes, conditions=conditions)

    def _plain(self, reading: Reading, source: Text, colour: Colour | None, kind: str) -> Inscription:
        node = self._parser.expression(source)
        found = reading.inference.infer(node)
        if kind in ("time", "priority"):
            reading.inference.whole_number(node, found, kind)
        elif colour is not None:
            reading.inference.unify(found, colour.type, node.at)
        reading.inference.settle()
        return self._finish(reading, source, kind, reading.inline(node), [node])

    def _code(self, reading: Reading, source: Text, colour: Colour | None, kind: str) -> Inscription:
        del colour
        segment = self._parser.code(source)
        outputs = [reading.inference.variable(name) for name in segment.outputs]
        inputs = [reading.inference.variable(name) for name in segment.inputs]
        if segment.action is None:
            return self._finish(reading, source, kind, "()", [], code=Code((), (), "()"))
        try:
            found = reading.inference.infer(segment.action)
        except ModelError as error:
            if outputs or error.code != "SC142" or library.CHANGES in error.what:
                raise
            self.notes.append(f"{source.where}: left out, for nothing depends on it: {error.what}")
            return self._finish(reading, source, kind, "()", [], code=Code((), (), "()"))
        wanted = [binding.scheme.type for binding in outputs]
        if len(wanted) == 1:
            reading.inference.unify(found, wanted[0], segment.action.at, "the action")
        elif wanted:
            parts = record((str(number), one) for number, one in enumerate(wanted, 1))
            reading.inference.unify(found, parts, segment.action.at, "the action")
        reading.inference.settle()
        text = reading.inline(segment.action)
        python = f"({text},)" if len(outputs) == 1 else text if outputs else f"({text}, ())[1]"
        code = Code(tuple(one.python for one in inputs), tuple(one.python for one in outputs), python)
        return self._finish(reading, source, kind, python, [segment.action], code=code)


def _functions(node: syntax.Declaration) -> Iterator[syntax.Function]:
    if isinstance(node, syntax.Fun):
        yield from node.functions
    elif isinstance(node, syntax.Local):
        for one in (*node.hidden, *node.shown):
            yield from _functions(one)


@contextmanager
def _deeply(source: Text, at: int) -> Iterator[None]:
    """Room for deep trees; what is deeper still is an error."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        yield
    except (RecursionError, MemoryError, SyntaxError):
        raise source.error(
            "SC140", "the text is nested too deeply", at, "give parts of it names of their own"
        ) from None
    finally:
        sys.setrecursionlimit(limit)


@contextmanager
def _running(source: Text) -> Iterator[None]:
    """Errors of what runs know where it stands."""
    try:
        yield
    except ModelError as error:
        raise error.add(where=str(source.where)) from None
    except RecursionError:
        raise source.error("SC143", "the recursion has no end, or is too deep", 0, "mend its last case") from None
    except (OverflowError, MemoryError) as error:
        raise source.error("SC143", f"a value is too large: {error}", 0) from None
