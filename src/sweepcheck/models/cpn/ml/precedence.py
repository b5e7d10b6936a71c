"""A flat sequence of operands and operators, put in order by how strongly the operators bind."""

from __future__ import annotations

from typing import Any

from sweepcheck.models.cpn.ml import syntax
from sweepcheck.models.cpn.ml.source import Text
from sweepcheck.models.cpn.ml.syntax import Expr

Fixities = dict[str, tuple[int, bool]]  # operators: how strongly they bind, and whether from the right


class _Sum:
    """Operands of `++` that are being gathered: they are put together in pairs, so that long sums are not deep."""

    def __init__(self, operands: list[Expr], operators: list[syntax.Name]) -> None:
        self.operands = operands
        self.operators = operators

    def tree(self, start: int, end: int) -> Expr:
        """The sum of the operands from one to before another."""
        if end - start == 1:
            return self.operands[start]
        middle = (start + end) // 2
        operator = self.operators[middle - 1]
        return _applied_to_pair(operator, self.tree(start, middle), self.tree(middle, end))


def _applied_to_pair(operator: syntax.Name, left: Expr, right: Expr) -> Expr:
    own = syntax.Name(operator.at, operator.name)
    return syntax.Apply(operator.at, own, syntax.Record(left.at, (("1", left), ("2", right))))


class Precedence:
    """Orders sequences of one text."""

    def __init__(self, fixities: Fixities, source: Text) -> None:
        self.fixities = fixities
        self.source = source

    def ordered(self, items: list[Any]) -> Expr:
        """Applications first, then operators by their precedence."""
        operands: list[Any] = []
        operators: list[syntax.Name] = []
        current: list[Expr] = []
        for item in items:
            if type(item) is syntax.Name and item.name in self.fixities:
                operands.append(self._applied(current, item))
                current = []
                while operators and self._binds_first(operators[-1], item):
                    self._reduce(operands, operators.pop())
                operators.append(item)
            else:
                current.append(item)
        last = operators[-1] if operators else None
        operands.append(self._applied(current, last))
        while operators:
            self._reduce(operands, operators.pop())
        return _closed(operands[0])

    def _applied(self, parts: list[Expr], operator: syntax.Name | None) -> Expr:
        if not parts:
            assert operator is not None
            raise self.source.error(
                "SC140", f"{operator.name!r} lacks an operand", operator.at, "a negative number is ~1"
            )
        found = parts[0]
        for part in parts[1:]:
            found = syntax.Apply(found.at, found, part)
        return found

    def _binds_first(self, left: syntax.Name, right: syntax.Name) -> bool:
        (one, _), (other, from_right) = self.fixities[left.name], self.fixities[right.name]
        return one > other or (one == other and not from_right)

    def _reduce(self, operands: list[Any], operator: syntax.Name) -> None:
        right, left = _closed(operands.pop()), operands.pop()
        if operator.name != "++":
            operands.append(_applied_to_pair(operator, _closed(left), right))
        elif isinstance(left, _Sum):
            left.operands.append(right)
            left.operators.append(operator)
            operands.append(left)
        else:
            operands.append(_Sum([left, right], [operator]))


def _closed(given: Any) -> Expr:
    found: Expr = given.tree(0, len(given.operands)) if isinstance(given, _Sum) else given
    return found
