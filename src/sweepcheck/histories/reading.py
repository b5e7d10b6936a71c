"""Files of histories: Jepsen's EDN and its log, one JSON object a line, and CSV."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sweepcheck.conformance.logs import read_log, read_text
from sweepcheck.errors import RequestError, shown
from sweepcheck.histories.history import History, history_of

TOKEN = re.compile(r'[\s,]*(;[^\n]*|"(?:\\.|[^"\\])*"|#\{|#[\w./-]+|[\[\]{}()]|[^\s,\[\]{}()";]+)')
JEPSEN_LINE = re.compile(r"^INFO\s+jepsen\.util\s+-\s+(\S+)\s+(:\w+)\s+(:[\w-]+)\s+(.*)$")
FORMS = "Jepsen's history.edn or log, one JSON object a line (.ndjson, .jsonl), or .csv"


def read_history(path: str | Path, answers: Iterable[str] = ()) -> History:
    """The history in a file; a failure of an operation in `answers` is the answer False, not that nothing happened."""
    path = Path(path)
    if path.suffix.lower() in (".ndjson", ".jsonl", ".csv"):
        log = read_log(path)
        return history_of(map(_hashable_values, log.events), answers, str(path), log.lines)
    text = read_text(path)
    found = list(_events(text, str(path)))
    events, lines = [event for event, _ in found], [line for _, line in found]
    return history_of(events, answers, str(path), lines)


def _hashable_values(event: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _frozen(value) for name, value in event.items()}


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return tuple(sorted((key, _frozen(one)) for key, one in value.items()))
    return value


def _events(text: str, name: str) -> Iterator[tuple[dict[str, Any], int]]:
    """The events of a text that is one vector of maps, maps one after the other, or a log of Jepsen's."""
    if JEPSEN_LINE.match(text.lstrip().partition("\n")[0]):
        for number, line in enumerate(text.splitlines(), 1):
            found = JEPSEN_LINE.match(line)
            if found is None:
                continue
            process, kind, function, value = found.groups()
            yield (
                _event({"process": _word(process), "type": kind[1:], "f": function[1:], "value": _value(value)}),
                number,
            )
        return
    for value, begin in Edn(text, name).all():
        for one in value if isinstance(value, tuple) else (value,):
            if not isinstance(one, dict):
                raise _unreadable(f"an event of the history is {shown(one)}", f"{name}:{begin}")
            yield _event(one), one.get(LINE, begin)


def _value(text: str) -> Any:
    found = list(Edn(text, "value").all())
    return found[0][0] if found else None


def _event(found: Mapping[Any, Any]) -> dict[str, Any]:
    return {name: _frozen(found.get(name)) for name in ("process", "type", "f", "key", "value")}


LINE = "\0line"


class Edn:
    """The values of a text in EDN: keywords are texts, lists and vectors tuples, sets frozen; tags are passed over."""

    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._name = name
        self._at = 0
        self._line = 1
        self._counted = 0

    def all(self) -> Iterator[tuple[Any, int]]:
        """All values one after the other, with the lines where they begin."""
        while (token := self._token()) is not None:
            yield self._value(token), self._line

    def _token(self) -> str | None:
        while True:
            found = TOKEN.match(self._text, self._at)
            if found is None:
                if self._text[self._at :].strip(" \t\r\n,"):
                    raise self._wrong("a text has no end")
                return None
            self._at = found.end()
            self._line += self._text.count("\n", self._counted, found.start(1))
            self._counted = found.start(1)
            if not found[1].startswith(";"):
                return found[1]

    def _value(self, token: str) -> Any:
        line = self._line
        if token in ("[", "("):
            return tuple(self._until("]" if token == "[" else ")"))
        if token == "#{":
            return frozenset(self._until("}"))
        if token == "{":
            inside = list(self._until("}"))
            if len(inside) % 2:
                raise self._wrong("a map has a key without a value")
            made = dict(zip(inside[::2], inside[1::2], strict=True))
            return {**made, LINE: line} if "process" in made else made
        if token.startswith("#"):  # a tag: the value behind it
            return self._value(self._next())
        if token in ("]", ")", "}"):
            raise self._wrong(f"{token!r} closes nothing")
        return _word(token)

    def _next(self) -> str:
        token = self._token()
        if token is None:
            raise self._wrong("the text ends inside a value")
        return token

    def _until(self, end: str) -> Iterator[Any]:
        while (token := self._next()) != end:
            yield self._value(token)

    def _wrong(self, what: str) -> RequestError:
        return _unreadable(f"the history is no EDN: {what}", f"{self._name}:{self._line}")


def _word(token: str) -> Any:
    if token.startswith('"'):
        return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t", "r": "\r"}.get(found[1], found[1]), token[1:-1])
    if token in ("nil", "true", "false"):
        return {"nil": None, "true": True, "false": False}[token]
    for kind in (int, float):
        try:
            return kind(token.removesuffix("N").removesuffix("M"))
        except ValueError:
            continue
    return token.removeprefix(":")


def _unreadable(what: str, where: str) -> RequestError:
    return RequestError("SC707", what, where=where, suggestion=f"a history is {FORMS}")
