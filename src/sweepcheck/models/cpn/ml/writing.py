"""Typed CPN ML as Python: expressions as expressions, and functions for what Python says in statements.

What a `case`, `let` or `handle` within an expression needs is written as a function before the statement it is in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sweepcheck.models.cpn.ml import syntax
from sweepcheck.models.cpn.ml.matching import Matching, always_matches
from sweepcheck.models.cpn.ml.running import LARGEST, SMALLEST
from sweepcheck.models.cpn.ml.scope import Binding
from sweepcheck.models.cpn.ml.source import Text
from sweepcheck.models.cpn.ml.spelling import CLOCK, spelt
from sweepcheck.models.cpn.ml.syntax import Expr, Pattern
from sweepcheck.models.cpn.ml.types import Applied, Type, actual, is_tuple

Lines = list[str]
_SAME = {"=": "==", "<>": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "^": "+", "^^": "+"}
_ARITHMETIC = frozenset({"+", "-", "*", "div", "mod", "~", "abs"})


def indented(lines: Lines) -> Lines:
    """The lines, one step to the right."""
    return ["    " + line for line in lines]


class Writer:
    """Writes what belongs to one declaration or inscription; `needs` is told of every name of the library it uses."""

    def __init__(self, source: Text, fresh: Callable[[str], str], needs: Callable[[Binding], None]) -> None:
        self.source = source
        self._fresh = fresh
        self._needs = needs
        self.starts_at_zero = False  # times of an initial marking count from 0

    # -- statements --------------------------------------------------------------------------------------------------

    def body(self, node: Expr) -> Lines:
        """The lines that return the value of an expression."""
        if isinstance(node, syntax.Let):
            return [*self.declarations(node.declarations), *self.body(node.body)]
        if isinstance(node, syntax.Typed):
            return self.body(node.body)
        if isinstance(node, syntax.Case):
            lines: Lines = []
            subject = self.expression(node.subject, lines)
            return lines + self._rules(subject, node.rules, "throw('Match')")
        if isinstance(node, syntax.Handle):
            inner = self._rules("error.value", node.rules, "raise")
            return [
                "try:",
                *indented(self.body(node.body)),
                "except Raised as error:",
                *indented(inner),
            ]
        if isinstance(node, syntax.Sequence):
            lines = []
            for part in node.parts[:-1]:
                lines.append(self.expression(part, lines))
            return lines + self.body(node.parts[-1])
        if isinstance(node, syntax.If) and _has_statements(node) and not node.note:
            lines = []
            condition = self.expression(node.condition, lines)
            return [*lines, f"if {condition}:", *indented(self.body(node.then)), *self.body(node.otherwise)]
        lines = []
        found = self.expression(node, lines)
        return [*lines, f"return {found}"]

    def _rules(self, subject: str, rules: tuple[syntax.Rule, ...], otherwise: str) -> Lines:
        first = rules[0]
        if always_matches(first.pattern):
            matching = Matching(self.source, self._fresh)
            target = matching.text(first.pattern)
            return [f"{target} = {subject}", *matching.after, *self.body(first.body)]
        lines = [f"match {subject}:"]
        for rule in rules:
            lines += indented(self._rule([rule.pattern], rule.body))
            if always_matches(rule.pattern):
                return lines
        return [*lines, *indented(["case _:", *indented([otherwise])])]

    def _rule(self, patterns: list[Pattern], body: Expr) -> Lines:
        matching = Matching(self.source, self._fresh)
        shown = [matching.text(pattern) for pattern in patterns]
        whole = shown[0] if len(shown) == 1 else f"({', '.join(shown)})"
        return [f"case {whole}:", *indented([*matching.after, *self.body(body)])]

    def declarations(self, nodes: tuple[syntax.Declaration, ...]) -> Lines:
        """The lines of declarations."""
        lines: Lines = []
        for node in nodes:
            if isinstance(node, syntax.Val):
                lines += self._val(node)
            elif isinstance(node, syntax.Fun):
                for one in node.functions:
                    lines += self._function(one)
            elif isinstance(node, syntax.Local):
                lines += self.declarations(node.hidden) + self.declarations(node.shown)
        return lines

    def _val(self, node: syntax.Val) -> Lines:
        lines: Lines = []
        value = self.expression(node.body, lines)
        matching = Matching(self.source, self._fresh)
        target = matching.text(node.pattern)
        if always_matches(node.pattern):
            return [*lines, f"{target} = {value}", *matching.after]
        refused = ["case _:", *indented(["throw('Bind')"])]
        return [
            *lines,
            f"match {value}:",
            *indented([f"case {target}:", *indented(matching.after or ["pass"]), *refused]),
        ]

    def _function(self, node: syntax.Function) -> Lines:
        assert node.binding is not None
        clock = [CLOCK] if node.binding.clocked and node.binding.is_global else []
        rows = [
            [
                part
                for size, pattern in zip(node.binding.shape, clause.patterns, strict=True)
                for part in _flat(size, pattern)
            ]
            for clause in node.clauses
        ]
        parameters, before = self._parameters(rows)
        head = f"def {node.binding.python}({', '.join(clock + parameters)}):"
        if len(rows) == 1 and all(map(always_matches, rows[0])):
            return [head, *indented([*before, *self.body(node.clauses[0].body)])]
        subject = parameters[0] if len(parameters) == 1 else f"({', '.join(parameters)})"
        lines = [f"match {subject}:"]
        complete = False
        for row, clause in zip(rows, node.clauses, strict=True):
            lines += indented(self._rule(row, clause.body))
            complete = all(map(always_matches, row))
            if complete:
                break
        if not complete:
            lines += indented(["case _:", *indented(["throw('Match')"])])
        return [head, *indented(lines)]

    def _parameters(self, rows: list[list[Pattern]]) -> tuple[list[str], Lines]:
        """Names for the arguments; those of the patterns, where there is one equation that takes everything."""
        if len(rows) > 1 or not all(map(always_matches, rows[0])):
            return [self._fresh(f"a{number}") for number in range(1, len(rows[0]) + 1)], []
        names: list[str] = []
        before: Lines = []
        for number, pattern in enumerate(rows[0], 1):
            matching = Matching(self.source, self._fresh)
            shown = matching.text(pattern)
            if shown.isidentifier() and shown != "_":
                names.append(shown)
            else:
                names.append(self._fresh(f"a{number}"))
                before += [] if shown == "_" else [f"{shown} = {names[-1]}"]
        return names, before

    # -- expressions -------------------------------------------------------------------------------------------------

    def expression(self, node: Expr, lines: Lines) -> str:
        """The expression in Python, in brackets where needed; functions that it calls are put into `lines`."""
        match node:
            case syntax.Literal():
                return self._literal(node)
            case syntax.Name():
                return self._name(node)
            case syntax.Record():
                return self._record(node, lines, self.expression)
            case syntax.ListOf():
                return _display([self.expression(item, lines) for item in node.items])
            case syntax.Typed():
                return self.expression(node.body, lines)
            case syntax.Logic():
                word = "and" if node.operator == "andalso" else "or"
                return f"({self._lazy(node.left, lines)} {word} {self._lazy(node.right, lines)})"
            case syntax.If():
                condition = self.expression(node.condition, lines)
                then, otherwise = self._lazy(node.then, lines), self._lazy(node.otherwise, lines)
                then = f"delayed({then}, 0)" if node.note == "lift left" else then
                otherwise = f"delayed({otherwise}, 0)" if node.note == "lift right" else otherwise
                return f"({then} if {condition} else {otherwise})"
            case syntax.Raise():
                return f"throw({self.expression(node.value, lines)})"
            case syntax.Fn():
                return self._fn(node, lines)
            case syntax.Select():
                return f"(lambda whole_: whole_[{_place(node)}])"
            case syntax.Apply():
                return self._apply(node, lines)
        name = self._fresh(type(node).__name__.lower())
        lines += [f"def {name}():", *indented(self.body(node))]
        return f"{name}()"

    _lazy = expression  # functions that are put before are only called where the expression stands

    def token(self, node: Expr, lines: Lines) -> str:
        """A token: its integers are not looked at here, because the place refuses those outside its colour set."""
        match node:
            case syntax.Record():
                return self._record(node, lines, self.token)
            case syntax.ListOf():
                return _display([self.token(item, lines) for item in node.items])
            case syntax.Typed():
                return self.token(node.body, lines)
            case syntax.Apply(function=syntax.Name(name="+" | "-" | "*")):
                found = self.expression(node, lines)
                return found.removeprefix("whole")
            case syntax.Apply(function=syntax.Name(binding=Binding(kind="constructor", value=value))):
                return f"({value!r}, {self.token(node.argument, lines)})"
            case syntax.Apply(function=syntax.Name(name="::")) if isinstance(node.argument, syntax.Record):
                return self._cons(node, lines, self.token)
        return self.expression(node, lines)

    def _literal(self, node: syntax.Literal) -> str:
        assert node.type is not None
        if node.kind == "int" and _data(node.type) == "int" and not SMALLEST <= node.value <= LARGEST:
            raise self.source.error(
                "SC141",
                f"{str(node.value)[:40]} is too large for an int",
                node.at,
                f"an int is at most {LARGEST}; intinf has no limits",
            )
        if node.kind == "real" and node.value in (float("inf"), float("-inf")):
            raise self.source.error("SC141", "the number is too large for a real", node.at)
        return f"({node.value!r})" if node.kind in ("int", "real") and node.value < 0 else repr(node.value)

    def _record(self, node: syntax.Record, lines: Lines, inner: Callable[[Expr, Lines], str]) -> str:
        assert node.type is not None
        whole = actual(node.type)
        assert isinstance(whole, Applied)
        parts = {label: inner(part, lines) for label, part in node.fields}
        ordered = _display([parts[label] for label in whole.labels])
        if list(parts) == list(whole.labels) or sum(not _is_simple(part) for _, part in node.fields) < 2:
            return ordered
        # Fields are computed as they are written, which tells when two of them raise an exception.
        names = {label: f"{spelt(label)}_" for label in parts}
        made = _display([names[label] for label in whole.labels])
        return f"(lambda {', '.join(names.values())}: {made})({', '.join(parts.values())})"

    def _fn(self, node: syntax.Fn, lines: Lines) -> str:
        rule = node.rules[0]
        flat = _flat(_size(rule.pattern), rule.pattern) if len(node.rules) == 1 else []
        if flat and all(_is_name(part) for part in flat):
            inner: Lines = []
            names = [
                Matching(self.source, self._fresh).text(part) if not isinstance(part, syntax.Wild) else self._fresh("a")
                for part in flat
            ]
            shown = self.expression(rule.body, inner) if not _has_statements(rule.body) else ""
            if not inner and shown:
                made = f"(lambda {', '.join(names)}: {shown})"
                return made if len(names) == 1 else f"tupled{made}"
        name, argument = self._fresh("fn"), self._fresh("a")
        lines += [f"def {name}({argument}):", *indented(self._rules(argument, node.rules, "throw('Match')"))]
        return name

    # -- names -------------------------------------------------------------------------------------------------------

    def _name(self, node: syntax.Name) -> str:
        """A name that stands for its value; functions take one argument then."""
        binding = node.binding
        assert binding is not None
        if binding.kind in ("constructor", "exception"):
            return f"(lambda a_: ({binding.value!r}, a_))" if binding.has_argument else repr(binding.value)
        if binding.kind == "function" and binding.shape:
            if node.name in ("time", "intTime", "ModelTime.time"):
                return f"(lambda _: {CLOCK})"
            names = [f"a{number}_" for number in range(1, len(binding.shape) + 1)]
            called = self._overloaded(node, binding)
            if binding.shape == (1,) and not binding.clocked:
                return called
            if len(binding.shape) == 1 and not binding.clocked:
                return f"tupled({called})"
            flat = [name if size == 1 else f"*{name}" for name, size in zip(names, binding.shape, strict=True)]
            clock = [CLOCK] if binding.clocked and binding.is_global else []
            return "(" + "".join(f"lambda {name}: " for name in names) + f"{called}({', '.join(clock + flat)}))"
        if binding.value == () and not binding.shape and binding.name in ("empty", "nil"):
            return "()"
        self._needs(binding)
        return binding.python

    def _overloaded(self, node: syntax.Name, binding: Binding) -> str:
        """The name of a function; of an overloaded one that for integers, which overflows."""
        self._needs(binding)
        if node.name in _ARITHMETIC and binding.value is not None and node.type is not None:
            if _data(_first(node.type)) == "int":
                size = binding.shape[0]
                names = ", ".join(f"b{number}_" for number in range(1, size + 1))
                return f"(lambda {names}: whole({binding.python}({names})))"
        return binding.python

    # -- applications ------------------------------------------------------------------------------------------------

    def _apply(self, node: syntax.Apply, lines: Lines) -> str:
        head, arguments = _spine(node)
        if isinstance(head, syntax.Select):
            found = f"{self.expression(arguments[0], lines)}[{_place(head)}]"
            return found + "".join(f"({self.expression(one, lines)})" for one in arguments[1:])
        if isinstance(head, syntax.Name) and head.binding is not None:
            found, used = self._call(head, head.binding, arguments, node, lines)
        else:
            found, used = self.expression(head, lines), 0
        return found + "".join(f"({self.expression(one, lines)})" for one in arguments[used:])

    def _call(
        self, head: syntax.Name, binding: Binding, arguments: list[Expr], node: syntax.Apply, lines: Lines
    ) -> tuple[str, int]:
        """A call of what a name means, and how many of the arguments it takes."""
        if binding.kind in ("constructor", "exception"):
            return f"({binding.value!r}, {self.expression(arguments[0], lines)})", 1
        if binding.kind != "function" or not binding.shape:
            return self._name(head), 0
        if head.name in ("time", "ModelTime.time", "intTime") and binding.clocked and not binding.is_global:
            return "0" if self.starts_at_zero else CLOCK, 1
        if binding.value is not None and (special := self._operator(head, arguments[0], node, lines)) is not None:
            return special, 1
        if len(arguments) < len(binding.shape):
            return self._partial(head, binding, arguments, lines)
        flat = [CLOCK] if binding.clocked and binding.is_global else []
        for size, argument in zip(binding.shape, arguments, strict=False):
            flat += self._flat_argument(size, argument, lines)
        self._needs(binding)
        found = f"{binding.python}({', '.join(flat)})"
        if head.name in _ARITHMETIC and binding.value is not None and head.type is not None:
            found = f"whole({found})" if _data(_first(head.type)) == "int" else found
        return found, len(binding.shape)

    def _partial(self, head: syntax.Name, binding: Binding, arguments: list[Expr], lines: Lines) -> tuple[str, int]:
        """Fewer arguments than the function has: what remains is a function of one argument after another."""
        if any(size != 1 for size in binding.shape) or binding.clocked or len(binding.shape) - len(arguments) != 1:
            return self._name(head), 0
        self._needs(binding)
        given = [self.expression(argument, lines) for argument in arguments]
        return f"partial({binding.python}, {', '.join(given)})", len(arguments)

    def _flat_argument(self, size: int, argument: Expr, lines: Lines) -> list[str]:
        while isinstance(argument, syntax.Typed):
            argument = argument.body
        if size == 1:
            return [self.expression(argument, lines)]
        if isinstance(argument, syntax.Record) and len(argument.fields) == size:
            return [self.expression(part, lines) for _, part in argument.fields]
        return [f"*{self.expression(argument, lines)}"]

    def _operator(self, head: syntax.Name, argument: Expr, node: syntax.Apply, lines: Lines) -> str | None:
        """What Python has an operator for."""
        name = head.name
        if name in ("ref", "!"):  # a reference that nothing changes is its value
            return self.expression(argument, lines)
        if name == "not":
            return f"(not {self.expression(argument, lines)})"
        if name == "~":
            inner = f"(-{self.expression(argument, lines)})"
            return f"whole{inner}" if head.type is not None and _data(_first(head.type)) == "int" else inner
        if not isinstance(argument, syntax.Record) or len(argument.fields) != 2:
            return None
        (_, left), (_, right) = argument.fields
        if name == "::":
            return self._cons(node, lines, self.expression)
        one, other = self.expression(left, lines), self.expression(right, lines)
        if name in _SAME:
            return f"({one} {_SAME[name]} {other})"
        if name in ("+", "-", "*"):
            assert head.type is not None
            return "whole" * (_data(_first(head.type)) == "int") + f"({one} {name} {other})"
        if name == "`":
            return f"({other},)" if one == "1" else f"times({one}, {other})"
        if name in ("++", "+++"):
            one = f"delayed({one}, 0)" if node.note == "lift left" else one
            other = f"delayed({other}, 0)" if node.note == "lift right" else other
            return f"({one} + {other})"
        if name == "/":
            return f"divide({one}, {other})"
        if name == "@":
            return f"({one}, {other})" if self.starts_at_zero else f"({one}, {other} - {CLOCK})"
        if name in ("@+", "@++", "@@"):
            way = {"token": f"(({one}, {other}),)", "ms": f"delayed({one}, {other})"}
            return way.get(node.note, f"later({one}, {other})")
        return None

    def _cons(self, node: syntax.Apply, lines: Lines, inner: Callable[[Expr, Lines], str]) -> str:
        parts: list[str] = []
        rest: Any = node
        while _is_cons(rest):
            (_, item), (_, rest) = rest.argument.fields
            parts.append(inner(item, lines))
        if isinstance(rest, syntax.ListOf):
            return _display(parts + [inner(item, lines) for item in rest.items])
        last = self.expression(rest, lines)
        return _display(parts if last == "()" else [*parts, f"*{last}"])


# -- trees ------------------------------------------------------------------------------------------------------------


def _is_cons(node: Any) -> bool:
    match node:
        case syntax.Apply(function=syntax.Name(name="::"), argument=syntax.Record(fields=(_, _))):
            return True
    return False


def _spine(node: syntax.Apply) -> tuple[Expr, list[Expr]]:
    arguments: list[Expr] = []
    found: Expr = node
    while isinstance(found, syntax.Apply):
        arguments.append(found.argument)
        found = found.function
    return found, arguments[::-1]


def _display(parts: list[str]) -> str:
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def _is_simple(node: Expr) -> bool:
    """Whether computing it raises nothing."""
    if isinstance(node, syntax.Record):
        return all(_is_simple(part) for _, part in node.fields)
    return isinstance(node, syntax.Literal | syntax.Name | syntax.Fn | syntax.Select)


def _has_statements(node: Expr) -> bool:
    match node:
        case syntax.Let() | syntax.Case() | syntax.Handle() | syntax.Sequence():
            return True
        case syntax.If():
            return _has_statements(node.then) or _has_statements(node.otherwise)
        case syntax.Typed():
            return _has_statements(node.body)
    return False


def _size(pattern: Pattern) -> int:
    while isinstance(pattern, syntax.TypedPattern):
        pattern = pattern.inner
    if isinstance(pattern, syntax.RecordPattern) and not pattern.is_open and len(pattern.fields) > 1:
        return len(pattern.fields) if is_tuple(tuple(label for label, _ in pattern.fields)) else 1
    return 1


def _flat(size: int, pattern: Pattern) -> list[Pattern]:
    """The parts of a pattern for an argument that Python takes flat."""
    if size == 1:
        return [pattern]
    while isinstance(pattern, syntax.TypedPattern):
        pattern = pattern.inner
    assert isinstance(pattern, syntax.RecordPattern)
    return [part for _, part in pattern.fields]


def _is_name(pattern: Pattern) -> bool:
    while isinstance(pattern, syntax.TypedPattern):
        pattern = pattern.inner
    return isinstance(pattern, syntax.Wild) or (isinstance(pattern, syntax.Bind) and always_matches(pattern))


def _first(given: Type) -> Type:
    """The type of the first operand of an operator."""
    found = actual(given)
    assert isinstance(found, Applied)
    argument = actual(found.arguments[0])
    if isinstance(argument, Applied) and argument.labels:
        return argument.arguments[0]
    return argument


def _data(given: Type) -> str:
    found = actual(given)
    return found.data.name if isinstance(found, Applied) else "int"


def _place(node: syntax.Select) -> int:
    assert node.type is not None
    whole = actual(node.type)
    assert isinstance(whole, Applied)
    return whole.labels.index(node.label)
