"""Values of expressions in a process file: whole numbers and truth values, with errors that point into the file."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sweepcheck.errors import ModelError, closest
from sweepcheck.models.processes import syntax
from sweepcheck.models.processes.size import Size
from sweepcheck.models.processes.syntax import Expression, Position
from sweepcheck.text import visible

MOST_VALUES = 1_000_000  # of one range
LARGEST = 1 << 62
AROUND = 500  # characters shown on each side of a mistake

Environment = Mapping[str, int]

_NUMERIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
}
_COMPARING: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Source:
    """The file an expression stands in, for errors."""

    filename: str
    lines: tuple[str, ...]
    size: Size = field(default_factory=Size)

    def error(self, code: str, what: str, at: Position, suggestion: str) -> ModelError:
        """An error at a place of the file, with its line."""
        line = self.lines[at.line - 1] if at.line <= len(self.lines) else ""
        return ModelError(
            code,
            what,
            where=self.place(at),
            values=pointed_at(line, at.column),
            suggestion=suggestion,
        )

    def place(self, at: Position) -> str:
        """Where something stands, as errors say it."""
        return f"{self.filename}:{at.line}:{at.column}"

    def unknown(self, what: str, name: str, known: Iterable[str], at: Position) -> ModelError:
        """The error for a name that is not there."""
        return self.error("SC602", f"there is no {what} {name!r}", at, closest(name, known))

    def number(self, expression: Expression, environment: Environment) -> int:
        """The value of an expression that must be a number."""
        value = self.value(expression, environment)
        if isinstance(value, bool):
            raise self.error("SC603", "a number is wanted, not true or false", expression.at, "write a number")
        return value

    def truth(self, expression: Expression, environment: Environment) -> bool:
        """The value of an expression that must be true or false."""
        value = self.value(expression, environment)
        if not isinstance(value, bool):
            what = f"a condition is wanted, not the number {value}"
            raise self.error("SC603", what, expression.at, "compare it with something: k > 0")
        return value

    def value(self, expression: Expression, environment: Environment) -> int:
        """The value of an expression: a number, or True or False."""
        match expression:
            case syntax.Value():
                return expression.value
            case syntax.Variable():
                if expression.name not in environment:
                    raise self.unknown("value", expression.name, environment, expression.at)
                return environment[expression.name]
            case syntax.Quantified():
                found = (self.truth(expression.body, inner) for inner in self.bindings(expression, environment))
                return all(found) if expression.quantifier == "all" else any(found)
            case syntax.Standing():
                raise self.error(
                    "SC603",
                    "where a component stands is known in properties only",
                    expression.at,
                    "a process knows its own arguments; let an event tell it about others",
                )
            case syntax.Operation():
                return self._operation(expression, environment)

    def _operation(self, expression: syntax.Operation, environment: Environment) -> int:
        sign, operands = expression.operator, expression.operands
        if sign in ("and", "or"):
            found = (self.truth(one, environment) for one in operands)
            return all(found) if sign == "and" else any(found)
        if sign == "not":
            return not self.truth(operands[0], environment)
        numbers = [self.number(one, environment) for one in operands]
        if sign == "minus":
            return -numbers[0]
        one, other = numbers
        if sign in _COMPARING:
            return _COMPARING[sign](one, other)
        if sign in "/%" and other == 0:
            raise self.error("SC603", f"{one} {sign} 0 has no value", expression.at, "guard it: when k != 0: ...")
        result = _NUMERIC[sign](one, other)
        if abs(result) > LARGEST:
            raise self.error("SC603", f"{one} {sign} {other} is too large a number", expression.at, "use smaller ones")
        return result

    def values(self, bounds: syntax.Range, environment: Environment) -> range:
        """The numbers of a range; empty when the last is below the first."""
        first, last = self.number(bounds.first, environment), self.number(bounds.last, environment)
        if last - first >= MOST_VALUES:
            what = f"{first}..{last} has more than {MOST_VALUES:,} values"
            raise self.error("SC603", what, bounds.at, "use a smaller range")
        return range(first, last + 1)

    def bindings(
        self, quantified: syntax.Quantified | syntax.AnyOf | syntax.AllOf, environment: Environment
    ) -> Iterator[Environment]:
        """The environment with the index bound to each of its values in turn."""
        where = self.place(quantified.at)
        for value in self.values(quantified.range, environment):
            self.size.work(1, where)
            yield {**environment, quantified.name: value}

    def event(self, event: syntax.EventName, environment: Environment) -> str:
        """The name of an event with its indices put in."""
        words = [event.name]
        for index in event.indices:
            if isinstance(index, syntax.Word) and index.name not in environment:
                words.append(index.name)
            else:
                value = environment[index.name] if isinstance(index, syntax.Word) else self.value(index, environment)
                words.append(str(value).lower())
        return ".".join(words)

    def events(self, events: Iterable[syntax.EventName], environment: Environment) -> tuple[str, ...]:
        """The names of several events."""
        return tuple(self.event(event, environment) for event in events)

    def call(self, call: syntax.Call, environment: Environment) -> tuple[str, tuple[int, ...]]:
        """A name with the values of its arguments."""
        return call.name, tuple(self.value(one, environment) for one in call.arguments or ())


def pointed_at(line: str, column: int) -> list[tuple[str, str]]:
    """A line with a mark under one of its columns, as values of an error; of a very long line, what is around it."""
    first = max(0, column - 1 - AROUND)
    before, after = (visible(part.expandtabs(1)) for part in (line[first : column - 1], line[column - 1 :][:AROUND]))
    return [("line", before + after), ("", " " * len(before) + "^")]
