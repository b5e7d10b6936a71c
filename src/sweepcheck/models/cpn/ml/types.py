"""Types of CPN ML, and how two of them are made one.

A type variable may be restricted to some basic types (an overloaded operator), to types with equality, or to records
with some fields (`#f`, `...`). What unification changes is written down, so that it can be tried and taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count


@dataclass(slots=True, eq=False)
class Data:
    """What makes types: `int`, `list`, a datatype. Two are the same only if they are one object."""

    name: str
    equality: bool = True
    constructors: tuple[str, ...] = ()


INT, REAL, STRING, CHAR = Data("int"), Data("real", equality=False), Data("string"), Data("char")
INTINF, BOOL, LIST, EXCEPTION = Data("intinf"), Data("bool"), Data("list"), Data("exn", equality=False)
TIMED, RECORD, FUNCTION = Data("timed"), Data("record"), Data("->", equality=False)
REFERENCE = Data("ref", equality=False)
KINDS = {
    "'num": frozenset({"int", "real", "intinf"}),
    "'whole": frozenset({"int", "intinf"}),
    "'ordered": frozenset({"int", "real", "intinf", "string", "char"}),
}

_numbers = count(1)


@dataclass(slots=True, eq=False)
class Variable:
    """A type that is not known yet, `meaning` once it is. What lies at a deeper level than a declaration is its own."""

    level: int
    meaning: Type | None = None
    kinds: frozenset[str] | None = None
    equality: bool = False
    fields: dict[str, Type] | None = None
    number: int = field(default_factory=lambda: next(_numbers))


@dataclass(slots=True, eq=False)
class Applied:
    """A type with its arguments; a record has labels, in the order of Standard ML."""

    data: Data
    arguments: tuple[Type, ...] = ()
    labels: tuple[str, ...] = ()


Type = Variable | Applied


@dataclass(frozen=True, slots=True)
class Scheme:
    """A type for all types of its variables."""

    variables: tuple[Variable, ...]
    type: Type


class Clash(Exception):  # noqa: N818 - turned into an error by whoever knows the place
    """Two types that cannot be one; the message says why where the types themselves do not."""


def ordered_labels(labels: Iterable[str]) -> list[str]:
    """Labels as Standard ML sorts them: numbers first."""
    return sorted(labels, key=lambda label: (0, int(label), "") if label.isdigit() else (1, 0, label))


def record(fields: Iterable[tuple[str, Type]]) -> Applied:
    """The type of records with these fields."""
    found = dict(fields)
    labels = tuple(ordered_labels(found))
    return Applied(RECORD, tuple(found[label] for label in labels), labels)


def product(*parts: Type) -> Applied:
    """The type of tuples."""
    return record((str(number), part) for number, part in enumerate(parts, 1))


def function(argument: Type, result: Type) -> Applied:
    """The type of functions."""
    return Applied(FUNCTION, (argument, result))


def listed(element: Type) -> Applied:
    """The type of lists, which multisets are as well."""
    return Applied(LIST, (element,))


def timed(element: Type) -> Applied:
    """The type of tokens with a time."""
    return Applied(TIMED, (element,))


UNIT = record(())
PLAIN = {data.name: Applied(data) for data in (INT, REAL, STRING, CHAR, INTINF, BOOL, EXCEPTION)}


def actual(given: Type) -> Type:
    """The type behind variables whose meaning is known."""
    while isinstance(given, Variable) and given.meaning is not None:
        given = given.meaning
    return given


def has_equality(given: Type) -> bool:
    """Whether values of a type can be compared, as far as it is known."""
    given = actual(given)
    return isinstance(given, Variable) or (given.data.equality and all(map(has_equality, given.arguments)))


def is_tuple(labels: tuple[str, ...]) -> bool:
    """Whether the labels are those of a tuple."""
    return len(labels) != 1 and labels == tuple(str(number) for number in range(1, len(labels) + 1))


def text(given: Type) -> str:
    """A type as ML writes it."""
    return _text(given, {}, 0)


def _text(given: Type, names: dict[int, str], depth: int) -> str:
    given = actual(given)
    if isinstance(given, Variable):
        if given.fields:
            inner = ", ".join(f"{label}: {_text(part, names, 0)}" for label, part in given.fields.items())
            return f"{{{inner}, ...}}"
        if given.kinds is not None:
            return "int" if "int" in given.kinds else min(given.kinds)
        return names.setdefault(given.number, "'" * (1 + given.equality) + chr(ord("a") + len(names) % 26))
    parts = given.arguments
    if given.data is FUNCTION:
        found = f"{_text(parts[0], names, 1)} -> {_text(parts[1], names, 0)}"
        return f"({found})" if depth else found
    if given.data is RECORD:
        if not parts:
            return "unit"
        if is_tuple(given.labels):
            found = " * ".join(_text(part, names, 2) for part in parts)
            return f"({found})" if depth > 1 else found
        fields = zip(given.labels, parts, strict=True)
        return "{" + ", ".join(f"{label}: {_text(part, names, 0)}" for label, part in fields) + "}"
    inner = " ".join(_text(part, names, 2) for part in parts)
    return f"{inner} {given.data.name}" if inner else given.data.name


class Unifier:
    """Makes types one, and remembers what it changed."""

    def __init__(self) -> None:
        self._changes: list[tuple[Variable, Type | None, int, frozenset[str] | None, bool, dict[str, Type] | None]] = []

    def unify(self, one: Type, other: Type) -> None:
        """Make two types one, or raise `Clash`."""
        one, other = actual(one), actual(other)
        if one is other:
            return
        if isinstance(one, Variable):
            self._bind(one, other)
        elif isinstance(other, Variable):
            self._bind(other, one)
        else:
            if one.data is not other.data or one.labels != other.labels or len(one.arguments) != len(other.arguments):
                raise Clash
            for mine, its in zip(one.arguments, other.arguments, strict=True):
                self.unify(mine, its)

    def possible(self, one: Type, other: Type) -> bool:
        """Make two types one if that is possible; else change nothing."""
        start = len(self._changes)
        try:
            self.unify(one, other)
        except Clash:
            self._take_back(start)
            return False
        return True

    @contextmanager
    def trial(self) -> Iterator[None]:
        """What is changed within is taken back when a `Clash` leaves it."""
        start = len(self._changes)
        try:
            yield
        except Clash:
            self._take_back(start)
            raise

    def forget(self) -> None:
        """Nothing from before is taken back any more."""
        self._changes.clear()

    def _take_back(self, start: int) -> None:
        while len(self._changes) > start:
            variable, meaning, level, kinds, equality, fields = self._changes.pop()
            variable.meaning, variable.level, variable.kinds = meaning, level, kinds
            variable.equality, variable.fields = equality, fields

    def _change(self, variable: Variable) -> None:
        old = variable.meaning, variable.level, variable.kinds, variable.equality, variable.fields
        self._changes.append((variable, *old))

    def _bind(self, variable: Variable, given: Type) -> None:
        self._adjust(variable, given, variable.level)
        self._change(variable)
        variable.meaning = given
        if variable.kinds is not None:
            self._restrict(given, variable.kinds)
        if variable.equality:
            self.compare(given)
        if variable.fields is not None:
            self._have(given, variable.fields)

    def _adjust(self, variable: Variable, given: Type, level: int) -> None:
        """Refuse a type within itself; what it is made of belongs no deeper than the variable."""
        given = actual(given)
        if given is variable:
            raise Clash("the type would contain itself")
        if isinstance(given, Variable):
            if given.level > level:
                self._change(given)
                given.level = level
            parts: Iterable[Type] = (given.fields or {}).values()
        else:
            parts = given.arguments
        for part in parts:
            self._adjust(variable, part, level)

    def _restrict(self, given: Type, kinds: frozenset[str]) -> None:
        if isinstance(given, Applied):
            if given.data.name not in kinds or given.arguments:
                raise Clash
            return
        common = kinds if given.kinds is None else given.kinds & kinds
        if not common or given.fields is not None:
            raise Clash
        self._change(given)
        given.kinds = common

    def compare(self, given: Type) -> None:
        """Restrict a type to one that has equality."""
        given = actual(given)
        if isinstance(given, Variable):
            if not given.equality:
                self._change(given)
                given.equality = True
                if given.kinds is not None:
                    given.kinds = given.kinds - {"real"}
            return
        if not given.data.equality:
            what = "functions" if given.data is FUNCTION else f"values of type {given.data.name}"
            raise Clash(f"{what} have no equality" + "; use Real.==" * (given.data is REAL))
        for part in given.arguments:
            self.compare(part)

    def _have(self, given: Type, fields: dict[str, Type]) -> None:
        if isinstance(given, Variable):
            merged = dict(given.fields or {})
            self._change(given)
            given.fields = merged
            for label, part in fields.items():
                if label in merged:
                    self.unify(merged[label], part)
                else:
                    merged[label] = part
            return
        if given.data is not RECORD:
            raise Clash
        own = dict(zip(given.labels, given.arguments, strict=True))
        for label, part in fields.items():
            if label not in own:
                raise Clash(f"there is no field {label!r}" + (f", but {', '.join(own)}" if own else ""))
            self.unify(own[label], part)
