"""Logs: events as mappings, from files of one JSON object a line, CSV files, or Python."""

from __future__ import annotations

import csv
import json
from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sweepcheck.errors import RequestError, shown
from sweepcheck.models.actions.logged import Events
from sweepcheck.models.actions.observing import Shape

KIND = "event"  # the field that says what kind of event it is
FORMS = "one JSON object a line (.ndjson, .jsonl), or .csv with a line of names"


@dataclass(frozen=True, slots=True)
class Log:
    """Events in their order, and where each is written."""

    events: Sequence[Mapping[str, Any]]
    name: str = "log"
    lines: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.events)

    def place(self, position: int) -> str:
        """Where an event is written, or its number from 1 on."""
        return f"{self.name}:{self.lines[position]}" if self.lines else f"{self.name}, event {position + 1}"


def read_text(path: Path) -> str:
    """The text of a file of events."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise RequestError(
            "SC704",
            f"the log {str(path)!r} cannot be read: {error.strerror or error}",
            suggestion=f"give a file: {FORMS}",
        ) from None
    except UnicodeDecodeError:
        raise RequestError(
            "SC704", f"the log {str(path)!r} is not text in UTF-8", suggestion=f"give a file: {FORMS}"
        ) from None


def read_log(path: str | Path) -> Log:
    """The log in a file."""
    path = Path(path)
    text = read_text(path)
    found = list(_csv(path, text) if path.suffix.lower() == ".csv" else _lines(path, text))
    return Log([event for _, event in found], str(path), [line for line, _ in found])


def _lines(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            found = json.loads(line, parse_constant=_no_number)
        except ValueError as error:
            what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            raise RequestError(
                "SC704", f"a line of the log is no JSON: {what}", where=where, values=[("line", shown(line))],
                suggestion=f"a log is {FORMS}",
            ) from None  # fmt: skip
        if not isinstance(found, dict):
            raise RequestError(
                "SC704", f"a line of the log is {shown(found)}, and no object", where=where,
                suggestion='write an event as {"event": "sent", "node": 1}',
            )  # fmt: skip
        yield number, found


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")


def _csv(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    rows = csv.reader(text.splitlines())
    names = next(rows, None)
    if not names or len(set(names)) < len(names):
        raise RequestError(
            "SC704", "the first line of the log does not name its columns, each once", where=f"{path}:1",
            suggestion="begin with a line such as event,node,term",
        )  # fmt: skip
    for row in rows:
        if not row:
            continue
        if len(row) != len(names):
            raise RequestError(
                "SC704", f"a line of the log has {len(row)} fields, and {len(names)} are named",
                where=f"{path}:{rows.line_num}", suggestion="leave a field empty where an event does not have it",
            )  # fmt: skip
        yield rows.line_num, {name: _value(field) for name, field in zip(names, row, strict=True) if field != ""}


def _value(field: str) -> Any:
    """A field of a CSV file: a number where it is written as one."""
    for kind in (int, float):
        try:
            return kind(field)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(field.lower(), field)


# -- events as columns -----------------------------------------------------------------------------------------------


def events_of(log: Iterable[Mapping[str, Any]], kind_field: str = KIND) -> Events:
    """A log as columns."""
    shapes: dict[Shape, int] = {}
    shape_at = array("I")
    columns: dict[str, _Column] = {}
    for number, event in enumerate(log):
        if not isinstance(event, Mapping):
            raise RequestError(
                "SC704", f"event {number} of the log is {shown(event)}, and no mapping",
                suggestion='give events as mappings: [{"event": "sent", "node": 1}]',
            )  # fmt: skip
        flat = dict(_flat(event, ""))
        kind = flat.pop(kind_field, None)
        shape = Shape(kind, frozenset(flat))
        shape_at.append(shapes.setdefault(shape, len(shapes)))
        for name, value in flat.items():
            if name not in columns:
                columns[name] = _Column(name)
            columns[name].add(number, value)
    shape_at.append(shapes.setdefault(Shape(ends=True), len(shapes)))
    length = len(shape_at)
    return Events(tuple(shapes), shape_at, {name: one.complete(length) for name, one in columns.items()})


def _flat(event: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Hashable]]:
    """The fields of an event; those of an object inside it are called `outer.inner`."""
    for name, value in event.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + str(name), _hashable(value)


def _hashable(value: Any) -> Hashable:
    if isinstance(value, list | tuple):
        return tuple(map(_hashable, value))
    if isinstance(value, Mapping):
        return tuple((str(name), _hashable(one)) for name, one in sorted(value.items()))
    return int(value) if isinstance(value, float) and value.is_integer() else value


class _Column:
    """The values of one field. An event that lacks the field has the first of them: nobody asks for it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._numbers: dict[Hashable, int] = {}
        self._types: dict[Hashable, type] = {}
        self._at = array("I")

    def add(self, position: int, value: Hashable) -> None:
        known = self._types.setdefault(value, type(value))
        if known is not type(value):
            raise RequestError(
                "SC704", f"field {self.name!r} of the log is {shown(value)} in event {position}, and an equal value of "
                "another type in an earlier one",
                suggestion="write a truth value always as true or false, a number always as a number",
            )  # fmt: skip
        self._at.extend(array("I", [0]) * (position - len(self._at)))
        self._at.append(self._numbers.setdefault(value, len(self._numbers)))

    def complete(self, length: int) -> tuple[tuple[Hashable, ...], Sequence[int]]:
        """All its values, and which of them each event has."""
        self._at.extend(array("I", [0]) * (length - len(self._at)))
        return tuple(self._numbers), self._at
