"""What inference knows while it goes through a text: the names in scope, and the types that are still to be found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from sweepcheck.errors import ModelError, closest
from sweepcheck.models.cpn.ml import syntax
from sweepcheck.models.cpn.ml.scope import Binding, Scope, TypeBinding
from sweepcheck.models.cpn.ml.source import Text, Where
from sweepcheck.models.cpn.ml.syntax import TypeNode
from sweepcheck.models.cpn.ml.types import (
    KINDS,
    PLAIN,
    Applied,
    Clash,
    Scheme,
    Type,
    Unifier,
    Variable,
    actual,
    function,
    record,
    text,
)


class World(Protocol):
    """What inference asks of a document."""

    unifier: Unifier

    def library(self, name: str) -> Binding | None: ...

    def library_type(self, name: str) -> TypeBinding | None: ...

    def global_name(self, name: str) -> str: ...

    def known_names(self) -> Iterable[str]: ...

    notes: list[str]

    def changes(self, node: syntax.Node) -> bool: ...

    @property
    def missing(self) -> Mapping[str, Where]: ...


class Context:
    """Types and names of one text. `colour` is the type of the place that an inscription belongs to."""

    def __init__(self, world: World, source: Text, scope: Scope, local_name: Callable[[str], str]) -> None:
        self.world = world
        self.source = source
        self.scope = scope
        self.colour: Type | None = None
        self.clocked = False
        self.variables: dict[str, Binding] = {}  # of the net, that were used
        self.nesting = 0  # functions around
        self.draws: frozenset[str] = frozenset()  # the random functions that were used
        self.defining: list[Binding] = []  # functions whose equations are being read
        self.level = 1
        self.unifier = world.unifier
        self._local_name = local_name
        self.pending: list[tuple[Variable, int]] = []
        self.annotated: dict[str, Variable] = {}

    # -- types -------------------------------------------------------------------------------------------------------

    def fresh(self) -> Variable:
        """A type that nothing is known of."""
        return Variable(self.level)

    def error(self, what: str, at: int, suggestion: str | None = None) -> ModelError:
        """A type or name that does not fit."""
        return self.source.error("SC141", what, at, suggestion)

    def unify(self, found: Type, wanted: Type, at: int, what: str = "this") -> None:
        """Make a type the one that is wanted, or say that it is not."""
        try:
            with self.unifier.trial():
                self.unifier.unify(found, wanted)
        except Clash as clash:
            why = f": {clash}" if str(clash) else ""
            raise self.error(
                f"{what} has type {text(found)}, and {text(wanted)} is needed{why}", at, _conversion(found, wanted)
            ) from None

    def settle(self) -> None:
        """Give overloaded operators that nothing decides the type int; records must be known by now."""
        for variable, at in self.pending:
            left = actual(variable)
            if not isinstance(left, Variable):
                continue
            if left.fields is not None:
                raise self.error(
                    f"of the record only the fields {', '.join(left.fields)} are known",
                    at,
                    "give its type: (r: COLOUR)",
                )
            if left.kinds is not None:
                name = "int" if "int" in left.kinds else min(left.kinds)
                self.unifier.unify(left, PLAIN[name])
        self.pending.clear()

    def instance(self, scheme: Scheme, at: int) -> Type:
        """The type of one use of a generic name."""
        if not scheme.variables:
            return scheme.type
        copies = {}
        for variable in scheme.variables:
            copy = Variable(self.level, None, variable.kinds, variable.equality)
            copies[id(variable)] = copy
            if variable.kinds is not None:
                self.pending.append((copy, at))
        return _copied(scheme.type, copies)

    def generalised(self, given: Type) -> Scheme:
        """The type with its own variables made generic; those that are overloaded stay as they are."""
        found: dict[int, Variable] = {}
        self._collect(given, found)
        return Scheme(tuple(found.values()), given)

    def _collect(self, given: Type, found: dict[int, Variable]) -> None:
        given = actual(given)
        if isinstance(given, Variable):
            if given.level > self.level:
                if given.kinds is None and given.fields is None:
                    found[id(given)] = given
                else:
                    given.level = self.level
                    for part in (given.fields or {}).values():
                        self._lower(part)
            return
        for part in given.arguments:
            self._collect(part, found)

    def _lower(self, given: Type) -> None:
        given = actual(given)
        if isinstance(given, Variable):
            given.level = min(given.level, self.level)
            return
        for part in given.arguments:
            self._lower(part)

    def meaning(self, node: TypeNode) -> Type:
        """The type that is written there."""
        if isinstance(node, syntax.FunctionType):
            return function(self.meaning(node.argument), self.meaning(node.result))
        if isinstance(node, syntax.RecordType):
            return record((label, self.meaning(part)) for label, part in node.fields)
        if node.name.startswith("'"):
            if node.name not in self.annotated:
                made = Variable(self.level, None, KINDS.get(node.name), node.name.startswith("''"))
                self.annotated[node.name] = made
            return self.annotated[node.name]
        found = self.scope.type(node.name) or self.world.library_type(node.name)
        if found is None:
            outside = self.world.library(node.name)  # the type of a file, or of a connection
            if outside is not None and outside.refused is not None:
                raise self._refused(outside.refused, node.name, node.at)
            raise self.error(f"there is no type {node.name!r}", node.at)
        if found.refused is not None:
            raise self._refused(found.refused, node.name, node.at)
        if found.arity != len(node.arguments):
            raise self.error(f"type {node.name!r} has {found.arity} arguments, not {len(node.arguments)}", node.at)
        return found.make(*map(self.meaning, node.arguments))

    # -- names -------------------------------------------------------------------------------------------------------

    def lookup(self, name: str, at: int) -> Binding:
        """What a name means here."""
        found = self.scope.value(name)
        if found is None and "." not in name:
            inside = (f"{structure}.{name}" for structure in self.scope.structures())
            known = (self.scope.value(one) or self.world.library(one) for one in inside)
            found = next((one for one in known if one is not None), None)
        found = found or self.world.library(name)
        if found is None:
            raise self._unknown(name, at)
        if found.refused is not None:
            raise self._refused(found.refused, name, at)
        if found in self.defining:
            found.recursive = True
        return found

    def _unknown(self, name: str, at: int) -> ModelError:
        """The error for a name that nothing declares; a file that was not found may."""
        if not self.world.missing:
            return self.error(f"there is no {name!r}", at, closest(name, self.world.known_names()))
        files = ", ".join(self.world.missing)
        told = self.source.error(
            "SC142",
            f"there is no {name!r}, and {files}, which may declare it, is not there",
            at,
            "put the file beside the net, or below it",
        )
        told.values = (*told.values, *(("used by", f"{name}: {where}") for name, where in self.world.missing.items()))
        return told

    def _refused(self, why: ModelError, name: str, at: int) -> ModelError:
        told = self.source.error(why.code, f"{name!r} cannot be used: {why.what}", at, why.suggestion)
        if why.where is not None:
            told.values = (*told.values, ("because of", why.where), *why.values)
        return told

    def lookup_refused(self, binding: Binding, name: str, at: int) -> ModelError:
        """The error for a name that cannot be used."""
        assert binding.refused is not None
        return self._refused(binding.refused, name, at)

    def bind(self, name: str, scheme: Scheme, kind: str = "value") -> Binding:
        """A new name: one of the document where no function is around it."""
        is_global = self.nesting == 0
        python = self.world.global_name(name) if is_global else self._local_name(name)
        made = Binding(name, scheme, python, kind, is_global=is_global)
        self.scope.values[name] = made
        return made


_CONVERSIONS = {
    ("int", "string"): "convert it: Int.toString n",
    ("string", "int"): "convert it: valOf (Int.fromString s)",
    ("int", "real"): "convert it: real n",
    ("real", "int"): "convert it: round r",
    ("intinf", "int"): "convert it: IntInf.toInt n",
    ("int", "intinf"): "convert it: IntInf.fromInt n",
    ("real", "string"): "convert it: Real.toString r",
    ("bool", "string"): "convert it: Bool.toString b",
}


def _conversion(found: Type, wanted: Type) -> str | None:
    """How to make a value of the type that is wanted, where the library has a function for it."""
    return _CONVERSIONS.get((text(found), text(wanted)))


def _copied(given: Type, copies: dict[int, Variable]) -> Type:
    given = actual(given)
    if isinstance(given, Variable):
        return copies.get(id(given), given)
    if not given.arguments:
        return given
    return Applied(given.data, tuple(_copied(part, copies) for part in given.arguments), given.labels)
