"""A history: operations of several processes, each from its call to its return, or without a return."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sweepcheck.errors import RequestError, shown


class _Any:
    """The answer of an operation that nobody got: any answer, or none, since it may never have happened."""

    def __repr__(self) -> str:
        return "ANY"


ANY: Any = _Any()


@dataclass(frozen=True, slots=True)
class Operation:
    """What a process asked for and what it was answered. Times count the events of the history from 0 on.

    `key` is what it is about, where there are several things. `returned` is None where it never returned: then it may
    take effect at any time after its call, or never.
    """

    process: Hashable
    name: str
    argument: Hashable = None
    result: Any = None
    key: Hashable = None
    called: int = 0
    returned: int | None = None
    line: int | None = None  # of the file, where it was called

    def __str__(self) -> str:
        given = (one for one in (self.key, self.argument) if one is not None)
        argument = ", ".join(map(repr, given))
        answer = "never returned" if self.returned is None else f"-> {self.result!r}"
        return f"{self.name}({argument}) {answer}  (process {self.process})"


@dataclass(frozen=True, slots=True)
class History:
    """Operations in the order of their calls."""

    operations: Sequence[Operation]
    name: str = "history"

    def __len__(self) -> int:
        return len(self.operations)

    def events(self) -> list[tuple[int, bool, int]]:
        """Calls and returns in their order: the time, whether it is a return, and the number of the operation."""
        found = [(one.called, False, number) for number, one in enumerate(self.operations)]
        found += [
            (one.returned, True, number) for number, one in enumerate(self.operations) if one.returned is not None
        ]
        return sorted(found)

    def by_key(self, key_of: Any) -> dict[Hashable, History]:
        """The histories of single keys, which do not depend on each other."""
        parts: dict[Hashable, list[Operation]] = {}
        for one in self.operations:
            parts.setdefault(key_of(one), []).append(one)
        return {key: History(operations, f"{self.name}, key {shown(key)}") for key, operations in parts.items()}


def history_of(
    events: Iterable[Mapping[str, Any]], answers: Iterable[str] = (), name: str = "history", lines: Sequence[int] = ()
) -> History:
    """A history from events with `process`, `type` (invoke, ok, fail or info), `f`, `value` and perhaps `key`.

    An `ok` gives the answer: its value where the call had none, else that the operation was done. A `fail` says that
    the operation did not happen, and it is left out; for operations in `answers` it is the answer False. After `info`,
    and at the end of the history, nobody knows.
    """
    known = frozenset(answers)
    open_: dict[Hashable, Operation] = {}
    found: list[Operation] = []
    for time, event in enumerate(events):
        where = f"{name}:{lines[time]}" if lines else f"{name}, event {time + 1}"
        process, kind, function = _parts(event, where)
        if kind == "invoke":
            if process in open_:
                raise _wrong(f"process {shown(process)} calls again before its operation returned", where)
            line = lines[time] if lines else None
            open_[process] = Operation(process, function, event.get("value"), ANY, event.get("key"), time, None, line)
            continue
        asked = open_.pop(process, None)
        if asked is None:
            if kind == "info":  # of the test itself, such as a nemesis
                continue
            raise _wrong(f"process {shown(process)} returns from an operation that it did not call", where)
        if kind == "fail" and function not in known:
            continue
        if kind == "info":
            found.append(asked)
            continue
        result = kind == "ok" if kind == "fail" or asked.argument is not None else event.get("value")
        found.append(replace(asked, result=result, returned=time))
    found += open_.values()
    return History(sorted(found, key=lambda one: one.called), name)


def _parts(event: Mapping[str, Any], where: str) -> tuple[Hashable, str, str]:
    kind, function = event.get("type"), event.get("f")
    if "process" not in event or kind not in ("invoke", "ok", "fail", "info") or function is None:
        raise _wrong(f"an event of a history is {shown(dict(event))}", where)
    return event["process"], str(kind), str(function)


def _wrong(what: str, where: str) -> RequestError:
    return RequestError(
        "SC707", what, where=where,
        suggestion="an event has process, type (invoke, ok, fail or info), f and value",
    )  # fmt: skip
