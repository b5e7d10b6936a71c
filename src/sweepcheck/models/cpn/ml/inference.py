"""Types of expressions and patterns, inferred. Names get their meaning here, and overloaded operators their types."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sweepcheck.errors import ModelError
from sweepcheck.models.cpn.ml import syntax, types
from sweepcheck.models.cpn.ml.context import Context
from sweepcheck.models.cpn.ml.scope import Binding, Scope, mono
from sweepcheck.models.cpn.ml.syntax import Expr, Pattern
from sweepcheck.models.cpn.ml.trees import walk
from sweepcheck.models.cpn.ml.types import (
    KINDS,
    PLAIN,
    UNIT,
    Applied,
    Type,
    Variable,
    actual,
    function,
    listed,
    record,
    text,
    timed,
)

BOOL, EXN = PLAIN["bool"], PLAIN["exn"]
TIMES = KINDS["'num"]  # what a time can be written as; real ones are refused later


class Inference(Context):
    """Infers the types of patterns and expressions of one text."""

    # -- patterns ----------------------------------------------------------------------------------------------------

    def pattern(self, node: Pattern, bound: dict[str, syntax.Bind]) -> Type:
        """The type of what a pattern matches; its variables come into `bound`."""
        if isinstance(node, syntax.Wild):
            return self.fresh()
        if isinstance(node, syntax.Bind):
            return self._bind_pattern(node, bound)
        if isinstance(node, syntax.Constant):
            node.type = self._literal_type(node.kind, node.at)
            return node.type
        if isinstance(node, syntax.TypedPattern):
            found = self.pattern(node.inner, bound)
            self.unify(found, self.meaning(node.annotation), node.at, "this pattern")
            return found
        if isinstance(node, syntax.ListPattern):
            element = self.fresh()
            for item in node.items:
                self.unify(self.pattern(item, bound), element, item.at, "this part of the list")
            if node.rest is not None:
                self.unify(self.pattern(node.rest, bound), listed(element), node.rest.at, "the rest of the list")
            return listed(element)
        if isinstance(node, syntax.RecordPattern):
            fields = {label: self.pattern(part, bound) for label, part in node.fields}
            node.type = record(fields.items())
            if node.is_open:
                node.type = Variable(self.level, fields=fields)
                self.pending.append((node.type, node.at))
            return node.type
        return self._built_pattern(node, bound)

    def _bind_pattern(self, node: syntax.Bind, bound: dict[str, syntax.Bind]) -> Type:
        known = None if node.inner is not None else self._constructor(node.name)
        if known is not None:
            node.binding = known
            if known.has_argument:
                raise self.error(f"constructor {node.name!r} needs an argument here", node.at)
            return self.instance(known.scheme, node.at)
        if node.name in bound:
            raise self.error(f"variable {node.name!r} occurs twice in the pattern", node.at)
        bound[node.name] = node
        node.type = self.fresh()
        if node.inner is not None:
            self.unify(self.pattern(node.inner, bound), node.type, node.at)
        return node.type

    def _built_pattern(self, node: syntax.Built, bound: dict[str, syntax.Bind]) -> Type:
        known = self._constructor(node.name)
        if known is None or not known.has_argument:
            raise self.error(f"{node.name!r} is no constructor with an argument", node.at)
        node.binding = known
        made = actual(self.instance(known.scheme, node.at))
        assert isinstance(made, Applied)
        argument, result = made.arguments
        self.unify(self.pattern(node.argument, bound), argument, node.at, f"the argument of {node.name}")
        return result

    def _constructor(self, name: str) -> Binding | None:
        found = self.scope.value(name) or self.world.library(name)
        return found if found is not None and found.kind in ("constructor", "exception") else None

    def bind_pattern(self, bound: dict[str, syntax.Bind]) -> None:
        """Bring the variables of a pattern into scope."""
        for name, node in bound.items():
            assert node.type is not None
            node.binding = self.bind(name, mono(node.type))

    # -- expressions -------------------------------------------------------------------------------------------------

    def infer(self, node: Expr) -> Type:
        """The type of an expression."""
        method: Callable[[Any], Type] = getattr(self, f"_{type(node).__name__.lower()}")
        return method(node)

    def _literal(self, node: syntax.Literal) -> Type:
        node.type = self._literal_type(node.kind, node.at)
        return node.type

    def _literal_type(self, kind: str, at: int) -> Type:
        if kind != "int":
            return PLAIN[kind]
        made = Variable(self.level, kinds=KINDS["'whole"])
        self.pending.append((made, at))
        return made

    def _name(self, node: syntax.Name) -> Type:
        node.binding = self.lookup(node.name, node.at)
        self.clocked = self.clocked or node.binding.clocked
        self.draws |= node.binding.draws
        if node.binding.kind == "variable":
            self.variables[node.name] = node.binding
        node.type = self.instance(node.binding.scheme, node.at)
        return node.type

    _op = _name

    def _record(self, node: syntax.Record) -> Type:
        node.type = record([(label, self.infer(part)) for label, part in node.fields])
        return node.type

    def _listof(self, node: syntax.ListOf) -> Type:
        element = self.fresh()
        for item in node.items:
            self.unify(self.infer(item), element, item.at, "this element")
        return listed(element)

    def _select(self, node: syntax.Select) -> Type:
        part = self.fresh()
        whole = Variable(self.level, fields={node.label: part})
        self.pending.append((whole, node.at))
        node.type = whole
        return function(whole, part)

    def _apply(self, node: syntax.Apply) -> Type:
        if isinstance(node.function, syntax.Name) and isinstance(node.argument, syntax.Record):
            special = {
                "++": self._sum,
                "+++": self._sum,
                "@+": self._delay,
                "@++": self._delay,
                "@@": self._delay,
                "@": self._stamp,
            }
            if node.function.name in special and len(node.argument.fields) == 2:
                node.function.binding = self.lookup(node.function.name, node.function.at)
                if node.function.binding.value is not None:  # that of the library
                    (_, left), (_, right) = node.argument.fields
                    return special[node.function.name](node, left, right)
        wanted = actual(self.infer(node.function))
        given = self.infer(node.argument)
        if isinstance(wanted, Variable):
            result: Type = self.fresh()
            self.unify(wanted, function(given, result), node.function.at, "this")
            return result
        if wanted.data is not types.FUNCTION:
            raise self.error(f"this has type {text(wanted)} and is no function", node.function.at)
        argument, result = wanted.arguments
        self._argument(node, given, argument)
        return result

    def _argument(self, node: syntax.Apply, given: Type, wanted: Type) -> None:
        """An argument of the type that is wanted; the parts of a tuple one by one, so that an error points at one."""
        match actual(given), actual(wanted), node.argument:
            case Applied() as whole, Applied() as needed, syntax.Record() as written if whole.labels == needed.labels:
                parts = dict(written.fields)
                for label, mine, its in zip(whole.labels, whole.arguments, needed.arguments, strict=True):
                    self.unify(mine, its, parts[label].at)
            case _:
                self.unify(given, wanted, node.argument.at, _argument_words(node.function))

    def _sum(self, node: syntax.Apply, left: Expr, right: Expr) -> Type:
        """`++`: where one side is timed, the other is so too, without delay."""
        one, other = self.fresh(), self.fresh()
        self.unify(self.infer(left), listed(one), left.at, "the left side of ++")
        self.unify(self.infer(right), listed(other), right.at, "the right side of ++")
        node.note = self._lifted(one, other)
        if node.note:
            return listed(other if node.note == "lift left" else one)
        self.unify(other, one, right.at, "a token on the right side of ++")
        return listed(one)

    def _lifted(self, one: Type, other: Type) -> str:
        """Which of two multisets has no times where the other one has: it gets them, without delay."""
        mine, its = actual(one), actual(other)
        for note, lone, whole in (("lift right", its, mine), ("lift left", mine, its)):
            is_timed = isinstance(whole, Applied) and whole.data is types.TIMED
            if is_timed and isinstance(lone, Applied) and lone.data is not types.TIMED:
                assert isinstance(whole, Applied)
                return note if self.unifier.possible(lone, whole.arguments[0]) else ""
        return ""

    def _delay(self, node: syntax.Apply, left: Expr, right: Expr) -> Type:
        """`@+` behind a token or behind a multiset."""
        given = self.infer(left)
        self._time(right)
        element = self.fresh() if self.colour is None else self.colour
        ways: list[tuple[str, Type]] = [("tms", listed(timed(element))), ("ms", listed(element)), ("token", element)]
        if self.colour is not None:
            ways = [ways[2], ways[1], ways[0]]
        elif isinstance(actual(given), Variable):
            ways = ways[2:]
        for way, wanted in ways:
            if self.unifier.possible(given, wanted):
                node.note = way
                return listed(timed(element))
        raise self.error(f"this has type {text(given)}, and {text(element)} is needed", left.at)

    def _stamp(self, node: syntax.Apply, left: Expr, right: Expr) -> Type:  # noqa: ARG002
        """`@` builds a token with an absolute time."""
        given = self.infer(left)
        self._time(right)
        self.clocked = True
        return timed(given)

    def _time(self, node: Expr) -> None:
        given = self.infer(node)
        wanted = Variable(self.level, kinds=TIMES)
        self.pending.append((wanted, node.at))
        if not self.unifier.possible(given, wanted):
            advice = "lists are put together by ^^" if isinstance(actual(given), Applied) else None
            raise self.error(f"a time is needed, and this has type {text(given)}", node.at, advice)
        found = actual(given)
        if isinstance(found, Applied) and found.data is types.REAL:
            self._refuse_real(node)

    def whole_number(self, node: Expr, found: Type, what: str) -> None:
        """The type of a delay or priority."""
        wanted = Variable(self.level, kinds=KINDS["'whole"])
        self.pending.append((wanted, node.at))
        if self.unifier.possible(found, wanted):
            return
        given = actual(found)
        if isinstance(given, Applied) and given.data is types.REAL and what == "time":
            self._refuse_real(node)
        raise self.error(f"a {what} is a whole number, and this has type {text(found)}", node.at)

    def _refuse_real(self, node: Expr) -> None:
        raise self.source.error(
            "SC142", "a time is a real number", node.at, "only whole times are supported: round the delay"
        )

    def variable(self, node: syntax.Name) -> Binding:
        """A variable of the net."""
        found = self.lookup(node.name, node.at)
        if found.kind != "variable":
            raise self.error(f"{node.name!r} is no variable of the net", node.at)
        return found

    def rules(self, rules: tuple[syntax.Rule, ...], argument: Type, result: Type) -> None:
        """Rules of `case`, `fn` and `handle`: patterns of one type, bodies of another."""
        outer = self.scope
        self.nesting += 1
        for rule in rules:
            self.scope = Scope(outer)
            bound: dict[str, syntax.Bind] = {}
            self.unify(self.pattern(rule.pattern, bound), argument, rule.at, "this pattern")
            self.bind_pattern(bound)
            self.unify(self.infer(rule.body), result, rule.body.at, "this branch")
        self.scope = outer
        self.nesting -= 1

    def _fn(self, node: syntax.Fn) -> Type:
        argument, result = self.fresh(), self.fresh()
        self.rules(node.rules, argument, result)
        return function(argument, result)

    def _case(self, node: syntax.Case) -> Type:
        result = self.fresh()
        self.rules(node.rules, self.infer(node.subject), result)
        return result

    def _if(self, node: syntax.If) -> Type:
        self.unify(self.infer(node.condition), BOOL, node.condition.at, "the condition")
        then, otherwise = self.infer(node.then), self.infer(node.otherwise)
        mine, its = actual(then), actual(otherwise)
        if isinstance(mine, Applied) and isinstance(its, Applied) and mine.data is its.data is types.LIST:
            node.note = self._lifted(mine.arguments[0], its.arguments[0])
        if node.note:
            return otherwise if node.note == "lift left" else then
        self.unify(otherwise, then, node.otherwise.at, "what stands behind else")
        return then

    def _logic(self, node: syntax.Logic) -> Type:
        for side in (node.left, node.right):
            self.unify(self.infer(side), BOOL, side.at, f"a side of {node.operator}")
        return BOOL

    def _let(self, node: syntax.Let) -> Type:
        from sweepcheck.models.cpn.ml.declaring import declare  # which infers expressions

        outer = self.scope
        self.scope = Scope(outer)
        self.nesting += 1
        node.declarations = tuple(
            one for one in node.declarations if not self._left_out(one, partial(declare, self, one))
        )
        found = self.infer(node.body)
        self.scope = outer
        self.nesting -= 1
        return found

    def _sequence(self, node: syntax.Sequence) -> Type:
        *effects, last = node.parts
        node.parts = (*(one for one in effects if not self._left_out(one, partial(self.infer, one))), last)
        return self.infer(last)

    def _left_out(self, node: syntax.Node, typed: Callable[[], object]) -> bool:
        """Whether a part that only prints, draws or writes is passed over: its value is not used, or none of its names.

        The names that it would declare are refused wherever they are needed after all. What raises an exception, or
        changes a reference, is not passed over.
        """
        from sweepcheck.models.cpn.ml.declaring import declared_names

        scope, level, nesting, waiting = self.scope, self.level, self.nesting, len(self.pending)
        try:
            typed()
        except ModelError as error:
            raises = any(isinstance(one, syntax.Raise) for one in walk(node))
            if error.code != "SC142" or raises or self.world.changes(node):
                raise
            self.scope, self.level, self.nesting = scope, level, nesting
            del self.pending[waiting:]
            for name in declared_names(node):  # type: ignore[arg-type] # of an expression there are none
                self.scope.values[name] = Binding(name, mono(UNIT), refused=error)
            note = f"{self.source.where}: left out, for nothing depends on it: {error.what}"
            if note not in self.world.notes:
                self.world.notes.append(note)
            return True
        return False

    def _raise(self, node: syntax.Raise) -> Type:
        self.unify(self.infer(node.value), EXN, node.value.at, "what is raised")
        return self.fresh()

    def _handle(self, node: syntax.Handle) -> Type:
        found = self.infer(node.body)
        self.rules(node.rules, EXN, found)
        return found

    def _typed(self, node: syntax.Typed) -> Type:
        found = self.infer(node.body)
        self.unify(found, self.meaning(node.annotation), node.at)
        return found


def _argument_words(node: Expr) -> str:
    return f"the argument of {node.name}" if isinstance(node, syntax.Name) else "the argument"
