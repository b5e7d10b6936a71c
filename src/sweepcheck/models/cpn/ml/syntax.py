"""Syntax trees of CPN ML. Every node knows its offset in the text; `type` is filled in by inference."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sweepcheck.models.cpn.ml.scope import Binding
    from sweepcheck.models.cpn.ml.types import Type


@dataclass(slots=True, eq=False)
class Node:
    """A piece of a program."""

    at: int


# -- types as they are written --------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class NamedType(Node):
    """A type by its name, with its arguments: `int list`. A name with a prime in front is a variable."""

    name: str
    arguments: tuple[TypeNode, ...] = ()


@dataclass(slots=True, eq=False)
class RecordType(Node):
    """The type of a record; that of a tuple has the labels 1, 2, ..."""

    fields: tuple[tuple[str, TypeNode], ...]


@dataclass(slots=True, eq=False)
class FunctionType(Node):
    """The type of a function."""

    argument: TypeNode
    result: TypeNode


TypeNode = NamedType | RecordType | FunctionType


# -- patterns -------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Wild(Node):
    """`_`."""


@dataclass(slots=True, eq=False)
class Bind(Node):
    """A variable, `x` or `x as pattern`; or, once names are known, a constructor without argument."""

    name: str
    inner: Pattern | None = None
    binding: Binding | None = None
    type: Type | None = None


@dataclass(slots=True, eq=False)
class Constant(Node):
    """A literal in a pattern."""

    value: Any
    kind: str
    type: Type | None = None


@dataclass(slots=True, eq=False)
class RecordPattern(Node):
    """A record or tuple; an open one ends in `...`."""

    fields: tuple[tuple[str, Pattern], ...]
    is_open: bool = False
    type: Type | None = None


@dataclass(slots=True, eq=False)
class ListPattern(Node):
    """`[a, b]`; with a rest, `a :: rest`."""

    items: tuple[Pattern, ...]
    rest: Pattern | None = None


@dataclass(slots=True, eq=False)
class Built(Node):
    """A constructor and its argument."""

    name: str
    argument: Pattern
    binding: Binding | None = None


@dataclass(slots=True, eq=False)
class TypedPattern(Node):
    """`pattern : type`."""

    inner: Pattern
    annotation: TypeNode


Pattern = Wild | Bind | Constant | RecordPattern | ListPattern | Built | TypedPattern


# -- expressions ----------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Literal(Node):
    """A number, text or character; `kind` is the name of its type."""

    value: Any
    kind: str
    type: Type | None = None


@dataclass(slots=True, eq=False)
class Name(Node):
    """A variable, constructor, operator or function of a structure."""

    name: str
    binding: Binding | None = None
    type: Type | None = None


@dataclass(slots=True, eq=False)
class Record(Node):
    """A record; tuples have the labels 1, 2, ..., unit has none."""

    fields: tuple[tuple[str, Expr], ...]
    type: Type | None = None


@dataclass(slots=True, eq=False)
class ListOf(Node):
    """`[a, b]`."""

    items: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Select(Node):
    """`#label`, a function."""

    label: str
    type: Type | None = None


@dataclass(slots=True, eq=False)
class Apply(Node):
    """A function and its argument; an operator is applied to a pair."""

    function: Expr
    argument: Expr
    note: str = ""  # what an overloaded operator of multisets turned out to be


@dataclass(slots=True, eq=False)
class Rule(Node):
    """`pattern => body`."""

    pattern: Pattern
    body: Expr


@dataclass(slots=True, eq=False)
class Fn(Node):
    """`fn pattern => body | ...`."""

    rules: tuple[Rule, ...]


@dataclass(slots=True, eq=False)
class Case(Node):
    """`case subject of ...`."""

    subject: Expr
    rules: tuple[Rule, ...]


@dataclass(slots=True, eq=False)
class If(Node):
    """`if condition then one else other`."""

    condition: Expr
    then: Expr
    otherwise: Expr
    note: str = ""  # which side is a multiset without times where the other one has times


@dataclass(slots=True, eq=False)
class Logic(Node):
    """`andalso`, `orelse`."""

    operator: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Let(Node):
    """`let declarations in body end`."""

    declarations: tuple[Declaration, ...]
    body: Expr


@dataclass(slots=True, eq=False)
class Sequence(Node):
    """`(a; b)`: the value of the last one."""

    parts: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Raise(Node):
    """`raise exception`."""

    value: Expr


@dataclass(slots=True, eq=False)
class Handle(Node):
    """`body handle rules`."""

    body: Expr
    rules: tuple[Rule, ...]


@dataclass(slots=True, eq=False)
class Typed(Node):
    """`body : type`."""

    body: Expr
    annotation: TypeNode


Expr = (
    Literal | Name | Record | ListOf | Select | Apply | Fn | Case | If | Logic | Let | Sequence | Raise | Handle | Typed
)


# -- declarations ---------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Val(Node):
    """`val pattern = body`."""

    pattern: Pattern
    body: Expr
    bindings: tuple[Binding, ...] = ()


@dataclass(slots=True, eq=False)
class Clause(Node):
    """One equation of a function."""

    name: str
    patterns: tuple[Pattern, ...]
    result: TypeNode | None
    body: Expr


@dataclass(slots=True, eq=False)
class Function(Node):
    """The equations of one function."""

    name: str
    clauses: tuple[Clause, ...]
    binding: Binding | None = None


@dataclass(slots=True, eq=False)
class Fun(Node):
    """`fun f ... and g ...`."""

    functions: tuple[Function, ...]


@dataclass(slots=True, eq=False)
class Datatype(Node):
    """`datatype 'a t = A | B of 'a`."""

    name: str
    variables: tuple[str, ...]
    constructors: tuple[tuple[str, TypeNode | None], ...]


@dataclass(slots=True, eq=False)
class TypeName(Node):
    """`type t = ...`."""

    name: str
    variables: tuple[str, ...]
    type: TypeNode


@dataclass(slots=True, eq=False)
class ExceptionName(Node):
    """`exception E of type`."""

    name: str
    argument: TypeNode | None
    binding: Binding | None = None


@dataclass(slots=True, eq=False)
class Local(Node):
    """`local ... in ... end`."""

    hidden: tuple[Declaration, ...]
    shown: tuple[Declaration, ...]


@dataclass(slots=True, eq=False)
class Open(Node):
    """`open Structure`."""

    names: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Colset(Node):
    """`colset name = kind ...`; `parts` are what the kind needs."""

    name: str
    kind: str
    parts: tuple[Any, ...] = ()
    timed: bool = False
    declared: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Var(Node):
    """`var a, b: C`."""

    names: tuple[str, ...]
    colour: str


@dataclass(slots=True, eq=False)
class Globref(Node):
    """`globref r = e`."""

    name: str
    body: Expr


@dataclass(slots=True, eq=False)
class Use(Node):
    """`use "file.sml"`, or `use (folder ^ "file.sml")`."""

    path: Expr


@dataclass(slots=True, eq=False)
class Structure(Node):
    """`structure S = struct declarations end`: names that are called S.name elsewhere."""

    name: str
    declarations: tuple[Declaration, ...]


@dataclass(slots=True, eq=False)
class Unsupported(Node):
    """A declaration that is read and not understood."""

    what: str
    names: tuple[str, ...] = ()


Declaration = (
    Val
    | Fun
    | Datatype
    | TypeName
    | ExceptionName
    | Local
    | Open
    | Colset
    | Var
    | Globref
    | Use
    | Structure
    | Unsupported
)


@dataclass(slots=True)
class CodeSegment:
    """`input (a, b); output (c); action e`."""

    inputs: tuple[Name, ...] = ()
    outputs: tuple[Name, ...] = ()
    action: Expr | None = field(default=None)


_NO_NODES = frozenset({"at", "type", "binding", "bindings", "name", "note"})
_PARTS: dict[type, tuple[str, ...]] = {}  # the fields in which a kind of node may have others


def _parts(kind: type[Node]) -> tuple[str, ...]:
    if kind not in _PARTS:
        names = [part.name for part in fields(kind)]
        _PARTS[kind] = tuple(name for name in names if name not in _NO_NODES)
    return _PARTS[kind]


def inside(node: Node) -> list[Node]:
    """The nodes that a node is made of."""
    found: list[Node] = []
    waiting: list[Any] = [getattr(node, name) for name in _parts(type(node))]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Node):
            found.append(one)
        elif isinstance(one, tuple):
            waiting += one
    return found
