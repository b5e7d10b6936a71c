"""Typed CPN ML as Python: expressions as expressions, and functions for what Python says in statements.

What a `case`, `let` or `handle` within an expression needs is written as a function before the statement it is in.
"""

from __future__ import annotations

from collections.abc import Callable

from sweepcheck.models.cpn.ml import syntax
from sweepcheck.models.cpn.ml.calling import Calls, Lines
from sweepcheck.models.cpn.ml.matching import Matching, always_matches
from sweepcheck.models.cpn.ml.running import LARGEST, SMALLEST
from sweepcheck.models.cpn.ml.scope import Binding
from sweepcheck.models.cpn.ml.spelling import CLOCK, spelt
from sweepcheck.models.cpn.ml.syntax import Expr, Pattern
from sweepcheck.models.cpn.ml.trees import (
    data_name,
    display,
    field_place,
    flattened,
    has_statements,
    is_name,
    is_simple,
    needs_lines,
    tuple_size,
)
from sweepcheck.models.cpn.ml.types import Applied, actual


def indented(lines: Lines) -> Lines:
    """The lines, one step to the right."""
    return ["    " + line for line in lines]


class Writer(Calls):
    """Writes what belongs to one declaration or inscription."""

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
        if isinstance(node, syntax.If) and has_statements(node) and not node.note:
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
                for part in flattened(size, pattern)
            ]
            for clause in node.clauses
        ]
        parameters, before = self._parameters(rows)
        head = [f"def {node.binding.python}({', '.join(clock + parameters)}):"]
        if node.binding.recursive:
            head = ["@recursive", *head]
        if len(rows) == 1 and all(map(always_matches, rows[0])):
            return [*head, *indented([*before, *self.body(node.clauses[0].body)])]
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
        return [*head, *indented(lines)]

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
                return self.name_text(node)
            case syntax.Record():
                return self._record(node, lines, self.expression)
            case syntax.ListOf():
                return display([self.expression(item, lines) for item in node.items])
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
                return f"(lambda whole_: whole_[{field_place(node)}])"
            case syntax.Apply():
                return self.applied(node, lines)
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
                return display([self.token(item, lines) for item in node.items])
            case syntax.Typed():
                return self.token(node.body, lines)
            case syntax.Apply(function=syntax.Name(name="+" | "-" | "*")):
                found = self.expression(node, lines)
                return found.removeprefix("whole")
            case syntax.Apply(function=syntax.Name(binding=Binding(kind="constructor", value=value))):
                return f"({value!r}, {self.token(node.argument, lines)})"
            case syntax.Apply(function=syntax.Name(name="::")) if isinstance(node.argument, syntax.Record):
                return self.cons(node, lines, self.token)
        return self.expression(node, lines)

    def _literal(self, node: syntax.Literal) -> str:
        assert node.type is not None
        if node.kind == "int" and data_name(node.type) == "int" and not SMALLEST <= node.value <= LARGEST:
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
        ordered = display([parts[label] for label in whole.labels])
        if list(parts) == list(whole.labels) or sum(not is_simple(part) for _, part in node.fields) < 2:
            return ordered
        # Fields are computed as they are written, which tells when two of them raise an exception.
        names = {label: f"{spelt(label)}_" for label in parts}
        made = display([names[label] for label in whole.labels])
        return f"(lambda {', '.join(names.values())}: {made})({', '.join(parts.values())})"

    def _fn(self, node: syntax.Fn, lines: Lines) -> str:
        rule = node.rules[0]
        flat = flattened(tuple_size(rule.pattern), rule.pattern) if len(node.rules) == 1 else []
        if flat and all(is_name(part) for part in flat):
            inner: Lines = []
            names = [
                Matching(self.source, self._fresh).text(part) if not isinstance(part, syntax.Wild) else self._fresh("a")
                for part in flat
            ]
            shown = "" if needs_lines(rule.body) else self.expression(rule.body, inner)
            if not inner and shown:
                made = f"(lambda {', '.join(names)}: {shown})"
                return made if len(names) == 1 else f"tupled{made}"
        name, argument = self._fresh("fn"), self._fresh("a")
        lines += [f"def {name}({argument}):", *indented(self._rules(argument, node.rules, "throw('Match')"))]
        return name
