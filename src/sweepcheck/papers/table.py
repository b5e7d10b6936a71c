"""A table of a paper, and the same table made again: what a cell is, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Value = int | float | str | None


class Mark(StrEnum):
    """What a measured figure is, beside the published one."""

    EQUAL = "equal"
    RECONSTRUCTED = "reconstructed model"
    OWN = "own model"
    DIFFERS = "differs"
    TIME = "time"  # of another program on another machine: shown, and not compared

    @property
    def sign(self) -> str:
        """How it is written in a table."""
        return {"equal": "=", "reconstructed model": "~", "own model": "○", "differs": "≠", "time": ""}[self.value]


MEANINGS = {
    Mark.EQUAL: "equal, as the paper rounds it",
    Mark.RECONSTRUCTED: "another figure: the model is reconstructed",
    Mark.OWN: "another figure: the model is our own",
    Mark.DIFFERS: "another figure, for the reason given",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a figure is another one than the paper's."""

    mark: Mark
    why: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the paper; `form` says how its figures are written, `published` whether the paper has it."""

    name: str
    title: str
    form: str = "count"
    published: bool = True

    @property
    def is_time(self) -> bool:
        """Whether it says how long something took."""
        return self.form in ("ratio", "extra")

    def text(self, value: Value) -> str:
        """A figure as the paper writes it."""
        if value is None:
            return "–"
        if isinstance(value, str):
            return value
        match self.form:
            case "count":
                return f"{value:,}"
            case "ratio":
                return f"{value:.2f}"
            case "extra":
                return f"{value:+.1f} %"
            case digits:  # percent with so many digits
                return f"{value:.{int(digits[-1])}f} %"


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a paper. `size` is about how many states it has; `published` are its figures by column."""

    labels: tuple[str, ...]
    parameters: Mapping[str, Any]
    size: int
    published: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure, published and measured; without a mark where one of them is missing."""

    published: Value
    measured: Value
    mark: Mark | None = None
    why: str | None = None

    @property
    def unexplained(self) -> bool:
        """Whether it differs for no known reason."""
        return self.mark is Mark.DIFFERS and self.why is None


@dataclass(frozen=True, slots=True)
class Row:
    """A row made again; `left_out` says why it was not."""

    labels: tuple[str, ...]
    cells: tuple[Cell, ...]
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table or figure of a paper, and how its rows are made again.

    `reasons` say why figures differ, by column, or by column and first label. `note` is what else a reader must know.
    """

    paper: int
    name: str
    title: str
    models: str
    heads: tuple[str, ...]
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    measure: Callable[..., Mapping[str, Value]]
    reasons: Mapping[str | tuple[str, str], Reason] = field(default_factory=dict)
    note: str = ""

    @property
    def full_name(self) -> str:
        """Paper 0, table 1."""
        return f"Paper {self.paper}" + (f", {self.name}" if self.name else "")

    def row(self, line: Line, found: Mapping[str, Value]) -> Row:
        """A line with what was measured, marked."""
        return Row(line.labels, tuple(self._cell(column, line, found.get(column.name)) for column in self.columns))

    def _cell(self, column: Column, line: Line, measured: Value) -> Cell:
        published = line.published.get(column.name)
        if published is None or measured is None:
            return Cell(published, measured)
        if column.is_time:
            return Cell(published, measured, Mark.TIME)
        if column.text(published) == column.text(measured):
            return Cell(published, measured, Mark.EQUAL)
        reason = self.reasons.get((column.name, line.labels[0])) or self.reasons.get(column.name)
        if reason is None:
            return Cell(published, measured, Mark.DIFFERS)
        return Cell(published, measured, reason.mark, reason.why)

    def empty(self, line: Line, why: str) -> Row:
        """A line that was left out."""
        cells = tuple(Cell(line.published.get(column.name), None) for column in self.columns)
        return Row(line.labels, cells, why)


@dataclass(frozen=True, slots=True)
class Made:
    """A table made again."""

    table: Table
    rows: Sequence[Row]

    @property
    def unexplained(self) -> int:
        """How many figures differ for no known reason."""
        return sum(cell.unexplained for row in self.rows for cell in row.cells)
