"""Names and applications as Python: operators, calls with flat arguments, functions as values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sweepcheck.models.cpn.ml import syntax
from sweepcheck.models.cpn.ml.scope import Binding
from sweepcheck.models.cpn.ml.source import Text
from sweepcheck.models.cpn.ml.spelling import CLOCK
from sweepcheck.models.cpn.ml.syntax import Expr
from sweepcheck.models.cpn.ml.trees import (
    data_name,
    display,
    field_place,
    first_type,
    is_cons,
    spine,
)

Lines = list[str]
_SAME = {"=": "==", "<>": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}
_ARITHMETIC = frozenset({"+", "-", "*", "div", "mod", "~", "abs"})


class Calls:
    """What `writing` says of names and calls; `needs` is told of every name of the library that is used."""

    source: Text
    starts_at_zero = False  # times of an initial marking count from 0
    in_inscription = False  # where nothing is repeated, so that no list grows and grows

    def __init__(self, source: Text, fresh: Callable[[str], str], needs: Callable[[Binding], None]) -> None:
        self.source = source
        self._fresh = fresh
        self._needs = needs

    def expression(self, node: Expr, lines: Lines) -> str:
        """The expression in Python."""
        raise NotImplementedError

    # -- names -------------------------------------------------------------------------------------------------------

    def name_text(self, node: syntax.Name) -> str:
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
        is_known = node.name in _ARITHMETIC and binding.value is not None and node.type is not None
        if is_known and node.type is not None and data_name(first_type(node.type)) == "int":
            names = ", ".join(f"b{number}_" for number in range(1, binding.shape[0] + 1))
            return f"(lambda {names}: whole({binding.python}({names})))"
        return binding.python

    # -- applications ------------------------------------------------------------------------------------------------

    def applied(self, node: syntax.Apply, lines: Lines) -> str:
        head, arguments = spine(node)
        if isinstance(head, syntax.Select):
            found = f"{self.expression(arguments[0], lines)}[{field_place(head)}]"
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
            return self.name_text(head), 0
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
            found = f"whole({found})" if data_name(first_type(head.type)) == "int" else found
        return found, len(binding.shape)

    def _partial(self, head: syntax.Name, binding: Binding, arguments: list[Expr], lines: Lines) -> tuple[str, int]:
        """Fewer arguments than the function has: what remains is a function of one argument after another."""
        if any(size != 1 for size in binding.shape) or binding.clocked or len(binding.shape) - len(arguments) != 1:
            return self.name_text(head), 0
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
            return f"whole{inner}" if head.type is not None and data_name(first_type(head.type)) == "int" else inner
        if not isinstance(argument, syntax.Record) or len(argument.fields) != 2:
            return None
        if name == "::":
            return self.cons(node, lines, self.expression)
        one, other = (self.expression(side, lines) for _, side in argument.fields)
        if name in _SAME:
            return f"({one} {_SAME[name]} {other})"
        if name in ("+", "-", "*"):
            assert head.type is not None
            check = {"int": "whole", "intinf": "sized" * (name == "*")}.get(data_name(first_type(head.type)), "")
            return f"{check}({one} {name} {other})"
        return self._of_lists(node, name, one, other)

    def _of_lists(self, node: syntax.Apply, name: str, one: str, other: str) -> str | None:
        """Operators of lists, texts and multisets, given their operands."""
        if name in ("++", "+++"):
            one = f"delayed({one}, 0)" if node.note == "lift left" else one
            other = f"delayed({other}, 0)" if node.note == "lift right" else other
        if name in ("++", "+++", "^", "^^"):
            return f"({one} + {other})" if self.in_inscription else f"joined({one}, {other})"
        if name == "`":
            return f"({other},)" if one == "1" else f"times({one}, {other})"
        if name == "/":
            return f"divide({one}, {other})"
        if name == "@":
            return f"({one}, {other})" if self.starts_at_zero else f"({one}, {other} - {CLOCK})"
        if name in ("@+", "@++", "@@"):
            way = {"token": f"(({one}, {other}),)", "ms": f"delayed({one}, {other})"}
            return way.get(node.note, f"later({one}, {other})")
        return None

    def cons(self, node: syntax.Apply, lines: Lines, inner: Callable[[Expr, Lines], str]) -> str:
        parts: list[str] = []
        rest: Any = node
        while is_cons(rest):
            (_, item), (_, rest) = rest.argument.fields
            parts.append(inner(item, lines))
        if isinstance(rest, syntax.ListOf):
            return display(parts + [inner(item, lines) for item in rest.items])
        last = self.expression(rest, lines)
        return display(parts if last == "()" else [*parts, f"*{last}"])
