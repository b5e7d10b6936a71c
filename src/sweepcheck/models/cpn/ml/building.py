"""One node for each rule of the grammar: what `parsing` calls, from the leaves up."""

from __future__ import annotations

from typing import Any

from lark import Token

from sweepcheck.models.cpn.ml import syntax
from sweepcheck.models.cpn.ml.colsetbuilding import ColsetBuilder
from sweepcheck.models.cpn.ml.precedence import Fixities, Precedence
from sweepcheck.models.cpn.ml.source import Text
from sweepcheck.models.cpn.ml.syntax import Expr, Pattern, TypeNode

CONS = "::"


class Op(syntax.Name):
    """A name behind `op`: no operator."""


class Builder(ColsetBuilder):
    """Each method is called with the offset of what it builds and the parts it is built from."""

    def __init__(self, fixities: Fixities, source: Text) -> None:
        self.fixities = fixities
        self.source = source

    # -- declarations ------------------------------------------------------------------------------------------------

    def declarations(self, at: int, *parts: Any) -> Any:  # noqa: ARG002
        found: list[syntax.Declaration] = []
        for part in parts:
            found += part if isinstance(part, list) else [part]
        return tuple(found)

    def vals(self, at: int, *parts: Any) -> Any:  # noqa: ARG002
        return [part for part in parts if not isinstance(part, Token)]

    def valbind(self, at: int, pattern: Pattern, body: Expr) -> Any:
        return syntax.Val(at, pattern, body)

    def recursive(self, at: int, *vals: Any) -> Any:
        functions = []
        for val in vals:
            body, name = val.body, val.pattern
            if isinstance(name, syntax.TypedPattern):
                name = name.inner
            if not isinstance(body, syntax.Fn) or not isinstance(name, syntax.Bind):
                raise self.source.error("SC140", "val rec needs fn", at, "write val rec f = fn x => ..., or fun f x")
            clauses = tuple(syntax.Clause(r.at, name.name, (r.pattern,), None, r.body) for r in body.rules)
            functions.append(syntax.Function(val.at, name.name, clauses))
        return syntax.Fun(at, tuple(functions))

    def fun(self, at: int, *functions: Any) -> Any:
        return syntax.Fun(at, tuple(one for one in functions if not isinstance(one, Token)))

    def function(self, at: int, *clauses: Any) -> Any:
        first = clauses[0]
        for clause in clauses:
            if clause.name != first.name or len(clause.patterns) != len(first.patterns):
                raise self.source.error(
                    "SC140",
                    f"the equations of {first.name!r} do not have one name and one number of arguments",
                    clause.at,
                )
        return syntax.Function(at, first.name, tuple(clauses))

    def clause(self, at: int, name: Token | syntax.Name, *rest: Any) -> Any:
        *patterns, result, body = rest
        return syntax.Clause(
            at, name.name if isinstance(name, syntax.Name) else str(name), tuple(patterns), result, body
        )

    def infix_clause(self, at: int, left: Pattern, name: Token, right: Pattern, result: Any, body: Any) -> Any:
        pair = syntax.RecordPattern(at, (("1", left), ("2", right)))
        return syntax.Clause(at, str(name), (pair,), result, body)

    def datatypes(self, at: int, *found: Any) -> Any:  # noqa: ARG002
        return list(found)

    typenames = exceptions = datatypes

    def datatype(self, at: int, variables: Any, name: Token, *constructors: Any) -> Any:
        return syntax.Datatype(at, str(name), variables, constructors)

    def constructor(self, at: int, name: Token, argument: TypeNode | None) -> Any:  # noqa: ARG002
        return str(name), argument

    def typename(self, at: int, variables: Any, name: Token, meaning: TypeNode) -> Any:
        return syntax.TypeName(at, str(name), variables, meaning)

    def typevars(self, at: int, *names: Any) -> Any:  # noqa: ARG002
        return tuple(str(name) for name in names if name is not None)

    def exception(self, at: int, name: Token, argument: TypeNode | None) -> Any:
        return syntax.ExceptionName(at, str(name), argument)

    def local(self, at: int, hidden: Any, shown: Any) -> Any:
        return syntax.Local(at, hidden, shown)

    def opened(self, at: int, *names: Token) -> Any:
        return syntax.Open(at, tuple(map(str, names)))

    def infix(self, at: int, word: Token, level: Token | None, *operators: syntax.Name) -> Any:  # noqa: ARG002
        for operator in operators:
            self.fixities[operator.name] = (int(level or 0), word.type == "INFIXR")
        return []

    def nonfix(self, at: int, *operators: syntax.Name) -> Any:  # noqa: ARG002
        for operator in operators:
            self.fixities.pop(operator.name, None)
        return []

    def structure(self, at: int, *parts: Any) -> Any:
        if len(parts) == 1:  # what stands behind the equals sign
            return parts[0]
        if isinstance(parts[-1], tuple):
            return syntax.Structure(at, str(parts[0]), parts[-1])
        return syntax.Unsupported(at, "another name for a structure", (str(parts[0]),))

    anything = structure

    def globref(self, at: int, name: Token, body: Expr) -> Any:
        return syntax.Globref(at, str(name), body)

    def use(self, at: int, path: Expr) -> Any:
        return syntax.Use(at, path)

    def var(self, at: int, *names: Token) -> Any:
        return syntax.Var(at, tuple(map(str, names[:-1])), str(names[-1]))

    def operator(self, at: int, name: Token) -> Any:
        return syntax.Name(at, str(name))

    # -- expressions -------------------------------------------------------------------------------------------------

    def handle(self, at: int, body: Expr, rules: Any) -> Any:
        return syntax.Handle(at, body, rules)

    def logic(self, at: int, left: Expr, operator: Token, right: Expr) -> Any:
        return syntax.Logic(at, str(operator), left, right)

    def annotated(self, at: int, body: Expr, annotation: TypeNode) -> Any:
        return syntax.Typed(at, body, annotation)

    def raised(self, at: int, value: Expr) -> Any:
        return syntax.Raise(at, value)

    def if_(self, at: int, condition: Expr, then: Expr, otherwise: Expr) -> Any:
        return syntax.If(at, condition, then, otherwise)

    def case_of(self, at: int, subject: Expr, rules: Any) -> Any:
        return syntax.Case(at, subject, rules)

    def fn(self, at: int, rules: Any) -> Any:
        return syntax.Fn(at, rules)

    def while_(self, at: int, condition: Expr, body: Expr) -> Any:
        return syntax.Apply(at, syntax.Name(at, "while"), self.tuple_value(at, condition, body))

    def match(self, at: int, *rules: Any) -> Any:  # noqa: ARG002
        return rules

    def rule(self, at: int, pattern: Pattern, body: Expr) -> Any:
        return syntax.Rule(at, pattern, body)

    def sequence(self, at: int, *items: Any) -> Any:  # noqa: ARG002
        return Precedence(self.fixities, self.source).ordered(list(items))

    def plain(self, at: int, name: Token) -> Any:
        return syntax.Name(at, str(name))

    def integer(self, at: int, digits: Token) -> Any:
        return syntax.Literal(at, self._whole(at, digits), "int")

    def real(self, at: int, digits: Token) -> Any:
        return syntax.Literal(at, float(str(digits).replace("~", "-")), "real")

    def text(self, at: int, value: Token) -> Any:
        return syntax.Literal(at, str(value), "string")

    def character(self, at: int, value: Token) -> Any:
        return syntax.Literal(at, str(value), "char")

    def select(self, at: int, label: Token) -> Any:
        return syntax.Select(at, str(label))

    def op(self, at: int, name: syntax.Name) -> Any:
        return Op(at, name.name)

    def unit_value(self, at: int) -> Any:
        return syntax.Record(at, ())

    def bracketed(self, at: int, inner: Expr) -> Any:
        return Op(at, inner.name) if isinstance(inner, syntax.Name) else inner

    def tuple_value(self, at: int, *items: Expr) -> Any:
        return syntax.Record(at, tuple((str(number), item) for number, item in enumerate(items, 1)))

    def block(self, at: int, *parts: Expr) -> Any:
        return syntax.Sequence(at, parts)

    def list_value(self, at: int, *items: Expr | None) -> Any:
        return syntax.ListOf(at, tuple(item for item in items if item is not None))

    def record_value(self, at: int, *fields: Any) -> Any:
        return syntax.Record(at, self._fields(at, fields))

    def field(self, at: int, label: str, value: Expr) -> Any:  # noqa: ARG002
        return label, value

    def label(self, at: int, name: Token) -> Any:  # noqa: ARG002
        return str(name)

    def let(self, at: int, declarations: Any, *parts: Expr) -> Any:
        return syntax.Let(at, declarations, parts[0] if len(parts) == 1 else syntax.Sequence(at, parts))

    # -- patterns ----------------------------------------------------------------------------------------------------

    def typed_pattern(self, at: int, inner: Pattern, annotation: TypeNode) -> Any:
        return syntax.TypedPattern(at, inner, annotation)

    def as_pattern(self, at: int, name: Pattern, inner: Pattern) -> Any:
        if not isinstance(name, syntax.Bind) or name.inner is not None:
            raise self.source.error("SC140", "before `as` stands a variable", at, "write x as (a, b)")
        return syntax.Bind(at, name.name, inner)

    def patterns(self, at: int, *items: Any) -> Any:
        """Constructors with their arguments, put together by `::`."""
        parts: list[list[Any]] = [[]]
        for item in items:
            if isinstance(item, Token):
                if str(item) != CONS:
                    raise self.source.error("SC140", f"{str(item)!r} cannot stand in a pattern", at)
                parts.append([])
            else:
                parts[-1].append(item)
        whole = [self._built_pattern(at, part) for part in parts]
        found = whole.pop()
        while whole:
            head = whole.pop()
            if isinstance(found, syntax.ListPattern):
                found = syntax.ListPattern(at, (head, *found.items), found.rest)
            else:
                found = syntax.ListPattern(at, (head,), found)
        return found

    def _built_pattern(self, at: int, part: Any) -> Pattern:
        if len(part) == 1:
            found: Pattern = part[0]
            return found
        if len(part) == 2 and isinstance(part[0], syntax.Bind) and part[0].inner is None:
            return syntax.Built(part[0].at, part[0].name, part[1])
        raise self.source.error("SC140", "a pattern is a constructor and its argument", at)

    def pattern_operator(self, at: int, sign: Token) -> Any:  # noqa: ARG002
        return sign

    def wild(self, at: int) -> Any:
        return syntax.Wild(at)

    def integer_pattern(self, at: int, digits: Token) -> Any:
        return syntax.Constant(at, self._whole(at, digits), "int")

    def text_pattern(self, at: int, value: Token) -> Any:
        return syntax.Constant(at, str(value), "string")

    def character_pattern(self, at: int, value: Token) -> Any:
        return syntax.Constant(at, str(value), "char")

    def name_pattern(self, at: int, name: Any) -> Any:
        return syntax.Bind(at, name.name if isinstance(name, syntax.Name) else str(name))

    def unit_pattern(self, at: int) -> Any:
        return syntax.RecordPattern(at, ())

    def bracketed_pattern(self, at: int, inner: Pattern) -> Any:  # noqa: ARG002
        return inner

    def tuple_pattern(self, at: int, *items: Pattern) -> Any:
        return syntax.RecordPattern(at, tuple((str(number), item) for number, item in enumerate(items, 1)))

    def list_pattern(self, at: int, *items: Pattern | None) -> Any:
        return syntax.ListPattern(at, tuple(item for item in items if item is not None))

    def record_pattern(self, at: int, *fields: Any) -> Any:
        return syntax.RecordPattern(at, self._fields(at, [one for one in fields if one != "..."]), "..." in fields)

    def pattern_field(self, at: int, label: str, inner: Pattern) -> Any:  # noqa: ARG002
        return label, inner

    def pun(self, at: int, name: Token, annotation: TypeNode | None, inner: Pattern | None) -> Any:
        bound: Pattern = syntax.Bind(at, str(name), inner)
        return str(name), bound if annotation is None else syntax.TypedPattern(at, bound, annotation)

    def dots(self, at: int) -> Any:  # noqa: ARG002
        return "..."

    # -- types -------------------------------------------------------------------------------------------------------

    def function_type(self, at: int, argument: TypeNode, result: TypeNode) -> Any:
        return syntax.FunctionType(at, argument, result)

    def product_type(self, at: int, *items: TypeNode) -> Any:
        return syntax.RecordType(at, tuple((str(number), item) for number, item in enumerate(items, 1)))

    def named_type(self, at: int, name: Token) -> Any:
        return syntax.NamedType(at, str(name))

    def bracketed_type(self, at: int, inner: TypeNode) -> Any:  # noqa: ARG002
        return inner

    def applied_type(self, at: int, *parts: Any) -> Any:
        return syntax.NamedType(at, str(parts[-1]), parts[:-1])

    def record_type(self, at: int, *fields: Any) -> Any:
        return syntax.RecordType(at, self._fields(at, fields))

    def type_field(self, at: int, label: str, inner: TypeNode) -> Any:  # noqa: ARG002
        return label, inner

    # -- inscriptions ------------------------------------------------------------------------------------------------

    def guard(self, at: int, *conditions: Expr) -> Any:  # noqa: ARG002
        if len(conditions) == 1 and isinstance(conditions[0], syntax.ListOf):
            return conditions[0].items
        return conditions

    def code(self, at: int, inputs: Any, outputs: Any, *actions: Expr | None) -> Any:
        parts = [part for part in actions if part is not None]
        action = None if not parts else parts[0] if len(parts) == 1 else syntax.Sequence(at, tuple(parts))
        return syntax.CodeSegment(inputs or (), outputs or (), action)

    def names(self, at: int, *names: Token | None) -> Any:
        return tuple(syntax.Name(name.start_pos or at, str(name)) for name in names if name is not None)

    # -- what several need -------------------------------------------------------------------------------------------

    def _whole(self, at: int, digits: Token) -> int:
        text = str(digits).replace("~", "-")
        if len(text) > 4000:
            raise self.source.error("SC140", f"a number has {len(text):,} digits", at, "at most 4000 are read")
        return int(text, 16 if digits.type == "HEX" else 10)

    def _fields(self, at: int, given: Any) -> tuple[tuple[str, Any], ...]:
        fields = [one for one in given if one is not None]
        labels = [label for label, _ in fields]
        for label in labels:
            if labels.count(label) > 1:
                raise self.source.error("SC140", f"label {label!r} occurs twice", at)
        return tuple(fields)
