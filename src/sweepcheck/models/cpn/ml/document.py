"""Ml: the declarations of one document, and its inscriptions."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from sweepcheck.errors import ModelError
from sweepcheck.models.cpn.ml import library, running, syntax, types
from sweepcheck.models.cpn.ml.colours import Colour
from sweepcheck.models.cpn.ml.colsets import declare_colset, defined
from sweepcheck.models.cpn.ml.declaring import declare, declared_names
from sweepcheck.models.cpn.ml.inference import Inference
from sweepcheck.models.cpn.ml.inscribing import Inscriber
from sweepcheck.models.cpn.ml.inscriptions import Inscription
from sweepcheck.models.cpn.ml.lookup import TYPES, library_binding
from sweepcheck.models.cpn.ml.parsing import Parser
from sweepcheck.models.cpn.ml.scope import Binding, Scope, TypeBinding, mono
from sweepcheck.models.cpn.ml.source import Text, Where
from sweepcheck.models.cpn.ml.spelling import CLOCK, Names
from sweepcheck.models.cpn.ml.syntax import Expr
from sweepcheck.models.cpn.ml.trees import walk
from sweepcheck.models.cpn.ml.types import PLAIN, Type, Unifier, listed
from sweepcheck.models.cpn.ml.writing import Writer

FILENAME = "<CPN ML>"
SOURCES = (".sml", ".ml", ".sig", ".fun")
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
        self.parser = Parser()
        self._scope = Scope()
        self._globals: set[str] = set()  # names in Python
        self._spelt: set[str] = set()
        self._names = Names(self._globals, self._spelt)
        self.space: dict[str, Any] = {"__builtins__": _BUILTINS, **{n: getattr(running, n) for n in running.__all__}}
        self._written: list[str] = []
        self._used: set[Path] = set()
        self._missing: dict[str, Where] = {}
        self.changing = set(library.REFERENCES)  # names that change a reference, perhaps through others
        self._place_names: dict[str, str] = {}  # of places, in Python
        self._needed: dict[str, Binding] = {}

    @property
    def namespace(self) -> dict[str, Any]:
        """Everything that the Python of inscriptions may name, beside variables."""
        return {name: value for name, value in self.space.items() if not name.startswith("__")}

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

    @property
    def missing(self) -> Mapping[str, Where]:
        """Files that were to be used and are not there, each with the place that names it."""
        return self._missing

    # -- declarations ------------------------------------------------------------------------------------------------

    def declare(self, text: str, where: Where) -> None:
        """A block of declarations. One that is wrong is noted, and an error wherever its names are needed."""
        source = Text(text, where)
        try:
            nodes = self.parser.declarations(source)
        except ModelError as error:
            names = _NAMES.findall(text)
            if self.changing & set(re.findall(r":=|[\w']+", text)):
                self.changing.update(names)
            self._refuse(names, error, source)
            return
        for node in nodes:
            self._find_changes(node)
            self._declare(node, source)

    def _find_changes(self, node: syntax.Declaration) -> None:
        """Take down the names that change a reference, perhaps through others."""
        if isinstance(node, syntax.Structure):
            for inner in node.declarations:
                self._find_changes(inner)
            declared = {name for inner in node.declarations for name in declared_names(inner)}
            self.changing.update(f"{node.name}.{name}" for name in declared & self.changing)
        elif self.changes(node):
            self.changing.update(declared_names(node))

    def changes(self, node: syntax.Node) -> bool:
        """Whether a reference may be changed, which others take for a constant; one that is refused has no others."""
        parts = list(walk(node))
        unread = {id(one.function) for one in parts if isinstance(one, syntax.Apply) and self._is_unread(one)}
        names = (one for one in parts if isinstance(one, syntax.Name) and id(one) not in unread)
        return any(one.name in self.changing for one in names)

    def _is_unread(self, node: syntax.Apply) -> bool:
        """Whether a call is an assignment to a reference that is refused, so that nothing reads it."""
        match node.function, node.argument:
            case syntax.Name(name=":="), syntax.Record(fields=((_, syntax.Name(name=name)), _)):
                found = self._scope.value(name)
                return found is not None and found.refused is not None
        return False

    def _declare(self, node: syntax.Declaration, source: Text) -> None:
        try:
            with source.deeply(node.at):
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
            case syntax.Structure():
                self._structure(node, source)
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
        for name in declared_names(node):
            if (found := self._scope.value(name)) is not None:
                found.draws = inference.draws
        writer = Writer(source, fresh, self._needs)
        self.space[CLOCK] = 0  # the time at which values are computed
        self.execute(writer.declarations((node,)), source)
        del self.space[CLOCK]

    def _override(self, node: syntax.Val, source: Text) -> None:
        if not isinstance(node.pattern, syntax.Bind):
            return
        name = node.pattern.name
        _, _, line = source.spot(node.body.at)
        self.overridable[name] = line.strip()
        if name in self._overrides:
            given = re.sub(r"^\s*-", "~", self._overrides[name])
            node.body = self.parser.expression(Text(given, Where("", f"the parameter {name}")))

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
        """Declare what another file does. One that is not there is noted, and said wherever a name is not known."""
        inference = self._inference(source, Names(self._globals).fresh)
        named = str(self.value(inference, node.path, PLAIN["string"]))
        path = used_file(named, self._folder)
        if path is None:
            where = replace(source.where, line=source.where.line + source.spot(node.at)[0] - 1)
            self._missing[named] = where
            self.notes.append(f"{where}: {named} is not beside the file: what it declares is not known")
        elif path not in self._used:
            self._used.add(path)
            self.declare(path.read_text(encoding="utf-8", errors="replace"), Where("", path.name))

    def _structure(self, node: syntax.Structure, source: Text) -> None:
        """Declare what is inside, each by itself, under the names that it has outside."""
        outer, self._scope = self._scope, Scope(self._scope)
        for one in node.declarations:
            self._declare(one, source)
        inner, self._scope = self._scope, outer
        outer.values.update({f"{node.name}.{name}": found for name, found in inner.values.items()})
        outer.types.update({f"{node.name}.{name}": kind for name, kind in inner.types.items()})

    def _inference(self, source: Text, fresh: Callable[[str], str]) -> Inference:
        self.unifier.forget()
        return Inference(self, source, self._scope, fresh)

    # -- Python ------------------------------------------------------------------------------------------------------

    def _needs(self, binding: Binding) -> None:
        if binding.value is not None and binding.python:
            self.space.setdefault(binding.python, binding.value)
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

    def execute(self, lines: list[str], source: Text) -> None:
        """Define what the lines define."""
        if lines:
            text = ast.unparse(ast.parse("\n".join(lines)))
            with source.running():
                exec(compile(text, FILENAME, "exec"), self.space)
            self._written.append(text)

    def value(self, inference: Inference, node: Expr, wanted: Type) -> Any:
        """The value of an expression in a declaration."""
        found = inference.infer(node)
        inference.unify(found, wanted, node.at)
        inference.settle()
        lines: list[str] = []
        writer = Writer(inference.source, Names(self._globals).fresh, self._needs)
        text = writer.expression(node, lines)
        space = dict(self.space)
        with inference.source.running():
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
        try:
            return self._inscriber(source, kind, places).read(colour)
        except ModelError as error:
            # `n + 1 @+ 5` is a sum with a delay, though @+ binds more strongly: CPN Tools takes it so as well.
            if error.code != "SC141" or kind not in ("arc", "marking") or "@" not in text:
                raise
            again = self._inscriber(source, kind, places)
            again.weak_times = True
            try:
                return again.read(colour)
            except ModelError:
                raise error from None

    def _inscriber(self, source: Text, kind: str, places: Mapping[str, Colour]) -> Inscriber:
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
        return Inscriber(self, inference, writer, kind)


def used_file(named: str, folder: Path | None) -> Path | None:
    """The file that `use` names: as a relative path, else the end of it beside the net or below.

    The folders before that are those of its author. Only files of Standard ML lie elsewhere.
    """
    path = PurePosixPath(named.replace("\\", "/"))
    if folder is None:
        return None
    home, parts = folder.resolve(), path.parts
    if not path.is_absolute() and path.suffix in SOURCES and home.joinpath(path).is_file():
        return home.joinpath(path).resolve()
    for start in range(len(parts)):
        found = home.joinpath(*parts[start:])
        if found.is_file() and found.resolve().is_relative_to(home):
            return found
    return None


def _functions(node: syntax.Declaration) -> Iterator[syntax.Function]:
    if isinstance(node, syntax.Fun):
        yield from node.functions
    elif isinstance(node, syntax.Local):
        for one in (*node.hidden, *node.shown):
            yield from _functions(one)
